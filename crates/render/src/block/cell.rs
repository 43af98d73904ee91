//! Cells by the types of their columns.

use super::table::{Column, title_of, type_of};
use super::text::words;
use crate::page::Page;
use maud::{Markup, html};
use quire_markup::ContentRef;
use quire_markup::document::Cell;
use serde_json::Value;

/// Maximum rating that is shown as stars.
const MAX_STARS: u64 = 10;

impl<'a> Page<'a> {
    pub(super) fn cell(&self, cell: Cell<'a>, column: &'a Value) -> Markup {
        let kind = type_of(column);
        match cell {
            Cell::Empty => words(""),
            Cell::Content(blocks) => self.flow(blocks),
            Cell::Reference(reference) if kind == "image" => self.cell_image(&reference, None, ""),
            Cell::Image { reference, fit, alt } => self.cell_image(&reference, fit, alt.unwrap_or_default()),
            Cell::Reference(reference) => self.cell_link(&reference),
            Cell::Names(names) => self.names(&names, column),
            Cell::Value(value) => self.value(value, column),
        }
    }

    fn cell_link(&self, reference: &ContentRef) -> Markup {
        let link = self.link(reference);
        html! {
            @match link.href {
                Some(href) => a href=(href) { (link.title) },
                None => span class=[(!link.is_known).then_some("broken")] { (link.title) },
            }
        }
    }

    fn cell_image(&self, reference: &ContentRef, fit: Option<&str>, alt: &str) -> Markup {
        let Some(src) = self.source(reference) else { return self.cell_link(reference) };
        let size = self.resolver.target(reference).and_then(|target| target.size);
        html! {
            img.cell-image src=(src) alt=(alt) data-fit=[fit] width=[size.map(|size| size.0)]
                height=[size.map(|size| size.1)] loading="lazy" decoding="async";
        }
    }

    /// Renders files, users or options by their ids.
    fn names(&self, names: &[&str], column: &Value) -> Markup {
        html! {
            @for (index, name) in names.iter().enumerate() {
                @match type_of(column) {
                    "files" => {
                        @if index > 0 { br; }
                        (self.cell_link(&ContentRef::File { file: (*name).to_owned(), space: None }))
                    }
                    "users" => {
                        @if index > 0 { ", " }
                        (self.user(name))
                    }
                    _ => { (chip(column, name)) " " }
                }
            }
        }
    }

    fn user(&self, id: &str) -> Markup {
        let link = self.link(&ContentRef::User { user: id.to_owned() });
        let title = if link.is_known { link.title.as_str() } else { id };
        html! { span.mention { (title) } }
    }

    fn value(&self, value: &Value, column: &Value) -> Markup {
        match (type_of(column), value) {
            ("rating", Value::Number(number)) => self.rating(number.as_u64(), column, value),
            ("users", Value::String(id)) => self.user(id),
            ("files", Value::String(id)) => {
                self.cell_link(&ContentRef::File { file: id.clone(), space: None })
            }
            ("select", Value::String(name)) => chip(column, name),
            (_, Value::Bool(is_set)) => {
                let (sign, label) = if *is_set { ("✓", self.words.yes) } else { ("–", self.words.no) };
                html! { span.check data-checked[*is_set] role="img" aria-label=(label) { (sign) } }
            }
            (_, Value::String(text)) => words(text),
            (_, other) => words(&other.to_string()),
        }
    }

    fn rating(&self, rating: Option<u64>, column: &Value, value: &Value) -> Markup {
        let most = column.get("max").and_then(Value::as_u64).unwrap_or(5);
        let (Some(rating), true) = (rating, most <= MAX_STARS) else {
            return words(&format!("{value} / {most}"));
        };
        let label = format!("{}: {rating} {} {most}", self.words.rating, self.words.of);
        html! {
            span.rating role="img" aria-label=(label) data-value=(rating) {
                @for star in 1..=most { @if star <= rating { "★" } @else { "☆" } }
            }
        }
    }

    /// Returns the text of a cell without markup, for the name of a link.
    pub(super) fn cell_words(&self, cell: &Cell<'a>, column: Column<'_>) -> Option<String> {
        let text = match cell {
            Cell::Content(blocks) => blocks
                .iter()
                .map(|block| {
                    let document = quire_markup::Document::new(vec![block.clone()]);
                    quire_markup::plain_text(&document)
                })
                .collect::<Vec<_>>()
                .join(" "),
            Cell::Value(Value::String(text)) => text.clone(),
            _ => return None,
        };
        let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(80).collect();
        Some(text).filter(|text| !text.is_empty() && !title_of(column.1).eq(text))
    }
}

/// Renders an option of a column with its color.
fn chip(column: &Value, value: &str) -> Markup {
    let options = column.get("options").and_then(Value::as_array);
    let option =
        options.into_iter().flatten().find(|option| option.get("value").is_some_and(|own| own == value));
    let text = |name: &str| option.and_then(|option| option.get(name)).and_then(Value::as_str);
    html! { span.chip data-color=[text("color")] { (text("label").unwrap_or(value)) } }
}
