//! Adding of a plan to a tree. Pure, so that it can be repeated on a newer head.
//!
//! The documents of a plan refer to each other by ids that depend on the tree. A draft rewrites them. A replay on
//! another tree compares the references and reuses the documents whose references are unchanged.

mod documents;
mod error;
mod import;
mod reconcile;
mod rows;

use std::collections::HashMap;

use quire_domain::ids::{FileId, PageId};
use quire_markup::Document;
use quire_revision::{BlobHash, DocumentId, PageKind, PageNode, Tree, TreeError};

use self::documents::Documents;
pub use self::documents::Rewritten;
pub use self::error::PlacementError;
use self::import::Import;
use self::reconcile::{Former, Settled};
pub use self::reconcile::{Repository, SetAside, is_same_text};
use self::rows::Rows;
use crate::plan::ImportPlan;
use crate::stable_ids::StableIds;

/// Checks that a page can be the destination of an import.
///
/// # Errors
/// [`PlacementError::NoDocument`] if the page has no document.
pub fn check_destination(page: &PageNode) -> Result<(), PlacementError> {
    match page.kind {
        PageKind::Document => Ok(()),
        _ => Err(PlacementError::NoDocument(page.id)),
    }
}

/// A tree with an import applied.
#[derive(Debug)]
pub struct Applied {
    /// Resulting tree.
    pub tree: Tree,
    /// Tree of a repository merged with the edits in the content since the last synchronization, if there are any. It
    /// becomes a revision of its own, so that the revision before it equals the repository.
    pub edited: Option<Tree>,
    /// Changes of one side that conflict with those of the side whose version stays, if there are any.
    pub set_aside: Option<SetAside>,
    /// Documents of its pages and reusable contents.
    pub documents: Vec<DocumentId>,
    /// Hashes and sizes of its files.
    pub blobs: Vec<(BlobHash, u64)>,
    /// Final ids of the planned pages.
    pub pages: HashMap<PageId, PageId>,
}

/// A plan with its destination and file hashes.
#[derive(Debug)]
pub struct Placement {
    plan: ImportPlan,
    hashes: HashMap<FileId, BlobHash>,
    into: Option<PageId>,
    repository: Option<Repository>,
}

impl Placement {
    /// Returns a placement below the root, or into a page: the plan's first document then replaces the page's own, and
    /// the others are added below it. `hashes` are the hashes of the stored files.
    #[must_use]
    pub fn new(plan: ImportPlan, hashes: HashMap<FileId, BlobHash>, into: Option<PageId>) -> Self {
        let plan = if into.is_some() { plan.without_groups() } else { plan };
        Self { plan, hashes, into, repository: None }
    }

    /// Returns a placement that replaces the content with the plan of a repository. Pages are matched by their paths in
    /// the repository or in the tree. `hashes` includes existing files with unchanged bytes.
    #[must_use]
    pub fn replacing(plan: ImportPlan, hashes: HashMap<FileId, BlobHash>, repository: Repository) -> Self {
        Self { plan, hashes, into: None, repository: Some(repository) }
    }

    /// Returns the subject of the change request for the changes that are set aside.
    #[must_use]
    pub fn subject(&self) -> &str {
        self.repository.as_ref().map_or("", |repository| repository.subject.as_str())
    }

    /// Returns whether the version of the content stays where its changes conflict with those of a repository.
    #[must_use]
    pub fn keeps_edits(&self) -> bool {
        self.repository.as_ref().is_some_and(|repository| repository.keeps_edits)
    }

    /// Adds the plan to a tree. `now` is in milliseconds since the Unix epoch. `make` receives each document as soon as
    /// its references are final, so that only one is in memory at a time, and returns its id. Also returns the data to
    /// [replay](Self::replay) this on another tree.
    ///
    /// # Errors
    /// [`PlacementError`] if the page does not exist, is not a document or cannot have these children.
    pub fn draft(
        &self,
        tree: &Tree,
        now: i64,
        make: &mut dyn FnMut(Document) -> DocumentId,
    ) -> Result<(Applied, Rewritten), PlacementError> {
        let documents = Documents::Drafted { rewritten: Rewritten::default(), make };
        let (applied, documents) = self.run(tree, now, documents)?;
        let rewritten = match documents {
            Documents::Drafted { rewritten, .. } => rewritten,
            Documents::Replayed { .. } => Rewritten::default(),
        };
        Ok((applied, rewritten))
    }

    /// Adds the plan to a tree other than that of its draft, without reading documents. Returns `None` if a document
    /// would differ.
    ///
    /// # Errors
    /// As [`Placement::draft`].
    pub fn replay(
        &self,
        tree: &Tree,
        now: i64,
        rewritten: &Rewritten,
    ) -> Result<Option<Applied>, PlacementError> {
        let documents = Documents::Replayed { rewritten, outdated: false };
        let (applied, documents) = self.run(tree, now, documents)?;
        let is_outdated = matches!(documents, Documents::Replayed { outdated: true, .. });
        Ok((!is_outdated).then_some(applied))
    }

    fn run<'r>(
        &self,
        tree: &Tree,
        now: i64,
        documents: Documents<'r>,
    ) -> Result<(Applied, Documents<'r>), PlacementError> {
        let Self { plan, hashes, into, repository } = self;
        let ImportPlan { pages, files, reusable_contents, .. } = plan;
        if let Some(into) = *into {
            check_destination(tree.page(into).ok_or(TreeError::UnknownPage(into))?)?;
        }
        let former = repository.as_ref().map(|repository| Former::of(tree, plan, repository));
        let stable_ids = match &former {
            None => StableIds::of(tree, files, hashes, reusable_contents),
            Some(former) => {
                StableIds::matching(former.files(), former.contents(), (files, hashes, reusable_contents))
            }
        };
        let replaced =
            into.and_then(|_| pages.iter().find(|page| page.parent.is_none() && page.document.is_some()));
        let replaced = replaced.map(|page| page.id);
        let mut import = Import {
            tree: if former.is_some() { Tree::empty() } else { tree.clone() },
            former,
            documents,
            used: Vec::new(),
            blobs: Vec::new(),
            stable_ids,
            rows: Rows::of(pages, replaced),
            now,
        };
        if let (Some(into), Some(replaced)) = (*into, replaced) {
            import.stable_ids.is_page(replaced, into);
        }
        import.place_pages(pages, *into, replaced)?;
        // Only files with stored bytes are part of the tree.
        for (file, blob) in files.iter().filter_map(|file| Some((file, hashes.get(&file.id)?))) {
            import.insert_file(file, *blob)?;
        }
        for content in reusable_contents {
            import.insert_reusable_content(content)?;
        }
        import.insert_kept()?;
        for page in pages {
            if Some(page.id) == replaced {
                import.replace_document(page)?;
            } else {
                import.fill_page(page)?;
            }
        }
        let Import { tree, former, documents, used, blobs, stable_ids, .. } = import;
        let pages = stable_ids.into_pages();
        let Settled { tree, edited, set_aside } = match former {
            Some(former) => former.settle(tree)?,
            None => Settled { tree, edited: None, set_aside: None },
        };
        Ok((Applied { tree, edited, set_aside, documents: used, blobs, pages }, documents))
    }
}

#[cfg(test)]
mod tests;
