//! Tables.

use super::dom::{Element, Id};
use super::flow::{Flow, Reader};
use super::scope::Scope;
use crate::document::{Block, MAX_COLUMNS, Mark};
use crate::grid::{self, Grid};
use crate::limits::html::MAX_ALIGNMENT_ROWS;

/// Row of the source.
struct Row {
    id: Id,
    /// The row is in the table's head.
    head: bool,
}

/// Cell with its position.
struct Cell<'d> {
    id: Id,
    element: &'d Element,
    column: usize,
}

/// Parts of a table.
#[derive(Default)]
struct Parts {
    rows: Vec<Row>,
    captions: Vec<Id>,
}

impl<'d> Reader<'d, '_> {
    /// Reads a table. Returns whether it is one, as opposed to a layout table.
    pub(super) fn table(&mut self, id: Id, element: &Element, flow: &mut Flow, scope: &Scope) -> bool {
        let mut parts = Parts::default();
        self.parts(id, false, &mut parts);
        let cells = self.cells(&parts.rows);
        if is_arrangement(element, &cells) {
            return false;
        }
        flow.end_line(None);
        for caption in &parts.captions {
            let nodes = self.line(*caption, scope);
            flow.blocks.extend(crate::lines::paragraph(nodes));
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
        let in_head = parts.rows.first().is_some_and(|row| row.head);
        flow.blocks.extend(self.build(rows, in_head));
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

    /// Assigns each cell its column: cells that span rows shift the cells below.
    fn cells(&self, rows: &[Row]) -> Vec<Vec<Cell<'d>>> {
        let dom = self.dom;
        // For each column, the number of further rows that its cell spans.
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
                let index = column.min(MAX_COLUMNS - 1);
                line.push(Cell { id, element, column: index });
                let span = span(element, "colspan").clamp(1, MAX_COLUMNS - index);
                // A span of 0 means all following rows.
                let down = span_down(element).min(rows.len());
                reach.push((index, span, down));
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
            self.anchors.add(anchor);
        }
        let mut format = self.styles.look(cell.element).apply_to_block(scope);
        if cell.element.name() == "th" {
            // A row header is bold, unless its row becomes the header of the table, whose titles are plain.
            format.add(Mark::Bold);
        }
        self.blocks(cell.id, &scope.with_format(format))
    }

    fn build(&self, rows: Vec<Vec<(Cell<'_>, Vec<Block>)>>, in_head: bool) -> Vec<Block> {
        let is_header = rows.first().is_some_and(|row| {
            let by_name = row.iter().all(|(cell, _)| cell.element.name() == "th") && rows.len() > 1;
            (by_name || in_head) && row.iter().all(|(_, blocks)| grid::is_plain(blocks))
        });
        let mut table = Grid { is_header, ..Grid::default() };
        for (cell, _) in rows.iter().take(MAX_ALIGNMENT_ROWS).flatten() {
            if let Some(alignment) = self.styles.look(cell.element).column_align(cell.element) {
                table.align(cell.column, alignment);
            }
        }
        for (cell, _) in rows.first().into_iter().flatten() {
            let width =
                cell.element.get("width").and_then(|width| width.trim_end_matches("px").parse::<u32>().ok());
            if let Some(width) = width {
                table.widths.insert(cell.column, width);
            }
        }
        let cells = |row: Vec<(Cell<'_>, Vec<Block>)>| {
            row.into_iter().map(|(cell, blocks)| (cell.column, blocks)).collect()
        };
        table.rows = rows.into_iter().map(cells).collect();
        table.build()
    }
}

/// Returns whether a table is a layout table: declared as one, or with a single cell.
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
