//! The pages of specifications, and the computed pages of a tree.

use std::collections::HashMap;
use std::sync::Arc;

use quire_domain::computed::{
    ComputedType, DocumentSource, OpenApiDependencies, OpenApiRef, OpenApiRefKind, ResolvedSpec,
    SpecDependency,
};
use quire_domain::ids::{OpenApiSpecVersionId, PageId};
use quire_domain::object::OpenApiSpecTag;
use quire_markup::openapi::{Pointed, pointed};
use quire_markup::{Block, BlockKind, ContentRef};
use quire_revision::{PageKind, PageNode, Position, Tree, TreeError};
use quire_storage::openapi_specs::{Outline, OutlinePage, PageKind as SpecPageKind, SpecOf};
use serde_json::Value;

use super::ids::page_id;

/// The pages of a specification for one placeholder.
#[derive(Clone, Debug)]
pub struct SpecPages {
    /// The specification.
    pub spec: SpecOf,
    /// Its pages.
    pub outline: Arc<Outline>,
    /// Seed of page ids.
    pub seed: String,
    /// True if models have pages.
    pub models: bool,
    /// Name by which the placeholder refers to the specification.
    pub name: String,
}

/// The computed pages of a tree.
#[derive(Clone, Debug, Default)]
pub struct Computed {
    groups: Vec<SpecPages>,
    /// The group of each page, and its index in the outline.
    pages: HashMap<PageId, (usize, usize)>,
    versions: String,
}

impl Computed {
    /// Returns the specification of a computed page, and the index in its outline. `None` for a stored page.
    #[must_use]
    pub fn page(&self, id: PageId) -> Option<(&SpecPages, usize)> {
        let (group, index) = self.pages.get(&id)?;
        Some((self.groups.get(*group)?, *index))
    }

    /// Returns the first of the specifications' pages with this version.
    #[must_use]
    pub fn pages_of(&self, version: OpenApiSpecVersionId) -> Option<&SpecPages> {
        self.groups.iter().find(|group| group.spec.version == version)
    }

    /// Returns the source and the seed of a page's document, for the API.
    #[must_use]
    pub fn source_of(&self, id: PageId) -> Option<(Value, String)> {
        let (group, index) = self.page(id)?;
        Some((serde_json::to_value(group.source_of(index)?).ok()?, group.seed.clone()))
    }

    /// Returns the number of pages.
    pub(super) fn len(&self) -> usize {
        self.pages.len()
    }

    /// Returns the version that each placeholder of the tree was expanded from, or `-` for one that stayed, in order:
    /// together with the stored tree this determines the computed pages for every reader. Empty for a tree without
    /// placeholders.
    #[must_use]
    pub fn versions(&self) -> &str {
        &self.versions
    }

    /// Records a placeholder with the version that it was expanded from.
    pub(super) fn note(&mut self, version: Option<OpenApiSpecVersionId>) {
        let version = version.map_or_else(|| "-".to_owned(), |version| version.to_string());
        self.versions.push_str(&version);
        self.versions.push(';');
    }

    /// Inserts pages into a tree below a parent, starting at a position, and records their sources.
    ///
    /// # Errors
    /// If they do not fit into the tree, which may then contain some of them.
    pub fn put(
        &mut self,
        tree: &mut Tree,
        pages: SpecPages,
        position: PagePosition,
    ) -> std::result::Result<(), TreeError> {
        let group = self.groups.len();
        let put = put(tree, &pages, position)?;
        self.pages.extend(put.into_iter().map(|(id, index)| (id, (group, index))));
        self.groups.push(pages);
        Ok(())
    }
}

impl SpecPages {
    /// Returns true if a page is about models. Models refer to each other even if no other page refers to them.
    #[must_use]
    pub fn is_model(&self, index: usize) -> bool {
        let kind = self.outline.pages.get(index).map(|page| page.kind);
        matches!(kind, Some(SpecPageKind::Models | SpecPageKind::Model))
    }

    /// Returns true if a page was requested.
    fn has(&self, page: &OutlinePage) -> bool {
        self.models || !matches!(page.kind, SpecPageKind::Models | SpecPageKind::Model)
    }

    /// Returns the id of the page at a JSON pointer in the specification, if any.
    #[must_use]
    pub fn page_at(&self, pointer: &str) -> Option<PageId> {
        let page = self.outline.pages.get(self.outline.index_of(pointer)?)?;
        self.has(page).then(|| page_id(&self.seed, pointer))
    }

    /// Returns the ids and pages directly below a page.
    pub fn below(&self, index: usize) -> impl Iterator<Item = (PageId, &OutlinePage)> {
        let below =
            self.outline.pages.iter().filter(move |page| page.parent == Some(index) && self.has(page));
        below.map(|page| (page_id(&self.seed, &page.pointer), page))
    }

    /// Returns the input for the document of a page.
    #[must_use]
    pub fn document(&self, index: usize) -> DocumentOf<'_> {
        DocumentOf { outline: &self.outline, index, seed: &self.seed, linked: Some(self) }
    }

    /// Returns the block that shows the operation, webhook or model of a page; `None` for other pages.
    #[must_use]
    pub fn block(&self, index: usize) -> Option<Block> {
        let object = pointed(&self.outline.pages.get(index)?.pointer)?;
        let block = match object {
            Pointed::Operation { path, method } => {
                Block::void(BlockKind::OpenApiOperation).with("path", path).with("method", method)
            }
            Pointed::Webhook { name, method } => {
                Block::void(BlockKind::OpenApiWebhook).with("name", name).with("method", method)
            }
            Pointed::Model { name } => Block::void(BlockKind::OpenApiSchemas).with("schemas", vec![name]),
        };
        Some(block.with("ref", ContentRef::OpenApi { spec: self.name.clone() }.to_value()))
    }

    fn source_of(&self, index: usize) -> Option<DocumentSource> {
        let props = self.outline.props_of(index)?;
        let SpecOf { id, ref slug, version } = self.spec;
        Some(DocumentSource {
            computed_type: ComputedType::OpenApi,
            dependencies: OpenApiDependencies {
                spec: SpecDependency {
                    reference: OpenApiRef { kind: OpenApiRefKind::OpenApi, spec: self.name.clone() },
                    value: Some(ResolvedSpec {
                        object: OpenApiSpecTag::Tag,
                        id,
                        slug: slug.clone(),
                        last_version: version,
                    }),
                },
            },
            props,
        })
    }
}

/// Input for a computed document.
#[derive(Clone, Copy, Debug)]
pub struct DocumentOf<'a> {
    /// The pages of its version.
    pub outline: &'a Outline,
    /// Index of the page in the outline.
    pub index: usize,
    /// Seed of block keys.
    pub seed: &'a str,
    /// The pages that its links can lead to, if any.
    pub linked: Option<&'a SpecPages>,
}

/// Position of pages in a tree.
#[derive(Clone, Debug, Default)]
pub struct PagePosition {
    parent: Option<PageId>,
    /// Position of the first page.
    first: Option<Position>,
    /// Position of the sibling after the last page.
    behind: Option<Position>,
    hidden: bool,
}

impl PagePosition {
    /// Returns the position of a placeholder.
    pub(super) fn of(tree: &Tree, holder: &PageNode) -> Self {
        let behind = tree.children(holder.parent).find(|page| page.position > holder.position);
        Self {
            parent: holder.parent,
            first: Some(holder.position.clone()),
            behind: behind.map(|page| page.position.clone()),
            hidden: holder.hidden,
        }
    }
}

/// Inserts pages into a tree and returns their ids with their indexes.
fn put(
    tree: &mut Tree,
    pages: &SpecPages,
    position: PagePosition,
) -> std::result::Result<Vec<(PageId, usize)>, TreeError> {
    let PagePosition { parent, first, behind, hidden } = position;
    let mut next_at_top = first;
    let mut positions = below_each(&pages.outline);
    let mut ids: Vec<Option<PageId>> = Vec::with_capacity(pages.outline.pages.len());
    let mut put = Vec::with_capacity(pages.outline.pages.len());
    for (index, page) in pages.outline.pages.iter().enumerate() {
        if !pages.has(page) {
            ids.push(None);
            continue;
        }
        let id = page_id(&pages.seed, &page.pointer);
        let above = page.parent.and_then(|parent| ids.get(parent).copied().flatten());
        let (parent, position, slug) = match above {
            Some(above) => {
                let position = page.parent.and_then(|parent| positions.get_mut(&parent)?.next());
                (Some(above), position.unwrap_or_else(Position::first), page.slug.clone())
            }
            None => {
                let position = next_at_top.take().unwrap_or_else(Position::first);
                next_at_top = Position::between(Some(&position), behind.as_ref());
                (parent, position, tree.free_slug(parent, &page.slug))
            }
        };
        let mut node = PageNode::new(id, parent, position, PageKind::Document, page.title.as_str(), slug);
        node.description.clone_from(&page.description);
        node.hidden = hidden && above.is_none();
        tree.insert_page(node)?;
        ids.push(Some(id));
        put.push((id, index));
    }
    Ok(put)
}

/// Returns positions for the children of each page.
fn below_each(outline: &Outline) -> HashMap<usize, std::vec::IntoIter<Position>> {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    for parent in outline.pages.iter().filter_map(|page| page.parent) {
        let count = counts.entry(parent).or_default();
        *count = count.saturating_add(1);
    }
    counts.into_iter().map(|(parent, count)| (parent, Position::n_evenly(count).into_iter())).collect()
}
