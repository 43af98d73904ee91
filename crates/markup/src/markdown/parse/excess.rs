//! Cells of a row beyond the columns of the header. comrak omits them, but no word of a text may be lost.

use super::Source;
use crate::document::{Block, BlockKind, Inline, MAX_COLUMNS};

/// Returns the non-blank cells of a row beyond `columns`, with their columns. Cells past the maximum number of columns
/// of a table are merged.
pub(super) fn cells(text: &str, columns: usize) -> Vec<(usize, String)> {
    if text.bytes().filter(|byte| *byte == b'|').count() < columns {
        return Vec::new();
    }
    let parts = split(text);
    let (own, past) = parts.split_at(parts.len().min(columns.max(MAX_COLUMNS - 1)));
    let own = own.iter().copied().map(str::to_owned).enumerate().skip(columns);
    let past = (!past.is_empty()).then(|| (MAX_COLUMNS - 1, past.join(" | ")));
    own.chain(past).filter(|(_, cell)| !cell.trim().is_empty()).collect()
}

/// Splits a row into its cells as comrak does, at bars without a backslash before them.
fn split(row: &str) -> Vec<&str> {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    let bytes = row.as_bytes();
    let mut cells = Vec::new();
    let mut from = 0;
    for (at, _) in row.match_indices('|') {
        if at.checked_sub(1).and_then(|before| bytes.get(before)) != Some(&b'\\') {
            cells.push(row.get(from..at).unwrap_or_default());
            from = at + 1;
        }
    }
    let last = row.get(from..).unwrap_or_default();
    if !last.trim().is_empty() {
        cells.push(last);
    }
    cells
}

/// Reads a cell as a line of text, or as plain words if it contains other blocks.
pub(super) fn read(source: Source<'_>, cell: &str, depth: usize) -> Vec<Block> {
    let text = without_escaped_bars(&source.restore(cell.trim()));
    let blocks = super::line(&text, source.refs, depth);
    match blocks.as_slice() {
        [only] if only.kind == BlockKind::Paragraph => blocks,
        _ => vec![Block::paragraph(vec![Inline::text(text)])],
    }
}

/// Removes the backslash before bars. A backslash before another backslash is no escape.
fn without_escaped_bars(cell: &str) -> String {
    let mut out = String::with_capacity(cell.len());
    let mut characters = cell.chars();
    while let Some(character) = characters.next() {
        let next = if character == '\\' { characters.next() } else { None };
        if next != Some('|') {
            out.push(character);
        }
        out.extend(next);
    }
    out
}
