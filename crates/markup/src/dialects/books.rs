//! Markup of GitBook and mdBook, which needs no translation. Reports the tags and directives that have no equivalent.

use super::Left;
use super::code::code_lines;
use crate::markdown::starts_with_block_tag;

/// Returns the tags of GitBook and the directives of mdBook that [`parse`](crate::parse) reads as text, each once, as
/// written.
#[must_use]
pub fn unread(text: &str) -> Vec<String> {
    if !text.contains("{%") && !text.contains("{{#") {
        return Vec::new();
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut left = Left::default();
    for (line, _) in lines.iter().zip(code_lines(&lines)).filter(|(_, is_code)| !is_code) {
        let line = line.trim_start();
        if line.starts_with("{%") && !starts_with_block_tag(line) {
            left.add(closed(line, "%}"));
        }
        if let Some(directive) = line.find("{{#").and_then(|at| line.get(at..)) {
            left.add(closed(directive, "}}"));
        }
    }
    left.0.into_iter().collect()
}

/// Returns the start of a text up to and including its closing mark.
fn closed<'t>(text: &'t str, mark: &str) -> &'t str {
    text.find(mark).and_then(|at| text.get(..at + mark.len())).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::unread;

    #[test]
    fn tags_without_meaning_are_named_and_code_is_not_searched() {
        let text = "{% hint style=\"info\" %}\nNote.\n{% endhint %}\n\n{% widget a=1 %}\n\nSee {{#title X}} there.\n\n```\n{% for x in y %}\n```\n";
        assert_eq!(unread(text), ["{% widget a=1 %}", "{{#title X}}"]);
        assert!(unread("Plain {% widget %} in a line.").is_empty());
    }
}
