//! Preparation of plain text for a book.

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

/// Returns true for text from right to left: its first letter decides (Unicode Standard Annex 9, rules P2 and P3).
pub fn is_right_to_left(text: &str) -> bool {
    let first = text.chars().find(|c| c.is_alphabetic());
    first.is_some_and(
        |c| matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'),
    )
}

/// Returns the characters of an emoji given by its code points in hexadecimal (`1f1e9-1f1ea`); the text itself if
/// invalid.
pub fn emoji(code: &str) -> String {
    let points = code.split('-').map(|point| u32::from_str_radix(point, 16).ok().and_then(char::from_u32));
    let points: Option<String> = points.map(|c| c.filter(|c| !c.is_control())).collect();
    points.unwrap_or_else(|| code.to_owned())
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

    #[test]
    fn the_first_letter_gives_the_direction() {
        for (text, expected) in
            [("שלום", true), ("1. مرحبا", true), ("a שלום", false), ("", false), ("漢字", false)]
        {
            assert_eq!(is_right_to_left(text), expected, "{text}");
        }
    }

    #[test]
    fn codes_of_emoji_become_characters() {
        assert_eq!(emoji("1f680"), "🚀");
        assert_eq!(emoji("🚀"), "🚀");
        assert_eq!(emoji("a"), "a");
    }
}
