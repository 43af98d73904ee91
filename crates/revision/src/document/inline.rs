//! Three-way merge of text, line by line: a line is all leaves and inline nodes between two line
//! breaks.

use serde_json::{Map, Value, json};

use super::edit_script::Likeness;
use super::keys::without_keys;
use super::sequence::{Rules, merge_sequence};
use super::{Context, Versions};
use crate::canonical::canonical_json;

/// A piece of a line.
#[derive(Debug, Clone, PartialEq)]
enum Atom {
    /// Text with one set of marks.
    Text {
        /// Text node without its leaves.
        node: Map<String, Value>,
        /// Leaf without its text.
        leaf: Map<String, Value>,
        text: String,
    },
    /// An inline node, or anything else that isn't text.
    Node(Value),
}

type Line = Vec<Atom>;

const LINES: Rules<Line> = Rules {
    content: |line| canonical_json(&without_keys(&json!({"nodes": nodes_of(line)}))),
    likeness: Likeness { kind: |_, _| Some(1), text: text_of },
    merge: |context, _, Versions { into, from, .. }| vec![context.settle(into, from).clone()],
    conflict: |context, _, Versions { into, from, .. }| context.settle(into, from),
    merged: |_, _| {},
};

/// Returns whether a node belongs to a line of text.
pub(super) fn is_inline(node: &Value) -> bool {
    matches!(node.get("object").and_then(Value::as_str), Some("text" | "inline"))
}

/// Merges the children of a block with text.
pub(super) fn merge_lines(context: &mut Context<'_>, versions: Versions<&[Value]>) -> Value {
    let [base, into, from] = [versions.base, versions.into, versions.from].map(lines_of);
    let merged =
        merge_sequence(context, &LINES, Versions { base: &base[..], into: &into[..], from: &from[..] });
    Value::Array(join(&merged))
}

/// Splits text and inline nodes at line breaks. The breaks belong to no line.
fn lines_of(nodes: &[Value]) -> Vec<Line> {
    let mut lines = vec![Line::new()];
    for node in nodes {
        let Some((node, leaves)) = text_node(node) else {
            push(&mut lines, Atom::Node(node.clone()));
            continue;
        };
        for (leaf, text) in leaves {
            for (index, part) in text.split('\n').enumerate() {
                if index > 0 {
                    lines.push(Line::new());
                }
                push(
                    &mut lines,
                    Atom::Text { node: node.clone(), leaf: leaf.clone(), text: part.to_owned() },
                );
            }
        }
    }
    lines
}

/// Splits a text node into itself and its leaves; `None` for any other node.
#[expect(clippy::type_complexity, reason = "the parts are taken apart again by the only caller")]
fn text_node(node: &Value) -> Option<(Map<String, Value>, Vec<(Map<String, Value>, String)>)> {
    let mut node = node.as_object()?.clone();
    if node.get("object").and_then(Value::as_str) != Some("text") {
        return None;
    }
    let Some(Value::Array(leaves)) = node.remove("leaves") else { return None };
    let take_apart = |leaf: Value| match leaf {
        Value::Object(mut leaf) => match leaf.remove("text") {
            Some(Value::String(text)) => Some((leaf, text)),
            _ => None,
        },
        _ => None,
    };
    let leaves: Option<Vec<_>> = leaves.into_iter().map(take_apart).collect();
    leaves.filter(|leaves| !leaves.is_empty()).map(|leaves| (node, leaves))
}

/// Adds a piece to the last line. Adjacent pieces with the same marks are joined. An empty piece is kept only in a line
/// without text.
fn push(lines: &mut [Line], atom: Atom) {
    let Some(line) = lines.last_mut() else { return };
    match (line.last_mut(), atom) {
        (
            Some(Atom::Text { node, leaf, text }),
            Atom::Text { node: new_node, leaf: new_leaf, text: new_text },
        ) => {
            if *leaf == new_leaf || new_text.is_empty() {
                text.push_str(&new_text);
            } else if text.is_empty() {
                (*node, *leaf, *text) = (new_node, new_leaf, new_text);
            } else {
                line.push(Atom::Text { node: new_node, leaf: new_leaf, text: new_text });
            }
        }
        (_, atom) => line.push(atom),
    }
}

/// Joins lines, with a line break between each two.
fn join(lines: &[Line]) -> Vec<Value> {
    let mut pieces = vec![Line::new()];
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            let line_break = match pieces.last().and_then(|line| line.last()) {
                Some(Atom::Text { node, leaf, .. }) => {
                    Atom::Text { node: node.clone(), leaf: leaf.clone(), text: "\n".to_owned() }
                }
                _ => plain_line_break(),
            };
            push(&mut pieces, line_break);
        }
        line.iter().for_each(|atom| push(&mut pieces, atom.clone()));
    }
    pieces.iter().flat_map(nodes_of).collect()
}

fn plain_line_break() -> Atom {
    let object = |name: &str| Map::from_iter([("object".to_owned(), Value::from(name))]);
    let mut leaf = object("leaf");
    leaf.insert("marks".to_owned(), Value::Array(Vec::new()));
    Atom::Text { node: object("text"), leaf, text: "\n".to_owned() }
}

/// Returns the nodes of a line. Adjacent pieces of text become the leaves of one text node.
fn nodes_of(line: &Line) -> Vec<Value> {
    let mut nodes: Vec<Value> = Vec::new();
    let mut in_text = false;
    for atom in line {
        match atom {
            Atom::Node(node) => {
                nodes.push(node.clone());
                in_text = false;
            }
            Atom::Text { node, leaf, text } => {
                let mut leaf = leaf.clone();
                leaf.insert("text".to_owned(), Value::from(text.as_str()));
                let leaves = nodes.last_mut().filter(|_| in_text).and_then(|node| node.get_mut("leaves"));
                if let Some(Value::Array(leaves)) = leaves {
                    leaves.push(Value::Object(leaf));
                } else {
                    let mut node = node.clone();
                    node.insert("leaves".to_owned(), Value::Array(vec![Value::Object(leaf)]));
                    nodes.push(Value::Object(node));
                }
                in_text = true;
            }
        }
    }
    nodes
}

fn text_of(line: &Line) -> String {
    let texts = line.iter().filter_map(|atom| match atom {
        Atom::Text { text, .. } => Some(text.as_str()),
        Atom::Node(_) => None,
    });
    texts.collect()
}
