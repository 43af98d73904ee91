//! Table of contents in the `SUMMARY.md` of documentation repositories.
//!
//! Two dialects share the file: that of GitBook
//! (<https://gitbook.com/docs/getting-started/git-sync/content-configuration>) and that of mdBook
//! (<https://rust-lang.github.io/mdBook/format/summary.html>). Both are nested lists of links under headings; mdBook
//! also has chapters outside of lists, drafts without a target and parts as first-rank headings.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use quire_markup::markdown::{escaped, unescaped};
use quire_markup::without_front_matter;

/// Maximum nesting depth; deeper entries become siblings at that depth.
const MAX_DEPTH: usize = 32;

/// Characters that are not percent-encoded in the address of a file of the import.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.');

/// Entry of the table of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Text, as inline Markdown.
    pub(crate) title: String,
    /// The text is the title in navigation, in addition to the title of the page.
    pub(crate) is_link_title: bool,
    /// Target as written; `None` for an entry without a link or with an empty one.
    pub(crate) target: Option<String>,
    /// YAML of a fenced block that is the whole item, and a placeholder of computed pages.
    pub(crate) block: Option<String>,
    /// Child entries.
    pub(crate) children: Vec<Entry>,
}

impl Entry {
    /// Returns an entry with a title.
    pub(crate) const fn new(title: String, target: Option<String>, children: Vec<Self>) -> Self {
        Self { title, is_link_title: false, target, block: None, children }
    }

    /// Returns the entry of a file, whose path is relative to the content's root, with a plain text title.
    pub(crate) fn of_file(title: &str, file: &str, children: Vec<Self>) -> Self {
        let target = format!("/{}", utf8_percent_encode(file, KEPT));
        Self::new(escaped(title), Some(target), children)
    }

    /// Returns whether the entry or one below it has a target or computed pages.
    pub(crate) fn has_target(&self) -> bool {
        self.target.is_some() || self.block.is_some() || self.children.iter().any(Self::has_target)
    }
}

/// Part of the table of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    /// Heading, as inline Markdown; `None` for entries outside parts.
    pub(crate) title: Option<String>,
    /// Entries in order.
    pub(crate) entries: Vec<Entry>,
}

/// Returns the path of a file or folder as an address.
pub(crate) fn address(path: &str) -> String {
    utf8_percent_encode(path, KEPT).to_string()
}

/// Groups entries into parts: one with entries below and no target is the heading of a part.
pub(crate) fn parts(entries: Vec<Entry>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for entry in entries {
        match parts.last_mut() {
            _ if entry.target.is_none() && !entry.children.is_empty() && !entry.title.is_empty() => {
                parts.push(Part { title: Some(entry.title), entries: entry.children });
            }
            Some(part) if part.title.is_none() => part.entries.push(entry),
            _ => parts.push(Part { title: None, entries: vec![entry] }),
        }
    }
    parts
}

/// Reads a `SUMMARY.md`. Lines that are neither heading, list item, link nor separator are comments and ignored.
pub(crate) fn parse(text: &str) -> Vec<Part> {
    let mut reader = Reader::default();
    for line in without_comments(without_front_matter(text)).lines() {
        reader.line(line);
    }
    reader.finish()
}

#[derive(Default)]
struct Reader {
    parts: Vec<Part>,
    title: Option<String>,
    /// Entries of the current part with their depth, in order.
    flat: Vec<(usize, Entry)>,
    /// Indents of the list items that the next item may be nested in.
    indents: Vec<usize>,
    seen_heading: bool,
    /// Fence of the last entry's block, until it is closed.
    fence: Option<Fence>,
}

/// Start of a fenced block in a list item.
struct Fence {
    /// Fence characters: at least three of the same.
    marks: String,
    /// Columns before the text of the item.
    indent: usize,
}

impl Fence {
    /// Returns the fence of a list item that is a block of YAML.
    fn of(item: &str, indent: usize) -> Option<Self> {
        let mark = item.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let language = item.trim_start_matches(mark);
        let marks = item.strip_suffix(language)?;
        let is_yaml = matches!(language.trim().to_ascii_lowercase().as_str(), "yaml" | "yml");
        (marks.len() >= 3 && is_yaml).then(|| Self { marks: marks.to_owned(), indent })
    }

    fn is_closed_by(&self, text: &str) -> bool {
        text.starts_with(&self.marks) && text.chars().all(|mark| self.marks.starts_with(mark))
    }
}

impl Reader {
    fn line(&mut self, line: &str) {
        let text = line.trim();
        if let Some(fence) = &self.fence {
            if fence.is_closed_by(text) {
                self.fence = None;
            } else if let Some((_, Entry { block: Some(block), .. })) = self.flat.last_mut() {
                block.push_str(without_indent(line, fence.indent));
                block.push('\n');
            }
            return;
        }
        let indent = indent(line);
        if let Some(title) = heading(text).filter(|_| indent < 4) {
            // The first heading is the file's own title, if nothing precedes it.
            let own = !self.seen_heading && line.trim_start().starts_with("# ") && self.is_empty();
            self.seen_heading = true;
            if !own {
                self.begin_part(Some(title));
            }
        } else if is_separator(text) {
            if !self.flat.is_empty() {
                self.begin_part(None);
            }
        } else if let Some(item) = list_item(text) {
            // The text of the item begins after its marker.
            self.fence = Fence::of(item, indent + text.len() - item.len());
            let is_block = self.fence.is_some();
            let block = is_block
                .then(|| Entry { block: Some(String::new()), ..Entry::new(String::new(), None, Vec::new()) });
            self.nest(indent, block.unwrap_or_else(|| entry(item)));
        } else if indent < 4
            && text.starts_with('[')
            && let Some(chapter) = link(text)
        {
            // In mdBook, unnumbered chapters before and after the numbered ones belong to no part.
            if self.title.is_some() {
                self.begin_part(None);
            }
            self.indents.clear();
            self.flat.push((0, chapter));
        }
    }

    fn is_empty(&self) -> bool {
        self.flat.is_empty() && self.parts.is_empty()
    }

    fn nest(&mut self, indent: usize, entry: Entry) {
        while self.indents.last().is_some_and(|outer| *outer >= indent) {
            self.indents.pop();
        }
        let depth = self.indents.len().min(MAX_DEPTH - 1);
        self.indents.push(indent);
        self.flat.push((depth, entry));
    }

    fn begin_part(&mut self, title: Option<String>) {
        let entries = nested(&mut std::mem::take(&mut self.flat).into_iter().peekable(), 0);
        let title = std::mem::replace(&mut self.title, title);
        self.indents.clear();
        if title.is_some() || !entries.is_empty() {
            self.parts.push(Part { title, entries });
        }
    }

    fn finish(mut self) -> Vec<Part> {
        self.begin_part(None);
        self.parts
    }
}

/// Nests entries by their depth.
pub(crate) fn nest(flat: Vec<(usize, Entry)>) -> Vec<Entry> {
    let outermost = flat.iter().map(|(depth, _)| *depth).min().unwrap_or_default();
    let flat = flat.into_iter().map(|(depth, entry)| ((depth - outermost).min(MAX_DEPTH - 1), entry));
    nested(&mut flat.collect::<Vec<_>>().into_iter().peekable(), 0)
}

/// Removes the entries at `depth` and deeper from `flat` and nests them.
fn nested(flat: &mut std::iter::Peekable<std::vec::IntoIter<(usize, Entry)>>, depth: usize) -> Vec<Entry> {
    let mut entries = Vec::new();
    while let Some((_, mut entry)) = flat.next_if(|(at, _)| *at >= depth) {
        entry.children = nested(flat, depth + 1);
        entries.push(entry);
    }
    entries
}

/// Returns the columns before the text; a tab extends to the next multiple of four.
fn indent(line: &str) -> usize {
    margin(line, usize::MAX).0
}

/// Removes up to `columns` columns of white space before the text.
fn without_indent(line: &str, columns: usize) -> &str {
    margin(line, columns).1
}

/// Returns the columns before the text and the rest of the line. Counting stops at `most` columns; a tab may exceed it.
fn margin(line: &str, most: usize) -> (usize, &str) {
    let (mut columns, mut rest) = (0, line);
    while columns < most {
        if let Some(behind) = rest.strip_prefix(' ') {
            (columns, rest) = (columns + 1, behind);
        } else if let Some(behind) = rest.strip_prefix('\t') {
            (columns, rest) = (columns + 4 - columns % 4, behind);
        } else {
            break;
        }
    }
    (columns, rest)
}

fn heading(text: &str) -> Option<String> {
    let rest = text.trim_start_matches('#');
    let level = text.len() - rest.len();
    let title = rest.trim().trim_end_matches('#').trim_end();
    ((1..=6).contains(&level) && rest.starts_with([' ', '\t']) && !title.is_empty()).then(|| title.to_owned())
}

fn is_separator(text: &str) -> bool {
    let mut marks = text.chars().filter(|character| !character.is_whitespace());
    let Some(first @ ('-' | '*' | '_')) = marks.next() else { return false };
    let mut count = 1;
    marks.all(|mark| {
        count += 1;
        mark == first
    }) && count >= 3
}

/// Returns the text of a list item, after its bullet or number.
fn list_item(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(['*', '-', '+']).or_else(|| {
        text.trim_start_matches(|character: char| character.is_ascii_digit())
            .strip_prefix(['.', ')'])
            .filter(|_| text.starts_with(|character: char| character.is_ascii_digit()))
    })?;
    let item = rest.trim_start();
    (rest.len() > item.len() && !item.is_empty()).then_some(item)
}

fn entry(item: &str) -> Entry {
    link(item).unwrap_or_else(|| Entry::new(item.to_owned(), None, Vec::new()))
}

/// Reads a line that begins with `[title](target)`. Brackets in the title are balanced or escaped; brackets in code
/// spans are ignored. Text after the link is a comment.
fn link(text: &str) -> Option<Entry> {
    let rest = text.strip_prefix('[')?;
    let end = closing(rest, '[', ']', true)?;
    let (title, behind) = rest.split_at_checked(end)?;
    let behind = behind.strip_prefix("](")?.trim_start();
    let target = destination(behind)?;
    // GitBook writes the title in navigation as the quoted title of the link.
    let label = label(behind).map(|label| escaped(&label));
    let is_link_title = label.is_some();
    let title = label.unwrap_or_else(|| title.trim().to_owned());
    let target = (!target.is_empty()).then_some(target);
    Some(Entry { is_link_title, ..Entry::new(title, target, Vec::new()) })
}

/// Returns a link's destination, unescaped: `<…>`, or up to the closing parenthesis, without a quoted title. Spaces are
/// accepted, since the tools that write these files do not always escape them.
fn destination(text: &str) -> Option<String> {
    if let Some(rest) = text.strip_prefix('<') {
        return rest.split_once('>').map(|(target, _)| unescaped(target.trim()));
    }
    let end = closing(text, '(', ')', false)?;
    let inside = text.get(..end)?.trim();
    let without_title = [" \"", " '"]
        .iter()
        .filter(|_| inside.ends_with(['"', '\'']))
        .find_map(|quote| inside.find(quote))
        .and_then(|at| inside.get(..at));
    Some(unescaped(without_title.unwrap_or(inside).trim()))
}

/// Returns the title of a link in quotes.
fn label(text: &str) -> Option<String> {
    let end = if text.starts_with('<') { text.find('>')? } else { 0 };
    let inside = text.get(end..)?;
    let inside = inside.get(..closing(inside, '(', ')', false)?)?.trim();
    let at = inside.find([' ', '>'])?;
    let title = inside.get(at + 1..)?.trim();
    let title = title.strip_prefix('"').and_then(|title| title.strip_suffix('"'))?;
    let title = unescaped(title);
    // A mention shows the title of its page.
    (!title.trim().is_empty() && title != "mention" && !title.contains(['\r', '\n'])).then_some(title)
}

/// Returns the position of the bracket that closes the one before `text`.
fn closing(text: &str, open: char, close: char, code_spans: bool) -> Option<usize> {
    let mut depth = 0_usize;
    let mut in_code = false;
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        if std::mem::take(&mut escaped) {
            continue;
        }
        match character {
            '\\' if !in_code => escaped = true,
            '`' if code_spans => in_code = !in_code,
            _ if in_code => {}
            _ if character == open => depth += 1,
            _ if character == close && depth == 0 => return Some(at),
            _ if character == close => depth -= 1,
            _ => {}
        }
    }
    None
}

fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("<!--") {
        kept.push_str(before);
        rest = comment.split_once("-->").map_or("", |(_, behind)| behind);
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests;
