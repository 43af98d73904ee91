//! Tables with merged cells (17.4).

use super::body::Reader;
use super::xml::{attribute, child, is_word, toggle, value};
use crate::document::{Alignment, Block, BlockKind, Children, Inline, MAX_COLUMNS, Mark};
use crate::grid::{self, Grid};
use crate::inline_builder::{Format, InlineBuilder};
use roxmltree::Node;

/// Twips (twentieths of a point) in a pixel.
const TWIPS: u32 = 15;

impl Reader<'_> {
    /// Reads a table. A table with a single cell is a box: only the content of the cell is returned.
    pub(super) fn table(&mut self, table: Node<'_, '_>) -> Vec<Block> {
        let mut rows = Vec::new();
        collect(table, "tr", &mut rows);
        rows.retain(|row| child(*row, "trPr").is_none_or(|properties| child(properties, "del").is_none()));
        let mut cells: Vec<Vec<Node<'_, '_>>> = Vec::new();
        for row in &rows {
            let mut line = Vec::new();
            collect(*row, "tc", &mut line);
            cells.push(line);
        }
        if let ([cell], 1) = (cells.iter().flatten().copied().collect::<Vec<_>>().as_slice(), cells.len()) {
            return self.blocks_below(*cell, 0);
        }
        let mut grid = Grid::default();
        for (row, cells) in rows.iter().zip(cells) {
            let line = self.row(*row, cells, &mut grid);
            grid.rows.push(line);
        }
        grid.rows.retain(|row| !row.is_empty());
        if grid.rows.is_empty() {
            return Vec::new();
        }
        grid.is_header = is_header(table, rows.first().copied(), &grid);
        if grid.is_header
            && let Some(first) = grid.rows.first_mut()
        {
            first.iter_mut().flat_map(|(_, blocks)| blocks).for_each(plain);
        }
        let widths = child(table, "tblGrid")
            .into_iter()
            .flat_map(|grid| grid.children().filter(|col| is_word(*col, "gridCol")));
        for (column, width) in widths.take(MAX_COLUMNS).enumerate() {
            if let Some(twips) =
                attribute(width, "w").and_then(|width| width.parse::<u32>().ok()).filter(|twips| *twips > 0)
            {
                grid.widths.insert(column, twips / TWIPS);
            }
        }
        grid.build()
    }

    fn row(
        &mut self,
        row: Node<'_, '_>,
        cells: Vec<Node<'_, '_>>,
        grid: &mut Grid,
    ) -> Vec<(usize, Vec<Block>)> {
        let number = |node: Option<Node<'_, '_>>, name: &str| {
            node.and_then(|node| value(node, name)?.parse::<usize>().ok())
        };
        let mut column = number(child(row, "trPr"), "gridBefore").unwrap_or(0).min(MAX_COLUMNS);
        let mut line = Vec::new();
        for cell in cells {
            let properties = child(cell, "tcPr");
            let index = column.min(MAX_COLUMNS - 1);
            column += number(properties, "gridSpan").unwrap_or(1).clamp(1, MAX_COLUMNS);
            // A continued cell of a vertical merge has no content of its own.
            let merge = properties.and_then(|properties| child(properties, "vMerge"));
            let continues =
                merge.is_some_and(|merge| attribute(merge, "val").unwrap_or("continue") == "continue");
            let is_deleted = properties.is_some_and(|properties| child(properties, "cellDel").is_some());
            if continues || is_deleted {
                line.push((index, Vec::new()));
                continue;
            }
            let mut blocks: Vec<Block> = self.blocks_below(cell, 2).into_iter().map(in_cell).collect();
            for block in &mut blocks {
                if block.kind != BlockKind::Paragraph {
                    continue;
                }
                // Documents align columns of tables, not lines in them.
                match block.data.remove("align").as_ref().and_then(|align| align.as_str()) {
                    Some("center") => grid.align(index, Alignment::Center),
                    Some("end") => grid.align(index, Alignment::Right),
                    _ => grid.align(index, Alignment::Left),
                }
            }
            line.push((index, blocks));
        }
        line
    }
}

/// Returns a block for a cell. A listing of one line becomes inline code.
fn in_cell(block: Block) -> Block {
    match block.child_blocks() {
        [line] if block.kind == BlockKind::Code && block.data.is_empty() => {
            let text = crate::text::inline_text(line.child_inlines());
            let mut builder = InlineBuilder::default();
            builder.text(&text, &Format { marks: vec![Mark::Code], ..Format::default() });
            Block::paragraph(builder.finish_line())
        }
        _ => block,
    }
}

/// Collects rows or cells, also those in content controls and change marks.
fn collect<'a, 'i>(node: Node<'a, 'i>, name: &str, found: &mut Vec<Node<'a, 'i>>) {
    let mut stack: Vec<Node<'a, 'i>> = node.children().filter(Node::is_element).collect();
    stack.reverse();
    while let Some(inner) = stack.pop() {
        if is_word(inner, name) {
            found.push(inner);
        } else if matches!(
            inner.tag_name().name(),
            "sdt" | "sdtContent" | "ins" | "moveTo" | "customXml" | "smartTag"
        ) {
            let children: Vec<Node<'a, 'i>> = inner.children().filter(Node::is_element).collect();
            stack.extend(children.into_iter().rev());
        }
    }
}

/// Returns whether the first row is a header: marked as one, styled as one, or all bold.
fn is_header(table: Node<'_, '_>, first: Option<Node<'_, '_>>, grid: &Grid) -> bool {
    let Some(row) = grid
        .rows
        .first()
        .filter(|row| grid.rows.len() > 1 && row.iter().all(|(_, blocks)| grid::is_plain(blocks)))
    else {
        return false;
    };
    let is_marked =
        first.and_then(|row| child(row, "trPr")).and_then(|properties| toggle(properties, "tblHeader"));
    let properties = child(table, "tblPr");
    let style = properties.and_then(|properties| value(properties, "tblStyle")).unwrap_or("TableGrid");
    let look = properties.and_then(|properties| child(properties, "tblLook"));
    // Older programs write the look as bits; this bit is the first row (17.4.55).
    let bits = look
        .and_then(|look| u32::from_str_radix(attribute(look, "val")?, 16).ok())
        .is_some_and(|bits| bits & 0x20 != 0);
    let is_shown = look.is_some_and(|look| attribute(look, "firstRow").map_or(bits, |first| first == "1"));
    let is_styled = is_shown && !matches!(style, "TableGrid" | "TableNormal" | "a3" | "Tabellenraster");
    let is_bold = |inline: &Inline| match inline {
        Inline::Text(text) => {
            text.leaves.iter().all(|leaf| leaf.marks.contains(&Mark::Bold) || leaf.text.trim().is_empty())
        }
        Inline::Node(_) => false,
    };
    let all_bold = row.iter().any(|(_, blocks)| !blocks.is_empty())
        && row.iter().flat_map(|(_, blocks)| blocks).flat_map(Block::child_inlines).all(is_bold);
    is_marked == Some(true) || is_styled || all_bold
}

/// Removes bold from header text, since its position marks it as a header.
fn plain(block: &mut Block) {
    if let Children::Inlines(nodes) = &mut block.children {
        for inline in nodes {
            if let Inline::Text(text) = inline {
                text.leaves.iter_mut().for_each(|leaf| leaf.marks.retain(|mark| *mark != Mark::Bold));
            }
        }
    }
}
