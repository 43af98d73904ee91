//! Parts of OpenAPI specifications, rendered as an API reference.

mod operation;
mod path;
mod request;
mod schema;
mod snippet;

use crate::blocks::Blocks;
use crate::page::Page;
use crate::references::api_pointers;
use crate::resolve::ApiPiece;
use maud::{Markup, html};
use quire_markup::document::Block;
use quire_markup::openapi::{Json, Parts};
use quire_markup::{BlockKind, Document, Inline, StableRefs, try_parse};
use serde_json::Value;
use std::cell::Cell;
use std::collections::HashMap;

/// State shared by the parts of an operation or model during rendering.
pub(crate) struct Api<'p, 'a, 'j> {
    page: &'p Page<'a>,
    parts: &'j Parts<'j>,
    /// Address of the service.
    server: &'j str,
    /// Level of the headings of the parts.
    level: u8,
    /// Number of properties written so far.
    properties: Cell<usize>,
}

/// Renders the page of a piece. Its headings are headings of the page.
pub(crate) fn page(page: &Page<'_>, piece: &ApiPiece) -> Markup {
    piece_of(page, piece, 2, None)
}

/// Renders a block of an operation or webhook, with a heading of its own.
pub(crate) fn operation_block(page: &Page<'_>, block: &Block) -> Markup {
    let named = [block.str("method"), block.str("path").or_else(|| block.str("name"))];
    let named: Vec<&str> = named.into_iter().flatten().collect();
    let Some(piece) = pieces(page, block).into_iter().flatten().next() else {
        return missing(page, &named.join(" "), block);
    };
    let title = (!block.flag("headless")).then(|| {
        let summary = piece.body.get("operation").and_then(|operation| operation.str("summary"));
        summary.map_or_else(|| named.join(" "), str::to_owned)
    });
    below_heading(page, |level| piece_of(page, piece, level, title.as_deref()))
}

/// Renders a part whose title is one level below the last heading. Restores the level afterwards.
fn below_heading(page: &Page<'_>, write: impl FnOnce(u8) -> Markup) -> Markup {
    let outer = page.level.get();
    let content = write(outer.saturating_add(2).clamp(3, 4));
    page.level.set(outer);
    content
}

/// Renders a block of models.
pub(crate) fn schemas_block(page: &Page<'_>, block: &Block) -> Markup {
    let names = block.data.get("schemas").and_then(Value::as_array);
    let names: Vec<&str> = names.into_iter().flatten().filter_map(Value::as_str).collect();
    let is_grouped = block.data.get("grouped").and_then(Value::as_bool).unwrap_or(true) && names.len() > 1;
    html! {
        @if let Some(title) = block.str("title").filter(|title| !title.is_empty()) { p { strong { (title) } } }
        div.api-models role="group" aria-label=(page.words.models) {
            @for (name, piece) in names.iter().zip(pieces(page, block)) {
                @match piece {
                    None => { (missing(page, name, block)) }
                    Some(piece) if is_grouped => {
                        details.api-model {
                            summary { code { (name) } }
                            (piece_of(page, piece, 4, None))
                        }
                    }
                    Some(piece) => { (below_heading(page, |level| piece_of(page, piece, level, Some(name)))) }
                }
            }
        }
    }
}

/// Returns the pieces that a block names, each at the first of its pointers that exists.
fn pieces<'a>(page: &Page<'a>, block: &Block) -> Vec<Option<&'a ApiPiece>> {
    let resolver = page.resolver;
    let specification = block.reference();
    let find = |pointers: Vec<String>| {
        let specification = specification.as_ref()?;
        pointers.iter().find_map(|pointer| resolver.api(specification, pointer))
    };
    api_pointers(block).into_iter().map(find).collect()
}

fn missing(page: &Page<'_>, name: &str, block: &Block) -> Markup {
    let link = block.reference().map(|reference| page.link(&reference));
    html! {
        div.link-card.broken {
            (page.icon("q-page"))
            span.card-words {
                span.card-name { code { (name) } }
                span.card-about {
                    (page.words.missing_api)
                    @if let Some(link) = link {
                        ": "
                        @match link.href {
                            Some(href) if block.kind == BlockKind::Swagger => a href=(href) { (link.title) },
                            _ => (link.title),
                        }
                    }
                }
            }
        }
    }
}

fn piece_of(page: &Page<'_>, piece: &ApiPiece, level: u8, title: Option<&str>) -> Markup {
    let parts: HashMap<&str, &Json> =
        piece.parts.iter().map(|(pointer, part)| (pointer.as_str(), part)).collect();
    let page_at = |pointer: &str| piece.pages.get(pointer).cloned();
    let parts = Parts::new(&parts, &page_at);
    let server = piece.server.as_deref().unwrap_or_default();
    let api = Api { page, parts: &parts, server, level, properties: Cell::new(0) };
    let is_operation = piece.body.get("operation").is_some();
    html! {
        section.api {
            @if let Some(title) = title { (api.heading(level.saturating_sub(1), title)) }
            @if is_operation { (api.operation(&piece.body)) } @else { (api.model(&piece.body)) }
        }
    }
}

impl Api<'_, '_, '_> {
    /// Renders a heading with its anchor, and adds it to the outline of the page.
    fn heading(&self, level: u8, title: &str) -> Markup {
        let id = self.page.id(&quire_markup::slugify(title));
        let level = level.min(self.page.level.get().saturating_add(1)).max(2);
        self.page.level.set(level);
        if let Some(id) = &id {
            self.page.add_heading(id, level.saturating_sub(1).min(3), title);
        }
        let content = html! {
            (title)
            @if let Some(id) = id.as_ref().filter(|_| self.page.links_headings) { a.anchor href={ "#" (id) } aria-label=(self.page.words.link_to) {} }
        };
        html! {
            @match level {
                2 => h2 id=[id] { (content) },
                3 => h3 id=[id] { (content) },
                _ => h4 id=[id] { (content) },
            }
        }
    }

    /// Renders a text of the specification, which is CommonMark.
    fn markdown(&self, source: Option<&str>) -> Markup {
        let Some(source) = self.parts.text(source).filter(|source| !source.trim().is_empty()) else {
            return html! {};
        };
        match try_parse(source, &StableRefs, &|| false) {
            Ok(document) => self.aside(&document),
            Err(_) => html! { p { (source) } },
        }
    }

    /// Renders a document that was created during rendering.
    fn aside(&self, document: &Document) -> Markup {
        let inner = self.page.aside();
        let content = html! { (Blocks { page: &inner, blocks: &document.nodes }) };
        self.page.merge_inner(inner);
        content
    }

    fn inlines(&self, nodes: &[Inline]) -> Markup {
        let inner = self.page.aside();
        let content = html! { (inner.inlines(nodes)) };
        self.page.merge_inner(inner);
        content
    }
}
