//! A content write inside its transaction: locked, compared, applied, committed.

use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::{FileId, RevisionId};
use quire_domain::revisions::RevisionType;
use quire_revision::Tree;
use quire_storage::Tx;
use quire_storage::content::{Commit, LockedHead, NewDocument};
use quire_storage::lookup::{Authorized, ContentAt};

use super::attachments::Attachments;
use super::draft::{Draft, load_past};
use super::edits::{self, Context, PastNeeds, ReadChanges};
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
    /// The result against the content read before the transaction; `None` when the changes are invalid there.
    pub(super) draft: Option<Draft>,
    /// Fields that name specifications, for the error of a writer who may not read them.
    pub(super) spec_fields: SpecFields,
}

/// New content, its possibly new documents, and the added files.
type Made = (Tree, Vec<NewDocument>, Vec<FileId>);

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
    /// 400 for changes that don't fit, 409 for locked content or another base, 412 for a failed precondition.
    pub fn commit(mut self, tx: &mut Tx<'_>, content: &Authorized<ContentAt>) -> Result<Written> {
        let head = tx.lock_for_edit(content)?;
        self.expected.check(head.revision.id)?;
        check_base(self.base, head.revision.id)?;
        let blobs = self.attachments.blobs();
        let spec_fields = std::mem::take(&mut self.spec_fields);
        let (tree, documents, files) = match self.draft.take_if(|draft| draft.fits(&head)) {
            Some(Draft { tree, documents, files, .. }) => (tree, documents, files),
            None => self.again(tx, &head)?,
        };
        if tree == head.tree {
            return Ok(Written { before: head.tree, tree, files });
        }
        tx.store_blobs(content, &blobs)?;
        let commit = Commit {
            kind: RevisionType::Edits,
            other_parent: None,
            merged_from: None,
            tree: &tree,
            documents: &documents,
        };
        tx.commit(&head, &commit).map_err(|error| spec_fields.locate(error))?;
        Ok(Written { before: head.tree, tree, files })
    }

    /// Applies the parsed changes to the locked head, which moved after the draft was made.
    fn again(self, tx: &mut Tx<'_>, head: &LockedHead) -> Result<Made> {
        let Self { changes, attachments, draft, .. } = self;
        let past = load_past(tx, head.point(), &head.tree, &PastNeeds::of(changes.changes()))?;
        let storage = tx.storage();
        let context = Context { now: tx.now(), ids: storage.ids(), attachments: &attachments, past: &past };
        let applied = edits::apply(&head.tree, &changes, &context)
            .map_err(|details| Refusal::new(Reason::InvalidContent).with_details(details))?;
        let drafted = draft.map(|draft| draft.documents).unwrap_or_default();
        let documents = storage.analyze_others(applied.documents, drafted);
        Ok((applied.tree, documents, applied.files))
    }
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
