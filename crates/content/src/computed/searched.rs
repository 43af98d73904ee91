//! Computed pages for the search index.

use std::sync::Arc;

use quire_domain::ids::PageId;
use quire_revision::Tree;
use quire_storage::content::openapi_specs::ReadableSpecs;
use quire_storage::content::store::{ComputedPages, SectionFact};
use quire_storage::{Reader, Result as StorageResult};

use super::document::written_out;
use super::expand::expand;
use super::pages::Computed;
use crate::analyzer::sections;
use crate::error::{Error, Result};

/// Computed pages of a tree, with operations and models written out in full.
struct SearchedPages {
    tree: Tree,
    computed: Arc<Computed>,
    ids: Vec<PageId>,
    specs: ReadableSpecs,
}

/// Returns the computed pages of a tree, or `None` if it has none.
pub(crate) fn searched_pages(
    reader: &mut Reader<'_>,
    specs: ReadableSpecs,
    tree: &Tree,
) -> StorageResult<Option<Box<dyn ComputedPages>>> {
    let Some((tree, computed)) = readable(expand(reader, specs, tree.clone(), None))? else {
        return Ok(None);
    };
    let ids: Vec<PageId> = computed.ids().collect();
    if ids.is_empty() {
        return Ok(None);
    }
    Ok(Some(Box::new(SearchedPages { tree, computed, ids, specs })))
}

impl ComputedPages for SearchedPages {
    fn tree(&self) -> &Tree {
        &self.tree
    }

    fn ids(&self) -> &[PageId] {
        &self.ids
    }

    fn sections(&self, reader: &mut Reader<'_>, page: PageId) -> StorageResult<Vec<SectionFact>> {
        let Some((pages, index)) = self.computed.page(page) else { return Ok(Vec::new()) };
        let document = readable(written_out(reader, self.specs, pages, index))?;
        let mut sections = document.map(|document| sections(&document)).unwrap_or_default();
        if !pages.shown_on(index).is_empty() {
            // Readers see operations and models as blocks, which do not have these headings.
            sections.iter_mut().for_each(|section| section.anchor = None);
        }
        Ok(sections)
    }
}

/// Returns `None` for unreadable data, so that the rest is still indexed.
pub(crate) fn readable<T>(result: Result<T>) -> StorageResult<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Error::Storage(error)) => Err(error),
        Err(error) => {
            log::warn!("computed pages are not searched: {error}");
            Ok(None)
        }
    }
}
