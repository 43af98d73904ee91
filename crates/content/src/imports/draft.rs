//! Import applied to content before the transaction that stores it.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use quire_domain::change_requests::SettableStatus;
use quire_domain::ids::{ChangeRequestId, PageId, RevisionId};
use quire_domain::policy::Action;
use quire_domain::revisions::RevisionType;
use quire_importer::apply::{Applied, Placement, PlacementError, Rewritten, SetAside};
use quire_importer::blocking::yield_to_requests;
use quire_importer::progress::Progress;
use quire_importer::refusal;
use quire_markup::Document;
use quire_revision::{BlobHash, DocumentId, Tree, TreeHash};
use quire_storage::content::change_requests::{ChangeRequestChanges, ChangeRequestKey};
use quire_storage::content::store::{
    Amending, AnalyzedDocument, Commit, ContentAt, ContentSelector, ImportedCommits, LockedHead,
};
use quire_storage::lookup::Authorized;
use quire_storage::{Error as StorageError, Reader, Storage, Tx};

use super::spooled::SpooledDocuments;
use crate::analyzer::new_document;
use crate::error::{Error, Result};

/// Import applied to the content as read.
pub(super) struct Draft {
    before: Tree,
    tree: Tree,
    edited: Option<Tree>,
    set_aside: Option<SetAside>,
    rewritten: Rewritten,
    documents: SpooledDocuments,
    blobs: Vec<(BlobHash, u64)>,
    pages: HashMap<PageId, PageId>,
}

/// Result of committing a draft.
pub(super) struct Drafted {
    /// Revision with the import.
    pub(super) revision: RevisionId,
    /// Change request with the changes of one side that conflict with those of the side whose version stays.
    pub(super) change_request: Option<ChangeRequestId>,
    /// Final ids of the planned pages.
    pub(super) pages: HashMap<PageId, PageId>,
}

impl Draft {
    /// Applies an import to content. Each document that it creates is a unit of progress.
    pub(super) fn new(
        storage: &Storage,
        placement: &Placement,
        before: Tree,
        progress: &Progress,
    ) -> Result<Self> {
        let now = storage.clock().now().millis();
        // Documents of the current content are stored already.
        let of_pages = before.pages().filter_map(|page| page.document);
        let known: HashSet<DocumentId> =
            of_pages.chain(before.reusable_contents().filter_map(|content| content.document)).collect();
        let (mut documents, mut kept) = (SpooledDocuments::default(), Ok(()));
        let mut make = |document: Document| {
            yield_to_requests();
            progress.advance(1);
            let new = new_document(&document);
            if kept.is_ok() && !known.contains(&new.id()) {
                kept = documents.keep(&new);
            }
            new.id()
        };
        let (applied, rewritten) = placement.draft(&before, now, &mut make).map_err(misplaced)?;
        kept?;
        let Applied { tree, edited, set_aside, blobs, pages, .. } = applied;
        Ok(Self { before, tree, edited, set_aside, rewritten, documents, blobs, pages })
    }

    /// Reads the batch of new documents that starts at this number. Empty after the last one.
    ///
    /// # Errors
    /// If the disk fails.
    pub(super) fn batch(&self, from: usize) -> Result<Vec<AnalyzedDocument>> {
        self.documents.batch(from)
    }

    /// Stores the tree ahead of the transaction.
    pub(super) fn store_tree(&self, reader: &mut Reader<'_>, content: &Authorized<ContentAt>) -> Result<()> {
        Ok(reader.store_ahead(content, &[], Some((&self.tree, &self.before)))?)
    }

    /// Stores the draft as a revision that no head points to.
    ///
    /// # Errors
    /// If the revision would show a specification that the actor may not read.
    pub(super) fn store_standalone(
        &self,
        tx: &mut Tx<'_>,
        content: &Authorized<ContentAt>,
        revision: RevisionId,
    ) -> Result<()> {
        tx.store_blobs(content, &self.blobs)?;
        Ok(tx.write_standalone(content, revision, &self.tree)?)
    }

    /// Makes the draft the head, with the commits that it was imported from. Replays it if the head moved since it was
    /// made.
    ///
    /// # Errors
    /// [`StorageError::Outdated`] if the draft no longer holds.
    pub(super) fn commit(
        &self,
        (placement, imported): (&Placement, Option<&ImportedCommits>),
        tx: &mut Tx<'_>,
        (content, head): (&Authorized<ContentAt>, &LockedHead),
    ) -> Result<Drafted> {
        let (mut tree, mut edited, mut aside) =
            (self.tree.clone(), self.edited.clone(), self.set_aside.clone());
        let (mut blobs, mut pages) = (Cow::Borrowed(&*self.blobs), Cow::Borrowed(&self.pages));
        let is_moved = self.before.root() != head.tree.root();
        if is_moved {
            let replayed = placement.replay(&head.tree, tx.now().millis(), &self.rewritten);
            let applied = replayed.map_err(misplaced)?.ok_or(StorageError::Outdated)?;
            (tree, edited, aside) = (applied.tree, applied.edited, applied.set_aside);
            (blobs, pages) = (Cow::Owned(applied.blobs), Cow::Owned(applied.pages));
        }
        let pages = pages.into_owned();
        if tree == head.tree {
            return Ok(Drafted { revision: head.revision.id, change_request: None, pages });
        }
        tx.store_blobs(content, &blobs)?;
        let (former, mut head, mut change_request) = (head.revision.id, head.clone(), None);
        if let Some(SetAside { base, changed }) = aside {
            // With the version of the content, this revision already has the other changes of the repository.
            let imported = imported.filter(|_| placement.keeps_edits());
            head.revision = tx.commit(&head, &Commit { imported, ..commit_of(&base, None) })?;
            head.tree = base;
            change_request = Some(set_aside(tx, content, placement.subject(), &commit_of(&changed, None))?);
        }
        let stored_ahead = (!is_moved).then(|| self.tree.root());
        let revision = tx.commit(&head, &Commit { imported, ..commit_of(&tree, stored_ahead) })?;
        let imported = revision.id;
        if let Some(edited) = &edited {
            (head.revision, head.tree) = (revision, tree.clone());
            tx.commit(&head, &Commit { other_parent: Some(former), ..commit_of(edited, None) })?;
        }
        Ok(Drafted { revision: imported, change_request, pages })
    }
}

/// Returns the commit of a tree. Its documents are stored ahead, and a replay needs no others.
fn commit_of(tree: &Tree, stored_ahead: Option<TreeHash>) -> Commit<'_> {
    Commit {
        kind: RevisionType::Edits,
        other_parent: None,
        merged_from: None,
        imported: None,
        tree,
        amending: Amending::Never,
        documents: &[],
        stored_ahead,
    }
}

/// Puts the changes of one side into a change request. It branches off from a revision without these changes, so its
/// merge combines the changes of both sides.
fn set_aside(
    tx: &mut Tx<'_>,
    content: &Authorized<ContentAt>,
    subject: &str,
    commit: &Commit<'_>,
) -> Result<ChangeRequestId> {
    let space = tx.space(content.space.id)?.authorize(Action::EditContent)?;
    let made = tx.create_change_request(&space, subject, None)?;
    let id = made.item.id;
    let opened =
        ChangeRequestChanges { status: Some(SettableStatus::Open), ..ChangeRequestChanges::default() };
    tx.update_change_request(made, opened)?;
    let selector = ContentSelector::ChangeRequest(ChangeRequestKey::Id(id));
    let copy = tx.content(space.id, selector)?.authorize(Action::EditContent)?;
    let head = tx.lock_for_edit(&copy)?;
    tx.commit(&head, commit)?;
    Ok(id)
}

/// Returns the error for a plan that cannot be placed.
pub(super) fn misplaced(error: PlacementError) -> Error {
    match refusal::of_placing(&error) {
        Some(refused) => refused.into(),
        None => Error::internal("the documents of an import can't be read back", error),
    }
}
