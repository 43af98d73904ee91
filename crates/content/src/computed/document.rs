//! Documents of computed pages.

use std::collections::HashMap;

use quire_domain::ids::OpenApiSpecVersionId;
use quire_markup::Document;
use quire_markup::openapi::{Child, Context, Json, PageKind, render};
use quire_storage::Reader;
use quire_storage::openapi_specs::{PageKind as StoredKind, ReadableSpecs, SpecPage, SpecPart, SpecPieces};

use super::ids::node_keys;
use super::pages::{DocumentOf, SpecPages};
use crate::error::{Error, Result};

/// Returns the document of a page: one statement.
///
/// # Errors
/// [`Error::NoPage`]; an error if the statement fails, or stored data cannot be read.
pub fn document_at(
    reader: &mut Reader<'_>,
    specs: ReadableSpecs,
    pages: &SpecPages,
    index: usize,
) -> Result<Document> {
    documents_of(reader, specs, &[pages.document(index)])?.pop().ok_or(Error::NoPage)
}

/// Returns these documents, in this order: one statement. Their sources are in memory together, so callers must limit
/// the number.
///
/// # Errors
/// [`Error::NoPage`] if a page does not exist; an error if the statement fails, or stored data cannot be read.
pub fn documents_of(
    reader: &mut Reader<'_>,
    specs: ReadableSpecs,
    wanted: &[DocumentOf<'_>],
) -> Result<Vec<Document>> {
    let pages: Vec<_> = wanted.iter().map(|document| (document.outline.version, document.index)).collect();
    let SpecPieces { pages, parts } = reader.spec_pages(specs, &pages)?;
    let parts =
        parts.into_iter().map(|(number, SpecPart { pointer, body })| Ok((number, (pointer, parse(&body)?))));
    let parts: Parts = parts.collect::<Result<_>>()?;
    let document = |document: &DocumentOf<'_>| {
        let page = pages.get(&(document.outline.version, document.index)).ok_or(Error::NoPage)?;
        document.render(page, &parts)
    };
    wanted.iter().map(document).collect()
}

/// Parts that pages refer to, with their JSON pointers, by version and number.
type Parts = HashMap<(OpenApiSpecVersionId, i32), (String, Json)>;

fn parse(body: &str) -> Result<Json> {
    Json::parse(body).map_err(Error::Damaged)
}

impl DocumentOf<'_> {
    fn render(&self, page: &SpecPage, parts: &Parts) -> Result<Document> {
        let listed = self.outline.pages.get(self.index).ok_or(Error::NoPage)?;
        // Only those of this page: its document must not depend on other pages rendered with it.
        let parts = page.parts.iter().filter_map(|number| parts.get(&(self.outline.version, *number)));
        let parts: HashMap<&str, &Json> = parts.map(|(pointer, part)| (pointer.as_str(), part)).collect();
        let below: Vec<_> = match (self.linked, listed.kind) {
            (Some(linked), StoredKind::Tag | StoredKind::Models) => {
                linked.below(self.index).map(|(id, page)| (id.to_string(), page)).collect()
            }
            _ => Vec::new(),
        };
        let children: Vec<Child<'_>> = below
            .iter()
            .map(|(id, page)| Child { id, title: &page.title, description: page.description.as_deref() })
            .collect();
        let context = Context {
            children: &children,
            page_at: &|pointer| self.linked?.page_at(pointer).map(|id| id.to_string()),
            key: &node_keys(self.seed, &listed.pointer),
        };
        Ok(render(kind(listed.kind), &parse(&page.body)?, &parts, &context))
    }
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
