//! Bidirectional control characters. In a name they can hide the real order of characters: `gpj.exe` as `exe.jpg`.

use std::borrow::Cow;

/// Returns whether a character marks, embeds, overrides or isolates a text direction. The joiners ZWJ and ZWNJ, which
/// some scripts and emojis need, are not included.
#[must_use]
pub const fn is_direction_control(character: char) -> bool {
    matches!(
        character,
        '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
    )
}

/// Returns the text without bidirectional control characters.
#[must_use]
pub fn without_direction_controls(text: &str) -> Cow<'_, str> {
    if text.contains(is_direction_control) {
        Cow::Owned(text.chars().filter(|character| !is_direction_control(*character)).collect())
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_turns_text_goes_and_what_joins_it_stays() {
        let turning =
            "\u{61C}\u{200E}\u{200F}\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\u{2067}\u{2068}\u{2069}";
        assert_eq!(without_direction_controls(&format!("é{turning}gpj.exe")), "égpj.exe");
        for kept in ["نامه\u{200C}ای", "क्\u{200D}ष", "👩\u{200D}💻", "❤\u{FE0F}", "שלום", "a\u{2028}b"]
        {
            assert!(
                matches!(without_direction_controls(kept), Cow::Borrowed(same) if same == kept),
                "{kept}"
            );
        }
    }
}
