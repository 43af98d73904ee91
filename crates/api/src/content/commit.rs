//! A content write inside its transaction: locked, compared, applied, committed.

use quire_domain::content::ContentChange;
use quire_domain::error::{FieldError, Reason};
use quire_domain::ids::{FileId, RevisionId};
use quire_domain::revisions::RevisionType;
use quire_revision::Tree;
use quire_storage::Tx;
use quire_storage::content::{Commit, LockedHead};
use quire_storage::lookup::{Authorized, ContentAt};

use super::attachments::Attachments;
use super::edits::{self, Applied, Context, Past, PastNeeds};
use crate::error::{ApiError, ApiResult};
use crate::preconditions::IfMatch;

/// What a request wants written.
#[derive(Debug)]
pub struct Write {
    /// The changes, in their order.
    pub changes: Vec<ContentChange>,
    /// The bytes of the files they add.
    pub attachments: Attachments,
    /// The revision that they are made for, if the caller cares.
    pub base: Option<RevisionId>,
    /// The revisions that the caller accepts, if it cares.
    pub if_match: IfMatch,
}

/// What came of it.
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
    /// 400 for changes that don't fit, 409 for locked content or another base, 412 for a failed precondition.
    pub fn commit(self, tx: &mut Tx<'_>, content: &Authorized<ContentAt>) -> ApiResult<Written> {
        let Self { changes, attachments, base, if_match } = self;
        let head = tx.lock_for_edit(content)?;
        if_match.check_revision(head.revision.id)?;
        check_base(base, head.revision.id)?;
        let past = load_past(tx, &head, &changes)?;
        let now = tx.now();
        let context = Context { now, ids: tx.storage().ids(), attachments: &attachments, past: &past };
        let applied = edits::apply(&head.tree, changes, &context)
            .map_err(|details| ApiError::new(Reason::InvalidContent).with_details(details))?;
        let Applied { tree, documents, files } = applied;
        if tree == head.tree {
            return Ok(Written { before: head.tree, tree, files });
        }
        tx.store_blobs(content, &attachments.blobs())?;
        let commit = Commit {
            kind: RevisionType::Edits,
            other_parent: None,
            merged_from: None,
            tree: &tree,
            documents: &documents,
        };
        tx.commit(&head, &commit)?;
        Ok(Written { before: head.tree, tree, files })
    }
}

fn check_base(base: Option<RevisionId>, head: RevisionId) -> ApiResult<()> {
    match base {
        Some(base) if base != head => {
            let detail =
                |field: &str, id: RevisionId| FieldError { field: field.to_owned(), message: id.to_string() };
            Err(ApiError::new(Reason::StaleRevision)
                .with_details(vec![detail("base", base), detail("revision", head)]))
        }
        _ => Ok(()),
    }
}

fn load_past(tx: &mut Tx<'_>, head: &LockedHead, changes: &[ContentChange]) -> ApiResult<Past> {
    let PastNeeds { base, revisions } = PastNeeds::of(changes);
    let mut past = Past::default();
    if base && let Some(revision) = tx.revision_to_revert_to(head)? {
        past.base = tx.tree_of_revision(head, revision)?;
    }
    for revision in revisions {
        if let Some(tree) = tx.tree_of_revision(head, revision)? {
            past.revisions.insert(revision, tree);
        }
    }
    let documents = PastNeeds::documents(changes, &head.tree, &past);
    past.documents = tx.documents_of_head(head, &documents)?;
    Ok(past)
}
