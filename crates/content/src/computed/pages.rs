//! Pages of specifications, and the computed pages of a tree.

use std::collections::HashMap;
use std::sync::Arc;

use quire_domain::computed::{
    ComputedType, DocumentProps, DocumentSource, Grouping, OpenApiDependencies, OpenApiRef, OpenApiRefKind,
    ResolvedSpec, RevisionProps, SpecDependency, SpecDocument,
};
use quire_domain::ids::{OpenApiSpecVersionId, PageId};
use quire_domain::object::OpenApiSpecTag;
use quire_markup::openapi::{Pointed, pointed};
use quire_markup::{Block, BlockKind, ContentRef, Inline};
use quire_revision::{PageKind, PageNode, Position, Tree, TreeError};
use quire_storage::content::openapi_specs::{Outline, OutlinePage, PageKind as SpecPageKind, SpecOf};
use serde_json::Value;

use super::ids::page_id;
use super::props::{index_of, props_of};

/// Maximum number of operations or models that one page shows. Above it, each gets a page of its own.
pub const MAX_OPERATIONS: usize = 200;

/// Pages of a specification for one placeholder.
#[derive(Clone, Debug)]
pub struct SpecPages {
    /// The specification.
    pub spec: SpecOf,
    /// Outline with the pages of the version.
    pub outline: Arc<Outline>,
    /// Seed of page ids.
    pub seed: String,
    /// Options of the placeholder.
    pub props: RevisionProps,
    /// Name by which the placeholder refers to the specification.
    pub name: String,
}

/// The computed pages of a tree.
#[derive(Clone, Debug, Default)]
pub struct Computed {
    groups: Vec<SpecPages>,
    /// Group of each page, and index in its outline.
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

    /// Returns the pages of a specification's version. If several placeholders show it, returns those of the first.
    #[must_use]
    pub fn pages_of(&self, version: OpenApiSpecVersionId) -> Option<&SpecPages> {
        self.groups.iter().find(|group| group.spec.version == version)
    }

    /// Returns the source and the seed of a page's document, for API responses.
    #[must_use]
    pub fn source_of(&self, id: PageId) -> Option<(Value, String)> {
        let (group, index) = self.page(id)?;
        Some((serde_json::to_value(group.source_of(index)?).ok()?, group.seed.clone()))
    }

    /// Returns the page that now shows the operation or model which had a page at this path. Earlier versions made a
    /// page for each operation and model.
    #[must_use]
    pub fn formerly_at(&self, tree: &Tree, path: &[String]) -> Option<PageId> {
        let (slug, above) = path.split_last()?;
        let above = tree.page_by_path(&above.join("/"))?;
        let (pages, index) = self.page(above.id)?;
        let shown = pages.shown_on(index);
        let is_at = |index: &usize| pages.outline.pages.get(*index).is_some_and(|page| page.slug == *slug);
        shown.iter().any(is_at).then_some(above.id)
    }

    /// Returns the ids of all computed pages.
    pub(super) fn ids(&self) -> impl Iterator<Item = PageId> {
        self.pages.keys().copied()
    }

    /// Returns the number of computed pages.
    pub(super) fn len(&self) -> usize {
        self.pages.len()
    }

    /// Returns the version that each placeholder was expanded from, in order, or `-` for a placeholder that remains.
    /// Together with the stored tree this determines the computed pages for every reader. Empty for a tree without
    /// placeholders.
    #[must_use]
    pub fn versions(&self) -> &str {
        &self.versions
    }

    /// Records the state of the specification that a placeholder was expanded from.
    pub(super) fn note(&mut self, state: Option<String>) {
        self.versions.push_str(state.as_deref().unwrap_or("-"));
        self.versions.push(';');
    }

    /// Inserts pages into a tree below a parent, from a position on, and records their sources.
    ///
    /// # Errors
    /// If the pages do not fit into the tree. The tree may then contain some of them.
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
    /// Returns the index of the document that a source names. Sets the options so that its page is shown as the source
    /// requests.
    pub fn select(&mut self, props: &DocumentProps) -> Option<usize> {
        let index = index_of(&self.outline, props)?;
        let kind = self.outline.pages.get(index)?.kind;
        self.props.models |= matches!(kind, SpecPageKind::Models | SpecPageKind::Model);
        let is_grouped = !matches!(props.doc, SpecDocument::Tag | SpecDocument::Operation);
        self.props.grouping = Some(if is_grouped { Grouping::ByTag } else { Grouping::ByOperation });
        Some(index)
    }

    /// Returns the grouping of operations below the page of a tag.
    fn grouping_of(&self, tag: usize) -> Grouping {
        if self.has_many(tag) {
            return Grouping::ByOperation;
        }
        self.props.grouping.unwrap_or_default()
    }

    /// Returns whether a page has more operations or models below it than it can show.
    fn has_many(&self, index: usize) -> bool {
        self.outline.objects_below(index) > MAX_OPERATIONS
    }

    /// Returns whether the tree contains a page.
    fn has(&self, page: &OutlinePage) -> bool {
        match page.kind {
            SpecPageKind::Info | SpecPageKind::Tag => true,
            SpecPageKind::Operation => {
                page.parent.is_some_and(|parent| self.grouping_of(parent) == Grouping::ByOperation)
            }
            SpecPageKind::Models => self.props.models,
            SpecPageKind::Model => {
                self.props.models && page.parent.is_some_and(|models| self.has_many(models))
            }
        }
    }

    /// Returns the page that shows the object at a JSON pointer in the specification: its own page, or the page of its
    /// tag or of the models.
    fn shown_at(&self, pointer: &str) -> Option<&OutlinePage> {
        let page = self.outline.pages.get(self.outline.index_of(pointer)?)?;
        let above = || self.outline.pages.get(page.parent?);
        if self.has(page) { Some(page) } else { above().filter(|above| self.has(above)) }
    }

    /// Returns the id of the page that shows the object at a JSON pointer in the specification.
    #[must_use]
    pub fn page_at(&self, pointer: &str) -> Option<PageId> {
        Some(page_id(&self.seed, &self.shown_at(pointer)?.pointer))
    }

    /// Returns the indexes of operations or models that a page shows as blocks.
    #[must_use]
    pub fn shown_on(&self, index: usize) -> Vec<usize> {
        let kind = match self.outline.pages.get(index).map(|page| page.kind) {
            Some(SpecPageKind::Tag) if self.grouping_of(index) == Grouping::ByTag => SpecPageKind::Operation,
            Some(SpecPageKind::Models) if !self.has_many(index) => SpecPageKind::Model,
            Some(SpecPageKind::Operation | SpecPageKind::Model) => return vec![index],
            _ => return Vec::new(),
        };
        let pages = self.outline.pages.iter().enumerate();
        pages
            .filter(|(_, page)| page.parent == Some(index) && page.kind == kind)
            .map(|(index, _)| index)
            .collect()
    }

    /// Returns the blocks of a page: one per operation, one for all models, or the link to the source.
    #[must_use]
    pub fn blocks(&self, index: usize) -> Vec<Block> {
        if self.outline.pages.get(index).is_some_and(|page| page.pointer == "/info") {
            return self.download_link().into_iter().collect();
        }
        let shown = self.shown_on(index);
        if self.outline.pages.get(index).is_some_and(|page| page.kind == SpecPageKind::Models) {
            let names = shown.iter().filter_map(|index| self.model(*index)).collect();
            return if shown.is_empty() { Vec::new() } else { vec![self.models_block(names)] };
        }
        // On the page of a single operation, the heading of the block would repeat the title.
        let headless = |block: Block| if shown == [index] { block.with("headless", true) } else { block };
        shown.iter().filter_map(|index| self.block(*index)).map(headless).collect()
    }

    fn download_link(&self) -> Option<Block> {
        let url = self.spec.source_url.as_ref().filter(|_| self.props.download_link == Some(true))?;
        let link =
            Inline::link(&ContentRef::url(url.as_str()), vec![Inline::text("Download the specification")]);
        Some(Block::paragraph(vec![link]))
    }

    fn model(&self, index: usize) -> Option<String> {
        match pointed(&self.outline.pages.get(index)?.pointer)? {
            Pointed::Model { name } => Some(name),
            Pointed::Operation { .. } | Pointed::Webhook { .. } => None,
        }
    }

    fn models_block(&self, names: Vec<String>) -> Block {
        let block = Block::void(BlockKind::OpenApiSchemas).with("schemas", names);
        block.with("ref", ContentRef::OpenApi { spec: self.name.clone() }.to_value())
    }

    /// Returns the child pages of a page with their ids.
    pub fn below(&self, index: usize) -> impl Iterator<Item = (PageId, &OutlinePage)> {
        let below =
            self.outline.pages.iter().filter(move |page| page.parent == Some(index) && self.has(page));
        below.map(|page| (page_id(&self.seed, &page.pointer), page))
    }

    /// Returns the input for the document of a page.
    #[must_use]
    pub fn document(&self, index: usize) -> DocumentOf<'_> {
        DocumentOf { outline: &self.outline, index, seed: &self.seed, linked: Some(self), form: Form::Blocks }
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
            Pointed::Model { name } => return Some(self.models_block(vec![name])),
        };
        Some(block.with("ref", ContentRef::OpenApi { spec: self.name.clone() }.to_value()))
    }

    fn source_of(&self, index: usize) -> Option<DocumentSource> {
        let props = props_of(&self.outline, index, self.grouping_of(index))?;
        let SpecOf { id, ref slug, version, .. } = self.spec;
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

/// Input of a computed document.
#[derive(Clone, Copy, Debug)]
pub struct DocumentOf<'a> {
    /// Outline with the pages of the version.
    pub outline: &'a Outline,
    /// Index of the page in the outline.
    pub index: usize,
    /// Seed of block keys.
    pub seed: &'a str,
    /// Pages that links can lead to.
    pub linked: Option<&'a SpecPages>,
    /// Form of operations and models.
    pub form: Form,
}

/// Form of operations and models in a computed document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Blocks that refer to the specification, as on the pages of `linked`.
    Blocks,
    /// Tables with everything that the specification contains. Only for the document of one operation or model.
    Tables,
}

/// Position of inserted pages in a tree.
#[derive(Clone, Debug, Default)]
pub struct PagePosition {
    parent: Option<PageId>,
    /// Position of the first page.
    first: Option<Position>,
    /// Position of the sibling after the last page.
    behind: Option<Position>,
    hidden: bool,
    no_index: bool,
    no_robots_index: bool,
}

impl PagePosition {
    /// Returns the position at which pages replace a placeholder.
    pub(super) fn of(tree: &Tree, holder: &PageNode) -> Self {
        let behind = tree.children(holder.parent).find(|page| page.position > holder.position);
        Self {
            parent: holder.parent,
            first: Some(holder.position.clone()),
            behind: behind.map(|page| page.position.clone()),
            hidden: holder.hidden,
            no_index: holder.no_index,
            no_robots_index: holder.no_robots_index,
        }
    }
}

/// Inserts pages into a tree, and returns their ids with their indexes.
fn put(
    tree: &mut Tree,
    pages: &SpecPages,
    position: PagePosition,
) -> std::result::Result<Vec<(PageId, usize)>, TreeError> {
    let PagePosition { parent, first, behind, hidden, no_index, no_robots_index } = position;
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
        node.icon.clone_from(&page.icon);
        node.hidden = hidden && above.is_none();
        (node.no_index, node.no_robots_index) = (no_index, no_robots_index);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a specification with operations of one tag, and models.
    fn pages(operations: usize, models: usize) -> SpecPages {
        let page = |parent, kind, pointer: String| OutlinePage {
            parent,
            kind,
            slug: pointer.replace('/', "-"),
            title: pointer.clone(),
            pointer,
            description: None,
            icon: None,
        };
        let version = OpenApiSpecVersionId::from_uuid(uuid::Uuid::nil());
        let mut listed = vec![page(None, SpecPageKind::Tag, "/tags/a".to_owned())];
        listed.extend(
            (0..operations)
                .map(|number| page(Some(0), SpecPageKind::Operation, format!("/paths/~1{number}/get"))),
        );
        let above = listed.len();
        listed.push(page(None, SpecPageKind::Models, "/components/schemas".to_owned()));
        listed.extend(
            (0..models).map(|number| {
                page(Some(above), SpecPageKind::Model, format!("/components/schemas/{number}"))
            }),
        );
        let spec = SpecOf {
            id: quire_domain::ids::OpenApiSpecId::from_uuid(uuid::Uuid::nil()),
            slug: "a".parse().unwrap(),
            version,
            source_url: None,
        };
        let outline = Arc::new(Outline::new(version, listed));
        SpecPages {
            spec,
            outline,
            seed: "s".to_owned(),
            props: RevisionProps { models: models > 0, ..RevisionProps::default() },
            name: "a".to_owned(),
        }
    }

    #[test]
    fn large_tags_have_a_page_for_each_operation() {
        for (operations, in_tree, shown) in [(200, 1, 200), (201, 202, 0)] {
            let pages = pages(operations, 0);
            let mut tree = Tree::default();
            let put = put(&mut tree, &pages, PagePosition::default()).unwrap();
            assert_eq!((put.len(), pages.shown_on(0).len()), (in_tree, shown));
            assert!(pages.page_at("/paths/~1199/get").is_some_and(|id| tree.page(id).is_some()));
        }
    }

    #[test]
    fn many_models_have_a_page_each() {
        for (models, in_tree, shown) in [(200, 2, 200), (201, 203, 0)] {
            let mut pages = pages(1, models);
            let mut tree = Tree::default();
            let put = put(&mut tree, &pages, PagePosition::default()).unwrap();
            assert_eq!((put.len(), pages.shown_on(2).len()), (in_tree, shown));
            let last = models + 2;
            assert!(pages.page_at("/components/schemas/199").is_some_and(|id| tree.page(id).is_some()));
            assert_eq!(pages.shown_on(last), [last]);
            // The source of a page selects the document of the page.
            let source = pages.source_of(last).unwrap();
            assert_eq!(pages.select(&source.props), Some(last));
        }
    }
}
