//! Summary and length of a document.

use quire_markup::{BlockKind, Document, inline_text, plain_text};

/// Reading speed in words per minute.
const WORDS_A_MINUTE: usize = 220;

/// Returns the text of the first paragraphs, truncated between words to at most `most` characters, as a page's
/// description.
#[must_use]
pub fn summary(document: &Document, most: usize) -> String {
    let mut summary = String::new();
    for block in document.nodes.iter().filter(|block| block.kind == BlockKind::Paragraph) {
        for word in inline_text(block.child_inlines()).split_whitespace() {
            if summary.chars().count().saturating_add(word.chars().count()).saturating_add(1) > most {
                // A text without spaces is truncated between characters.
                if summary.is_empty() {
                    summary = word.chars().take(most.saturating_sub(1)).collect();
                }
                summary.push('…');
                return summary;
            }
            if !summary.is_empty() {
                summary.push(' ');
            }
            summary.push_str(word);
        }
    }
    summary
}

/// Returns the number of words. In scripts that are written without spaces, each character counts as a word.
#[must_use]
pub fn word_count(document: &Document) -> usize {
    let is_ideograph =
        |c: &char| matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{20000}'..='\u{3134f}');
    let count = |word: &str| word.chars().filter(is_ideograph).count().max(1);
    plain_text(document).split_whitespace().map(count).sum()
}

/// Returns the reading time of a document in minutes, at least one.
#[must_use]
pub fn reading_minutes(document: &Document) -> usize {
    word_count(document).div_ceil(WORDS_A_MINUTE).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quire_markup::{StableRefs, parse};

    #[test]
    fn summaries_end_between_words() {
        let document = parse("## A\n\nOne *two*\nthree.\n\n* item\n\nFour five.", &StableRefs);
        assert_eq!(summary(&document, 100), "One two three. Four five.");
        assert_eq!(summary(&document, 10), "One two…");
        assert_eq!(summary(&parse("abcdefgh", &StableRefs), 4), "abc…");
        assert_eq!(word_count(&document), 7);
        assert_eq!(word_count(&parse("漢字 kana", &StableRefs)), 3);
        assert_eq!(reading_minutes(&Document::default()), 1);
    }
}
