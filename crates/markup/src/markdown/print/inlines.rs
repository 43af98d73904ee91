//! Printer of inlines as Markdown.

use super::Printer;
use super::emphasis::{Piece, join};
use super::escape::{self, At, Context};
use crate::document::{ContentRef, Inline, InlineKind, InlineNode, Leaf, Mark, difference};
use crate::markdown_html::escape as html_escape;
use crate::markdown_html::properties;
use crate::marks::{Step, steps};
use crate::text::inline_text;
use serde_json::{Map, Value};

impl<'d> Printer<'d> {
    /// Writes the content of a block of several lines.
    pub(super) fn lines(&self, nodes: &'d [Inline]) -> String {
        self.inlines(nodes, Context::BLOCK.with_lone_tilde(has_lone_tilde(nodes)), false)
    }

    /// Writes content on one line.
    pub(super) fn line(&self, nodes: &'d [Inline]) -> String {
        self.inlines(nodes, Context::LINE.with_lone_tilde(has_lone_tilde(nodes)), false)
    }

    /// Writes the content of a table cell.
    pub(super) fn cell(&self, nodes: &'d [Inline]) -> String {
        self.inlines(nodes, Context::LINE, true).replace('|', "\\|")
    }

    fn inlines(&self, nodes: &'d [Inline], context: Context, in_table: bool) -> String {
        let steps = steps(nodes);
        let mut pieces = Vec::with_capacity(steps.len());
        let count = steps.len();
        let first = steps.iter().position(|step| !matches!(step, Step::Open(_)));
        let last = steps.iter().rposition(|step| !matches!(step, Step::Close(_)));
        let before = |is: fn(&Step<'_>) -> bool| -> Vec<bool> {
            steps.iter().skip(1).map(is).chain([false]).collect()
        };
        let before_node = before(|step| matches!(step, Step::Node(_)));
        // A formula begins with dollar signs.
        let before_dollar =
            before(|step| matches!(step, Step::Node(node) if node.kind == InlineKind::InlineMath));
        let followed = before_node.into_iter().zip(before_dollar);
        let behind: Vec<Option<char>> =
            steps.iter().skip(1).map(Some).chain([None]).map(first_char).collect();
        for ((index, step), (before_node, before_dollar)) in steps.into_iter().enumerate().zip(followed) {
            let at = At {
                start: Some(index) == first,
                line_start: index == 0,
                end: Some(index) == last,
                line_end: index + 1 == count,
                before_node,
                after_note: begins_with_note(&pieces),
                after_dollar: ends_with_dollar(&pieces),
                before_dollar,
            };
            pieces.push(match step {
                Step::Open(mark) => Piece::Open(mark),
                Step::Close(mark) => Piece::Close(mark),
                Step::Text { text, code: true } => Piece::Str(code(&text, in_table)),
                Step::Text { text, code: false } => Piece::Str(escape::text(&text, context, at)),
                // The dollar signs of two formulas must not be adjacent.
                Step::Node(node) if node.kind == InlineKind::InlineMath && ends_with_dollar(&pieces) => {
                    let formula = html_math(node.str("formula").unwrap_or_default());
                    Piece::Str(formula + &inline_properties(node))
                }
                Step::Node(node)
                    if is_apart(&pieces, behind.get(index).copied().flatten())
                        && let Some(address) = self.mail_address(node) =>
                {
                    Piece::Str(address)
                }
                Step::Node(node) => {
                    Piece::Str(self.inline(node, context, in_table) + &inline_properties(node))
                }
            });
        }
        join(&pieces)
    }

    fn inline(&self, node: &'d InlineNode, context: Context, in_table: bool) -> String {
        let word = |name: &str| node.str(name).unwrap_or_default();
        match node.kind {
            InlineKind::Link => self.link(node, context, in_table),
            InlineKind::Emoji => emoji(word("code")),
            InlineKind::Icon => icon(word("icon")),
            InlineKind::Expression => {
                let text = escape::text(word("expression"), Context::LINE, escape::At::WITHIN);
                format!("<code class=\"expression\">{text}</code>")
            }
            InlineKind::InlineMath => math(word("formula"), in_table),
            InlineKind::InlineImage => self.image(node),
            InlineKind::Annotation => {
                let body = node.fragments.first().map_or(&[][..], |fragment| &fragment.nodes);
                let number = self.note(body);
                if is_own_number(&node.nodes, number) {
                    return format!("[^{number}]");
                }
                let words = self.inlines(&node.nodes, context.linked(), in_table);
                format!("[{words}](#user-content-fn-{number})[^{number}]")
            }
            InlineKind::Mention => {
                let href = self.href(node);
                let words = node.str("text").filter(|text| !text.is_empty()).unwrap_or(&href);
                let words = escape::text(words, Context::LINE.linked(), escape::At::WITHIN);
                format!("[{words}]({} \"mention\")", escape::destination(&href))
            }
            InlineKind::Button => {
                let text = escape::text(word("label"), Context::LINE, escape::At::WITHIN);
                self.button(node, &text)
            }
        }
    }

    pub(super) fn href(&self, node: &InlineNode) -> String {
        node.reference().map(|reference| self.refs.href(&reference)).unwrap_or_default()
    }

    /// Writes a button around its label.
    pub(super) fn button(&self, node: &InlineNode, label: &str) -> String {
        let attribute = |name: &str, value: Option<&str>| {
            value.map(|value| format!(" {name}=\"{}\"", html_escape(value))).unwrap_or_default()
        };
        let kind = html_escape(node.str("kind").unwrap_or("primary"));
        let icon = attribute("data-icon", node.str("icon"));
        let Some(action) = written_action(node) else {
            let href =
                attribute("href", Some(&self.href(node)).filter(|href| !href.is_empty()).map(|h| h.as_str()));
            return format!("<a{href} class=\"button {kind}\"{icon}>{label}</a>");
        };
        let part = |name: &str| action.get(name).and_then(Value::as_str);
        let does = [
            attribute("data-action", part("action")),
            attribute("data-query", part("query")),
            attribute("data-slug", part("slug")),
        ];
        let does = does.concat().replace('\'', "&#x27;");
        format!("<button type=\"button\" class=\"button {kind}\"{does}{icon}>{label}</button>")
    }

    fn link(&self, node: &'d InlineNode, context: Context, in_table: bool) -> String {
        let href = self.href(node);
        let title = link_title(node).unwrap_or_default();
        let words = self.inlines(&node.nodes, context.linked(), in_table);
        format!("[{words}]({}{})", escape::destination(&href), escape::title(title))
    }

    /// Returns the text of a link that is its own mail address, which Markdown reads as the same link.
    fn mail_address(&self, node: &InlineNode) -> Option<String> {
        let [Inline::Text(text)] = node.nodes.as_slice() else { return None };
        let [leaf] = text.leaves.as_slice() else { return None };
        let is_plain = node.kind == InlineKind::Link && leaf.marks.is_empty() && node.data.len() == 1;
        let (name, host) = leaf.text.split_once('@').filter(|_| is_plain)?;
        let is_part = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric());
        let is_mail = name.split(['.', '-', '+']).all(is_part)
            && host.split('.').all(|label| label.split('-').all(is_part))
            && host.contains('.')
            && self.href(node).strip_prefix("mailto:") == Some(leaf.text.as_str());
        is_mail.then(|| leaf.text.clone())
    }

    fn image(&self, node: &InlineNode) -> String {
        let href = self.href(node);
        let (alt, caption) = (node.str("alt").unwrap_or_default(), node.str("caption").unwrap_or_default());
        let is_one_line = !alt.contains(|c: char| c.is_control());
        if node.str("size").is_some() || node.data.contains_key("refDark") || !is_one_line {
            return self.html_image(node);
        }
        let alt = escape::text(alt, Context::ALT, escape::At::WITHIN);
        format!("![{alt}]({}{})", escape::destination(&href), escape::title(caption))
    }

    /// Writes an image as an element.
    pub(super) fn html_image(&self, node: &InlineNode) -> String {
        let attribute = |name: &str, value: Option<&str>| {
            value.map(|value| format!(" {name}=\"{}\"", html_escape(value))).unwrap_or_default()
        };
        let href = self.href(node);
        let alt = attribute("alt", Some(node.str("alt").unwrap_or_default())).replace('\'', "&#x27;");
        let title = attribute("title", node.str("caption"));
        let dark = node.data.get("refDark").and_then(ContentRef::from_value);
        let dark = dark.map(|dark| self.refs.href(&dark));
        let image = format!(
            "<img src=\"{}\"{alt}{title}{}>",
            html_escape(&href),
            attribute("data-size", node.str("size"))
        );
        match dark {
            Some(dark) => format!(
                "<picture><source srcset=\"{}\" media=\"(prefers-color-scheme: dark)\">{image}</picture>",
                html_escape(&dark)
            ),
            None => image,
        }
    }
}

/// Returns whether content is invisible.
pub(super) fn is_blank(nodes: &[Inline]) -> bool {
    let is_empty = |node: &Inline| match node {
        Inline::Text(text) => text.leaves.iter().all(|leaf| leaf.text.is_empty()),
        Inline::Node(_) => false,
    };
    nodes.iter().all(is_empty)
}

/// Returns a comment for images that are the whole content of a paragraph. Without it, they would be read as a block.
pub(super) fn image_comment(nodes: &[Inline]) -> &'static str {
    let is_image = |node: &Inline| matches!(node, Inline::Node(node) if node.kind == InlineKind::InlineImage && node.str("size").is_none());
    let is_space = |node: &Inline| match node {
        Inline::Text(text) => text.leaves.iter().all(|leaf| leaf.text.trim().is_empty()),
        Inline::Node(_) => false,
    };
    let has_image = nodes.iter().any(is_image);
    if has_image && nodes.iter().all(|node| is_image(node) || is_space(node)) { "<!-- -->" } else { "" }
}

/// Returns the title of a link, unless it would turn the link into a mention.
pub(super) fn link_title(node: &InlineNode) -> Option<&str> {
    node.str("title").filter(|title| !title.is_empty() && *title != "mention")
}

/// Returns the comment after a node with the properties that its syntax cannot express.
pub(super) fn inline_properties(node: &InlineNode) -> String {
    properties::comment(difference(&said(node), &node.data))
}

/// Returns the properties that the reader derives from the printed syntax.
fn said(node: &InlineNode) -> Map<String, Value> {
    let mut data = Map::clone(&node.data);
    let is_some = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
    let href = node.reference();
    data.retain(|name, value| match (node.kind, name.as_str()) {
        (_, "ref") => true,
        (InlineKind::Link, "title") => link_title(node).is_some(),
        (InlineKind::Emoji, "code") | (InlineKind::Expression, "expression") => true,
        (InlineKind::Icon, "icon") => value.as_str().is_some_and(|icon| !icon.contains(char::is_whitespace)),
        (InlineKind::InlineMath, "formula") => true,
        (InlineKind::InlineImage, "refDark" | "size") => true,
        (InlineKind::InlineImage, "alt" | "caption") => is_some(value),
        (InlineKind::Mention, "text") => is_some(value) && href.is_some(),
        (InlineKind::Button, "label" | "kind" | "icon") => true,
        _ => false,
    });
    if node.kind == InlineKind::Button {
        data.entry("kind").or_insert_with(|| "primary".into());
        if let Some(action) = written_action(node) {
            data.insert("action".to_owned(), action);
            return data;
        }
        data.entry("ref").or_insert_with(|| ContentRef::url("").to_value());
    }
    data
}

/// Returns the action in the form that attributes can express; `None` for a button that is a link.
fn written_action(node: &InlineNode) -> Option<Value> {
    let action = node.data.get("action").filter(|_| !node.data.contains_key("ref"))?.as_object()?;
    let (name, part) = match action.get("action")?.as_str()? {
        name @ ("ask" | "search") => (name, "query"),
        name @ "select" => (name, "slug"),
        _ => return None,
    };
    let mut written = Map::from_iter([("action".to_owned(), Value::from(name))]);
    let value = action.get(part).filter(|value| value.is_string());
    if name == "select" && value.is_none() {
        return None;
    }
    written.extend(value.map(|value| (part.to_owned(), value.clone())));
    Some(Value::Object(written))
}

/// Returns the first character written for a step; a dot for nodes other than text.
fn first_char(step: Option<&Step<'_>>) -> Option<char> {
    match step? {
        Step::Text { text, code: false } => text.chars().next(),
        _ => Some('.'),
    }
}

/// Returns whether both sides of a node are white space or an edge of the block.
fn is_apart(pieces: &[Piece<'_>], behind: Option<char>) -> bool {
    let before = match pieces.last() {
        Some(Piece::Str(text)) => text.ends_with(' ') || text.ends_with('\n'),
        Some(Piece::Open(_) | Piece::Close(_)) => false,
        None => true,
    };
    before && behind.is_none_or(|c| c == ' ' || c == '\n')
}

/// Returns whether the line consists of a reference to a footnote so far, which a colon would turn into a definition.
fn begins_with_note(pieces: &[Piece<'_>]) -> bool {
    let Some((Piece::Str(note), before)) = pieces.split_last() else { return false };
    let is_note = note
        .strip_prefix("[^")
        .and_then(|rest| rest.strip_suffix(']'))
        .is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    let begins_line = match before.last() {
        None => true,
        Some(piece) => matches!(piece, Piece::Str(text) if text.ends_with('\n')),
    };
    is_note && begins_line
}

fn ends_with_dollar(pieces: &[Piece<'_>]) -> bool {
    matches!(pieces.last(), Some(Piece::Str(text)) if text.ends_with('$'))
}

/// Returns whether a block has at most one tilde.
fn has_lone_tilde(nodes: &[Inline]) -> bool {
    fn tildes(nodes: &[Inline]) -> usize {
        let of_node = |node: &Inline| match node {
            Inline::Text(text) => {
                let of_leaf = |leaf: &Leaf| {
                    let marks = if leaf.marks.contains(&Mark::Strikethrough) { 2 } else { 0 };
                    marks + leaf.text.matches('~').count()
                };
                text.leaves.iter().map(of_leaf).sum()
            }
            // The text of the node may be written, too.
            Inline::Node(node) if node.kind != InlineKind::Link => 2,
            Inline::Node(node) => tildes(&node.nodes),
        };
        nodes.iter().map(of_node).sum()
    }
    tildes(nodes) <= 1
}

/// Returns whether the annotated text is the number of the note in brackets, which the reader inserts for a note
/// without text.
fn is_own_number(nodes: &[Inline], number: usize) -> bool {
    matches!(nodes, [Inline::Text(text)] if text.leaves.iter().all(|leaf| leaf.marks.is_empty()))
        && inline_text(nodes) == format!("[{number}]")
}

/// Writes an emoji as a shortcode if it is read as the same emoji, otherwise as an element.
fn emoji(code: &str) -> String {
    let character = crate::emoji::character(code);
    match crate::emoji::shortcode(&character).filter(|_| crate::emoji::code(&character) == code) {
        Some(name) => format!(":{name}:"),
        None => html_emoji(code),
    }
}

/// Writes an emoji as an element.
pub(in crate::markdown) fn html_emoji(code: &str) -> String {
    let character = html_escape(&crate::emoji::character(code));
    format!(
        "<span data-gb-custom-inline data-tag=\"emoji\" data-code=\"{}\">{character}</span>",
        html_escape(code)
    )
}

/// Writes an icon as an element.
pub(super) fn icon(name: &str) -> String {
    format!("<i class=\"fa-{0}\">:{0}:</i>", html_escape(name))
}

fn math(formula: &str, in_table: bool) -> String {
    let is_plain = formula.trim() == formula
        && !formula.ends_with('\\')
        && !formula.is_empty()
        && !formula.contains(|c: char| c == '$' || c.is_control());
    if is_plain && !(in_table && formula.contains("\\|")) {
        return format!("$${formula}$$");
    }
    html_math(formula)
}

/// Writes a formula as an element.
pub(super) fn html_math(formula: &str) -> String {
    let text = escape::text(formula, Context::LINE, escape::At::WITHIN);
    format!("<span class=\"math\">{text}</span>")
}

fn code(text: &str, in_table: bool) -> String {
    escape::code(text, in_table).unwrap_or_else(|| {
        let text = escape::text(text, Context::LINE, escape::At::WITHIN);
        let text = if in_table { text.replace('|', "&#124;") } else { text };
        format!("<code>{text}</code>")
    })
}
