//! An import applied to content before the transaction that stores it.

use std::borrow::Cow;

use quire_domain::ids::RevisionId;
use quire_domain::revisions::RevisionType;
use quire_importer::apply::{Applied, Placement, PlacementError, Rewritten};
use quire_importer::blocking::yield_to_requests;
use quire_importer::refusal;
use quire_markup::Document;
use quire_revision::{BlobHash, Tree};
use quire_storage::content::{Amending, Commit, LockedHead, NewDocument};
use quire_storage::lookup::{Authorized, ContentAt};
use quire_storage::{Error as StorageError, Reader, Storage, Tx};

use super::spooled::SpooledDocuments;
use crate::analyzer::new_document;
use crate::error::{Error, Result};

/// An import applied to the content as read.
pub(super) struct Draft {
    before: Tree,
    tree: Tree,
    edited: Option<Tree>,
    rewritten: Rewritten,
    documents: SpooledDocuments,
    blobs: Vec<(BlobHash, u64)>,
}

impl Draft {
    /// Applies an import to content.
    pub(super) fn new(storage: &Storage, placement: &Placement, before: Tree) -> Result<Self> {
        let now = storage.clock().now().millis();
        let (mut documents, mut kept) = (SpooledDocuments::default(), Ok(()));
        let mut make = |document: Document| {
            yield_to_requests();
            let new = new_document(&document);
            if kept.is_ok() {
                kept = documents.keep(&new);
            }
            new.id()
        };
        let (applied, rewritten) = placement.draft(&before, now, &mut make).map_err(misplaced)?;
        kept?;
        let Applied { tree, edited, blobs, .. } = applied;
        Ok(Self { before, tree, edited, rewritten, documents, blobs })
    }

    /// Reads the new documents from this number on that are stored with one statement; empty after the last one.
    ///
    /// # Errors
    /// When the disk fails.
    pub(super) fn batch(&self, from: usize) -> Result<Vec<NewDocument>> {
        self.documents.batch(from)
    }

    /// Stores the tree ahead of the transaction.
    pub(super) fn store_tree(&self, reader: &mut Reader<'_>, content: &Authorized<ContentAt>) -> Result<()> {
        Ok(reader.store_ahead(content, &[], Some((&self.tree, &self.before)))?)
    }

    /// Makes the draft the head, replayed if the head moved after it was made.
    ///
    /// # Errors
    /// [`StorageError::Outdated`] when the draft no longer holds.
    pub(super) fn commit(
        &self,
        placement: &Placement,
        tx: &mut Tx<'_>,
        (content, head): (&Authorized<ContentAt>, &LockedHead),
    ) -> Result<RevisionId> {
        let (mut tree, mut edited) = (self.tree.clone(), self.edited.clone());
        let mut blobs = Cow::Borrowed(&*self.blobs);
        let is_moved = self.before.root() != head.tree.root();
        if is_moved {
            let replayed = placement.replay(&head.tree, tx.now().millis(), &self.rewritten);
            let applied = replayed.map_err(misplaced)?.ok_or(StorageError::Outdated)?;
            (tree, edited, blobs) = (applied.tree, applied.edited, Cow::Owned(applied.blobs));
        }
        if tree == head.tree {
            return Ok(head.revision.id);
        }
        tx.store_blobs(content, &blobs)?;
        let commit = |tree, is_stored: bool| Commit {
            kind: RevisionType::Edits,
            other_parent: None,
            merged_from: None,
            tree,
            amending: Amending::Never,
            // A replay has no documents that the draft doesn't have, and those are stored ahead.
            documents: &[],
            stored_ahead: is_stored.then(|| self.tree.root()),
        };
        let revision = tx.commit(head, &commit(&tree, !is_moved))?;
        let imported = revision.id;
        if let Some(edited) = &edited {
            let mut head = head.clone();
            (head.revision, head.tree) = (revision, tree.clone());
            tx.commit(&head, &commit(edited, false))?;
        }
        Ok(imported)
    }
}

/// The error of a plan that can't be placed.
pub(super) fn misplaced(error: PlacementError) -> Error {
    match refusal::of_placing(&error) {
        Some(refused) => refused.into(),
        None => Error::internal("the documents of an import can't be read back", error),
    }
}
