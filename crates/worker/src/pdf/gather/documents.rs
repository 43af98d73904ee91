//! Stored documents of a book.

use std::collections::{BTreeMap, HashMap};

use quire_content::Result;
use quire_domain::ids::{DocumentId, PageId, ReusableContentId};
use quire_markup::document::{Children, TableView};
use quire_markup::reading::MAX_INCLUSION_DEPTH;
use quire_markup::{Block, ContentRef, Document, links};
use quire_revision::{PageNode, Tree};
use quire_storage::SystemReader;
use quire_storage::operations::pdf::PdfRecord;

/// Maximum size of a book's stored documents, in bytes of JSON. Parsed documents take about ten times as much memory,
/// in a process that also serves requests.
pub(super) const STORED: u64 = 64 << 20;

/// Maximum number of blocks and table cells of a book with computed content. Specifications are mostly tables, and the
/// renderer, which is limited to two gigabytes, needs some 20 KB per cell.
const COMPUTED: usize = 50_000;

/// The documents of a book.
#[derive(Debug, Default)]
pub(super) struct Documents {
    /// The documents of its pages.
    pub(super) pages: HashMap<PageId, Document>,
    /// The documents of the included reusable contents.
    pub(super) reusable: BTreeMap<ReusableContentId, Document>,
}

impl Documents {
    /// Reads the stored documents of pages and of the reusable contents that they include. Sends two statements, and
    /// two more per level of reusable contents. Returns `None` if the documents exceed the limit.
    pub(super) fn read(
        reader: &mut SystemReader<'_>,
        pdf: &PdfRecord,
        tree: &Tree,
        pages: &[(&PageNode, usize)],
    ) -> Result<Option<Self>> {
        let mut room = STORED;
        let wanted = pages.iter().filter_map(|(page, _)| Some((page.id, page.document?)));
        let Some(pages) = parsed(reader, pdf, wanted.collect(), &mut room)? else { return Ok(None) };
        let pages: HashMap<_, _> = pages.into_iter().collect();
        let mut reusable: BTreeMap<ReusableContentId, Document> = BTreeMap::new();
        let mut named: Vec<ReusableContentId> = pages.values().flat_map(reusable_contents).collect();
        for _ in 0..MAX_INCLUSION_DEPTH {
            named.sort_unstable();
            named.dedup();
            let new = named.drain(..).filter(|id| !reusable.contains_key(id));
            let new = new.filter_map(|id| Some((id, tree.reusable_content(id)?.document?)));
            let new: Vec<_> = new.collect();
            if new.is_empty() {
                break;
            }
            let Some(new) = parsed(reader, pdf, new, &mut room)? else { return Ok(None) };
            named.extend(new.iter().flat_map(|(_, document)| reusable_contents(document)));
            reusable.extend(new);
        }
        Ok(Some(Self { pages, reusable }))
    }

    /// Returns the number of blocks and cells of computed content that still fit into the book.
    pub(super) fn room(&self) -> usize {
        let stored: usize = self.pages.values().chain(self.reusable.values()).map(size_of).sum();
        COMPUTED.saturating_sub(stored)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Document> {
        self.reusable.values().chain(self.pages.values())
    }

    /// Returns all documents for changes: reusable contents first, because several pages may include them.
    pub(super) fn all_mut<'d>(
        &'d mut self,
        pages: &[(&PageNode, usize)],
    ) -> impl Iterator<Item = &'d mut Document> {
        let order: HashMap<PageId, usize> =
            pages.iter().enumerate().map(|(number, (page, _))| (page.id, number)).collect();
        let mut pages: Vec<_> = self.pages.iter_mut().collect();
        pages.sort_unstable_by_key(|(id, _)| order.get(*id).copied());
        self.reusable.values_mut().chain(pages.into_iter().map(|(_, document)| document))
    }
}

/// Returns documents with their owners, with at most two statements, or `None` if they exceed the size limit. An
/// unreadable stored document counts as empty.
fn parsed<Id>(
    reader: &mut SystemReader<'_>,
    pdf: &PdfRecord,
    wanted: Vec<(Id, DocumentId)>,
    room: &mut u64,
) -> Result<Option<Vec<(Id, Document)>>> {
    let ids: Vec<DocumentId> = wanted.iter().map(|(_, document)| *document).collect();
    match room.checked_sub(reader.pdf_documents_bytes(pdf, &ids)?) {
        Some(left) => *room = left,
        None => return Ok(None),
    }
    let documents = reader.pdf_documents(pdf, &ids)?;
    let parse = |id: &DocumentId| Document::from_stored(documents.get(id)?.as_bytes()).ok();
    Ok(Some(wanted.into_iter().map(|(of, id)| (of, parse(&id).unwrap_or_default())).collect()))
}

fn reusable_contents(document: &Document) -> impl Iterator<Item = ReusableContentId> + use<> {
    links(document).into_iter().filter_map(|link| match link.reference {
        ContentRef::ReusableContent { reusable_content, space: None } => reusable_content.parse().ok(),
        _ => None,
    })
}

/// Returns the number of blocks and table cells of a document.
pub(super) fn size_of(document: &Document) -> usize {
    size_of_blocks(&document.nodes)
}

/// Returns the number of blocks and their descendants. Empty cells count too.
pub(super) fn size_of_blocks(blocks: &[Block]) -> usize {
    let within = |block: &Block| {
        let children = match &block.children {
            Children::Blocks(blocks) => size_of_blocks(blocks),
            Children::Void | Children::Inlines(_) => 0,
        };
        let fragments: usize = block.fragments.iter().map(|fragment| size_of_blocks(&fragment.nodes)).sum();
        let table = TableView::new(block);
        let cells = table.map_or(0, |table| table.records().len().saturating_mul(table.columns().len()));
        children.saturating_add(fragments.max(cells))
    };
    blocks.iter().map(within).fold(blocks.len(), usize::saturating_add)
}
