//! Writer of wire JSON in canonical form.
//!
//! Nodes are serialized with their members sorted by name, so that a compact JSON writer produces the canonical JSON
//! (members sorted by code point, no white space), whose hash is the document's id.

use super::{
    Block, Children, Document, Fragment, Inline, InlineNode, Leaf, Mark, SCHEMA_VERSION, Text, schema,
};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(Some(3))?;
        out.serialize_entry("data", &Data(&self.data.extra))?;
        out.serialize_entry("nodes", &self.nodes)?;
        out.serialize_entry("object", "document")?;
        out.end()
    }
}

/// `data` of a document: its members and the version of the schema.
struct Data<'a>(&'a Map<String, Value>);

impl Serialize for Data<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const VERSION: &str = "schemaVersion";
        let version = Value::from(SCHEMA_VERSION);
        let others = self.0.iter().filter(|(name, _)| *name != VERSION);
        let others = others.map(|(name, value)| (name.as_str(), value));
        let mut members: Vec<(&str, &Value)> = others.chain([(VERSION, &version)]).collect();
        members.sort_unstable_by_key(|(name, _)| *name);
        serializer.collect_map(members.into_iter().map(|(name, value)| (name, Sorted(value))))
    }
}

/// A JSON value with its members sorted by name, regardless of the order of `serde_json`'s maps.
struct Sorted<'a>(&'a Value);

impl Serialize for Sorted<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Array(items) => serializer.collect_seq(items.iter().map(Sorted)),
            Value::Object(members) => SortedMap(members).serialize(serializer),
            scalar => scalar.serialize(serializer),
        }
    }
}

struct SortedMap<'a>(&'a Map<String, Value>);

impl Serialize for SortedMap<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.keys().is_sorted() {
            return serializer.collect_map(self.0.iter().map(|(name, value)| (name, Sorted(value))));
        }
        let mut members: Vec<(&String, &Value)> = self.0.iter().collect();
        members.sort_unstable_by_key(|(name, _)| *name);
        serializer.collect_map(members.into_iter().map(|(name, value)| (name, Sorted(value))))
    }
}

impl Serialize for Block {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(None)?;
        out.serialize_entry("data", &SortedMap(&self.data))?;
        if schema::of_block(self.kind).has_fragments() {
            out.serialize_entry("fragments", &self.fragments)?;
        }
        out.serialize_entry("isVoid", &matches!(self.children, Children::Void))?;
        identity(&mut out, self.key.as_deref(), self.meta.as_deref())?;
        match &self.children {
            Children::Void => {}
            Children::Inlines(nodes) => out.serialize_entry("nodes", nodes)?,
            Children::Blocks(nodes) => out.serialize_entry("nodes", nodes)?,
        }
        out.serialize_entry("object", "block")?;
        out.serialize_entry("type", self.kind.as_str())?;
        out.end()
    }
}

impl Serialize for Inline {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => text.serialize(serializer),
            Self::Node(node) => node.serialize(serializer),
        }
    }
}

impl Serialize for InlineNode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let schema = schema::of_inline(self.kind);
        let mut out = serializer.serialize_map(None)?;
        out.serialize_entry("data", &SortedMap(&self.data))?;
        if schema.has_fragments() {
            out.serialize_entry("fragments", &self.fragments)?;
        }
        out.serialize_entry("isVoid", &schema.is_void())?;
        identity(&mut out, self.key.as_deref(), self.meta.as_deref())?;
        if !schema.is_void() {
            out.serialize_entry("nodes", &self.nodes)?;
        }
        out.serialize_entry("object", "inline")?;
        out.serialize_entry("type", self.kind.as_str())?;
        out.end()
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(None)?;
        identity(&mut out, self.key.as_deref(), None)?;
        out.serialize_entry("leaves", &self.leaves)?;
        out.serialize_entry("object", "text")?;
        out.end()
    }
}

impl Serialize for Leaf {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(Some(3))?;
        out.serialize_entry("marks", &self.marks)?;
        out.serialize_entry("object", "leaf")?;
        out.serialize_entry("text", &self.text)?;
        out.end()
    }
}

impl Serialize for Mark {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(None)?;
        if let Self::Color { text, background } = self {
            out.serialize_entry("data", &Colors { background, text })?;
        }
        out.serialize_entry("object", "mark")?;
        out.serialize_entry("type", self.name())?;
        out.end()
    }
}

#[derive(Serialize)]
struct Colors<'a> {
    background: &'a str,
    text: &'a str,
}

impl Serialize for Fragment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(None)?;
        if let Some(name) = &self.fragment {
            out.serialize_entry("fragment", name)?;
        }
        identity(&mut out, self.key.as_deref(), None)?;
        out.serialize_entry("nodes", &self.nodes)?;
        out.serialize_entry("object", "fragment")?;
        if let Some(role) = &self.role {
            out.serialize_entry("type", role)?;
        }
        out.end()
    }
}

/// Writes the key, the metadata and the properties of a node.
fn identity<M: SerializeMap>(
    out: &mut M,
    key: Option<&str>,
    meta: Option<&Map<String, Value>>,
) -> Result<(), M::Error> {
    if let Some(key) = key {
        out.serialize_entry("key", key)?;
    }
    if let Some(meta) = meta {
        out.serialize_entry("meta", &SortedMap(meta))?;
    }
    Ok(())
}
