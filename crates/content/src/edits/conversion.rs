//! Content of a page as Markdown and as a document, without a write.

use quire_domain::documents::DocumentInput;
use quire_domain::error::FieldError;
use quire_domain::ids::PageId;
use quire_markup::{Document, StableRefs, print, resolve_links, try_parse};
use quire_revision::Tree;

use super::body;
use super::links::{Links, NamedLinks};
use super::names::Names;
use super::problems::Problems;
use super::resolved::Lookups;

/// Markdown with the document that it is read as.
#[derive(Debug)]
pub struct Converted {
    /// Markdown without front matter and title.
    pub markdown: String,
    /// Document that a page with this Markdown has.
    pub document: Document,
}

/// Prints a document as Markdown, and reads Markdown as a page of the tree would have it. Reading is aborted once
/// `is_late` returns true.
///
/// # Errors
/// Fields that begin with `document`.
pub fn convert(
    tree: &Tree,
    page: PageId,
    input: DocumentInput,
    is_late: &dyn Fn() -> bool,
) -> Result<Converted, Vec<FieldError>> {
    let markdown = match input {
        DocumentInput::Markdown { markdown } => markdown,
        DocumentInput::Document { document } => print(&body::check_document(&document)?, &StableRefs),
    };
    let document = read(tree, page, &markdown, is_late).map_err(Problems::into_fields)?;
    Ok(Converted { markdown, document })
}

fn read(tree: &Tree, page: PageId, markdown: &str, is_late: &dyn Fn() -> bool) -> Result<Document, Problems> {
    let names = Names::default();
    let mut document = try_parse(markdown, &NamedLinks(&names), is_late).map_err(body::too_much)?;
    body::evaluable(&document, "document.markdown")?;
    resolve_links(&mut document, &Links::of_page(tree, &names, page, &mut Lookups::default()));
    Ok(document)
}
