//! Definition lists: terms, each followed by paragraphs that begin with a colon.

use super::code::code_lines;
use super::{dedented, indent};
use crate::anchors::heading_slug;

/// Converts definition lists to lists. Each item begins with the term in bold as its first paragraph.
pub(super) fn definitions(text: &str) -> String {
    lists(text, |term| format!("- **{term}**"))
}

/// Like [`definitions`], with the terms as link targets, as in Hugo.
pub(super) fn definitions_with_ids(text: &str) -> String {
    lists(text, |term| format!("- **{term}** <a id=\"{}\"></a>", heading_slug(&term.replace(['`', '*'], ""))))
}

/// Replaces definition lists. `item` returns the item of a term.
fn lists(text: &str, item: impl Fn(&str) -> String) -> String {
    if !text.contains("\n:") && !text.contains("\n  :") && !text.contains("\n :") {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let is_code = code_lines(&lines);
    let is_prose = |at: usize| !is_code.get(at).copied().unwrap_or_default();
    let mut out: Vec<String> = Vec::with_capacity(lines.len());
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let Some(first) = definition(line).filter(|_| is_prose(at)) else {
            out.push((*line).to_owned());
            at += 1;
            continue;
        };
        let Some(term) = take_term(&mut out) else {
            out.push((*line).to_owned());
            at += 1;
            continue;
        };
        out.push(item(term.trim()));
        out.push(String::new());
        out.push(format!("  {first}"));
        at += 1;
        // The content is indented, except for lazy continuation lines of a paragraph.
        let mut after_blank = false;
        while let Some(line) = lines.get(at) {
            let is_blank = line.trim().is_empty();
            if let Some(more) = definition(line) {
                out.extend([String::new(), format!("  {more}")]);
            } else if is_blank {
                out.push(String::new());
            } else if indent(line) >= 4 {
                out.push(format!("  {}", dedented(line, 4)));
            } else if !after_blank && indent(line) >= 1 {
                out.push(format!("  {}", line.trim_start()));
            } else {
                break;
            }
            after_blank = is_blank;
            at += 1;
        }
    }
    out.push(String::new());
    out.join("\n")
}

/// Returns the first line of a definition: a colon, and white space before its words.
fn definition(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix(':').filter(|_| indent(line) < 4)?;
    let words = rest.trim_start();
    (words.len() < rest.len() && !words.is_empty()).then_some(words)
}

/// Removes the line before a definition, if it is a term.
fn take_term(out: &mut Vec<String>) -> Option<String> {
    let blank = out.last().is_some_and(|line| line.trim().is_empty());
    let at = out.len().checked_sub(if blank { 2 } else { 1 })?;
    let term = out.get(at)?;
    let is_term = !term.trim().is_empty()
        && indent(term) < 4
        && !term.trim_start().starts_with(['#', '>', '|', '-', '*', '+', ':', '<', '='])
        && !["```", "{%", "{{"].iter().any(|mark| term.trim_start().starts_with(mark))
        && at.checked_sub(1).and_then(|before| out.get(before)).is_none_or(|before| before.trim().is_empty());
    let term = term.clone();
    is_term.then(|| {
        out.truncate(at);
        term
    })
}

#[cfg(test)]
mod tests {
    use super::{definitions, definitions_with_ids};

    #[test]
    fn terms_with_colons_become_lists() {
        let text = "Before.\n\nTerm\n:   Def *a*\n\n    second\n\nOther\n\n: One\n: Two\n\nAfter.\n";
        assert_eq!(
            definitions(text),
            "Before.\n\n- **Term**\n\n  Def *a*\n\n  second\n\n- **Other**\n\n  One\n\n  Two\n\nAfter.\n"
        );
        assert_eq!(
            definitions_with_ids("`baseURL`\n: Text.\n"),
            "- **`baseURL`** <a id=\"baseurl\"></a>\n\n  Text.\n"
        );
        for text in [
            "a: b\n",
            "Text\ngoes\n: on\n",
            "```\nT\n: x\n```\n",
            "# H\n: x\n",
            ":smile: x\n",
            "{% a %}\n: x\n",
        ] {
            assert_eq!(definitions(text), text);
        }
    }
}
