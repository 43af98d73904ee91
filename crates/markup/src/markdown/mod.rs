//! Markdown ⇄ document.

mod front_matter;
mod page;
mod refs;

pub use front_matter::FrontMatter;
pub use page::{PageSource, parse_page, print_page};
pub use refs::{HrefKind, RefPrinter, RefResolver, StableRefs};

use crate::Document;
use crate::document::{Block, Inline};

/// Reads Markdown. Any text is Markdown: it never fails.
#[must_use]
pub fn parse(text: &str, _refs: &dyn RefResolver) -> Document {
    let paragraphs = text.split("\n\n").map(str::trim).filter(|part| !part.is_empty());
    Document::new(paragraphs.map(|part| Block::paragraph(vec![Inline::text(part)])).collect())
}

/// Writes a document as Markdown.
#[must_use]
pub fn print(document: &Document, _refs: &dyn RefPrinter) -> String {
    crate::plain_text(document)
}
