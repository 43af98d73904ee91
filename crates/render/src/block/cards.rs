//! Tables as cards.

use super::table::{Column, title_of};
use crate::page::Page;
use maud::{Markup, html};
use quire_markup::ContentRef;
use quire_markup::document::{Cell, TableView};
use serde_json::Value;

impl<'a> Page<'a> {
    pub(super) fn cards(&self, view: &TableView<'a>, columns: &[Column<'a>]) -> Markup {
        let named = |name: &str| view.view(name).and_then(Value::as_str);
        let (target, cover, dark) =
            (named("targetDefinition"), named("coverDefinition"), named("coverDefinitionDark"));
        let is_special = |id: &str| [target, cover, dark].contains(&Some(id));
        let hides_titles = view.view("hideColumnTitle").and_then(Value::as_bool).unwrap_or(true);
        let shown: Vec<Column<'a>> = columns.iter().filter(|(id, _)| !is_special(id)).copied().collect();
        html! {
            ul.cards data-size=(named("cardSize").unwrap_or("medium")) {
                @for record in view.records().into_iter().take_while(|_| self.takes_block()) {
                    li.card {
                        @if let Some(cover) = cover.map(|cover| view.cell(record, cover)) {
                            (self.cover(&cover, dark.map(|dark| view.cell(record, dark)).as_ref()))
                        }
                        @if !shown.is_empty() {
                            div.card-body {
                                @for (id, column) in &shown {
                                    @let cell = view.cell(record, id);
                                    @if cell != Cell::Empty {
                                        div {
                                            @if !hides_titles && !title_of(column).is_empty() {
                                                span.card-title { (title_of(column)) }
                                            }
                                            (self.cell(cell, column))
                                        }
                                    }
                                }
                            }
                        }
                        @if let Some(reference) = target.and_then(|target| destination(&view.cell(record, target))) {
                            (self.card_link(&reference, view, record, &shown))
                        }
                    }
                }
            }
        }
    }

    /// Renders a link that covers the card. Its name is the first text of the card.
    fn card_link(
        &self,
        reference: &ContentRef,
        view: &TableView<'a>,
        record: &str,
        shown: &[Column<'a>],
    ) -> Markup {
        let link = self.link(reference);
        let name = shown.iter().find_map(|column| self.cell_words(&view.cell(record, column.0), *column));
        let name = name.unwrap_or(link.title);
        html! {
            @match link.href {
                Some(href) => a.card-link href=(href) { span.visually-hidden { (name) } },
                None => span.broken { (self.words.broken) },
            }
        }
    }

    fn cover(&self, cell: &Cell<'a>, dark: Option<&Cell<'a>>) -> Markup {
        let image = |cell: &Cell<'a>| {
            let (reference, fit, alt) = picture(cell)?;
            let source = self.source(&reference)?;
            let size = self.resolver.target(&reference).and_then(|target| target.size);
            Some((source, fit, alt, size))
        };
        let light = image(cell);
        let dark = dark.and_then(image);
        let has_both = light.is_some() && dark.is_some();
        let only = |name: &'static str| has_both.then_some(name);
        html! {
            @for (picture, only) in [(light, only("light")), (dark, only("dark"))] {
                @if let Some((src, fit, alt, size)) = picture {
                    img.card-cover data-only=[only] data-fit=[fit] src=(src) alt=(alt.unwrap_or_default())
                        width=[size.map(|size| size.0)] height=[size.map(|size| size.1)] loading="lazy" decoding="async";
                }
            }
        }
    }
}

/// Returns the link target in a cell.
fn destination(cell: &Cell<'_>) -> Option<ContentRef> {
    match cell {
        Cell::Reference(reference) => Some(reference.clone()),
        Cell::Names(names) => names.first().map(|file| file_ref(file)),
        Cell::Value(Value::String(text)) => Some(ContentRef::url(text.as_str())),
        _ => None,
    }
}

type Picture<'a> = (ContentRef, Option<&'a str>, Option<&'a str>);

fn picture<'a>(cell: &Cell<'a>) -> Option<Picture<'a>> {
    match cell {
        Cell::Reference(reference) => Some((reference.clone(), None, None)),
        Cell::Image { reference, fit, alt } => Some((reference.clone(), *fit, *alt)),
        Cell::Names(names) => names.first().map(|file| (file_ref(file), None, None)),
        _ => None,
    }
}

fn file_ref(id: &str) -> ContentRef {
    ContentRef::File { file: id.to_owned(), space: None }
}
