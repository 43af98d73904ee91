//! Comma-separated values as a Markdown table.

/// More rows than this are no table that anybody reads, and take a document's memory many times over.
const MAX_ROWS: usize = 5_000;

/// The table of a CSV text, its first row the head. `link` gives the address of what a cell of the first column names.
pub(super) fn markdown(text: &str, link: impl Fn(&str) -> Option<String>) -> String {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map_while(Result::ok).take(MAX_ROWS).collect();
    let width = rows.iter().map(csv::StringRecord::len).max().unwrap_or_default();
    let mut out = String::new();
    for (index, row) in rows.iter().enumerate() {
        for column in 0..width {
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
            out.push_str(&"| --- ".repeat(width));
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
