//! Whole pages: front matter, title, text.

use super::{FrontMatter, RefPrinter, RefResolver, parse, print, try_parse};
use crate::Document;
use crate::document::{Block, BlockKind, Excess, Inline};
use crate::text::inline_text;

/// A page as its Markdown file states it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageSource {
    /// What stands before the text.
    pub front_matter: FrontMatter,
    /// The words of the leading `# heading`, which isn't part of the document then.
    pub title: Option<String>,
    /// The text.
    pub document: Document,
}

/// Reads a page. Any text is a page.
///
/// ```
/// let page = quire_markup::parse_page("---\nicon: rocket\n---\n# Start\n\nHello.\n", &quire_markup::StableRefs);
/// assert_eq!(page.title.as_deref(), Some("Start"));
/// assert_eq!(page.front_matter.icon.as_deref(), Some("rocket"));
/// assert_eq!(quire_markup::plain_text(&page.document), "Hello.");
/// ```
#[must_use]
pub fn parse_page(text: &str, refs: &dyn RefResolver) -> PageSource {
    let text = super::parse::without_nul(text);
    let (front_matter, body) = FrontMatter::split(&text);
    of_parts(front_matter, parse(body, refs))
}

/// [`parse_page`] for untrusted input.
///
/// # Errors
/// As [`try_parse`].
pub fn try_parse_page(
    text: &str,
    refs: &dyn RefResolver,
    is_late: &dyn Fn() -> bool,
) -> Result<PageSource, Excess> {
    let text = super::parse::without_nul(text);
    let (front_matter, body) = FrontMatter::split(&text);
    Ok(of_parts(front_matter, try_parse(body, refs, is_late)?))
}

fn of_parts(front_matter: FrontMatter, mut document: Document) -> PageSource {
    let mut title = None;
    if document.nodes.first().is_some_and(|block| block.kind == BlockKind::Heading1) {
        let heading = document.nodes.remove(0);
        let words = inline_text(heading.child_inlines());
        let words: Vec<&str> = words.split_whitespace().collect();
        title = Some(words.join(" ")).filter(|title| !title.is_empty());
    }
    PageSource { front_matter, title, document }
}

/// Writes a page: front matter, `# title`, text. [`parse_page`] reads the same back.
#[must_use]
pub fn print_page(
    front_matter: &FrontMatter,
    title: &str,
    document: &Document,
    refs: &dyn RefPrinter,
) -> String {
    let words: Vec<&str> = title.split_whitespace().collect();
    let heading = Block::inlines(BlockKind::Heading1, vec![Inline::text(words.join(" "))]);
    let starts_with_title = document.nodes.first().is_some_and(|block| block.kind == BlockKind::Heading1);
    // Without a title, a first heading of the text would be taken for it.
    let heading = (!words.is_empty() || starts_with_title).then_some(heading);
    let heading = heading.map(|heading| print(&Document::new(vec![heading]), refs));
    let front_matter = front_matter.print();
    let parts = [Some(front_matter), heading, Some(print(document, refs))];
    let parts: Vec<String> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    parts.join("\n")
}
