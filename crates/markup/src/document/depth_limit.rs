//! Limits the nesting of documents to a depth that every JSON parser accepts.

use super::{Block, Children, Document, Fragment, Inline, InlineNode, MAX_LEVELS, Rare, schema};
use crate::text::{block_text, inline_text};
use serde_json::{Map, Value};

/// Number of JSON levels that suffices for any block without child blocks, and for the text that replaces child blocks.
const ROOM: usize = 20;

/// Returns the number of JSON levels of a value, including its own.
pub(super) fn levels(value: &Value) -> usize {
    let inside = match value {
        Value::Array(items) => items.iter().map(levels).max(),
        Value::Object(entries) => levels_of(entries),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    };
    1 + inside.unwrap_or(0)
}

fn levels_of(entries: &Map<String, Value>) -> Option<usize> {
    entries.values().map(levels).max()
}

impl Document {
    /// Limits the document to [`MAX_LEVELS`] levels of JSON, for readers of input with unbounded nesting. Deeper blocks
    /// are replaced by their text; deeper properties are removed.
    pub(crate) fn with_limited_depth(mut self) -> Self {
        // The levels of the document and of its array of blocks.
        limit_blocks(&mut self.nodes, MAX_LEVELS - 2);
        self
    }
}

fn limit_blocks(blocks: &mut [Block], room: usize) {
    blocks.iter_mut().for_each(|block| limit_block(block, room));
}

/// Limits a block to `room` levels, including its own object.
fn limit_block(block: &mut Block, room: usize) {
    // The levels of the block and of its `data`.
    prune_data(&mut block.data, room.saturating_sub(2));
    if levels_of_block(block) <= room {
        return;
    }
    if room < ROOM {
        flatten(block);
        return;
    }
    match &mut block.children {
        Children::Void => {}
        Children::Inlines(inlines) => fit_inlines(inlines, room - 2),
        Children::Blocks(blocks) => limit_blocks(blocks, room - 2),
    }
    fit_fragments(&mut block.fragments, room);
}

fn fit_fragments(fragments: &mut Rare<Vec<Fragment>>, room: usize) {
    // The levels of the array, the fragment and its array of blocks.
    fragments.into_iter().for_each(|fragment| limit_blocks(&mut fragment.nodes, room - 4));
}

fn fit_inlines(inlines: &mut [Inline], room: usize) {
    for inline in inlines {
        if let Inline::Node(node) = inline {
            prune_data(&mut node.data, room - 2);
            fit_inlines(&mut node.nodes, room - 2);
            fit_fragments(&mut node.fragments, room);
        }
    }
}

fn prune_data(data: &mut Rare<Map<String, Value>>, room: usize) {
    if let Some(data) = data.present_mut() {
        prune(data, room);
    }
}

/// Removes nested values that are too deep.
fn prune(data: &mut Map<String, Value>, room: usize) {
    data.retain(|_, value| fits(value, room));
}

/// Removes nested values that are too deep. Returns whether the value itself may stay.
fn fits(value: &mut Value, room: usize) -> bool {
    match (value, room) {
        (_, 0) => return false,
        (Value::Array(items), room) => items.retain_mut(|item| fits(item, room - 1)),
        (Value::Object(entries), room) => prune(entries, room - 1),
        (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_), _) => {}
    }
    true
}

/// Replaces the content of a block by its text.
fn flatten(block: &mut Block) {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = |text: &str| {
        let words = words(text);
        Block::paragraph(if words.is_empty() { Vec::new() } else { vec![Inline::text(words)] })
    };
    if schema::is_content(block.kind) {
        *block = line(&block_text(block));
        return;
    }
    match &mut block.children {
        Children::Void => {}
        Children::Inlines(inlines) => *inlines = vec![Inline::text(words(&inline_text(inlines)))],
        Children::Blocks(blocks) => {
            let text: String = blocks.iter().map(block_text).collect();
            *blocks = vec![line(&text)];
        }
    }
    for fragment in &mut block.fragments {
        let text: String = fragment.nodes.iter().map(block_text).collect();
        fragment.nodes = vec![line(&text)];
    }
}

/// Returns the number of JSON levels of a block.
fn levels_of_block(block: &Block) -> usize {
    let meta = block.meta.as_ref().map(|meta| 2 + levels_of(meta).unwrap_or(0));
    let data = 2 + levels_of(&block.data).unwrap_or(0);
    let children = match &block.children {
        Children::Void => 2,
        Children::Inlines(inlines) => 2 + levels_of_inlines(inlines),
        Children::Blocks(blocks) => 2 + levels_of_blocks(blocks),
    };
    data.max(meta.unwrap_or(0)).max(children).max(levels_of_fragments(&block.fragments))
}

fn levels_of_blocks(blocks: &[Block]) -> usize {
    blocks.iter().map(levels_of_block).max().unwrap_or(0)
}

fn levels_of_fragments(fragments: &[Fragment]) -> usize {
    fragments.iter().map(|fragment| 4 + levels_of_blocks(&fragment.nodes)).max().unwrap_or(2)
}

fn levels_of_inlines(inlines: &[Inline]) -> usize {
    // Levels of text: its leaves, their marks, the colors of a mark.
    const TEXT: usize = 8;
    let of_node = |node: &InlineNode| {
        let data = 2 + levels_of(&node.data).unwrap_or(0);
        data.max(2 + levels_of_inlines(&node.nodes)).max(levels_of_fragments(&node.fragments))
    };
    let of = |inline: &Inline| match inline {
        Inline::Text(_) => TEXT,
        Inline::Node(node) => of_node(node),
    };
    inlines.iter().map(of).max().unwrap_or(0)
}
