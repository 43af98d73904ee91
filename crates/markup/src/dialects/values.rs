//! Substitution of values from settings.

use super::code::code_lines;
use super::inline::{outside_code, replace_between};

/// Replaces names between `open` and `close` with their values, outside code. Names without a value are kept.
///
/// ```
/// let value = |name: &str| (name == ".product").then(|| "Quire".to_owned());
/// let text = quire_markup::dialects::with_values("{{{ .product }}} `{{{ .product }}}` {{{ .x }}}", "{{{", "}}}", &value);
/// assert_eq!(text, "Quire `{{{ .product }}}` {{{ .x }}}");
/// ```
#[must_use]
pub fn with_values(text: &str, open: &str, close: &str, value: &dyn Fn(&str) -> Option<String>) -> String {
    if !text.contains(open) {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::with_capacity(text.len());
    // Line ends are preserved.
    for (line, is_code) in text.split_inclusive('\n').zip(code_lines(&lines)) {
        if is_code || !line.contains(open) {
            out.push_str(line);
        } else {
            let replaced = outside_code(line, |piece, out| {
                out.push_str(&replace_between(piece, open, close, |name| value(name.trim())));
            });
            out.push_str(&replaced);
        }
    }
    out
}
