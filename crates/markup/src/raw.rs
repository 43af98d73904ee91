//! Detection of syntax without an equivalent, which a document shows as text.

use crate::dialects::code_lines;
use crate::document::{Block, BlockKind, Children, Document, Fragment, Inline, Mark};
use std::collections::BTreeSet;

/// Maximum number of forms of syntax that are reported for a document.
const MAX_NAMED: usize = 20;
/// Maximum number of characters of a form's name.
const MAX_NAME_CHARS: usize = 40;
/// Number of characters before a mark that must precede it in the source, too.
const MAX_CONTEXT_CHARS: usize = 8;

/// Returns the syntax of generators and template languages in the running text of a document, without duplicates:
/// template tags, call-outs, module statements, and Markdown that was not recognized. If `source` is given, characters
/// that only occur in it escaped or in code are ignored.
///
/// ```
/// use quire_markup::{StableRefs, parse, raw_syntax};
/// let document = parse("See {{< ref \"a\" >}}.\n\n:::custom\nText.\n:::\n", &StableRefs);
/// assert_eq!(raw_syntax(&document, None), [":::custom", "{{< ref >}}"]);
/// let escaped = r"Use \{{ name }}.";
/// assert!(raw_syntax(&parse(escaped, &StableRefs), Some(escaped)).is_empty());
/// ```
#[must_use]
pub fn raw_syntax(document: &Document, source: Option<&str>) -> Vec<String> {
    let mut finder =
        Finder { found: BTreeSet::new(), source: source.map(|source| without_escapes(&prose(source))) };
    finder.blocks(&document.nodes);
    finder.found.into_iter().collect()
}

struct Finder {
    found: BTreeSet<String>,
    /// Source without code and escaped characters.
    source: Option<String>,
}

impl Finder {
    fn blocks(&mut self, nodes: &[Block]) {
        for node in nodes.iter().filter(|node| node.kind != BlockKind::Code) {
            match &node.children {
                Children::Inlines(nodes) => self.inlines(nodes),
                Children::Blocks(nodes) => self.blocks(nodes),
                Children::Void => {}
            }
            self.fragments(&node.fragments);
        }
    }

    fn fragments(&mut self, fragments: &[Fragment]) {
        fragments.iter().for_each(|fragment| self.blocks(&fragment.nodes));
    }

    fn inlines(&mut self, nodes: &[Inline]) {
        let mut begins = true;
        // Emphasis may have been recognized within a formula, so the text of all nodes is joined.
        let mut words = String::new();
        for node in nodes {
            match node {
                Inline::Text(text) => {
                    for leaf in text.leaves.iter().filter(|leaf| !leaf.marks.contains(&Mark::Code)) {
                        if self.found.len() < MAX_NAMED {
                            self.text(&leaf.text, begins);
                        }
                        words.push_str(&leaf.text);
                        begins = false;
                    }
                }
                Inline::Node(node) => {
                    self.inlines(&node.nodes);
                    self.fragments(&node.fragments);
                }
            }
            begins = false;
        }
        if is_formula(&words) && self.is_written("", "$") {
            self.found.insert("$…$".to_owned());
        }
    }

    /// Adds a form of syntax whose mark follows `before`.
    fn add(&mut self, before: &str, mark: &str, name: &str) {
        if self.is_written(before, mark) {
            self.found.insert(name.chars().take(MAX_NAME_CHARS).collect());
        }
    }

    /// Returns whether the source contains a mark after the same letters. Other characters may be written differently.
    fn is_written(&self, before: &str, mark: &str) -> bool {
        let letters = before.char_indices().rev().take_while(|(_, c)| c.is_alphanumeric());
        let start = letters.take(MAX_CONTEXT_CHARS).last().map_or(before.len(), |(at, _)| at);
        let written = format!("{}{mark}", before.get(start..).unwrap_or_default());
        self.source.as_ref().is_none_or(|source| source.contains(&written))
    }

    /// Finds the syntax in a run of text. `begins` is true for the first run of a block.
    fn text(&mut self, text: &str, begins: bool) {
        for (mark, end) in [("{%", "%}"), ("{{<", ">}}"), ("{{%", "%}}"), ("{{", "}}"), ("{*", "*}")] {
            // A tag may end on another line.
            let is_open = matches!(mark, "{%" | "{{<");
            if let Some((before, behind)) = text.split_once(mark)
                && let Some(inside) =
                    behind.split_once(end).map(|(inside, _)| inside).or(Some(behind).filter(|_| is_open))
                && !(mark == "{{" && inside.starts_with(['<', '%']))
            {
                let name = inside.split_whitespace().next().unwrap_or_default();
                let shown = if mark == "{*" { "file" } else { name.trim_start_matches('/') };
                self.add(before, mark, &format!("{mark} {shown} {end}"));
            }
        }
        if begins {
            self.line(text.trim_start());
        }
        if let Some((before, rest)) = text.split_once("**")
            && rest.find("**").is_some_and(|at| at > 0)
        {
            self.add(before, "**", "**");
        }
        // The address may have become a link of its own, or have no end.
        for (at, mark) in text.match_indices("](") {
            let before = text.get(..at).unwrap_or_default();
            self.add(before, mark, if before.contains("![") { "![](…)" } else { "[](…)" });
        }
        for (at, mark) in text.match_indices("[!") {
            let (before, behind) = text.split_at_checked(at).unwrap_or((text, ""));
            if let Some(kind) = extension(behind.strip_prefix(mark).unwrap_or_default()) {
                self.add(before, &format!("[!{kind}"), &format!("[!{}]", kind.to_ascii_uppercase()));
            }
        }
        for (at, _) in text.match_indices('<') {
            let (before, behind) = text.split_at_checked(at).unwrap_or((text, ""));
            if let Some(name) = malformed_tag(behind) {
                self.add(before, &format!("<{name}"), &format!("<{}>", name.to_lowercase()));
            }
        }
        if let Some((before, behind)) = text.split_once("[[")
            && behind.starts_with(char::is_alphabetic)
            && behind.contains("]]")
        {
            self.add(before, "[[", "[[…]]");
        }
    }

    /// Finds the syntax at the beginning of a block.
    fn line(&mut self, line: &str) {
        let first = |text: &str| {
            text.split(|c: char| c.is_whitespace() || c == '[').next().unwrap_or_default().to_owned()
        };
        let marked = |mark: &str| line.strip_prefix(mark).filter(|rest| !rest.trim().is_empty());
        if line.starts_with(":::") {
            self.add("", ":::", &format!(":::{}", first(line.trim_start_matches(':').trim_start())));
        }
        for mark in ["!> ", "?> "] {
            if marked(mark).is_some() {
                self.add("", mark.trim_end(), mark.trim_end());
            }
        }
        for mark in ["!!! ", "??? ", "???+ ", "/// ", "<<< "] {
            if let Some(rest) = marked(mark) {
                self.add("", mark.trim_end(), &format!("{mark}{}", first(rest)));
            }
        }
        if line.starts_with("{: ") && line.contains('}') {
            self.add("", "{:", "{: … }");
        }
        if marked("=== \"").is_some() {
            self.add("", "===", "=== \"tab\"");
        }
        let is_import = line.starts_with("import ") && line.contains(" from ") && line.contains(['"', '\'']);
        if is_import || line.starts_with("import {") || line.starts_with("export const ") {
            self.add("", "", "import");
        }
    }
}

/// Returns the kind of a call-out or an extension of Markdown, given the text after `[!`: `NOTE]`,
/// `INCLUDE [a](b.md)]`.
fn extension(text: &str) -> Option<&str> {
    const KINDS: [&str; 9] =
        ["include", "code", "video", "div", "note", "tip", "important", "warning", "caution"];
    let end = text.find(|c: char| !c.is_ascii_alphabetic())?;
    let (kind, behind) = text.split_at_checked(end)?;
    let is_upper = kind.len() > 2 && kind.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_kind = is_upper || KINDS.iter().any(|known| kind.eq_ignore_ascii_case(known));
    (is_kind && behind.starts_with([']', ' ', '[', '-'])).then_some(kind)
}

/// Returns the name of the tag at the start of a text, which has attributes and is not valid HTML. Valid tags of
/// unknown elements are found by the parser.
fn malformed_tag(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('<')?;
    let end = inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '-')?;
    let (name, rest) = inside.split_at_checked(end)?;
    let (attributes, _) = rest.strip_prefix(' ')?.split_once('>')?;
    (name.starts_with(|c: char| c.is_ascii_alphabetic()) && attributes.contains("=\"")).then_some(name)
}

/// Returns a text without listings and code spans. A line with an unmatched backtick is kept: its span may end on
/// another line or with the table cell.
fn prose(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::with_capacity(text.len());
    for (line, _) in lines.iter().zip(code_lines(&lines)).filter(|(_, is_code)| !is_code) {
        let marks = line.matches('`').count();
        let step = if marks % 2 == 0 && !line.contains("``") { 2 } else { 1 };
        line.split('`').step_by(step).for_each(|piece| out.push_str(piece));
        out.push('\n');
    }
    out
}

/// Returns a text without backslash escapes.
fn without_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('\\') {
        out.push_str(before);
        rest = match behind.chars().next() {
            Some(escaped) if escaped.is_ascii_punctuation() => behind.get(1..).unwrap_or_default(),
            _ => behind,
        };
    }
    out.push_str(rest);
    out
}

/// Returns whether a text contains a formula between single dollar signs, with a command, an index or a power.
fn is_formula(text: &str) -> bool {
    let mut pieces = text.split('$').skip(1);
    while let Some(inside) = pieces.next() {
        if pieces.clone().next().is_none() {
            return false;
        }
        let is_tex = inside.contains(['\\', '^', '_']) && inside.trim() == inside && !inside.is_empty();
        // Shell variables: `${A}_${B}`, `$HOME/a_b:$PATH`.
        let is_variable = inside.starts_with('{') || inside.contains('/') && !inside.contains(['\\', '^']);
        if is_tex && !is_variable || inside.contains("\\frac") {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::raw_syntax;
    use crate::{StableRefs, parse};

    #[test]
    fn only_what_the_source_writes_is_syntax() {
        for (source, expected) in [
            ("See [a](b and [c](https://d.e).", vec!["[](…)"]),
            ("A <Field body=\"key\"type=\"x\"> b, 1 < 2 and c > d.", vec!["<field>"]),
            ("A \\<Field body=\"key\"type=\"x\">.", vec![]),
            ("See [#1](https://example.com/", vec!["[](…)"]),
            ("[a](b) and \\[c\\]\\(d)", vec![]),
            ("[a](b) {{ x }} and \\{{ y }}", vec!["{{ x }}"]),
            ("`{{ x }}` and \\{{ y }}\n\n* a\n\n  ```\n  {{ y }}\n  ```", vec![]),
            ("`{{ x }}` and z\\{{ y }}", vec![]),
            ("!> A [!INCLUDE [b](c.md)] and [!a-z], \\[!NOTE]", vec!["!>", "[!INCLUDE]"]),
            ("A **b** and e\\*\\*f\\*\\*", vec![]),
        ] {
            let found = raw_syntax(&parse(source, &StableRefs), Some(source));
            assert_eq!(found, expected, "{source}");
        }
    }
}
