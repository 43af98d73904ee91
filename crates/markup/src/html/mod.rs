//! HTML → document: web pages and exports of other products.
//!
//! The output is sanitized by construction: the document model cannot represent scripts, styles or event handlers, and
//! only addresses with allowed schemes are kept.

pub(crate) mod address;
mod article;
pub(crate) mod callout;
mod code;
pub(crate) mod color;
mod confluence;
mod dom;
mod flow;
mod google_docs;
mod list;
mod math;
mod media;
mod memo;
mod navigation;
mod notes;
mod page;
mod scope;
mod style;
mod table;
mod tabs;

pub use address::{LINK_SCHEMES, of_link as link_address, runs_no_script};

use crate::document::{Block, Document, Excess, Meter};
use crate::limits::html::MAX_TAGS;
use crate::markdown::RefResolver;
use crate::markdown_html::{Token, tokens};
use std::collections::BTreeMap;

/// Options for reading a page.
#[derive(Clone, Copy)]
pub struct HtmlOptions<'r> {
    /// Resolver of addresses to references. It receives each address as written, with known redirects removed.
    pub refs: &'r dyn RefResolver,
    /// Part of the page to read.
    pub extract: Extract,
}

/// Part of a page to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Extract {
    /// The whole file, for exports of a product.
    #[default]
    Everything,
    /// The article only, without navigation, header, footer and other boilerplate, for pages of a website.
    Article,
}

/// Result of reading a page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Parsed {
    /// Content, without the heading used as title.
    pub document: Document,
    /// Text of the leading first-rank heading.
    pub title: Option<String>,
    /// Heading used as title, with its marks and links.
    pub heading: Option<Block>,
    /// Content of `<title>`. Sites often append their own name.
    pub head_title: Option<String>,
    /// Description in the page's head.
    pub description: Option<String>,
    /// Base of relative addresses (`<base href>`), if the page declares one.
    pub base: Option<String>,
    /// All links of the whole page in order, including those of navigation and boilerplate, for crawlers.
    pub links: Vec<PageLink>,
    /// Addresses of the images in the content, as written, without duplicates.
    pub images: Vec<String>,
    /// Targets that links may name (`#id`), with the anchor of the corresponding heading in the document. Links within
    /// the page are already rewritten; the caller rewrites links from other pages.
    pub anchors: BTreeMap<String, String>,
}

/// Link of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageLink {
    /// Address, as written; empty for the label of a section of the navigation.
    pub href: String,
    /// Text.
    pub text: String,
    /// The link is part of the site's navigation.
    pub in_navigation: bool,
    /// Number of lists around the link. In the navigation, it is the level in the site's outline.
    pub depth: usize,
}

/// Number of leading bytes of a page that are searched for its base.
const MAX_HEAD: usize = 64 << 10;

/// Maximum length in bytes of the rest of a tag after the relation that it names.
const MAX_TAG: usize = 2 << 10;

/// Returns the base of the relative addresses of a page (`<base href>`).
///
/// ```
/// let page = "<head><title>T</title><base href='../'></head><p>Text.</p>";
/// assert_eq!(quire_markup::html::base_address(page).as_deref(), Some("../"));
/// ```
#[must_use]
pub fn base_address(text: &str) -> Option<String> {
    let head = text.get(..text.floor_char_boundary(MAX_HEAD)).unwrap_or(text);
    let at = head.to_ascii_lowercase().find("<base ")?;
    let tag = head.get(at..)?;
    tokens(tag.get(..=tag.find('>')?)?).into_iter().find_map(|spanned| match spanned.token {
        Token::Open(element) if element.name == "base" => element.get("href").map(str::to_owned),
        _ => None,
    })
}

/// Returns the address of the next page (`rel="next"`), which books in several files name.
///
/// ```
/// let page = "<head><link rel='next' href='ch02.html'></head><p>Text.</p>";
/// assert_eq!(quire_markup::html::next_address(page).as_deref(), Some("ch02.html"));
/// ```
#[must_use]
pub fn next_address(text: &str) -> Option<String> {
    let mut searched = text;
    // Only the tags that contain `next` are parsed, not the whole page.
    while let Some(at) = searched.find("next") {
        let (before, behind) = searched.split_at(at);
        let tag = before.rfind('<').and_then(|open| {
            let near = behind.get(..behind.floor_char_boundary(MAX_TAG))?;
            searched.get(open..=at + near.find('>')?)
        });
        let found = tag.into_iter().flat_map(tokens).find_map(|spanned| match spanned.token {
            Token::Open(element) if matches!(element.name.as_str(), "link" | "a") => {
                let is_next =
                    element.get("rel")?.split_whitespace().any(|rel| rel.eq_ignore_ascii_case("next"));
                element.get("href").filter(|_| is_next).map(str::to_owned)
            }
            _ => None,
        });
        if found.is_some() {
            return found;
        }
        searched = behind.get("next".len()..)?;
    }
    None
}

/// Reads a page. Never fails, since any text is HTML. All words of the content are kept, except for values of form
/// fields and content that the page hides.
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

/// [`parse`] for untrusted input: enforces the bounds of documents while it reads, and aborts once `is_late` returns
/// true.
///
/// # Errors
/// [`Excess`] if the document exceeds a bound.
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

/// Reads the blocks of a page that is a part of another document. The ranks of its headings are not settled. `None` if
/// it has too many tags.
pub(crate) fn unsettled_blocks(
    text: &str,
    options: &HtmlOptions<'_>,
    meter: &Meter<'_>,
) -> Option<Vec<Block>> {
    let tags = text.bytes().filter(|byte| *byte == b'<').count();
    (tags <= MAX_TAGS).then(|| page::unsettled_blocks(&dom::Dom::parse(text), options, meter))
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
