//! Whole pages: front matter, title and text.

use super::front_matter::Split;
use super::parse::{read, try_read};
use super::print::print_title;
use super::{FrontMatter, RefPrinter, RefResolver, print};
use crate::Document;
use crate::document::{Block, Excess};
use crate::text::inline_text;

/// Page read from its Markdown file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageSource {
    /// Front matter.
    pub front_matter: FrontMatter,
    /// Text of the leading `# heading`, which is not part of the document.
    pub title: Option<String>,
    /// Leading heading itself, with its marks and links, for a page with another title.
    pub heading: Option<Block>,
    /// Text. It begins with the listing of an unreadable front matter.
    pub document: Document,
    /// Reason for an unreadable front matter.
    pub unreadable: Option<String>,
}

/// Reads a page. Never fails, since any text is a page.
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
    let split = FrontMatter::split(&text);
    let body = read(split.rest, refs);
    of_parts(split, body)
}

/// [`parse_page`] for untrusted input.
///
/// # Errors
/// [`Excess`](crate::document::Excess) if the document exceeds a bound.
pub fn try_parse_page(
    text: &str,
    refs: &dyn RefResolver,
    is_late: &dyn Fn() -> bool,
) -> Result<PageSource, Excess> {
    let text = super::parse::without_nul(text);
    let split = FrontMatter::split(&text);
    let body = try_read(split.rest, refs, is_late)?;
    Ok(of_parts(split, body))
}

fn of_parts(split: Split<'_>, (mut document, has_title): (Document, bool)) -> PageSource {
    let heading = has_title.then(|| document.nodes.remove(0));
    let words = heading.as_ref().map(|heading| inline_text(heading.child_inlines())).unwrap_or_default();
    // Other spaces than those of ASCII are part of a title, such as the wide one between Japanese words.
    let words: Vec<&str> = words.split_ascii_whitespace().collect();
    let title = Some(words.join(" ")).filter(|title| !title.trim().is_empty());
    let heading = heading.filter(|_| title.is_some());
    let Split { front_matter, unreadable, listing, rest: _ } = split;
    document.nodes.splice(0..0, listing);
    PageSource { front_matter, heading, title, document, unreadable }
}

/// Writes a page: front matter, `# title`, text. [`parse_page`] reads back the same page.
#[must_use]
pub fn print_page(
    front_matter: &FrontMatter,
    title: &str,
    document: &Document,
    refs: &dyn RefPrinter,
) -> String {
    let words: Vec<&str> = title.split_ascii_whitespace().collect();
    let heading = (!title.trim().is_empty()).then(|| print_title(&words.join(" "), refs));
    let front_matter = front_matter.print();
    let body = print(document, refs);
    // Like GitBook, a page without text ends with an empty line.
    let heading = heading.map(|heading| if body.is_empty() { heading + "\n" } else { heading });
    let is_first = front_matter.is_empty() && heading.is_none();
    let parts = [Some(front_matter), heading, Some(if is_first { without_fence(body) } else { body })];
    let parts: Vec<String> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    parts.join("\n")
}

/// Escapes the first line of a text if it would begin a front matter.
fn without_fence(text: String) -> String {
    if text.starts_with("+++") { format!("\\{text}") } else { text }
}
