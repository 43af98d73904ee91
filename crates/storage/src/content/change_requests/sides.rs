//! Latest edits of both sides of a merge, shown to users who resolve conflicts.

use std::collections::{HashMap, HashSet};

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{ChangeRequestId, DocumentId, SpaceId};
use quire_revision::{BlockConflict, BlockContents, Conflict, Strategy, Tree};

use crate::content::change_requests::{ChangeRequestRecord, InSpace};
use crate::content::store::RevisionRecord;
use crate::lookup::{Authorized, UserRecord};
use crate::schema::{change_requests, revisions, users};
use crate::transaction::Reader;
use crate::{Error, Result};

/// Maximum number of edits per side that are compared with the content before them.
const MOST_EDITS: i64 = 50;
/// Maximum number and total size of the documents that are read to find the edits of blocks.
const MOST_DOCUMENTS: usize = 64;
const MOST_BYTES: u32 = 1 << 20;

/// Revision of one side, with the content before and after it.
#[derive(Clone, Debug)]
pub struct SideEdit {
    /// Author; `None` after that user was removed.
    pub author: Option<UserRecord>,
    /// Time of its creation.
    pub created_at: Timestamp,
    /// Number of the change request whose merge created the revision.
    pub merged: Option<i32>,
    before: Tree,
    after: Tree,
}

/// Edits of both sides of a merge, newest first.
#[derive(Clone, Debug)]
pub struct SideEdits {
    /// Edits of the change request.
    pub ours: Vec<SideEdit>,
    /// Edits of the main content since the merge base.
    pub theirs: Vec<SideEdit>,
    /// Blocks before and after edits, for documents in conflict that several edits of a side changed.
    contents: HashMap<DocumentId, BlockContents>,
}

impl SideEdits {
    /// Returns the last edit of each side that changed the item in conflict.
    #[must_use]
    pub fn last_of(&self, conflict: &Conflict) -> [Option<&SideEdit>; 2] {
        [&self.ours, &self.theirs].map(|edits| edits.iter().find(|edit| edit.changed(conflict)))
    }

    /// Returns the edit of each side that wrote its blocks of a conflict. Falls back to the last edit of the text if
    /// that edit is unknown, as beyond 64 documents or 1 MiB.
    #[must_use]
    pub fn last_of_blocks(&self, conflict: &Conflict, blocks: &BlockConflict) -> [Option<&SideEdit>; 2] {
        let sides = [(&self.ours, Strategy::Ours), (&self.theirs, Strategy::Theirs)];
        sides.map(|(edits, side)| {
            let edits = of_conflict(edits, conflict);
            let made = |edit: &&&SideEdit| {
                let contents = edit.documents(conflict).map(|id| self.contents.get(&id?));
                let [Some(before), Some(after)] = contents else { return false };
                blocks.is_made_between(side, before, after)
            };
            edits.iter().find(made).or(edits.first()).copied()
        })
    }
}

impl SideEdit {
    fn changed(&self, conflict: &Conflict) -> bool {
        conflict.is_changed_between(&self.before, &self.after)
    }

    /// Returns the documents of the page of a conflict before and after the edit.
    fn documents(&self, conflict: &Conflict) -> [Option<DocumentId>; 2] {
        let page = conflict.page.as_ref().map(|page| page.id);
        [&self.before, &self.after].map(|tree| tree.page(page?)?.document)
    }
}

fn of_conflict<'e>(edits: &'e [SideEdit], conflict: &Conflict) -> Vec<&'e SideEdit> {
    edits.iter().filter(|edit| edit.changed(conflict)).collect()
}

/// Revision with its author.
type Row = (RevisionRecord, Option<UserRecord>);

type Revisions<'a> = dsl::IntoBoxed<'a, dsl::LeftJoin<revisions::table, users::table>, Pg>;

impl Reader<'_> {
    /// Returns the newest 50 edits of each side of a change request's merge, for its conflicts. Takes at most six
    /// statements, besides those that load trees.
    pub fn edits_of_sides(
        &mut self,
        change_request: &Authorized<InSpace<ChangeRequestRecord>>,
        conflicts: &[Conflict],
    ) -> Result<SideEdits> {
        let record = &change_request.item;
        let ours = self.newest(of_space(record.space).filter(revisions::change_request_id.eq(record.id)))?;
        let theirs = of_space(record.space)
            .filter(revisions::change_request_id.is_null())
            .filter(revisions::id.gt(record.merge_base()));
        let theirs = self.newest(theirs)?;
        let revisions: Vec<&RevisionRecord> =
            ours.iter().chain(&theirs).map(|(revision, _)| revision).collect();
        let numbers = self.numbers_of(record.space, &revisions)?;
        let roots: Vec<_> =
            revisions.iter().map(|revision| (revision.root, revision.parents.first().copied())).collect();
        let trees = self.trees_around(record.space, &roots)?;
        let count = ours.len();
        let mut edits: Vec<SideEdit> = ours
            .into_iter()
            .chain(theirs)
            .zip(trees)
            .map(|((revision, author), [before, after])| SideEdit {
                author,
                created_at: revision.created_at,
                merged: revision.merged_from.and_then(|id| numbers.get(&id)).copied(),
                before,
                after,
            })
            .collect();
        let theirs = edits.split_off(count);
        let contents = self.contents_around(record.space, [&edits, &theirs], conflicts)?;
        Ok(SideEdits { ours: edits, theirs, contents })
    }

    /// Returns the blocks of documents before and after edits, for sides with more than one edit. Takes at most two
    /// statements.
    fn contents_around(
        &mut self,
        space: SpaceId,
        sides: [&[SideEdit]; 2],
        conflicts: &[Conflict],
    ) -> Result<HashMap<DocumentId, BlockContents>> {
        let mut ids: Vec<DocumentId> = Vec::new();
        for conflict in conflicts.iter().filter(|conflict| !conflict.blocks.is_empty()) {
            let edits = sides.map(|side| of_conflict(side, conflict));
            let several = edits.iter().filter(|edits| edits.len() > 1).flatten();
            ids.extend(several.flat_map(|edit| edit.documents(conflict)).flatten());
        }
        let mut seen = HashSet::new();
        ids.retain(|id| seen.insert(*id));
        ids.truncate(MOST_DOCUMENTS);
        let fit = self.documents_within_of(space, &ids, MOST_BYTES)?;
        ids.truncate(fit);
        let documents = self.documents_of(space, &ids)?.into_iter();
        documents
            .map(|(id, document)| {
                let document = document.to_value();
                let document = document.map_err(|error| Error::corrupt("a document can't be read", error))?;
                Ok((id, BlockContents::of(&document)))
            })
            .collect()
    }

    fn newest(&mut self, matching: Revisions<'_>) -> Result<Vec<Row>> {
        let columns = (RevisionRecord::as_select(), Option::<UserRecord>::as_select());
        let rows = matching.order(revisions::id.desc()).limit(MOST_EDITS).select(columns);
        Ok(rows.load(self.connection)?)
    }

    /// Returns the numbers of the change requests merged by revisions. Takes one statement.
    fn numbers_of(
        &mut self,
        space: SpaceId,
        edits: &[&RevisionRecord],
    ) -> Result<HashMap<ChangeRequestId, i32>> {
        let merged: Vec<ChangeRequestId> = edits.iter().filter_map(|edit| edit.merged_from).collect();
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
