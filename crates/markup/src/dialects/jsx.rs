//! MDX components. MDX has no indented code, and the content of a component may be indented with it.

use super::code::Fence;
use super::inline::replace_between;
use super::{Left, callout, dedented, indent};
use crate::limits::markdown::{MAX_DIALECT_DEPTH, MAX_FAILED_TAGS, MAX_TAG_BYTES};

/// Translates the components that have an equivalent block. Others are kept as text and reported.
pub(super) fn components(text: &str, left: &mut Left) -> String {
    let mut builder = Builder { frames: vec![Frame::default()], left };
    for (stretch, is_code) in stretches(text) {
        if is_code {
            builder.text(&stretch);
        } else {
            builder.prose(&with_addresses(&without_comments(&stretch)));
        }
    }
    builder.finish()
}

/// Splits a text into fenced listings and the text between them.
fn stretches(text: &str) -> Vec<(String, bool)> {
    let mut found: Vec<(String, bool)> = Vec::new();
    let mut open: Option<Fence<'_>> = None;
    for line in text.lines() {
        let begins = open.is_none().then(|| Fence::opens(line)).flatten().filter(|fence| fence.mark != ':');
        let is_code = open.is_some() || begins.is_some();
        match open {
            Some(fence) if fence.is_closed_by(line) => open = None,
            Some(_) => {}
            None => open = begins,
        }
        match found.last_mut() {
            Some((stretch, same)) if *same == is_code => {
                stretch.push_str(line);
                stretch.push('\n');
            }
            _ => found.push((format!("{line}\n"), is_code)),
        }
    }
    found
}

/// Removes comments. A comment that holds the id of a heading is kept as an id.
fn without_comments(text: &str) -> String {
    replace_between(text, "{/*", "*/}", |inside| {
        let id = inside.trim().strip_prefix('#').filter(|id| !id.contains(char::is_whitespace));
        Some(id.map(|id| format!("{{#{id}}}")).unwrap_or_default())
    })
}

/// A component that is open.
#[derive(Default)]
struct Frame {
    name: String,
    /// The tag as written.
    source: String,
    begin: String,
    /// Labels of tabs by their values.
    labels: Vec<(String, String)>,
    content: String,
}

struct Builder<'l> {
    frames: Vec<Frame>,
    left: &'l mut Left,
}

impl Builder<'_> {
    fn text(&mut self, text: &str) {
        if let Some(frame) = self.frames.last_mut() {
            frame.content.push_str(text);
        }
    }

    fn prose(&mut self, text: &str) {
        let (mut rest, mut from) = (text, 0);
        let mut in_code = false;
        let mut failed = 0;
        while let Some(at) = rest.get(from..).and_then(|text| text.find('<')).map(|at| at + from) {
            for character in rest.get(from..at).unwrap_or_default().chars() {
                in_code = match character {
                    '`' => !in_code,
                    '\n' => false,
                    _ => in_code,
                };
            }
            let behind = rest.get(at..).unwrap_or_default();
            let may_be_tag = !in_code && Tag::begins(behind) && failed < MAX_FAILED_TAGS;
            match if may_be_tag { Tag::read(behind) } else { None } {
                Some(tag) => {
                    self.text(rest.get(..at).unwrap_or_default());
                    self.tag(&tag);
                    (rest, from) = (behind.get(tag.source.len()..).unwrap_or_default(), 0);
                }
                None => {
                    failed += usize::from(may_be_tag);
                    from = at + 1;
                }
            }
        }
        self.text(rest);
    }

    fn tag(&mut self, tag: &Tag<'_>) {
        let begin = match tag.name {
            _ if tag.is_end => return self.end(tag),
            "Tabs" => Some("{% tabs %}\n".to_owned()),
            "TabItem" => Some(callout::tab_begin(&self.label(tag))),
            "Admonition" => {
                let style = callout::style(tag.get("type").unwrap_or("note")).unwrap_or("info");
                Some(callout::hint_begin(style, tag.get("title").unwrap_or_default()))
            }
            _ => None,
        };
        match begin.filter(|_| !tag.is_closed && self.frames.len() <= MAX_DIALECT_DEPTH) {
            Some(begin) => {
                self.end_line();
                self.frames.push(Frame {
                    name: tag.name.to_owned(),
                    source: tag.source.to_owned(),
                    begin,
                    labels: labels(tag.get("values").unwrap_or_default()),
                    content: String::new(),
                });
            }
            None => {
                self.left.add(&format!("<{}>", tag.name));
                self.text(tag.source);
            }
        }
    }

    /// Removes the indentation of a tag, which is not content.
    fn end_line(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            let kept = frame.content.trim_end_matches([' ', '\t']).len();
            frame.content.truncate(kept);
        }
    }

    /// The label of a tab: its own, that of its value, or its value.
    fn label(&self, tag: &Tag<'_>) -> String {
        let value = tag.get("value").unwrap_or_default();
        let labels = self.frames.last().map(|frame| frame.labels.as_slice()).unwrap_or_default();
        let listed = || labels.iter().find(|(known, _)| known == value).map(|(_, label)| label.as_str());
        tag.get("label").or_else(listed).unwrap_or(value).to_owned()
    }

    fn end(&mut self, tag: &Tag<'_>) {
        let end = match tag.name {
            "Tabs" => "{% endtabs %}",
            "TabItem" => "{% endtab %}",
            _ => "{% endhint %}",
        };
        let Some(frame) = self.frames.pop_if(|frame| frame.name == tag.name) else {
            return self.text(tag.source);
        };
        let content = without_indent(&frame.content);
        let content = content.trim_matches('\n');
        self.text(&format!("\n{}{content}\n{end}\n", frame.begin));
    }

    /// Returns the whole translation. Unclosed components are kept as written.
    fn finish(mut self) -> String {
        while let Some(frame) = self.frames.pop() {
            match self.frames.last_mut() {
                Some(above) => {
                    self.left.add(&format!("<{}>", frame.name));
                    above.content.push_str(&frame.source);
                    above.content.push_str(&frame.content);
                }
                None => return frame.content,
            }
        }
        String::new()
    }
}

/// Returns lines without their common indentation.
fn without_indent(text: &str) -> String {
    let shared = text.lines().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or_default();
    text.lines().flat_map(|line| [dedented(line, shared), "\n"]).collect()
}

/// The labels in `[{label: 'Apple', value: 'apple'}, …]`, by their values.
fn labels(values: &str) -> Vec<(String, String)> {
    let entries = values.split('}').filter(|entry| entry.contains("label") && entry.contains("value"));
    let text = |entry: &str, key: &str| {
        let (_, behind) = entry.split_once(key)?;
        let behind = behind.trim_start_matches(['\'', '"']).trim_start().strip_prefix(':')?.trim_start();
        let quote = behind.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        behind.get(1..)?.split_once(quote).map(|(text, _)| text.to_owned())
    };
    entries.filter_map(|entry| Some((text(entry, "value")?, text(entry, "label")?))).collect()
}

/// A tag of MDX.
struct Tag<'t> {
    name: &'t str,
    is_end: bool,
    /// True for a self-closing tag.
    is_closed: bool,
    attributes: Vec<(&'t str, &'t str)>,
    source: &'t str,
}

impl<'t> Tag<'t> {
    /// Returns true if a component tag begins here. HTML elements begin with a lower-case letter.
    fn begins(text: &str) -> bool {
        let name = text.strip_prefix("</").or_else(|| text.strip_prefix('<'));
        name.is_some_and(|name| name.starts_with(|first: char| first.is_ascii_uppercase()))
    }

    /// Reads the tag at the start of a text. Values are quoted, or in braces.
    fn read(text: &'t str) -> Option<Self> {
        let window = text.get(..text.floor_char_boundary(MAX_TAG_BYTES))?;
        let mut rest = window.strip_prefix('<')?;
        let is_end = rest.starts_with('/');
        rest = rest.strip_prefix('/').unwrap_or(rest);
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '_'))?;
        let (name, mut rest) = rest.split_at_checked(length)?;
        let mut attributes = Vec::new();
        loop {
            rest = rest.trim_start();
            if let Some(behind) = rest.strip_prefix("/>").or_else(|| rest.strip_prefix('>')) {
                let is_closed = rest.starts_with('/');
                let source = window.get(..window.len() - behind.len())?;
                return Some(Self { name, is_end, is_closed, attributes, source });
            }
            if rest.starts_with('{') {
                rest = braced(rest)?.1;
                continue;
            }
            let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.');
            let length = rest.find(|c: char| !is_key(c)).filter(|at| *at > 0)?;
            let (key, behind) = rest.split_at_checked(length)?;
            let (value, behind) = match behind.strip_prefix('=') {
                Some(behind) if behind.starts_with('{') => braced(behind)?,
                Some(behind) => {
                    let quote = behind.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
                    behind.get(1..)?.split_once(quote)?
                }
                None => ("", behind),
            };
            attributes.push((key, callout::unquoted(value).unwrap_or(value)));
            rest = behind;
        }
    }

    fn get(&self, name: &str) -> Option<&'t str> {
        self.attributes.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
    }
}

/// The text between the braces at the start of a text, and the text after them.
fn braced(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    for (at, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 1 => return Some((text.get(1..at)?, text.get(at + 1..)?)),
            '}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// Replaces attribute values that are calls such as `require("…")` by the address in the call.
pub(super) fn with_addresses(text: &str) -> String {
    let mut text = text.to_owned();
    for (begin, end) in [("={require(", ").default}"), ("={useBaseUrl(", ")}")] {
        if text.contains(begin) {
            text = replace_between(&text, begin, end, |inside| {
                callout::unquoted(inside).map(|address| format!("=\"{address}\""))
            });
        }
    }
    text
}
