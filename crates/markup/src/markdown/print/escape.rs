//! Escaping of text that would be read as markup.

use crate::limits::markdown::MAX_WRITTEN_REFERENCE;

/// Schemes of addresses that become links.
const SCHEMES: [&str; 3] = ["http", "https", "ftp"];

/// Context of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Context {
    /// Block of several lines, in which a line feed is a hard break. Headings and table cells are one line.
    multiline: bool,
    /// Text of a link, in which addresses do not become links and spaces are never at the edge of a line.
    linked: bool,
    /// Text between brackets, which a closing bracket would end.
    bracketed: bool,
    /// The block has at most one tilde, so that tildes cannot strike text out.
    has_lone_tilde: bool,
}

impl Context {
    /// Paragraph.
    pub(super) const BLOCK: Self =
        Self { multiline: true, linked: false, bracketed: false, has_lone_tilde: false };
    /// Heading, table cell or element.
    pub(super) const LINE: Self = Self { multiline: false, ..Self::BLOCK };
    /// Alternative text of an image.
    pub(super) const ALT: Self = Self { bracketed: true, ..Self::LINE };

    /// Returns the same context within the text of a link.
    pub(super) const fn linked(self) -> Self {
        Self { linked: true, bracketed: true, ..self }
    }

    /// Returns the same context in a block with at most one tilde.
    pub(super) fn with_lone_tilde(self, has_lone_tilde: bool) -> Self {
        Self { has_lone_tilde, ..self }
    }
}

/// Position of a text in its block.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct At {
    /// The text is at the start of the block's content.
    pub(super) start: bool,
    /// The text is at the start of its line, without a delimiter of a mark before it.
    pub(super) line_start: bool,
    /// The text is at the end of the block's content.
    pub(super) end: bool,
    /// The text is at the end of its line, without a delimiter of a mark after it.
    pub(super) line_end: bool,
    /// A link or another node directly follows.
    pub(super) before_node: bool,
    /// Only a reference to a footnote precedes the text on its line.
    pub(super) after_note: bool,
    /// A dollar sign may precede the text.
    pub(super) after_dollar: bool,
    /// A dollar sign may follow the text.
    pub(super) before_dollar: bool,
}

impl At {
    /// The text is the whole content of a block.
    pub(super) const WHOLE: Self = Self {
        start: true,
        line_start: true,
        end: true,
        line_end: true,
        before_node: false,
        after_note: false,
        after_dollar: false,
        before_dollar: false,
    };
    /// The text is within a line, between unknown characters.
    pub(super) const WITHIN: Self = Self {
        start: false,
        line_start: false,
        end: false,
        line_end: false,
        before_node: true,
        after_note: false,
        after_dollar: true,
        before_dollar: true,
    };
}

/// Writes plain text.
pub(super) fn text(text: &str, context: Context, position: At) -> String {
    let At { start: at_start, end: at_end, .. } = position;
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    // In a link, the bracket is at the start of the line, not the text.
    let mut is_edge = at_start && !context.linked;
    let mut line_start = position.line_start && !context.linked;
    let mut previous = None;
    // Number of trailing bytes that could close a heading.
    let closing = text.len() - text.trim_end_matches(['#', ' ']).len();
    for (at, c) in text.char_indices() {
        let rest = text.get(at + c.len_utf8()..).unwrap_or_default();
        let next = rest.chars().next();
        // A space before the backslash of a hard break is not at the end of its line.
        let ends_line = rest.is_empty() && at_end && !context.linked;
        match c {
            '\n' if !context.multiline => out.push_str("<br>"),
            // At an edge, a line feed would be dropped. At the start, an element would begin a block.
            '\n' if at_start
                && at == 0
                && (!position.line_start || next.map_or(at_end, char::is_whitespace)) =>
            {
                out.push_str("&#10;");
            }
            '\n' if at_end && rest.is_empty() => out.push_str("<br>"),
            '\n' => out.push_str("\\\n"),
            ' ' if is_edge || ends_line => out.push_str("&#x20;"),
            c if c.is_control() || (c.is_whitespace() && c != ' ' && (is_edge || ends_line)) => {
                out.push_str(&format!("&#{};", u32::from(c)));
            }
            c => {
                let is_block_mark = line_start && context.multiline;
                if needs_escape(c, previous, rest, is_block_mark, context, position, closing)
                    || (!context.linked && makes_link(c, previous, rest, position, &out))
                    || c == '$' && is_double_dollar(previous, next, position)
                {
                    out.push('\\');
                }
                out.push(c);
            }
        }
        is_edge = c == '\n' && context.multiline;
        line_start = match c {
            '\n' => context.multiline,
            // A dot after digits may still begin a numbered list.
            c => line_start && c.is_ascii_digit(),
        };
        previous = Some(c);
    }
    out
}

fn needs_escape(
    c: char,
    previous: Option<char>,
    rest: &str,
    line_start: bool,
    context: Context,
    at: At,
    closing: usize,
) -> bool {
    let next = rest.chars().next();
    let is_last = next.is_none() && !at.end;
    let begins_line = line_start && previous.is_none_or(|c| c == '\n');
    match c {
        '`' | '*' | '_' | '[' => true,
        // Without an opening bracket, a closing one is literal.
        ']' => context.bracketed,
        // The last character of a paragraph is literal, and so are backslashes before letters.
        '\\' if next.is_none() && at.end && at.line_end && context.multiline && !context.linked => false,
        '\\' => next.is_none_or(|c| c.is_ascii_punctuation() || c.is_whitespace() || c.is_control()),
        '<' => is_last || next.is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')),
        '~' => !context.has_lone_tilde,
        // Like GitBook, escapes more than references require.
        '&' => is_reference(rest, !at.end) || next.is_some_and(|c| c == '#' || c.is_ascii_alphabetic()),
        '!' => next == Some('[') || next.is_none() && at.before_node,
        '{' => next == Some('%') || next.is_none() && at.before_node,
        '#' if context.multiline => begins_line,
        // Closing sequence of a heading.
        '#' => previous.is_none_or(|c| c.is_whitespace() || c == '#') && rest.len() <= closing,
        '>' | '+' | '-' | '=' | '|' => begins_line,
        // Like GitBook, escapes the parenthesis after a literal bracket, which would begin an address.
        '(' => previous == Some(']'),
        // Delimiter after the number of an item.
        ')' | '.' => line_start && !begins_line && next.is_none_or(char::is_whitespace),
        ':' => {
            begins_line || begins_shortcode(rest) || at.after_note && context.multiline && previous.is_none()
        }
        _ => false,
    }
}

/// Returns whether a dollar sign may be next to another one. A single one is literal, but the adjacent leaf may begin
/// or end with another.
fn is_double_dollar(previous: Option<char>, next: Option<char>, at: At) -> bool {
    previous.map_or(at.after_dollar, |c| c == '$') || next.map_or(at.before_dollar, |c| c == '$')
}

/// Returns whether an unescaped character would turn its address into a link.
fn makes_link(c: char, previous: Option<char>, rest: &str, at: At, out: &str) -> bool {
    match c {
        ':' => {
            let scheme = out.rsplit(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
            // The adjacent leaf may end with a scheme.
            let may_be_scheme = previous.is_none() && !at.start || SCHEMES.contains(&scheme);
            may_be_scheme && rest.strip_prefix("//").is_some_and(|host| !host.starts_with('<'))
        }
        '.' => out.ends_with("www"),
        '@' => {
            let is_host = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
            let host = rest.find(|c: char| !is_host(c)).and_then(|end| rest.get(..end));
            let has_domain = |host: &str| host.trim_end_matches(['-', '_', '.']).contains('.');
            // The adjacent leaf may continue the address.
            let may_be_host = host.map_or_else(|| !at.end || has_domain(rest), has_domain);
            let begins = previous.map_or(!at.start, |c| c.is_alphanumeric() || "-_.+".contains(c));
            begins && may_be_host && rest.starts_with(|c: char| !c.is_whitespace())
        }
        _ => false,
    }
}

/// Returns whether `&` and this text would be a character reference. `continues` is true if the adjacent leaf may
/// continue it.
fn is_reference(rest: &str, continues: bool) -> bool {
    let rest = rest.strip_prefix('#').unwrap_or(rest);
    let behind = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
    behind.starts_with(';') || behind.is_empty() && continues
}

/// Returns whether `:` and this text would be an emoji. An escaped underscore prevents that.
fn begins_shortcode(rest: &str) -> bool {
    rest.split_once(':').is_some_and(|(name, _)| !name.contains('_') && crate::emoji::is_shortcode(name))
}

/// Writes code between sufficiently many backticks; `None` if a code span cannot express it.
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

/// Returns the shortest run of backticks that does not occur in the text.
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
            '&' if is_reference(href.get(at + 1..).unwrap_or_default(), false)
                && href.bytes().skip(at).take(MAX_WRITTEN_REFERENCE).any(|byte| byte == b';') =>
            {
                out.push_str("&amp;");
            }
            '&' if href
                .get(at + 1..)
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic())) =>
            {
                out.push_str("\\&");
            }
            '`' | '$' | '[' | ']' | '{' if !quoted => out.extend(['\\', c]),
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
            '&' if is_reference(title.get(at + 1..).unwrap_or_default(), false) => out.push_str("&amp;"),
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
            '&' if is_reference(info.trim().get(at + 1..).unwrap_or_default(), false) => {
                out.push_str("&amp;")
            }
            c if c.is_control() => out.push_str(&format!("&#{};", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}
