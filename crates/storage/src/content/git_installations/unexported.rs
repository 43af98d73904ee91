//! Revisions that the repository does not have yet, with the people who made them.

use diesel::dsl;
use diesel::prelude::*;
use quire_domain::git::GitDirection;
use quire_domain::ids::{ChangeRequestId, RevisionId, SpaceId};

use crate::Result;
use crate::content::change_requests::ChangeRequestRecord;
use crate::content::store::{ContentAt, RevisionRecord};
use crate::lookup::{Authorized, UserRecord};
use crate::schema::{change_request_contributors, change_requests, git_operations, revisions, users};
use crate::transaction::Reader;

/// Maximum number of earlier revisions.
const EARLIER_MAX: usize = 20;

/// Maximum number of operations and of revisions in which edits before an import are searched.
const SEARCHED_MAX: i64 = 100;

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
    /// `true` if an import made the revision, or its change request, to merge edits with a commit of the repository.
    pub is_of_import: bool,
}

/// Revisions of the main content since a synchronization.
#[derive(Clone, Debug)]
pub struct UnexportedRevisions {
    /// The first 20, oldest first, except for the head.
    pub earlier: Vec<UnexportedRevision>,
    /// The head.
    pub head: UnexportedRevision,
    /// Edits before the synchronization that the repository does not have, oldest first, at most 20. Empty unless an
    /// import merged edits with a commit of the repository.
    pub merged: Vec<UnexportedRevision>,
}

/// Change request with a user who edited it.
type Editor = (ChangeRequestId, UserRecord);

/// Revision with its author.
type Row = (RevisionRecord, Option<UserRecord>);

/// Change requests whose merges created revisions, and their editors.
struct People {
    requests: Vec<ChangeRequestRecord>,
    editors: Vec<Editor>,
}

impl People {
    /// Adds the people to a revision.
    fn of(&self, (revision, author): Row, imports: &Imports) -> UnexportedRevision {
        let merged_from = revision.merged_from;
        let change_request = self.requests.iter().find(|request| Some(request.id) == merged_from);
        let editors = self.editors.iter().filter(|(request, _)| Some(*request) == merged_from);
        UnexportedRevision {
            change_request: change_request.cloned(),
            editors: editors.map(|(_, editor)| editor.clone()).collect(),
            is_of_import: imports.made(&revision),
            revision,
            author,
        }
    }
}

/// Successful imports since the last export, newest first.
#[derive(Default)]
struct Imports {
    /// Imported revisions, with the change requests that contain changes that conflicted.
    revisions: Vec<(RevisionId, Option<ChangeRequestId>)>,
    /// Revision of the export before, or else of the first import.
    since: Option<RevisionId>,
}

impl Imports {
    /// Returns whether an import made a revision, or its change request. The revision that merges edits with an import
    /// has the imported one and the former head as parents.
    fn made(&self, revision: &RevisionRecord) -> bool {
        let is_imported = |id: RevisionId| self.revisions.iter().any(|(imported, _)| *imported == id);
        match (revision.merged_from, revision.parents.as_slice()) {
            (Some(id), _) => self.revisions.iter().any(|(_, change_request)| *change_request == Some(id)),
            (None, [first, _]) => is_imported(*first),
            (None, _) => is_imported(revision.id),
        }
    }

    /// Returns whether a revision is an imported one that follows a revision without the changes that conflicted.
    fn follows_reverted(&self, revision: RevisionId) -> bool {
        let mut imports = self.revisions.iter();
        imports.any(|(imported, change_request)| *imported == revision && change_request.is_some())
    }
}

impl Reader<'_> {
    /// Returns the revisions of the main content after the last synchronized one. Without it, or if the content does
    /// not continue it, returns the head alone. Takes at most eight statements.
    pub fn unexported_revisions(
        &mut self,
        content: &Authorized<ContentAt>,
        last: Option<RevisionId>,
    ) -> Result<UnexportedRevisions> {
        let (space, head) = (content.space.id, content.revision.id);
        let earlier: Vec<Row> = match last {
            None => Vec::new(),
            Some(last) => of_main_content(space)
                .filter(revisions::id.gt(last))
                .filter(revisions::id.lt(head))
                .order(revisions::id)
                .limit(i64::try_from(EARLIER_MAX).unwrap_or(i64::MAX))
                .select(Row::as_select())
                .load(self.connection)?,
        };
        let head: Row = of_main_content(space)
            .filter(revisions::id.eq(head))
            .select(Row::as_select())
            .get_result(self.connection)?;
        let earlier = if follows(last, &earlier, &head.0) { earlier } else { Vec::new() };
        let people = self.people(content, earlier.iter().chain([&head]))?;
        let imports = last.map(|last| self.imports_until(space, last)).transpose()?.unwrap_or_default();
        let with_people = |row| people.of(row, &imports);
        let earlier: Vec<UnexportedRevision> = earlier.into_iter().map(with_people).collect();
        let head = with_people(head);
        let is_merged = earlier.iter().chain([&head]).any(|revision| revision.is_of_import);
        let merged = if is_merged { self.edits_before(content, &imports)? } else { Vec::new() };
        Ok(UnexportedRevisions { earlier, head, merged })
    }

    /// Returns the imports since the last export, up to a synchronized revision.
    fn imports_until(&mut self, space: SpaceId, last: RevisionId) -> Result<Imports> {
        let operations: Vec<(GitDirection, RevisionId, Option<ChangeRequestId>)> = git_operations::table
            .filter(git_operations::space_id.eq(space))
            .filter(git_operations::revision_id.le(last))
            .order(git_operations::id.desc())
            .limit(SEARCHED_MAX)
            .select((
                git_operations::direction,
                git_operations::revision_id.assume_not_null(),
                git_operations::change_request_id,
            ))
            .load(self.connection)?;
        let mut imports = Imports::default();
        for (direction, revision, change_request) in operations {
            imports.since = Some(revision);
            if direction == GitDirection::Export {
                break;
            }
            imports.revisions.push((revision, change_request));
        }
        Ok(imports)
    }

    /// Returns the edits of the main content between the last export, or else the first import, and the last import.
    /// Takes at most three statements.
    fn edits_before(
        &mut self,
        content: &Authorized<ContentAt>,
        imports: &Imports,
    ) -> Result<Vec<UnexportedRevision>> {
        let (Some(since), Some((last, _))) = (imports.since, imports.revisions.first()) else {
            return Ok(Vec::new());
        };
        let mut rows: Vec<Row> = of_main_content(content.space.id)
            .filter(revisions::id.gt(since))
            .filter(revisions::id.le(last))
            .order(revisions::id.desc())
            .limit(SEARCHED_MAX)
            .select(Row::as_select())
            .load(self.connection)?;
        rows.reverse();
        let people = self.people(content, rows.iter())?;
        let after = rows.iter().filter(|(revision, _)| imports.follows_reverted(revision.id));
        let reverted: Vec<RevisionId> =
            after.filter_map(|(revision, _)| revision.parents.first().copied()).collect();
        let edits = rows.into_iter().map(|row| people.of(row, imports));
        let is_edit = |edit: &UnexportedRevision| !edit.is_of_import && !reverted.contains(&edit.revision.id);
        let mut edits: Vec<UnexportedRevision> = edits.filter(is_edit).collect();
        Ok(edits.split_off(edits.len().saturating_sub(EARLIER_MAX)))
    }

    /// Returns the change requests whose merges created revisions, and their editors. Takes at most two statements.
    fn people<'r>(
        &mut self,
        content: &Authorized<ContentAt>,
        rows: impl Iterator<Item = &'r Row>,
    ) -> Result<People> {
        let merged: Vec<ChangeRequestId> = rows.filter_map(|(revision, _)| revision.merged_from).collect();
        let (requests, editors) = match merged.is_empty() {
            true => (Vec::new(), Vec::new()),
            false => self.merged_with_editors(content, &merged)?,
        };
        Ok(People { requests, editors })
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

/// Returns the revisions of the main content of a space with their authors.
#[dsl::auto_type(no_type_alias)]
fn of_main_content(space: SpaceId) -> _ {
    let of_space: dsl::Eq<revisions::space_id, SpaceId> = revisions::space_id.eq(space);
    revisions::table
        .left_join(users::table)
        .filter(of_space)
        .filter(revisions::change_request_id.is_null())
        .filter(dsl::not(revisions::standalone))
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
