//! Pages in place of their place-holders.

use std::collections::HashMap;
use std::sync::Arc;

use quire_domain::computed::{
    ComputedType, DocumentSource, OpenApiDependencies, OpenApiRef, OpenApiRefKind, ResolvedSpec,
    RevisionSource, SpecDependency,
};
use quire_domain::ids::{OpenApiSpecVersionId, PageId};
use quire_domain::object::OpenApiSpecTag;
use quire_revision::{PageKind, PageNode, Position, Tree, TreeError};
use quire_storage::Reader;
use quire_storage::openapi_specs::{Outline, OutlinePage, PageKind as SpecPageKind, ReadableSpecs, SpecOf};
use serde_json::Value;

use super::cache::Expansions;
use super::document::DocumentOf;
use super::ids::page_id;
use crate::error::Result;

/// The pages of a specification as one place-holder asks for them.
#[derive(Clone, Debug)]
pub struct SpecPages {
    /// The specification.
    pub spec: SpecOf,
    /// Its pages.
    pub outline: Arc<Outline>,
    /// What ids are made of.
    pub seed: String,
    /// Whether the models have pages.
    pub models: bool,
    /// What the specification was called.
    pub name: String,
}

/// The computed pages of a tree.
#[derive(Clone, Debug, Default)]
pub struct Computed {
    groups: Vec<SpecPages>,
    /// The group of each page, and its index in the outline.
    pages: HashMap<PageId, (usize, usize)>,
}

impl Computed {
    /// What a page is computed from: its specification, and its index in the outline. `None` for a page that is stored.
    #[must_use]
    pub fn page(&self, id: PageId) -> Option<(&SpecPages, usize)> {
        let (group, index) = self.pages.get(&id)?;
        Some((self.groups.get(*group)?, *index))
    }

    /// The first of the specifications' pages that are of this version.
    #[must_use]
    pub fn pages_of(&self, version: OpenApiSpecVersionId) -> Option<&SpecPages> {
        self.groups.iter().find(|group| group.spec.version == version)
    }

    /// The source and the seed of a page's document, as the page tells them.
    #[must_use]
    pub fn source_of(&self, id: PageId) -> Option<(Value, String)> {
        let (group, index) = self.page(id)?;
        Some((serde_json::to_value(group.source_of(index)?).ok()?, group.seed.clone()))
    }

    /// How many pages there are.
    pub(super) fn len(&self) -> usize {
        self.pages.len()
    }

    /// Names the versions that the pages are computed from: what an entity tag has to change with.
    #[must_use]
    pub fn versions(&self) -> String {
        self.groups.iter().map(|group| format!("{};", group.spec.version)).collect()
    }

    /// Puts pages into a tree below a parent, from a position on, and notes what they are computed from.
    ///
    /// # Errors
    /// When the tree has no room for them; it may then hold some of them.
    pub fn put(
        &mut self,
        tree: &mut Tree,
        pages: SpecPages,
        place: Place,
    ) -> std::result::Result<(), TreeError> {
        let group = self.groups.len();
        let put = put(tree, &pages, place)?;
        self.pages.extend(put.into_iter().map(|(id, index)| (id, (group, index))));
        self.groups.push(pages);
        Ok(())
    }
}

impl SpecPages {
    /// Whether a page is about models, which lead to each other even where nothing else leads to them.
    #[must_use]
    pub fn is_model(&self, index: usize) -> bool {
        let kind = self.outline.pages.get(index).map(|page| page.kind);
        matches!(kind, Some(SpecPageKind::Models | SpecPageKind::Model))
    }

    /// Whether a page is among those that were asked for.
    fn has(&self, page: &OutlinePage) -> bool {
        self.models || !matches!(page.kind, SpecPageKind::Models | SpecPageKind::Model)
    }

    /// The id of the page at a place in the specification, if there is one.
    #[must_use]
    pub fn page_at(&self, place: &str) -> Option<PageId> {
        let page = self.outline.pages.get(self.outline.index_of(place)?)?;
        self.has(page).then(|| page_id(&self.seed, place))
    }

    /// The ids and pages directly below a page.
    pub fn below(&self, index: usize) -> impl Iterator<Item = (PageId, &OutlinePage)> {
        let below =
            self.outline.pages.iter().filter(move |page| page.parent == Some(index) && self.has(page));
        below.map(|page| (page_id(&self.seed, &page.place), page))
    }

    /// The document of one of the pages.
    #[must_use]
    pub fn document(&self, index: usize) -> DocumentOf<'_> {
        DocumentOf { outline: &self.outline, index, seed: &self.seed, linked: Some(self) }
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

/// The specifications that sources name, each with its source and its seed; `None` for one that isn't there or has no version yet. One
/// statement, however many there are.
fn named(
    reader: &mut Reader<'_>,
    specs: ReadableSpecs,
    sources: &[(RevisionSource, String)],
) -> Result<Vec<Option<SpecOf>>> {
    let names: Vec<&str> =
        sources.iter().map(|(source, _)| source.dependencies.spec.reference.spec.as_str()).collect();
    let found = reader.specs_named(specs, &names)?;
    Ok(names.into_iter().map(|name| found.get(name).cloned()).collect())
}

/// The pages that sources ask for, each with its seed, of the specifications that they name: one statement, none when they are in memory.
fn pages_of(
    reader: &mut Reader<'_>,
    specs: ReadableSpecs,
    sources: Vec<(RevisionSource, String)>,
    named: Vec<Option<SpecOf>>,
) -> Result<Vec<Option<SpecPages>>> {
    let versions: Vec<_> = named.iter().flatten().map(|spec| spec.version).collect();
    let outlines = reader.outlines(specs, &versions)?;
    let found = sources.into_iter().zip(named).map(|((source, seed), spec)| {
        let spec = spec?;
        let outline = outlines.get(&spec.version)?.clone();
        let name = source.dependencies.spec.reference.spec;
        Some(SpecPages { spec, outline, seed, models: source.props.models, name })
    });
    Ok(found.collect())
}

/// The pages that sources ask for, each with its seed; `None` for one whose specification isn't there or has no version yet. Two
/// statements at most, however many there are.
///
/// # Errors
/// When a statement fails.
pub fn resolve(
    reader: &mut Reader<'_>,
    specs: ReadableSpecs,
    sources: Vec<(RevisionSource, String)>,
) -> Result<Vec<Option<SpecPages>>> {
    let named = named(reader, specs, &sources)?;
    pages_of(reader, specs, sources, named)
}

/// The tree with computed pages in place of their place-holders. A place-holder stays where its specification isn't there or has no
/// version yet, or where its pages have no room. Costs nothing for a tree without place-holders, and one statement while what it leads to
/// is among the `expansions`.
///
/// # Errors
/// When a statement fails.
pub fn expand(
    reader: &mut Reader<'_>,
    specs: ReadableSpecs,
    tree: Tree,
    expansions: Option<&Expansions>,
) -> Result<(Tree, Arc<Computed>)> {
    let mut holders = Vec::new();
    let mut sources = Vec::new();
    for page in tree.computed_pages() {
        let PageKind::Computed { source, seed } = &page.kind else { continue };
        // A place-holder from a newer binary may have another source.
        let Ok(source) = serde_json::from_value::<RevisionSource>(source.clone()) else { continue };
        holders.push(page.clone());
        sources.push((source, seed.clone()));
    }
    if holders.is_empty() {
        return Ok((tree, Arc::default()));
    }
    let named = named(reader, specs, &sources)?;
    let key = (tree.root(), named.iter().map(|spec| Some(spec.as_ref()?.version)).collect());
    if let Some(expanded) = expansions.and_then(|expansions| expansions.get(&key)) {
        return Ok(expanded);
    }
    let pages = pages_of(reader, specs, sources, named.clone())?;
    // A version whose pages were pruned while this was read is seen as it was, but not remembered so.
    let is_whole = pages.iter().zip(&named).all(|(pages, spec)| pages.is_some() == spec.is_some());
    let (tree, computed) = fill(tree, holders, pages);
    let computed = Arc::new(computed);
    if let Some(expansions) = expansions.filter(|_| is_whole) {
        expansions.keep(key, &tree, &computed);
    }
    Ok((tree, computed))
}

/// Puts pages in place of the place-holders that they were asked for by.
fn fill(tree: Tree, holders: Vec<PageNode>, pages: Vec<Option<SpecPages>>) -> (Tree, Computed) {
    let (mut tree, mut computed) = (tree, Computed::default());
    for (holder, pages) in holders.into_iter().zip(pages) {
        let Some(pages) = pages else { continue };
        let mut next = tree.clone();
        let place = Place::of(&next, &holder);
        let put = next.remove_page(holder.id).and_then(|_| computed.put(&mut next, pages, place));
        match put {
            Ok(()) => tree = next,
            Err(error) => log::warn!("the pages of place-holder {} have no room: {error}", holder.id),
        }
    }
    (tree, computed)
}

/// Where pages go.
#[derive(Clone, Debug, Default)]
pub struct Place {
    parent: Option<PageId>,
    /// Where the first one stands.
    first: Option<Position>,
    /// What stands behind the last one.
    behind: Option<Position>,
    hidden: bool,
}

impl Place {
    /// That of a place-holder.
    fn of(tree: &Tree, holder: &PageNode) -> Self {
        let behind = tree.children(holder.parent).find(|page| page.position > holder.position);
        Self {
            parent: holder.parent,
            first: Some(holder.position.clone()),
            behind: behind.map(|page| page.position.clone()),
            hidden: holder.hidden,
        }
    }
}

/// Puts pages into a tree; answers their ids with their indices.
fn put(
    tree: &mut Tree,
    pages: &SpecPages,
    place: Place,
) -> std::result::Result<Vec<(PageId, usize)>, TreeError> {
    let Place { parent, first, behind, hidden } = place;
    let mut next_at_top = first;
    let mut positions = below_each(&pages.outline);
    let mut ids: Vec<Option<PageId>> = Vec::with_capacity(pages.outline.pages.len());
    let mut put = Vec::with_capacity(pages.outline.pages.len());
    for (index, page) in pages.outline.pages.iter().enumerate() {
        if !pages.has(page) {
            ids.push(None);
            continue;
        }
        let id = page_id(&pages.seed, &page.place);
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

/// Positions for the pages below each page.
fn below_each(outline: &Outline) -> HashMap<usize, std::vec::IntoIter<Position>> {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    for parent in outline.pages.iter().filter_map(|page| page.parent) {
        let count = counts.entry(parent).or_default();
        *count = count.saturating_add(1);
    }
    counts.into_iter().map(|(parent, count)| (parent, Position::n_evenly(count).into_iter())).collect()
}
