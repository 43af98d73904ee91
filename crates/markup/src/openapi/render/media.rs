//! Bodies of requests and responses: for each media type its schema and an example.

use crate::limits::openapi::{MAX_EXAMPLE_BYTES, MAX_MEDIA_TYPES};
use std::borrow::Cow;

use super::super::json::Json;
use super::blocks::{code_text, listing, paragraph, text};
use super::example;
use super::resolve::Parts;
use super::schema;
use crate::document::Block;

pub(super) fn content(content: &[(String, Json)], parts: &Parts<'_>) -> Vec<Block> {
    let mut nodes = Vec::new();
    for (media, typed) in content.iter().take(MAX_MEDIA_TYPES).take_while(|_| parts.visit()) {
        nodes.push(paragraph(vec![text("Content type: "), code_text(media.as_str())]));
        if let Some(schema) = typed.get("schema") {
            nodes.extend(schema::schema(schema, parts));
        }
        nodes.extend(examples(media, typed, parts));
    }
    nodes
}

/// Returns the examples given in the specification; else one generated from the schema, for JSON media types.
fn examples(media: &str, typed: &Json, parts: &Parts<'_>) -> Vec<Block> {
    let mut nodes = Vec::new();
    if let Some(example) = typed.get("example") {
        nodes.extend(shown(media, parts.follow(example), parts));
    }
    for (name, example) in typed.entries_of("examples") {
        let example = parts.follow(example);
        let Some(value) = example.get("value") else { continue };
        let title = parts.text(example.str("summary")).unwrap_or(name);
        nodes.extend(shown(media, value, parts).map(|listing| listing.with("title", title)));
    }
    if nodes.is_empty() && (media.contains("json") || media == "*/*") {
        nodes.extend(typed.get("schema").and_then(|schema| example::of_schema(schema, parts)));
    }
    nodes
}

/// Returns an example in its notation: a string as is, other values as JSON. `None` if the page has reached its limit.
fn shown(media: &str, example: &Json, parts: &Parts<'_>) -> Option<Block> {
    let (syntax, code) = match example {
        Json::Text(text) if !media.contains("json") => (syntax(media), Cow::Borrowed(text.as_str())),
        example => ("json", Cow::Owned(example.to_lines_within(MAX_EXAMPLE_BYTES))),
    };
    parts.has_room(code.len().min(MAX_EXAMPLE_BYTES)).then(|| listing(syntax, &code))
}

fn syntax(media: &str) -> &'static str {
    if media.contains("xml") {
        "xml"
    } else if media.contains("html") {
        "html"
    } else if media.contains("yaml") {
        "yaml"
    } else {
        "text"
    }
}
