//! Inlines → Markdown.

use super::Printer;
use super::escape::{self, Context};
use crate::document::{ContentRef, Inline, InlineKind, InlineNode, Mark, difference};
use crate::markdown_html::escape as html_escape;
use crate::markdown_html::properties;
use crate::marks::{Step, steps};
use crate::text::inline_text;
use serde_json::{Map, Value};

/// A piece of a line whose delimiters aren't chosen yet: that depends on what stands beside them.
enum Piece<'d> {
    Str(String),
    Open(&'d Mark),
    Close(&'d Mark),
}

impl<'d> Printer<'d> {
    /// Writes the content of a block of several lines.
    pub(super) fn lines(&self, nodes: &'d [Inline]) -> String {
        self.inlines(nodes, Context::BLOCK, false)
    }

    /// Writes content on one line.
    pub(super) fn line(&self, nodes: &'d [Inline]) -> String {
        self.inlines(nodes, Context::LINE, false)
    }

    /// Writes the content of a table cell.
    pub(super) fn cell(&self, nodes: &'d [Inline]) -> String {
        self.inlines(nodes, Context::LINE, true).replace('|', "\\|")
    }

    fn inlines(&self, nodes: &'d [Inline], context: Context, in_table: bool) -> String {
        let steps = steps(nodes);
        let mut pieces = Vec::with_capacity(steps.len());
        let first = steps.iter().position(|step| !matches!(step, Step::Open(_)));
        let last = steps.iter().rposition(|step| !matches!(step, Step::Close(_)));
        for (index, step) in steps.into_iter().enumerate() {
            let (at_start, at_end) = (Some(index) == first, Some(index) == last);
            pieces.push(match step {
                Step::Open(mark) => Piece::Open(mark),
                Step::Close(mark) => Piece::Close(mark),
                Step::Text { text, code: true } => Piece::Str(code(&text, in_table)),
                Step::Text { text, code: false } => {
                    Piece::Str(escape::text(&text, context, at_start, at_end))
                }
                // The dollars of two formulas must not touch.
                Step::Node(node) if node.kind == InlineKind::InlineMath && ends_with_dollar(&pieces) => {
                    let formula = html_math(node.str("formula").unwrap_or_default());
                    Piece::Str(formula + &inline_properties(node))
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
                let text = escape::text(word("expression"), Context::LINE, false, false);
                format!("<code class=\"expression\">{text}</code>")
            }
            InlineKind::InlineMath => math(word("formula"), in_table),
            InlineKind::InlineImage => self.image(node),
            InlineKind::Annotation => {
                let body = node.fragments.first().map_or(&[][..], |fragment| &fragment.nodes);
                let number = self.note(body);
                let words = self.inlines(&node.nodes, context.linked(), in_table);
                format!("[{words}](#user-content-fn-{number})[^{number}]")
            }
            InlineKind::Mention => {
                let href = self.href(node);
                let words = node.str("text").filter(|text| !text.is_empty()).unwrap_or(&href);
                let words = escape::text(words, Context::LINE.linked(), false, false);
                format!("[{words}]({} \"mention\")", escape::destination(&href))
            }
            InlineKind::Button => {
                let text = escape::text(word("label"), Context::LINE, false, false);
                format!("{}{text}</a>", self.button_tag(node))
            }
        }
    }

    pub(super) fn href(&self, node: &InlineNode) -> String {
        node.reference().map(|reference| self.refs.href(&reference)).unwrap_or_default()
    }

    /// The start tag of a button.
    pub(super) fn button_tag(&self, node: &InlineNode) -> String {
        let kind = node.str("kind").unwrap_or("primary");
        let icon =
            node.str("icon").map(|icon| format!(" data-icon=\"{}\"", html_escape(icon))).unwrap_or_default();
        format!("<a href=\"{}\" class=\"button {}\"{icon}>", html_escape(&self.href(node)), html_escape(kind))
    }

    fn link(&self, node: &'d InlineNode, context: Context, in_table: bool) -> String {
        let href = self.href(node);
        let title = link_title(node).unwrap_or_default();
        let words = self.inlines(&node.nodes, context.linked(), in_table);
        if title.is_empty() && is_autolink(&href, &node.nodes) {
            return format!("<{href}>");
        }
        format!("[{words}]({}{})", escape::destination(&href), escape::title(title))
    }

    fn image(&self, node: &InlineNode) -> String {
        let href = self.href(node);
        let (alt, caption) = (node.str("alt").unwrap_or_default(), node.str("caption").unwrap_or_default());
        let is_one_line = !alt.contains(|c: char| c.is_control());
        if node.str("size").is_some() || node.data.contains_key("refDark") || !is_one_line {
            return self.html_image(node);
        }
        let alt = escape::text(alt, Context::LINE, false, false);
        format!("![{alt}]({}{})", escape::destination(&href), escape::title(caption))
    }

    /// An image as an element.
    pub(super) fn html_image(&self, node: &InlineNode) -> String {
        let attribute = |name: &str, value: Option<&str>| {
            value.map(|value| format!(" {name}=\"{}\"", html_escape(value))).unwrap_or_default()
        };
        let href = self.href(node);
        let (alt, title) = (attribute("alt", node.str("alt")), attribute("title", node.str("caption")));
        let dark = node.data.get("refDark").and_then(ContentRef::from_value);
        let dark = dark.map(|dark| self.refs.href(&dark));
        format!(
            "<img src=\"{}\"{}{alt}{title}{}>",
            html_escape(&href),
            attribute("data-dark", dark.as_deref()),
            attribute("data-size", node.str("size"))
        )
    }
}

/// Whether there is nothing to see.
pub(super) fn is_blank(nodes: &[Inline]) -> bool {
    let is_empty = |node: &Inline| match node {
        Inline::Text(text) => text.leaves.iter().all(|leaf| leaf.text.is_empty()),
        Inline::Node(_) => false,
    };
    nodes.iter().all(is_empty)
}

/// A comment beside images that are all of a paragraph: alone they would be a block.
pub(super) fn beside_images(nodes: &[Inline]) -> &'static str {
    let is_image = |node: &Inline| matches!(node, Inline::Node(node) if node.kind == InlineKind::InlineImage && node.str("size").is_none());
    let is_space = |node: &Inline| match node {
        Inline::Text(text) => text.leaves.iter().all(|leaf| leaf.text.trim().is_empty()),
        Inline::Node(_) => false,
    };
    let has_image = nodes.iter().any(is_image);
    if has_image && nodes.iter().all(|node| is_image(node) || is_space(node)) { "<!-- -->" } else { "" }
}

/// The title of a link, unless it would make it a mention.
pub(super) fn link_title(node: &InlineNode) -> Option<&str> {
    node.str("title").filter(|title| !title.is_empty() && *title != "mention")
}

/// The comment behind a node with what its syntax can't say.
pub(super) fn inline_properties(node: &InlineNode) -> String {
    properties::comment(difference(&said(node), &node.data))
}

/// What the reader learns from what was printed.
fn said(node: &InlineNode) -> Map<String, Value> {
    let mut data = node.data.clone();
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
        data.entry("ref").or_insert_with(|| ContentRef::url("").to_value());
    }
    data
}

fn ends_with_dollar(pieces: &[Piece<'_>]) -> bool {
    matches!(pieces.last(), Some(Piece::Str(text)) if text.ends_with('$'))
}

/// Whether a link can be written as an address between angle brackets.
fn is_autolink(href: &str, nodes: &[Inline]) -> bool {
    let unmarked =
        matches!(nodes, [Inline::Text(text)] if text.leaves.iter().all(|leaf| leaf.marks.is_empty()));
    let plain = |c: char| c.is_ascii_graphic() && !matches!(c, '<' | '>' | '&' | '\\' | '`' | '|' | '$');
    let web = href.starts_with("http://") || href.starts_with("https://");
    unmarked && web && href.chars().all(plain) && inline_text(nodes) == href
}

/// Emoji as a shortcode that reads back as the same, else as an element.
fn emoji(code: &str) -> String {
    let character = crate::emoji::character(code);
    match crate::emoji::shortcode(&character).filter(|_| crate::emoji::code(&character) == code) {
        Some(name) => format!(":{name}:"),
        None => html_emoji(code),
    }
}

/// An emoji as an element.
pub(super) fn html_emoji(code: &str) -> String {
    let character = html_escape(&crate::emoji::character(code));
    format!(
        "<span data-gb-custom-inline data-tag=\"emoji\" data-code=\"{}\">{character}</span>",
        html_escape(code)
    )
}

/// An icon as an element.
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

/// A formula as an element.
pub(super) fn html_math(formula: &str) -> String {
    let text = escape::text(formula, Context::LINE, false, false);
    format!("<span class=\"math\">{text}</span>")
}

fn code(text: &str, in_table: bool) -> String {
    escape::code(text, in_table).unwrap_or_else(|| {
        let text = escape::text(text, Context::LINE, false, false).replace('|', "&#124;");
        format!("<code>{text}</code>")
    })
}

/// Writes pieces one after the other, with delimiters where they are sure to be read as such, else with elements.
fn join(pieces: &[Piece<'_>]) -> String {
    let as_delimiter = choose(pieces);
    let mut out = String::new();
    for (piece, delimiter) in pieces.iter().zip(as_delimiter) {
        match piece {
            Piece::Str(text) => out.push_str(text),
            Piece::Open(mark) if delimiter => out.push_str(delimiter_of(mark)),
            Piece::Close(mark) if delimiter => out.push_str(delimiter_of(mark)),
            Piece::Open(mark) => out.push_str(&open_tag(mark)),
            Piece::Close(mark) => out.push_str(&close_tag(mark)),
        }
    }
    out
}

/// For each piece, whether it is to be written as a delimiter.
fn choose(pieces: &[Piece<'_>]) -> Vec<bool> {
    let mut chosen = vec![false; pieces.len()];
    let mut open: Vec<(usize, bool)> = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| pieces.get(before));
        let after = pieces.get(index + 1);
        match piece {
            Piece::Str(_) => {}
            Piece::Open(mark) => {
                let fits =
                    !delimiter_of(mark).is_empty() && flanks(mark, last_of(before), first_of(after), true);
                open.push((index, fits));
            }
            Piece::Close(mark) => {
                let Some((start, opens)) = open.pop() else { continue };
                let closes = flanks(mark, last_of(before), first_of(after), false);
                if opens && closes {
                    chosen
                        .iter_mut()
                        .enumerate()
                        .filter(|(at, _)| *at == start || *at == index)
                        .for_each(|(_, c)| *c = true);
                }
            }
        }
    }
    chosen
}

/// What a character is for the rules of emphasis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    Punctuation,
    Other,
    /// Punctuation, perhaps: Unicode's classes aren't at hand.
    Unsure,
    /// A character that the delimiter itself is made of.
    Same,
}

fn class(c: Option<char>, mark: &Mark) -> Class {
    match c {
        None => Class::Space,
        Some(c) if delimiter_of(mark).starts_with(c) => Class::Same,
        Some(c) if c.is_whitespace() => Class::Space,
        Some(c) if c.is_alphanumeric() => Class::Other,
        Some(c) if c.is_ascii_punctuation() || ('\u{2010}'..='\u{205e}').contains(&c) => Class::Punctuation,
        Some(_) => Class::Unsure,
    }
}

fn last_of(piece: Option<&Piece<'_>>) -> Option<char> {
    match piece? {
        Piece::Str(text) => text.chars().next_back(),
        Piece::Open(mark) | Piece::Close(mark) => Some(edge(mark, '>')),
    }
}

fn first_of(piece: Option<&Piece<'_>>) -> Option<char> {
    match piece? {
        Piece::Str(text) => text.chars().next(),
        Piece::Open(mark) | Piece::Close(mark) => Some(edge(mark, '<')),
    }
}

/// The character at the edge of a mark's delimiter or element. Tildes are looked through, so what is behind them counts: that isn't known.
fn edge(mark: &Mark, bracket: char) -> char {
    const UNKNOWN: char = '\u{e000}';
    if *mark == Mark::Strikethrough { UNKNOWN } else { delimiter_of(mark).chars().next().unwrap_or(bracket) }
}

/// Whether a delimiter between these two characters opens (or closes) emphasis and can't be taken for anything else.
fn flanks(mark: &Mark, before: Option<char>, after: Option<char>, opens: bool) -> bool {
    let (before, after) = (class(before, mark), class(after, mark));
    if before == Class::Same || after == Class::Same {
        return false;
    }
    let (outer, inner) = if opens { (before, after) } else { (after, before) };
    match (outer, inner) {
        (_, Class::Space) => false,
        // Inside a word only stars work.
        (Class::Other | Class::Unsure, Class::Other) => *mark != Mark::Italic,
        (_, Class::Other) => true,
        (outer, _) => !matches!(outer, Class::Other | Class::Unsure),
    }
}

fn delimiter_of(mark: &Mark) -> &'static str {
    match mark {
        Mark::Bold => "**",
        Mark::Italic => "_",
        Mark::Strikethrough => "~~",
        _ => "",
    }
}

fn element_of(mark: &Mark) -> &'static str {
    match mark {
        Mark::Bold => "strong",
        Mark::Italic => "em",
        Mark::Strikethrough => "del",
        Mark::Superscript => "sup",
        Mark::Subscript => "sub",
        Mark::Keyboard => "kbd",
        Mark::Code => "code",
        Mark::Color { .. } => "mark",
    }
}

/// The start tag of a mark.
pub(super) fn open_tag(mark: &Mark) -> String {
    let Mark::Color { text, background } = mark else { return format!("<{}>", element_of(mark)) };
    let rule = |name: &str, value: &str| {
        if value == "default" { String::new() } else { format!("{name}:{};", html_escape(value)) }
    };
    match (rule("color", text), rule("background-color", background)) {
        (text, background) if text.is_empty() && background.is_empty() => {
            "<mark style=\"color:default;\">".to_owned()
        }
        (text, background) => format!("<mark style=\"{text}{background}\">"),
    }
}

/// The end tag of a mark.
pub(super) fn close_tag(mark: &Mark) -> String {
    format!("</{}>", element_of(mark))
}
