//! What one side did to a sequence: the fate of each item, and what it put between them.

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// What became of one item of the base sequence.
pub(super) enum Fate<'a, T> {
    /// It is as it was (its keys apart): the side's copy of it.
    Kept(&'a T),
    /// Another item took its place: a changed version of it, as far as one can tell.
    Changed(&'a T),
    /// It is gone.
    Removed,
}

/// What one side did to a base sequence of some length.
pub(super) struct Script<'a, T> {
    /// One for each base item.
    pub(super) fates: Vec<Fate<'a, T>>,
    /// The new items before each base item, and after the last: one more than base items.
    pub(super) inserts: Vec<Vec<&'a T>>,
}

/// How alike an item of the base and a new item are: nothing if the one can't be a version of the
/// other, otherwise the more the likelier it is.
pub(super) type Likeness<T> = fn(&T, &T) -> Option<u32>;

/// Finds what a side did. `base_marks` and `side_marks` are equal for items of equal content.
pub(super) fn script<'a, T>(
    base: &[T],
    base_marks: &[usize],
    side: &'a [T],
    side_marks: &[usize],
    likeness: Likeness<T>,
) -> Script<'a, T> {
    let mut script = Script { fates: Vec::new(), inserts: vec![Vec::new()] };
    for operation in capture_diff_slices(Algorithm::Myers, base_marks, side_marks) {
        match operation {
            DiffOp::Equal { new_index, len, .. } => {
                for item in side.iter().skip(new_index).take(len) {
                    script.push(Fate::Kept(item));
                }
            }
            DiffOp::Delete { old_len, .. } => (0..old_len).for_each(|_| script.push(Fate::Removed)),
            DiffOp::Insert { new_index, new_len, .. } => {
                side.iter().skip(new_index).take(new_len).for_each(|item| script.insert(item));
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                let old: Vec<&T> = base.iter().skip(old_index).take(old_len).collect();
                let new: Vec<&T> = side.iter().skip(new_index).take(new_len).collect();
                script.replace(&old, &new, likeness);
            }
        }
    }
    script
}

impl<'a, T> Script<'a, T> {
    fn push(&mut self, fate: Fate<'a, T>) {
        self.fates.push(fate);
        self.inserts.push(Vec::new());
    }

    fn insert(&mut self, item: &'a T) {
        if let Some(gap) = self.inserts.last_mut() {
            gap.push(item);
        }
    }

    /// Tells which of the new items are versions of which old ones: the likeliest pair first, and
    /// then so on the both sides of it, so that no two pairs cross.
    fn replace(&mut self, old: &[&T], new: &[&'a T], likeness: Likeness<T>) {
        let Some((at_old, at_new)) = likeliest_pair(old, new, likeness) else {
            old.iter().for_each(|_| self.push(Fate::Removed));
            new.iter().for_each(|item| self.insert(item));
            return;
        };
        let (old_before, old_rest) = old.split_at(at_old);
        let (new_before, new_rest) = new.split_at(at_new);
        if let ([_, old_after @ ..], [partner, new_after @ ..]) = (old_rest, new_rest) {
            self.replace(old_before, new_before, likeness);
            self.push(Fate::Changed(partner));
            self.replace(old_after, new_after, likeness);
        }
    }
}

/// The indexes of the old and the new item that are most alike; the first of several. Long stretches
/// are not searched: there only the first items of each side are compared.
fn likeliest_pair<T>(old: &[&T], new: &[&T], likeness: Likeness<T>) -> Option<(usize, usize)> {
    const MOST_COMPARISONS: usize = 1024;
    let reach = if old.len() * new.len() > MOST_COMPARISONS { 1 } else { usize::MAX };
    let new = || new.iter().take(reach).enumerate();
    let pairs = old.iter().take(reach).enumerate().flat_map(|(at_old, old)| {
        new().filter_map(move |(at_new, new)| Some((likeness(old, new)?, at_old, at_new)))
    });
    let best = pairs.reduce(|best, pair| if pair.0 > best.0 { pair } else { best });
    best.map(|(_, at_old, at_new)| (at_old, at_new))
}

/// How alike two texts are, 0 to 100: the share of words that they have in common.
pub(super) fn text_likeness(left: &str, right: &str) -> u32 {
    let count = |text: &str| u32::try_from(text.split_whitespace().count()).unwrap_or(u32::MAX);
    let words: std::collections::HashSet<&str> = left.split_whitespace().collect();
    let common = right.split_whitespace().filter(|word| words.contains(word)).count();
    let common = u32::try_from(common).unwrap_or(u32::MAX);
    let longest = count(left).max(count(right)).max(1);
    common.saturating_mul(100) / longest.max(common)
}
