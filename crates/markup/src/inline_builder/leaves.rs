//! Leaves of text, which are merged when text is added and trimmed when a line ends.

use crate::document::{Inline, Leaf, Mark, Text};

/// Adds text. If the text before it has the same marks, the two are merged.
pub(super) fn push_leaf(nodes: &mut Vec<Inline>, text: &str, marks: Vec<Mark>) {
    if let Some(Inline::Text(Text { leaves, .. })) = nodes.last_mut() {
        match leaves.last_mut() {
            Some(last) if last.marks == marks => last.text.push_str(text),
            _ => leaves.push(Leaf { text: text.to_owned(), marks }),
        }
        return;
    }
    nodes.push(Inline::Text(Text { key: None, leaves: vec![Leaf { text: text.to_owned(), marks }] }));
}

/// Removes trailing white space and line breaks.
pub(super) fn trim_end(nodes: &mut Vec<Inline>) {
    while let Some(Inline::Text(text)) = nodes.last_mut() {
        trim_leaves(&mut text.leaves);
        if !text.leaves.is_empty() {
            return;
        }
        nodes.pop();
    }
}

fn trim_leaves(leaves: &mut Vec<Leaf>) {
    while let Some(leaf) = leaves.last_mut() {
        leaf.text.truncate(leaf.text.trim_end_matches([' ', '\n']).len());
        if !leaf.text.is_empty() {
            return;
        }
        leaves.pop();
    }
}
