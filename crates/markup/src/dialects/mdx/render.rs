//! Conversion of elements to Markdown.

use super::super::inline::behind_dropped;
use super::super::{Left, indent, push_indented};
use super::components::{self, Shape};
use super::listings;
use super::margins::without_indent;
use super::statements::Module;
use super::tree::{Element, Node, is_prefix};

/// Context of a translation.
pub(super) struct Renderer<'l> {
    pub(super) module: &'l Module,
    pub(super) left: &'l mut Left,
    /// Number of figures around the current element.
    pub(super) figures: usize,
}

impl Renderer<'_> {
    /// Returns the Markdown of nodes.
    pub(super) fn nodes<'n, 't: 'n>(&mut self, nodes: impl IntoIterator<Item = &'n Node<'t>>) -> String {
        let mut out = Out::default();
        let mut is_dropped = false;
        for node in nodes {
            let length = out.text.len();
            match node {
                Node::Text(text) if is_dropped => {
                    let text = behind_dropped(&mut out.text, text);
                    out.text(text);
                }
                Node::Text(text) => out.text(text),
                Node::Code(code) => out.text(&listings::listing_of(code)),
                Node::Element(element) => self.element(element, &mut out),
            }
            is_dropped = matches!(node, Node::Element(_)) && out.text.len() == length;
        }
        out.text
    }

    /// Returns the content of an element without its common indentation.
    pub(super) fn content(&mut self, element: &Element<'_>) -> String {
        let text = self.nodes(&element.children);
        without_indent(&text).trim_matches('\n').to_owned()
    }

    /// Returns the content of an element in one line.
    pub(super) fn line(&mut self, element: &Element<'_>) -> String {
        let text = self.nodes(&element.children);
        let words: Vec<&str> = text.split('\n').map(str::trim).filter(|line| !line.is_empty()).collect();
        let joined = words.join(" ");
        // White space at the edges separates words.
        let edge = |at: Option<char>| at.is_some_and(|c| c == ' ');
        let before = if edge(text.chars().next()) && !element.begins_line { " " } else { "" };
        let behind = if edge(text.chars().next_back()) && !element.ends_line { " " } else { "" };
        if joined.is_empty() { joined } else { format!("{before}{joined}{behind}") }
    }

    fn element(&mut self, element: &Element<'_>, out: &mut Out) {
        let in_cell = out.line().trim_start().starts_with(['|', '>']);
        match components::shape(element, self) {
            Shape::Inline(text) => out.text(&text),
            Shape::Block(text) if in_cell => {
                let lines =
                    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("{%"));
                out.text(&lines.collect::<Vec<_>>().join(" "));
            }
            Shape::Block(text) => out.block(&text),
            Shape::Content if element.is_block() && !in_cell => {
                let content = self.content(element);
                out.block(&content);
            }
            Shape::Content => {
                let text = self.nodes(&element.children);
                let is_paragraphs = text.trim().contains("\n\n");
                if is_paragraphs && !in_cell {
                    out.block(without_indent(&text).trim_matches('\n'));
                } else {
                    out.text(&text);
                }
            }
            Shape::Nothing => out.nothing(element.is_block()),
        }
    }
}

/// Markdown that is being written.
#[derive(Default)]
struct Out {
    text: String,
    /// Column of the last block if it was just written. Text after it begins a line at this column.
    after_block: Option<usize>,
}

impl Out {
    /// Returns the current line.
    fn line(&self) -> &str {
        self.text.rsplit('\n').next().unwrap_or_default()
    }

    fn text(&mut self, text: &str) {
        if let Some(column) = self.after_block {
            let trimmed = text.trim_start_matches([' ', '\t']);
            if trimmed.is_empty() {
                return;
            }
            self.after_block = None;
            // Text after the block begins a new line.
            if !trimmed.starts_with('\n') {
                self.text.extend(std::iter::repeat_n(' ', column));
                self.text.push_str(trimmed);
                return;
            }
        }
        self.text.push_str(text);
    }

    /// Writes a block with empty lines around it, at the column of the current line.
    fn block(&mut self, block: &str) {
        let block = block.trim_end_matches('\n');
        if block.trim().is_empty() {
            return self.nothing(true);
        }
        let line = self.line().to_owned();
        let column =
            if line.is_empty() { self.after_block.unwrap_or_default() } else { indent_of_content(&line) };
        if is_prefix(&line) && !line.trim().is_empty() {
            // After a list marker, the block begins on the same line.
            let mut lines = String::new();
            push_indented(&mut lines, block, column);
            self.text.push_str(lines.trim_start());
        } else {
            if line.trim().is_empty() {
                let kept = self.text.len() - line.len();
                self.text.truncate(kept);
            } else {
                self.text.push('\n');
            }
            if !self.text.is_empty() && !self.text.ends_with("\n\n") {
                self.text.push('\n');
            }
            push_indented(&mut self.text, block, column);
        }
        self.text.push_str("\n\n");
        self.after_block = Some(column);
    }

    /// Writes an element without output. If it is alone on its line, the line stays empty.
    fn nothing(&mut self, is_block: bool) {
        let line = self.line();
        if is_block && line.trim().is_empty() && !line.is_empty() {
            let kept = self.text.len() - line.len();
            self.text.truncate(kept);
        }
    }
}

/// The column at which the content of a line begins, after the marks of lists.
fn indent_of_content(line: &str) -> usize {
    if is_prefix(line) && !line.trim().is_empty() {
        return line.chars().count();
    }
    let columns = indent(line);
    let text = line.trim_start();
    let mark = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind = mark.strip_prefix(['.', ')', '-', '*', '+']).filter(|behind| behind.starts_with(' '));
    behind.map_or(columns, |behind| columns + text.len() - behind.trim_start().len())
}
