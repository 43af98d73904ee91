//! Patches of a node's properties, checked against the schema.

use super::schema::{self, Below, Fragments};
use super::{Block, BlockKind, Children, Inline, InlineNode, read};
use serde_json::{Map, Value};

/// Returns the patch that turns the properties in `said`, which a syntax expresses, into the wanted ones: each property
/// that differs, and null for each one to remove. A null property counts as absent.
pub(crate) fn difference(said: &Map<String, Value>, wanted: &Map<String, Value>) -> Map<String, Value> {
    let differs = |name: &str, value: &Value| match said.get(name) {
        Some(said) => said != value,
        None => !value.is_null(),
    };
    let more = wanted.iter().filter(|(name, value)| differs(name, value));
    let less = said.keys().filter(|name| !wanted.contains_key(*name));
    let more = more.map(|(name, value)| (name.clone(), value.clone()));
    more.chain(less.map(|name| (name.clone(), Value::Null))).collect()
}

/// Applies a patch: sets its properties and removes those that are null.
fn patched(data: &Map<String, Value>, patch: Map<String, Value>) -> Map<String, Value> {
    let mut data = data.clone();
    for (name, value) in patch {
        if value.is_null() {
            data.remove(&name);
        } else {
            data.insert(name, value);
        }
    }
    data
}

/// Properties of a view that the syntax of a table expresses.
const VIEW: [&str; 7] = [
    "type",
    "columns",
    "cardSize",
    "columnWidths",
    "targetDefinition",
    "coverDefinition",
    "coverDefinitionDark",
];

impl Block {
    /// Applies a patch of properties. A patch that breaks a rule is ignored. Only properties of a table and of its view
    /// are applied, since the syntax defines its rows and columns.
    pub(crate) fn patch(&mut self, mut patch: Map<String, Value>) {
        if self.kind == BlockKind::Table {
            patch.retain(|name, _| name != "definition" && name != "records");
            if let Some(Value::Object(mut more)) = patch.remove("view")
                && let Some(Value::Object(view)) = self.data.get("view")
            {
                more.retain(|name, _| !VIEW.contains(&name.as_str()));
                patch.insert("view".to_owned(), Value::Object(patched(view, more)));
            }
        }
        let data = patched(&self.data, patch);
        if read::keeps_rules(self.kind, &data, &self.fragments) {
            self.data = data.into();
        }
    }

    /// Returns whether the schema accepts this node, provided that its children are valid.
    pub(crate) fn is_sound(&self) -> bool {
        let schema = schema::of_block(self.kind);
        let children = match (schema.below, &self.children) {
            (Below::Void, Children::Void) | (Below::Inlines, Children::Inlines(_)) => true,
            (Below::Text(kinds), Children::Inlines(inlines)) => inlines.iter().all(|inline| match inline {
                Inline::Text(_) => true,
                Inline::Node(node) => kinds.contains(&node.kind),
            }),
            (Below::Content, Children::Blocks(blocks)) => {
                blocks.iter().all(|block| schema::is_content(block.kind))
            }
            (Below::Only(kinds), Children::Blocks(blocks)) => {
                blocks.iter().all(|block| kinds.contains(&block.kind))
            }
            (Below::One(kinds), Children::Blocks(blocks)) => {
                matches!(blocks.as_slice(), [only] if kinds.contains(&only.kind))
            }
            _ => false,
        };
        let fragments = match schema.fragments {
            Fragments::None => self.fragments.is_empty(),
            Fragments::Cells => false,
            Fragments::Roles(roles) => read::keeps_roles(&self.fragments, roles),
        };
        children && fragments && read::keeps_rules(self.kind, &self.data, &self.fragments)
    }
}

impl InlineNode {
    /// Applies a patch of properties. A patch that breaks a rule is ignored.
    pub(crate) fn patch(&mut self, patch: Map<String, Value>) {
        let data = patched(&self.data, patch);
        if read::keeps_inline_rules(self.kind, &data) {
            self.data = data.into();
        }
    }
}

/// The allowed content of a kind, for readers that assemble nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// No content.
    Nothing,
    /// Running text.
    Inlines,
    /// Any content.
    Content,
    /// Blocks of these kinds only.
    Parts(&'static [BlockKind]),
}

/// Returns the allowed content of a kind of block.
pub(crate) fn holds(kind: BlockKind) -> Holds {
    match schema::of_block(kind).below {
        Below::Void => Holds::Nothing,
        Below::Inlines | Below::Text(_) => Holds::Inlines,
        Below::Content => Holds::Content,
        Below::Only(kinds) | Below::One(kinds) => Holds::Parts(kinds),
    }
}

/// Returns whether a block of this kind may appear in any container of content.
pub(crate) fn is_content(kind: BlockKind) -> bool {
    schema::is_content(kind)
}
