//! Three-way merge of documents: block by block, and line by line inside a block.

mod alignment;
mod conflict;
mod contents;
mod difference;
mod edit_script;
mod gained;
mod headings;
mod inline;
mod keys;
mod map;
mod node;
mod quotation;
mod sequence;
mod table;
mod versions;

use serde_json::Value;

pub use self::alignment::BlockAlignment;
pub use self::conflict::BlockConflict;
pub(crate) use self::conflict::scope_of;
use self::conflict::{Context, Sides, blocks_in};
pub use self::contents::BlockContents;
pub use self::difference::{
    AttributeDifference, DifferenceSummary, DocumentDifference, NodeChange, NodeDifference, WordChange,
    WordRun,
};
pub use self::gained::GainedBlocks;
use self::headings::note_headings;
pub use self::quotation::{WordAlignment, find_words};
use self::versions::Versions;
use crate::merge::{ConflictId, Resolution};

/// Outcome of merging two versions of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentMerge {
    /// Document with the changes of both sides. Parts with an unresolved conflict are as in `into`.
    pub document: Value,
    /// Unresolved conflicts, in the order of the document.
    pub conflicts: Vec<BlockConflict>,
    /// Conflicts that a choice resolved.
    pub resolved: Vec<ConflictId>,
    /// Outermost blocks that a side changed and that have no conflict inside; 0 if a side changed nothing.
    pub merged_blocks: usize,
}

/// Merges two versions of a document that come from the same `base`.
///
/// - A change on one side only is kept, and the same change on both sides is kept once.
/// - Blocks are compared without their `key`s. A block that only one side changed, moved or removed is taken from that
///   side. A block that both changed is merged inside: its `data` key by key, its child blocks like the document's
///   blocks, a table's records and cells one by one, and text line by line (a line with all its marks and inline nodes
///   is one unit).
/// - It is a conflict if both sides change the same line or data key differently, insert different items at the same
///   position, or move the same item to different positions, and if one side changes an item that the other removes,
///   or inserts into the middle of it. The conflict is that of the innermost block.
///
/// Unchanged parts are returned as in `into`. A `key` that is unique in `into` and in `from` is unique in the
/// outcome: a later node with the same key loses it.
///
/// `scope` names the three versions, so that equal conflicts of different documents have different identifiers.
#[must_use]
pub fn merge_document(
    [base, into, from]: [&Value; 3],
    scope: &str,
    resolution: &Resolution,
) -> DocumentMerge {
    let untouched = |document: &Value| DocumentMerge {
        document: document.clone(),
        conflicts: Vec::new(),
        resolved: Vec::new(),
        merged_blocks: 0,
    };
    if from == base {
        return untouched(into);
    }
    if into == base {
        return untouched(from);
    }
    let whole = ConflictId::of_document(scope);
    let chosen = resolution.chosen_side(&whole);
    let (side, reports) = match chosen {
        Some(side) => (Some(side), false),
        None => (resolution.strategy(), resolution.reports()),
    };
    let mut context = Context::new(resolution, scope, side, reports);
    let merge = |context: &mut Context<'_>| {
        node::merge_nodes(context, base, into, from).unwrap_or_else(|| into.clone())
    };
    let merged = match context.unit(merge) {
        Ok(merged) => merged,
        Err(sides) => merge_whole(&mut context, base, sides),
    };
    let Context { mut conflicts, mut resolved, merged_blocks, .. } = context;
    note_headings(&mut conflicts, &merged);
    resolved.extend(chosen.map(|_| whole));
    DocumentMerge { document: keys::without_repeated_keys(merged), conflicts, resolved, merged_blocks }
}

/// Resolves a conflict of the document itself, as a conflict of all its blocks.
fn merge_whole(context: &mut Context<'_>, base: &Value, sides: Sides<Value>) -> Value {
    let Sides { into, from } = sides;
    let versions = Versions { base: blocks_in(base), into: blocks_in(&into), from: blocks_in(&from) };
    let chosen = context.resolve(None, versions);
    let mut merged = if chosen != blocks_in(&into) && chosen == blocks_in(&from) { from } else { into };
    if let Some(nodes @ Value::Array(_)) = merged.get_mut("nodes") {
        *nodes = Value::Array(chosen);
    }
    merged
}
