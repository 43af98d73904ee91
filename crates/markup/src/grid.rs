//! Rows of cells → table: the common end of the readers of HTML and DOCX.

use crate::document::{
    Alignment, Block, BlockKind, Inline, InlineKind, MAX_CELLS, MAX_COLUMNS, TableBuilder,
};
use crate::limits::document::{MAX_CELLS_PER_WRITTEN, MAX_FREE_EMPTY_CELLS};
use crate::text::inline_text;
use serde_json::{Map, Value};
use std::collections::HashMap;

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

    /// The table; several below each other when it is larger than one may be.
    pub(crate) fn build(self) -> Vec<Block> {
        let Self { is_header, rows, widths, alignments } = self;
        let mut rows = rows.into_iter();
        let mut heads: Vec<Vec<Block>> = Vec::new();
        for (column, blocks) in rows.by_ref().take(usize::from(is_header)).flatten() {
            if heads.len() <= column {
                heads.resize(column + 1, Vec::new());
            }
            if let Some(head) = heads.get_mut(column) {
                head.extend(blocks);
            }
        }
        let titles: Vec<String> = heads.iter().map(|blocks| words(blocks)).collect();
        let mut rows: Vec<Vec<(usize, Vec<Block>)>> = rows.collect();
        let all = rows
            .iter()
            .fold(Shape::of_header(titles.len()), |shape, row| shape.and(width_of(row), row.len()));
        if all.is_sparse() {
            // What spans columns leaves them empty. Masses of them are given up: cells stand side by side.
            for row in &mut rows {
                row.iter_mut().enumerate().for_each(|(at, (column, _))| *column = at.min(MAX_COLUMNS - 1));
            }
        }
        let sheet = Sheet { is_header, titles: &titles, widths: &widths, alignments: &alignments };
        let tables = cut(titles.len(), rows, width_of);
        tables.map(|(least, rows)| sheet.table(least, rows)).collect()
    }
}

fn width_of(row: &[(usize, Vec<Block>)]) -> usize {
    row.iter().map(|(column, _)| column + 1).max().unwrap_or(0)
}

/// What the parts of a table that is cut have in common.
struct Sheet<'g> {
    is_header: bool,
    titles: &'g [String],
    widths: &'g HashMap<usize, u32>,
    alignments: &'g HashMap<usize, Alignment>,
}

impl Sheet<'_> {
    /// A table of some rows, at least so many columns wide.
    fn table(&self, least: usize, rows: Vec<Vec<(usize, Vec<Block>)>>) -> Block {
        let width = rows.iter().map(|row| width_of(row)).max().unwrap_or(0).max(least);
        let mut table = TableBuilder::grid();
        table.set_view("hideHeader", !self.is_header);
        let mut columns = Vec::with_capacity(width);
        let mut pixels = Map::new();
        for at in 0..width {
            let title = self.titles.get(at).map_or("", String::as_str);
            let alignment = self.alignments.get(&at).copied().unwrap_or(Alignment::Left).as_str();
            let properties = Map::from_iter([("textAlignment".to_owned(), Value::from(alignment))]);
            let id = table.column(title, "text", properties, false);
            if let Some(width) = self.widths.get(&at) {
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

/// How many cells the rows of a table have, and how many it has with those that are empty because other rows are longer.
#[derive(Clone, Copy, Default)]
struct Shape {
    rows: usize,
    width: usize,
    written: usize,
}

impl Shape {
    /// The shape with one more row.
    fn and(self, width: usize, written: usize) -> Self {
        Self { rows: self.rows + 1, width: self.width.max(width), written: self.written + written }
    }

    /// The shape of a table that has nothing but a header.
    fn of_header(width: usize) -> Self {
        Self { rows: 0, width, written: width }
    }

    fn cells(self) -> usize {
        self.width.saturating_mul(self.rows)
    }

    /// Whether a few rows are so much longer than all the others that they fill the table with emptiness.
    fn is_sparse(self) -> bool {
        self.cells() > MAX_FREE_EMPTY_CELLS + MAX_CELLS_PER_WRITTEN * self.written
    }

    fn is_one_table(self) -> bool {
        self.cells() <= MAX_CELLS && !self.is_sparse()
    }
}

/// Cuts rows into as many tables as they need, one at least, each with the least number of columns that it has: the first those of the header.
pub(crate) fn cut<C>(
    header: usize,
    rows: Vec<Vec<C>>,
    width: impl Fn(&[C]) -> usize,
) -> impl Iterator<Item = (usize, Vec<Vec<C>>)> {
    let mut tables = vec![(header, Vec::new())];
    let mut shape = Shape::of_header(header);
    for row in rows {
        let alone = Shape::default().and(width(&row), row.len());
        shape = shape.and(width(&row), row.len());
        match tables.last_mut() {
            Some((_, table)) if table.is_empty() || shape.is_one_table() => table.push(row),
            _ => {
                shape = alone;
                tables.push((0, vec![row]));
            }
        }
    }
    tables.into_iter()
}

fn words(blocks: &[Block]) -> String {
    let lines: Vec<String> = blocks.iter().map(|block| inline_text(block.child_inlines())).collect();
    lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
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
