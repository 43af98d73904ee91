//! Preparation of plain text for a book.

pub use quire_markup::{emoji_character as emoji, is_right_to_left};

/// Maximum number of characters without a break.
const LONGEST_WORD: usize = 48;

/// Returns the text with a possible break in every very long word: an address in a narrow column would exceed the page.
pub fn wrappable(text: &str) -> String {
    if text.len() <= LONGEST_WORD {
        return text.to_owned();
    }
    let mut wrapped = String::with_capacity(text.len());
    let mut length = 0_usize;
    for c in text.chars() {
        length = if c.is_whitespace() { 0 } else { length.saturating_add(1) };
        if length > LONGEST_WORD {
            wrapped.push('\u{200b}');
            length = 1;
        }
        wrapped.push(c);
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_can_be_broken() {
        let word = "x".repeat(100);
        assert_eq!(wrappable(&word).matches('\u{200b}').count(), 2);
        let sentence = "short words stay as they are, however many there may be of them";
        assert_eq!(wrappable(sentence), sentence);
    }
}
