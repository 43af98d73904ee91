//! Tables of Sphinx that are written as lists.

use super::code::Fence;
use super::{dedented, indent};

/// Returns the table of a list of rows, each a list of cells; `None` for another list. `translate` translates the
/// lines of a cell.
pub(super) fn list_table(
    title: &str,
    has_header: bool,
    list: &[&str],
    mut translate: impl FnMut(&[&str]) -> String,
) -> Option<String> {
    let mut rows: Vec<Vec<Vec<&str>>> = Vec::new();
    for line in list {
        if let Some(first) = line.strip_prefix("* ") {
            rows.push(vec![vec![cell(first.trim_start())?]]);
        } else if let Some(next) = cell(line.trim_start()).filter(|_| line.starts_with("  -")) {
            rows.last_mut()?.push(vec![next]);
        } else if let Some(last) = rows.last_mut().and_then(|row| row.last_mut()) {
            last.push(dedented(line, 4));
        }
    }
    let width = rows.iter().map(Vec::len).max()?;
    let mut rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|lines| in_line(&translate(lines))).collect()).collect();
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

/// Returns the text of a cell behind its marker.
fn cell(text: &str) -> Option<&str> {
    text.strip_prefix("- ").or_else(|| text.strip_prefix('-'))
}

/// Returns the content of a cell in one line, with its listings as HTML.
fn in_line(text: &str) -> String {
    let mut out = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(fence) = Fence::opens(line).filter(|fence| fence.mark != ':') else {
            out.push_str(line.trim());
            out.push(' ');
            continue;
        };
        let code =
            lines.by_ref().take_while(|line| !fence.is_closed_by(line) || indent(line) > fence.indent + 3);
        let code: Vec<String> = code.map(|line| escaped(dedented(line, fence.indent))).collect();
        let language = fence.info.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        out.push_str(&format!(
            "<pre><code class=\"language-{language}\">{}</code></pre> ",
            code.join("&#10;")
        ));
    }
    out
}

/// Returns text without characters that Markdown or HTML read as syntax.
fn escaped(text: &str) -> String {
    let escape =
        |c: char| if c.is_ascii_punctuation() { format!("&#{};", u32::from(c)) } else { c.to_string() };
    text.chars().map(escape).collect()
}
