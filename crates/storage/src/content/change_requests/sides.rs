//! Newest edits of the two sides of a merge, for people who choose between their versions.

use std::collections::HashMap;

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{ChangeRequestId, RevisionId, SpaceId};
use quire_revision::{Conflict, Tree, TreeHash};

use crate::Result;
use crate::content::change_requests::{ChangeRequestRecord, InSpace};
use crate::diesel_types::Elements;
use crate::lookup::{Authorized, UserRecord};
use crate::schema::{change_requests, revisions, users};
use crate::transaction::Reader;

/// Most edits of a side that are compared with the content before them.
const MOST_EDITS: i64 = 50;

/// Revision of one side, with the content before and after it.
#[derive(Clone, Debug)]
pub struct SideEdit {
    /// Its author; `None` after that user was removed.
    pub author: Option<UserRecord>,
    /// Time of its creation.
    pub created_at: Timestamp,
    /// Number of the change request whose merge made it.
    pub merged: Option<i32>,
    before: Tree,
    after: Tree,
}

/// Edits of the two sides of a merge, newest first.
#[derive(Clone, Debug)]
pub struct SideEdits {
    /// Those of the change request.
    pub ours: Vec<SideEdit>,
    /// Those of the main content since the merge base.
    pub theirs: Vec<SideEdit>,
}

impl SideEdits {
    /// Returns the last edits of the two sides that changed what a conflict is about.
    #[must_use]
    pub fn last_of(&self, conflict: &Conflict) -> [Option<&SideEdit>; 2] {
        [&self.ours, &self.theirs]
            .map(|edits| edits.iter().find(|edit| conflict.is_changed_between(&edit.before, &edit.after)))
    }
}

#[derive(Queryable)]
struct Row {
    root: TreeHash,
    #[diesel(deserialize_as = Elements<Vec<Option<RevisionId>>>)]
    parents: Vec<RevisionId>,
    merged_from: Option<ChangeRequestId>,
    created_at: Timestamp,
    author: Option<UserRecord>,
}

type Revisions<'a> = dsl::IntoBoxed<'a, dsl::LeftJoin<revisions::table, users::table>, Pg>;

impl Reader<'_> {
    /// The newest 50 edits of each side of the merge of a change request: four statements, besides those that load
    /// trees.
    pub fn edits_of_sides(
        &mut self,
        change_request: &Authorized<InSpace<ChangeRequestRecord>>,
    ) -> Result<SideEdits> {
        let record = &change_request.item;
        let ours = self.newest(of_space(record.space).filter(revisions::change_request_id.eq(record.id)))?;
        let theirs = of_space(record.space)
            .filter(revisions::change_request_id.is_null())
            .filter(revisions::id.gt(record.merge_base()));
        let theirs = self.newest(theirs)?;
        let rows: Vec<&Row> = ours.iter().chain(&theirs).collect();
        let numbers = self.numbers_of(record.space, &rows)?;
        let roots: Vec<_> = rows.iter().map(|row| (row.root, row.parents.first().copied())).collect();
        let trees = self.trees_around(record.space, &roots)?;
        let count = ours.len();
        let mut edits: Vec<SideEdit> = ours
            .into_iter()
            .chain(theirs)
            .zip(trees)
            .map(|(row, [before, after])| SideEdit {
                author: row.author,
                created_at: row.created_at,
                merged: row.merged_from.and_then(|id| numbers.get(&id)).copied(),
                before,
                after,
            })
            .collect();
        let theirs = edits.split_off(count);
        Ok(SideEdits { ours: edits, theirs })
    }

    fn newest(&mut self, matching: Revisions<'_>) -> Result<Vec<Row>> {
        let columns = (
            revisions::root,
            revisions::parents,
            revisions::merged_from,
            revisions::created_at,
            Option::<UserRecord>::as_select(),
        );
        let rows = matching.order(revisions::id.desc()).limit(MOST_EDITS).select(columns);
        Ok(rows.load(self.connection)?)
    }

    /// Returns the numbers of the change requests that revisions merged: one statement.
    fn numbers_of(&mut self, space: SpaceId, rows: &[&Row]) -> Result<HashMap<ChangeRequestId, i32>> {
        let merged: Vec<ChangeRequestId> = rows.iter().filter_map(|row| row.merged_from).collect();
        let numbers = change_requests::table
            .filter(change_requests::space_id.eq(space))
            .filter(change_requests::id.eq_any(merged))
            .select((change_requests::id, change_requests::number))
            .load::<(ChangeRequestId, i32)>(self.connection)?;
        Ok(numbers.into_iter().collect())
    }
}

fn of_space<'a>(space: SpaceId) -> Revisions<'a> {
    revisions::table
        .left_join(users::table)
        .filter(revisions::space_id.eq(space))
        .filter(dsl::not(revisions::standalone))
        .into_boxed()
}
