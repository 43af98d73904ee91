//! The typed document: blocks, inlines, text, references, and their wire JSON.

mod block;
mod bounds;
mod depth_limit;
mod editor_schema;
mod inline;
mod kinds;
mod patch;
mod rare;
mod read;
mod reference;
mod rules;
mod schema;
mod stored;
mod table;
mod write;

pub(crate) use crate::limits::document::{MAX_CELLS, MAX_COLUMNS};
pub use crate::limits::document::{MAX_DEPTH, MAX_LEVELS, MAX_LINKS, MAX_NODES, MAX_TEXT};
pub use block::{Block, Children, Fragment};
pub use bounds::Excess;
pub(crate) use bounds::Meter;
pub use editor_schema::editor_schema;
pub(crate) use inline::COLORS;
pub use inline::{Inline, InlineNode, Leaf, Mark, Text};
pub use kinds::{BlockKind, InlineKind};
pub(crate) use patch::{Holds, difference, holds, is_content};
pub use rare::{Absent, Rare};
pub use read::DocumentError;
pub use reference::ContentRef;
pub(crate) use rules::is_heading_id;
pub use stored::UnreadableDocument;
pub(crate) use table::{Alignment, OBJECT_FITS, TableBuilder, is_column_type};
pub use table::{Cell, TableView};

use serde::{Deserialize, Deserializer, de::Error as _};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

/// Version of the document schema that this crate reads and writes.
pub const SCHEMA_VERSION: u64 = 1;

/// A document: the body of a page, a comment or a reusable content.
///
/// There are two readers. [`from_json`](Self::from_json) is for client input: it checks every rule of the schema and
/// reports each violation. [`from_stored`](Self::from_stored) is for stored documents, which must stay readable after
/// rules change and after merges that combine two valid documents: it accepts all documents that the types can
/// represent. A block of a stored document may therefore lack a required property or have one of another type.
///
/// ```
/// use quire_markup::Document;
/// let document = Document::from_json(&serde_json::json!({
///     "object": "document",
///     "data": {},
///     "nodes": [{"object": "block", "type": "divider", "isVoid": true, "data": {}}],
/// })).unwrap();
/// assert_eq!(document.nodes.len(), 1);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document {
    /// Properties of the document.
    pub data: DocumentData,
    /// Top-level blocks in reading order.
    pub nodes: Vec<Block>,
}

/// The `data` of a document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DocumentData {
    /// Every key but `schemaVersion`, kept as received. The schema version is always [`SCHEMA_VERSION`].
    pub extra: Map<String, Value>,
}

impl Document {
    /// Returns a document with these top-level blocks.
    #[must_use]
    pub fn new(nodes: Vec<Block>) -> Self {
        Self { data: DocumentData::default(), nodes }
    }

    /// Reads a document from its wire JSON and checks every rule of the schema.
    ///
    /// # Errors
    /// Every violation with its path in the document (`document.nodes[3].data.style`).
    pub fn from_json(value: &Value) -> Result<Self, Vec<DocumentError>> {
        read::document(value)
    }

    /// Reads a document from stored JSON text without checking the current rules: properties may be absent, wrong or
    /// unknown, fragments may differ, and a node may be empty. Memory and time are proportional to the text.
    ///
    /// # Errors
    /// [`UnreadableDocument`] if the types cannot represent the content: an unknown node type, a block inside a parent
    /// that cannot contain it, content of a void node, too deep nesting, NUL.
    pub fn from_stored(json: &[u8]) -> Result<Self, UnreadableDocument> {
        stored::from_slice(json)
    }

    /// Reads a document from parsed JSON, like [`from_stored`](Self::from_stored).
    ///
    /// # Errors
    /// As [`from_stored`](Self::from_stored).
    pub fn from_stored_value(value: &Value) -> Result<Self, UnreadableDocument> {
        stored::from_value(value)
    }

    /// Returns the document's canonical JSON: members sorted by code point, no white space. A document's id is the hash
    /// of these bytes, and [`from_stored`](Self::from_stored) reads them back.
    #[must_use]
    pub fn to_canonical_json(&self) -> Box<RawValue> {
        // Serializing to memory only fails for maps with non-string keys, and documents have none.
        to_raw_value(self).unwrap_or_else(|_| RawValue::NULL.to_owned())
    }

    /// Returns the document's wire JSON as a value. Reading it back gives an equal document.
    #[must_use]
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Returns whether the document has no nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Self::from_json(&value).map_err(|errors| {
            let sentences: Vec<String> = errors.iter().map(ToString::to_string).collect();
            D::Error::custom(sentences.join("; "))
        })
    }
}
