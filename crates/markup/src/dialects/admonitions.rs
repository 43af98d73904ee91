//! Admonitions of MyST in HTML: `<div class="admonition note">`, whose content is Markdown.

use super::callout;
use super::code::code_lines;
use crate::limits::markdown::MAX_DIALECT_DEPTH;

const BEGIN: &str = "<div class=\"admonition";

/// Replaces HTML admonitions with hints. Like any HTML block, they contain no blank lines.
pub(super) fn with_admonitions(text: &str) -> String {
    if !text.contains(BEGIN) {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let is_code = code_lines(&lines);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let begins = is_admonition(line) && !is_code.get(at).copied().unwrap_or_default();
        let rest = lines.get(at..).unwrap_or_default();
        match if begins { admonition(rest, 0) } else { None } {
            Some((hint, length)) => {
                out.push_str(&hint);
                at += length;
            }
            None => {
                // An admonition without an end stays an HTML block.
                let length = rest.iter().take_while(|line| begins && !line.trim().is_empty()).count().max(1);
                rest.iter().take(length).for_each(|line| out.extend([line, "\n"]));
                at += length;
            }
        }
    }
    out
}

fn is_admonition(line: &str) -> bool {
    line.trim_start().starts_with(BEGIN)
}

/// Returns the hint of an admonition that begins in the first of these lines, and its number of lines.
fn admonition(lines: &[&str], depth: usize) -> Option<(String, usize)> {
    let tag = lines.first()?.trim().strip_prefix(BEGIN)?;
    let (kinds, _) = tag.split_once('"')?;
    if depth >= MAX_DIALECT_DEPTH || !tag.ends_with('>') {
        return None;
    }
    let style = kinds.split_whitespace().find_map(callout::style).unwrap_or("info");
    let (mut title, mut content) = (String::new(), String::new());
    let mut at = 1;
    loop {
        let line = lines.get(at)?.trim();
        if line.is_empty() {
            return None;
        }
        if line == "</div>" {
            let hint = callout::hint(style, &title, &content);
            return Some((format!("\n{hint}\n"), at + 1));
        }
        if is_admonition(line) {
            let (inner, length) = admonition(lines.get(at..)?, depth + 1)?;
            content.push_str(&inner);
            at += length;
            continue;
        }
        match (of_element(line, "p"), title_of(line).filter(|_| content.is_empty())) {
            (_, Some(words)) => words.clone_into(&mut title),
            (Some(words), None) => content.push_str(&format!("\n{words}\n\n")),
            (None, None) => content.push_str(&format!("{line}\n")),
        }
        at += 1;
    }
}

fn title_of(line: &str) -> Option<&str> {
    of_element(line, "p class=\"title\"").or_else(|| of_element(line, "div class=\"title\""))
}

/// Returns the content of an element that takes a whole line.
fn of_element<'t>(line: &'t str, tag: &str) -> Option<&'t str> {
    let name = tag.split(' ').next()?;
    line.strip_prefix('<')?.strip_prefix(tag)?.strip_prefix('>')?.strip_suffix(&format!("</{name}>"))
}

#[cfg(test)]
mod tests {
    use super::with_admonitions;

    #[test]
    fn admonitions_in_html_are_hints() {
        for (text, expected) in [
            (
                "<div class=\"admonition tip\" name=\"x\">\n<p class=\"title\">A **b**</p>\nc *d*\n</div>\n",
                "\n{% hint style=\"success\" %}\n**A **b****\n\nc *d*\n{% endhint %}\n\n",
            ),
            (
                "<div class=\"admonition\">\n<p>a</p>\n  <div class=\"admonition warning\">\n  b\n  </div>\n</div>\n",
                "\n{% hint style=\"info\" %}\na\n\n\n{% hint style=\"warning\" %}\nb\n{% endhint %}\n{% endhint %}\n\n",
            ),
            ("<div class=\"admonition\">\n\na\n</div>\n", "<div class=\"admonition\">\n\na\n</div>\n"),
            ("<div class=\"admonition\">\na\n", "<div class=\"admonition\">\na\n"),
        ] {
            assert_eq!(with_admonitions(text), expected, "{text}");
        }
    }
}
