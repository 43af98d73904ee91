//! Tables of Sphinx that are written as lists.

/// Returns the table of a list of rows, whose items are lists of cells, below its title; `None` for other lists.
pub(super) fn list_table(title: &str, has_header: bool, list: &str) -> Option<String> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for line in list.lines() {
        let text = line.trim_start();
        let cell = |text: &str| text.strip_prefix("- ").or(text.strip_prefix('-')).map(str::to_owned);
        if let Some(first) = line.strip_prefix("* ") {
            rows.push(vec![cell(first.trim_start())?]);
        } else if let Some(next) = cell(text).filter(|_| line.starts_with("  -")) {
            rows.last_mut()?.push(next);
        } else if let Some(last) = rows.last_mut().and_then(|row| row.last_mut()) {
            last.push(' ');
            last.push_str(text);
        }
    }
    let width = rows.iter().map(Vec::len).max()?;
    let header = if has_header { rows.remove(0) } else { Vec::new() };
    let line = |row: &[String]| {
        let cell = |at: usize| row.get(at).map(|cell| cell.trim().replace('|', "\\|")).unwrap_or_default();
        format!("| {} |\n", (0..width).map(cell).collect::<Vec<_>>().join(" | "))
    };
    let rule = format!("|{}\n", " --- |".repeat(width));
    let title = if title.is_empty() { String::new() } else { format!("**{title}**\n\n") };
    let rows: String = rows.iter().map(|row| line(row)).collect();
    Some(format!("{title}{}{rule}{rows}", line(&header)))
}
