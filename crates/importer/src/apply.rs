//! A plan put into a tree: pure, so that it can be done again on a newer head.

use std::collections::HashMap;

use quire_domain::ids::{FileId, PageId};
use quire_markup::{ContentRef, Document, rewrite_refs, slugify};
use quire_revision::{
    BlobHash, Dimensions, DocumentId, FileNode, MAX_PAGE_DEPTH, PageKind, PageNode, Position,
    ReusableContentNode, Tree, TreeError,
};
use serde_json::{Value, json};

use crate::identity::Identities;
use crate::page_layout;
use crate::plan::{self, ImportPlan, PlannedFile, PlannedPage};
use crate::report;

/// Why a plan doesn't go where it should.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlacementError {
    /// A group, a link or a computed page has no document that the import could replace, and what is below the last two is seen nowhere.
    #[error("page {0} is no document")]
    NoDocument(PageId),
    /// The import's folders, or its table of contents, nest deeper than pages may.
    #[error("`{path}` would be nested deeper than {limit} levels")]
    TooDeep {
        /// The file whose page is too deep, or the page's title.
        path: String,
        /// The bound.
        limit: usize,
    },
    /// The page is gone, or can't have the pages below it.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

/// Whether an import may go into a page.
///
/// # Errors
/// [`PlacementError::NoDocument`] when it has no document.
pub fn check_destination(page: &PageNode) -> Result<(), PlacementError> {
    match page.kind {
        PageKind::Document => Ok(()),
        _ => Err(PlacementError::NoDocument(page.id)),
    }
}

/// What an import makes of a tree.
#[derive(Debug)]
pub struct Applied {
    /// The tree with the import in it.
    pub tree: Tree,
    /// The documents of its pages, each with its id.
    pub documents: Vec<(DocumentId, Value)>,
    /// The bytes of its files: hash and size.
    pub blobs: Vec<(BlobHash, u64)>,
}

/// Puts a plan below the root, or into a page: there the plan's first document becomes the page's own, and all else stands below
/// it. `hashes` are those of the files in the store; `now` is in milliseconds since the epoch.
///
/// # Errors
/// [`PlacementError`] when the page is gone, is no document or can't have the pages below it.
pub fn apply(
    tree: &Tree,
    plan: ImportPlan,
    hashes: &HashMap<FileId, BlobHash>,
    into: Option<PageId>,
    now: i64,
) -> Result<Applied, PlacementError> {
    if let Some(into) = into {
        check_destination(tree.page(into).ok_or(TreeError::UnknownPage(into))?)?;
    }
    let plan = if into.is_some() { plan.without_groups() } else { plan };
    let ImportPlan { pages, files, reusable_contents, .. } = plan;
    let identities = Identities::of(tree, &files, hashes, &reusable_contents);
    let replaced =
        into.and_then(|_| pages.iter().find(|page| page.parent.is_none() && page.document.is_some()));
    let replaced = replaced.map(|page| page.id);
    let mut import = Import {
        tree: tree.clone(),
        documents: Vec::new(),
        blobs: Vec::new(),
        identities,
        rows: Rows::of(&pages, replaced),
        now,
    };
    if let (Some(into), Some(replaced)) = (into, replaced) {
        import.identities.is_page(replaced, into);
    }
    // A page's id follows from its place, and its document from the ids of the pages that it links to: places first.
    for (at, page) in pages.iter().enumerate().filter(|(_, page)| Some(page.id) != replaced) {
        import.place_page(page, into).map_err(|error| match error {
            TreeError::TooDeep(_) => too_deep(pages.get(at..).unwrap_or_default()),
            error => error.into(),
        })?;
    }
    for file in files {
        // Only files whose bytes are in the store are part of the tree.
        if let Some(blob) = hashes.get(&file.id) {
            import.insert_file(file, *blob)?;
        }
    }
    for content in reusable_contents {
        let document = import.store(content.document);
        import.tree.insert_reusable_content(ReusableContentNode {
            id: import.identities.reusable_content(content.id),
            title: content.title,
            document: Some(document),
            created_at: Some(now),
            updated_at: Some(now),
            git: None,
        })?;
    }
    for page in pages {
        if Some(page.id) == replaced {
            import.replace_document(page)?;
        } else {
            import.fill_page(page)?;
        }
    }
    Ok(Applied { tree: import.tree, documents: import.documents, blobs: import.blobs })
}

struct Import {
    tree: Tree,
    documents: Vec<(DocumentId, Value)>,
    blobs: Vec<(BlobHash, u64)>,
    identities: Identities,
    rows: Rows,
    now: i64,
}

/// The positions of planned pages: those of siblings are made at once, as keys that are made one after the other get longer and longer.
struct Rows {
    /// How many pages the plan puts below each of its pages and at its top.
    lengths: HashMap<Option<PageId>, usize>,
    /// The positions that are left for them.
    free: HashMap<Option<PageId>, std::vec::IntoIter<Position>>,
}

impl Rows {
    /// What the plan puts below the page that is replaced stands with what it puts at its top.
    fn of(pages: &[PlannedPage], replaced: Option<PageId>) -> Self {
        let mut rows = Self { lengths: HashMap::new(), free: HashMap::new() };
        for page in pages.iter().filter(|page| Some(page.id) != replaced) {
            *rows.lengths.entry(page.parent.filter(|parent| Some(*parent) != replaced)).or_default() += 1;
        }
        rows
    }

    /// The next position behind what `parent` has below it; `planned` is the page that the plan calls so.
    fn next(&mut self, tree: &Tree, parent: Option<PageId>, planned: Option<PageId>) -> Option<Position> {
        let positions = self.free.entry(parent).or_insert_with(|| {
            // What isn't a row of the plan's own is the row at its top.
            let length = self.lengths.get(&planned).or_else(|| self.lengths.get(&None));
            let last = tree.children(parent).next_back().map(|page| &page.position);
            Position::n_between(last, None, length.copied().unwrap_or_default())
                .unwrap_or_default()
                .into_iter()
        });
        positions.next()
    }
}

/// The first of these pages, or what is below it, is too deep: a file is named, as the page of a folder has a name of its own only here.
fn too_deep(pages: &[PlannedPage]) -> PlacementError {
    let file = pages.iter().find_map(|page| page.source_path.as_deref());
    let title = pages.first().map(|page| page.title.as_str());
    let path = report::shown(file.or(title).unwrap_or_default(), report::PATH_MAX).into_owned();
    PlacementError::TooDeep { path, limit: MAX_PAGE_DEPTH }
}

impl Import {
    /// Gives a page that is there the document of a planned one.
    fn replace_document(&mut self, planned: PlannedPage) -> Result<(), TreeError> {
        let mut page = self.page(planned.id)?;
        page.document = planned.document.map(|document| self.store(document));
        page.updated_at = Some(self.now);
        self.tree.update_page(page)
    }

    /// Puts a page where it belongs, with nothing in it yet.
    fn place_page(&mut self, page: &PlannedPage, into: Option<PageId>) -> Result<(), TreeError> {
        let parent = page.parent.map(|parent| self.identities.page(parent)).or(into);
        let (kind, slug) = match &page.kind {
            plan::PageKind::Document => (PageKind::Document, self.slug(page, parent)),
            plan::PageKind::Group => (PageKind::Group, self.slug(page, parent)),
            // Where it leads is known when every page has its place.
            plan::PageKind::Link { .. } => (PageKind::Link { target: Value::Null }, String::new()),
        };
        let name = if slug.is_empty() { format!("link\0{}", page.title) } else { slug.clone() };
        let id = self.identities.name_page(&self.tree, page.id, parent, &name);
        let position = self.rows.next(&self.tree, parent, page.parent);
        let position = position.unwrap_or_else(|| self.tree.position_at(parent, None, None));
        self.tree.insert_page(PageNode::new(id, parent, position, kind, page.title.clone(), slug))
    }

    fn slug(&self, page: &PlannedPage, parent: Option<PageId>) -> String {
        let wanted = page.slug.clone().unwrap_or_else(|| slugify(&page.title));
        self.tree.free_slug(parent, &wanted)
    }

    /// Gives a page that has its place all that the plan says of it.
    fn fill_page(&mut self, page: PlannedPage) -> Result<(), TreeError> {
        let placed = self.page(page.id)?;
        let kind = match page.kind {
            plan::PageKind::Link { target } => {
                PageKind::Link { target: serde_json::to_value(self.renamed(target)).unwrap_or_default() }
            }
            _ => placed.kind.clone(),
        };
        let cover = page.cover.map(|cover| json!({"ref": self.renamed(cover.image), "yPos": cover.y_pos}));
        let document = page.document.map(|document| self.store(document));
        self.tree.update_page(PageNode {
            kind,
            emoji: page.emoji,
            icon: page.icon,
            description: page.description,
            hidden: page.hidden,
            no_index: page.no_index,
            no_robots_index: page.no_robots_index,
            cover,
            layout: page
                .layout
                .and_then(|layout| serde_json::to_value(page_layout::from_front_matter(&layout)).ok()),
            document,
            created_at: Some(self.now),
            updated_at: Some(self.now),
            ..placed
        })
    }

    /// The page of the tree that a planned page is.
    fn page(&self, planned: PageId) -> Result<PageNode, TreeError> {
        let id = self.identities.page(planned);
        self.tree.page(id).cloned().ok_or(TreeError::UnknownPage(id))
    }

    fn insert_file(&mut self, file: PlannedFile, blob: BlobHash) -> Result<(), TreeError> {
        let size = u64::try_from(file.content.len()).unwrap_or(u64::MAX);
        self.blobs.push((blob, size));
        self.tree.insert_file(FileNode {
            id: self.identities.file(file.id),
            name: file.name,
            content_type: file.content_type,
            size,
            dimensions: file.dimensions.and_then(|dimensions| {
                Some(Dimensions {
                    width: u32::try_from(dimensions.width).ok()?,
                    height: u32::try_from(dimensions.height).ok()?,
                })
            }),
            blob,
            created_at: Some(self.now),
            git: None,
        })
    }

    /// Keeps a document for the commit.
    fn store(&mut self, mut document: Document) -> DocumentId {
        rewrite_refs(&mut document, &mut |reference| self.identities.renamed(reference));
        let document = document.to_json();
        let id = DocumentId::of(&document);
        self.documents.push((id, document));
        id
    }

    fn renamed(&self, reference: ContentRef) -> ContentRef {
        self.identities.renamed(&reference).unwrap_or(reference)
    }
}

#[cfg(test)]
mod tests;
