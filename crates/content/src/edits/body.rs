//! Parsed bodies of changes.

use quire_domain::content::PageMetadata;
use quire_domain::direction::without_direction_controls;
use quire_domain::documents::DocumentInput;
use quire_domain::error::FieldError;
use quire_importer::condition_problems;
use quire_markup::{
    Block, BlockKind, Document, Excess, inline_text, rewrite_refs, try_parse, try_parse_page,
};
use serde_json::Value;

use super::links::NamedLinks;
use super::metadata;
use super::names::Names;
use super::problems::Problems;

/// Parsed body.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) document: Document,
    pub(super) format: Format,
}

/// Format of a body.
#[derive(Debug)]
pub(super) enum Format {
    /// JSON document. Its references are final.
    Document {
        /// Text of the leading heading.
        heading: Option<String>,
    },
    /// Markdown. Its links are resolved in the tree.
    Markdown,
    /// Markdown of a page with metadata.
    Page {
        front_matter: Box<PageMetadata>,
        /// Text of the leading heading, which is the title of a page without another one.
        title: Option<String>,
        /// The leading heading, which is not part of the document.
        heading: Option<Block>,
        /// True if the front matter refers to a cover by address.
        has_cover: bool,
    },
}

impl Body {
    /// Parses the body of a page.
    pub(super) fn of_page(
        input: &DocumentInput,
        names: &Names,
        is_late: &dyn Fn() -> bool,
    ) -> Result<Self, Problems> {
        let markdown = match input {
            DocumentInput::Document { document } => return Self::of_document(document, names),
            DocumentInput::Markdown { markdown } => markdown,
        };
        let page = try_parse_page(markdown, &NamedLinks(names), is_late).map_err(too_much)?;
        if let Some(reason) = page.unreadable {
            return Err(Problems::new(
                metadata::MARKDOWN,
                format!("its front matter cannot be read: {reason}"),
            ));
        }
        evaluable(&page.document, "document.markdown")?;
        let has_cover = page.front_matter.cover.is_some();
        let front_matter = Box::new(metadata::of_front_matter(page.front_matter)?);
        let format = Format::Page { front_matter, title: page.title, heading: page.heading, has_cover };
        Ok(Self { document: page.document, format })
    }

    /// Parses the body of a reusable content, which has its own title and no front matter.
    pub(super) fn of_reusable_content(
        input: &DocumentInput,
        names: &Names,
        is_late: &dyn Fn() -> bool,
    ) -> Result<Self, Problems> {
        match input {
            DocumentInput::Document { document } => Self::of_document(document, names),
            DocumentInput::Markdown { markdown } => {
                let document = try_parse(markdown, &NamedLinks(names), is_late).map_err(too_much)?;
                evaluable(&document, "document.markdown")?;
                Ok(Self { document, format: Format::Markdown })
            }
        }
    }

    fn of_document(document: &Value, names: &Names) -> Result<Self, Problems> {
        let mut document = read_document(document).map_err(|problems| problems.below("document"))?;
        evaluable(&document, "document")?;
        rewrite_refs(&mut document, &mut |reference| names.settle(reference));
        let heading = first_heading(&document);
        Ok(Self { document, format: Format::Document { heading } })
    }
}

/// Parses a document and checks that a page may have it.
///
/// # Errors
/// Errors with fields that begin with `document`.
pub fn check_document(document: &Value) -> Result<Document, Vec<FieldError>> {
    let document = read_document(document).map_err(Problems::into_fields)?;
    evaluable(&document, "document").map_err(Problems::into_fields)?;
    Ok(document)
}

fn read_document(document: &Value) -> Result<Document, Problems> {
    Document::from_json(document).map_err(|errors| {
        let fields = errors.into_iter().map(|error| FieldError { field: error.path, message: error.message });
        Problems::all(fields)
    })
}

/// Rejects conditions that cannot be evaluated, because visitors would never see their blocks.
pub(super) fn evaluable(document: &Document, field: &str) -> Result<(), Problems> {
    let problems = condition_problems(document);
    if problems.is_empty() { Ok(()) } else { Err(Problems::new(field, problems.join("; "))) }
}

pub(super) fn too_much(excess: Excess) -> Problems {
    Problems::new("document.markdown", excess.to_string())
}

/// Returns the text of the heading at the start of a document.
fn first_heading(document: &Document) -> Option<String> {
    let first = document.nodes.first().filter(|block| block.kind == BlockKind::Heading1)?;
    let words = inline_text(first.child_inlines());
    let words: Vec<&str> = words.split_whitespace().collect();
    let title: String =
        without_direction_controls(&words.join(" ")).chars().take(metadata::TITLE_MAX).collect();
    Some(title).filter(|title| !title.is_empty())
}
