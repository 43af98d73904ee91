//! Three-way merge of documents: block by block, and line by line inside a block.

mod alignment;
mod edit_script;
mod inline;
mod keys;
mod map;
mod node;
mod sequence;
mod table;

use serde_json::Value;

pub use self::alignment::BlockAlignment;
use crate::merge::Strategy;

/// Outcome of merging two versions of a document.
#[derive(Debug, Clone, PartialEq)]
pub enum DocumentMerge {
    /// The document with the changes of both sides.
    Merged(Value),
    /// Both sides changed the same part differently.
    Conflict,
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
///   or inserts into the middle of it.
///
/// Unchanged parts are returned as in `into`. A `key` that is unique in `into` and in `from` is unique in the
/// outcome: a later node with the same key loses it.
#[must_use]
pub fn merge_document(base: &Value, into: &Value, from: &Value) -> DocumentMerge {
    let mut context = Context { strategy: None, conflicts: 0 };
    let merged = merge_whole(&mut context, base, into, from);
    if context.conflicts == 0 { DocumentMerge::Merged(merged) } else { DocumentMerge::Conflict }
}

/// Merges two versions of a document as [`merge_document`] does, and resolves each conflict, and only the
/// conflicts, to the side that the strategy names.
#[must_use]
pub fn settle_document(base: &Value, into: &Value, from: &Value, strategy: Strategy) -> Value {
    let mut context = Context { strategy: Some(strategy), conflicts: 0 };
    merge_whole(&mut context, base, into, from)
}

fn merge_whole(context: &mut Context, base: &Value, into: &Value, from: &Value) -> Value {
    if from == base {
        return into.clone();
    }
    if into == base {
        return from.clone();
    }
    let merged = node::merge_nodes(context, base, into, from).unwrap_or_else(|| into.clone());
    keys::without_repeated_keys(merged)
}

/// Three versions of one thing.
#[derive(Clone, Copy)]
struct Versions<T> {
    base: T,
    into: T,
    from: T,
}

/// Merge state: the strategy, and the number of conflicts so far.
struct Context {
    strategy: Option<Strategy>,
    conflicts: usize,
}

impl Context {
    /// Counts a conflict and returns the side that the strategy names; without one, `into`, since the outcome is not
    /// used.
    fn settle<T>(&mut self, into: T, from: T) -> T {
        self.conflicts += 1;
        match self.strategy {
            Some(Strategy::Ours) => from,
            Some(Strategy::Theirs) | None => into,
        }
    }
}
