//! Extraction of the facts that a crawl needs about a page.

use std::time::{Duration, Instant};

use quire_markup::StableRefs;
use quire_markup::html::{Extract, HtmlOptions, PageLink, try_parse};
use url::Url;

use crate::encoding;
use crate::stub;

/// Time limit for parsing one page.
const READING_TIME: Duration = Duration::from_secs(20);

/// Links and metadata of a page.
#[derive(Debug)]
pub(super) struct Scanned {
    /// Base of relative addresses.
    pub(super) base: Url,
    /// Canonical address.
    pub(super) canonical: Option<Url>,
    /// Links in order.
    pub(super) links: Vec<PageLink>,
    /// Pictures of the content.
    pub(super) images: Vec<Url>,
    /// Address that the page redirects to, if it is a stub.
    pub(super) stub_of: Option<Url>,
    /// The page is mdBook's print page, which contains all others.
    pub(super) is_print: bool,
}

/// Reads the page at `url`.
pub(super) fn scan(url: &Url, bytes: &[u8]) -> Scanned {
    let text = encoding::decode(bytes).text;
    let deadline = Instant::now() + READING_TIME;
    let options = HtmlOptions { refs: &StableRefs, extract: Extract::Article };
    // A page that exceeds a bound is reported by the plan, and its links are not followed.
    let page = try_parse(&text, &options, &|| Instant::now() > deadline).unwrap_or_default();
    let base = page.base.as_deref().and_then(|base| url.join(base).ok()).unwrap_or_else(|| url.clone());
    let canonical = canonical(&text).and_then(|href| base.join(href).ok());
    let images = page.images.iter().filter_map(|src| base.join(src).ok());
    let images = images.filter(|image| matches!(image.scheme(), "http" | "https")).collect();
    let is_print = url.path().ends_with("/print.html") && text.contains("Book generated using mdBook");
    let stub_of = stub::target(&text).and_then(|href| base.join(href).ok());
    Scanned { canonical, stub_of, links: page.links, images, base, is_print }
}

/// Returns the address in `<link rel="canonical" href="…">`.
fn canonical(text: &str) -> Option<&str> {
    let head = text.split_once("<body").map_or(text, |(head, _)| head);
    let tags = head.split("<link").skip(1).filter_map(|behind| behind.split('>').next());
    let tag = tags.into_iter().find(|tag| attribute(tag, "rel") == Some("canonical"))?;
    attribute(tag, "href").filter(|href| !href.is_empty())
}

fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let (_, value) = tag.split_once(&format!(" {name}="))?;
    match value.chars().next()? {
        quote @ ('"' | '\'') => value.get(1..)?.split(quote).next(),
        _ => value.split([' ', '/']).next(),
    }
}
