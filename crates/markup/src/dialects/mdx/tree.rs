//! Element tree of a page.

use super::super::Left;
use super::super::code::{Fence, code_lines};
use super::statements::Module;
use super::syntax::{Tag, braced, computed, evaluated, literal, markup};
use crate::limits::markdown::{MAX_ELEMENT_DEPTH, MAX_EXPRESSION_DEPTH, MAX_FAILED_TAGS};

/// A part of a page.
#[derive(Debug)]
pub(super) enum Node<'t> {
    /// Markdown.
    Text(String),
    /// A fenced listing.
    Code(String),
    Element(Element<'t>),
}

#[derive(Debug)]
pub(super) struct Element<'t> {
    pub(super) tag: Tag<'t>,
    pub(super) children: Vec<Node<'t>>,
    /// Nothing precedes the element on its line.
    pub(super) begins_line: bool,
    /// Nothing follows the element on its line.
    pub(super) ends_line: bool,
}

impl Element<'_> {
    /// Returns whether the element is alone on its lines.
    pub(super) fn is_block(&self) -> bool {
        self.begins_line && self.ends_line
    }
}

/// HTML elements without an end tag.
const VOID: [&str; 10] = ["br", "hr", "img", "input", "source", "wbr", "track", "col", "meta", "link"];

/// A stretch of a page: a fenced listing, or the text between listings.
#[derive(Debug)]
pub(super) struct Stretch {
    text: String,
    is_code: bool,
}

/// Splits a text into fenced listings and the text between them. A fence of `mdx-code-block` is not a listing. With
/// `has_indented_code`, indented code and comments are not text either.
pub(super) fn stretches(text: &str, has_indented_code: bool) -> Vec<Stretch> {
    let mut found: Vec<Stretch> = Vec::new();
    let mut open: Option<(Fence<'_>, bool)> = None;
    let lines: Vec<&str> = text.lines().collect();
    let indented = if has_indented_code { code_lines(&lines) } else { Vec::new() };
    for (at, line) in lines.iter().enumerate() {
        let is_code = match open {
            Some((fence, is_prose)) => {
                let closes = fence.is_closed_by(line);
                if closes {
                    open = None;
                }
                if closes && is_prose {
                    continue;
                }
                !is_prose
            }
            None => {
                open = Fence::begins(line)
                    .filter(|fence| fence.mark != ':')
                    .map(|fence| (fence, fence.info == "mdx-code-block"));
                match open {
                    Some((_, true)) => continue,
                    Some(_) => {
                        // Adjacent listings are separate.
                        found.push(Stretch { text: String::new(), is_code: true });
                        true
                    }
                    None => indented.get(at).copied().unwrap_or_default(),
                }
            }
        };
        match found.last_mut() {
            Some(stretch) if stretch.is_code == is_code => {
                stretch.text.push_str(line);
                stretch.text.push('\n');
            }
            _ => found.push(Stretch { text: format!("{line}\n"), is_code }),
        }
    }
    found
}

/// Reads the elements of stretches. Without a module, braces are text.
pub(super) fn parse<'t>(stretches: &'t [Stretch], module: Option<&Module>, left: &mut Left) -> Vec<Node<'t>> {
    let mut builder = Builder { frames: vec![Frame::default()], expressions: 0, module, left };
    for stretch in stretches {
        if stretch.is_code {
            builder.push(Node::Code(stretch.text.clone()));
        } else {
            builder.prose(&stretch.text);
        }
    }
    builder.finish()
}

#[derive(Default)]
struct Frame<'t> {
    element: Option<(Tag<'t>, bool)>,
    nodes: Vec<Node<'t>>,
}

struct Builder<'t, 'l> {
    frames: Vec<Frame<'t>>,
    /// Number of expressions around the current position.
    expressions: usize,
    module: Option<&'l Module>,
    left: &'l mut Left,
}

impl<'t> Builder<'t, '_> {
    fn nodes(&mut self) -> &mut Vec<Node<'t>> {
        if self.frames.is_empty() {
            self.frames.push(Frame::default());
        }
        let last = self.frames.len() - 1;
        #[expect(clippy::indexing_slicing, reason = "a frame was just pushed if there was none")]
        &mut self.frames[last].nodes
    }

    fn push(&mut self, node: Node<'t>) {
        self.nodes().push(node);
    }

    fn text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.nodes().last_mut() {
            Some(Node::Text(before)) => before.push_str(text),
            _ => self.push(Node::Text(text.to_owned())),
        }
    }

    /// Returns whether nothing precedes the current position on its line, except for list markers.
    fn begins_line(&self) -> bool {
        match self.frames.last().and_then(|frame| frame.nodes.last()) {
            Some(Node::Text(text)) => is_prefix(text.rsplit('\n').next().unwrap_or_default()),
            Some(Node::Code(_)) => true,
            Some(Node::Element(element)) => element.ends_line,
            // The first child begins a line if its parent does.
            None => {
                self.frames.last().and_then(|frame| frame.element.as_ref()).is_none_or(|(_, begins)| *begins)
            }
        }
    }

    fn prose(&mut self, text: &'t str) {
        let mut spans = Spans::default();
        let mut failed = 0;
        let (mut from, mut at) = (0, 0);
        let mut has_comments = true;
        while let Some(next) = text.get(at..).and_then(|rest| rest.find(['<', '{', '`', '\\', '$'])) {
            at += next;
            let rest = text.get(at..).unwrap_or_default();
            let before = text.get(from..at).unwrap_or_default();
            let mark = rest.chars().next().unwrap_or_default();
            let length = match mark {
                '\\' => Some(1 + rest.chars().nth(1).map_or(0, char::len_utf8)),
                '`' => Some(spans.length(text, at)),
                // The braces of a formula are not expressions.
                '$' if rest.starts_with("$$") => {
                    let paragraph = rest.split("\n\n").next().unwrap_or_default();
                    let end = paragraph.get(2..).and_then(|inside| inside.find("$$"));
                    Some(end.map_or(2, |end| end + 4))
                }
                '$' => Some(1),
                // Expressions of template languages are text.
                '{' if rest.starts_with("{{") => Some(rest.len() - rest.trim_start_matches('{').len()),
                '{' if rest.starts_with("{%") => Some(2),
                '<' if rest.starts_with("<!--") => {
                    let end = if has_comments { rest.find("-->") } else { None };
                    has_comments = end.is_some();
                    Some(end.map_or(4, |end| end + 3))
                }
                _ => None,
            };
            if let Some(length) = length {
                at += length;
                continue;
            }
            let read = if failed > MAX_FAILED_TAGS {
                None
            } else if let Some(fragment) = ["<>", "</>"].into_iter().find(|mark| rest.starts_with(mark)) {
                self.text(before);
                Some(fragment.len())
            } else if mark == '<' {
                Tag::read(rest).map(|tag| {
                    self.text(before);
                    let length = tag.source.len();
                    self.tag(tag, rest.get(length..).unwrap_or_default());
                    length
                })
            } else {
                self.expression(before, rest)
            };
            match read {
                Some(length) => {
                    at += length;
                    from = at;
                }
                None => {
                    failed += 1;
                    at += 1;
                }
            }
        }
        self.text(text.get(from..).unwrap_or_default());
    }

    /// Reads an expression and returns its length; `None` to keep it as text.
    fn expression(&mut self, before: &str, rest: &'t str) -> Option<usize> {
        let is_id = rest.starts_with("{#");
        let module = self.module?;
        if is_id {
            return None;
        }
        let (inside, behind) = braced(rest)?;
        self.text(before);
        let trimmed = inside.trim();
        if let Some(comment) = trimmed.strip_prefix("/*") {
            // A comment may contain the id of a heading.
            let comment = comment.trim_end_matches("*/").trim();
            if let Some(id) = comment.strip_prefix('#').filter(|id| !id.contains(char::is_whitespace)) {
                self.text(&format!("{{#{id}}}"));
            }
        } else if let Some(markup) = markup(trimmed).filter(|_| self.expressions < MAX_EXPRESSION_DEPTH) {
            if markup.len() < trimmed.trim_matches(['(', ')', ' ', '\n']).len() {
                self.report(trimmed);
            }
            self.elements(markup);
        } else if let Some(text) =
            literal(trimmed).or_else(|| evaluated(trimmed, &|name| module.constant(name)))
        {
            self.text(&crate::markdown::escaped(&text));
        } else if !trimmed.is_empty() {
            self.report(trimmed);
            if let Some(text) = computed(trimmed) {
                self.text(&crate::markdown::escaped(&text));
            }
        }
        Some(rest.len() - behind.len())
    }

    fn report(&mut self, expression: &str) {
        let shown = expression.lines().next().unwrap_or_default();
        self.left.add(&format!("{{{shown}}}"));
    }

    /// Reads the elements of an expression, which must end within it.
    fn elements(&mut self, markup: &'t str) {
        let open = self.frames.len();
        self.expressions += 1;
        self.prose(markup);
        self.expressions -= 1;
        while self.frames.len() > open {
            self.abandon();
        }
    }

    fn tag(&mut self, tag: Tag<'t>, behind: &str) {
        let line = behind.split('\n').next().unwrap_or_default().trim();
        // Further end tags may follow on the line.
        let ends_line = line.is_empty() || line.starts_with("</");
        if tag.is_end {
            return self.end(&tag, line.is_empty());
        }
        let begins_line = self.begins_line();
        let is_void = tag.is_closed || VOID.contains(&tag.name);
        if is_void || self.frames.len() > MAX_ELEMENT_DEPTH {
            self.push(Node::Element(Element { tag, children: Vec::new(), begins_line, ends_line }));
        } else {
            self.frames.push(Frame { element: Some((tag, begins_line)), nodes: Vec::new() });
        }
    }

    fn end(&mut self, tag: &Tag<'t>, ends_line: bool) {
        let is_it = |frame: &Frame<'_>| frame.element.as_ref().is_some_and(|(open, _)| open.name == tag.name);
        let Some(at) = self.frames.iter().rposition(is_it) else { return };
        while self.frames.len() > at + 1 {
            self.abandon();
        }
        let Some(Frame { element: Some((tag, begins_line)), nodes }) = self.frames.pop() else { return };
        self.push(Node::Element(Element { tag, children: nodes, begins_line, ends_line }));
    }

    /// Closes an element without an end tag. Its content becomes its siblings.
    fn abandon(&mut self) {
        let Some(Frame { element, nodes }) = self.frames.pop() else { return };
        if let Some((tag, begins_line)) = element {
            self.push(Node::Element(Element { tag, children: Vec::new(), begins_line, ends_line: false }));
        }
        for node in nodes {
            match node {
                Node::Text(text) => self.text(&text),
                node => self.push(node),
            }
        }
    }

    fn finish(mut self) -> Vec<Node<'t>> {
        while self.frames.len() > 1 {
            self.abandon();
        }
        self.frames.pop().map(|frame| frame.nodes).unwrap_or_default()
    }
}

/// Returns whether a line consists of white space and list markers.
pub(super) fn is_prefix(line: &str) -> bool {
    let text = line.trim_start();
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if digits.len() < text.len() {
        digits.strip_prefix(['.', ')'])
    } else {
        text.strip_prefix(['-', '*', '+'])
    };
    text.is_empty() || rest.is_some_and(|rest| rest.starts_with(' ') && rest.trim().is_empty())
}

/// Code spans of a paragraph.
#[derive(Default)]
struct Spans {
    /// End of the paragraph.
    end: usize,
    /// Lengths of backtick runs without a closing run in the paragraph.
    unclosed: [bool; 8],
}

impl Spans {
    /// Returns the length of the code span at `at`, or of its backticks if it is not closed.
    fn length(&mut self, text: &str, at: usize) -> usize {
        let rest = text.get(at..).unwrap_or_default();
        let marks = rest.len() - rest.trim_start_matches('`').len();
        if at >= self.end {
            *self = Self { end: at + rest.find("\n\n").unwrap_or(rest.len()), unclosed: [false; 8] };
        }
        if self.unclosed.get(marks).copied().unwrap_or(true) {
            return marks;
        }
        let paragraph = text.get(at..self.end).unwrap_or_default();
        let mut from = marks;
        while let Some(next) = paragraph.get(from..).and_then(|rest| rest.find('`')) {
            from += next;
            let behind = paragraph.get(from..).unwrap_or_default();
            let run = behind.len() - behind.trim_start_matches('`').len();
            from += run;
            if run == marks {
                return from;
            }
        }
        if let Some(unclosed) = self.unclosed.get_mut(marks) {
            *unclosed = true;
        }
        marks
    }
}
