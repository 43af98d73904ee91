//! Conversion of JSON or YAML to JSON.

use crate::limits::openapi::{MAX_BYTES, MAX_YAML_DEPTH, MAX_YAML_NODES, YAML_STACK_BYTES};
use std::borrow::Cow;

use serde_saphyr::{DuplicateKeyPolicy, budget, options};

use super::SpecError;
use super::json::Json;
use super::yaml;

/// Notation of a specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// JSON.
    Json,
    /// YAML.
    Yaml,
}

/// Returns a specification as JSON, and its notation. JSON is returned unchanged and unchecked.
///
/// # Errors
/// [`SpecError::TooLarge`], and [`SpecError::Notation`] for YAML that is invalid or expands beyond the bounds.
pub fn to_json(text: &str) -> Result<(Notation, Cow<'_, str>), SpecError> {
    if text.len() > MAX_BYTES {
        return Err(SpecError::TooLarge);
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_start().starts_with('{')
        && serde_json::from_str::<&serde_json::value::RawValue>(text).is_ok()
    {
        return Ok((Notation::Json, Cow::Borrowed(text)));
    }
    let options = options! {
        budget: budget! {
            max_depth: MAX_YAML_DEPTH,
            max_nodes: MAX_YAML_NODES,
            max_events: MAX_YAML_NODES.saturating_mul(2),
            max_total_scalar_bytes: MAX_BYTES,
        },
        duplicate_keys: DuplicateKeyPolicy::LastWins,
        strict_booleans: true,
        with_snippet: false,
    };
    let read = || {
        serde_saphyr::with_deserializer_from_str_with_options(text, options, |yaml| yaml::read(yaml, text))
    };
    let json: Json = stacker::grow(YAML_STACK_BYTES, read)
        .map_err(|error| SpecError::Notation { notation: "JSON or YAML", message: error.to_string() })?;
    Ok((Notation::Yaml, Cow::Owned(json.to_line())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yaml_becomes_json_in_its_order() {
        let yaml = "openapi: 3.0.3\ninfo: {title: Pets, version: '1'}\npaths:\n  /b: {}\n  /a:\n    get:\n      responses:\n        200: &ok\n          description: on\n        201: *ok\n      deprecated: true\n";
        let (notation, json) = to_json(yaml).unwrap();
        assert_eq!(notation, Notation::Yaml);
        assert_eq!(
            json,
            r#"{"openapi":"3.0.3","info":{"title":"Pets","version":"1"},"paths":{"/b":{},"/a":{"get":{"responses":{"200":{"description":"on"},"201":{"description":"on"}},"deprecated":true}}}}"#
        );
    }

    #[test]
    fn texts_keep_their_spelling() {
        let yaml = "openapi: 3.1\ninfo: {title: 2026, version: 1.10, x-version: 1.10}\ntags: [{name: 1.0}]\npaths:\n  /ä:\n    get: {summary: 0x10, tags: [404], parameters: [{name: 1_0, required: true, schema: {default: 1.50, properties: {title: true}}, example: {version: 1.10}}]}\n";
        assert_eq!(
            to_json(yaml).unwrap().1,
            r#"{"openapi":"3.1","info":{"title":"2026","version":"1.10","x-version":1.1},"tags":[{"name":"1.0"}],"paths":{"/ä":{"get":{"summary":"0x10","tags":["404"],"parameters":[{"name":"1_0","required":true,"schema":{"default":1.5,"properties":{"title":true}},"example":{"version":1.1}}]}}}}"#
        );
    }

    #[test]
    fn aliases_that_unfold_without_end_are_refused() {
        let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for level in 1..12 {
            let before = level - 1;
            bomb.push_str(&format!("a{level}: &a{level} [{}]\n", vec![format!("*a{before}"); 10].join(", ")));
        }
        assert!(matches!(to_json(&bomb), Err(SpecError::Notation { .. })));
    }

    #[test]
    fn json_is_left_as_it_is() {
        assert_eq!(to_json("\u{feff} {\"a\": 1} ").unwrap(), (Notation::Json, Cow::Borrowed(" {\"a\": 1} ")));
        assert!(to_json("{\"a\": ").is_err());
        assert!(to_json("a: [").is_err());
    }
}
