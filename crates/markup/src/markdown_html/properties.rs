//! Properties without a syntax of their own, which are JSON in a comment or an attribute.
//!
//! `<!-- properties {"icon":"star"} -->` before a block (or after an inline node) sets its properties, and removes
//! those that are null. `<!-- properties of 2 {…} -->` before a block applies to its second part: an item, a line, an
//! image.

use serde_json::{Map, Value};

/// Attribute with the same JSON, for blocks written as elements.
pub(crate) const ATTRIBUTE: &str = "data-properties";

/// Content of a properties comment.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Properties {
    /// Zero-based index of the part of the block that the properties apply to; `None` for the block itself.
    pub(crate) part: Option<usize>,
    /// Properties to set, or to remove if null.
    pub(crate) patch: Map<String, Value>,
}

impl Properties {
    /// Reads the properties in a comment; `None` for other comments.
    pub(crate) fn read(comment: &str) -> Option<Self> {
        let rest = comment.trim().strip_prefix("properties ")?.trim_start();
        let (part, json) = match rest.strip_prefix("of ") {
            Some(rest) => {
                let (number, json) = rest.split_once(' ')?;
                (Some(number.parse::<usize>().ok()?.checked_sub(1)?), json)
            }
            None => (None, rest),
        };
        Some(Self { part, patch: from_json(json)? })
    }

    /// Writes the comment; an empty string if there are no properties.
    pub(crate) fn write(&self) -> String {
        if self.patch.is_empty() {
            return String::new();
        }
        let part = self.part.map(|part| format!("of {} ", part + 1)).unwrap_or_default();
        format!("<!-- properties {part}{} -->", to_json(&self.patch))
    }
}

/// Writes the comment of a node's own properties; an empty string if there are none.
pub(crate) fn comment(patch: Map<String, Value>) -> String {
    Properties { part: None, patch }.write()
}

/// Writes the attribute with a leading space; an empty string if there are no properties.
pub(crate) fn attribute(patch: &Map<String, Value>) -> String {
    if patch.is_empty() {
        return String::new();
    }
    format!(" {ATTRIBUTE}=\"{}\"", super::escape(&Value::Object(patch.clone()).to_string()))
}

/// Reads properties.
pub(crate) fn from_json(json: &str) -> Option<Map<String, Value>> {
    match serde_json::from_str(json.trim()).ok()? {
        Value::Object(patch) => Some(patch),
        _ => None,
    }
}

/// Returns JSON without the characters that end a comment, a cell or a line of Markdown.
fn to_json(patch: &Map<String, Value>) -> String {
    let json = Value::Object(patch.clone()).to_string();
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            // These characters only occur in strings.
            '<' | '>' | '|' | '$' | '&' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out
}
