//! Deserialization errors with a path.
//!
//! An implementation of `Deserialize` can only fail with a text. Code that reads its parts one by one writes the path
//! of the failing part before the message, and the code that builds the response splits the two.

/// Separator before the path and between path and message. Serde's own messages begin with a letter.
const MARK: char = '\u{1f}';

/// Returns a message with the path of its subject, relative to the value that is read. `.` and the empty path are that
/// value itself.
pub fn with_path(path: &str, message: &str) -> String {
    match (path, split_path(message)) {
        ("" | ".", _) => message.to_owned(),
        (path, ("", message)) => format!("{MARK}{path}{MARK}{message}"),
        (path, (inner, message)) => format!("{MARK}{path}.{inner}{MARK}{message}"),
    }
}

/// Returns the path, which may be empty, and the message.
pub fn split_path(text: &str) -> (&str, &str) {
    text.strip_prefix(MARK).and_then(|text| text.split_once(MARK)).unwrap_or(("", text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let inner = with_path("b[0]", "is wrong");
        assert_eq!(split_path(&inner), ("b[0]", "is wrong"));
        assert_eq!(split_path(&with_path("a", &inner)), ("a.b[0]", "is wrong"));
        assert_eq!(with_path(".", "is wrong"), "is wrong");
        assert_eq!(split_path("unknown variant `\u{1f}a\u{1f}`"), ("", "unknown variant `\u{1f}a\u{1f}`"));
    }
}
