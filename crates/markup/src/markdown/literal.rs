//! Words as Markdown, and back.

/// Returns words as inline Markdown that shows them literally.
#[must_use]
pub fn escaped(words: &str) -> String {
    words.chars().flat_map(|c| c.is_ascii_punctuation().then_some('\\').into_iter().chain([c])).collect()
}

/// Returns a text without the backslashes before punctuation.
#[must_use]
pub fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let escaped = if character == '\\' { characters.next_if(char::is_ascii_punctuation) } else { None };
        plain.push(escaped.unwrap_or(character));
    }
    plain
}
