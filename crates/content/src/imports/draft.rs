//! An import applied to content before the transaction that stores it.

use std::borrow::Cow;
use std::collections::HashSet;

use quire_domain::ids::{DocumentId, RevisionId};
use quire_domain::revisions::RevisionType;
use quire_importer::apply::{Applied, Placement, Rewritten};
use quire_importer::refusal;
use quire_markup::Document;
use quire_revision::{BlobHash, Tree};
use quire_storage::content::{Commit, LockedHead, NewDocument};
use quire_storage::lookup::{Authorized, ContentAt};
use quire_storage::{Error as StorageError, Reader, Storage, Tx};

use crate::analyzer::new_document;
use crate::error::Result;

/// An import applied to the content as read.
pub(super) struct Draft {
    before: Tree,
    tree: Tree,
    rewritten: Rewritten,
    documents: Vec<NewDocument>,
    blobs: Vec<(BlobHash, u64)>,
}

impl Draft {
    /// Applies an import to content.
    pub(super) fn new(storage: &Storage, placement: &Placement, before: Tree) -> Result<Self> {
        let now = storage.clock().now().millis();
        let mut documents = Vec::new();
        let mut make = |document: Document| {
            let new = new_document(&document);
            let id = new.id();
            documents.push(new);
            id
        };
        let (applied, rewritten) =
            placement.draft(&before, now, &mut make).map_err(|error| refusal::of_placing(&error))?;
        storage.remember(&documents);
        let Applied { tree, blobs, .. } = applied;
        Ok(Self { before, tree, rewritten, documents, blobs })
    }

    /// Stores the documents and the tree ahead of the transaction.
    ///
    /// # Errors
    /// When the statement fails.
    pub(super) fn store_ahead(&self, reader: &mut Reader<'_>, content: &Authorized<ContentAt>) -> Result<()> {
        Ok(reader.store_ahead(content, &self.documents, Some((&self.tree, &self.before)))?)
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
        let Self { before, tree, rewritten, documents, blobs } = self;
        let (mut tree, mut documents, mut blobs) =
            (tree.clone(), Cow::Borrowed(&**documents), Cow::Borrowed(&**blobs));
        if before.root() != head.tree.root() {
            let replayed = placement.replay(&head.tree, tx.now().millis(), rewritten);
            let replayed = replayed.map_err(|error| refusal::of_placing(&error))?;
            let applied = replayed.ok_or(StorageError::Outdated)?;
            let used: HashSet<DocumentId> = applied.documents.into_iter().collect();
            let used = documents.iter().filter(|document| used.contains(&document.id()));
            (tree, documents, blobs) = (applied.tree, used.cloned().collect(), Cow::Owned(applied.blobs));
        }
        tx.store_blobs(content, &blobs)?;
        let commit = Commit {
            kind: RevisionType::Edits,
            other_parent: None,
            merged_from: None,
            tree: &tree,
            documents: &documents,
            stored_ahead: Some(self.tree.root()),
        };
        Ok(tx.commit(head, &commit)?.id)
    }
}
