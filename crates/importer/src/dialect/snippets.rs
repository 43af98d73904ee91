//! Expansion of files that pages include in product-specific syntax. Only files of the import are included, within its
//! bounds.

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
    /// Included lines.
    pub(super) part: Part,
    /// Text to insert before and after the included lines.
    pub(super) around: Option<(String, String)>,
    /// Columns of indentation of each included line.
    pub(super) indent: usize,
    /// Links are relative to the included file, not to the page that includes it.
    pub(super) has_own_links: bool,
}

/// The included lines of a file.
#[derive(Debug, Default)]
pub(crate) enum Part {
    #[default]
    All,
    /// First and last line, counted from one.
    Lines(usize, usize),
    /// Lines between the marks of a section.
    Section(String),
    /// Lines between two texts, either of which may be empty.
    Between(String, String),
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
            Self::Between(start, end) => {
                let text = without_front_matter(text);
                let behind = text.split_once(start.as_str()).filter(|_| !start.is_empty());
                let text = behind.map_or(text, |(_, behind)| behind);
                let before = text.split_once(end.as_str()).filter(|_| !end.is_empty());
                lines(&mut before.map_or(text, |(before, _)| before).lines())
            }
            Self::Section(name) => {
                // DocFX marks sections like elements: `// <name>`, `// </name>`.
                let is_element = |line: &str| {
                    let element = line.trim_end().strip_suffix(&format!("{name}>"));
                    element.is_some_and(|before| before.ends_with('<') || before.ends_with("</"))
                };
                let is =
                    |line: &&str| is_element(line) || is_mark(line) && words(line).any(|word| word == name);
                let mut inside =
                    text.lines().skip_while(|line| !is(line)).skip(1).take_while(|line| !is(line));
                lines(&mut inside)
            }
        }
    }
}

/// Returns whether a line begins or ends a section: `--8<-- [start:name]`, `#region name`, `<!-- #region name -->`.
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
    /// Markdown files that the file imports as modules, by name.
    pub(super) imports: BTreeMap<&'t str, &'t str>,
    /// The position is in a fenced listing.
    pub(super) in_code: bool,
    /// The position is in a group of listings, of which one is shown at a time.
    pub(super) in_group: bool,
}

impl<'t> Page<'t> {
    fn of(file: &'t str, text: &'t str) -> Self {
        let import = |line: &'t str| {
            let (name, file) = line.strip_prefix("import ")?.split_once(" from ")?;
            let file = file.trim().trim_end_matches(';').trim_matches(['"', '\'']);
            path::is_markdown(file).then_some((name.trim(), file))
        };
        Self {
            folder: path::folder(file),
            imports: text.lines().filter_map(import).collect(),
            in_code: false,
            in_group: false,
        }
    }
}

/// Function that returns the include at the first of these lines, and the number of its lines.
type Find<'f> = dyn Fn(&Page<'_>, &[&str]) -> Option<(Snippet, usize)> + 'f;

/// Expands the includes of a text that `find` detects.
pub(super) fn expand(text: &str, at: Expansion<'_>, find: &Find<'_>) -> String {
    let Expansion { tree, source, budget, report } = at;
    let mut problems = Problems::default();
    let expanded = Snippets { tree, budget, find }.text(source, text, 0, &mut problems);
    if problems.too_much {
        report.push(changed(source, "its includes are too large; some were kept as text"));
    }
    if let Some(first) = problems.missing.first() {
        let message = match problems.missing.len() {
            1 => format!("it includes `{first}`, which does not exist; the include was kept as text"),
            count => {
                format!("{count} of its includes do not exist, such as `{first}`; they were kept as text")
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
        let mut page = Page::of(file, text);
        let mut fence: Option<String> = None;
        let lines: Vec<&str> = text.lines().collect();
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        while let Some(rest) = lines.get(at..).filter(|rest| !rest.is_empty()) {
            let line = rest.first().copied().unwrap_or_default().trim();
            let marks: String =
                line.chars().take_while(|c| line.starts_with(*c) && matches!(c, '`' | '~')).collect();
            page.in_code = fence.is_some();
            match &fence {
                Some(open) if line.starts_with(open.as_str()) && line == marks => fence = None,
                Some(_) => {}
                None if marks.len() >= 3 => fence = Some(marks),
                None if line.starts_with(":::") => page.in_group = line.contains("code-group"),
                None => {}
            }
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
        let part = if snippet.has_own_links { rebased(&part, path::folder(file)) } else { part };
        let part = match &snippet.around {
            Some((before, behind)) => fenced(before, &part, behind),
            None => part,
        };
        Some(indented(&part, snippet.indent))
    }
}

/// Puts lines between others. If these are a fence of backticks that lines within would close, it gets tildes, which
/// do not close a directive around it either.
fn fenced(before: &str, part: &str, behind: &str) -> String {
    let longest = |text: &str, mark: char| {
        let marks =
            text.lines().map(str::trim_start).map(|line| line.len() - line.trim_start_matches(mark).len());
        marks.max().unwrap_or_default()
    };
    let own = longest(before, '`');
    if own < 3 || longest(part, '`') < own {
        return format!("{before}{part}{behind}");
    }
    let (marks, tildes) = ("`".repeat(own), "~".repeat(longest(part, '~').saturating_add(1).max(3)));
    format!("{}{part}{}", before.replacen(&marks, &tildes, 1), behind.replacen(&marks, &tildes, 1))
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

/// Rewrites relative links in the Markdown of a file to be relative to the root of the import.
fn rebased(text: &str, folder: &str) -> String {
    let is_relative = |target: &str| {
        !target.is_empty() && !target.starts_with(['#', '/', '<', '?']) && !target.contains(':')
    };
    let moved = |target: &str| {
        let (file, fragment) =
            target.split_once('#').map_or((target, None), |(file, fragment)| (file, Some(fragment)));
        let joined = path::join(folder, file).filter(|_| is_relative(target));
        let fragment = fragment.map(|fragment| format!("#{fragment}")).unwrap_or_default();
        joined.map_or_else(|| target.to_owned(), |joined| format!("/{joined}{fragment}"))
    };
    let mut out = String::with_capacity(text.len());
    let mut fence: Option<String> = None;
    for line in text.lines() {
        let begin = line.trim_start();
        let marks: String =
            begin.chars().take_while(|c| begin.starts_with(*c) && matches!(c, '`' | '~')).collect();
        match &fence {
            Some(open) if begin.starts_with(open.as_str()) && begin.trim_end() == marks => fence = None,
            None if marks.len() >= 3 => fence = Some(marks),
            _ => {}
        }
        let definition = begin.strip_prefix('[').and_then(|_| line.split_once("]: "));
        match definition {
            _ if fence.is_some() => out.push_str(line),
            Some((name, target)) => out.push_str(&format!("{name}]: {}", moved(target))),
            None => {
                let mut rest = line;
                while let Some((before, behind)) = rest.split_once("](") {
                    let end = behind.find([')', ' ']).unwrap_or(behind.len());
                    let (target, after) = behind.split_at_checked(end).unwrap_or((behind, ""));
                    out.push_str(&format!("{before}]({}", moved(target)));
                    rest = after;
                }
                out.push_str(rest);
            }
        }
        out.push('\n');
    }
    out
}

/// Returns the columns before the text of a line.
pub(super) fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}
