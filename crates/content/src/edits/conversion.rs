//! Conversion between Markdown and documents without a write.

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

/// Markdown, and the document that results from reading it.
#[derive(Debug)]
pub struct Converted {
    /// Markdown without front matter and title.
    pub markdown: String,
    /// Document of a page with this Markdown.
    pub document: Document,
}

/// Converts a document to Markdown, or Markdown to a document as if it belonged to the page of the tree. Reading is
/// aborted once `is_late` returns true.
///
/// # Errors
/// Errors with fields that begin with `document`, the key of the request.
pub fn convert(
    tree: &Tree,
    page: PageId,
    input: DocumentInput,
    is_late: &dyn Fn() -> bool,
) -> Result<Converted, Vec<FieldError>> {
    let markdown = match input {
        DocumentInput::Markdown { markdown } => markdown,
        DocumentInput::Document { document } => {
            let document = body::check_document(&document).map_err(below_document)?;
            print(&document, &StableRefs)
        }
    };
    let document = read(tree, page, &markdown, is_late).map_err(Problems::into_fields)?;
    Ok(Converted { markdown, document })
}

/// Prepends the key of the body that holds the document.
fn below_document(fields: Vec<FieldError>) -> Vec<FieldError> {
    Problems::all(fields).below("document").into_fields()
}

fn read(tree: &Tree, page: PageId, markdown: &str, is_late: &dyn Fn() -> bool) -> Result<Document, Problems> {
    let names = Names::default();
    let mut document = try_parse(markdown, &NamedLinks(&names), is_late).map_err(body::too_much)?;
    body::evaluable(&document, "document.markdown")?;
    resolve_links(&mut document, &Links::of_page(tree, &names, page, &mut Lookups::default()));
    Ok(document)
}
