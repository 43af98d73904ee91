//! Detection of markup that a page shows as text, by rules that are independent of the report's.

use serde_json::Value;

/// Returns the markup that a document shows: texts, and listings that the source does not have.
pub fn shown(document: &Value, source: &str) -> Vec<String> {
    let mut found = Vec::new();
    collect(document, source, &prose_of(source), &mut found);
    found
}

/// Returns the number of pages that show markup, according to the report.
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
    // The listing may be that of another file.
    if ["{{#include", "{{#rustdoc_include", "--8<--", "<<< "].iter().any(|mark| source.contains(mark)) {
        return true;
    }
    let first = listing.first().map(|line| line.trim()).unwrap_or_default();
    source.lines().zip(source.lines().skip(1)).any(|(fence, line)| {
        line.trim_start_matches([' ', '>', '\t']).trim() == first
            && (fence.contains("```") || fence.contains("~~~"))
    })
}

/// Returns a text without its front matter, fenced listings, code spans and escaped characters.
fn prose_of(source: &str) -> String {
    let front = source.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    let source = front.map_or(source, |(_, body)| body).replace("\\\\", "");
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
        // The info string of a fence contains no backticks: a listing on a single line is a code span.
        let is_fence = text.starts_with("```") && !text.trim_start_matches('`').contains('`');
        if is_fence || text.starts_with("~~~") {
            is_code = !is_code;
        } else if !is_code {
            // Code spans end with the table cell.
            let is_row = line.trim_start().starts_with('|');
            for cell in line.split(|c| is_row && c == '|') {
                let pieces: Vec<&str> = cell.split('`').collect();
                let unpaired = pieces.last().filter(|_| is_row && pieces.len().is_multiple_of(2));
                pieces.iter().step_by(2).chain(unpaired).for_each(|piece| out.push_str(piece));
            }
            out.push('\n');
        }
    }
    out
}

/// Returns up to eight letters at the end of a text. The mark after them is raw if the source has it after the same
/// letters.
fn letters(text: &str) -> &str {
    let letters = text.char_indices().rev().take_while(|(_, c)| c.is_alphanumeric());
    &text[letters.take(8).last().map_or(text.len(), |(at, _)| at)..]
}

/// Returns the syntax of Markdown, HTML or a generator in running text that must also occur in the source.
fn marks(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (at, _) in text.match_indices('<') {
        let behind = &text[at + 1..];
        let name = behind.strip_prefix('/').unwrap_or(behind);
        // Names with dots are words in Markdown; components of MDX are always translated.
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(name.len());
        let rest = &name[end..];
        let is_tag = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && (rest.starts_with("/>")
                || rest.starts_with('>')
                || rest.starts_with(' ') && rest.contains('>'));
        if is_tag {
            let mark = format!("<{}{}", if behind.len() == name.len() { "" } else { "/" }, &name[..end]);
            found.push(format!("{}{mark}", letters(&text[..at])));
        }
    }
    let starts = text.trim_start();
    let lines =
        [":::", "!!! ", "??? ", "/// ", "=== \"", "<<< ", "import {", "export const ", "{: ", "?> ", "!> "];
    found.extend(lines.into_iter().filter(|mark| starts.starts_with(mark)).map(str::to_owned));
    if starts.starts_with("import ") && text.contains(" from ") && text.contains(['\'', '"']) {
        found.push("import ".to_owned());
    }
    for mark in ["{%", "{{<", "{{%", "![", "](", "{*"] {
        found.extend(text.match_indices(mark).map(|(at, _)| format!("{}{mark}", letters(&text[..at]))));
    }
    // The kinds of call-outs and of extensions of DocFX are capital letters, or known words.
    for (at, _) in text.match_indices("[!") {
        let kind: String = text[at + 2..].chars().take_while(char::is_ascii_alphabetic).collect();
        let is_upper = kind.len() > 2 && kind.to_uppercase() == kind;
        let known = ["include", "code", "video", "div", "note", "tip", "important", "warning", "caution"];
        let is_kind = is_upper || known.contains(&kind.to_lowercase().as_str());
        if is_kind && text[at + 2 + kind.len()..].starts_with([']', ' ', '[', '-']) {
            found.push(format!("{}[!{kind}", letters(&text[..at])));
        }
    }
    if let Some((before, rest)) = text.split_once("**")
        && rest.find("**").is_some_and(|at| at > 0)
    {
        found.push(format!("{}**", letters(before)));
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
