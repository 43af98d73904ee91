//! Rendering of a specification page as a document.

mod blocks;
mod direction;
mod example;
mod media;
mod operation;
mod resolve;
mod sample;
mod schema;
mod server;
mod style;
mod xml;

use std::collections::HashMap;

use self::blocks::{code_text, heading, list, markdown, page_link, paragraph, text};
pub use self::direction::Direction;
pub use self::example::example_of;
pub use self::operation::parameters_of;
pub use self::resolve::{Parts, name_of};
pub use self::sample::{Content, Field, Sample, samples_of};
pub use self::schema::{constraints, type_of};
pub use self::server::server_url;
pub use self::style::{Encoding, Style, scalar};
use super::json::Json;
use super::outline::PageKind;
use crate::document::{Block, Children, ContentRef, Document, Inline};
use crate::html::address;

/// Child of the rendered page.
#[derive(Debug, Clone, Copy)]
pub struct Child<'a> {
    /// Id.
    pub id: &'a str,
    /// Title.
    pub title: &'a str,
    /// Short description.
    pub description: Option<&'a str>,
}

/// Context of a page outside the specification.
pub struct Context<'a> {
    /// Child pages.
    pub children: &'a [Child<'a>],
    /// Blocks that show the operations or models of the page.
    pub blocks: &'a [Block],
    /// Returns the id of the page at a JSON pointer of the specification, if there is one to link to.
    pub page_at: &'a dyn Fn(&str) -> Option<String>,
    /// Returns the key of a block by its index in document order.
    pub key: &'a dyn Fn(usize) -> String,
}

/// Returns the document of a page, from its piece of the specification and the parts that the piece refers to, by JSON
/// pointer. An operation or model is shown by its block if the context has one, otherwise by tables of its content.
///
/// An invalid piece is rendered as far as possible.
#[must_use]
pub fn render(kind: PageKind, body: &Json, parts: &HashMap<&str, &Json>, context: &Context<'_>) -> Document {
    let parts = Parts::new(parts, context.page_at);
    let mut nodes = match kind {
        PageKind::Info => info(body, &parts),
        PageKind::Tag => tag(body),
        PageKind::Operation | PageKind::Model if !context.blocks.is_empty() => Vec::new(),
        PageKind::Operation => operation::operation(body, &parts),
        PageKind::Models => Vec::new(),
        PageKind::Model => model(body, &parts),
    };
    nodes.extend(context.blocks.iter().cloned());
    if context.blocks.is_empty() && (kind != PageKind::Info || nodes.is_empty()) {
        nodes.extend(children(context));
    }
    let mut number = 0;
    nodes.iter_mut().for_each(|block| name_blocks(block, &mut number, context.key));
    Document::new(nodes).with_limited_depth()
}

fn info(body: &Json, parts: &Parts<'_>) -> Vec<Block> {
    let info = body.get("info").unwrap_or(&Json::Null);
    let mut nodes = Vec::new();
    if let Some(version) = info.str("version") {
        nodes.push(paragraph(vec![text("Version: "), code_text(version)]));
    }
    nodes.extend(markdown(info.str("description")));
    nodes.extend(external_docs(body.get("externalDocs")));
    nodes.extend(servers(body.items_of("servers")));
    nodes.extend(operation::security(body.items_of("security"), parts));
    let contact = info.get("contact").and_then(named_link);
    let license = info.get("license").and_then(named_link);
    let terms = info.str("termsOfService").map(|url| link("Terms of service", url));
    let about: Vec<Vec<Inline>> = [
        contact.map(|link| vec![text("Contact: "), link]),
        license.map(|link| vec![text("License: "), link]),
        terms.map(|link| vec![link]),
    ]
    .into_iter()
    .flatten()
    .collect();
    if !about.is_empty() {
        nodes.push(heading(2, "About"));
        nodes.push(list(about));
    }
    nodes
}

fn tag(body: &Json) -> Vec<Block> {
    let tag = body.get("tag").unwrap_or(&Json::Null);
    let mut nodes = markdown(tag.str("description"));
    nodes.extend(external_docs(tag.get("externalDocs")));
    nodes
}

fn model(body: &Json, parts: &Parts<'_>) -> Vec<Block> {
    let Some(schema) = body.get("schema") else { return Vec::new() };
    let mut nodes = markdown(parts.follow(schema).str("description"));
    nodes.extend(schema::schema(schema, parts, Direction::Any));
    nodes.extend(example::of_schema(schema, parts));
    nodes
}

/// Returns a list of links to the child pages.
fn children(context: &Context<'_>) -> Vec<Block> {
    let items = context.children.iter().map(|child| {
        let link = page_link(child.title, child.id);
        match child.description {
            Some(description) => vec![link, text(" "), code_text(description)],
            None => vec![link],
        }
    });
    let items: Vec<Vec<Inline>> = items.collect();
    if items.is_empty() { Vec::new() } else { vec![list(items)] }
}

fn servers(servers: &[Json]) -> Vec<Block> {
    let listed = server::listed(servers);
    listed.map_or_else(Vec::new, |list| vec![heading(2, "Servers"), list])
}

fn external_docs(docs: Option<&Json>) -> Option<Block> {
    let docs = docs?;
    let url = docs.str("url")?;
    Some(paragraph(vec![link(docs.str("description").filter(|text| !text.is_empty()).unwrap_or(url), url)]))
}

/// Returns a contact or license: its name, linked if it has an address.
fn named_link(json: &Json) -> Option<Inline> {
    let mail = json.str("email").map(|email| format!("mailto:{email}"));
    let url = json.str("url").map(str::to_owned).or(mail);
    let name = json.str("name").or_else(|| json.str("email")).or_else(|| json.str("url"))?;
    Some(url.map_or_else(|| text(name), |url| link(name, &url)))
}

/// Returns a link; plain text if the address is disallowed.
fn link(label: &str, url: &str) -> Inline {
    if !address::runs_no_script(url) {
        return text(label);
    }
    Inline::link(&ContentRef::url(url), vec![text(label)])
}

/// Sets the keys of a block and its descendants.
fn name_blocks(block: &mut Block, number: &mut usize, key: &dyn Fn(usize) -> String) {
    block.key = Some(key(*number).into());
    *number = number.saturating_add(1);
    if let Children::Blocks(blocks) = &mut block.children {
        blocks.iter_mut().for_each(|block| name_blocks(block, number, key));
    }
    let inner = (&mut block.fragments).into_iter().flat_map(|fragment| &mut fragment.nodes);
    inner.for_each(|block| name_blocks(block, number, key));
}
