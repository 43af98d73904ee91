//! The table of contents in `SUMMARY.md` of documentation repositories.
//!
//! Two dialects share the file: that of GitBook
//! (<https://gitbook.com/docs/getting-started/git-sync/content-configuration>) and that of mdBook
//! (<https://rust-lang.github.io/mdBook/format/summary.html>). Both are nested lists of links under headings; mdBook
//! also has chapters outside of lists, drafts without a target and parts as first-rank headings.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use quire_markup::without_front_matter;

/// Maximum nesting depth; deeper entries become siblings at that depth.
const MAX_DEPTH: usize = 32;

/// Characters that are not encoded in the address of a file of the import.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.');

/// One line of the table of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The text, as inline Markdown.
    pub(crate) title: String,
    /// The target as written; `None` for a line without a link or with an empty one.
    pub(crate) target: Option<String>,
    /// The entries below it.
    pub(crate) children: Vec<Entry>,
}

impl Entry {
    /// Returns the entry of a file, whose path is relative to the content's root, with a plain text title.
    pub(crate) fn of_file(title: &str, file: &str, children: Vec<Self>) -> Self {
        let target = format!("/{}", utf8_percent_encode(file, KEPT));
        Self { title: escaped(title), target: Some(target), children }
    }

    /// Returns true if it has a target, or an entry below it does.
    pub(crate) fn has_target(&self) -> bool {
        self.target.is_some() || self.children.iter().any(Self::has_target)
    }
}

/// A part of the table of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    /// The heading, as inline Markdown; `None` for entries outside of parts.
    pub(crate) title: Option<String>,
    /// Its entries in order.
    pub(crate) entries: Vec<Entry>,
}

/// Escapes words as inline Markdown.
pub(crate) fn escaped(words: &str) -> String {
    words.chars().flat_map(|c| c.is_ascii_punctuation().then_some('\\').into_iter().chain([c])).collect()
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
    /// Indents of the list items that the next one may be nested in.
    indents: Vec<usize>,
    seen_heading: bool,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let text = line.trim();
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
            self.nest(indent, entry(item));
        } else if indent < 4
            && text.starts_with('[')
            && let Some(chapter) = link(text)
        {
            // mdBook's chapters before and after the numbered ones belong to no part.
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

/// Counts the columns before the text; a tab reaches to the next multiple of four.
fn indent(line: &str) -> usize {
    let mut columns = 0;
    for character in line.chars() {
        match character {
            ' ' => columns += 1,
            '\t' => columns += 4 - columns % 4,
            _ => break,
        }
    }
    columns
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
    link(item).unwrap_or_else(|| Entry { title: item.to_owned(), target: None, children: Vec::new() })
}

/// Reads a line that begins with `[title](target)`. Brackets in the title are balanced or escaped; brackets in code
/// spans are ignored. Text after the link is a comment.
fn link(text: &str) -> Option<Entry> {
    let rest = text.strip_prefix('[')?;
    let end = closing(rest, '[', ']', true)?;
    let (title, behind) = rest.split_at_checked(end)?;
    let behind = behind.strip_prefix("](")?.trim_start();
    let target = destination(behind)?;
    Some(Entry {
        title: title.trim().to_owned(),
        target: (!target.is_empty()).then_some(target),
        children: Vec::new(),
    })
}

/// Returns a link's destination, unescaped: `<…>`, or up to the closing parenthesis, without a title in quotes. Spaces
/// are tolerated, as the tools that write these files do not always escape them.
fn destination(text: &str) -> Option<String> {
    if let Some(rest) = text.strip_prefix('<') {
        return rest.split_once('>').map(|(target, _)| unescape(target.trim()));
    }
    let end = closing(text, '(', ')', false)?;
    let inside = text.get(..end)?.trim();
    let without_title = [" \"", " '"]
        .iter()
        .filter(|_| inside.ends_with(['"', '\'']))
        .find_map(|quote| inside.find(quote))
        .and_then(|at| inside.get(..at));
    Some(unescape(without_title.unwrap_or(inside).trim()))
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

/// Removes the backslash before escaped punctuation.
fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let escaped = if character == '\\' { characters.next_if(char::is_ascii_punctuation) } else { None };
        plain.push(escaped.unwrap_or(character));
    }
    plain
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
