//! Differences between two versions of a document. Blocks are aligned as in merges, and words are compared inside
//! blocks.

mod attributes;
mod table;
pub(super) mod words;

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use self::attributes::attributes;
use self::words::{count_words, difference_of_words};
use super::alignment::{content, is_version, unnamed_content};
use super::edit_script::{ItemEdit, Likeness, script, words as hashed_words};
use super::inline::is_inline;
use super::node::{members, node_likeness, text_of};
use super::sequence::Marks;

pub use self::attributes::AttributeDifference;
pub use self::words::{WordChange, WordRun};

/// Bound on the comparisons of nodes and words per difference of two documents, some 50 ms. Beyond it, differing nodes
/// count as removed and added as a whole.
const MOST_COMPARISONS: usize = 3_000_000;
/// Maximum number of pairs of blocks up to which all pairs are compared to find the most similar; see the edit script.
const MOST_PAIRS: usize = 1024;
/// Estimated upper bound on the average number of comparisons per pair of blocks during pairing.
const PAIRING_ROUNDS: usize = 8;

/// Difference between two versions of a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DocumentDifference {
    /// Numbers of words and blocks that differ.
    pub summary: DifferenceSummary,
    /// Parts were not compared in detail, because that would have taken too long.
    pub is_coarse: bool,
    /// Blocks of both versions in reading order. Removed blocks keep their former place.
    pub blocks: Vec<NodeDifference>,
}

/// Numbers of words and blocks that differ. A table or listing counts as one block; blocks inside other blocks count
/// too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DifferenceSummary {
    /// Words that only the later version has.
    pub words_added: usize,
    /// Words that only the earlier version has.
    pub words_removed: usize,
    /// Blocks that only the later version has.
    pub blocks_added: usize,
    /// Blocks that only the earlier version has.
    pub blocks_removed: usize,
    /// Blocks with another text or other attributes.
    pub blocks_edited: usize,
    /// Blocks that moved to another place.
    pub blocks_moved: usize,
}

/// Kind of the difference between two versions of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeChange {
    /// Both versions have the node; its key may differ.
    Unchanged,
    /// Only the later version has the node.
    Added,
    /// Only the earlier version has the node.
    Removed,
    /// The node was edited.
    Edited,
    /// The node is at another place in the later version. It is listed at both: with `before` and with `after`.
    Moved,
}

/// Node of one version or of both: a block, a fragment, a row or a cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeDifference {
    /// Kind of the difference.
    pub change: NodeChange,
    /// Node of the earlier version, without the lists that the fields below contain; `None` if it is equal to `after`.
    pub before: Option<Value>,
    /// Node of the later version, without these lists.
    pub after: Option<Value>,
    /// Differing members of `data`.
    pub attributes: Vec<AttributeDifference>,
    /// Text of both versions.
    pub words: Option<Vec<WordRun>>,
    /// The blocks in `nodes` of both versions.
    pub nodes: Option<Vec<Self>>,
    /// The `fragments` of both versions.
    pub fragments: Option<Vec<Self>>,
    /// Rows of both versions of a table, whose `nodes` are the cells in the order of the columns.
    pub rows: Option<Vec<Self>>,
}

impl DocumentDifference {
    /// Compares two versions of a document.
    ///
    /// Blocks are aligned level by level, as in merges. Two versions of a block have at least 30 % of their words in
    /// common. Words with other marks or another link differ. The work is bounded for all documents.
    #[must_use]
    pub fn between(before: &Value, after: &Value) -> Self {
        let mut comparison = Comparison { left: MOST_COMPARISONS, is_coarse: false };
        let mut blocks = comparison.nodes(members(before, "nodes"), members(after, "nodes"), content);
        mark_moved(&mut blocks);
        let mut summary = DifferenceSummary::default();
        blocks.iter().for_each(|block| summary.add(block));
        Self { summary, is_coarse: comparison.is_coarse, blocks }
    }

    /// Returns whether no block differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.blocks.iter().all(|block| block.change == NodeChange::Unchanged)
    }

    /// Returns the blocks of the earlier version. Runs of text with equal marks are joined.
    #[must_use]
    pub fn before(&self) -> Vec<Value> {
        self.blocks.iter().filter_map(NodeDifference::whole_before).collect()
    }

    /// Returns the blocks of the later version. Runs of text with equal marks are joined.
    #[must_use]
    pub fn after(&self) -> Vec<Value> {
        self.blocks.iter().filter_map(NodeDifference::whole_after).collect()
    }
}

impl NodeDifference {
    fn new(change: NodeChange, before: Option<&Value>, after: Option<&Value>) -> Self {
        Self {
            change,
            before: before.cloned(),
            after: after.cloned(),
            attributes: Vec::new(),
            words: None,
            nodes: None,
            fragments: None,
            rows: None,
        }
    }

    /// Returns the node of the later version, or of the earlier one if it was removed.
    #[must_use]
    pub fn node(&self) -> Option<&Value> {
        self.after.as_ref().or(self.before.as_ref())
    }

    /// Returns the node of the earlier version with all its content; `None` for an added one.
    #[must_use]
    pub fn whole_before(&self) -> Option<Value> {
        let own = match self.change {
            NodeChange::Unchanged => self.before.as_ref().or(self.after.as_ref()),
            _ => self.before.as_ref(),
        };
        Some(self.filled(own?, WordChange::Removed, Self::whole_before))
    }

    /// Returns the node of the later version with all its content; `None` for a removed one.
    #[must_use]
    pub fn whole_after(&self) -> Option<Value> {
        Some(self.filled(self.after.as_ref()?, WordChange::Added, Self::whole_after))
    }

    fn filled(&self, shell: &Value, own: WordChange, whole: fn(&Self) -> Option<Value>) -> Value {
        let mut node = shell.clone();
        let Some(members) = node.as_object_mut() else { return node };
        if let Some(runs) = &self.words {
            let shown = runs.iter().filter(|run| run.change == WordChange::Unchanged || run.change == own);
            let nodes = shown.flat_map(|run| run.nodes.iter().cloned());
            members.insert("nodes".to_owned(), words::joined(nodes.collect()));
        }
        for (name, list) in [("nodes", &self.nodes), ("fragments", &self.fragments)] {
            if let Some(list) = list {
                members.insert(name.to_owned(), list.iter().filter_map(whole).collect());
            }
        }
        node
    }
}

impl DifferenceSummary {
    fn add(&mut self, difference: &NodeDifference) {
        let words = || difference.node().map_or(0, |node| count_words(&text_of(node)));
        match difference.change {
            NodeChange::Unchanged => {}
            NodeChange::Moved => self.blocks_moved += usize::from(difference.after.is_some()),
            NodeChange::Added => {
                self.blocks_added += 1;
                self.words_added += words();
            }
            NodeChange::Removed => {
                self.blocks_removed += 1;
                self.words_removed += words();
            }
            NodeChange::Edited => self.add_edited(difference),
        }
    }

    fn add_edited(&mut self, difference: &NodeDifference) {
        let kind = difference.node().and_then(|node| node.get("type")).and_then(Value::as_str);
        if matches!(kind, Some("table" | "code")) {
            let mut inner = Self::default();
            let parts = difference.rows.as_ref().or(difference.nodes.as_ref());
            parts.into_iter().flatten().for_each(|part| inner.add(part));
            self.words_added += inner.words_added;
            self.words_removed += inner.words_removed;
            self.blocks_edited += 1;
            return;
        }
        for run in difference.words.iter().flatten() {
            let words = || run.nodes.iter().map(|node| count_words(&text_of(node))).sum::<usize>();
            match run.change {
                WordChange::Unchanged => {}
                WordChange::Added => self.words_added += words(),
                WordChange::Removed => self.words_removed += words(),
            }
        }
        self.blocks_edited += usize::from(!difference.attributes.is_empty() || difference.words.is_some());
        let nested = difference.nodes.iter().chain(&difference.fragments).flatten();
        nested.for_each(|nested| self.add(nested));
    }
}

/// Comparison of two documents, with its remaining budget of comparisons.
struct Comparison {
    left: usize,
    is_coarse: bool,
}

impl Comparison {
    /// Takes comparisons from the budget, and returns whether there were enough.
    fn take(&mut self, comparisons: usize) -> bool {
        let left = self.left.checked_sub(comparisons);
        self.is_coarse |= left.is_none();
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }

    /// Takes the comparisons of two sequences from the budget, and returns whether there were enough. Myers' algorithm
    /// needs a number quadratic in the number of differences, which is only known after a first pass.
    fn is_within(&mut self, old: &[usize], new: &[usize]) -> bool {
        let found = comparisons(old, new, self.left);
        self.left = self.left.saturating_sub(found.unwrap_or(self.left));
        self.is_coarse |= found.is_none();
        found.is_some()
    }

    /// Compares two lists of nodes.
    fn nodes(
        &mut self,
        before: &[Value],
        after: &[Value],
        content: fn(&Value) -> Vec<u8>,
    ) -> Vec<NodeDifference> {
        let mut marks = Marks { content, numbers: HashMap::new() };
        let (old_marks, new_marks) = (marks.of(before), marks.of(after));
        let pairs = || old_marks.iter().zip(&new_marks);
        let start = pairs().take_while(|(old, new)| old == new).count();
        let rest = old_marks.len().min(new_marks.len()).saturating_sub(start);
        let ends = old_marks.iter().rev().zip(new_marks.iter().rev());
        let end = ends.take(rest).take_while(|(old, new)| old == new).count();
        let middle = |len: usize| start..len.saturating_sub(end);
        let (old_range, new_range) = (middle(before.len()), middle(after.len()));
        let same = |(before, after): (&Value, &Value)| {
            NodeDifference::new(
                NodeChange::Unchanged,
                Some(before).filter(|before| *before != after),
                Some(after),
            )
        };
        let mut differences: Vec<_> = before.iter().zip(after).take(start).map(same).collect();
        let old = before.get(old_range.clone()).unwrap_or_default();
        let new = after.get(new_range.clone()).unwrap_or_default();
        let old_marks = old_marks.get(old_range).unwrap_or_default();
        let new_marks = new_marks.get(new_range).unwrap_or_default();
        if self.is_within(old_marks, new_marks) && self.take(pairing(old, new)) {
            self.align((old, old_marks), (new, new_marks), &mut differences);
        } else {
            differences.extend(old.iter().map(removed));
            differences.extend(new.iter().map(added));
        }
        let tails = before.iter().rev().zip(after.iter().rev()).take(end);
        let mut tail: Vec<_> = tails.map(same).collect();
        tail.reverse();
        differences.append(&mut tail);
        differences
    }

    fn align(
        &mut self,
        (old, old_marks): (&[Value], &[usize]),
        (new, new_marks): (&[Value], &[usize]),
        differences: &mut Vec<NodeDifference>,
    ) {
        let likeness = Likeness { kind: node_likeness, text: text_of };
        let script = script(old, old_marks, new, new_marks, &likeness);
        let mut inserts = script.inserts.iter();
        // A new version with the content of another old block is that block, moved.
        let shared: HashSet<usize> = old_marks.iter().copied().collect();
        let is_moved = |at: usize| new_marks.get(at).is_some_and(|mark| shared.contains(mark));
        let mut next = 0_usize;
        let mut insert = |differences: &mut Vec<NodeDifference>, next: &mut usize| {
            let nodes = inserts.next().map_or(&[][..], Vec::as_slice);
            *next = next.saturating_add(nodes.len());
            differences.extend(nodes.iter().map(|node| added(node)));
        };
        insert(differences, &mut next);
        for (before, edit) in old.iter().zip(&script.edits) {
            match edit {
                ItemEdit::Kept(after) => {
                    let other = Some(before).filter(|before| before != after);
                    differences.push(NodeDifference::new(NodeChange::Unchanged, other, Some(after)));
                }
                ItemEdit::Changed(after) if is_version(before, after) && !is_moved(next) => {
                    differences.push(self.edited(before, after));
                }
                ItemEdit::Changed(after) => differences.extend([removed(before), added(after)]),
                ItemEdit::Removed => differences.push(removed(before)),
            }
            next = next.saturating_add(usize::from(!matches!(edit, ItemEdit::Removed)));
            insert(differences, &mut next);
        }
    }

    /// Compares two versions of a node.
    fn edited(&mut self, before: &Value, after: &Value) -> NodeDifference {
        let mut difference = NodeDifference::new(NodeChange::Edited, Some(before), Some(after));
        if before.get("type").and_then(Value::as_str) == Some("table") {
            let rows = [before, after].map(table::rows);
            let [old, new] = &rows;
            difference.rows = Some(self.nodes(old, new, content));
            difference.attributes = table::attributes(before, after);
            return difference;
        }
        difference.attributes = attributes(before, after);
        let [old, new] = [before, after].map(|node| members(node, "nodes"));
        if old != new {
            if old.iter().chain(new).any(is_inline) {
                difference.words = Some(difference_of_words(old, new, |old, new| self.is_within(old, new)));
            } else {
                difference.nodes = Some(self.nodes(old, new, content));
            }
            difference.omit("nodes");
        }
        let [old, new] = [before, after].map(|node| members(node, "fragments"));
        if old != new {
            difference.fragments = Some(self.nodes(old, new, unnamed_content));
            difference.omit("fragments");
        }
        difference
    }
}

impl NodeDifference {
    /// Removes a list that the difference itself contains.
    fn omit(&mut self, list: &str) {
        for node in [&mut self.before, &mut self.after].into_iter().flatten() {
            node.as_object_mut().map(|members| members.remove(list));
        }
    }
}

fn added(node: &Value) -> NodeDifference {
    NodeDifference::new(NodeChange::Added, None, Some(node))
}

fn removed(node: &Value) -> NodeDifference {
    NodeDifference::new(NodeChange::Removed, Some(node), None)
}

/// Returns the number of comparisons that Myers' algorithm makes to find the shortest edit script; `None` if it exceeds
/// `most`.
fn comparisons(old: &[usize], new: &[usize], most: usize) -> Option<usize> {
    let mut made = 0_usize;
    // The furthest index in `old` that was reached on each diagonal, by its distance from the lowest one.
    let mut reached = vec![0_usize; 3];
    for distance in 0..=old.len().saturating_add(new.len()) {
        let mut next = vec![0_usize; distance.saturating_mul(2).saturating_add(3)];
        for step in (0..=distance.saturating_mul(2)).step_by(2) {
            // The diagonal is `step - distance`; its neighbours in `reached` are one lower and one higher.
            let below = step.checked_sub(1).and_then(|at| reached.get(at)).map(|old| old.saturating_add(1));
            let above = reached.get(step.saturating_add(1)).copied();
            let is_lowest = step == 0;
            let is_highest = step == distance.saturating_mul(2);
            let mut at = match (distance, is_lowest, is_highest) {
                (0, ..) => 0,
                (_, true, _) => above.unwrap_or_default(),
                (_, _, true) => below.unwrap_or_default(),
                _ => above.unwrap_or_default().max(below.unwrap_or_default()),
            };
            let other = |at: usize| at.saturating_add(distance).checked_sub(step);
            while old.get(at).is_some_and(|item| other(at).and_then(|other| new.get(other)) == Some(item)) {
                at = at.saturating_add(1);
                made = made.saturating_add(1);
            }
            made = made.saturating_add(1);
            if at >= old.len() && other(at).is_some_and(|other| other >= new.len()) {
                return Some(made);
            }
            if made > most {
                return None;
            }
            if let Some(place) = next.get_mut(step.saturating_add(1)) {
                *place = at;
            }
        }
        reached = next;
    }
    Some(made)
}

/// Returns an upper bound on the comparisons of words that pairing takes.
fn pairing(old: &[Value], new: &[Value]) -> usize {
    let words = |nodes: &[Value]| nodes.iter().map(|node| hashed_words(&text_of(node)).len()).sum::<usize>();
    let (old_words, new_words) = (words(old), words(new));
    if old.len().saturating_mul(new.len()) > MOST_PAIRS {
        // For long lists, pairing compares only the first of each side.
        return old_words.saturating_add(new_words);
    }
    let compared = old_words.saturating_mul(new.len()).saturating_add(new_words.saturating_mul(old.len()));
    compared.saturating_mul(PAIRING_ROUNDS)
}

/// Marks added and removed blocks with equal content as moved, if each version has the content once.
fn mark_moved(blocks: &mut [NodeDifference]) {
    let mut found: HashMap<Vec<u8>, [usize; 2]> = HashMap::new();
    visit(blocks, &mut |block, key| {
        let [removed, added] = found.entry(key).or_default();
        *(if block.change == NodeChange::Added { added } else { removed }) += 1;
    });
    visit(blocks, &mut |block, key| {
        if found.get(&key) == Some(&[1, 1]) {
            block.change = NodeChange::Moved;
        }
    });
}

/// Visits the added and removed blocks that have text. The visitor receives each block and its content.
fn visit(blocks: &mut [NodeDifference], act: &mut impl FnMut(&mut NodeDifference, Vec<u8>)) {
    for block in blocks {
        match block.change {
            NodeChange::Added | NodeChange::Removed => {
                let telling = block.node().filter(|node| !text_of(node).trim().is_empty());
                let key = telling.map(content);
                if let Some(key) = key {
                    act(block, key);
                }
            }
            NodeChange::Edited => {
                let lists = [&mut block.nodes, &mut block.fragments];
                lists.into_iter().flatten().for_each(|list| visit(list, act));
            }
            NodeChange::Unchanged | NodeChange::Moved => {}
        }
    }
}
