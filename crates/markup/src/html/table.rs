//! Tables.

use super::dom::{Element, Id};
use super::flow::{Flow, Reader, Scope};
use crate::document::{Alignment, Block, BlockKind, Mark, TableBuilder};
use crate::text::inline_text;
use serde_json::{Map, Value};

/// More columns than this are one.
const MAX_COLUMNS: usize = 300;

/// A row as it is written.
struct Row {
    id: Id,
    /// Whether it is in the table's head.
    head: bool,
}

/// A cell with its place.
struct Cell<'d> {
    id: Id,
    element: &'d Element,
    column: usize,
}

/// What stands in a table beside of its rows.
#[derive(Default)]
struct Parts {
    rows: Vec<Row>,
    captions: Vec<Id>,
}

impl<'d> Reader<'d, '_> {
    /// Reads a table. `false` when it only arranges what is in it.
    pub(super) fn table(&mut self, id: Id, element: &Element, flow: &mut Flow, scope: &Scope) -> bool {
        let mut parts = Parts::default();
        self.parts(id, false, &mut parts);
        let cells = self.place(&parts.rows);
        if is_arrangement(element, &cells) {
            return false;
        }
        flow.end_line(None);
        for caption in &parts.captions {
            let nodes = self.line(*caption, scope);
            flow.blocks.extend(super::media::paragraph(nodes));
        }
        let inner = scope.deeper(2);
        let mut rows: Vec<Vec<(Cell<'d>, Vec<Block>)>> = Vec::new();
        for row in cells {
            let read = |cell: Cell<'d>| {
                let nodes = self.cell(&cell, &inner);
                (cell, nodes)
            };
            rows.push(row.into_iter().map(read).collect());
        }
        let heads = parts.rows.iter().map(|row| row.head);
        flow.blocks.push(self.build(rows, heads.collect()));
        true
    }

    /// Collects rows and captions.
    fn parts(&self, id: Id, head: bool, parts: &mut Parts) {
        for (child, element) in self.dom.child_elements(id) {
            match element.name() {
                _ if self.is_silent(element) => {}
                "caption" => parts.captions.push(child),
                "thead" => self.parts(child, true, parts),
                "tbody" | "tfoot" => self.parts(child, false, parts),
                "tr" => parts.rows.push(Row { id: child, head }),
                _ => {}
            }
        }
    }

    /// Finds the column of each cell: cells that span rows push those below aside.
    fn place(&self, rows: &[Row]) -> Vec<Vec<Cell<'d>>> {
        let dom = self.dom;
        // For each column, how many more rows the cell in it reaches down.
        let mut taken: Vec<usize> = Vec::new();
        let mut placed = Vec::with_capacity(rows.len());
        for row in rows {
            let mut line = Vec::new();
            let mut column = 0;
            let mut reach: Vec<(usize, usize, usize)> = Vec::new();
            for (id, element) in
                dom.child_elements(row.id).filter(|(_, cell)| matches!(cell.name(), "td" | "th"))
            {
                while taken.get(column).is_some_and(|rows| *rows > 0) {
                    column += 1;
                }
                let place = column.min(MAX_COLUMNS - 1);
                line.push(Cell { id, element, column: place });
                let span = span(element, "colspan").clamp(1, MAX_COLUMNS - place);
                // A span of none means all rows that follow.
                let down = span_down(element).min(rows.len());
                reach.push((place, span, down));
                column += span;
            }
            taken.iter_mut().for_each(|rows| *rows = rows.saturating_sub(1));
            for (from, span, down) in reach.into_iter().filter(|(_, _, down)| *down > 1) {
                if taken.len() < from + span {
                    taken.resize(from + span, 0);
                }
                taken.iter_mut().skip(from).take(span).for_each(|rows| *rows = (*rows).max(down - 1));
            }
            placed.push(line);
        }
        placed
    }

    fn cell(&mut self, cell: &Cell<'_>, scope: &Scope) -> Vec<Block> {
        if let Some(anchor) = cell.element.get("id") {
            self.anchors.place(anchor);
        }
        let mut format = self.styles.look(cell.element).apply_to_block(scope);
        if cell.element.name() == "th" {
            // The head of a row, unless it turns out to be one of columns, whose titles are plain.
            format.add(Mark::Bold);
        }
        self.blocks(cell.id, &scope.with_format(format))
    }

    fn build(&self, rows: Vec<Vec<(Cell<'_>, Vec<Block>)>>, heads: Vec<bool>) -> Block {
        let width = rows.iter().flatten().map(|(cell, _)| cell.column + 1).max().unwrap_or(0);
        let first = rows.first();
        let is_header = first.is_some_and(|row| {
            let by_name = row.iter().all(|(cell, _)| cell.element.name() == "th") && rows.len() > 1;
            let in_head = heads.first().is_some_and(|head| *head);
            (by_name || in_head) && row.iter().all(|(_, blocks)| is_plain(blocks))
        });
        let mut titles = vec![String::new(); width];
        let mut widths = Map::new();
        let mut alignments: Vec<Option<Alignment>> = vec![None; width];
        for (cell, _) in rows.iter().take(20).flatten() {
            if let Some(alignment) = alignments.get_mut(cell.column).filter(|known| known.is_none()) {
                *alignment = self.styles.look(cell.element).column_align(cell.element);
            }
        }
        for (cell, blocks) in first.into_iter().flatten() {
            if let (true, Some(title)) = (is_header, titles.get_mut(cell.column)) {
                let lines: Vec<String> =
                    blocks.iter().map(|block| inline_text(block.child_inlines())).collect();
                *title = super::page::words(&format!("{title} {}", lines.join(" ")));
            }
            if let Some(width) =
                cell.element.get("width").and_then(|width| width.trim_end_matches("px").parse::<u32>().ok())
            {
                widths.insert(format!("c{}", cell.column + 1), width.into());
            }
        }
        let mut table = TableBuilder::grid();
        table.set_view("hideHeader", !is_header);
        let mut columns = Vec::with_capacity(width);
        for (title, alignment) in titles.iter().zip(&alignments) {
            let alignment = alignment.unwrap_or(Alignment::Left).as_str();
            let properties = Map::from_iter([("textAlignment".to_owned(), Value::from(alignment))]);
            columns.push(table.column(title, "text", properties, false));
        }
        if !widths.is_empty() {
            table.set_view("columnWidths", Value::Object(widths));
        }
        for row in rows.into_iter().skip(usize::from(is_header)) {
            // Cells past the last column share it.
            let mut contents: Vec<Vec<Block>> = vec![Vec::new(); width];
            for (cell, blocks) in row {
                if let Some(content) = contents.get_mut(cell.column) {
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

/// Whether what a header cell holds can be said in plain words.
fn is_plain(blocks: &[Block]) -> bool {
    let has_picture = |block: &Block| {
        block.child_inlines().iter().any(|inline| matches!(inline, crate::document::Inline::Node(node) if node.kind != crate::document::InlineKind::Link))
    };
    blocks.len() <= 2 && blocks.iter().all(|block| block.kind == BlockKind::Paragraph && !has_picture(block))
}

/// Whether a table arranges content that isn't one: it says so, or has but one cell.
fn is_arrangement(element: &Element, rows: &[Vec<Cell<'_>>]) -> bool {
    let cells = rows.iter().map(Vec::len).sum::<usize>();
    cells <= 1 || matches!(element.get("role"), Some("presentation" | "none"))
}

fn span(element: &Element, name: &str) -> usize {
    element.get(name).and_then(|span| span.trim().parse().ok()).unwrap_or(1)
}

fn span_down(element: &Element) -> usize {
    match span(element, "rowspan") {
        0 => usize::MAX,
        rows => rows,
    }
}
