//! Printer of documents as Markdown.

mod blocks;
mod choices;
mod emphasis;
mod escape;
mod html;
mod inlines;
mod properties;
mod simple;
mod table;
mod tag_blocks;

use super::RefPrinter;
use crate::document::{Block, Document, Inline};
use blocks::BlockContext;
pub(in crate::markdown) use inlines::html_emoji;
use std::cell::RefCell;

/// Writes a document as Markdown. If the document came from Markdown, parsing the result returns the same document.
///
/// ```
/// use quire_markup::{StableRefs, parse, print};
/// let document = parse("* one\n* **two**", &StableRefs);
/// assert_eq!(print(&document, &StableRefs), "* one\n* **two**\n");
/// ```
#[must_use]
pub fn print(document: &Document, refs: &dyn RefPrinter) -> String {
    let printer = Printer { refs, notes: RefCell::new(Vec::new()) };
    let mut text = printer.blocks(&document.nodes, BlockContext::Top);
    let mut printed = 0;
    // Writing a note may add further notes.
    loop {
        let Some(body) = printer.notes.borrow().get(printed).copied() else { break };
        printed += 1;
        let body = printer.blocks(body, BlockContext::Top);
        // A tag must begin a line, but the first line begins with the note's name. An invisible comment takes that
        // line.
        let markers = |c: char| c.is_ascii_digit() || matches!(c, ' ' | '>' | '*' | '-' | '.' | ')');
        let body = if body.trim_start_matches(markers).starts_with("{%") {
            format!("<!-- -->\n\n{body}")
        } else {
            body
        };
        let body = blocks::indent(&body, "    ");
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(&format!("[^{printed}]: {}", body.trim_start()));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// Writes the line of a page's title.
pub(super) fn print_title(title: &str, refs: &dyn RefPrinter) -> String {
    let words = [Inline::text(title)];
    let printer = Printer { refs, notes: RefCell::new(Vec::new()) };
    format!("# {}\n", printer.heading_line(&words, None)).replace(" \n", "\n")
}

struct Printer<'d> {
    refs: &'d dyn RefPrinter,
    /// Bodies of annotations, in the order of their numbers.
    notes: RefCell<Vec<&'d [Block]>>,
}

impl<'d> Printer<'d> {
    /// Adds a note and returns its number.
    fn note(&self, body: &'d [Block]) -> usize {
        let mut notes = self.notes.borrow_mut();
        notes.push(body);
        notes.len()
    }
}
