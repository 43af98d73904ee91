//! Finds markup of a source that a page shows as text, by other rules than the report's.

use serde_json::Value;

/// Returns the markup that a document shows: texts, and listings that the source does not have.
pub fn shown(document: &Value, source: &str) -> Vec<String> {
    let mut found = Vec::new();
    collect(document, source, &prose_of(source), &mut found);
    found
}

/// Returns the number of pages that show markup, as the report says.
pub fn named<'m>(mut messages: impl Iterator<Item = &'m str>) -> usize {
    let count = messages.find_map(|message| {
        let (count, rest) = message.split_once(" of ")?;
        rest.ends_with("pages show markup of their source as text").then(|| count.parse().ok())?
    });
    count.unwrap_or(0)
}

fn collect(node: &Value, source: &str, prose: &str, found: &mut Vec<String>) {
    if let Some(list) = node.as_array() {
        return list.iter().for_each(|node| collect(node, source, prose, found));
    }
    let Some(object) = node.as_object() else { return };
    if object.get("type").and_then(Value::as_str) == Some("code") {
        let lines: Vec<String> =
            object.get("nodes").and_then(Value::as_array).into_iter().flatten().map(text_of).collect();
        let syntax = node.pointer("/data/syntax").and_then(Value::as_str).unwrap_or_default();
        if syntax == "html" && !is_fenced(source, &lines) {
            found.push(lines.join("\n"));
        }
        return;
    }
    if let Some(text) = object.get("text").and_then(Value::as_str) {
        let is_code = object.get("marks").is_some_and(|marks| marks.to_string().contains("\"code\""));
        if !is_code && marks(text).iter().any(|mark| prose.contains(mark.as_str())) {
            found.push(text.to_owned());
        }
    }
    object.values().for_each(|value| collect(value, source, prose, found));
}

fn text_of(node: &Value) -> String {
    match node {
        Value::Array(list) => list.iter().map(text_of).collect(),
        Value::Object(object) => {
            let own = object.get("text").and_then(Value::as_str).unwrap_or_default();
            let inner = object.values().filter(|value| !value.is_string()).map(text_of);
            format!("{own}{}", inner.collect::<String>())
        }
        _ => String::new(),
    }
}

fn is_fenced(source: &str, listing: &[String]) -> bool {
    let first = listing.first().map(|line| line.trim()).unwrap_or_default();
    source.lines().zip(source.lines().skip(1)).any(|(fence, line)| {
        line.trim_start_matches([' ', '>', '\t']).trim() == first
            && (fence.contains("```") || fence.contains("~~~"))
    })
}

/// Returns a text without fenced listings, code spans and escaped characters.
fn prose_of(source: &str) -> String {
    let source = source.replace("\\\\", "");
    let pieces: Vec<&str> = source.split('\\').collect();
    let escaped = pieces.iter().skip(1).map(|piece| {
        let first = piece.chars().next().filter(char::is_ascii_punctuation);
        &piece[first.map_or(0, char::len_utf8)..]
    });
    let source: String = pieces.first().copied().into_iter().chain(escaped).collect();
    let mut out = String::new();
    let mut is_code = false;
    for line in source.lines() {
        let text = line.trim_start_matches([' ', '>', '-', '*', '\t']);
        if text.starts_with("```") || text.starts_with("~~~") {
            is_code = !is_code;
        } else if !is_code {
            let pieces = line.split('`').step_by(2);
            pieces.for_each(|piece| out.push_str(piece));
            out.push('\n');
        }
    }
    out
}

/// Returns the syntax of Markdown, HTML or a generator in running text, as far as a source must contain it.
fn marks(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (at, _) in text.match_indices('<') {
        let behind = &text[at + 1..];
        let name = behind.strip_prefix('/').unwrap_or(behind);
        let end =
            name.find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '.').unwrap_or(name.len());
        let rest = &name[end..];
        let is_tag = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && (rest.starts_with("/>")
                || rest.starts_with('>')
                || rest.starts_with(' ') && rest.contains('>'));
        if is_tag {
            found.push(format!("<{}{}", if behind.len() == name.len() { "" } else { "/" }, &name[..end]));
        }
    }
    let starts = text.trim_start();
    let lines = [":::", "!!! ", "??? ", "/// ", "=== \"", "<<< ", "import {", "export const ", "{: "];
    found.extend(lines.into_iter().filter(|mark| starts.starts_with(mark)).map(str::to_owned));
    if starts.starts_with("import ") && text.contains(" from ") && text.contains(['\'', '"']) {
        found.push("import ".to_owned());
    }
    for mark in ["{%", "{{<", "{{%", "![", "](", "{*", "[!NOTE", "[!IMPORTANT"] {
        if text.contains(mark) {
            found.push(mark.to_owned());
        }
    }
    if text.split_once("**").is_some_and(|(_, rest)| rest.find("**").is_some_and(|at| at > 0)) {
        found.push("**".to_owned());
    }
    let is_formula = |inside: &&str| {
        let has_command = inside.contains(['^', '\\']);
        (has_command || inside.contains('_') && !inside.contains(['{', '/'])) && inside.trim() == *inside
    };
    let pieces: Vec<&str> = text.split('$').collect();
    if pieces.len() > 2 && pieces[1..pieces.len() - 1].iter().any(is_formula) {
        found.push("$".to_owned());
    }
    let is_wiki = |(at, _): (usize, &str)| text[at + 2..].starts_with(char::is_alphabetic);
    if text.contains("]]") && text.match_indices("[[").any(is_wiki) {
        found.push("[[".to_owned());
    }
    if text.contains("{{") && text.contains("}}") {
        found.push("{{".to_owned());
    }
    found
}
