//! Blocks and fragments.

use super::{BlockKind, ContentRef, Inline, Rare, inline, schema};
use serde_json::{Map, Value};

/// A block: a paragraph, a list, a table, …
///
/// All kinds have the same structure, as on the wire; the schema defines the data, children and fragments of each kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// Kind of block.
    pub kind: BlockKind,
    /// Key of the node, if the client gave one.
    pub key: Option<Box<str>>,
    /// `meta` of the node, kept as received.
    pub meta: Option<Box<Map<String, Value>>>,
    /// Properties.
    pub data: Rare<Map<String, Value>>,
    /// Content.
    pub children: Children,
    /// Content outside the children: cells of a table, title and body of an expandable, caption of an image.
    pub fragments: Rare<Vec<Fragment>>,
}

/// Children of a block.
#[derive(Debug, Clone, PartialEq)]
pub enum Children {
    /// No children: a void block.
    Void,
    /// Running text.
    Inlines(Vec<Inline>),
    /// Other blocks.
    Blocks(Vec<Block>),
}

impl Children {
    /// Returns the children without spare capacity. Readers grow lists in steps that leave much of them unused.
    pub(super) fn compact(mut self) -> Self {
        match &mut self {
            Self::Void => {}
            Self::Inlines(inlines) => inline::compact(inlines),
            Self::Blocks(blocks) => blocks.shrink_to_fit(),
        }
        self
    }
}

/// Content that a node has in addition to its children.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Fragment {
    /// Key of the node, if the client gave one.
    pub key: Option<Box<str>>,
    /// Name that the data of the containing node refers to, for example for a table cell.
    pub fragment: Option<String>,
    /// Role (`caption`, `expandable-title`, …).
    pub role: Option<String>,
    /// Blocks.
    pub nodes: Vec<Block>,
}

impl Fragment {
    /// Returns a fragment with a role. The body of an expandable or annotation must contain a block; if it is empty, it
    /// gets an empty paragraph.
    #[must_use]
    pub fn with_role(role: &str, mut nodes: Vec<Block>) -> Self {
        if nodes.is_empty() && schema::is_body(role) {
            nodes.push(Block::paragraph(Vec::new()));
        }
        Self { key: None, fragment: None, role: Some(role.to_owned()), nodes }
    }
}

impl Block {
    /// Returns a block without children.
    #[must_use]
    pub fn void(kind: BlockKind) -> Self {
        Self::with_children(kind, Children::Void)
    }

    /// Returns a block of running text.
    #[must_use]
    pub fn inlines(kind: BlockKind, nodes: Vec<Inline>) -> Self {
        Self::with_children(kind, Children::Inlines(nodes))
    }

    /// Returns a block of blocks.
    #[must_use]
    pub fn blocks(kind: BlockKind, nodes: Vec<Self>) -> Self {
        Self::with_children(kind, Children::Blocks(nodes))
    }

    /// Returns a paragraph.
    #[must_use]
    pub fn paragraph(nodes: Vec<Inline>) -> Self {
        Self::inlines(BlockKind::Paragraph, nodes)
    }

    /// Returns a code listing, with one empty line if there are no lines.
    #[must_use]
    pub fn code<'a>(syntax: Option<&str>, lines: impl IntoIterator<Item = &'a str>) -> Self {
        let lines = lines.into_iter().map(|line| {
            let text = if line.is_empty() { Vec::new() } else { vec![Inline::text(line)] };
            Self::inlines(BlockKind::CodeLine, text)
        });
        let mut block = Self::blocks(BlockKind::Code, lines.collect());
        if let Some(syntax) = syntax {
            block.data.insert("syntax".to_owned(), syntax.into());
        }
        block
    }

    fn with_children(kind: BlockKind, children: Children) -> Self {
        let children = children.compact();
        Self { kind, key: None, meta: None, data: Rare::default(), children, fragments: Rare::default() }
    }

    /// Returns the block with a property set.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.data.insert(name.to_owned(), value.into());
        self
    }

    /// Returns a property that is a string.
    #[must_use]
    pub fn str(&self, name: &str) -> Option<&str> {
        self.data.get(name).and_then(Value::as_str)
    }

    /// Returns whether a property is `true`.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        self.data.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// Returns the reference of the block, if it has one.
    #[must_use]
    pub fn reference(&self) -> Option<ContentRef> {
        self.data.get("ref").and_then(ContentRef::from_value)
    }

    /// Returns the child blocks; empty for a block of text or a void block.
    #[must_use]
    pub fn child_blocks(&self) -> &[Self] {
        match &self.children {
            Children::Blocks(blocks) => blocks,
            Children::Void | Children::Inlines(_) => &[],
        }
    }

    /// Returns the running text; empty for a block of blocks or a void block.
    #[must_use]
    pub fn child_inlines(&self) -> &[Inline] {
        match &self.children {
            Children::Inlines(inlines) => inlines,
            Children::Void | Children::Blocks(_) => &[],
        }
    }

    /// Returns the blocks of the first fragment with a role.
    #[must_use]
    pub fn fragment(&self, role: &str) -> &[Self] {
        let found = self.fragments.iter().find(|fragment| fragment.role.as_deref() == Some(role));
        found.map_or(&[], |fragment| fragment.nodes.as_slice())
    }

    /// Returns the rank of a heading: 1, 2 or 3.
    #[must_use]
    pub fn heading_rank(&self) -> Option<u8> {
        match self.kind {
            BlockKind::Heading1 => Some(1),
            BlockKind::Heading2 => Some(2),
            BlockKind::Heading3 => Some(3),
            _ => None,
        }
    }
}
