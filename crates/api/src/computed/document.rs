//! The document of a computed page.

use std::collections::HashMap;

use quire_domain::computed::DocumentProps;
use quire_markup::Document;
use quire_markup::openapi::{Child, Context, Json, PageKind, render};
use quire_storage::Reader;
use quire_storage::lookup::{Authorized, ContentAt};
use quire_storage::openapi_specs::{PageKind as StoredKind, SpecPage};

use super::expand::SpecPages;
use super::ids::node_keys;
use crate::error::{ApiError, ApiResult};

/// The index of the page that the properties of a document's source mean: its place, or one of the family's names.
#[must_use]
pub fn index_of(pages: &SpecPages, props: &DocumentProps) -> Option<usize> {
    let all = || pages.outline.pages.iter().enumerate();
    let of_kind = |kind: StoredKind| all().filter(move |(_, page)| page.kind == kind).map(|(index, _)| index);
    match props.doc.as_str() {
        "info" => of_kind(StoredKind::Info).next(),
        "models" => of_kind(StoredKind::Models).next(),
        "operations" => {
            let number = usize::try_from(props.page.unwrap_or(1)).ok()?;
            of_kind(StoredKind::Tag).nth(number.checked_sub(1)?)
        }
        place => all().find(|(_, page)| page.place == place).map(|(index, _)| index),
    }
}

/// The document of a page: one statement.
///
/// # Errors
/// When the statement fails, or what is stored can't be read.
pub fn document_at(
    reader: &mut Reader<'_>,
    content: &Authorized<ContentAt>,
    pages: &SpecPages,
    index: usize,
) -> ApiResult<Document> {
    let page = reader.spec_page(content, pages.spec.version, index)?;
    render_page(pages, index, &page)
}

/// The document of a page from what was read of it.
fn render_page(pages: &SpecPages, index: usize, page: &SpecPage) -> ApiResult<Document> {
    let listed = pages.outline.pages.get(index).ok_or_else(ApiError::not_found)?;
    let parse = |text: &str| Json::parse(text).map_err(ApiError::internal);
    let mut parts = HashMap::with_capacity(page.parts.len());
    for (place, body) in &page.parts {
        parts.insert(place.clone(), parse(body)?);
    }
    let below: Vec<_> = pages.below(index).map(|(id, page)| (id.to_string(), page)).collect();
    let children: Vec<Child<'_>> = below
        .iter()
        .map(|(id, page)| Child { id, title: &page.title, description: page.description.as_deref() })
        .collect();
    let context = Context {
        children: &children,
        page_at: &|place| pages.page_at(place).map(|id| id.to_string()),
        key: &node_keys(&pages.seed, &listed.place),
    };
    Ok(render(kind(listed.kind), &parse(&page.body)?, &parts, &context))
}

fn kind(stored: StoredKind) -> PageKind {
    match stored {
        StoredKind::Info => PageKind::Info,
        StoredKind::Tag => PageKind::Tag,
        StoredKind::Operation => PageKind::Operation,
        StoredKind::Models => PageKind::Models,
        StoredKind::Model => PageKind::Model,
    }
}
