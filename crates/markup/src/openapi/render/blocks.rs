//! Blocks of specification pages.

use crate::document::{
    Block, BlockKind, Children, ContentRef, Document, Inline, Leaf, Mark, TableBuilder, Text,
};
use crate::headings;
use crate::limits::openapi::MAX_LISTING_BYTES;
use crate::markdown::{StableRefs, try_parse};
use crate::text::plain_text;
use serde_json::Map;

pub(super) fn text(text: impl Into<String>) -> Inline {
    Inline::text(text)
}

pub(super) fn code_text(code: impl Into<String>) -> Inline {
    let leaf = Leaf { text: code.into(), marks: vec![Mark::Code] };
    Inline::Text(Text { key: None, leaves: vec![leaf] })
}

/// Returns a link to another page.
pub(super) fn page_link(label: &str, page: &str) -> Inline {
    Inline::link(&ContentRef::Page { page: page.to_owned(), space: None }, vec![text(label)])
}

pub(super) fn paragraph(nodes: Vec<Inline>) -> Block {
    Block::paragraph(nodes)
}

/// Returns a heading with a rank as in Markdown.
pub(super) fn heading(rank: u8, title: impl Into<String>) -> Block {
    let kind = headings::kind_of(rank);
    Block::inlines(kind, vec![text(title)])
}

/// Returns a bulleted list of lines.
pub(super) fn list(items: Vec<Vec<Inline>>) -> Block {
    let items = items.into_iter().map(|item| Block::blocks(BlockKind::ListItem, vec![paragraph(item)]));
    Block::blocks(BlockKind::ListUnordered, items.collect())
}

/// Returns a call-out.
pub(super) fn hint(style: &str, nodes: Vec<Block>) -> Block {
    Block::blocks(BlockKind::Hint, nodes).with("style", style)
}

/// Returns a listing, truncated after the line that exceeds the bound.
pub(super) fn listing(syntax: &str, code: &str) -> Block {
    let mut bytes = 0_usize;
    let mut lines: Vec<&str> = Vec::new();
    for line in code.lines() {
        bytes = bytes.saturating_add(line.len());
        if bytes > MAX_LISTING_BYTES {
            lines.push("…");
            break;
        }
        lines.push(line);
    }
    Block::code(Some(syntax), lines)
}

/// Returns the blocks of a CommonMark text in the specification.
pub(super) fn markdown(source: Option<&str>) -> Vec<Block> {
    let Some(source) = source else { return Vec::new() };
    match try_parse(source, &StableRefs, &|| false) {
        Ok(document) => document.nodes,
        Err(_) => vec![listing("markdown", source)],
    }
}

/// Returns the blocks of a CommonMark text for a table cell. Blocks other than paragraphs become plain text.
pub(super) fn cell_markdown(source: Option<&str>) -> Vec<Block> {
    let nodes = markdown(source);
    if nodes.iter().all(|block| block.kind == BlockKind::Paragraph) {
        return nodes;
    }
    let plain = plain_text(&Document::new(nodes));
    let words: Vec<&str> = plain.split_whitespace().collect();
    vec![paragraph(vec![text(words.join(" "))])]
}

/// Joins paragraphs into one, which cells can express in every notation.
pub(super) fn joined(paragraphs: Vec<Block>) -> Vec<Block> {
    let mut line = Vec::new();
    for block in paragraphs {
        let Children::Inlines(nodes) = block.children else { continue };
        if !line.is_empty() && !nodes.is_empty() {
            line.push(text(" "));
        }
        line.extend(nodes);
    }
    if line.is_empty() { Vec::new() } else { vec![paragraph(line)] }
}

/// Builder of a table with given columns.
pub(super) struct Grid {
    table: TableBuilder,
    columns: Vec<String>,
    rows: usize,
}

impl Grid {
    pub(super) fn new(titles: &[&str]) -> Self {
        let mut table = TableBuilder::grid();
        let columns = titles.iter().map(|title| table.column(title, "text", Map::new(), false)).collect();
        Self { table, columns, rows: 0 }
    }

    pub(super) fn row(&mut self, cells: Vec<Vec<Block>>) {
        for (column, cell) in self.columns.iter().zip(cells) {
            self.table.cell(column, cell);
        }
        self.table.end_record();
        self.rows = self.rows.saturating_add(1);
    }

    pub(super) fn len(&self) -> usize {
        self.rows
    }

    /// Returns the table; `None` without rows.
    pub(super) fn build(self) -> Option<Block> {
        (self.rows > 0).then(|| self.table.build())
    }
}
