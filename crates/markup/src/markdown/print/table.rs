//! Printer of tables as Markdown, or as HTML if a Markdown table cannot express them.

use super::Printer;
use super::choices;
use super::escape::{self, Context};
use super::inlines::image_comment;
use super::properties::{properties_of_image, table_properties};
use super::simple::{is_empty_paragraph, is_simple_image};
use crate::document::{Block, BlockKind, Cell, ContentRef, TableView, difference};
use crate::markdown_html::properties::attribute;
use crate::markdown_html::{BROKEN_LINK, escape as html_escape, escape_text, is_broken};
use serde_json::Value;

/// Bytes of padding that any table may have.
const MAX_PADDING: usize = 64 << 10;

impl<'d> Printer<'d> {
    /// Writes a table.
    pub(super) fn table(&self, block: &'d Block) -> String {
        match TableView::new(block) {
            Some(table) if is_plain(&table, block) => self.pipe_table(&table),
            _ => self.html_table(block),
        }
    }

    fn pipe_table(&self, table: &TableView<'d>) -> String {
        let columns = table.columns();
        let titles = columns.iter().map(|(_, column)| {
            let title = column.get("title").and_then(Value::as_str).unwrap_or_default();
            escape::text(title, Context::LINE, escape::At::WHOLE).replace('|', "\\|")
        });
        let mut rows = vec![titles.collect::<Vec<String>>()];
        for record in table.records() {
            rows.push(columns.iter().map(|(id, _)| self.pipe_cell(table.cell(record, id))).collect());
        }
        let aligned = columns.iter().map(|(_, column)| column.get("textAlignment").and_then(Value::as_str));
        padded(&rows, &aligned.collect::<Vec<_>>())
    }

    fn pipe_cell(&self, cell: Cell<'d>) -> String {
        match cell {
            Cell::Content([block]) if block.kind == BlockKind::Paragraph => {
                self.cell(block.child_inlines()) + image_comment(block.child_inlines())
            }
            Cell::Content([block]) => self.images_in_line(block).replace('|', "\\|"),
            _ => String::new(),
        }
    }

    /// Writes a table as HTML on one line.
    pub(super) fn html_table(&self, block: &'d Block) -> String {
        let Some(table) = TableView::new(block) else { return String::new() };
        let columns = table.columns();
        let heads: String = columns.iter().map(|(id, column)| head(&table, id, column)).collect();
        let mut rows = String::new();
        for record in table.records() {
            let cells =
                columns.iter().map(|(id, column)| self.html_table_cell(column, table.cell(record, id)));
            rows.push_str(&format!("<tr>{}</tr>", cells.collect::<String>()));
        }
        let mut said = block.data.clone();
        said.retain(|name, value| matches!(name.as_str(), "fullWidth" | "search") && value.is_boolean());
        let more = attribute(&difference(&said, &table_properties(block)));
        let attributes = table_attributes(&table, block) + &more;
        format!("<table{attributes}><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>")
    }

    fn html_table_cell(&self, column: &Value, cell: Cell<'d>) -> String {
        let kind = column.get("type").and_then(Value::as_str).unwrap_or("text");
        let link = |reference: &ContentRef| {
            let href = self.refs.href(reference);
            format!("<a href=\"{}\">{}</a>", html_escape(&href), escape_text(file_name(&href)))
        };
        let content = match cell {
            Cell::Empty => String::new(),
            // An empty cell has an empty paragraph as content.
            Cell::Content([only]) if is_empty_paragraph(only) => String::new(),
            Cell::Content(blocks) => self.html_cell(blocks),
            Cell::Reference(reference) => link(&reference),
            Cell::Image { reference, fit, alt } => {
                let said = |name: &str, value: Option<&str>| {
                    value.map(|value| format!(" {name}=\"{}\"", html_escape(value))).unwrap_or_default()
                };
                let (fit, alt) = (said("data-object-fit", fit), said("data-alt", alt));
                return format!("<td{fit}{alt}>{}</td>", link(&reference));
            }
            Cell::Names(names) if kind == "files" => {
                let files =
                    names.iter().map(|name| ContentRef::File { file: (*name).to_owned(), space: None });
                files.map(|file| link(&file)).collect()
            }
            Cell::Names(names) if kind == "users" => {
                names.iter().map(|name| link(&ContentRef::User { user: (*name).to_owned() })).collect()
            }
            Cell::Names(names) if let Some(chosen) = choices::chosen(column, &names) => chosen,
            Cell::Names(names) => {
                let json = html_escape(&Value::from(names.clone()).to_string());
                return format!("<td data-values=\"{json}\">{}</td>", html_escape(&names.join(", ")));
            }
            Cell::Value(Value::String(text)) => escape_text(text),
            Cell::Value(value) => html_escape(&value.to_string()),
        };
        format!("<td{}{}>{content}</td>", alignment(column), vertical_alignment(column))
    }
}

/// Returns the attribute for the cells of a column that is not aligned left.
fn alignment(column: &Value) -> String {
    match column.get("textAlignment").and_then(Value::as_str) {
        Some(align @ ("center" | "right")) => format!(" align=\"{align}\""),
        _ => String::new(),
    }
}

/// Returns the attribute for the cells of a column that is not vertically centered.
fn vertical_alignment(column: &Value) -> String {
    let alignment = column.get("verticalAlignment").and_then(Value::as_str);
    alignment.map(|alignment| format!(" valign=\"{}\"", html_escape(alignment))).unwrap_or_default()
}

/// Writes rows, the first of which is the header, with cells padded to the width of their column. One long cell must
/// not multiply the text: a table that would grow too much is written without padding.
fn padded(rows: &[Vec<String>], aligned: &[Option<&str>]) -> String {
    // Width as JavaScript counts characters.
    let width = |text: &str| text.encode_utf16().count();
    let widest = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| width(cell)).max().unwrap_or_default()
    };
    let marks = |alignment: &Option<&str>| match alignment {
        Some("center") => (":", ":", 3),
        Some("right") => ("", ":", 2),
        _ => ("", "", 1),
    };
    let widths: Vec<usize> = (0..).zip(aligned).map(|(at, align)| widest(at).max(marks(align).2)).collect();
    let written: usize = rows.iter().flatten().map(String::len).sum();
    let pads = widths.iter().sum::<usize>().saturating_mul(rows.len()) <= 4 * written + MAX_PADDING;
    let line = |cells: &[String]| {
        let cell = |(cell, least): (&String, &usize)| {
            let spaces = if pads { least.saturating_sub(width(cell)) } else { 0 };
            format!("{cell}{}", " ".repeat(spaces))
        };
        format!("| {} |", cells.iter().zip(&widths).map(cell).collect::<Vec<_>>().join(" | "))
    };
    let rule = aligned.iter().zip(&widths).map(|(align, width)| {
        let (begin, end, least) = marks(align);
        let dashes = if pads { *width } else { least } - begin.len() - end.len();
        format!("{begin}{}{end}", "-".repeat(dashes))
    });
    let rule = format!("| {} |", rule.collect::<Vec<_>>().join(" | "));
    let mut lines: Vec<String> = rows.iter().map(|row| line(row)).collect();
    lines.insert(1.min(lines.len()), rule);
    lines.join("\n")
}

/// Returns whether a table is a grid of text that a pipe table can express.
fn is_plain(table: &TableView<'_>, block: &Block) -> bool {
    let is_grid = table.view("type").and_then(Value::as_str) == Some("grid")
        && table.view("hideHeader").and_then(Value::as_bool) == Some(false)
        && table.view_names().all(|name| matches!(name, "type" | "hideHeader" | "columns"))
        && !block.data.contains_key("fullWidth")
        && !block.data.contains_key("search");
    let columns = table.columns();
    let is_text = |(id, column): &(&str, &Value)| {
        let names = column.as_object().into_iter().flat_map(|column| column.keys());
        let title = column.get("title").and_then(Value::as_str).unwrap_or_default();
        table.is_shown(id)
            && title == collapsed(title)
            && column.get("type").and_then(Value::as_str) == Some("text")
            && names
                .into_iter()
                .all(|name| matches!(name.as_str(), "id" | "title" | "type" | "textAlignment"))
    };
    let is_line = |cell: Cell<'_>| match cell {
        Cell::Empty => true,
        Cell::Content([block]) => match block.kind {
            BlockKind::Paragraph => block.data.is_empty(),
            BlockKind::Images => {
                let images = block.child_blocks();
                let is_said =
                    |image: &Block| is_simple_image(image) && properties_of_image(image) == *image.data;
                block.data.is_empty() && !images.is_empty() && images.iter().all(is_said)
            }
            _ => false,
        },
        _ => false,
    };
    is_grid
        && !columns.is_empty()
        && columns.iter().all(is_text)
        && table.records().iter().all(|record| columns.iter().all(|(id, _)| is_line(table.cell(record, id))))
}

/// Returns the attributes of a table, by name as in GitBook.
fn table_attributes(table: &TableView<'_>, block: &Block) -> String {
    let mut out = String::new();
    let is_cards = table.view("type").and_then(Value::as_str) == Some("cards");
    let is_set = |name: &str| table.view(name).and_then(Value::as_bool) == Some(true);
    if is_cards && table.view("cardSize").and_then(Value::as_str) == Some("large") {
        out.push_str(" data-card-size=\"large\"");
    }
    if let Some(wraps) = table.view("wrap").and_then(Value::as_bool).filter(|_| is_cards) {
        out.push_str(&format!(" data-card-wrap=\"{wraps}\""));
    }
    if let Some(wide) = block.data.get("fullWidth").and_then(Value::as_bool) {
        out.push_str(&format!(" data-full-width=\"{wide}\""));
    }
    if is_set("hideHeader") || is_set("hideColumnTitle") {
        out.push_str(" data-header-hidden");
    }
    if let Some(is_found) = block.data.get("search").and_then(Value::as_bool) {
        out.push_str(&format!(" data-search=\"{is_found}\""));
    }
    if is_cards {
        out.push_str(" data-view=\"cards\"");
    }
    out
}

fn head(table: &TableView<'_>, id: &str, column: &Value) -> String {
    let text = |name: &str| column.get(name).and_then(Value::as_str);
    let mut out = String::from("<th");
    if let Some(width) = table.view("columnWidths").and_then(|widths| widths.get(id)) {
        out.push_str(&format!(" width=\"{}\"", html_escape(&width.to_string())));
    }
    out.push_str(&alignment(column));
    out.push_str(&vertical_alignment(column));
    if !table.is_shown(id) {
        out.push_str(" data-hidden");
    }
    let roles = [
        ("targetDefinition", "data-card-target"),
        ("coverDefinition", "data-card-cover"),
        ("coverDefinitionDark", "data-card-cover-dark"),
    ];
    for (name, role) in roles {
        if table.view(name).and_then(Value::as_str) == Some(id) {
            out.push_str(&format!(" {role}"));
        }
    }
    let kind = text("type").unwrap_or("text");
    let offered = choices::offered(column);
    // A column with options is a select column without a declared type.
    if kind != "text" && offered.is_none() {
        out.push_str(&format!(" data-type=\"{}\"", html_escape(kind)));
    }
    let mut more = column.as_object().cloned().unwrap_or_default();
    more.retain(|name, _| {
        !matches!(name.as_str(), "id" | "title" | "type" | "textAlignment" | "verticalAlignment")
    });
    if offered.is_some() {
        more.retain(|name, _| !matches!(name.as_str(), "multiple" | "options"));
    }
    let title = text("title").unwrap_or_default();
    if title != collapsed(title) {
        more.insert("title".to_owned(), title.into());
    }
    if !more.is_empty() {
        out.push_str(&format!(" data-properties=\"{}\"", html_escape(&Value::Object(more).to_string())));
    }
    format!("{out}>{}{}</th>", escape_text(&collapsed(title)), offered.unwrap_or_default())
}

/// Returns the last segment of an address, which GitBook uses as the name of a file in a cell; for an absolute address,
/// the address itself.
fn file_name(href: &str) -> &str {
    if is_broken(href) {
        return BROKEN_LINK;
    }
    let name = href.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let is_relative = !href.contains(':') && !href.starts_with(['/', '#']);
    if is_relative && !matches!(name, "" | "." | "..") { name } else { href }
}

/// Returns words separated by single spaces.
fn collapsed(title: &str) -> String {
    title.split_whitespace().collect::<Vec<_>>().join(" ")
}
