//! Three-way merge of sequences: blocks of a document, items of a list, lines of a text.

use std::collections::{HashMap, HashSet};

use super::edit_script::{ItemEdit, Likeness, Script, script};
use super::{Context, Versions};

/// Comparison and merge of the items of a sequence.
pub(super) struct Rules<T> {
    /// Returns the canonical content of an item: equal for equal items.
    pub(super) content: fn(&T) -> Vec<u8>,
    /// Similarity that decides whether one item can be a version of another.
    pub(super) likeness: Likeness<T>,
    /// Merges an item that both sides changed. The index is its place in the outcome. The result may be empty.
    pub(super) merge: fn(&mut Context<'_>, usize, Versions<&T>) -> Vec<T>,
    /// Returns the outcome of a conflict of items. The index is the place of the first in the outcome.
    pub(super) conflict: fn(&mut Context<'_>, usize, Versions<Vec<T>>) -> Vec<T>,
    /// Counts items that were inserted, changed, moved or removed without a conflict.
    pub(super) merged: fn(&mut Context<'_>, &[T]),
}

/// Merges a sequence that both sides changed. [`merge_document`](super::merge_document) defines the conflicts.
pub(super) fn merge_sequence<T: Clone>(
    context: &mut Context<'_>,
    rules: &Rules<T>,
    versions: Versions<&[T]>,
) -> Vec<T> {
    let Versions { base, into, from } = versions;
    let mut marks = Marks { content: rules.content, numbers: HashMap::new() };
    let base_marks = marks.of(base);
    let into = script(base, &base_marks, into, &marks.of(into), &rules.likeness);
    let from = script(base, &base_marks, from, &marks.of(from), &rules.likeness);
    let contested = moved_apart(&mut marks, &base_marks, &into, &from);
    let inserted = into.inserts.iter().chain(&from.inserts).flatten().copied();
    let inserted = marks.of(inserted).into_iter().collect();
    let mut merge = Merge { context, rules, marks, contested, inserted, merged: Vec::new() };
    merge.gap(0, &into, &from);
    let edits = base_marks.iter().zip(into.edits.iter().zip(&from.edits));
    for (index, (base, (mark, edits))) in base.iter().zip(edits).enumerate() {
        merge.item((base, *mark), edits);
        merge.gap(index + 1, &into, &from);
    }
    merge.merged
}

/// Assigns a number to each distinct content, so that later comparisons compare integers.
pub(super) struct Marks<T> {
    pub(super) content: fn(&T) -> Vec<u8>,
    pub(super) numbers: HashMap<Vec<u8>, usize>,
}

impl<T> Marks<T> {
    pub(super) fn of<'a>(&mut self, items: impl IntoIterator<Item = &'a T>) -> Vec<usize>
    where
        T: 'a,
    {
        let mark = |item| {
            let next = self.numbers.len();
            *self.numbers.entry((self.content)(item)).or_insert(next)
        };
        items.into_iter().map(mark).collect()
    }
}

struct Merge<'m, 'r, T> {
    context: &'m mut Context<'r>,
    rules: &'m Rules<T>,
    marks: Marks<T>,
    /// Marks of items that both sides moved to different positions.
    contested: HashSet<usize>,
    /// Marks of items that a side inserted or moved.
    inserted: HashSet<usize>,
    merged: Vec<T>,
}

impl<T: Clone> Merge<'_, '_, T> {
    /// Merges the insertions before the base item with this index.
    fn gap(&mut self, index: usize, into: &Script<'_, T>, from: &Script<'_, T>) {
        let inserted = |side: &Script<'_, T>| {
            side.inserts.get(index).into_iter().flatten().map(|item| (*item).clone()).collect::<Vec<T>>()
        };
        let (from_ours, from_theirs) = (inserted(into), inserted(from));
        let (our_marks, their_marks) = (self.marks.of(&from_ours), self.marks.of(&from_theirs));
        let contested = our_marks.iter().chain(&their_marks).any(|mark| self.contested.contains(mark));
        let agreed = match (from_ours.is_empty(), from_theirs.is_empty()) {
            (true, true) => true,
            (false, true) => !contested && !removed_around(from, index),
            (true, false) => !contested && !removed_around(into, index),
            (false, false) => our_marks == their_marks,
        };
        let chosen = match (agreed, from_ours.is_empty()) {
            (true, false) => from_ours,
            (true, true) => from_theirs,
            (false, _) => self.conflict(Versions { base: Vec::new(), into: from_ours, from: from_theirs }),
        };
        if agreed {
            (self.rules.merged)(self.context, &chosen);
        }
        self.merged.extend(chosen);
    }

    /// Merges the edits of one base item.
    fn item(&mut self, (base, mark): (&T, usize), edits: (&ItemEdit<'_, T>, &ItemEdit<'_, T>)) {
        use ItemEdit::{Changed, Kept, Removed};
        let one = |item: &T| vec![item.clone()];
        self.count(base, mark, edits);
        let (into, from) = edits;
        let outcome = match (into, from) {
            (Kept(item), Kept(_)) | (Changed(item), Kept(_)) | (Kept(_), Changed(item)) => one(item),
            (Removed, Kept(_) | Removed) | (Kept(_), Removed) => Vec::new(),
            (Changed(into), Removed) => {
                self.conflict(Versions { base: one(base), into: one(into), from: Vec::new() })
            }
            (Removed, Changed(from)) => {
                self.conflict(Versions { base: one(base), into: Vec::new(), from: one(from) })
            }
            (Changed(into), Changed(from)) => {
                if (self.rules.content)(into) == (self.rules.content)(from) {
                    one(into)
                } else {
                    (self.rules.merge)(self.context, self.merged.len(), Versions { base, into, from })
                }
            }
        };
        self.merged.extend(outcome);
    }

    /// Counts a base item whose edits do not conflict. A moved item counts where it was inserted.
    fn count(&mut self, base: &T, mark: usize, edits: (&ItemEdit<'_, T>, &ItemEdit<'_, T>)) {
        use ItemEdit::{Changed, Kept, Removed};
        let is_merged = match edits {
            (Changed(into), Changed(from)) => (self.rules.content)(into) == (self.rules.content)(from),
            (Changed(_), Kept(_)) | (Kept(_), Changed(_)) => true,
            (Removed, Kept(_) | Removed) | (Kept(_), Removed) => !self.inserted.contains(&mark),
            (Kept(_), Kept(_)) | (Changed(_), Removed) | (Removed, Changed(_)) => false,
        };
        if is_merged {
            (self.rules.merged)(self.context, std::slice::from_ref(base));
        }
    }

    fn conflict(&mut self, versions: Versions<Vec<T>>) -> Vec<T> {
        (self.rules.conflict)(self.context, self.merged.len(), versions)
    }
}

/// Returns the marks of items that both sides moved to different positions. Following both moves would duplicate
/// them.
fn moved_apart<T>(
    marks: &mut Marks<T>,
    base_marks: &[usize],
    into: &Script<'_, T>,
    from: &Script<'_, T>,
) -> HashSet<usize> {
    let edits = base_marks.iter().zip(into.edits.iter().zip(&from.edits));
    let removed = edits.filter(|(_, edits)| matches!(edits, (ItemEdit::Removed, ItemEdit::Removed)));
    let removed: HashSet<usize> = removed.map(|(mark, _)| *mark).collect();
    if removed.is_empty() {
        return removed;
    }
    let (mut by_into, mut by_from) = (HashSet::new(), HashSet::new());
    for (our_gap, their_gap) in into.inserts.iter().zip(&from.inserts) {
        let (our_gap, their_gap) = (marks.of(our_gap.iter().copied()), marks.of(their_gap.iter().copied()));
        if our_gap != their_gap {
            by_into.extend(our_gap);
            by_from.extend(their_gap);
        }
    }
    removed.into_iter().filter(|mark| by_into.contains(mark) && by_from.contains(mark)).collect()
}

/// Returns whether a side removed the items before and after a gap, so that an insertion there lost its
/// context.
fn removed_around<T>(side: &Script<'_, T>, index: usize) -> bool {
    let removed = |index: Option<usize>| {
        matches!(index.and_then(|index| side.edits.get(index)), Some(ItemEdit::Removed))
    };
    removed(index.checked_sub(1)) && removed(Some(index))
}
