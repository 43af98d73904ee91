//! Documents of a book's computed pages.

use quire_content::Result;
use quire_content::computed::{Computed, documents_of};
use quire_revision::PageNode;
use quire_storage::SystemReader;
use quire_storage::content::openapi_specs::ReadableSpecs;

use super::documents::{Documents, size_of};

/// Documents computed per statement. A few hundred documents may refer to all of a large specification.
const BATCH: usize = 50;

/// Adds the documents of computed pages in reading order, until one does not fit. Sends one statement per [`BATCH`]
/// pages.
pub(super) fn add(
    reader: &mut SystemReader<'_>,
    specs: ReadableSpecs,
    computed: &Computed,
    pages: &[(&PageNode, usize)],
    documents: &mut Documents,
) -> Result<()> {
    let mut room = documents.room();
    let of = |page: &PageNode| computed.page(page.id).map(|(pages, index)| pages.document(index));
    let wanted: Vec<_> = pages.iter().filter_map(|(page, _)| Some((page.id, of(page)?))).collect();
    let mut added = 0_usize;
    for batch in wanted.chunks(BATCH) {
        let made: Vec<_> = batch.iter().map(|(_, document)| *document).collect();
        for ((page, _), document) in batch.iter().zip(documents_of(reader, specs, &made)?) {
            let Some(left) = room.checked_sub(size_of(&document)) else {
                let left_out = wanted.len().saturating_sub(added);
                log::warn!(
                    "a PDF would be too large with {left_out} of its {} computed pages, which are left out",
                    wanted.len()
                );
                return Ok(());
            };
            room = left;
            added = added.saturating_add(1);
            documents.pages.insert(*page, document);
        }
    }
    Ok(())
}
