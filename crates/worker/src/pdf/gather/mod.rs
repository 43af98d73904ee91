//! Gathers the book of a PDF: pages, their documents, and the content that these include.

mod computed_documents;
mod documents;
mod gathered;
mod openapi_blocks;
mod references;

use quire_content::Result;
use quire_content::computed::expand;
use quire_domain::ids::PageId;
use quire_domain::pdf::{Addresses, Book, BookPage};
use quire_markup::{Block, BlockKind, ContentRef, Document, Inline};
use quire_revision::{PageKind, PageNode, Tree};
use quire_storage::SystemReader;
use quire_storage::operations::pdf::PdfRecord;
use serde_json::Value;

use self::documents::Documents;
pub use self::gathered::{Gathered, GatheredImage};
use self::references::{References, add_files, elsewhere};

/// Reason why there is no book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoBook {
    /// The first page does not exist. Computed pages can disappear between request and rendering.
    #[error("its first page does not exist")]
    FirstPageGone,
    /// The documents exceed their memory limit in this process.
    #[error("its documents have more than {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: u64,
    },
}

/// Gathers the book of a PDF. The inner error is caused by the content. Sends three statements, two more per level of
/// reusable contents, and a few for computed content, whose number its limit bounds.
///
/// # Errors
/// If a statement fails, or the source of computed content cannot be read.
pub fn gather(
    reader: &mut SystemReader<'_>,
    pdf: &PdfRecord,
    addresses: &dyn Addresses,
) -> Result<std::result::Result<Gathered, NoBook>> {
    let tree = reader.pdf_tree(pdf)?;
    let (tree, computed) = expand(reader, pdf.specs(), tree, None)?;
    let Some(pages) = shown(&tree, pdf) else { return Ok(Err(NoBook::FirstPageGone)) };
    let Some(mut documents) = Documents::read(reader, pdf, &tree, &pages)? else {
        return Ok(Err(NoBook::TooLarge { limit: documents::STORED }));
    };
    computed_documents::add(reader, pdf.specs(), &computed, &pages, &mut documents)?;
    openapi_blocks::fill(reader, pdf.specs(), &tree, &computed, &pages, &mut documents)?;
    let mut book =
        Book { title: pdf.title.clone(), subtitle: pdf.subtitle.clone(), date: day(pdf), ..Book::default() };
    let mut found = References::default();
    for (page, depth) in pages {
        let is_left_out = computed.page(page.id).is_some();
        let left_out = || is_left_out.then(|| notice(&tree, pdf, page, addresses));
        let document = documents.pages.remove(&page.id).or_else(left_out);
        if let Some(document) = &document {
            found.add(document);
        }
        let target = target(page);
        if let Some(reference) = target.as_ref().and_then(ContentRef::from_value) {
            found.add_reference(reference);
        }
        book.pages.push(BookPage {
            id: page.id.to_string(),
            depth,
            title: page.title.clone(),
            emoji: page.emoji.clone(),
            description: page.description.clone().filter(|text| !text.trim().is_empty()),
            target,
            document: document.map(|document| document.to_canonical_json().into()),
        });
    }
    for (id, document) in documents.reusable {
        found.add(&document);
        book.reusable_contents.insert(id.to_string(), document.to_canonical_json().into());
    }
    book.elsewhere = elsewhere(&tree, pdf, &found, addresses);
    let pictures = std::mem::take(&mut found.pictures);
    let mut gathered = Gathered { book, images: Vec::new(), pictures };
    add_files(&mut gathered, &tree, pdf, &found, addresses);
    Ok(Ok(gathered))
}

/// Returns the pages of a PDF in reading order, with their depths. Hidden pages are left out unless the PDF starts at
/// them. Returns `None` if the first page does not exist.
fn shown<'t>(tree: &'t Tree, pdf: &PdfRecord) -> Option<Vec<(&'t PageNode, usize)>> {
    let mut pages = Vec::new();
    match pdf.pages.page {
        None => below(tree, None, 0, &mut pages),
        Some(first) => {
            pages.push((tree.page(first)?, 0));
            if !pdf.pages.only {
                below(tree, Some(first), 1, &mut pages);
            }
        }
    }
    Some(pages)
}

fn below<'t>(tree: &'t Tree, parent: Option<PageId>, depth: usize, pages: &mut Vec<(&'t PageNode, usize)>) {
    for page in tree.children(parent).filter(|page| !page.hidden) {
        // An unexpanded placeholder has a title but no content.
        if !matches!(page.kind, PageKind::Computed { .. }) {
            pages.push((page, depth));
        }
        below(tree, Some(page.id), depth.saturating_add(1), pages);
    }
}

fn target(page: &PageNode) -> Option<Value> {
    match &page.kind {
        PageKind::Link { target } => Some(target.clone()),
        PageKind::Document | PageKind::Group | PageKind::Computed { .. } => None,
    }
}

/// Returns the date on which the PDF was requested, as text.
fn day(pdf: &PdfRecord) -> String {
    let date = pdf.created_at.to_datetime().date();
    format!("{} {} {}", date.day(), date.month(), date.year())
}

/// Returns a note that replaces a computed document which does not fit into the book.
fn notice(tree: &Tree, pdf: &PdfRecord, page: &PageNode, addresses: &dyn Addresses) -> Document {
    let path = tree.path_of(page.id).unwrap_or_default();
    let address = ContentRef::url(addresses.page(pdf.space, &path));
    let link = Inline::link(&address, vec![Inline::text("Read it online")]);
    let words = Inline::text("This page is left out, because the book would be too large. ");
    let notice = Block::paragraph(vec![words, link, Inline::text(".")]);
    Document::new(vec![Block::blocks(BlockKind::Hint, vec![notice]).with("style", "info")])
}
