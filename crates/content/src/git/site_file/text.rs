//! Edits of the text of a site file. The lines of unchanged parts are preserved with their comments.

use std::ops::Range;

use serde_json::{Map, Value};

use super::wanted::{CHILDREN, PartPath, Wanted, values_at};

/// Indentation of nested parts in new lines, in columns.
const INDENT: usize = 2;

/// Keys of parts in the order of printing.
const ORDER: [&str; 12] = [
    "type",
    "key",
    "title",
    "localizedTitle",
    "path",
    "icon",
    "description",
    "localizedDescription",
    "default",
    "draft",
    "hidden",
    "condition",
];

/// Part in the lines of a file.
struct Item {
    /// Column of the dash.
    indent: usize,
    /// Lines of the part with preceding comments.
    lines: Range<usize>,
    /// Line of the dash.
    first: usize,
    /// Keys with their lines. Empty for a part in braces.
    entries: Vec<(String, Range<usize>)>,
    children: Vec<Item>,
}

/// Returns the text of a file with another structure. `None` if the lines of its parts cannot be located.
pub(super) fn edit(text: &str, file: &[Value], wanted: &[Wanted]) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| line.trim_end() == "structure:" || is_key(line, "structure"))?;
    if !is_empty_key(lines.get(at)?) {
        return None;
    }
    let items = items(&lines, at + 1..lines.len(), indent_of(lines.get(at)?))?;
    if !is_same_shape(&items, file) {
        return None;
    }
    let (first, last) = (items.first()?, items.last()?);
    let (begin, end, indent) = (first.lines.start, last.lines.end, first.indent);
    let editor = Editor { lines: &lines, items: &items, file };
    let mut edited: Vec<String> = lines.get(..begin)?.iter().map(|line| (*line).to_owned()).collect();
    editor.list(wanted, indent, &mut edited);
    edited.extend(lines.get(end..)?.iter().map(|line| (*line).to_owned()));
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    Some(format!("{}{line_end}", edited.join(line_end)))
}

/// Returns a newly printed text that keeps the other keys of a file.
pub(super) fn print(file: &Map<String, Value>, wanted: &[Wanted]) -> String {
    let mut lines = Vec::new();
    for (key, value) in file.iter().filter(|(key, _)| *key != "site") {
        lines.push(format!("{key}: {}", scalar(value)));
    }
    lines.push("site:".to_owned());
    let site = file.get("site").and_then(Value::as_object);
    for (key, value) in site.into_iter().flatten().filter(|(key, _)| *key != "structure") {
        lines.push(format!("  {key}: {}", scalar(value)));
    }
    lines.push("  structure:".to_owned());
    wanted.iter().for_each(|part| new_part(part, 2 * INDENT, false, &mut lines));
    lines.join("\n") + "\n"
}

struct Editor<'e> {
    lines: &'e [&'e str],
    items: &'e [Item],
    file: &'e [Value],
}

impl Editor<'_> {
    fn list(&self, wanted: &[Wanted], indent: usize, edited: &mut Vec<String>) {
        let items = wanted.iter().map(|part| part.origin.as_ref().and_then(|place| self.item(place)));
        let in_braces = items.flatten().any(|item| item.entries.is_empty());
        for part in wanted {
            match part.origin.as_ref().and_then(|place| Some((place, self.item(place)?))) {
                Some((place, item)) if item.indent == indent => self.part(part, (place, item), edited),
                _ => new_part(part, indent, in_braces, edited),
            }
        }
    }

    fn item(&self, place: &PartPath) -> Option<&Item> {
        let (first, rest) = place.split_first()?;
        rest.iter().try_fold(self.items.get(*first)?, |item, index| item.children.get(*index))
    }

    fn part(&self, part: &Wanted, (place, item): (&PartPath, &Item), edited: &mut Vec<String>) {
        let former = values_at(self.file, place);
        edited.extend(self.copied(item.lines.start..item.first));
        if item.entries.is_empty() {
            match former == part.values && part.children.is_empty() {
                true => edited.extend(self.copied(item.first..item.lines.end)),
                false => new_part(part, item.indent, true, edited),
            }
            return;
        }
        let begin = edited.len();
        let column = item.indent + INDENT;
        let mut missing: Vec<&String> = part.values.keys().filter(|key| !former.contains_key(*key)).collect();
        missing.sort_by_key(|key| rank(key));
        let added = |edited: &mut Vec<String>| {
            for key in &missing {
                edited.extend(part.values.get(*key).map(|value| entry(key, value, column)));
            }
        };
        let mut has_children = false;
        for (key, range) in &item.entries {
            if key == CHILDREN {
                added(edited);
                has_children = true;
                self.children(part, item, range, edited);
                continue;
            }
            match part.values.get(key) {
                None => {}
                Some(value) if former.get(key) == Some(value) => edited.extend(self.copied(range.clone())),
                Some(value) => edited.push(entry(key, value, column)),
            }
        }
        if !has_children {
            added(edited);
            if !part.children.is_empty() {
                edited.push(format!("{}{CHILDREN}:", " ".repeat(column)));
                self.list(&part.children, column + INDENT, edited);
            }
        }
        if let Some(first) = edited.get_mut(begin) {
            let rest: String = first.chars().skip(item.indent + 1).collect();
            *first = format!("{}-{rest}", " ".repeat(item.indent));
        }
    }

    fn children(&self, part: &Wanted, item: &Item, range: &Range<usize>, edited: &mut Vec<String>) {
        let column = item.indent + INDENT;
        let head = self.lines.get(range.start).copied().unwrap_or_default();
        match (is_empty_key(head), part.children.is_empty()) {
            (true, false) => {
                edited.extend(self.copied(range.start..range.start + 1));
                let indent = item.children.first().map_or(column + INDENT, |child| child.indent);
                self.list(&part.children, indent, edited);
            }
            (false, true) if item.children.is_empty() => edited.extend(self.copied(range.clone())),
            (_, true) => edited.push(format!("{}{CHILDREN}: []", " ".repeat(column))),
            (false, false) => {
                edited.push(format!("{}{CHILDREN}:", " ".repeat(column)));
                self.list(&part.children, column + INDENT, edited);
            }
        }
    }

    /// Copies lines unchanged, except that a space replaces the dash of a part.
    fn copied(&self, range: Range<usize>) -> Vec<String> {
        let lines = self.lines.get(range).unwrap_or_default();
        lines.iter().map(|line| (*line).to_owned()).collect()
    }
}

/// Locates the parts of a list in lines that are indented more than a column.
fn items(lines: &[&str], range: Range<usize>, parent: usize) -> Option<Vec<Item>> {
    let mut found: Vec<Item> = Vec::new();
    let (mut indent, mut end) = (None, range.start);
    for at in range.clone() {
        let line = lines.get(at)?;
        if is_blank(line) {
            continue;
        }
        let column = indent_of(line);
        let is_dash = line.trim_start().starts_with("- ");
        let own = *indent.get_or_insert(column);
        if column < own || column < parent || (column == own && !is_dash) {
            break;
        }
        if column == own {
            if let Some(last) = found.last_mut() {
                last.lines.end = end;
            }
            let leading = if found.is_empty() { range.start } else { end };
            found.push(Item {
                indent: own,
                lines: leading..at,
                first: at,
                entries: vec![],
                children: vec![],
            });
        }
        end = at + 1;
    }
    found.last_mut()?.lines.end = end;
    for item in &mut found {
        read(lines, item)?;
    }
    Some(found)
}

/// Locates the keys of a part, and its nested parts.
fn read(lines: &[&str], item: &mut Item) -> Option<()> {
    let head = lines.get(item.first)?.trim_start().strip_prefix('-')?;
    if head.trim_start().starts_with('{') {
        return Some(());
    }
    let column = item.indent + 1 + (head.len() - head.trim_start().len());
    if column != item.indent + INDENT {
        return None;
    }
    for at in item.first..item.lines.end {
        let line = lines.get(at)?;
        let is_entry = at == item.first || (!is_blank(line) && indent_of(line) == column);
        match item.entries.last_mut() {
            // A list may have the same indentation as its key.
            Some((_, range)) if !is_entry || line.trim_start().starts_with("- ") && at > item.first => {
                range.end = at + 1;
            }
            _ => {
                let text = line.get(column..)?;
                let (key, _) = text.split_once(':')?;
                item.entries.push((key.trim_matches(['"', '\'']).to_owned(), at..at + 1));
            }
        }
    }
    let children = item.entries.iter().find(|(key, _)| key == CHILDREN).map(|(_, range)| range.clone());
    if let Some(range) = children
        && is_empty_key(lines.get(range.start)?)
        && lines.get(range.start + 1..range.end)?.iter().any(|line| !is_blank(line))
    {
        item.children = items(lines, range.start + 1..range.end, column)?;
    }
    Some(())
}

/// Returns whether the located parts match the parsed file.
fn is_same_shape(items: &[Item], file: &[Value]) -> bool {
    items.len() == file.len()
        && items.iter().zip(file).all(|(item, node)| {
            let children = node.get(CHILDREN).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            let keys = node.as_object().map_or(0, Map::len);
            match item.entries.is_empty() {
                true => true,
                false => {
                    keys == item.entries.len()
                        && item.entries.iter().all(|(key, _)| node.get(key).is_some())
                        && is_same_shape(&item.children, children)
                }
            }
        })
}

/// Prints a new part.
fn new_part(part: &Wanted, indent: usize, in_braces: bool, lines: &mut Vec<String>) {
    let mut keys: Vec<&String> = part.values.keys().collect();
    keys.sort_by_key(|key| rank(key));
    let entries = keys.into_iter().filter_map(|key| Some((key, part.values.get(key)?)));
    let is_space = part.values.get("type").and_then(Value::as_str) == Some("space");
    if part.children.is_empty() && in_braces && is_space {
        let entries: Vec<String> = entries.map(|(key, value)| format!("{key}: {}", in_line(value))).collect();
        lines.push(format!("{}- {{{}}}", " ".repeat(indent), entries.join(", ")));
        return;
    }
    let begin = lines.len();
    lines.extend(entries.map(|(key, value)| entry(key, value, indent + INDENT)));
    if let Some(first) = lines.get_mut(begin) {
        *first = format!("{}- {}", " ".repeat(indent), first.trim_start());
    }
    if !part.children.is_empty() {
        lines.push(format!("{}{CHILDREN}:", " ".repeat(indent + INDENT)));
        part.children.iter().for_each(|child| new_part(child, indent + 2 * INDENT, in_braces, lines));
    }
}

fn rank(key: &str) -> (usize, &str) {
    (ORDER.iter().position(|known| *known == key).unwrap_or(ORDER.len()), key)
}

fn entry(key: &str, value: &Value, column: usize) -> String {
    format!("{}{key}: {}", " ".repeat(column), scalar(value))
}

/// Prints a value after its key.
fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) if is_plain(text) => text.clone(),
        value => in_line(value),
    }
}

/// Prints a value inside braces. YAML includes JSON.
fn in_line(value: &Value) -> String {
    match value {
        Value::String(text) if is_plain(text) => text.clone(),
        Value::Object(entries) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{}: {}", in_line(&key.as_str().into()), in_line(value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
        value => value.to_string(),
    }
}

/// Returns whether a text needs no quotes in any position.
fn is_plain(text: &str) -> bool {
    let is_word = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_alphabetic())
            && text
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, ' ' | '-' | '_' | '/' | '.'))
            && !text.ends_with(' ')
    };
    let special = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    is_word(text) && !special.iter().any(|word| text.eq_ignore_ascii_case(word))
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn is_blank(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with('#')
}

/// Returns whether a line has this key, with or without a value.
fn is_key(line: &str, key: &str) -> bool {
    line.trim_start().strip_prefix(key).is_some_and(|rest| rest.starts_with(':'))
}

/// Returns whether a line is a key whose value follows on the next lines.
fn is_empty_key(line: &str) -> bool {
    let value = line.split_once(':').map_or("", |(_, value)| value).trim();
    value.is_empty() || value.starts_with('#')
}
