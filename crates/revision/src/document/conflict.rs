//! Conflicts of a document as values, and the state of a merge that records or resolves them.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::keys::without_keys;
use super::versions::Versions;
use crate::hash::DocumentId;
use crate::merge::{ConflictId, Resolution, Strategy, Take, settled};

/// Conflicting changes of the same blocks of a document.
///
/// `ours` is the document merged *from*, `theirs` the document merged *into*. Changes inside the blocks that do not
/// conflict are merged in both.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockConflict {
    /// Identifier, the same for every merge of the same three documents.
    pub id: ConflictId,
    /// Path in the merged document of the first block, or of the block that follows them if they were removed. Empty if
    /// the document conflicts as a whole.
    pub path: String,
    /// Number of blocks at this path in the merged document.
    pub length: usize,
    /// Text of the last top-level heading above these blocks in the merged document.
    pub heading: Option<String>,
    /// Ancestors of these blocks within the document or fragment, outermost first, without their children.
    around: Vec<Value>,
    /// Blocks in the merge base; empty if both sides inserted blocks.
    pub base: Vec<Value>,
    /// Blocks in `ours`; empty if removed.
    pub ours: Vec<Value>,
    /// Blocks in `theirs`; empty if removed.
    pub theirs: Vec<Value>,
}

impl BlockConflict {
    /// Returns a conflict of documents as a whole. The merged document is `theirs`. `None` is no document.
    #[must_use]
    pub fn of_documents(base: Option<&Value>, ours: Option<&Value>, theirs: Option<&Value>) -> Self {
        let [base, ours, theirs] =
            [base, ours, theirs].map(|document| document.map(blocks_in).unwrap_or_default());
        Self {
            id: ConflictId::of(&json!(["documents", base, theirs, ours])),
            path: String::new(),
            length: theirs.len(),
            heading: None,
            around: Vec::new(),
            base,
            ours,
            theirs,
        }
    }

    /// Returns a version as the blocks of a complete document: inside the ancestors of the blocks, so that a list item
    /// is in its list. A version without blocks is an empty document.
    #[must_use]
    pub fn as_document(&self, blocks: &[Value]) -> Vec<Value> {
        if blocks.is_empty() {
            return Vec::new();
        }
        self.around.iter().rev().fold(blocks.to_vec(), |blocks, around| {
            let mut around = around.clone();
            if let Some(members) = around.as_object_mut() {
                members.insert("nodes".to_owned(), Value::Array(blocks));
            }
            vec![around]
        })
    }
}

/// Extracts the blocks from a document in the form of [`BlockConflict::as_document`]; `None` for another form.
fn blocks_of(document: &[Value], around: &[Value]) -> Option<Vec<Value>> {
    let mut blocks = document;
    for around in around {
        blocks = match blocks {
            [] => return Some(Vec::new()),
            [block] if block.get("type") == around.get("type") => block.get("nodes")?.as_array()?,
            _ => return None,
        };
    }
    Some(blocks.to_vec())
}

/// State of the merge of a document.
pub(super) struct Context<'r> {
    /// Choices for single conflicts.
    resolution: &'r Resolution,
    /// Distinguishes equal conflicts of different documents.
    scope: &'r str,
    /// Side that resolves the conflicts without a choice.
    side: Option<Strategy>,
    /// Reports conflicts without a choice even if `side` resolves them.
    reports: bool,
    /// Number of conflicts of the innermost block outside its child blocks.
    own: usize,
    /// Path from the document to the innermost block.
    path: Vec<String>,
    /// Ancestors of the current list; `None` for a document or a fragment.
    parents: Vec<Option<Value>>,
    /// Number of outermost blocks so far that a side changed and that have no conflict inside.
    pub(super) merged_blocks: usize,
    /// Number of conflicts so far, by the id of their versions.
    repeated: HashMap<ConflictId, usize>,
    pub(super) conflicts: Vec<BlockConflict>,
    /// Conflicts that a choice resolved.
    pub(super) resolved: Vec<ConflictId>,
}

impl<'r> Context<'r> {
    /// Starts a merge. `side` resolves the conflicts without a choice; if it is `None`, they are reported.
    pub(super) fn new(
        resolution: &'r Resolution,
        scope: &'r str,
        side: Option<Strategy>,
        reports: bool,
    ) -> Self {
        Self {
            resolution,
            scope,
            side,
            reports: reports || side.is_none(),
            own: 0,
            path: Vec::new(),
            parents: Vec::new(),
            merged_blocks: 0,
            repeated: HashMap::new(),
            conflicts: Vec::new(),
            resolved: Vec::new(),
        }
    }

    /// Counts a conflict of the innermost block, and returns the version of the side that resolves it.
    pub(super) fn settle<T>(&mut self, into: T, from: T) -> T {
        self.own += 1;
        settled(self.side, into, from)
    }

    /// Merges the children of a node. `step` is the path from its parent, and `parent` is the node without its children
    /// if it is a block.
    pub(super) fn inside<T>(
        &mut self,
        step: String,
        parent: Option<Value>,
        merge: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.path.push(step);
        self.parents.push(parent);
        let merged = merge(self);
        self.parents.pop();
        self.path.pop();
        merged
    }

    /// Merges a unit: a block, or the document as a whole. If the unit itself conflicts, its conflict covers those of
    /// its children.
    ///
    /// # Errors If the unit itself conflicts, its two versions with all conflicts resolved to one side.
    pub(super) fn unit<T>(&mut self, merge: impl Fn(&mut Context<'_>) -> T) -> Result<T, Sides<T>> {
        let around = std::mem::take(&mut self.own);
        let (conflicts, resolved) = (self.conflicts.len(), self.resolved.len());
        let merged_blocks = self.merged_blocks;
        let merged = merge(self);
        let own = std::mem::replace(&mut self.own, around);
        if own == 0 || self.resolves_all_to_one_side() {
            return Ok(merged);
        }
        self.conflicts.truncate(conflicts);
        self.resolved.truncate(resolved);
        self.merged_blocks = merged_blocks;
        let none = Resolution::default();
        let [into, from] = [Strategy::Theirs, Strategy::Ours]
            .map(|side| merge(&mut Context::new(&none, self.scope, Some(side), false)));
        Err(Sides { into, from })
    }

    /// Resolves or reports a conflict of blocks, and returns the blocks to use. `step` is the path of the first of
    /// them.
    pub(super) fn resolve(&mut self, step: Option<String>, versions: Versions<Vec<Value>>) -> Vec<Value> {
        let Versions { base, into, from } = versions;
        if self.resolves_all_to_one_side() {
            return settled(self.side, into, from);
        }
        let id = self.id_of([&base, &into, &from]);
        let chosen = match self.resolution.take(&id) {
            Some(Take::Ours) => Some(from.clone()),
            Some(Take::Theirs) => Some(into.clone()),
            Some(Take::Both) => Some(into.iter().chain(&from).cloned().collect()),
            Some(Take::Document(blocks)) => blocks_of(blocks, &self.around()),
            None => None,
        };
        if let Some(chosen) = chosen {
            self.resolved.push(id);
            return chosen;
        }
        if !self.reports {
            return settled(self.side, into, from);
        }
        let chosen = settled(self.side, &into, &from).clone();
        self.conflicts.push(BlockConflict {
            id,
            path: self.path.iter().cloned().chain(step).collect::<Vec<_>>().join("."),
            length: chosen.len(),
            heading: None,
            around: self.around(),
            base,
            ours: from,
            theirs: into,
        });
        chosen
    }

    /// Returns the ancestors of the current list within the document or fragment, outermost first.
    fn around(&self) -> Vec<Value> {
        let mut around: Vec<Value> = self.parents.iter().rev().map_while(Clone::clone).collect();
        around.reverse();
        around
    }

    /// Returns whether every conflict is resolved to the same side. Conflicts then need no ids.
    fn resolves_all_to_one_side(&self) -> bool {
        !self.reports && !self.resolution.has_choices()
    }

    fn id_of(&mut self, versions: [&[Value]; 3]) -> ConflictId {
        let versions = versions.map(|blocks| blocks.iter().map(without_keys).collect::<Vec<_>>());
        let equal = ConflictId::of(&json!([self.scope, versions]));
        let count = self.repeated.entry(equal.clone()).or_default();
        *count += 1;
        if *count == 1 { equal } else { ConflictId::of(&json!([self.scope, versions, count])) }
    }
}

/// Two versions of a unit that conflicts.
pub(super) struct Sides<T> {
    pub(super) into: T,
    pub(super) from: T,
}

/// Returns the blocks of a document.
pub(super) fn blocks_in(document: &Value) -> Vec<Value> {
    match document.get("nodes") {
        Some(Value::Array(blocks)) => blocks.clone(),
        _ => Vec::new(),
    }
}

/// Returns a block without its children.
pub(super) fn shell(block: &Map<String, Value>) -> Value {
    let own = block.iter().filter(|(name, _)| !["key", "nodes", "fragments"].contains(&name.as_str()));
    Value::Object(own.map(|(name, value)| (name.clone(), value.clone())).collect())
}

/// Returns the scope of the conflicts of three documents. See [`merge_document`](super::merge_document).
pub(crate) fn scope_of(versions: [DocumentId; 3]) -> String {
    versions.map(|id| id.to_string()).join(".")
}
