//! Revisions that the repository does not have yet, with the people who made them.

use diesel::dsl;
use diesel::prelude::*;
use quire_domain::ids::{ChangeRequestId, RevisionId};

use crate::Result;
use crate::content::change_requests::ChangeRequestRecord;
use crate::content::store::{ContentAt, RevisionRecord};
use crate::lookup::{Authorized, UserRecord};
use crate::schema::{change_request_contributors, change_requests, revisions, users};
use crate::transaction::Reader;

/// Maximum number of earlier revisions.
const EARLIER_MAX: usize = 20;

/// Maximum number of editors of all change requests.
const EDITORS_MAX: i64 = 1_000;

/// Revision of the main content that the repository does not have yet.
#[derive(Clone, Debug)]
pub struct UnexportedRevision {
    /// Revision.
    pub revision: RevisionRecord,
    /// Author; `None` after that user was removed.
    pub author: Option<UserRecord>,
    /// Change request whose merge created the revision.
    pub change_request: Option<ChangeRequestRecord>,
    /// Users who edited the change request.
    pub editors: Vec<UserRecord>,
}

/// Revisions of the main content since a synchronization.
#[derive(Clone, Debug)]
pub struct UnexportedRevisions {
    /// The first 20, oldest first, except for the head.
    pub earlier: Vec<UnexportedRevision>,
    /// The head.
    pub head: UnexportedRevision,
}

/// Change request with a user who edited it.
type Editor = (ChangeRequestId, UserRecord);

/// Revision with its author.
type Row = (RevisionRecord, Option<UserRecord>);

impl Reader<'_> {
    /// Returns the revisions of the main content after the last synchronized one. Without it, or if the content does
    /// not continue it, returns the head alone. Takes at most four statements.
    pub fn unexported_revisions(
        &mut self,
        content: &Authorized<ContentAt>,
        last: Option<RevisionId>,
    ) -> Result<UnexportedRevisions> {
        let (space, head) = (content.space.id, content.revision.id);
        let of_space = || revisions::table.left_join(users::table).filter(revisions::space_id.eq(space));
        let earlier: Vec<Row> = match last {
            None => Vec::new(),
            Some(last) => of_space()
                .filter(revisions::change_request_id.is_null())
                .filter(dsl::not(revisions::standalone))
                .filter(revisions::id.gt(last))
                .filter(revisions::id.lt(head))
                .order(revisions::id)
                .limit(i64::try_from(EARLIER_MAX).unwrap_or(i64::MAX))
                .select(Row::as_select())
                .load(self.connection)?,
        };
        let head: Row =
            of_space().filter(revisions::id.eq(head)).select(Row::as_select()).get_result(self.connection)?;
        let earlier = if follows(last, &earlier, &head.0) { earlier } else { Vec::new() };
        let merged: Vec<ChangeRequestId> =
            earlier.iter().chain([&head]).filter_map(|(revision, _)| revision.merged_from).collect();
        let (requests, editors) = match merged.is_empty() {
            true => (Vec::new(), Vec::new()),
            false => self.merged_with_editors(content, &merged)?,
        };
        let with_people = |(revision, author): Row| {
            let merged_from = revision.merged_from;
            let change_request =
                requests.iter().find(|request: &&ChangeRequestRecord| Some(request.id) == merged_from);
            let editors = editors.iter().filter(|(request, _)| Some(*request) == merged_from);
            UnexportedRevision {
                change_request: change_request.cloned(),
                editors: editors.map(|(_, editor)| editor.clone()).collect(),
                revision,
                author,
            }
        };
        Ok(UnexportedRevisions {
            earlier: earlier.into_iter().map(with_people).collect(),
            head: with_people(head),
        })
    }

    /// Returns change requests, and the users who edited them in a stable order.
    fn merged_with_editors(
        &mut self,
        content: &Authorized<ContentAt>,
        ids: &[ChangeRequestId],
    ) -> Result<(Vec<ChangeRequestRecord>, Vec<Editor>)> {
        let space = content.space.id;
        let requests = change_requests::table
            .left_join(users::table)
            .filter(change_requests::space_id.eq(space))
            .filter(change_requests::id.eq_any(ids))
            .select(ChangeRequestRecord::as_select())
            .load(self.connection)?;
        let editors = change_request_contributors::table
            .inner_join(users::table)
            .filter(change_request_contributors::space_id.eq(space))
            .filter(change_request_contributors::change_request_id.eq_any(ids))
            .order((change_request_contributors::change_request_id, change_request_contributors::user_id))
            .limit(EDITORS_MAX)
            .select((change_request_contributors::change_request_id, UserRecord::as_select()))
            .load(self.connection)?;
        Ok((requests, editors))
    }
}

/// Returns whether each revision is the parent of the next one, as far as they are known.
fn follows(last: Option<RevisionId>, earlier: &[Row], head: &RevisionRecord) -> bool {
    let is_all = earlier.len() < EARLIER_MAX;
    let revisions = earlier.iter().map(|(revision, _)| revision).chain(is_all.then_some(head));
    let mut before = last;
    for revision in revisions {
        if revision.parents.first().copied() != before {
            return false;
        }
        before = Some(revision.id);
    }
    true
}
