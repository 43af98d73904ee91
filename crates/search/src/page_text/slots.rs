//! Slots: the words of a page by first letter, so that a lookup only scans few words.

use crate::analyzer::STEM;

/// Number of slots of words: 26 letters, digits, and all other characters. Stems have as many.
pub(super) const WORD_SLOTS: usize = 28;
/// Number of all slots.
pub(super) const SLOTS: usize = 2 * WORD_SLOTS;

/// Returns the slot of a word or stem.
pub(super) fn slot(word: &str) -> usize {
    match word.strip_prefix(STEM) {
        Some(stem) => WORD_SLOTS + letter(stem),
        None => letter(word),
    }
}

fn letter(word: &str) -> usize {
    match word.as_bytes().first() {
        Some(letter @ b'a'..=b'z') => usize::from(letter - b'a'),
        Some(b'0'..=b'9') => 26,
        _ => 27,
    }
}
