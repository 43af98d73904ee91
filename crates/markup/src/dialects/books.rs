//! Markup of GitBook, mdBook and plain repositories, which needs little translation.

use super::code::code_lines;
use super::templates::templates;
use super::{Left, Translated, mdx, translated};
use crate::markdown::starts_with_block_tag;

/// Translates a page of GitBook, of mdBook or of no known generator: shortcodes and tags of template languages that have
/// an equivalent. Drops components on lines of their own, whose content is Markdown. Reports what
/// [`parse`](crate::parse) reads as text.
///
/// ```
/// let page = quire_markup::dialects::book("<Steps>\n\nOne *step*.\n\n</Steps>\n\n{% widget %}\n");
/// assert_eq!(page.text, "\n\nOne *step*.\n\n\n\n{% widget %}\n");
/// assert_eq!(page.left, ["<Steps>", "{% widget %}"]);
/// ```
#[must_use]
pub fn book(text: &str) -> Translated {
    translated(text, |body, left| {
        let body = without_components(&templates(body, left), left);
        unread(&body, left);
        body
    })
}

/// Reports the tags of GitBook and the directives of mdBook that are read as text.
fn unread(text: &str, left: &mut Left) {
    if !text.contains("{%") && !text.contains("{{#") {
        return;
    }
    let lines: Vec<&str> = text.lines().collect();
    for (line, _) in lines.iter().zip(code_lines(&lines)).filter(|(_, is_code)| !is_code) {
        let line = line.trim_start();
        if line.starts_with("{%") && !starts_with_block_tag(line) {
            left.add(closed(line, "%}"));
        }
        if let Some(directive) = line.find("{{#").and_then(|at| line.get(at..)) {
            left.add(closed(directive, "}}"));
        }
    }
}

/// Returns a text without the tags of components, known by their capital letter, that have lines for themselves. In
/// Markdown they would be HTML up to the next blank line.
fn without_components(text: &str, left: &mut Left) -> String {
    let begins = |line: &str| {
        let name = line.trim_start().strip_prefix('<').map(|rest| rest.strip_prefix('/').unwrap_or(rest));
        name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_uppercase()))
    };
    if !text.contains('<') || !text.lines().any(begins) {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let is_code = code_lines(&lines);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let is_prose = !is_code.get(at).copied().unwrap_or_default();
        let found = (is_prose && begins(line)).then(|| mdx::component(lines.get(at..).unwrap_or_default()));
        match found.flatten() {
            Some((name, length)) => {
                left.add(&format!("<{name}>"));
                out.push('\n');
                at += length;
            }
            None => {
                out.push_str(line);
                out.push('\n');
                at += 1;
            }
        }
    }
    out
}

/// Returns the start of a text up to and including its closing mark.
fn closed<'t>(text: &'t str, mark: &str) -> &'t str {
    text.find(mark).and_then(|at| text.get(..at + mark.len())).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::book;

    #[test]
    fn tags_without_meaning_are_named_and_code_is_not_searched() {
        let text = "{% hint style=\"info\" %}\nNote.\n{% endhint %}\n\n{% widget a=1 %}\n\nSee {{#title X}} there.\n\n```\n{% for x in y %}\n```\n";
        let page = book(text);
        assert_eq!(
            (page.text.as_str(), page.left),
            (text, vec!["{% widget a=1 %}".into(), "{{#title X}}".into()])
        );
        assert!(book("Plain {% widget %} in a line.").left.is_empty());
    }

    #[test]
    fn components_on_their_lines_are_dropped() {
        for (text, expected) in [
            ("<Tabs id=\"x\">\n*a*\n</Tabs>\n", "\n*a*\n\n"),
            ("<Card\n  title=\"T\"\n/>\nb\n", "\nb\n"),
            ("The type <T> and\n<Foo> bar\n", "The type <T> and\n<Foo> bar\n"),
            ("```\n<Tabs>\n```\n", "```\n<Tabs>\n```\n"),
            ("<Image src\n\nnever closed\n", "<Image src\n\nnever closed\n"),
            ("<IMG src=\"a.png\">\n<TABLE>\n", "<IMG src=\"a.png\">\n<TABLE>\n"),
        ] {
            assert_eq!(book(text).text, expected, "{text}");
        }
    }
}
