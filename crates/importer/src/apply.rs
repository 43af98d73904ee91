//! A plan put into a tree: pure, so that it can be done again on a newer head.

use std::collections::HashMap;

use quire_domain::ids::{FileId, PageId};
use quire_markup::{ContentRef, Document, rewrite_refs, slugify};
use quire_revision::{
    BlobHash, Dimensions, DocumentId, FileNode, PageKind, PageNode, Position, ReusableContentNode, Tree,
    TreeError,
};
use serde_json::{Value, json};

use crate::page_layout;
use crate::plan::{self, ImportPlan, PlannedFile, PlannedPage};

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
/// [`TreeError`] when the page is gone or can't have pages below it.
pub fn apply(
    tree: &Tree,
    plan: ImportPlan,
    hashes: &HashMap<FileId, BlobHash>,
    into: Option<PageId>,
    now: i64,
) -> Result<Applied, TreeError> {
    let mut import =
        Import { tree: tree.clone(), documents: Vec::new(), blobs: Vec::new(), into, replaced: None, now };
    let plan = if into.is_some() { plan.without_groups() } else { plan };
    let ImportPlan { pages, files, reusable_contents, .. } = plan;
    if let Some(into) = into {
        import.replace_document(into, &pages)?;
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
            id: content.id,
            title: content.title,
            document: Some(document),
            created_at: Some(now),
            updated_at: Some(now),
            git: None,
        })?;
    }
    for page in pages {
        if Some(page.id) != import.replaced {
            import.insert_page(page)?;
        }
    }
    Ok(Applied { tree: import.tree, documents: import.documents, blobs: import.blobs })
}

struct Import {
    tree: Tree,
    documents: Vec<(DocumentId, Value)>,
    blobs: Vec<(BlobHash, u64)>,
    into: Option<PageId>,
    /// The planned page whose document went into [`Self::into`]: what refers to it means that page.
    replaced: Option<PageId>,
    now: i64,
}

impl Import {
    fn replace_document(&mut self, into: PageId, pages: &[PlannedPage]) -> Result<(), TreeError> {
        let mut page = self.tree.page(into).ok_or(TreeError::UnknownPage(into))?.clone();
        let first = pages.iter().find(|page| page.parent.is_none() && page.document.is_some());
        let Some(first) = first else { return Ok(()) };
        self.replaced = Some(first.id);
        page.document = first.document.clone().map(|document| self.store(document));
        page.updated_at = Some(self.now);
        self.tree.update_page(page)
    }

    fn insert_page(&mut self, page: PlannedPage) -> Result<(), TreeError> {
        let parent = match page.parent {
            None => self.into,
            Some(parent) if Some(parent) == self.replaced => self.into,
            parent => parent,
        };
        let kind = match page.kind {
            plan::PageKind::Document => PageKind::Document,
            plan::PageKind::Group => PageKind::Group,
            plan::PageKind::Link { target } => {
                PageKind::Link { target: serde_json::to_value(self.renamed(target)).unwrap_or_default() }
            }
        };
        let slug = match kind {
            PageKind::Document | PageKind::Group => {
                let wanted = page.slug.unwrap_or_else(|| slugify(&page.title));
                self.tree.free_slug(parent, &wanted)
            }
            _ => String::new(),
        };
        let cover = page.cover.map(|cover| json!({"ref": self.renamed(cover.image), "yPos": cover.y_pos}));
        let document = page.document.map(|document| self.store(document));
        let position = self.position(parent);
        self.tree.insert_page(PageNode {
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
            ..PageNode::new(page.id, parent, position, kind, page.title, slug)
        })
    }

    fn position(&self, parent: Option<PageId>) -> Position {
        self.tree.position_at(parent, None, None)
    }

    fn insert_file(&mut self, file: PlannedFile, blob: BlobHash) -> Result<(), TreeError> {
        let size = u64::try_from(file.content.len()).unwrap_or(u64::MAX);
        self.blobs.push((blob, size));
        self.tree.insert_file(FileNode {
            id: file.id,
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
        if let (Some(from), Some(to)) = (self.replaced, self.into) {
            rewrite_refs(&mut document, &mut |reference| moved(reference, from, to));
        }
        let document = document.to_json();
        let id = DocumentId::of(&document);
        self.documents.push((id, document));
        id
    }

    fn renamed(&self, reference: ContentRef) -> ContentRef {
        let moved = self.replaced.zip(self.into).and_then(|(from, to)| moved(&reference, from, to));
        moved.unwrap_or(reference)
    }
}

/// A reference to the page `from` as one to `to`; `None` for any other.
fn moved(reference: &ContentRef, from: PageId, to: PageId) -> Option<ContentRef> {
    let from = from.to_string();
    match reference {
        ContentRef::Page { page, space } if *page == from => {
            Some(ContentRef::Page { page: to.to_string(), space: space.clone() })
        }
        ContentRef::Anchor { anchor, page: Some(page), space } if *page == from => Some(ContentRef::Anchor {
            anchor: anchor.clone(),
            page: Some(to.to_string()),
            space: space.clone(),
        }),
        _ => None,
    }
}
