//! Known gaps: fields that no response has and keys that no request has, with the reason.

mod content;
mod platform;

/// Patterns of operations, patterns of fields, and the reason why none of these operations has any of these fields.
/// Patterns are separated by spaces; `*` matches any text.
pub type Gap = (&'static str, &'static str, &'static str);

/// Fields that have no value in any response of these operations.
pub const UNANSWERED: &[&[Gap]] = &[content::UNANSWERED, platform::UNANSWERED];

/// Request keys and, with a `?`, query parameters that no request of these operations has.
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
