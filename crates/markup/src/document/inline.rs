//! Inline content: text with marks, and the nodes within a line.

use super::{ContentRef, Fragment, InlineKind, Rare};
use serde_json::{Map, Value};

/// A piece of inline content.
#[derive(Debug, Clone, PartialEq)]
pub enum Inline {
    /// Text with marks.
    Text(Text),
    /// Any other inline node.
    Node(Box<InlineNode>),
}

/// A text node: leaves in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Text {
    /// Key of the node, if the client gave one.
    pub key: Option<Box<str>>,
    /// Runs of text with the same marks.
    pub leaves: Vec<Leaf>,
}

/// A run of text with the same marks. A line feed in `text` is a hard line break.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Leaf {
    /// Characters.
    pub text: String,
    /// Marks of the whole run.
    pub marks: Vec<Mark>,
}

/// Names of text and background colors.
pub(crate) const COLORS: [&str; 16] = [
    "default", "red", "orange", "yellow", "green", "blue", "purple", "pink", "violet", "cyan", "$primary",
    "$tint", "$info", "$success", "$warning", "$danger",
];

/// Formatting of a run of text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// Strong importance.
    Bold,
    /// Emphasis.
    Italic,
    /// Struck through.
    Strikethrough,
    /// Superscript.
    Superscript,
    /// Subscript.
    Subscript,
    /// Text and background colors by name (`default` for none).
    Color {
        /// Color of the characters.
        text: String,
        /// Color of the background.
        background: String,
    },
    /// Key of a keyboard.
    Keyboard,
    /// Code in running text.
    Code,
}

/// An inline node other than text.
#[derive(Debug, Clone, PartialEq)]
pub struct InlineNode {
    /// Kind of inline.
    pub kind: InlineKind,
    /// Key of the node, if the client gave one.
    pub key: Option<Box<str>>,
    /// `meta` of the node, kept as received.
    pub meta: Option<Box<Map<String, Value>>>,
    /// Properties.
    pub data: Rare<Map<String, Value>>,
    /// Content of links and annotations.
    pub nodes: Vec<Inline>,
    /// Body of an annotation.
    pub fragments: Rare<Vec<Fragment>>,
}

impl Mark {
    /// Returns the name of the mark on the wire.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Bold => "bold",
            Self::Italic => "italic",
            Self::Strikethrough => "strikethrough",
            Self::Superscript => "superscript",
            Self::Subscript => "subscript",
            Self::Color { .. } => "color",
            Self::Keyboard => "keyboard",
            Self::Code => "code",
        }
    }
}

impl Inline {
    /// Returns text without marks.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(Text { key: None, leaves: vec![Leaf { text: text.into(), marks: Vec::new() }] })
    }

    /// Returns a link to a reference around inline content.
    #[must_use]
    pub fn link(reference: &ContentRef, nodes: Vec<Self>) -> Self {
        let mut node = InlineNode::new(InlineKind::Link);
        node.data.insert("ref".to_owned(), reference.to_value());
        node.nodes = nodes;
        node.into()
    }
}

impl From<InlineNode> for Inline {
    fn from(node: InlineNode) -> Self {
        Self::Node(Box::new(node))
    }
}

/// Releases the spare capacity of lists of inline content.
pub(super) fn compact(inlines: &mut Vec<Inline>) {
    inlines.shrink_to_fit();
    for inline in inlines {
        match inline {
            Inline::Text(text) => {
                text.leaves.shrink_to_fit();
                text.leaves.iter_mut().for_each(Leaf::compact);
            }
            Inline::Node(node) => compact(&mut node.nodes),
        }
    }
}

impl Leaf {
    fn compact(&mut self) {
        self.text.shrink_to_fit();
        self.marks.shrink_to_fit();
    }
}

impl InlineNode {
    /// Returns an empty node of a kind.
    #[must_use]
    pub fn new(kind: InlineKind) -> Self {
        let (data, fragments) = (Rare::default(), Rare::default());
        Self { kind, key: None, meta: None, data, nodes: Vec::new(), fragments }
    }

    /// Returns the node with a property set.
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

    /// Returns the reference of the node, if it has one.
    #[must_use]
    pub fn reference(&self) -> Option<ContentRef> {
        self.data.get("ref").and_then(ContentRef::from_value)
    }
}
