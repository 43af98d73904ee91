//! HTML → document: pages of the web and what products export.
//!
//! What comes out is sanitized by construction: the document model has no place for scripts, styles or event handlers, and an address
//! is taken only if its scheme is known to run nothing.

pub(crate) mod address;
mod article;
pub(crate) mod callout;
mod code;
pub(crate) mod color;
mod dom;
mod flow;
mod list;
mod lookups;
mod math;
mod media;
mod navigation;
mod page;
mod scope;
mod style;
mod table;
mod tabs;

pub use address::{LINK_SCHEMES, runs_nothing};

use crate::document::{Block, Document, Excess, Meter};
use crate::limits::html::MAX_TAGS;
use crate::markdown::RefResolver;
use std::collections::BTreeMap;

/// How a page is read.
#[derive(Clone, Copy)]
pub struct HtmlOptions<'r> {
    /// Turns addresses into references; it sees each address as it is written, but for redirects that hide the real one.
    pub refs: &'r dyn RefResolver,
    /// Which part of the page is its content.
    pub extract: Extract,
}

/// Which part of a page is its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Extract {
    /// All of it: a file that a product exported.
    #[default]
    Everything,
    /// Its article, without navigation, header, footer and other boilerplate: a page of a website.
    Article,
}

/// A page, read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Parsed {
    /// Its content, without the heading that is its title.
    pub document: Document,
    /// The words of the leading heading of the first rank.
    pub title: Option<String>,
    /// That heading itself, with its marks and links.
    pub heading: Option<Block>,
    /// What the page's head says the title is. Sites add their own name to it.
    pub head_title: Option<String>,
    /// What the page's head says it is about.
    pub description: Option<String>,
    /// The address that relative ones start from (`<base href>`), if it isn't the page's own.
    pub base: Option<String>,
    /// All links of the whole page in their order, those of its navigation and boilerplate included: where a crawl goes on.
    pub links: Vec<PageLink>,
    /// The addresses of the images in the content, as written, each once.
    pub images: Vec<String>,
    /// Places that links may name (`#id`), and the anchor of the heading that they lead to in the document. Links within the page are rewritten
    /// already; those of other pages are the caller's.
    pub anchors: BTreeMap<String, String>,
}

/// A link of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageLink {
    /// Its address, as written; empty for the label of a section of the navigation.
    pub href: String,
    /// Its words.
    pub text: String,
    /// Whether it is part of the site's navigation.
    pub in_navigation: bool,
    /// How many lists of the navigation it is in: the shape of the site's outline.
    pub depth: usize,
}

/// Reads a page. Any text is HTML: it never fails. The words of the content stay, but for those of forms' fields, which nobody wrote there, and of
/// what the page itself hides.
///
/// ```
/// use quire_markup::html::{Extract, HtmlOptions, parse};
/// let options = HtmlOptions { refs: &quire_markup::StableRefs, extract: Extract::Everything };
/// let page = parse("<h1>Start</h1><p onclick='x()'>Mind the <b>gap</b>.</p><script>x()</script>", &options);
/// assert_eq!(page.title.as_deref(), Some("Start"));
/// assert_eq!(quire_markup::print(&page.document, &quire_markup::StableRefs), "Mind the **gap**.\n");
/// ```
#[must_use]
pub fn parse(text: &str, options: &HtmlOptions<'_>) -> Parsed {
    page::read(&dom::Dom::parse(text), options, &Meter::unbounded())
}

/// [`parse`] for untrusted input: enforces the bounds of documents while it reads, and aborts once `is_late` returns true.
///
/// # Errors
/// [`Excess`].
pub fn try_parse(
    text: &str,
    options: &HtmlOptions<'_>,
    is_late: &dyn Fn() -> bool,
) -> Result<Parsed, Excess> {
    if text.bytes().filter(|byte| *byte == b'<').count() > MAX_TAGS {
        return Err(Excess::Nodes);
    }
    let meter = Meter::new(is_late);
    let page = page::read(&dom::Dom::parse(text), options, &meter);
    meter.check(&page.document)?;
    Ok(page)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::StableRefs;
    use crate::document::{MAX_LINKS, MAX_NODES};

    const OPTIONS: HtmlOptions<'_> = HtmlOptions { refs: &StableRefs, extract: Extract::Everything };

    #[test]
    fn a_page_that_takes_too_long_is_given_up_on_the_way() {
        let text = "<p>a</p>".repeat(10_000);
        let looks = Cell::new(0);
        let is_late = || {
            looks.set(looks.get() + 1);
            looks.get() > 3
        };
        assert_eq!(try_parse(&text, &OPTIONS, &is_late), Err(Excess::Time));
        assert_eq!(looks.get(), 4);
        assert!(try_parse(&text, &OPTIONS, &|| false).is_ok());
    }

    #[test]
    fn a_page_is_read_no_further_than_to_a_bound() {
        for (text, excess) in [
            ("<p>a".repeat(MAX_NODES / 2 + 1), Excess::Nodes),
            ("<b></b>".repeat(MAX_TAGS / 2 + 1), Excess::Nodes),
            ("<a href='https://a.example'>a</a>".repeat(MAX_LINKS + 1), Excess::Links),
        ] {
            assert_eq!(try_parse(&text, &OPTIONS, &|| false), Err(excess));
        }
    }
}
