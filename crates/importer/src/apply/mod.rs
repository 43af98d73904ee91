//! Adding of a plan to a tree. Pure, so that it can be repeated on a newer head.
//!
//! The documents of a plan refer to each other by ids that depend on the tree. A draft rewrites them. A replay on
//! another tree compares the references and reuses the documents whose references are unchanged.

mod reconcile;

use std::collections::{HashMap, HashSet};

use quire_domain::ids::{FileId, PageId, ReusableContentId};
use quire_markup::{ContentRef, Document, rewrite_refs, slugify};
use quire_revision::{
    BlobHash, Dimensions, DocumentId, FileNode, GitBlob, MAX_PAGE_DEPTH, PageKind, PageNode, PageType,
    Position, ReusableContentNode, Tree, TreeError,
};
use serde_json::{Value, json};

use self::reconcile::{Former, Settled};
pub use self::reconcile::{Repository, is_same_text};
use crate::page_layout;
use crate::plan::{self, ImportPlan, PlannedDocument, PlannedFile, PlannedPage, PlannedReusableContent};
use crate::report;
use crate::stable_ids::StableIds;

/// Reason why a plan cannot be added to a tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlacementError {
    /// The page is a group, a link or a computed page: it has no document to replace, and pages below the last two are
    /// invisible.
    #[error("page {0} is not a document")]
    NoDocument(PageId),
    /// The import's folders, or its table of contents, nest deeper than pages may.
    #[error("`{path}` would be nested deeper than {limit} levels")]
    TooDeep {
        /// The file of the page that is too deep, or the page's title.
        path: String,
        /// The maximum depth.
        limit: usize,
    },
    /// A document could not be read back from disk.
    #[error("a document cannot be read back from disk: {cause}")]
    Spool {
        /// The cause.
        cause: String,
    },
    /// The page does not exist, or cannot have these children.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

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
    /// Former content without the edits that the repository overwrites, if there are any. These edits are the
    /// difference between this tree and the former content.
    pub reverted: Option<Tree>,
    /// Documents of its pages and reusable contents.
    pub documents: Vec<DocumentId>,
    /// Hashes and sizes of its files.
    pub blobs: Vec<(BlobHash, u64)>,
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

    /// Returns the subject of the change request for the edits that a repository overwrites.
    #[must_use]
    pub fn subject(&self) -> &str {
        self.repository.as_ref().map_or("", |repository| repository.subject.as_str())
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
        let Import { tree, former, documents, used, blobs, .. } = import;
        let Settled { tree, edited, reverted } = match former {
            Some(former) => former.settle(tree)?,
            None => Settled { tree, edited: None, reverted: None },
        };
        Ok((Applied { tree, edited, reverted, documents: used, blobs }, documents))
    }
}

/// Documents of a plan with final references, by the pages and reusable contents of the plan.
#[derive(Debug, Default)]
pub struct Rewritten(HashMap<Owner, RewrittenDocument>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Owner {
    Page(PageId),
    ReusableContent(ReusableContentId),
}

#[derive(Debug)]
struct RewrittenDocument {
    id: DocumentId,
    /// References to the plan in the document, each with its final form.
    references: Vec<(ContentRef, ContentRef)>,
}

impl Rewritten {
    /// Returns the id of a document, if its references still have the same targets.
    fn find(&self, owner: Owner, stable_ids: &StableIds) -> Option<DocumentId> {
        let found = self.0.get(&owner)?;
        let mut references = found.references.iter();
        references
            .all(|(planned, last)| stable_ids.renamed(planned).as_ref() == Some(last))
            .then_some(found.id)
    }
}

/// The documents of an import that is being applied.
enum Documents<'r> {
    /// A draft, which makes the documents.
    Drafted { rewritten: Rewritten, make: &'r mut dyn FnMut(Document) -> DocumentId },
    /// A replay, which reuses them.
    Replayed { rewritten: &'r Rewritten, outdated: bool },
}

struct Import<'r, 'f> {
    tree: Tree,
    /// The content that is replaced; `None` if the plan is added to it.
    former: Option<Former<'f>>,
    documents: Documents<'r>,
    used: Vec<DocumentId>,
    blobs: Vec<(BlobHash, u64)>,
    stable_ids: StableIds,
    rows: Rows,
    now: i64,
}

/// Positions of planned pages. Those of siblings are generated together, since consecutive single keys grow in length.
struct Rows {
    /// The number of children of each planned page, and at the top of the plan.
    lengths: HashMap<Option<PageId>, usize>,
    /// Their unused positions.
    free: HashMap<Option<PageId>, std::vec::IntoIter<Position>>,
}

impl Rows {
    /// Counts the pages below the replaced page as pages at the top of the plan: both become its children.
    fn of(pages: &[PlannedPage], replaced: Option<PageId>) -> Self {
        let mut rows = Self { lengths: HashMap::new(), free: HashMap::new() };
        for page in pages.iter().filter(|page| Some(page.id) != replaced) {
            *rows.lengths.entry(page.parent.filter(|parent| Some(*parent) != replaced)).or_default() += 1;
        }
        rows
    }

    /// Returns the next position after the children of `parent`; `planned` is the id of the parent in the plan.
    fn next(&mut self, tree: &Tree, parent: Option<PageId>, planned: Option<PageId>) -> Option<Position> {
        let positions = self.free.entry(parent).or_insert_with(|| {
            // A parent that is not in the plan is the destination, which holds the top of the plan.
            let length = self.lengths.get(&planned).or_else(|| self.lengths.get(&None));
            let last = tree.children(parent).next_back().map(|page| &page.position);
            Position::n_between(last, None, length.copied().unwrap_or_default())
                .unwrap_or_default()
                .into_iter()
        });
        positions.next()
    }
}

/// Returns the error for the first of these pages, or a page below it, that is too deep. It names a file, because
/// titles of folder pages may not occur in the source.
fn too_deep(pages: &[PlannedPage]) -> PlacementError {
    let file = pages.iter().find_map(|page| page.source_path.as_deref());
    let title = pages.first().map(|page| page.title.as_str());
    let path = report::shown(file.or(title).unwrap_or_default(), report::PATH_MAX).into_owned();
    PlacementError::TooDeep { path, limit: MAX_PAGE_DEPTH }
}

impl Import<'_, '_> {
    /// Adds pages first: a page's id depends on its position, and its document on the ids of linked pages.
    fn place_pages(
        &mut self,
        pages: &[PlannedPage],
        into: Option<PageId>,
        replaced: Option<PageId>,
    ) -> Result<(), PlacementError> {
        for (at, page) in pages.iter().enumerate().filter(|(_, page)| Some(page.id) != replaced) {
            self.place_page(page, into).map_err(|error| match error {
                TreeError::TooDeep(_) => too_deep(pages.get(at..).unwrap_or_default()),
                error => error.into(),
            })?;
        }
        Ok(())
    }

    /// Inserts the files and the reusable contents that the plan of some changed pages does not have.
    fn insert_kept(&mut self) -> Result<(), TreeError> {
        let Some((files, contents)) = self.former.as_ref().map(Former::kept) else { return Ok(()) };
        let there = self.tree.files().filter_map(|file| Some(file.git.as_ref()?.path.clone()));
        let there: HashSet<String> = there.collect();
        let is_there = |file: &FileNode| file.git.as_ref().is_some_and(|git| there.contains(&git.path));
        for file in files.into_iter().filter(|file| !is_there(file)) {
            if self.tree.file(file.id).is_none() {
                self.blobs.push((file.blob, file.size));
                self.tree.insert_file(file.clone())?;
            }
        }
        for content in contents {
            if self.tree.reusable_content(content.id).is_none() {
                self.used.extend(content.document);
                self.tree.insert_reusable_content(content.clone())?;
            }
        }
        Ok(())
    }

    fn insert_reusable_content(&mut self, content: &PlannedReusableContent) -> Result<(), PlacementError> {
        let document = self.store(Owner::ReusableContent(content.id), &content.document)?;
        let git = self.git(&content.source_path);
        let inserted = self.tree.insert_reusable_content(ReusableContentNode {
            id: self.stable_ids.reusable_content(content.id),
            title: content.title.clone(),
            document,
            created_at: Some(self.now),
            updated_at: Some(self.now),
            git,
        });
        Ok(inserted?)
    }

    /// Replaces the document of an existing page by a planned one.
    fn replace_document(&mut self, planned: &PlannedPage) -> Result<(), PlacementError> {
        let mut page = self.page(planned.id)?;
        page.document = self.store_page(planned)?;
        page.updated_at = Some(self.now);
        Ok(self.tree.update_page(page)?)
    }

    fn store_page(&mut self, page: &PlannedPage) -> Result<Option<DocumentId>, PlacementError> {
        match &page.document {
            Some(document) => self.store(Owner::Page(page.id), document),
            None => Ok(None),
        }
    }

    /// Inserts an empty page at its position in the tree.
    fn place_page(&mut self, page: &PlannedPage, into: Option<PageId>) -> Result<(), TreeError> {
        let parent = page.parent.map(|parent| self.stable_ids.page(parent)).or(into);
        if let Some(kept) = self.kept_page(page) {
            self.stable_ids.is_page(page.id, kept.id);
            let position = self.next_position(page, parent);
            let slug = self.tree.free_slug(parent, &kept.slug);
            return self.tree.insert_page(PageNode { parent, position, slug, ..kept });
        }
        let (kind, slug) = match &page.kind {
            plan::PageKind::Document => (PageKind::Document, self.slug(page, parent)),
            plan::PageKind::Group => (PageKind::Group, self.slug(page, parent)),
            // The target is set once every page is in the tree.
            plan::PageKind::Link { .. } => (PageKind::Link { target: Value::Null }, String::new()),
            plan::PageKind::Computed { source, seed } => {
                let seed = seed.clone().unwrap_or_default();
                (PageKind::Computed { source: source.clone(), seed }, String::new())
            }
        };
        let name = match &page.kind {
            plan::PageKind::Computed { .. } => format!("computed\0{}", page.title),
            _ if slug.is_empty() => format!("link\0{}", page.title),
            _ => slug.clone(),
        };
        let id = self.identify(page.id, parent, (&slug, &name), kind.page_type());
        let kind = match kind {
            // As for a new placeholder without a seed.
            PageKind::Computed { source, seed } if seed.is_empty() => {
                PageKind::Computed { source, seed: id.to_string() }
            }
            kind => kind,
        };
        let position = self.next_position(page, parent);
        self.tree.insert_page(PageNode::new(id, parent, position, kind, page.title.clone(), slug))
    }

    fn next_position(&mut self, page: &PlannedPage, parent: Option<PageId>) -> Position {
        let position = self.rows.next(&self.tree, parent, page.parent);
        position.unwrap_or_else(|| self.tree.position_at(parent, None, None))
    }

    /// Returns the page that stays as it was when it was last synchronized, because its text did not change.
    fn kept_page(&self, page: &PlannedPage) -> Option<PageNode> {
        self.former.as_ref()?.kept_page(page.source_path.as_deref()?).cloned()
    }

    /// Returns the final id of a page: of one that is there, or a new one that follows from its position.
    fn identify(
        &mut self,
        planned: PageId,
        parent: Option<PageId>,
        (slug, name): (&str, &str),
        kind: PageType,
    ) -> PageId {
        let Self { tree, former, stable_ids, .. } = self;
        let there = former.as_ref().and_then(|former| former.page(planned, parent, slug, kind));
        if let Some(there) = there.filter(|there| tree.page(*there).is_none()) {
            stable_ids.is_page(planned, there);
            return there;
        }
        let is_taken = |id| {
            tree.page(id).is_some() || former.as_ref().is_some_and(|former| former.is_other_page(id, kind))
        };
        stable_ids.name_page(is_taken, planned, parent, name)
    }

    /// Returns the location of a source file in its repository.
    fn git(&self, path: &str) -> Option<GitBlob> {
        self.former.as_ref().and_then(|former| former.git(path))
    }

    fn slug(&self, page: &PlannedPage, parent: Option<PageId>) -> String {
        let wanted = page.slug.clone().unwrap_or_else(|| slugify(&page.title));
        self.tree.free_slug(parent, &wanted)
    }

    /// Sets everything that the plan says about an already placed page.
    fn fill_page(&mut self, page: &PlannedPage) -> Result<(), PlacementError> {
        let placed = self.page(page.id)?;
        if self.kept_page(page).is_some() {
            self.used.extend(placed.document);
            return Ok(());
        }
        let kind = match &page.kind {
            plan::PageKind::Link { target } => {
                PageKind::Link { target: serde_json::to_value(self.renamed(target)).unwrap_or_default() }
            }
            _ => placed.kind.clone(),
        };
        let cover = page.cover.as_ref();
        let cover = cover.map(|cover| json!({"ref": self.renamed(&cover.image), "yPos": cover.y_pos}));
        let document = self.store_page(page)?;
        let git = page.source_path.as_deref().and_then(|path| self.git(path));
        let updated = self.tree.update_page(PageNode {
            kind,
            emoji: page.emoji.clone(),
            icon: page.icon.clone(),
            description: page.description.clone(),
            link_title: page.link_title.clone(),
            hidden: page.hidden,
            no_index: page.no_index,
            no_robots_index: page.no_robots_index,
            cover: cover.map(Box::new),
            layout: page
                .layout
                .as_ref()
                .and_then(|layout| serde_json::to_value(page_layout::from_front_matter(layout)).ok())
                .map(Box::new),
            document,
            created_at: Some(self.now),
            updated_at: Some(self.now),
            git: git.map(Box::new),
            ..placed
        });
        Ok(updated?)
    }

    /// Returns the page of the tree for a planned page.
    fn page(&self, planned: PageId) -> Result<PageNode, TreeError> {
        let id = self.stable_ids.page(planned);
        self.tree.page(id).cloned().ok_or(TreeError::UnknownPage(id))
    }

    fn insert_file(&mut self, file: &PlannedFile, blob: BlobHash) -> Result<(), TreeError> {
        let git = self.former.as_ref().and_then(|former| former.git_of_file(&file.source_path));
        let unchanged =
            self.former.as_ref().and_then(|former| former.unchanged_file(file.id, &file.source_path));
        if let Some(unchanged) = unchanged {
            let kept = FileNode { git, ..unchanged.clone() };
            self.blobs.push((kept.blob, kept.size));
            return self.tree.insert_file(kept);
        }
        let size = u64::try_from(file.content.len()).unwrap_or(u64::MAX);
        self.blobs.push((blob, size));
        self.tree.insert_file(FileNode {
            id: self.stable_ids.file(file.id),
            name: file.name.clone(),
            content_type: file.content_type.clone(),
            size,
            dimensions: file.dimensions.and_then(|dimensions| {
                Some(Dimensions {
                    width: u32::try_from(dimensions.width).ok()?,
                    height: u32::try_from(dimensions.height).ok()?,
                })
            }),
            blob,
            created_at: Some(self.now),
            git,
        })
    }

    /// Keeps a document for the commit. Returns `None` only in an outdated replay.
    fn store(
        &mut self,
        owner: Owner,
        planned: &PlannedDocument,
    ) -> Result<Option<DocumentId>, PlacementError> {
        let id = match &mut self.documents {
            Documents::Drafted { rewritten, make } => {
                let document = planned.read();
                let document = document.map_err(|error| PlacementError::Spool { cause: error.to_string() });
                let (mut document, mut references) = (document?, Vec::new());
                rewrite_refs(&mut document, &mut |planned| {
                    let last = self.stable_ids.renamed(planned);
                    references.extend(last.clone().map(|last| (planned.clone(), last)));
                    last
                });
                let id = make(document);
                rewritten.0.insert(owner, RewrittenDocument { id, references });
                Some(id)
            }
            Documents::Replayed { rewritten, outdated } => {
                let found = rewritten.find(owner, &self.stable_ids);
                *outdated |= found.is_none();
                found
            }
        };
        self.used.extend(id);
        Ok(id)
    }

    fn renamed(&self, reference: &ContentRef) -> ContentRef {
        self.stable_ids.renamed(reference).unwrap_or_else(|| reference.clone())
    }
}

#[cfg(test)]
mod tests;
