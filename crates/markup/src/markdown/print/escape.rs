//! Escaping of text that would be read as markup.

use crate::limits::markdown::MAX_WRITTEN_REFERENCE;
/// Position of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Context {
    /// True in a block of several lines, where a line feed is a hard break. Headings and table cells are one line.
    multiline: bool,
    /// True in the text of a link, where addresses do not become links.
    linked: bool,
}

impl Context {
    /// In a paragraph.
    pub(super) const BLOCK: Self = Self { multiline: true, linked: false };
    /// In a heading, a table cell or an element.
    pub(super) const LINE: Self = Self { multiline: false, linked: false };

    /// Returns the same context within the text of a link.
    pub(super) fn linked(self) -> Self {
        Self { linked: true, ..self }
    }
}

/// Writes plain text. `at_start` and `at_end` are true if the text begins or ends the block's content.
pub(super) fn text(text: &str, context: Context, at_start: bool, at_end: bool) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    let mut line_start = at_start;
    let mut previous = None;
    for (at, c) in text.char_indices() {
        let rest = text.get(at + c.len_utf8()..).unwrap_or_default();
        let next = rest.chars().next();
        let ends_line = if rest.is_empty() { at_end } else { next == Some('\n') };
        match c {
            '\n' if !context.multiline => out.push_str("<br>"),
            // At an edge, a backslash would be literal, and a line feed would be dropped.
            '\n' if (at_start && at == 0) || (at_end && rest.is_empty()) => out.push_str("&#10;"),
            '\n' => out.push_str("\\\n"),
            ' ' if line_start || ends_line => out.push_str("&#x20;"),
            c if c.is_control() || (c.is_whitespace() && c != ' ' && (line_start || ends_line)) => {
                out.push_str(&format!("&#{};", u32::from(c)));
            }
            c => {
                if needs_escape(c, previous, rest, line_start && context.multiline, context)
                    || (!context.linked && makes_link(c, previous, rest, &out))
                {
                    out.push('\\');
                }
                out.push(c);
            }
        }
        line_start = match c {
            '\n' => context.multiline,
            // After digits, a numbered list is still possible.
            c => line_start && c.is_ascii_digit(),
        };
        previous = Some(c);
    }
    out
}

fn needs_escape(c: char, previous: Option<char>, rest: &str, line_start: bool, context: Context) -> bool {
    let next = rest.chars().next();
    let within = |kind: fn(char) -> bool| previous.is_some_and(kind) && next.is_some_and(kind);
    match c {
        '\\' | '`' | '*' | '[' | ']' | '<' | '~' => true,
        // A single dollar is literal, but the adjacent leaf may begin or end with another one.
        '$' => previous.is_none_or(|c| c == '$') || next.is_none_or(|c| c == '$'),
        '_' => !within(char::is_alphanumeric),
        '&' => is_reference(rest),
        '!' | '{' => next.is_none() || next == Some('[') || next == Some('%'),
        '#' if context.multiline => line_start,
        '#' => previous.is_none_or(char::is_whitespace) || previous == Some('#'),
        '>' | '+' | '-' | '=' | '|' => line_start,
        ')' => line_start && previous.is_some(),
        '.' => line_start && previous.is_some(),
        ':' => line_start || begins_shortcode(rest),
        _ => false,
    }
}

/// Returns true if an unescaped character would turn its address into a link.
fn makes_link(c: char, previous: Option<char>, rest: &str, out: &str) -> bool {
    match c {
        ':' => rest.starts_with("//"),
        '.' => out.ends_with("www"),
        '@' => previous.is_some_and(|c| !c.is_whitespace()) && rest.starts_with(|c: char| !c.is_whitespace()),
        _ => false,
    }
}

/// Returns true if `&` and this text would be a character reference.
fn is_reference(rest: &str) -> bool {
    rest.starts_with('#') || rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// Returns true if `:` and this text would be an emoji.
fn begins_shortcode(rest: &str) -> bool {
    rest.split_once(':').is_some_and(|(name, _)| crate::emoji::is_shortcode(name))
}

/// Writes code between sufficiently many backticks. `None` if backticks cannot hold it.
pub(super) fn code(text: &str, in_table: bool) -> Option<String> {
    if text.is_empty() || text.contains(|c: char| c.is_control()) || (in_table && text.contains("\\|")) {
        return None;
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(free_run(text, longest));
    let is_blank = text.chars().all(|c| c == ' ');
    let pads = text.starts_with('`')
        || text.ends_with('`')
        || (text.starts_with(' ') && text.ends_with(' ') && !is_blank);
    let pad = if pads { " " } else { "" };
    Some(format!("{fence}{pad}{text}{pad}{fence}"))
}

/// Returns the shortest run of backticks that is not in the text.
fn free_run(text: &str, longest: usize) -> usize {
    let runs: Vec<usize> = text.split(|c| c != '`').map(str::len).collect();
    (1..=longest + 1).find(|length| !runs.contains(length)).unwrap_or(longest + 1)
}

/// Writes the address of a link or an image. Character references are decoded before backslashes, so a backslash cannot
/// escape an ampersand.
pub(super) fn destination(href: &str) -> String {
    let is_plain = |c: char| {
        !c.is_whitespace() && !c.is_control() && !matches!(c, '<' | '>' | '(' | ')' | '\\' | '"' | '\'')
    };
    let mut out = String::with_capacity(href.len() + 2);
    let quoted = href.is_empty() || !href.chars().all(is_plain);
    let is_edge = |at: usize, c: char| at == 0 || at + c.len_utf8() == href.len();
    for (at, c) in href.char_indices() {
        match c {
            '<' | '>' | '\\' => out.extend(['\\', c]),
            '&' if is_reference(href.get(at + 1..).unwrap_or_default())
                && href.bytes().skip(at).take(MAX_WRITTEN_REFERENCE).any(|byte| byte == b';') =>
            {
                out.push_str("&amp;");
            }
            '`' | '$' | '*' | '_' | '[' | ']' | '{' if !quoted && c != '_' && c != '*' => {
                out.extend(['\\', c])
            }
            // White space at the edges would be trimmed.
            c if c.is_control() || (c.is_whitespace() && is_edge(at, c)) => {
                out.push_str(&format!("&#{};", u32::from(c)))
            }
            c => out.push(c),
        }
    }
    if quoted { format!("<{out}>") } else { out }
}

/// Writes the title of a link or an image with a leading space; nothing for an empty title.
pub(super) fn title(title: &str) -> String {
    if title.is_empty() {
        return String::new();
    }
    let mut out = String::from(" \"");
    for (at, c) in title.char_indices() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '&' if is_reference(title.get(at + 1..).unwrap_or_default()) => out.push_str("&amp;"),
            c if c.is_control() => out.push_str(&format!("&#{};", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Writes the info string of a code fence.
pub(super) fn info(info: &str) -> String {
    let mut out = String::new();
    for (at, c) in info.trim().char_indices() {
        match c {
            '\\' => out.push_str("\\\\"),
            '&' if is_reference(info.trim().get(at + 1..).unwrap_or_default()) => out.push_str("&amp;"),
            c if c.is_control() => out.push_str(&format!("&#{};", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}
