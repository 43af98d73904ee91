//! Tracing of quoted words from one version of a text to another.

use std::collections::HashMap;
use std::iter;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::difference::words::words;

/// Maximum total length of two texts in bytes. Quotations in longer texts are not traced.
const MOST_BYTES: usize = 400_000;
/// Maximum product of the numbers of words of two texts, without their common start and end. Beyond it, the texts are
/// not compared.
const MOST_COMPARISONS: usize = 1_000_000;

/// Alignment of two versions of a text, word by word.
pub struct WordAlignment {
    before: String,
    after: String,
    runs: Vec<Run>,
}

/// Run of words that both versions have. Positions and length are in characters.
struct Run {
    before: usize,
    after: usize,
    length: usize,
}

/// Returns the position in characters of the occurrence of `quote` that is nearest to `near`, and of the earlier one if
/// two are equally near. `None` if the text does not contain the quote.
#[must_use]
pub fn find_words(text: &str, quote: &str, near: usize) -> Option<usize> {
    occurrences(text, quote).min_by_key(|at| at.abs_diff(near))
}

impl WordAlignment {
    /// Aligns two versions of a text. Texts that are too long, or that differ in too many words, are not aligned.
    #[must_use]
    pub fn new(before: String, after: String) -> Self {
        let is_compared = before != after && before.len().saturating_add(after.len()) <= MOST_BYTES;
        let runs = if is_compared { runs(&before, &after) } else { Vec::new() };
        Self { before, after, runs }
    }

    /// Returns the position in the later version of the words `quote` at `offset` in the earlier one. Positions are in
    /// characters.
    ///
    /// Words that were kept, with nothing inserted between them, are at their new position. Other words are only found
    /// if each version has them exactly once.
    #[must_use]
    pub fn trace(&self, quote: &str, offset: usize) -> Option<usize> {
        if self.before == self.after {
            return Some(offset);
        }
        if self.before.len().saturating_add(self.after.len()) > MOST_BYTES {
            return None;
        }
        let only = |text| {
            let mut found = occurrences(text, quote);
            found.next().filter(|_| found.next().is_none())
        };
        let end = offset.saturating_add(quote.chars().count());
        let holds = |run: &&Run| run.before <= offset && end <= run.before.saturating_add(run.length);
        match self.runs.iter().find(holds) {
            Some(run) => offset.checked_sub(run.before)?.checked_add(run.after),
            None => only(&self.before).filter(|at| *at == offset).and_then(|_| only(&self.after)),
        }
    }
}

/// Returns the position in characters of each occurrence of a quote in a text, in ascending order.
fn occurrences<'t>(text: &'t str, quote: &'t str) -> impl Iterator<Item = usize> + 't {
    let places = text.char_indices().enumerate();
    places
        .filter(move |(_, (byte, _))| text.get(*byte..).is_some_and(|rest| rest.starts_with(quote)))
        .map(|(at, _)| at)
        .filter(move |_| !quote.is_empty())
}

/// Returns the runs of words that two texts have in common, in order.
fn runs(before: &str, after: &str) -> Vec<Run> {
    let (old, new): (Vec<&str>, Vec<&str>) = (words(before).collect(), words(after).collect());
    let mut numbers = HashMap::new();
    let mut number = |word| {
        let next = numbers.len();
        *numbers.entry(word).or_insert(next)
    };
    let [old_numbers, new_numbers] =
        [&old, &new].map(|words| words.iter().map(|word| number(*word)).collect::<Vec<usize>>());
    if !is_within(&old_numbers, &new_numbers) {
        return Vec::new();
    }
    let (old_starts, new_starts) = (starts(&old), starts(&new));
    let run = |operation| {
        let DiffOp::Equal { old_index, new_index, len } = operation else { return None };
        let before = *old_starts.get(old_index)?;
        let end = *old_starts.get(old_index.saturating_add(len))?;
        Some(Run { before, after: *new_starts.get(new_index)?, length: end.saturating_sub(before) })
    };
    capture_diff_slices(Algorithm::Myers, &old_numbers, &new_numbers).into_iter().filter_map(run).collect()
}

/// Returns the position of each word in characters, followed by the length of the text.
fn starts(words: &[&str]) -> Vec<usize> {
    let ends = words.iter().scan(0_usize, |end, word| {
        *end = end.saturating_add(word.chars().count());
        Some(*end)
    });
    iter::once(0).chain(ends).collect()
}

fn is_within(old: &[usize], new: &[usize]) -> bool {
    let prefix = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let rest = |words: &[usize]| words.iter().skip(prefix).copied().rev().collect::<Vec<_>>();
    let (old, new) = (rest(old), rest(new));
    let suffix = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    old.len().saturating_sub(suffix).saturating_mul(new.len().saturating_sub(suffix)) <= MOST_COMPARISONS
}
