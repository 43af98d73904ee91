//! Rows of cells → table: the common end of the readers of HTML and DOCX.

use crate::document::{Alignment, Block, BlockKind, Inline, InlineKind, TableBuilder};
use crate::text::inline_text;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// More columns than this are one.
pub(crate) const MAX_COLUMNS: usize = 300;

/// A table as it is read. Cells know their columns, so that those which span others leave them empty.
#[derive(Default)]
pub(crate) struct Grid {
    /// Whether the first row has the titles of the columns.
    pub(crate) is_header: bool,
    pub(crate) rows: Vec<Vec<(usize, Vec<Block>)>>,
    /// Widths in pixels by column.
    pub(crate) widths: HashMap<usize, u32>,
    pub(crate) alignments: HashMap<usize, Alignment>,
}

impl Grid {
    /// Says how a column is aligned, unless that is known.
    pub(crate) fn align(&mut self, column: usize, alignment: Alignment) {
        self.alignments.entry(column).or_insert(alignment);
    }

    pub(crate) fn build(self) -> Block {
        let Self { is_header, rows, widths, alignments } = self;
        let width = rows.iter().flatten().map(|(column, _)| column + 1).max().unwrap_or(0);
        let mut rows = rows.into_iter();
        let mut titles = vec![String::new(); width];
        for (column, blocks) in rows.by_ref().take(usize::from(is_header)).flatten() {
            if let Some(title) = titles.get_mut(column) {
                *title = words(title, &blocks);
            }
        }
        let mut table = TableBuilder::grid();
        table.set_view("hideHeader", !is_header);
        let mut columns = Vec::with_capacity(width);
        let mut pixels = Map::new();
        for (at, title) in titles.iter().enumerate() {
            let alignment = alignments.get(&at).copied().unwrap_or(Alignment::Left).as_str();
            let properties = Map::from_iter([("textAlignment".to_owned(), Value::from(alignment))]);
            let id = table.column(title, "text", properties, false);
            if let Some(width) = widths.get(&at) {
                pixels.insert(id.clone(), (*width).into());
            }
            columns.push(id);
        }
        if !pixels.is_empty() {
            table.set_view("columnWidths", Value::Object(pixels));
        }
        for row in rows {
            // Cells past the last column share it.
            let mut contents: Vec<Vec<Block>> = vec![Vec::new(); width];
            for (column, blocks) in row {
                if let Some(content) = contents.get_mut(column) {
                    content.extend(blocks);
                }
            }
            for (column, content) in columns.iter().zip(contents) {
                table.cell(column, content);
            }
            table.end_record();
        }
        table.build()
    }
}

fn words(before: &str, blocks: &[Block]) -> String {
    let lines = blocks.iter().map(|block| inline_text(block.child_inlines()));
    let text = std::iter::once(before.to_owned()).chain(lines).collect::<Vec<_>>().join(" ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether what a header cell holds can be said in plain words.
pub(crate) fn is_plain(blocks: &[Block]) -> bool {
    let is_word = |inline: &Inline| match inline {
        Inline::Text(_) => true,
        Inline::Node(node) => node.kind == InlineKind::Link,
    };
    let is_line =
        |block: &Block| block.kind == BlockKind::Paragraph && block.child_inlines().iter().all(is_word);
    blocks.len() <= 2 && blocks.iter().all(is_line)
}
