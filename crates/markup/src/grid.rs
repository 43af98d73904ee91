//! Rows of cells → table, shared by the readers of HTML and DOCX.

use crate::document::{
    Alignment, Block, BlockKind, Inline, InlineKind, MAX_CELLS, MAX_COLUMNS, TableBuilder,
};
use crate::limits::document::{MAX_CELLS_PER_WRITTEN, MAX_FREE_EMPTY_CELLS};
use crate::text::inline_text;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// Table under construction. Cells carry their column, so that spanned columns stay empty.
#[derive(Default)]
pub(crate) struct Grid {
    /// The first row contains the titles of the columns.
    pub(crate) is_header: bool,
    pub(crate) rows: Vec<Vec<(usize, Vec<Block>)>>,
    /// Widths in pixels by column.
    pub(crate) widths: HashMap<usize, u32>,
    pub(crate) alignments: HashMap<usize, Alignment>,
}

impl Grid {
    /// Sets the alignment of a column, unless it is already set.
    pub(crate) fn align(&mut self, column: usize, alignment: Alignment) {
        self.alignments.entry(column).or_insert(alignment);
    }

    /// Returns the table, split into several if it exceeds the limits.
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
            // Spanned columns stay empty. A row with too many empty ones loses its spans, and its cells become
            // adjacent.
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

/// Properties shared by the parts of a split table.
struct Sheet<'g> {
    is_header: bool,
    titles: &'g [String],
    widths: &'g HashMap<usize, u32>,
    alignments: &'g HashMap<usize, Alignment>,
}

impl Sheet<'_> {
    /// Returns a table of some rows with at least `least` columns.
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
            // Cells past the last column are merged into it.
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

/// Cell counts of a table: the written cells, and all cells of the rectangle, some of which are empty because other
/// rows are longer.
#[derive(Clone, Copy, Default)]
struct Shape {
    rows: usize,
    width: usize,
    written: usize,
}

impl Shape {
    /// Returns the shape with one more row.
    fn and(self, width: usize, written: usize) -> Self {
        Self { rows: self.rows + 1, width: self.width.max(width), written: self.written + written }
    }

    /// Returns the shape of a table with only a header.
    fn of_header(width: usize) -> Self {
        Self { rows: 0, width, written: width }
    }

    fn cells(self) -> usize {
        self.width.saturating_mul(self.rows)
    }

    /// Returns whether a few rows are so much longer than the others that the table would be mostly empty.
    fn is_sparse(self) -> bool {
        self.cells() > MAX_FREE_EMPTY_CELLS + MAX_CELLS_PER_WRITTEN * self.written
    }

    fn is_one_table(self) -> bool {
        self.cells() <= MAX_CELLS && !self.is_sparse()
    }
}

/// Splits rows into as few tables as the limits allow, at least one, each with its minimum number of columns. The first
/// one includes the columns of the header.
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

/// Returns whether the content of a header cell is plain text.
pub(crate) fn is_plain(blocks: &[Block]) -> bool {
    let is_word = |inline: &Inline| match inline {
        Inline::Text(_) => true,
        Inline::Node(node) => node.kind == InlineKind::Link,
    };
    let is_line =
        |block: &Block| block.kind == BlockKind::Paragraph && block.child_inlines().iter().all(is_word);
    blocks.len() <= 2 && blocks.iter().all(is_line)
}
