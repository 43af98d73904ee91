//! References by name in the syntax of mkdocs-autorefs: `[words][name]` and `[name][]`, without a definition on their
//! page.

use super::code::code_lines;
use super::{Left, Translated, translated};
use std::collections::BTreeSet;

/// Maximum length of the words or the name of a reference in bytes, which limits the work on open brackets.
const MAX_BYTES: usize = 1_000;

/// Converts references to other pages to links to the address of their name. If a name has no address, the reference is
/// reported and only its text is kept.
///
/// ```
/// let address = |name: &str| (name == "a.B").then(|| "/api.md".to_owned());
/// let page = quire_markup::dialects::with_references("[`B`][a.B], [c][] and [d][e]\n\n[e]: f.md\n", &address);
/// assert_eq!(page.text, "[`B`](</api.md>), c and [d][e]\n\n[e]: f.md\n");
/// assert_eq!(page.left, ["[words][name]"]);
/// ```
#[must_use]
pub fn with_references(text: &str, address: &dyn Fn(&str) -> Option<String>) -> Translated {
    translated(text, |body, left| {
        if !body.contains("][") {
            return body.to_owned();
        }
        let lines: Vec<&str> = body.lines().collect();
        let definitions: BTreeSet<String> = lines.iter().filter_map(|line| definition(line)).collect();
        let mut references = References { definitions, address, left };
        let mut out = String::with_capacity(body.len());
        for (line, is_code) in lines.iter().zip(code_lines(&lines)) {
            if is_code || !line.contains("][") {
                out.push_str(line);
            } else {
                references.line(line, &mut out);
            }
            out.push('\n');
        }
        out
    })
}

/// Returns the name of `[name]: address`.
fn definition(line: &str) -> Option<String> {
    let (name, _) = line.trim_start().strip_prefix('[')?.split_once("]:")?;
    Some(normal(name))
}

fn normal(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

struct References<'a> {
    definitions: BTreeSet<String>,
    address: &'a dyn Fn(&str) -> Option<String>,
    left: &'a mut Left,
}

impl References<'_> {
    fn line(&mut self, line: &str, out: &mut String) {
        let mut rest = line;
        let mut before: Option<char> = None;
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '\\' => first.len_utf8() + rest.chars().nth(1).map_or(0, char::len_utf8),
                '`' => code_length(rest),
                '[' if before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '!' | ']')) => {
                    match self.reference(rest) {
                        Some((text, length)) => {
                            out.push_str(&text);
                            before = Some(']');
                            rest = rest.get(length..).unwrap_or_default();
                            continue;
                        }
                        None => 1,
                    }
                }
                first => first.len_utf8(),
            };
            let (taken, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
            out.push_str(taken);
            before = taken.chars().next_back();
            rest = behind;
        }
    }

    /// Returns the translation of the reference at the start of a text, and its length.
    fn reference(&mut self, text: &str) -> Option<(String, usize)> {
        let words = text.get(1..1 + words_length(text.get(1..)?)?)?;
        let behind = text.get(words.len() + 2..)?.strip_prefix('[')?;
        let name = behind.get(..behind.bytes().take(MAX_BYTES).position(|byte| byte == b']')?)?;
        let label = if name.is_empty() { words } else { name };
        if words.is_empty() || name.starts_with('^') || self.definitions.contains(&normal(label)) {
            return None;
        }
        let length = words.len() + name.len() + 4;
        let Some(address) = (self.address)(label.trim_matches('`')) else {
            self.left.add("[words][name]");
            return Some((words.to_owned(), length));
        };
        Some((format!("[{words}](<{address}>)"), length))
    }
}

/// Returns the length of the code span at the start of a text, or of its backticks if the span is not closed.
fn code_length(text: &str) -> usize {
    let marks = text.len() - text.trim_start_matches('`').len();
    let window = text.get(..text.floor_char_boundary(MAX_BYTES)).unwrap_or_default();
    let mut at = marks;
    while let Some(next) = window.get(at..).and_then(|behind| behind.find('`')) {
        at += next;
        let run = window.get(at..).map_or(0, |behind| behind.len() - behind.trim_start_matches('`').len());
        at += run;
        if run == marks {
            return at;
        }
    }
    marks
}

/// Returns the length of a text up to its closing bracket. Brackets within the text are paired.
fn words_length(text: &str) -> Option<usize> {
    let (mut depth, mut at) = (0_usize, 0);
    while at < MAX_BYTES {
        let rest = text.get(at..)?;
        let first = rest.chars().next()?;
        match first {
            '\\' => at += rest.chars().nth(1).map_or(0, char::len_utf8),
            '`' => {
                at += code_length(rest);
                continue;
            }
            '[' => depth += 1,
            ']' if depth == 0 => return Some(at),
            ']' => depth -= 1,
            _ => {}
        }
        at += first.len_utf8();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::with_references;

    #[test]
    fn references_without_a_definition_are_links_or_words() {
        let address = |name: &str| match name {
            "a.B" => Some("/api.md".to_owned()),
            "Title" => Some("/b c.md#title".to_owned()),
            _ => None,
        };
        for (text, expected) in [
            ("See [`B`][a.B].\n", "See [`B`](</api.md>).\n"),
            ("[`a.B`][] [Title][]\n", "[`a.B`](</api.md>) [Title](</b c.md#title>)\n"),
            ("[x [y]][dataclasses] and [z][other.C]\n", "x [y] and z\n"),
            (
                "a[i][j] `[x][a.B]` \\[x][a.B] ![x][a.B] [x][^1]\n",
                "a[i][j] `[x][a.B]` \\[x][a.B] ![x][a.B] [x][^1]\n",
            ),
            ("[x][A  b]\n\n  [a b]: c.md\n", "[x][A  b]\n\n  [a b]: c.md\n"),
            ("```\n[x][a.B]\n```\n", "```\n[x][a.B]\n```\n"),
            ("[x][a.B\n[open\n", "[x][a.B\n[open\n"),
        ] {
            assert_eq!(with_references(text, &address).text, expected);
        }
        let hostile = format!("{}][", "[`".repeat(100_000));
        assert_eq!(with_references(&hostile, &address).text.trim_end(), hostile);
    }
}
