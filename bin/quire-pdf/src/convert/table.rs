//! Conversion of tables.

use quire_markup::document::{Cell, TableView};
use quire_markup::{Block, ContentRef};
use serde_json::{Value, json};

use super::Converter;
use super::block::{DEEPEST, paragraph};
use super::inline::plain;

/// Maximum number of columns of a table that fit on a page.
const COLUMNS: usize = 24;

impl Converter<'_> {
    /// Converts a table as rows and columns, or as cards.
    pub(super) fn table(&mut self, block: &Block, depth: usize, out: &mut Vec<Value>) {
        let Some(view) = TableView::new(block) else { return };
        let mut columns = view.columns();
        columns.retain(|(id, _)| view.is_shown(id));
        columns.truncate(COLUMNS);
        if columns.is_empty() {
            return;
        }
        if view.view("type").and_then(Value::as_str) == Some("cards") && depth < DEEPEST {
            return self.cards(&view, &columns, depth, out);
        }
        let widths = view.view("columnWidths");
        let width = |id: &str| widths.and_then(|widths| widths.get(id)).and_then(Value::as_f64);
        let widths: Vec<f64> =
            columns.iter().map(|(id, _)| width(id).filter(|width| *width > 0.0).unwrap_or(150.0)).collect();
        let aligns: Vec<&str> = columns.iter().map(|(_, column)| alignment(column)).collect();
        let hides_header = view.view("hideHeader").and_then(Value::as_bool).unwrap_or(false);
        let titles = columns.iter().map(|(_, column)| column.get("title").and_then(Value::as_str));
        let header: Vec<&str> = titles.map(Option::unwrap_or_default).collect();
        let inner = depth.saturating_add(2).min(DEEPEST);
        let mut cells = Vec::new();
        for record in view.records() {
            if self.budget == 0 {
                break;
            }
            self.budget = self.budget.saturating_sub(1);
            for (column, definition) in &columns {
                cells.push(self.cell(view.cell(record, column), definition, inner));
            }
        }
        out.push(json!({
            "k": "table",
            "widths": widths,
            "aligns": aligns,
            "header": (!hides_header).then_some(header),
            "cells": cells,
        }));
    }

    pub(super) fn cell(&mut self, cell: Cell<'_>, column: &Value, depth: usize) -> Vec<Value> {
        match cell {
            Cell::Empty => Vec::new(),
            Cell::Content(blocks) => self.blocks(blocks, depth),
            Cell::Image { reference, alt, .. } => self.picture(&reference, alt.unwrap_or_default()),
            Cell::Reference(reference) if column.get("type").and_then(Value::as_str) == Some("image") => {
                self.picture(&reference, "")
            }
            Cell::Reference(reference) => {
                let target = self.target(&reference);
                let title = plain(&target.title);
                vec![paragraph(vec![target.around("link", title)])]
            }
            Cell::Names(names) => {
                let named = |name: &str| match self.book.files.get(name) {
                    Some(file) => file.name.clone(),
                    None => choice(column, name),
                };
                let names: Vec<String> = names.into_iter().map(named).collect();
                vec![paragraph(plain(&names.join(", ")))]
            }
            Cell::Value(value) => vec![paragraph(plain(&worded(value, column)))],
        }
    }
}

impl Converter<'_> {
    /// Returns an image as wide as its cell, or a link if the book does not have the image.
    fn picture(&self, reference: &ContentRef, alt: &str) -> Vec<Value> {
        if let Some(src) = self.image_of(Some(reference)) {
            return vec![
                json!({"k": "image", "src": src, "alt": alt, "width": 100.0, "align": "center", "caption": []}),
            ];
        }
        let target = self.target(reference);
        let title = plain(if alt.is_empty() { &target.title } else { alt });
        vec![paragraph(vec![target.around("link", title)])]
    }
}

fn alignment(column: &Value) -> &'static str {
    match column.get("textAlignment").and_then(Value::as_str) {
        Some("center") => "center",
        Some("right") => "right",
        _ => "left",
    }
}

/// Returns a scalar value as text.
fn worded(value: &Value, column: &Value) -> String {
    let is_rating = column.get("type").and_then(Value::as_str).is_some_and(|kind| kind == "rating");
    match value {
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => choice(column, text),
        Value::Number(number) => match column.get("max").filter(|_| is_rating) {
            Some(most) => format!("{number} / {most}"),
            None => number.to_string(),
        },
        other => other.to_string(),
    }
}

/// Returns the label of an option of a column, or the value itself.
fn choice(column: &Value, value: &str) -> String {
    let options = column.get("options").and_then(Value::as_array);
    let text = |option: &Value, name: &str| option.get(name).and_then(Value::as_str).map(str::to_owned);
    let chosen =
        options.into_iter().flatten().find(|option| text(option, "value").is_some_and(|v| v == value));
    chosen.and_then(|option| text(option, "label")).unwrap_or_else(|| value.to_owned())
}
