//! Differences of tables, by rows and cells.

use maud::{Markup, html};
use quire_revision::{NodeChange, NodeDifference};
use serde_json::Value;

use super::{Side, Writer, contents, text};

/// Renders the rows of both versions, with a label before differing rows.
pub(super) fn table(writer: &Writer<'_, '_>, rows: &[NodeDifference], depth: usize) -> Markup {
    let columns = columns(rows);
    html! {
        div.table tabindex="0" {
            table {
                thead { tr { th scope="col" { "Change" } @for column in &columns { th scope="col" { (column) } } } }
                tbody {
                    @for row in rows {
                        @if writer.shows(row.change, row.after.is_some()) {
                            @let (class, word) = label(row);
                            tr class=[class] {
                                td { (word) }
                                @for column in &columns { td { (cell(writer, row, column, depth)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn label(row: &NodeDifference) -> (Option<&'static str>, &'static str) {
    match (row.change, row.after.is_some()) {
        (NodeChange::Unchanged, _) => (None, ""),
        (NodeChange::Edited, _) => (None, "Edited"),
        (NodeChange::Added, _) => (Some("add"), "Added"),
        (NodeChange::Removed, _) => (Some("rem"), "Removed"),
        (NodeChange::Moved, true) => (Some("add"), "Moved here"),
        (NodeChange::Moved, false) => (Some("rem"), "Moved elsewhere"),
    }
}

/// Returns the titles of the columns of all rows, in order.
fn columns(rows: &[NodeDifference]) -> Vec<&str> {
    let mut columns: Vec<&str> = Vec::new();
    for row in rows {
        let own = row.node().map(contents).unwrap_or_default().iter();
        let compared = row.nodes.iter().flatten().filter_map(NodeDifference::node);
        for title in own.chain(compared).filter_map(column_of) {
            if !columns.contains(&title) {
                columns.push(title);
            }
        }
    }
    columns
}

fn column_of(cell: &Value) -> Option<&str> {
    cell.get("data")?.get("column")?.as_str()
}

fn cell(writer: &Writer<'_, '_>, row: &NodeDifference, column: &str, depth: usize) -> Markup {
    let is_own = |cell: &&Value| column_of(cell) == Some(column);
    let whole =
        || row.node().map(contents).unwrap_or_default().iter().find(is_own).map(contents).unwrap_or_default();
    match (&row.nodes, row.change) {
        (Some(cells), _) => {
            let mut cells = cells.iter().filter(|cell| cell.node().as_ref().is_some_and(is_own));
            html! { @for cell in cells.by_ref() { (compared(writer, cell, depth)) } }
        }
        (None, NodeChange::Unchanged | NodeChange::Edited) => writer.blocks(whole()),
        (None, _) if row.after.is_some() => html! { ins { (writer.blocks(whole())) } },
        (None, _) => html! { del { (writer.blocks(whole())) } },
    }
}

/// Renders a cell of one version or of both.
fn compared(writer: &Writer<'_, '_>, cell: &NodeDifference, depth: usize) -> Markup {
    let nodes = cell.node().map(contents).unwrap_or_default();
    match cell.change {
        NodeChange::Unchanged => writer.blocks(nodes),
        NodeChange::Edited => match cell.nodes.as_deref() {
            // The marked words show the difference without a label.
            Some([only]) if only.words.is_some() => {
                writer.edited(only, only.node().unwrap_or(&Value::Null), depth)
            }
            Some(blocks) => writer.rows(blocks, depth),
            None => writer.blocks(nodes),
        },
        NodeChange::Added | NodeChange::Moved if cell.after.is_some() && writer.side != Side::Before => {
            html! { @if !text(nodes).is_empty() { ins { (writer.blocks(nodes)) } } }
        }
        NodeChange::Removed | NodeChange::Moved if cell.before.is_some() && writer.side != Side::After => {
            html! { @if !text(nodes).is_empty() { del { (writer.blocks(nodes)) } } }
        }
        _ => html! {},
    }
}
