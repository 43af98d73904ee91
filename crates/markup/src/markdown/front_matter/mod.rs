//! The YAML front matter of a page: the subset needed for page properties; everything else is kept verbatim.

use crate::limits::markdown::MAX_FRONT_MATTER_LEVELS;
use serde_json::{Map, Value};

/// The page properties at the start of a Markdown file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FrontMatter {
    /// The page's title, if it is not the first heading.
    pub title: Option<String>,
    /// The page's title in navigation, if it is another one.
    pub link_title: Option<String>,
    /// One or two sentences about the page.
    pub description: Option<String>,
    /// An icon by name.
    pub icon: Option<String>,
    /// An emoji, as a character or as its code points in hexadecimal.
    pub emoji: Option<String>,
    /// The address of the cover image.
    pub cover: Option<String>,
    /// The vertical offset of the cover, in pixels.
    pub cover_y: Option<f64>,
    /// The page layout.
    pub layout: Option<Value>,
    /// True if the page is left out of the navigation.
    pub hidden: Option<bool>,
    /// True if the page is left out of search.
    pub no_index: Option<bool>,
    /// True if search engines are asked to leave the page out.
    pub no_robots_index: Option<bool>,
    /// Every other property in order: its name, and the text after the colon, verbatim.
    pub extra: Vec<(String, String)>,
}

impl FrontMatter {
    /// Returns true if no property is set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Splits a page into its front matter and its Markdown. A page without front matter, or with one that is not a
    /// YAML mapping, is returned whole.
    pub(crate) fn split(text: &str) -> (Self, &str) {
        read(text).unwrap_or_else(|| (Self::default(), text))
    }

    /// Returns the front matter with its fences; empty if no property is set.
    pub(crate) fn print(&self) -> String {
        let Self {
            title,
            link_title,
            description,
            icon,
            emoji,
            cover,
            cover_y,
            layout,
            hidden,
            no_index,
            no_robots_index,
            extra,
        } = self;
        let mut out = String::new();
        let mut put = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                out.push_str(&format!("{name}: {value}\n"));
            }
        };
        put("title", title.as_deref().map(scalar));
        put("linkTitle", link_title.as_deref().map(scalar));
        put("description", description.as_deref().map(scalar));
        put("icon", icon.as_deref().map(scalar));
        put("emoji", emoji.as_deref().map(scalar));
        put("cover", cover.as_deref().map(scalar));
        put("coverY", cover_y.map(|y| y.to_string()));
        put("hidden", hidden.map(|flag| flag.to_string()));
        put("noIndex", no_index.map(|flag| flag.to_string()));
        put("noRobotsIndex", no_robots_index.map(|flag| flag.to_string()));
        if let Some(layout) = layout {
            out.push_str("layout:");
            mapping(layout, 1, &mut out);
        }
        for (name, raw) in extra {
            out.push_str(&format!("{name}:{raw}\n"));
        }
        if out.is_empty() { out } else { format!("---\n{out}---\n") }
    }

    /// Returns true for the name of a known property. In `extra`, such a property could not be read back.
    #[must_use]
    pub fn is_known(name: &str) -> bool {
        const KNOWN: [&str; 11] = [
            "title",
            "linkTitle",
            "description",
            "icon",
            "emoji",
            "cover",
            "coverY",
            "layout",
            "hidden",
            "noIndex",
            "noRobotsIndex",
        ];
        KNOWN.contains(&name)
    }

    /// Sets a known property if its value has the right type.
    fn set(&mut self, name: &str, raw: &str) -> Option<()> {
        match name {
            "title" => self.title = Some(text(raw)?),
            "linkTitle" => self.link_title = Some(text(raw)?),
            "description" => self.description = Some(text(raw)?),
            "icon" => self.icon = Some(text(raw)?),
            "emoji" => self.emoji = Some(text(raw)?),
            "cover" => self.cover = Some(text(raw)?),
            "coverY" => self.cover_y = Some(raw.trim().parse().ok().filter(|y: &f64| y.is_finite())?),
            "layout" => self.layout = Some(tree(raw)?),
            "hidden" => self.hidden = Some(raw.trim().parse().ok()?),
            "noIndex" => self.no_index = Some(raw.trim().parse().ok()?),
            "noRobotsIndex" => self.no_robots_index = Some(raw.trim().parse().ok()?),
            _ => return None,
        }
        Some(())
    }
}

fn read(text: &str) -> Option<(FrontMatter, &str)> {
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = rest.split_inclusive('\n');
    let fence = lines.next()?;
    if fence.trim_end() != "---" {
        return None;
    }
    rest = rest.get(fence.len()..)?;
    let mut entries: Vec<(String, String)> = Vec::new();
    for line in lines {
        rest = rest.get(line.len()..)?;
        let line = line.trim_end_matches(['\n', '\r']);
        if line.trim_end() == "---" {
            return Some((interpret(entries), rest));
        }
        let continues = line.is_empty() || line.starts_with([' ', '\t', '#', '-']);
        match (continues, line.split_once(':')) {
            (true, _) => {
                let (_, raw) = entries.last_mut()?;
                raw.push('\n');
                raw.push_str(line);
            }
            (false, Some((name, raw)))
                if is_name(name) && (raw.is_empty() || raw.starts_with([' ', '\t'])) =>
            {
                entries.push((name.to_owned(), raw.to_owned()));
            }
            _ => return None,
        }
    }
    None
}

fn interpret(entries: Vec<(String, String)>) -> FrontMatter {
    let mut front_matter = FrontMatter::default();
    let mut seen = Vec::new();
    for (name, raw) in entries {
        // The first of two equal properties is used; the second is kept verbatim.
        if seen.contains(&name) || front_matter.set(&name, &raw).is_none() {
            front_matter.extra.push((name, raw));
        } else {
            seen.push(name);
        }
    }
    front_matter
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// Returns a string: plain, quoted, folded (`>`) or literal (`|`); `None` for other values.
fn text(raw: &str) -> Option<String> {
    let value = raw.trim();
    if let Some(inner) = value.strip_prefix('"') {
        let joined = fold_quoted(inner.strip_suffix('"')?);
        return unescaped(&joined);
    }
    if let Some(inner) = value.strip_prefix('\'') {
        let inner = fold_quoted(inner.strip_suffix('\'')?);
        let single = inner.replace("''", "");
        return (!single.contains('\'')).then(|| inner.replace("''", "'"));
    }
    let (header, body) = raw.split_once('\n').unwrap_or((raw, ""));
    match header.trim() {
        ">" | ">-" | ">+" => Some(fold(body)),
        "|" | "|-" | "|+" => Some(literal(body)),
        _ if value.is_empty()
            || value.starts_with(SPECIAL)
            || value.contains(" #")
            || value.contains(": ") =>
        {
            None
        }
        _ => Some(fold(value)),
    }
}

/// Characters that cannot begin a plain YAML scalar.
const SPECIAL: [char; 17] =
    ['#', '&', '*', '!', '|', '>', '%', '@', '`', '{', '}', '[', ']', ',', '?', '"', '\''];

/// Joins lines with spaces; an empty line is a line feed.
fn fold(body: &str) -> String {
    let mut out = String::new();
    for line in body.trim().lines().map(str::trim) {
        match (line.is_empty(), out.is_empty() || out.ends_with('\n')) {
            (true, _) => out.push('\n'),
            (false, true) => out.push_str(line),
            (false, false) => {
                out.push(' ');
                out.push_str(line);
            }
        }
    }
    out
}

/// Joins the lines of a quoted string, keeping white space at its edges.
fn fold_quoted(body: &str) -> String {
    if body.contains('\n') { fold(body) } else { body.to_owned() }
}

/// Returns the text of a double-quoted scalar (YAML 1.2, 5.7); `None` for an unknown escape.
fn unescaped(inner: &str) -> Option<String> {
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner.chars();
    while let Some(c) = rest.next() {
        match c {
            '"' => return None,
            '\\' => out.push(escape(&mut rest)?),
            c => out.push(c),
        }
    }
    Some(out)
}

/// Returns the character of an escape whose backslash was just read.
fn escape(rest: &mut std::str::Chars<'_>) -> Option<char> {
    let digits = match rest.next()? {
        '0' => return Some('\u{fffd}'),
        'a' => return Some('\u{7}'),
        'b' => return Some('\u{8}'),
        't' | '\t' => return Some('\t'),
        'n' => return Some('\n'),
        'v' => return Some('\u{b}'),
        'f' => return Some('\u{c}'),
        'r' => return Some('\r'),
        'e' => return Some('\u{1b}'),
        'N' => return Some('\u{85}'),
        '_' => return Some('\u{a0}'),
        'L' => return Some('\u{2028}'),
        'P' => return Some('\u{2029}'),
        c @ (' ' | '"' | '/' | '\\') => return Some(c),
        'x' => 2,
        'u' => 4,
        'U' => 8,
        _ => return None,
    };
    let code = hexadecimal(rest, digits)?;
    // JSON, which is YAML, writes characters outside the basic plane as surrogate pairs.
    if (0xd800..0xdc00).contains(&code) {
        let low = (rest.next() == Some('\\') && rest.next() == Some('u')).then(|| hexadecimal(rest, 4))??;
        let low = low.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
        return char::from_u32(0x1_0000 + ((code - 0xd800) << 10) + low);
    }
    char::from_u32(code).map(|c| if c == '\0' { '\u{fffd}' } else { c })
}

fn hexadecimal(rest: &mut std::str::Chars<'_>, digits: usize) -> Option<u32> {
    let mut code = 0;
    for _ in 0..digits {
        code = (code << 4) | rest.next()?.to_digit(16)?;
    }
    Some(code)
}

/// Returns lines without their common indentation.
fn literal(body: &str) -> String {
    let indents =
        body.lines().filter(|line| !line.trim().is_empty()).map(|line| line.len() - line.trim_start().len());
    let shared = indents.min().unwrap_or(0);
    let lines: Vec<&str> = body.lines().map(|line| line.get(shared..).unwrap_or_default()).collect();
    lines.join("\n").trim_end().to_owned()
}

/// Returns a nested mapping of plain scalars; `None` for other values.
fn tree(raw: &str) -> Option<Value> {
    let body = raw.split_once('\n').filter(|(header, _)| header.trim().is_empty()).map(|(_, body)| body);
    let Some(body) = body else { return plain(raw.trim()) };
    let lines: Vec<(usize, &str)> = body
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| (line.len() - line.trim_start_matches(' ').len(), line.trim()))
        .collect();
    let mut lines = lines.into_iter().peekable();
    let indent = lines.peek()?.0;
    let value = branch(&mut lines, indent, 0)?;
    lines.next().is_none().then_some(value)
}

type Lines<'a> = std::iter::Peekable<std::vec::IntoIter<(usize, &'a str)>>;

fn branch(lines: &mut Lines<'_>, indent: usize, level: usize) -> Option<Value> {
    let mut object = Map::new();
    while let Some(&(depth, line)) = lines.peek() {
        if depth < indent {
            break;
        }
        let (name, value) = line.split_once(':')?;
        if depth > indent || level > MAX_FRONT_MATTER_LEVELS || !is_name(name) || object.contains_key(name) {
            return None;
        }
        lines.next();
        let inner = lines.peek().map(|(depth, _)| *depth).filter(|depth| *depth > indent);
        let value = match (value.trim(), inner) {
            ("", Some(inner)) => branch(lines, inner, level + 1)?,
            (value, _) => plain(value)?,
        };
        object.insert(name.to_owned(), value);
    }
    Some(Value::Object(object))
}

fn plain(value: &str) -> Option<Value> {
    match value {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        "null" | "~" => Some(Value::Null),
        _ => match value.parse::<i64>() {
            Ok(number) => Some(number.into()),
            Err(_) => text(value).map(Value::String),
        },
    }
}

fn mapping(value: &Value, level: usize, out: &mut String) {
    match value {
        Value::Object(object) if !object.is_empty() && level <= MAX_FRONT_MATTER_LEVELS => {
            out.push('\n');
            for (name, value) in object {
                out.push_str(&format!("{}{name}:", "  ".repeat(level)));
                mapping(value, level + 1, out);
            }
        }
        Value::String(text) => out.push_str(&format!(" {}\n", scalar(text))),
        other => out.push_str(&format!(" {other}\n")),
    }
}

/// Writes a string as a plain scalar if that reads back as the same string, else quoted.
fn scalar(value: &str) -> String {
    let means_itself = plain(value) == Some(Value::String(value.to_owned())) && value.parse::<f64>().is_err();
    let is_plain = means_itself
        && !value.contains(['\n', '\r'])
        && !value.starts_with(['-', ':'])
        && !value.ends_with(':');
    if is_plain { value.to_owned() } else { Value::String(value.to_owned()).to_string() }
}
