//! Edit script of one side of a sequence: the edit of each base item and the insertions between them.

use std::cell::OnceCell;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Edit of one item of the base sequence.
pub(super) enum ItemEdit<'a, T> {
    /// Unchanged except for keys; the index of the side's copy.
    Kept(&'a T),
    /// Replaced by another item that counts as a changed version of it.
    Changed(&'a T),
    /// Removed.
    Removed,
}

/// Edit script of one side, relative to the base sequence.
pub(super) struct Script<'a, T> {
    /// One for each base item.
    pub(super) edits: Vec<ItemEdit<'a, T>>,
    /// The new items before each base item, and after the last: one more than base items.
    pub(super) inserts: Vec<Vec<&'a T>>,
}

/// Similarity of a base item and a new item.
pub(super) struct Likeness<T> {
    /// Returns `None` if one cannot be a version of the other, otherwise a score that ignores words.
    pub(super) kind: fn(&T, &T) -> Option<u32>,
    /// An item's text, whose words are compared.
    pub(super) text: fn(&T) -> String,
}

/// Computes the edit script of a side. `base_marks` and `side_marks` are equal for items of equal content.
pub(super) fn script<'a, T>(
    base: &[T],
    base_marks: &[usize],
    side: &'a [T],
    side_marks: &[usize],
    likeness: &Likeness<T>,
) -> Script<'a, T> {
    let mut script = Script { edits: Vec::new(), inserts: vec![Vec::new()] };
    for operation in capture_diff_slices(Algorithm::Myers, base_marks, side_marks) {
        match operation {
            DiffOp::Equal { new_index, len, .. } => {
                for item in side.iter().skip(new_index).take(len) {
                    script.push(ItemEdit::Kept(item));
                }
            }
            DiffOp::Delete { old_len, .. } => (0..old_len).for_each(|_| script.push(ItemEdit::Removed)),
            DiffOp::Insert { new_index, new_len, .. } => {
                side.iter().skip(new_index).take(new_len).for_each(|item| script.insert(item));
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                let old: Vec<_> = base.iter().skip(old_index).take(old_len).map(Candidate::new).collect();
                let new: Vec<_> = side.iter().skip(new_index).take(new_len).map(Candidate::new).collect();
                script.replace(&old, &new, likeness);
            }
        }
    }
    script
}

impl<'a, T> Script<'a, T> {
    fn push(&mut self, edit: ItemEdit<'a, T>) {
        self.edits.push(edit);
        self.inserts.push(Vec::new());
    }

    fn insert(&mut self, item: &'a T) {
        if let Some(gap) = self.inserts.last_mut() {
            gap.push(item);
        }
    }

    /// Pairs old items with new ones: the most similar pair first, then recursively on both sides of it, so that
    /// pairs never cross.
    fn replace(&mut self, old: &[Candidate<'_, T>], new: &[Candidate<'a, T>], likeness: &Likeness<T>) {
        // A work list instead of recursion: there may be a pair for each line of a long text.
        let mut left = vec![Left::Stretch(old, new)];
        while let Some(next) = left.pop() {
            let (old, new) = match next {
                Left::Pair(item) => {
                    self.push(ItemEdit::Changed(item));
                    continue;
                }
                Left::Stretch(old, new) => (old, new),
            };
            let pair = likeliest_pair(old, new, likeness).and_then(|(at_old, at_new)| {
                let (old_before, old_rest) = old.split_at_checked(at_old)?;
                let (new_before, new_rest) = new.split_at_checked(at_new)?;
                let (_, old_after) = old_rest.split_first()?;
                let (partner, new_after) = new_rest.split_first()?;
                Some(((old_before, new_before), partner.item, (old_after, new_after)))
            });
            match pair {
                Some((before, partner, after)) => {
                    left.push(Left::Stretch(after.0, after.1));
                    left.push(Left::Pair(partner));
                    left.push(Left::Stretch(before.0, before.1));
                }
                None => {
                    old.iter().for_each(|_| self.push(ItemEdit::Removed));
                    new.iter().for_each(|new| self.insert(new.item));
                }
            }
        }
    }
}

/// Pending work of [`Script::replace`].
enum Left<'s, 'o, 'a, T> {
    /// Find pairs in a range.
    Stretch(&'s [Candidate<'o, T>], &'s [Candidate<'a, T>]),
    /// Record an item as the new version of the next old item.
    Pair(&'a T),
}

/// Candidate item, with its words computed at most once.
struct Candidate<'a, T> {
    item: &'a T,
    words: OnceCell<Vec<u64>>,
}

impl<'a, T> Candidate<'a, T> {
    fn new(item: &'a T) -> Self {
        Self { item, words: OnceCell::new() }
    }

    fn words(&self, likeness: &Likeness<T>) -> &[u64] {
        self.words.get_or_init(|| words(&(likeness.text)(self.item)))
    }

    /// Similarity of this item and a new one.
    fn likeness(&self, new: &Self, likeness: &Likeness<T>) -> Option<u32> {
        let kind = (likeness.kind)(self.item, new.item)?;
        Some(kind.saturating_add(common_words(self.words(likeness), new.words(likeness))))
    }
}

/// The indexes of the old and the new item that are most alike; the first of several. Long stretches
/// are not searched: there only the first items of each side are compared.
fn likeliest_pair<T>(
    old: &[Candidate<'_, T>],
    new: &[Candidate<'_, T>],
    likeness: &Likeness<T>,
) -> Option<(usize, usize)> {
    const MOST_COMPARISONS: usize = 1024;
    let reach = if old.len().saturating_mul(new.len()) > MOST_COMPARISONS { 1 } else { usize::MAX };
    let new = || new.iter().take(reach).enumerate();
    let pairs = old.iter().take(reach).enumerate().flat_map(|(at_old, old)| {
        new().filter_map(move |(at_new, new)| Some((old.likeness(new, likeness)?, at_old, at_new)))
    });
    let best = pairs.reduce(|best, pair| if pair.0 > best.0 { pair } else { best });
    best.map(|(_, at_old, at_new)| (at_old, at_new))
}

/// The words of a text as numbers, in ascending order. Collisions are harmless, since the result is a heuristic.
pub(super) fn words(text: &str) -> Vec<u64> {
    let number = |word: &str| {
        let mut hasher = DefaultHasher::new();
        word.hash(&mut hasher);
        hasher.finish()
    };
    let mut words: Vec<u64> = text.split_whitespace().map(number).collect();
    words.sort_unstable();
    words
}

/// Similarity of two texts, 0 to 100: the share of words in common.
pub(super) fn common_words(left: &[u64], right: &[u64]) -> u32 {
    let common = right.iter().filter(|word| left.binary_search(word).is_ok()).count();
    let longest = left.len().max(right.len()).max(1);
    u32::try_from(common.saturating_mul(100) / longest).unwrap_or(100)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every item has another version; recursion would nest as many calls.
    #[test]
    fn a_long_stretch_is_matched_item_by_item() {
        let items: Vec<u32> = (0..200_000).collect();
        let candidates: Vec<_> = items.iter().map(Candidate::new).collect();
        let mut script = Script { edits: Vec::new(), inserts: vec![Vec::new()] };
        let likeness = Likeness { kind: |_, _| Some(1), text: |number: &u32| number.to_string() };
        script.replace(&candidates, &candidates, &likeness);
        assert!(script.edits.iter().all(|edit| matches!(edit, ItemEdit::Changed(_))));
        assert_eq!((script.edits.len(), script.inserts.iter().flatten().count()), (items.len(), 0));
    }

    #[test]
    fn likeness_is_the_share_of_common_words() {
        let likeness = |left: &str, right: &str| common_words(&words(left), &words(right));
        for (left, right, expected) in
            [("", "", 0), ("a b", "a b", 100), ("a b", "b c d e", 25), ("a", "a a a", 100), ("a", "b", 0)]
        {
            assert_eq!(likeness(left, right), expected, "{left} {right}");
        }
    }

    #[test]
    fn words_are_found_out_once() {
        use std::cell::Cell;
        thread_local!(static ASKED: Cell<usize> = const { Cell::new(0) });
        let items: Vec<u32> = (0..20).collect();
        let candidates: Vec<_> = items.iter().map(Candidate::new).collect();
        let text = |number: &u32| {
            ASKED.set(ASKED.get() + 1);
            number.to_string()
        };
        let mut script = Script { edits: Vec::new(), inserts: vec![Vec::new()] };
        script.replace(&candidates, &candidates, &Likeness { kind: |_, _| Some(1), text });
        assert_eq!(ASKED.get(), 20);
    }
}
