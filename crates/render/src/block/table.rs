//! Tables with rows and columns.

use super::is_wide;
use super::text::words;
use crate::page::Page;
use maud::{Markup, html};
use quire_markup::document::{Block, TableView};
use serde_json::Value;

/// Shown column of a table: its id and its definition.
pub(super) type Column<'a> = (&'a str, &'a Value);

impl<'a> Page<'a> {
    pub(super) fn table(&self, block: &'a Block) -> Markup {
        let Some(view) = TableView::new(block) else { return words("") };
        let mut columns = view.columns();
        columns.retain(|(id, _)| view.is_shown(id));
        if view.view("type").and_then(Value::as_str) == Some("cards") {
            return self.cards(&view, &columns);
        }
        self.grid(block, &view, &columns)
    }

    fn grid(&self, block: &'a Block, view: &TableView<'a>, columns: &[Column<'a>]) -> Markup {
        let is = |name: &str| view.view(name).and_then(Value::as_bool).unwrap_or(false);
        let widths = view.view("columnWidths");
        let width = |id: &str| widths.and_then(|widths| super::pixels(widths.get(id)));
        let has_widths = columns.iter().any(|(id, _)| width(id).is_some());
        let has_titles = columns.iter().any(|(_, column)| !title_of(column).is_empty());
        html! {
            div.table tabindex="0" role="group" aria-label=(self.words.table) data-wide[is_wide(block)]
                data-sticky-header[is("stickyHeader")] data-sticky-column[is("stickyFirstColumn")] {
                table {
                    @if has_widths {
                        colgroup { @for (id, _) in columns { col width=[width(id)]; } }
                    }
                    @if has_titles {
                        thead class=[is("hideHeader").then_some("visually-hidden")] {
                            tr { @for (_, column) in columns { (header(column)) } }
                        }
                    }
                    tbody {
                        @for record in view.records().into_iter().take_while(|_| self.takes_block()) {
                            tr {
                                @for (index, (id, column)) in columns.iter().enumerate() {
                                    @let content = self.cell(view.cell(record, id), column);
                                    @let (align, vertical) = (alignment(column), vertical(column));
                                    @if index == 0 && is("stickyFirstColumn") {
                                        th scope="row" data-align=[align] data-vertical=[vertical] { (content) }
                                    } @else {
                                        td data-align=[align] data-vertical=[vertical] { (content) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn header(column: &Value) -> Markup {
    let title = title_of(column);
    html! {
        // Screen readers would announce an empty header cell.
        @if title.is_empty() { td {} } @else {
            th scope="col" data-align=[alignment(column)] data-type=[sortable(column)] { (title) }
        }
    }
}

pub(super) fn title_of(column: &Value) -> &str {
    column.get("title").and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn type_of(column: &Value) -> &str {
    column.get("type").and_then(Value::as_str).unwrap_or("text")
}

/// Returns the type of a column that does not sort as text.
fn sortable(column: &Value) -> Option<&str> {
    Some(type_of(column)).filter(|kind| matches!(*kind, "number" | "rating" | "checkbox"))
}

fn alignment(column: &Value) -> Option<&str> {
    let align = column.get("textAlignment").and_then(Value::as_str).filter(|align| *align != "left");
    align.or((type_of(column) == "number").then_some("right"))
}

fn vertical(column: &Value) -> Option<&str> {
    column.get("verticalAlignment").and_then(Value::as_str).filter(|align| *align != "top")
}
