//! Grammar of block tags: `{% name "value" key="value" %}`.

use crate::limits::markdown::MAX_TAG_SEARCHES;
/// Block tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tag {
    /// Name, such as `hint`, `endhint` or `@mermaid/diagram`.
    pub(super) name: String,
    /// Values with their names, which are empty for positional ones.
    pub(super) values: Vec<(String, String)>,
    /// Source text.
    pub(super) source: String,
}

impl Tag {
    /// Returns a named value.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.values.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Returns the first positional value.
    pub(super) fn positional(&self) -> Option<&str> {
        self.get("")
    }

    /// Returns a named value as a flag; a name without a value is `true`.
    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        let bare = self.values.iter().any(|(key, value)| key.is_empty() && value == name);
        if bare { Some(true) } else { self.get(name).and_then(|value| value.parse().ok()) }
    }

    /// Returns the source text after the name.
    pub(super) fn argument(&self) -> &str {
        let inner = self.source.trim_start_matches("{%").trim_end_matches("%}").trim();
        inner.strip_prefix(self.name.as_str()).unwrap_or_default().trim()
    }
}

/// Part of a line that begins with a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// A tag.
    Tag(Tag),
    /// Text between tags.
    Text(&'a str),
}

/// Names of block tags. Other tags, such as those of templating languages, are text.
const NAMES: [&str; 42] = [
    "hint",
    "tabs",
    "tab",
    "code",
    "embed",
    "file",
    "content-ref",
    "stepper",
    "step",
    "columns",
    "column",
    "swagger",
    "openapi",
    "openapi-operation",
    "openapi-schemas",
    "openapi-webhook",
    "include",
    "if",
    "updates",
    "update",
    "prompt",
    "endhint",
    "endtabs",
    "endtab",
    "endcode",
    "endembed",
    "endfile",
    "endcontent-ref",
    "endstepper",
    "endstep",
    "endcolumns",
    "endcolumn",
    "endif",
    "endupdates",
    "endupdate",
    "endprompt",
    "drawing",
    "page-ref",
    "code-tabs",
    "code-tabs-item",
    "endcode-tabs",
    "endcode-tabs-item",
];

/// Names of tags that GitBook wrote before 2019, and their current names.
const FORMER: [(&str, &str); 4] = [
    ("code-tabs", "tabs"),
    ("code-tabs-item", "tab"),
    ("endcode-tabs", "endtabs"),
    ("endcode-tabs-item", "endtab"),
];

/// Returns whether a name, without `end`, is one of the tags that describe an API method.
fn is_of_method(name: &str) -> bool {
    let name = name.strip_prefix("end").unwrap_or(name);
    name.strip_prefix("api-method").is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

/// Returns whether a line begins with a block tag.
pub(crate) fn starts_with_block_tag(line: &str) -> bool {
    read(line).is_some()
}

/// Splits a line into tags and the text between them.
pub(super) fn pieces(line: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = line.trim();
    let mut tries = 0;
    while !rest.is_empty() {
        if let Some((tag, length)) = read(rest) {
            pieces.push(Piece::Tag(tag));
            rest = rest.get(length..).unwrap_or_default().trim_start();
            continue;
        }
        let marks = rest.match_indices("{%").map(|(at, _)| at).filter(|at| *at > 0);
        let next = marks.take(MAX_TAG_SEARCHES.saturating_sub(tries)).find(|at| {
            tries += 1;
            rest.get(*at..).and_then(read).is_some()
        });
        let (text, after) = rest.split_at_checked(next.unwrap_or(rest.len())).unwrap_or((rest, ""));
        pieces.push(Piece::Text(text.trim_end()));
        rest = after;
    }
    pieces
}

/// Reads a tag at the start of a text. Returns the tag and its length in bytes.
fn read(text: &str) -> Option<(Tag, usize)> {
    let mut rest = text.strip_prefix("{%")?.trim_start();
    let end = rest.find(|c: char| c.is_whitespace() || c == '%')?;
    let (name, after) = rest.split_at_checked(end)?;
    let is_end_of_openapi = name.starts_with("endopenapi") || name == "endswagger";
    let is_integration = name.strip_prefix('@').is_some_and(|name| name.contains('/'));
    if !NAMES.contains(&name) && !is_end_of_openapi && !is_integration && !is_of_method(name) {
        return None;
    }
    let name = FORMER.iter().find(|(former, _)| *former == name).map_or(name, |(_, name)| name);
    rest = after;
    let mut values = Vec::new();
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix("%}") {
            let length = text.len() - after.len();
            let source = text.get(..length)?.to_owned();
            return Some((Tag { name: name.to_owned(), values, source }, length));
        }
        let (value, after) = value(rest)?;
        values.push(value);
        rest = after;
    }
}

/// Reads `key="value"`, `key=value`, `"value"` or `value`.
fn value(text: &str) -> Option<((String, String), &str)> {
    if text.starts_with(['"', '\'']) {
        let (value, rest) = quoted(text)?;
        return Some(((String::new(), value), rest));
    }
    let end = text.find(|c: char| c.is_whitespace() || c == '=' || c == '%')?;
    let (word, rest) = text.split_at_checked(end.max(1).min(text.len()))?;
    match rest.strip_prefix('=') {
        Some(rest) if rest.starts_with(['"', '\'']) && !word.starts_with('=') => {
            let (value, rest) = quoted(rest)?;
            Some(((word.to_owned(), value), rest))
        }
        Some(rest) if !word.starts_with('=') => {
            let end = rest.find(|c: char| c.is_whitespace() || c == '%')?;
            let (value, rest) = rest.split_at_checked(end)?;
            Some(((word.to_owned(), value.to_owned()), rest))
        }
        _ => Some(((String::new(), word.to_owned()), rest)),
    }
}

/// Reads a quoted value, in which `\"`, `\'` and `\\` are escapes.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut chars = text.char_indices();
    let (_, quote) = chars.next()?;
    let mut value = String::new();
    while let Some((at, c)) = chars.next() {
        if c == quote {
            return Some((value, text.get(at + 1..)?));
        }
        let escaped = text.get(at + 1..).and_then(|rest| rest.chars().next());
        match (c, escaped) {
            ('\\', Some(next @ ('"' | '\'' | '\\'))) => {
                value.push(next);
                chars.next();
            }
            _ => value.push(c),
        }
    }
    None
}

/// Writes a tag. Positional values are written without a name. A line feed in a value becomes a space, because a tag
/// must be on one line.
pub(super) fn write(name: &str, values: &[(&str, Option<String>)]) -> String {
    let mut out = format!("{{% {name}");
    for (key, value) in values {
        let Some(value) = value else { continue };
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
        let equals = if key.is_empty() { "" } else { "=" };
        out.push_str(&format!(" {key}{equals}\"{value}\""));
    }
    out.push_str(" %}");
    out
}
