//! Tracing of quoted words from one version of a text to another.

use proptest::prelude::*;
use quire_revision::{WordAlignment, find_words};

fn trace_words(before: &str, after: &str, quote: &str, offset: usize) -> Option<usize> {
    WordAlignment::new(before.to_owned(), after.to_owned()).trace(quote, offset)
}

#[test]
fn the_nearest_occurrence_is_found() {
    for (text, quote, near, expected) in [
        ("Run it. Run it again.", "Run it", 0, Some(0)),
        ("Run it. Run it again.", "Run it", 5, Some(8)),
        ("Run it. Run it again.", "Run it", 4, Some(0)),
        ("Run it. Run it again.", "Run it", usize::MAX, Some(8)),
        ("Grüße, 世界", "世界", 0, Some(7)),
        ("aaa", "aa", 9, Some(1)),
        ("Run it.", "run", 0, None),
        ("Run it.", "", 0, None),
        ("", "Run", 0, None),
    ] {
        assert_eq!(find_words(text, quote, near), expected, "{text} {quote} {near}");
    }
}

#[test]
fn words_follow_edits_of_their_text() {
    const BEFORE: &str = "Run the tool with care, then run the tool again.";
    for (quote, offset, after, expected) in [
        // Edits before, after, and between the words.
        ("the tool", 4, "First run. Run the tool with care, then run the tool again.", Some(15)),
        ("the tool", 33, "Run the tool with great care, then run the tool again.", Some(39)),
        ("the tool", 4, "Run the tool with care, then run the tool again and again.", Some(4)),
        ("the tool", 4, "Run the new tool with care, then run the tool again.", None),
        ("with care", 13, "Run the tool with great care, then run the tool again.", None),
        // Words that were changed, removed, and moved.
        ("with care", 13, "Run the tool slowly, then run the tool again.", None),
        ("the tool", 4, "Then run the tool again.", None),
        ("with care", 13, "With care: then run the tool again, with care.", Some(36)),
        // Parts of words.
        ("car", 18, "Now run the tool with care, then run the tool again.", Some(22)),
        ("car", 18, "Run the tool with cars, then run the tool again.", Some(18)),
        ("again", 42, "Again.", None),
        ("again", 42, "", None),
    ] {
        let at = |text: &str, at: usize| text.chars().skip(at).take(quote.len()).collect::<String>();
        assert_eq!(at(BEFORE, offset), quote);
        assert_eq!(trace_words(BEFORE, after, quote, offset), expected, "{quote} in {after}");
        assert!(expected.is_none_or(|offset| at(after, offset) == quote), "{quote} in {after}");
    }
}

#[test]
fn long_texts_that_differ_are_not_compared() {
    let text = |word: &str| (0..5_000).map(|number| format!("{word}{number} ")).collect::<String>();
    let (before, after) = (text("a") + "the end", text("b") + "the end");
    let at = |text: &str| text.chars().count() - 3;
    assert_eq!(trace_words(&before, &after, "end", at(&before)), Some(at(&after)));
    assert_eq!(trace_words(&before, &(text("b") + "the end, the end"), "end", at(&before)), None);
    let long = "a ".repeat(200_000);
    assert_eq!(trace_words(&(long.clone() + "end"), &(long.clone() + "an end"), "end", 400_000), None);
    assert_eq!(trace_words(&long, &long, "a", 399_998), Some(399_998));
}

/// Generates words that occur several times.
fn text() -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select(vec!["a", "to", "the", "über", "世", "."]), 0..20)
}

proptest! {
    #[test]
    fn what_is_found_are_the_words(
        before in text(), after in text(), from in 0_usize..40, length in 1_usize..12,
    ) {
        let (before, after) = (before.join(" "), after.join(" "));
        let quote: String = before.chars().skip(from).take(length).collect();
        prop_assume!(!quote.is_empty());
        if let Some(at) = trace_words(&before, &after, &quote, from) {
            let found: String = after.chars().skip(at).take(quote.chars().count()).collect();
            prop_assert_eq!(found, quote);
        }
    }

    #[test]
    fn words_keep_their_occurrence_between_insertions(
        words in text(), from in 0_usize..20, length in 1_usize..4, above in 0_usize..4, below in 0_usize..4,
    ) {
        prop_assume!(from + length <= words.len());
        let (head, rest) = words.split_at(from);
        let (quoted, tail) = rest.split_at(length);
        let joined = |words: &[&str]| words.iter().map(|word| format!("{word} ")).collect::<String>();
        let offset = joined(head).chars().count();
        let quote = joined(quoted).trim_end().to_owned();
        // The text does not have these words, so only one alignment is possible.
        let (above, below) = ("newer ".repeat(above), "later ".repeat(below));
        let before = joined(&words);
        let after = above.clone() + &joined(head) + &joined(quoted) + &below + &joined(tail);
        let expected = above.len() + offset;
        prop_assert_eq!(trace_words(&before, &after, &quote, offset), Some(expected));
        // The same text.
        prop_assert_eq!(trace_words(&before, &before, &quote, offset), Some(offset));
    }
}
