//! Files included by pages, in product-specific syntax: expanded from the files of the import, within its bounds.

use std::collections::BTreeMap;

use quire_markup::without_front_matter;

use crate::include::{Budget, Expansion};
use crate::path;
use crate::report::{changed, failed};
use crate::tree::SourceTree;

/// Maximum depth of nested includes.
const MAX_DEPTH: usize = 10;

/// An include.
#[derive(Debug, Default)]
pub(crate) struct Snippet {
    /// Possible paths of the file, the most likely first.
    pub(super) candidates: Vec<String>,
    /// The included lines.
    pub(super) part: Part,
    /// Text inserted before and after it.
    pub(super) around: Option<(String, String)>,
    /// Columns of indentation for each of its lines.
    pub(super) indent: usize,
}

/// The included lines of a file.
#[derive(Debug, Default)]
pub(crate) enum Part {
    #[default]
    All,
    /// First and last line, counted from one.
    Lines(usize, usize),
    /// Between the marks of a section.
    Section(String),
}

impl Part {
    /// Returns the part for `2:5`, `2-5`, `7`, or a section's name.
    pub(super) fn of(text: &str) -> Self {
        let text = text.trim();
        let (first, last) = text.split_once([':', '-', ',']).unwrap_or((text, text));
        match (first.trim().parse(), last.trim().parse()) {
            _ if text.is_empty() => Self::All,
            (Ok(first), Ok(last)) => Self::Lines(first, last),
            (Ok(first), Err(_)) if last.trim().is_empty() => Self::Lines(first, usize::MAX),
            (Err(_), Ok(last)) if first.trim().is_empty() => Self::Lines(1, last),
            _ => Self::Section(text.trim_start_matches('#').to_owned()),
        }
    }

    fn of_text(&self, text: &str) -> String {
        let lines = |lines: &mut dyn Iterator<Item = &str>| lines.flat_map(|line| [line, "\n"]).collect();
        match self {
            Self::All => lines(&mut without_front_matter(text).lines().filter(|line| !is_mark(line))),
            Self::Lines(first, last) => {
                let from = first.saturating_sub(1);
                lines(&mut text.lines().skip(from).take(last.saturating_sub(from)))
            }
            Self::Section(name) => {
                let is = |line: &&str| is_mark(line) && words(line).any(|word| word == name);
                let mut inside =
                    text.lines().skip_while(|line| !is(line)).skip(1).take_while(|line| !is(line));
                lines(&mut inside)
            }
        }
    }
}

/// Returns true if a line begins or ends a section: `--8<-- [start:name]`, `#region name`, `<!-- #region name -->`.
fn is_mark(line: &str) -> bool {
    line.contains("--8<-- [start:")
        || line.contains("--8<-- [end:")
        || line.contains("#region")
        || line.contains("#endregion")
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_' | '.'))
        .filter(|word| !word.is_empty())
}

/// The file being expanded.
pub(crate) struct Page<'t> {
    /// The folder of the file.
    pub(super) folder: &'t str,
    /// The Markdown files that it imports as modules, by name.
    pub(super) imports: BTreeMap<&'t str, &'t str>,
}

impl<'t> Page<'t> {
    fn of(file: &'t str, text: &'t str) -> Self {
        let import = |line: &'t str| {
            let (name, file) = line.strip_prefix("import ")?.split_once(" from ")?;
            let file = file.trim().trim_end_matches(';').trim_matches(['"', '\'']);
            path::is_markdown(file).then_some((name.trim(), file))
        };
        Self { folder: path::folder(file), imports: text.lines().filter_map(import).collect() }
    }
}

/// Finds an include at the first of these lines, and returns the number of its lines.
type Find<'f> = dyn Fn(&Page<'_>, &[&str]) -> Option<(Snippet, usize)> + 'f;

/// Expands the includes of a text that `find` detects.
pub(super) fn expand(text: &str, at: Expansion<'_>, find: &Find<'_>) -> String {
    let Expansion { tree, source, budget, report } = at;
    let mut problems = Problems::default();
    let expanded = Snippets { tree, budget, find }.text(source, text, 0, &mut problems);
    if problems.too_much {
        report.push(changed(source, "its includes add too much; some were kept as text"));
    }
    if let Some(first) = problems.missing.first() {
        let message = match problems.missing.len() {
            1 => format!("it includes `{first}`, which is not there; the include was kept as text"),
            count => {
                format!("{count} of its includes are not there, such as `{first}`; they were kept as text")
            }
        };
        report.push(failed(source, message));
    }
    expanded
}

struct Snippets<'a> {
    tree: &'a SourceTree,
    budget: &'a mut Budget,
    find: &'a Find<'a>,
}

impl Snippets<'_> {
    fn text(&mut self, file: &str, text: &str, depth: usize, problems: &mut Problems) -> String {
        let page = Page::of(file, text);
        let lines: Vec<&str> = text.lines().collect();
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        while let Some(rest) = lines.get(at..).filter(|rest| !rest.is_empty()) {
            let found = (self.find)(&page, rest);
            let taken = found.as_ref().map_or(1, |(_, lines)| (*lines).max(1));
            match found.and_then(|(snippet, _)| self.included(&snippet, depth, problems)) {
                Some(included) => out.push_str(&included),
                None => rest.iter().take(taken).for_each(|line| {
                    out.push_str(line);
                    out.push('\n');
                }),
            }
            at += taken;
        }
        out
    }

    fn included(&mut self, snippet: &Snippet, depth: usize, problems: &mut Problems) -> Option<String> {
        let Some(file) = snippet.candidates.iter().find(|candidate| self.tree.files.contains_key(*candidate))
        else {
            problems.missing.extend(snippet.candidates.first().cloned());
            return None;
        };
        let room = if depth < MAX_DEPTH { self.budget.read(self.tree, file) } else { None };
        let part = room.map(|text| snippet.part.of_text(&text)).filter(|part| self.budget.add(part.len()));
        let Some(part) = part else {
            problems.too_much = true;
            return None;
        };
        let part = if path::is_markdown(file) { self.text(file, &part, depth + 1, problems) } else { part };
        let part = match &snippet.around {
            Some((before, behind)) => format!("{before}{part}{behind}"),
            None => part,
        };
        Some(indented(&part, snippet.indent))
    }
}

#[derive(Default)]
struct Problems {
    missing: Vec<String>,
    too_much: bool,
}

fn indented(text: &str, columns: usize) -> String {
    let indent = " ".repeat(columns);
    let line = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("{indent}{line}\n") };
    text.lines().map(line).collect()
}

/// Columns before the text of a line.
pub(super) fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}
