//! Content writes: applied to the head that was read, and committed under its lock.

use std::collections::HashMap;
use std::sync::Arc;

use quire_domain::clock::Timestamp;
use quire_domain::error::{FieldError, Reason, Refusal};
use quire_domain::ids::{DocumentId, FileId, RevisionId};
use quire_domain::revisions::RevisionType;
use quire_revision::{Tree, TreeHash};
use quire_storage::content::store::{Amending, AnalyzedDocument, Commit, ContentAt, LockedHead};
use quire_storage::group_commit::{GroupKey, GroupKind, GroupWrite};
use quire_storage::lookup::Authorized;
use quire_storage::{Error as StorageError, HeadKey, Reader, Tx};

use super::attachments::Attachments;
use super::draft::Draft;
use super::edits::{self, Applied, Context, ReadChanges};
use super::specs::SpecFields;
use crate::door::Door;
use crate::error::{Error, Result};
use crate::expected::{ExpectedRevisions, stale_revision};
use crate::write_merge::WriteMerge;

/// Content write with parsed bodies. [`ContentWrite`](crate::ContentWrite) creates it outside of any transaction.
#[derive(Debug)]
pub struct Write {
    pub(super) changes: ReadChanges,
    pub(super) attachments: Attachments,
    /// Revision that must be the head. `None` without a condition, and for changes that are merged.
    pub(super) base: Option<RevisionId>,
    pub(super) expected: ExpectedRevisions,
    /// True if the revision may replace the previous one of the change request.
    pub(super) amend: bool,
    /// Fields that may name specifications, for the error of a writer who may not read them.
    pub(super) spec_fields: SpecFields,
}

/// New content, documents that may be new, and the added files.
#[derive(Debug)]
struct Made {
    tree: Tree,
    documents: Arc<[AnalyzedDocument]>,
    files: Vec<FileId>,
    merge: Option<Arc<WriteMerge>>,
}

/// Write applied to the head right before the transaction. Everything that it refers to is stored.
#[derive(Debug)]
pub(super) struct Prepared {
    content: Authorized<ContentAt>,
    made: Made,
}

/// Outcome of a write.
#[derive(Debug)]
pub struct Written {
    /// Content at the resulting revision.
    pub content: Authorized<ContentAt>,
    /// Tree before the write.
    pub before: Tree,
    /// Tree after the write. Equal to `before` if the changes had no effect.
    pub tree: Tree,
    /// Added files.
    pub files: Vec<FileId>,
    /// Merge with changes by others since the base of the write, if there were any.
    pub merge: Option<Arc<WriteMerge>>,
    /// `true` if the revision replaced the previous one.
    pub amended: bool,
}

impl Write {
    /// Applies the changes to the current head, and stores the nodes of the resulting tree.
    ///
    /// # Errors
    /// As [`Write::commit`].
    pub(super) fn prepare(
        &self,
        draft: &Draft,
        reader: &mut Reader<'_>,
        content: Authorized<ContentAt>,
    ) -> Result<Prepared> {
        content.require_editable()?;
        self.check(content.revision.id)?;
        let before = reader.tree(&content)?;
        let made = self.made(draft, reader.now(), (content.revision.id, &before))?;
        if !self.amends(&content) {
            reader.store_ahead(&content, &[], Some((&made.tree, &before)))?;
        }
        Ok(Prepared { content, made })
    }

    /// Commits a prepared write as one new revision, or none if nothing changed. If another process moved the head
    /// meanwhile, the changes are applied to the new head.
    ///
    /// # Errors
    /// As [`Write::commit`].
    pub(super) fn commit_prepared(
        &self,
        draft: &Draft,
        tx: &mut Tx<'_>,
        Prepared { content, made }: Prepared,
    ) -> Result<Written> {
        let head = tx.lock_for_edit(&content)?;
        if head.revision.id == content.revision.id {
            let stored = (!self.amends(&content)).then(|| made.tree.root());
            return self.store(tx, &content, head, made, stored);
        }
        self.check(head.revision.id)?;
        let made = self.made(draft, tx.now(), (head.revision.id, &head.tree))?;
        // Nothing counts as stored ahead: nodes that only the former head needs may be removed at any time.
        self.store(tx, &content, head, made, None)
    }

    /// Returns whether the write amends. An amending write stores no nodes ahead.
    pub(super) fn amends(&self, content: &ContentAt) -> bool {
        self.amend && content.change_request.is_some()
    }

    /// Commits the changes in one transaction with other edits that wait for the same head: one new revision, or none
    /// if nothing changed.
    ///
    /// # Errors
    /// The errors of [`Write::commit`] and of `end`.
    pub(super) async fn commit_grouped<T: Send + 'static>(
        self: Arc<Self>,
        door: &impl Door,
        head: HeadKey,
        draft: &Arc<Draft>,
        end: impl Fn(&mut Tx<'_>, Written) -> Result<T> + Copy + Send + 'static,
    ) -> Result<T> {
        let lost = || Error::internal("a draft has no lookup", anyhow::anyhow!("{head:?}"));
        let (content, known) = draft.content.clone().zip(draft.known).ok_or_else(lost)?;
        let (documents, draft) = (Arc::clone(&draft.documents), Arc::clone(draft));
        let work = move |tx: &mut Tx<'_>| {
            let written = self.edit(&draft, tx, &content)?;
            end(tx, written)
        };
        let key = GroupKey { kind: GroupKind::Edits, head };
        door.commit_in_group(key, GroupWrite { known, documents, work }).await
    }

    /// Applies the changes on top of earlier edits in the same transaction.
    fn edit(&self, draft: &Draft, tx: &mut Tx<'_>, content: &Authorized<ContentAt>) -> Result<Written> {
        let head = tx.head_for_edit(content)?;
        self.check(head.revision.id)?;
        let Made { tree, documents: _, files, merge } =
            self.made(draft, tx.now(), (head.revision.id, &head.tree))?;
        if tree == head.tree {
            let content = content.moved_to(head.revision);
            return Ok(Written { content, before: head.tree, tree, files, merge, amended: false });
        }
        tx.store_blobs(content, &self.attachments.blobs())?;
        let revision = tx.commit_edit(&head, &tree).map_err(|error| self.spec_fields.locate(error))?;
        Ok(Written {
            content: content.moved_to(revision),
            before: head.tree,
            tree,
            files,
            merge,
            amended: false,
        })
    }

    /// Commits the changes within a larger transaction: one new revision, or none if nothing changed.
    ///
    /// # Errors
    /// 400 for invalid changes, 409 for locked content or another base, 412 for a failed precondition.
    /// [`StorageError::Outdated`] if the draft no longer holds.
    pub fn commit(&self, draft: &Draft, tx: &mut Tx<'_>, content: &Authorized<ContentAt>) -> Result<Written> {
        let head = tx.lock_for_edit(content)?;
        self.check(head.revision.id)?;
        let made = self.made(draft, tx.now(), (head.revision.id, &head.tree))?;
        self.store(tx, content, head, made, None)
    }

    fn store(
        &self,
        tx: &mut Tx<'_>,
        content: &Authorized<ContentAt>,
        head: LockedHead,
        Made { tree, documents, files, merge }: Made,
        stored_ahead: Option<TreeHash>,
    ) -> Result<Written> {
        if tree == head.tree {
            let content = content.moved_to(head.revision);
            return Ok(Written { content, before: head.tree, tree, files, merge, amended: false });
        }
        tx.store_blobs(content, &self.attachments.blobs())?;
        let amending = if self.amend { tx.amending(&head)? } else { Amending::Never };
        let commit = Commit {
            kind: RevisionType::Edits,
            other_parent: None,
            merged_from: None,
            imported: None,
            tree: &tree,
            amending,
            documents: &documents,
            stored_ahead,
        };
        let revision = tx.commit(&head, &commit).map_err(|error| self.spec_fields.locate(error))?;
        let (content, amended) = (content.moved_to(revision), amending == Amending::Replaces);
        Ok(Written { content, before: head.tree, tree, files, merge, amended })
    }

    /// Checks the conditions of the write against a head.
    fn check(&self, head: RevisionId) -> Result<()> {
        self.expected.check(head)?;
        match self.base {
            Some(base) if base != head => Err(stale_revision(base, head).into()),
            _ => Ok(()),
        }
    }

    /// Returns the result of the draft. Replays the draft if it was made against another head.
    fn made(&self, draft: &Draft, now: Timestamp, (revision, tree): (RevisionId, &Tree)) -> Result<Made> {
        if draft.is_of((revision, tree)) {
            let (tree, files) = draft.result.clone()?;
            let (documents, merge) = (Arc::clone(&draft.documents), draft.merge.clone());
            return Ok(Made { tree, documents, files, merge });
        }
        if !draft.has_history_of(revision) {
            return Err(StorageError::Outdated.into());
        }
        let context = Context { now, attachments: &self.attachments, past: &draft.past };
        let replayed =
            edits::replay(tree, &self.changes, &context, &draft.resolved).map_err(invalid_content)?;
        let Applied { tree, documents, files } = replayed.ok_or(StorageError::Outdated)?;
        Ok(Made { tree, documents: documents_of(draft, &documents)?.into(), files, merge: None })
    }
}

/// Returns the refusal of invalid changes.
pub(super) fn invalid_content(errors: Vec<FieldError>) -> Refusal {
    Refusal::new(Reason::InvalidContent).with_details(errors)
}

/// Returns documents of a draft by id.
fn documents_of(draft: &Draft, ids: &[DocumentId]) -> Result<Vec<AnalyzedDocument>> {
    let drafted: HashMap<DocumentId, &AnalyzedDocument> =
        draft.documents.iter().map(|document| (document.id(), document)).collect();
    let documents = ids.iter().map(|id| drafted.get(id).copied().cloned().ok_or(StorageError::Outdated));
    Ok(documents.collect::<std::result::Result<_, _>>()?)
}
