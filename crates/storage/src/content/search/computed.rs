//! Computed pages in the form of the search index.

use std::num::NonZeroU64;

use quire_domain::ids::SpaceId;
use quire_revision::Tree;
use quire_search::{Context, Page};

use super::pages::{ancestors_of, engine_section};
use crate::Result;
use crate::content::openapi_specs::ReadableSpecs;
use crate::transaction::Reader;

impl Reader<'_> {
    /// Returns a hash of the input of a space's computed pages; 0 for a tree without placeholders.
    pub(super) fn computed_state(&mut self, specs: ReadableSpecs, tree: &Tree) -> Result<u64> {
        let storage = self.storage;
        Ok(storage.analyzer().computed_state(self, specs, tree)?.map_or(0, NonZeroU64::get))
    }

    /// Passes the computed pages of a tree to `add`, which returns whether to continue. Returns whether all pages were
    /// passed.
    pub(super) fn each_computed_page(
        &mut self,
        (space, specs): (SpaceId, ReadableSpecs),
        tree: &Tree,
        mut add: impl FnMut(SpaceId, Page<'_>) -> Result<bool>,
    ) -> Result<bool> {
        let storage = self.storage;
        let Some(pages) = storage.analyzer().computed_pages(self, specs, tree)? else { return Ok(true) };
        let tree = pages.tree();
        for page in pages.ids().iter().filter_map(|id| tree.page(*id)).filter(|page| !page.no_index) {
            let facts = pages.sections(self, page.id)?;
            let path = tree.path_of(page.id).unwrap_or_default();
            let description = page.description.as_deref().unwrap_or_default();
            let context = Context { description, ancestors: ancestors_of(tree, page) };
            let sections = facts.iter().map(engine_section).collect();
            if !add(space, Page { id: page.id, title: &page.title, path: &path, context, sections })? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
