//! mdBook's includes: `{{#include file}}` and similar, expanded from the files of the import.
//!
//! Follows mdBook's `links` preprocessor (<https://rust-lang.github.io/mdBook/format/mdbook.html>): a whole file, lines
//! (`:2`, `:2:10`, `:2:`, `::10`) or an anchor (`ANCHOR: name` … `ANCHOR_END: name`). An include of a missing file is
//! kept as written.

use quire_domain::imports::ImportReportEntry;

use crate::path;
use crate::report::{changed, failed};
use crate::tree::SourceTree;

/// Maximum depth of nested includes, as in mdBook.
const MAX_DEPTH: usize = 10;

/// Remaining bytes that the includes of an import may add and read. Limits the growth of small archives whose files
/// include each other, and the time for many includes of single lines of a large file.
#[derive(Debug)]
pub(crate) struct Budget {
    /// Bytes that may be added.
    added: usize,
    /// Bytes that may be read. Each include counts its whole file, because all of it is searched.
    read: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { added: 16 * 1024 * 1024, read: 256 * 1024 * 1024 }
    }
}

impl Budget {
    /// Returns the text of the file at `path`, counted before it is read; `None` if the budget is used up, or the file
    /// is larger than a page may be.
    pub(crate) fn read(&mut self, tree: &SourceTree, path: &str) -> Option<String> {
        self.read = self.read.checked_sub(tree.files.get(path)?.len())?;
        tree.text(path)
    }

    /// Counts added bytes, and returns whether they are within the budget.
    pub(crate) fn add(&mut self, bytes: usize) -> bool {
        let left = self.added.checked_sub(bytes);
        self.added = left.unwrap_or(self.added);
        left.is_some()
    }
}

/// Context of a text to expand.
pub(crate) struct Expansion<'a> {
    /// Files available for includes.
    pub(crate) tree: &'a SourceTree,
    /// Path of the text's file.
    pub(crate) source: &'a str,
    /// Remaining bytes to add and read.
    pub(crate) budget: &'a mut Budget,
    /// The report for problems.
    pub(crate) report: &'a mut Vec<ImportReportEntry>,
}

/// Expands the includes of a text.
pub(crate) fn expand(text: String, at: Expansion<'_>) -> String {
    let Expansion { tree, source, budget, report } = at;
    if !text.contains("{{#") {
        return text;
    }
    let mut expander = Expander { tree, budget, missing: Vec::new(), too_much: false };
    let expanded = expander.expand(path::folder(source), &text, 0);
    if expander.too_much {
        report.push(changed(source, "its includes are too large; some were kept as text"));
    }
    if let Some(first) = expander.missing.first() {
        let message = match expander.missing.len() {
            1 => format!("it includes `{first}`, which does not exist; the include was kept as text"),
            count => {
                format!("{count} of its includes do not exist, such as `{first}`; they were kept as text")
            }
        };
        report.push(failed(source, message));
    }
    expanded
}

struct Expander<'a> {
    tree: &'a SourceTree,
    budget: &'a mut Budget,
    missing: Vec<String>,
    too_much: bool,
}

impl Expander<'_> {
    fn expand(&mut self, folder: &str, text: &str, depth: usize) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once("{{#") {
            out.push_str(before);
            let escaped = before.ends_with('\\');
            let Some((inside, after)) = split_directive(behind) else {
                out.push_str("{{#");
                rest = behind;
                continue;
            };
            match (!escaped).then(|| self.directive(folder, inside, depth)).flatten() {
                Some(included) => out.push_str(&included),
                None => {
                    if escaped {
                        out.pop();
                    }
                    out.push_str("{{#");
                    out.push_str(inside);
                    out.push_str("}}");
                }
            }
            rest = after;
        }
        out.push_str(rest);
        out
    }

    /// Returns the replacement of `{{#inside}}`; `None` keeps it as text.
    fn directive(&mut self, folder: &str, inside: &str, depth: usize) -> Option<String> {
        let (verb, arguments) = inside.trim().split_once(char::is_whitespace)?;
        let argument = arguments.trim();
        match verb {
            "include" | "rustdoc_include" => self.include(folder, argument, depth),
            "playground" | "playpen" => {
                let (file, attributes) = argument
                    .split_once(char::is_whitespace)
                    .map_or((argument, ""), |(file, rest)| (file, rest.trim()));
                let code = self.include(folder, file, depth)?;
                let attributes = attributes.replace(' ', ",");
                let info =
                    if attributes.is_empty() { "rust".to_owned() } else { format!("rust,{attributes}") };
                Some(format!("```{info}\n{}\n```", code.trim_end_matches('\n')))
            }
            _ => None,
        }
    }

    fn include(&mut self, folder: &str, argument: &str, depth: usize) -> Option<String> {
        let (file, selection) = argument.split_once(':').map_or((argument, ""), |(file, rest)| (file, rest));
        let found = path::join(folder, file).filter(|path| self.tree.files.contains_key(path));
        let Some(path) = found else {
            self.missing.push(argument.to_owned());
            return None;
        };
        let selected = self.selected(&path, selection).filter(|_| depth < MAX_DEPTH);
        let Some(selected) = selected else {
            self.too_much = true;
            return None;
        };
        Some(self.expand(path::folder(&path), selected.trim_end_matches('\n'), depth + 1))
    }

    /// Returns the included lines of a file; `None` if the budget is used up.
    fn selected(&mut self, path: &str, selection: &str) -> Option<String> {
        let selected = select(&self.budget.read(self.tree, path)?, selection);
        self.budget.add(selected.len()).then_some(selected)
    }
}

/// Splits a text at the `}}` that closes a directive. It must be on the same line and before the next directive, so
/// that no text is searched twice.
fn split_directive(behind: &str) -> Option<(&str, &str)> {
    let mut pairs = behind.as_bytes().windows(2);
    let end = pairs.position(|pair| pair == b"}}" || pair == b"{{" || pair.starts_with(b"\n"))?;
    let (inside, rest) = behind.split_at_checked(end)?;
    Some((inside, rest.strip_prefix("}}")?))
}

/// Returns the lines of `text` for `selection`: empty for all, an anchor's name, or bounds of lines.
fn select(text: &str, selection: &str) -> String {
    let visible = |line: &&str| anchor(line, "ANCHOR:").or_else(|| anchor(line, "ANCHOR_END:")).is_none();
    if selection.is_empty() {
        return lines(text.lines().filter(visible));
    }
    let (first, last) = match selection.split_once(':') {
        Some((first, last)) => (first.trim(), last.split(':').next().unwrap_or_default().trim()),
        None => (selection.trim(), selection.trim()),
    };
    let bound = |text: &str, default| if text.is_empty() { Some(default) } else { text.parse().ok() };
    match (bound(first, 1_usize), bound(last, usize::MAX)) {
        (Some(first), Some(last)) => {
            let from = first.saturating_sub(1);
            lines(text.lines().skip(from).take(last.saturating_sub(from)).filter(visible))
        }
        _ => {
            let mut inside = false;
            lines(text.lines().filter(|line| {
                if anchor(line, "ANCHOR:") == Some(first) {
                    inside = true;
                } else if anchor(line, "ANCHOR_END:") == Some(first) {
                    inside = false;
                }
                inside && visible(line)
            }))
        }
    }
}

/// Returns the name in a line that begins or ends an anchor.
fn anchor<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    line.split_once(mark)?.1.split_whitespace().next()
}

fn lines<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use proptest::prelude::*;

    use super::*;

    fn tree() -> SourceTree {
        let files = [
            ("src/a.md", ""),
            ("listings/main.rs", "one\n// ANCHOR: here\ntwo\nthree\n// ANCHOR_END: here\nfour\n"),
            ("src/part.md", "see {{#include ../listings/main.rs:1}}\n"),
            ("src/loop.md", "x{{#include loop.md}}"),
        ];
        SourceTree::from_files(files.map(|(path, text)| (path.to_owned(), Bytes::from(text))))
    }

    fn expanded(text: &str) -> String {
        expanded_within(text, &mut Budget::default(), &mut Vec::new())
    }

    fn expanded_within(text: &str, budget: &mut Budget, report: &mut Vec<ImportReportEntry>) -> String {
        expand(text.to_owned(), Expansion { tree: &tree(), source: "src/a.md", budget, report })
    }

    #[test]
    fn a_file_is_included_whole_by_lines_or_by_anchor() {
        for (include, expected) in [
            ("{{#include ../listings/main.rs}}", "one\ntwo\nthree\nfour"),
            ("{{#include ../listings/main.rs:here}}", "two\nthree"),
            ("{{#rustdoc_include ../listings/main.rs:here}}", "two\nthree"),
            ("{{#include ../listings/main.rs:1}}", "one"),
            ("{{#include ../listings/main.rs:3:4}}", "two\nthree"),
            ("{{#include ../listings/main.rs:6:}}", "four"),
            ("{{#include ../listings/main.rs::1}}", "one"),
        ] {
            assert_eq!(
                expanded(&format!("```\n{include}\n```")),
                format!("```\n{expected}\n```"),
                "{include}"
            );
        }
    }

    #[test]
    fn a_playground_becomes_a_code_block() {
        assert_eq!(
            expanded("{{#playground ../listings/main.rs:1 editable}}"),
            "```rust\none\n```".replace("rust\n", "rust,editable\n")
        );
    }

    #[test]
    fn included_files_include_from_where_they_stand() {
        assert_eq!(expanded("{{#include part.md}}"), "see one");
    }

    #[test]
    fn loops_and_multiplication_end() {
        let mut report = Vec::new();
        let looped = expanded_within("{{#include loop.md}}", &mut Budget::default(), &mut report);
        assert_eq!(looped, format!("{}{{{{#include loop.md}}}}", "x".repeat(MAX_DEPTH)));
        let text = "{{#include part.md}} ".repeat(1000);
        let mut small = Budget { added: 100, ..Budget::default() };
        let multiplied = expanded_within(&text, &mut small, &mut report);
        assert_eq!(multiplied.matches("see").count(), 2);
        assert_eq!(report.len(), 2);
    }

    #[test]
    fn an_include_is_charged_what_it_reads_though_it_takes_nothing() {
        let mut report = Vec::new();
        let text = "{{#include ../listings/main.rs:999}}".repeat(4);
        let length = tree().files["listings/main.rs"].len();
        let mut budget = Budget { read: length * 3, ..Budget::default() };
        let expanded = expanded_within(&text, &mut budget, &mut report);
        assert_eq!(expanded, "{{#include ../listings/main.rs:999}}");
        assert_eq!((budget.read, report.len()), (0, 1));
    }

    #[test]
    fn a_text_of_open_directives_is_read_once() {
        let text = "{{#".repeat(500_000);
        assert_eq!(expanded(&text), text);
    }

    #[test]
    fn escaped_unknown_and_broken_directives_stay_text() {
        for (text, expected) in [
            ("\\{{#include part.md}}", "{{#include part.md}}"),
            ("{{#title X}}", "{{#title X}}"),
            ("{{#each}}", "{{#each}}"),
            ("{{#include part.md", "{{#include part.md"),
            ("{{# {{#include part.md}}", "{{# see one"),
        ] {
            assert_eq!(expanded(text), expected);
        }
    }

    #[test]
    fn a_missing_file_is_reported_and_kept_as_text() {
        for gone in ["{{#include ../listings/gone.rs}}", "{{#include ../../../etc/passwd}}"] {
            let mut report = Vec::new();
            let kept = expanded_within(gone, &mut Budget::default(), &mut report);
            assert_eq!(kept, gone);
            assert_eq!(report.len(), 1);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_expanded_without_panic(
            text in "(\\{\\{#|\\}\\}|include|playground| |part.md|:|[0-9é\n\\\\])*",
        ) {
            expanded(&text);
        }
    }
}
