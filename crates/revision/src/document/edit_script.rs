//! Edit script of one side of a sequence: the edit of each base item and the insertions between them.

use std::cell::OnceCell;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::rc::Rc;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Edit of one item of the base sequence.
pub(super) enum ItemEdit<'a, T> {
    /// Unchanged except for keys. Holds the side's copy.
    Kept(&'a T),
    /// Replaced by another item that counts as a changed version of it.
    Changed(&'a T),
    /// Removed.
    Removed,
}

/// Edit script of one side, relative to the base sequence.
pub(super) struct Script<'a, T> {
    /// Edit of each base item.
    pub(super) edits: Vec<ItemEdit<'a, T>>,
    /// New items before each base item and after the last: one list more than there are base items.
    pub(super) inserts: Vec<Vec<&'a T>>,
}

/// Measure of the similarity of a base item and a new item.
pub(super) struct Likeness<T> {
    /// Returns `None` if one cannot be a version of the other, otherwise a score that ignores words.
    pub(super) kind: fn(&T, &T) -> Option<u32>,
    /// Returns the text of an item, whose words are compared.
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
        let mut left = vec![Left::Stretch(Stretch { old, new, scores: None })];
        while let Some(next) = left.pop() {
            let mut stretch = match next {
                Left::Pair(item) => {
                    self.push(ItemEdit::Changed(item));
                    continue;
                }
                Left::Stretch(stretch) => stretch,
            };
            let (old, new) = (stretch.old, stretch.new);
            let pair = stretch.likeliest_pair(likeness).and_then(|(at_old, at_new)| {
                let (old_before, old_rest) = old.split_at_checked(at_old)?;
                let (new_before, new_rest) = new.split_at_checked(at_new)?;
                let (_, old_after) = old_rest.split_first()?;
                let (partner, new_after) = new_rest.split_first()?;
                Some(((old_before, new_before), partner.item, (old_after, new_after)))
            });
            match pair {
                Some((before, partner, after)) => {
                    let start = (old.len().abs_diff(after.0.len()), new.len().abs_diff(after.1.len()));
                    let scores = stretch.scores.as_ref().map(|scores| scores.starting_at(start.0, start.1));
                    left.push(Left::Stretch(Stretch { old: after.0, new: after.1, scores }));
                    left.push(Left::Pair(partner));
                    left.push(Left::Stretch(Stretch {
                        old: before.0,
                        new: before.1,
                        scores: stretch.scores,
                    }));
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
    Stretch(Stretch<'s, 'o, 'a, T>),
    /// Record an item as the new version of the next old item.
    Pair(&'a T),
}

/// Old and new items between two pairs.
struct Stretch<'s, 'o, 'a, T> {
    old: &'s [Candidate<'o, T>],
    new: &'s [Candidate<'a, T>],
    /// Similarities, if they were computed for these items or for a larger stretch.
    scores: Option<Scores>,
}

/// Similarities of the items of a stretch. Smaller stretches share them: if all items are alike, the most similar pair
/// is always the first, and recomputing would take a cubic number of comparisons.
#[derive(Clone)]
struct Scores {
    /// Scores of all pairs, one row for each old item.
    all: Rc<[Option<u32>]>,
    row: usize,
    /// Indexes of the first old and the first new item.
    start: (usize, usize),
}

impl Scores {
    fn of<T>(old: &[Candidate<'_, T>], new: &[Candidate<'_, T>], likeness: &Likeness<T>) -> Self {
        let all = old.iter().flat_map(|old| new.iter().map(move |new| old.likeness(new, likeness)));
        Self { all: all.collect(), row: new.len(), start: (0, 0) }
    }

    /// Returns the scores of the items that start at these indexes.
    fn starting_at(&self, old: usize, new: usize) -> Self {
        let start = (self.start.0.saturating_add(old), self.start.1.saturating_add(new));
        Self { all: Rc::clone(&self.all), row: self.row, start }
    }

    fn get(&self, old: usize, new: usize) -> Option<u32> {
        let row = self.start.0.saturating_add(old).saturating_mul(self.row);
        *self.all.get(row.saturating_add(self.start.1).saturating_add(new))?
    }
}

impl<T> Stretch<'_, '_, '_, T> {
    /// Returns the indexes of the most similar old and new item, and of the first such pair if there are several. In
    /// long stretches only the first items of each side are compared.
    fn likeliest_pair(&mut self, likeness: &Likeness<T>) -> Option<(usize, usize)> {
        const MOST_COMPARISONS: usize = 1024;
        let (old, new) = (self.old, self.new);
        if old.len().saturating_mul(new.len()) > MOST_COMPARISONS {
            return old.first()?.likeness(new.first()?, likeness).map(|_| (0, 0));
        }
        let scores = self.scores.get_or_insert_with(|| Scores::of(old, new, likeness));
        let pairs = (0..old.len()).flat_map(|old| (0..new.len()).map(move |new| (old, new)));
        let scored = pairs.filter_map(|(old, new)| Some((scores.get(old, new)?, old, new)));
        let best = scored.reduce(|best, pair| if pair.0 > best.0 { pair } else { best });
        best.map(|(_, old, new)| (old, new))
    }
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

    /// Returns the similarity of this item and a new one.
    fn likeness(&self, new: &Self, likeness: &Likeness<T>) -> Option<u32> {
        let kind = (likeness.kind)(self.item, new.item)?;
        Some(kind.saturating_add(common_words(self.words(likeness), new.words(likeness))))
    }
}

/// Returns the words of a text as hashes, in ascending order. Collisions are harmless, since the result is a heuristic.
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

/// Returns the similarity of two texts, 0 to 100: the share of words in common.
pub(super) fn common_words(left: &[u64], right: &[u64]) -> u32 {
    let common = right.iter().filter(|word| left.binary_search(word).is_ok()).count();
    let longest = left.len().max(right.len()).max(1);
    u32::try_from(common.saturating_mul(100) / longest).unwrap_or(100)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every item is a new version of another. A recursive algorithm would nest one call per item.
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
    #[test]
    fn alike_items_are_compared_once() {
        use std::cell::Cell;
        thread_local!(static COMPARED: Cell<usize> = const { Cell::new(0) });
        let items: Vec<u32> = (0..30).collect();
        let candidates: Vec<_> = items.iter().map(Candidate::new).collect();
        let kind = |_: &u32, _: &u32| {
            COMPARED.set(COMPARED.get() + 1);
            Some(1)
        };
        let mut script = Script { edits: Vec::new(), inserts: vec![Vec::new()] };
        script.replace(&candidates, &candidates, &Likeness { kind, text: |_| "the same".to_owned() });
        assert_eq!((script.edits.len(), COMPARED.get()), (30, 30 * 30));
    }

    #[test]
    fn the_most_alike_pairs_are_found_on_both_sides_of_a_pair() {
        let versions = [["a b", "c d e", "f g h", "i"], ["x", "f g", "c d", "i"]];
        let [old, new] =
            versions.each_ref().map(|items| items.iter().map(Candidate::new).collect::<Vec<_>>());
        let mut script = Script { edits: Vec::new(), inserts: vec![Vec::new()] };
        let kind = |left: &&str, right: &&str| (common_words(&words(left), &words(right)) > 0).then_some(0);
        script.replace(&old, &new, &Likeness { kind, text: |text| (*text).to_owned() });
        let edits = script.edits.iter().map(|edit| match edit {
            ItemEdit::Changed(item) => Some(**item),
            ItemEdit::Kept(_) | ItemEdit::Removed => None,
        });
        assert_eq!(edits.collect::<Vec<_>>(), [None, Some("c d"), None, Some("i")]);
        let inserted: Vec<Vec<&str>> =
            script.inserts.iter().map(|items| items.iter().map(|item| **item).collect()).collect();
        assert_eq!(inserted, [vec![], vec!["x", "f g"], vec![], vec![], vec![]]);
    }
}
