//! Comma-separated values as a Markdown table.

use crate::spool::Content;

/// More rows than this are no table that anybody reads, and take a document's memory many times over.
const MAX_ROWS: usize = 5_000;
/// As many columns as tables of HTML pages and Word documents have at most.
const MAX_COLUMNS: usize = 300;
/// Bytes that are read of a database: as many as a page may have.
pub(crate) const MAX_BYTES: usize = 4 * 1024 * 1024;
/// Cells of one table, empty ones included: every row is as wide as the widest, and a cell takes a kilobyte of a document's memory.
const MAX_CELLS: usize = 100_000;
/// Cells of one table that are not empty: a paragraph with a link or two each, they keep within the nodes of a document.
const MAX_FILLED_CELLS: usize = 20_000;

/// Cells that the tables of an import may still have. A few bytes can ask for a wide table, and an import holds thousands of files.
#[derive(Debug)]
pub(crate) struct CellBudget(usize);

impl Default for CellBudget {
    fn default() -> Self {
        Self(500_000)
    }
}

/// A database as a text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Table {
    /// The Markdown; empty when there are no rows.
    pub(crate) markdown: String,
    /// Its rows, the head included.
    pub(crate) rows: usize,
    /// Its columns.
    pub(crate) columns: usize,
    /// Whether values have more rows or columns than the table.
    pub(crate) is_cut: bool,
}

/// The lines at the beginning of a file of values that are read for a table. The flag tells whether there are more.
pub(crate) fn beginning(content: &Content) -> std::io::Result<(bytes::Bytes, bool)> {
    let mut bytes = content.head(MAX_BYTES)?;
    let is_cut = content.len() > bytes.len();
    if is_cut && let Some(end) = bytes.iter().rposition(|byte| *byte == b'\n') {
        bytes.truncate(end);
    }
    Ok((bytes, is_cut))
}

/// The table of a CSV text, its first row the head. `link` gives the address of what a cell of the first column names.
pub(super) fn table(text: &str, budget: &mut CellBudget, link: impl Fn(&str) -> Option<String>) -> Table {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let most = budget.0.min(MAX_CELLS);
    let (mut rows, mut columns, mut filled, mut is_cut) = (Vec::new(), 0, 0, false);
    for mut row in reader.records().map_while(Result::ok) {
        is_cut |= row.len() > MAX_COLUMNS;
        row.truncate(MAX_COLUMNS);
        let wider = columns.max(row.len());
        filled += row.iter().filter(|cell| !cell.is_empty()).count();
        if rows.len() == MAX_ROWS || (rows.len() + 1) * wider > most || filled > MAX_FILLED_CELLS {
            is_cut = true;
            break;
        }
        columns = wider;
        rows.push(row);
    }
    budget.0 = budget.0.saturating_sub(rows.len() * columns);
    Table { markdown: markdown(&rows, columns, link), rows: rows.len(), columns, is_cut }
}

fn markdown(rows: &[csv::StringRecord], columns: usize, link: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::new();
    for (index, row) in rows.iter().enumerate() {
        for column in 0..columns {
            let cell = row.get(column).unwrap_or_default().trim();
            let address = if column == 0 && index > 0 { link(cell) } else { None };
            out.push_str(if column == 0 { "| " } else { " | " });
            match address {
                Some(address) => out.push_str(&format!("[{}](<{address}>)", escaped(cell))),
                None => out.push_str(&escaped(cell)),
            }
        }
        out.push_str(" |\n");
        if index == 0 {
            out.push_str(&"| --- ".repeat(columns));
            out.push_str("|\n");
        }
    }
    out
}

/// Text as Markdown that reads the same, on one line. Addresses stay as they are, so that they become links.
pub(super) fn escaped(text: &str) -> String {
    let is_address = text.starts_with("https://") || text.starts_with("http://");
    if is_address && !text.contains(['|', '<', '>', ' ', '\n']) {
        return format!("<{text}>");
    }
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => out.push_str("<br>"),
            '\r' => {}
            other => {
                if other.is_ascii_punctuation() {
                    out.push('\\');
                }
                out.push(other);
            }
        }
    }
    out
}
