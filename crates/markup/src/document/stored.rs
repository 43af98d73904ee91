//! Reader of stored JSON, without an intermediate tree of JSON values.
//!
//! In canonical JSON the members of a node come before its `type`, so its children are read before their required kind
//! is known. Each node is read as a [`Node`], which its parent then converts to a block or an inline.

use super::schema::{self, Below, Schema};
use super::{
    Block, BlockKind, Children, Document, DocumentData, Fragment, Inline, InlineKind, InlineNode, Leaf,
    MAX_DEPTH, Mark, Rare, Text,
};
use serde::de::{Error as _, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::fmt;

/// Error for stored JSON that is not a document, with line and column if it was read from text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnreadableDocument(String);

pub(super) fn from_slice(json: &[u8]) -> Result<Document, UnreadableDocument> {
    finish(serde_json::from_slice(json))
}

pub(super) fn from_value(value: &Value) -> Result<Document, UnreadableDocument> {
    finish(Root::deserialize(value))
}

fn finish(root: serde_json::Result<Root>) -> Result<Document, UnreadableDocument> {
    let read = || {
        let Root { data, nodes, .. } = root?;
        let extra = document_data(data).map_err(serde_json::Error::custom)?;
        let nodes = content(nodes).map_err(serde_json::Error::custom)?;
        let document = Document { data: DocumentData { extra }, nodes };
        if depth_of_blocks(&document.nodes) > MAX_DEPTH {
            return Err(serde_json::Error::custom(format!("nested more than {MAX_DEPTH} levels deep")));
        }
        Ok(document)
    };
    read().map_err(|error: serde_json::Error| UnreadableDocument(error.to_string()))
}

#[derive(Deserialize)]
struct Root {
    #[serde(rename = "object")]
    _object: RootTag,
    data: Map<String, Value>,
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum RootTag {
    Document,
}

/// Node of unknown context: its parent converts it to a block or an inline.
#[derive(Deserialize)]
#[serde(try_from = "Parts")]
enum Node {
    Block(Block),
    Inline(Inline),
}

/// Members of a node.
#[derive(Deserialize)]
struct Parts {
    object: Tag,
    #[serde(rename = "type")]
    name: Option<Name>,
    #[serde(default, deserialize_with = "present")]
    key: Option<String>,
    #[serde(default, deserialize_with = "present")]
    meta: Option<Map<String, Value>>,
    data: Option<Map<String, Value>>,
    nodes: Option<Vec<Node>>,
    leaves: Option<Vec<StoredLeaf>>,
    fragments: Option<Vec<StoredFragment>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Tag {
    Block,
    Inline,
    Text,
}

/// `type` of a node, as a block or an inline kind.
#[derive(Clone, Copy)]
struct Name {
    block: Option<BlockKind>,
    inline: Option<InlineKind>,
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;
        impl Visitor<'_> for Names {
            type Value = Name;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("the type of a node")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Name, E> {
                let name = Name { block: BlockKind::from_wire(name), inline: InlineKind::from_wire(name) };
                if name.block.is_none() && name.inline.is_none() {
                    return Err(E::custom("unknown type of node"));
                }
                Ok(name)
            }
        }
        deserializer.deserialize_str(Names)
    }
}

#[derive(Deserialize)]
struct StoredFragment {
    #[serde(rename = "object")]
    _object: FragmentTag,
    #[serde(default, deserialize_with = "present")]
    key: Option<String>,
    #[serde(default, deserialize_with = "present")]
    fragment: Option<String>,
    #[serde(rename = "type", default, deserialize_with = "present")]
    role: Option<String>,
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum FragmentTag {
    Fragment,
}

#[derive(Deserialize)]
struct StoredLeaf {
    #[serde(rename = "object")]
    _object: LeafTag,
    text: String,
    #[serde(default)]
    marks: Vec<StoredMark>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum LeafTag {
    Leaf,
}

#[derive(Deserialize)]
struct StoredMark {
    #[serde(rename = "object")]
    _object: MarkTag,
    #[serde(rename = "type")]
    name: MarkName,
    data: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum MarkTag {
    Mark,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum MarkName {
    Bold,
    Italic,
    Code,
    Keyboard,
    Strikethrough,
    Superscript,
    Subscript,
    Color,
}

#[derive(Deserialize)]
struct Colors {
    text: String,
    background: String,
}

/// Reads a member that may be absent but not null.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

type Read<T> = Result<T, &'static str>;

const MISSING_NODES: &str = "a node lacks its `nodes`";
const MISPLACED: &str = "a node is not allowed in this position";

impl TryFrom<Parts> for Node {
    type Error = &'static str;

    fn try_from(parts: Parts) -> Read<Self> {
        match parts.object {
            Tag::Block => block(parts).map(Self::Block),
            Tag::Inline => inline(parts).map(|node| Self::Inline(node.into())),
            Tag::Text => text(parts).map(|text| Self::Inline(Inline::Text(text))),
        }
    }
}

fn block(parts: Parts) -> Read<Block> {
    let kind = parts.name.and_then(|name| name.block).ok_or("a block lacks its type")?;
    let schema = schema::of_block(kind);
    let Parts { key, meta, data, nodes, fragments, .. } = parts;
    let children = match schema.below {
        Below::Void => no_nodes(nodes).map(|()| Children::Void)?,
        Below::Inlines => Children::Inlines(inlines(nodes.ok_or(MISSING_NODES)?, None)?),
        Below::Text(others) => Children::Inlines(inlines(nodes.ok_or(MISSING_NODES)?, Some(others))?),
        Below::Content => Children::Blocks(content(nodes.ok_or(MISSING_NODES)?)?),
        Below::Only(kinds) | Below::One(kinds) => {
            Children::Blocks(blocks(nodes.ok_or(MISSING_NODES)?, |kind| kinds.contains(&kind))?)
        }
    };
    let (key, meta, data) = identity(key, meta, data)?;
    let fragments = self::fragments(fragments, &schema)?.into();
    Ok(Block { kind, key, meta, data, children: children.compact(), fragments })
}

fn inline(parts: Parts) -> Read<InlineNode> {
    let kind = parts.name.and_then(|name| name.inline).ok_or("an inline lacks its type")?;
    let schema = schema::of_inline(kind);
    let Parts { key, meta, data, nodes, fragments, .. } = parts;
    let nodes = match schema.below {
        Below::Text(others) => inlines(nodes.ok_or(MISSING_NODES)?, Some(others))?,
        _ => no_nodes(nodes).map(|()| Vec::new())?,
    };
    let (key, meta, data) = identity(key, meta, data)?;
    Ok(InlineNode { kind, key, meta, data, nodes, fragments: self::fragments(fragments, &schema)?.into() })
}

fn text(parts: Parts) -> Read<Text> {
    let leaves = parts.leaves.ok_or("a text lacks its leaves")?;
    Ok(Text { key: key(parts.key)?, leaves: leaves.into_iter().map(leaf).collect::<Read<_>>()? })
}

fn leaf(leaf: StoredLeaf) -> Read<Leaf> {
    let mut marks: Vec<Mark> = Vec::with_capacity(leaf.marks.len());
    for stored in leaf.marks {
        let mark = mark(stored)?;
        // A merge can produce duplicates: only the first mark of each kind is kept.
        if !marks.iter().any(|known| known.name() == mark.name()) {
            marks.push(mark);
        }
    }
    Ok(Leaf { text: without_nul(leaf.text)?, marks })
}

fn mark(mark: StoredMark) -> Read<Mark> {
    Ok(match mark.name {
        MarkName::Bold => Mark::Bold,
        MarkName::Italic => Mark::Italic,
        MarkName::Code => Mark::Code,
        MarkName::Keyboard => Mark::Keyboard,
        MarkName::Strikethrough => Mark::Strikethrough,
        MarkName::Superscript => Mark::Superscript,
        MarkName::Subscript => Mark::Subscript,
        MarkName::Color => {
            let colors = mark.data.map(Colors::deserialize).and_then(Result::ok);
            let Colors { text, background } = colors.ok_or("a mark lacks its colors")?;
            Mark::Color { text: without_nul(text)?, background: without_nul(background)? }
        }
    })
}

fn inlines(nodes: Vec<Node>, allowed: Option<&[InlineKind]>) -> Read<Vec<Inline>> {
    let is_allowed = |inline: &Inline| match inline {
        Inline::Text(_) => true,
        Inline::Node(node) => allowed.is_none_or(|kinds| kinds.contains(&node.kind)),
    };
    let inline = |node| match node {
        Node::Inline(inline) if is_allowed(&inline) => Ok(inline),
        Node::Inline(_) | Node::Block(_) => Err(MISPLACED),
    };
    nodes.into_iter().map(inline).collect()
}

fn content(nodes: Vec<Node>) -> Read<Vec<Block>> {
    blocks(nodes, schema::is_content)
}

fn blocks(nodes: Vec<Node>, is_allowed: impl Fn(BlockKind) -> bool) -> Read<Vec<Block>> {
    let block = |node| match node {
        Node::Block(block) if is_allowed(block.kind) => Ok(block),
        Node::Block(_) | Node::Inline(_) => Err(MISPLACED),
    };
    nodes.into_iter().map(block).collect()
}

fn no_nodes(nodes: Option<Vec<Node>>) -> Read<()> {
    if nodes.is_none_or(|nodes| nodes.is_empty()) { Ok(()) } else { Err("a void node must not have nodes") }
}

fn fragments(stored: Option<Vec<StoredFragment>>, schema: &Schema) -> Read<Vec<Fragment>> {
    let stored = stored.unwrap_or_default();
    if !schema.has_fragments() && !stored.is_empty() {
        return Err("a node has fragments that its type does not allow");
    }
    let fragment = |StoredFragment { key, fragment, role, nodes, .. }| {
        Ok(Fragment {
            key: self::key(key)?,
            fragment: Option::map(fragment, without_nul).transpose()?,
            role: Option::map(role, without_nul).transpose()?,
            nodes: content(nodes)?,
        })
    };
    stored.into_iter().map(fragment).collect()
}

type Object = Map<String, Value>;

/// Key, `meta` and properties of a node.
type Identity = (Option<Box<str>>, Option<Box<Object>>, Rare<Object>);

fn identity(key: Option<String>, meta: Option<Object>, data: Option<Object>) -> Read<Identity> {
    let meta = meta.map(plain).transpose()?;
    Ok((self::key(key)?, meta.map(Box::new), plain(data.unwrap_or_default())?.into()))
}

fn key(key: Option<String>) -> Read<Option<Box<str>>> {
    key.map(|key| without_nul(key).map(String::into_boxed_str)).transpose()
}

fn document_data(mut data: Object) -> Read<Object> {
    match data.remove("schemaVersion") {
        Some(version) if !version.is_u64() => Err("`schemaVersion` must be a whole number"),
        _ => plain(data),
    }
}

const NUL: &str = "must not contain NUL";

fn without_nul(text: String) -> Read<String> {
    if text.contains('\0') { Err(NUL) } else { Ok(text) }
}

/// Checks free-form JSON. Its nesting is bounded like that of nodes.
fn plain(object: Object) -> Read<Object> {
    object.iter().try_for_each(|(name, value)| plain_member(name, value, 0))?;
    Ok(object)
}

fn plain_member(name: &str, value: &Value, depth: usize) -> Read<()> {
    if name.contains('\0') { Err(NUL) } else { plain_value(value, depth) }
}

fn plain_value(value: &Value, depth: usize) -> Read<()> {
    if depth > MAX_DEPTH {
        return Err("properties are nested too deeply");
    }
    match value {
        Value::String(text) if text.contains('\0') => Err(NUL),
        Value::Array(items) => items.iter().try_for_each(|item| plain_value(item, depth + 1)),
        Value::Object(members) => {
            members.iter().try_for_each(|(name, value)| plain_member(name, value, depth + 1))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
    }
}

/// Returns the number of levels of nodes.
fn depth_of_blocks(blocks: &[Block]) -> usize {
    let of_block = |block: &Block| {
        let children = match &block.children {
            Children::Void => 0,
            Children::Inlines(inlines) => depth_of_inlines(inlines),
            Children::Blocks(blocks) => depth_of_blocks(blocks),
        };
        1 + children.max(depth_of_fragments(&block.fragments))
    };
    blocks.iter().map(of_block).max().unwrap_or(0)
}

fn depth_of_inlines(inlines: &[Inline]) -> usize {
    let of_inline = |inline: &Inline| match inline {
        Inline::Text(_) => 1,
        Inline::Node(node) => 1 + depth_of_inlines(&node.nodes).max(depth_of_fragments(&node.fragments)),
    };
    inlines.iter().map(of_inline).max().unwrap_or(0)
}

fn depth_of_fragments(fragments: &[Fragment]) -> usize {
    fragments.iter().map(|fragment| depth_of_blocks(&fragment.nodes)).max().unwrap_or(0)
}
