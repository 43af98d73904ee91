//! Conversion of comma-separated values to Markdown tables.

use quire_markup::markdown;

use crate::spool::Content;

/// Maximum number of rows of a table. Larger ones are unreadable and take several times the memory of a document.
const MAX_ROWS: usize = 5_000;
/// Columns of a table, as for tables of HTML pages and Word documents.
const MAX_COLUMNS: usize = 300;
/// Maximum bytes of a database to read, the same as of a page.
pub(crate) const MAX_BYTES: usize = 4 * 1024 * 1024;
/// Cells of one table, empty ones included: every row is as wide as the widest, and a cell takes a kilobyte of memory.
const MAX_CELLS: usize = 100_000;
/// Non-empty cells of one table. With a paragraph and a link or two each, they stay within the nodes of a document.
const MAX_FILLED_CELLS: usize = 20_000;

/// Remaining table cells of an import. A few bytes can describe a wide table, and an import may have thousands of
/// files.
#[derive(Debug)]
pub(crate) struct CellBudget(usize);

impl Default for CellBudget {
    fn default() -> Self {
        Self(500_000)
    }
}

/// A database as Markdown.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Table {
    /// The Markdown; empty without rows.
    pub(crate) markdown: String,
    /// Number of rows, the header included.
    pub(crate) rows: usize,
    /// Number of columns.
    pub(crate) columns: usize,
    /// The source has more rows or columns than the table.
    pub(crate) is_cut: bool,
}

/// Returns the first lines of a file of values, which are read for a table. The flag is true if there are more.
pub(crate) fn beginning(content: &Content) -> std::io::Result<(bytes::Bytes, bool)> {
    let mut bytes = content.head(MAX_BYTES)?;
    let is_cut = content.len() > bytes.len();
    if is_cut && let Some(end) = bytes.iter().rposition(|byte| *byte == b'\n') {
        bytes.truncate(end);
    }
    Ok((bytes, is_cut))
}

/// Returns the table of a CSV text with its first row as header. `read` returns the Markdown of a cell with links; its
/// flag is true for cells of the first column.
pub(super) fn table(
    text: &str,
    budget: &mut CellBudget,
    read: impl Fn(&str, bool) -> Option<String>,
) -> Table {
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
    Table { markdown: markdown(&rows, columns, read), rows: rows.len(), columns, is_cut }
}

fn markdown(
    rows: &[csv::StringRecord],
    columns: usize,
    read: impl Fn(&str, bool) -> Option<String>,
) -> String {
    let mut out = String::new();
    for (index, row) in rows.iter().enumerate() {
        for column in 0..columns {
            let cell = row.get(column).unwrap_or_default().trim();
            let linked = if index > 0 { read(cell, column == 0) } else { None };
            out.push_str(if column == 0 { "| " } else { " | " });
            out.push_str(&linked.unwrap_or_else(|| escaped(cell)));
        }
        out.push_str(" |\n");
        if index == 0 {
            out.push_str(&"| --- ".repeat(columns));
            out.push_str("|\n");
        }
    }
    out
}

/// Escapes text as Markdown on one line. Addresses are not escaped, so that they become links.
pub(super) fn escaped(text: &str) -> String {
    let is_address = text.starts_with("https://") || text.starts_with("http://");
    if is_address && !text.contains(['|', '<', '>', ' ', '\n']) {
        return format!("<{text}>");
    }
    markdown::escaped(text).replace('\r', "").replace('\n', "<br>")
}
