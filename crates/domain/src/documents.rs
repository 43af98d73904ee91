//! Bodies of pages, comments and replies: Markdown or a document.

use std::sync::Arc;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use validator::ValidationError;

use crate::bounds::{COMMENT_BODY_MAX, DOCUMENT_DEPTH_MAX, MARKDOWN_MAX};
use crate::described::Document;
use crate::{patch, text_checks};

/// Content in one of two formats: `{"markdown": "…"}` or `{"document": {…}}`. An empty object is read as empty
/// Markdown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum DocumentBody {
    /// Markdown.
    Markdown {
        /// CommonMark with extensions.
        markdown: String,
    },
    /// Document.
    Document {
        /// Document as a tree of nodes.
        #[schema(value_type = Document)]
        document: Value,
    },
}

/// Document as JSON text. It is copied into responses without being parsed. Clones share the text.
#[derive(Clone, Debug)]
pub struct DocumentJson(Arc<RawValue>);

impl DocumentJson {
    /// Takes JSON text.
    ///
    /// # Errors
    /// The first syntax error, with its line and column.
    pub fn new(json: String) -> serde_json::Result<Self> {
        RawValue::from_string(json).map(|raw| Self(raw.into()))
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.get()
    }

    /// Returns the text's bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.as_str().as_bytes()
    }

    /// Parses the document. The value takes about twenty times the memory of the text.
    ///
    /// # Errors
    /// An error for nesting deeper than 128 levels.
    pub fn to_value(&self) -> serde_json::Result<Value> {
        serde_json::from_str(self.as_str())
    }
}

impl From<Box<RawValue>> for DocumentJson {
    fn from(json: Box<RawValue>) -> Self {
        Self(json.into())
    }
}

impl PartialEq for DocumentJson {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for DocumentJson {}

impl Serialize for DocumentJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for DocumentJson {
    /// Reads a value and writes it as text, because raw text is not available for buffered input.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Self::new(value.to_string()).map_err(D::Error::custom)
    }
}

/// Content in a response, in one of two formats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum PresentedBody {
    /// Markdown.
    Markdown {
        /// CommonMark with extensions.
        markdown: String,
    },
    /// Document.
    Document {
        /// Document as a tree of nodes.
        document: DocumentJson,
    },
}

/// Format of content in a response.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// CommonMark with extensions.
    #[default]
    Markdown,
    /// Document as a tree of nodes.
    Document,
}

/// Content of a page in a request.
pub type DocumentInput = DocumentBody;

/// Text of a comment or reply in a request.
pub type CommentBody = DocumentBody;

/// Content in at most one of two formats.
///
/// Bodies are read through this struct, because errors of an untagged enum do not name the problem.
#[derive(Deserialize, ToSchema)]
#[schema(as = OptionalBody)]
#[serde(expecting = "an object with `markdown` or `document`")]
pub(crate) struct Keys {
    /// CommonMark with extensions.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(nullable = false)]
    markdown: Option<String>,
    /// Document as a tree of nodes.
    #[serde(default, deserialize_with = "patch::present")]
    #[schema(value_type = Document, nullable = false, required = false)]
    document: Option<Map<String, Value>>,
    #[serde(flatten)]
    #[schema(ignore)]
    others: Map<String, Value>,
}

impl<'de> Deserialize<'de> for DocumentBody {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let keys = Keys::deserialize(deserializer)?;
        match (keys.markdown, keys.document) {
            (Some(markdown), None) => Ok(Self::Markdown { markdown }),
            (None, Some(document)) => Ok(Self::Document { document: Value::Object(document) }),
            (None, None) if keys.others.is_empty() => Ok(Self::Markdown { markdown: String::new() }),
            (None, None) => Err(D::Error::custom("must have `markdown` or `document`")),
            (Some(_), Some(_)) => Err(D::Error::custom("must not have both `markdown` and `document`")),
        }
    }
}

impl<'de> Deserialize<'de> for PresentedBody {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let body = optional(deserializer)?;
        body.ok_or_else(|| D::Error::custom("must have `markdown` or `document`"))
    }
}

/// Reads the optional content of a page, whose keys are mixed with the other keys of the page.
pub(crate) fn optional<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<PresentedBody>, D::Error> {
    let keys = Keys::deserialize(deserializer)?;
    let Some(markdown) = keys.markdown else {
        let json = keys.document.map(|document| Value::Object(document).to_string());
        let document = json.map(DocumentJson::new).transpose().map_err(D::Error::custom)?;
        return Ok(document.map(|document| PresentedBody::Document { document }));
    };
    Ok(Some(PresentedBody::Markdown { markdown }))
}

/// Checks the content of a page: no NUL, the bounds of length and depth, and a document's outermost keys.
/// `quire-markup` checks the nodes.
///
/// # Errors
/// A [`ValidationError`] that names the failing check.
pub fn check_content(body: &DocumentInput) -> Result<(), ValidationError> {
    match body {
        DocumentBody::Markdown { markdown } => text_checks::check::<0, MARKDOWN_MAX>(markdown),
        DocumentBody::Document { document } => check_document(document),
    }
}

/// Checks the body of a comment or reply as [`check_content`] does. Markdown has 1 to [`COMMENT_BODY_MAX`] characters;
/// a document has at least one node and at most as many characters in all its texts.
///
/// # Errors
/// A [`ValidationError`] that names the failing check.
pub fn check_comment(body: &CommentBody) -> Result<(), ValidationError> {
    match body {
        DocumentBody::Markdown { markdown } => text_checks::check::<1, COMMENT_BODY_MAX>(markdown),
        DocumentBody::Document { document } => {
            check_document(document)?;
            if document.pointer("/nodes/0").is_none() {
                return Err(text_checks::error("length", "must have at least one node"));
            }
            if visible_characters(document) > COMMENT_BODY_MAX {
                return Err(text_checks::error(
                    "length",
                    format!("must have at most {COMMENT_BODY_MAX} characters"),
                ));
            }
            Ok(())
        }
    }
}

fn check_document(document: &Value) -> Result<(), ValidationError> {
    text_checks::json::<DOCUMENT_DEPTH_MAX>(document)?;
    if document.get("object").and_then(Value::as_str) != Some("document") {
        return Err(text_checks::error("document", "must be an object whose `object` is `document`"));
    }
    if !document.get("nodes").is_some_and(Value::is_array) {
        return Err(text_checks::error("document", "must have an array of `nodes`"));
    }
    Ok(())
}

/// Returns the number of characters in all texts of a document: text, formulas, labels, URLs and properties of any
/// name. Keys that only identify the kind of a node do not count.
fn visible_characters(document: &Value) -> u64 {
    let mut characters: u64 = 0;
    let mut rest = vec![document];
    while let Some(value) = rest.pop() {
        match value {
            Value::Array(items) => rest.extend(items),
            Value::Object(entries) => {
                let shown =
                    entries.iter().filter(|(key, _)| !matches!(key.as_str(), "object" | "type" | "key"));
                rest.extend(shown.map(|(_, value)| value));
            }
            Value::String(text) => {
                characters = characters.saturating_add(text.chars().count().try_into().unwrap_or(u64::MAX));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    characters
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(json: Value) -> Result<DocumentBody, String> {
        serde_json::from_value(json).map_err(|error| error.to_string())
    }

    fn paragraph(text: &str) -> Value {
        json!({"object": "document", "data": {}, "nodes": [
            {"object": "block", "type": "paragraph", "nodes": [
                {"object": "text", "leaves": [{"object": "leaf", "text": text, "marks": []}]},
            ]},
        ]})
    }

    #[test]
    fn reads_and_writes_both_formats() {
        for body in [json!({"markdown": "# A"}), json!({"document": paragraph("a")})] {
            let read = read(body.clone()).unwrap();
            assert_eq!(serde_json::to_value(read).unwrap(), body);
        }
        assert_eq!(read(json!({})), Ok(DocumentBody::Markdown { markdown: String::new() }));
    }

    #[test]
    fn says_what_is_wrong_with_the_keys() {
        assert_eq!(read(json!({"markdwon": "a"})).unwrap_err(), "must have `markdown` or `document`");
        assert_eq!(
            read(json!({"markdown": "a", "document": {}})).unwrap_err(),
            "must not have both `markdown` and `document`"
        );
        assert!(read(json!({"markdown": null})).is_err());
        assert!(read(json!({"document": "a"})).is_err());
        assert!(read(json!("a")).is_err());
        assert!(read(json!({"markdown": "a", "newer": 1})).is_ok());
    }

    #[test]
    fn comments_are_not_empty_and_not_too_long() {
        let long = "a".repeat(50_000);
        for (body, good) in [
            (json!({"markdown": ""}), false),
            (json!({"markdown": "a"}), true),
            (json!({"markdown": long}), true),
            (json!({"markdown": format!("{long}a")}), false),
            (json!({"markdown": "a\0"}), false),
            (json!({"document": paragraph(&long)}), true),
            (json!({"document": paragraph(&format!("{long}a"))}), false),
            (
                json!({"document": {"object": "document", "data": {}, "nodes": [{"data": {"formula": long}}]}}),
                true,
            ),
            (
                json!({"document": {"object": "document", "data": {}, "nodes": [{"data": {"formula": long, "alt": "a"}}]}}),
                false,
            ),
            (json!({"document": {"object": "document", "data": {}, "nodes": []}}), false),
            (json!({"document": {"object": "block", "nodes": [{}]}}), false),
            (json!({"document": {"object": "document"}}), false),
        ] {
            assert_eq!(check_comment(&read(body).unwrap()).is_ok(), good);
        }
    }

    #[test]
    fn pages_may_be_empty() {
        assert!(check_content(&read(json!({})).unwrap()).is_ok());
        let empty = json!({"document": {"object": "document", "data": {}, "nodes": []}});
        assert!(check_content(&read(empty).unwrap()).is_ok());
    }

    #[test]
    fn documents_nest_only_so_deep() {
        let mut node = json!({"object": "block", "type": "blockquote", "nodes": []});
        for _ in 0..DOCUMENT_DEPTH_MAX {
            node = json!({"object": "block", "type": "blockquote", "nodes": [node]});
        }
        let document = json!({"object": "document", "data": {}, "nodes": [node]});
        assert!(check_content(&DocumentBody::Document { document }).is_err());
    }
}
