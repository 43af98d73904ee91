//! Known gaps: fields that no answer has and keys that no request sends, with the reason.

mod content;
mod platform;

/// Operations and fields, each by words with `*` for anything, and why none of these operations answers any of these
/// fields.
pub type Gap = (&'static str, &'static str, &'static str);

/// Fields without a value in any answer of these operations.
pub const UNANSWERED: &[&[Gap]] = &[content::UNANSWERED, platform::UNANSWERED];

/// Keys and, with a `?`, parameters that no request of these operations sends.
pub const UNSENT: &[&[Gap]] = &[content::UNSENT];

/// Returns whether one of the patterns matches this name.
pub fn names(words: &str, name: &str) -> bool {
    words.split_whitespace().any(|word| matches(word, name))
}

fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|name| {
            rest.is_empty()
                || (0..=name.len()).filter_map(|at| name.get(at..)).any(|name| matches(rest, name))
        }),
    }
}
