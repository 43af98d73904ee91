//! A content write inside its transaction: locked, compared, applied, committed.

use std::borrow::Cow;
use std::collections::HashMap;

use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::{DocumentId, FileId, RevisionId};
use quire_domain::revisions::RevisionType;
use quire_revision::Tree;
use quire_storage::content::{Commit, LockedHead, NewDocument};
use quire_storage::lookup::{Authorized, ContentAt};
use quire_storage::search::Sections;
use quire_storage::{Error as StorageError, Tx};

use super::attachments::Attachments;
use super::draft::Draft;
use super::edits::{self, Applied, Context, ReadChanges};
use super::specs::SpecFields;
use crate::error::Result;
use crate::expected::ExpectedRevisions;

/// A content write with parsed bodies. [`Wanted`](crate::Wanted) makes it outside of any transaction.
#[derive(Debug)]
pub struct Write {
    pub(super) changes: ReadChanges,
    pub(super) attachments: Attachments,
    pub(super) base: Option<RevisionId>,
    pub(super) expected: ExpectedRevisions,
    /// Fields that name specifications, for the error of a writer who may not read them.
    pub(super) spec_fields: SpecFields,
}

/// New content, its possibly new documents, and the added files.
struct Made<'d> {
    tree: Tree,
    documents: Cow<'d, [NewDocument]>,
    files: Vec<FileId>,
}

/// Outcome of a write.
#[derive(Debug)]
pub struct Written {
    /// The content as it was.
    pub before: Tree,
    /// The content as it is now, the same as before when the changes changed nothing.
    pub tree: Tree,
    /// The files that were added.
    pub files: Vec<FileId>,
}

impl Write {
    /// Makes the changes to the content as it is under the lock: one new revision, or none.
    ///
    /// # Errors
    /// 400 for changes that don't fit, 409 for locked content or another base, 412 for a failed precondition;
    /// [`StorageError::Outdated`] when the draft no longer holds.
    pub fn commit(&self, draft: &Draft, tx: &mut Tx<'_>, content: &Authorized<ContentAt>) -> Result<Written> {
        let head = tx.lock_for_edit(content)?;
        self.expected.check(head.revision.id)?;
        check_base(self.base, head.revision.id)?;
        let Made { tree, documents, files } = self.made(draft, tx, &head)?;
        if tree == head.tree {
            return Ok(Written { before: head.tree, tree, files });
        }
        tx.store_blobs(content, &self.attachments.blobs())?;
        let none = Sections::default();
        let commit = Commit {
            kind: RevisionType::Edits,
            other_parent: None,
            merged_from: None,
            tree: &tree,
            documents: &documents,
            sections: draft.sections.as_ref().unwrap_or(&none),
        };
        tx.commit(&head, &commit).map_err(|error| self.spec_fields.locate(error))?;
        Ok(Written { before: head.tree, tree, files })
    }

    /// Returns the draft, or replays it if the head moved after it was made.
    fn made<'d>(&self, draft: &'d Draft, tx: &Tx<'_>, head: &LockedHead) -> Result<Made<'d>> {
        let invalid = |details| Refusal::new(Reason::InvalidContent).with_details(details);
        if draft.is_of(head) {
            let (tree, files) = draft.result.clone().map_err(invalid)?;
            return Ok(Made { tree, documents: Cow::Borrowed(&draft.documents), files });
        }
        if !draft.has_history_of(head) {
            return Err(StorageError::Outdated.into());
        }
        let context = Context { now: tx.now(), attachments: &self.attachments, past: &draft.past };
        let replayed =
            edits::replay(&head.tree, &self.changes, &context, &draft.resolved).map_err(invalid)?;
        let Applied { tree, documents, files } = replayed.ok_or(StorageError::Outdated)?;
        let documents = Cow::Owned(documents_of(draft, &documents)?);
        Ok(Made { tree, documents, files })
    }
}

/// Returns documents of a draft by their ids.
fn documents_of(draft: &Draft, ids: &[DocumentId]) -> Result<Vec<NewDocument>> {
    let drafted: HashMap<DocumentId, &NewDocument> =
        draft.documents.iter().map(|document| (document.id(), document)).collect();
    let documents = ids.iter().map(|id| drafted.get(id).copied().cloned().ok_or(StorageError::Outdated));
    Ok(documents.collect::<std::result::Result<_, _>>()?)
}

fn check_base(base: Option<RevisionId>, head: RevisionId) -> Result<()> {
    match base {
        Some(base) if base != head => {
            let refusal = Refusal::new(Reason::StaleRevision).at("base", base.to_string());
            Err(refusal.at("revision", head.to_string()).into())
        }
        _ => Ok(()),
    }
}
