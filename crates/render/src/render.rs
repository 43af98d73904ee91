//! Rendering of whole pages.

use crate::api;
use crate::block;
use crate::blocks::Blocks;
use crate::limits::BYTES_A_BLOCK;
use crate::page::{Options, Page, Rendered};
use crate::resolve::{ApiPiece, Resolver};
use maud::Render;
use quire_markup::Document;

/// Renders a document as HTML.
///
/// ```
/// use quire_markup::{StableRefs, parse};
/// use quire_render::{Highlighter, Options, Resolved, render};
/// let document = parse("## Install\n\nRun `quire` & *read*.", &StableRefs);
/// let highlighter = Highlighter::default();
/// let page = render(&document, &Resolved::default(), &Options::english(&highlighter));
/// assert!(page.html.ends_with("<p>Run <code>quire</code> &amp; <em>read</em>.</p>"));
/// assert_eq!(page.outline[0].anchor, "install");
/// ```
#[must_use]
pub fn render(document: &Document, resolver: &dyn Resolver, options: &Options<'_>) -> Rendered {
    let page = Page::new(resolver, options, block::write);
    page.add_headings(document);
    let mut html = String::with_capacity(document.nodes.len().saturating_mul(BYTES_A_BLOCK));
    Blocks { page: &page, blocks: &document.nodes }.render_to(&mut html);
    page.finish(html)
}

/// Renders the page of an operation, webhook or model of a specification.
#[must_use]
pub fn render_api(piece: &ApiPiece, resolver: &dyn Resolver, options: &Options<'_>) -> Rendered {
    let page = Page::new(resolver, options, block::write);
    let html = api::page(&page, piece).into_string();
    page.finish(html)
}
