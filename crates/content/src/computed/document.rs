//! Documents of computed pages.

use std::collections::HashMap;

use quire_domain::ids::OpenApiSpecVersionId;
use quire_markup::openapi::{Child, Context, Json, PageKind, render};
use quire_markup::{Block, BlockKind, Document};
use quire_storage::Reader;
use quire_storage::content::openapi_specs::{
    PageKind as StoredKind, ReadableSpecs, SpecPage, SpecPart, SpecPieces,
};

use super::ids::node_keys;
use super::lowered::titled;
use super::pages::{DocumentOf, Form, SpecPages};
use crate::error::{Error, Result};

/// Returns the document of a page. Sends one statement.
///
/// # Errors
/// [`Error::NoPage`] if the page does not exist. An error if the statement fails or stored data is damaged.
pub fn document_at(
    reader: &mut Reader<'_>,
    specs: ReadableSpecs,
    pages: &SpecPages,
    index: usize,
) -> Result<Document> {
    documents_of(reader, specs, &[pages.document(index)])?.pop().ok_or(Error::NoPage)
}

/// Returns the documents of these pages, in this order. Sends one statement. All their sources are in memory at once,
/// so callers must limit the number.
///
/// # Errors
/// [`Error::NoPage`] if a page does not exist. An error if the statement fails or stored data is damaged.
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

/// Maximum number of operations and models that a page writes out in full. Others remain blocks.
const MAX_TABLES: usize = 200;
/// Maximum number of operations and models whose sources are in memory at once.
const BATCH: usize = 50;

/// Returns the document of a page with its operations and models written out in full, for readers without support for
/// blocks of specifications. Sends one statement, and one per 50 operations.
///
/// # Errors
/// The errors of [`document_at`].
pub fn written_out(
    reader: &mut Reader<'_>,
    specs: ReadableSpecs,
    pages: &SpecPages,
    index: usize,
) -> Result<Document> {
    let mut document = document_at(reader, specs, pages, index)?;
    let shown = pages.shown_on(index);
    let mut content = Vec::new();
    let (first, rest) = shown.split_at(shown.len().min(MAX_TABLES));
    for batch in first.chunks(BATCH) {
        let of = |index: &usize| DocumentOf { form: Form::Tables, ..pages.document(*index) };
        let wanted: Vec<DocumentOf<'_>> = batch.iter().map(of).collect();
        for (shown, tables) in batch.iter().zip(documents_of(reader, specs, &wanted)?) {
            match pages.outline.pages.get(*shown).filter(|_| *shown != index) {
                Some(page) => {
                    let id = format!("openapi.{}.{shown}", pages.spec.slug);
                    content.extend(titled(&page.title, &id, &tables.nodes));
                }
                None => content.extend(tables.nodes),
            }
        }
    }
    content.extend(rest.iter().filter_map(|index| pages.block(*index)));
    document.nodes.retain(|block| !is_part(block));
    document.nodes.extend(content);
    Ok(document)
}

/// Returns whether a block shows a part of a specification.
fn is_part(block: &Block) -> bool {
    let kinds = [BlockKind::OpenApiOperation, BlockKind::OpenApiWebhook, BlockKind::OpenApiSchemas];
    kinds.contains(&block.kind)
}

/// Parts that pages refer to, with their JSON pointers, by version and number.
type Parts = HashMap<(OpenApiSpecVersionId, i32), (String, Json)>;

fn parse(body: &str) -> Result<Json> {
    Json::parse(body).map_err(Error::Damaged)
}

impl DocumentOf<'_> {
    fn render(&self, page: &SpecPage, parts: &Parts) -> Result<Document> {
        let listed = self.outline.pages.get(self.index).ok_or(Error::NoPage)?;
        // Only parts of this page: the document must not depend on other pages in the same call.
        let parts = page.parts.iter().filter_map(|number| parts.get(&(self.outline.version, *number)));
        let parts: HashMap<&str, &Json> = parts.map(|(pointer, part)| (pointer.as_str(), part)).collect();
        let below: Vec<_> = match self.linked {
            Some(linked) if self.form == Form::Blocks => {
                linked.below(self.index).map(|(id, page)| (id.to_string(), page)).collect()
            }
            _ => Vec::new(),
        };
        let blocks = match self.linked {
            Some(linked) if self.form == Form::Blocks => linked.blocks(self.index),
            _ => Vec::new(),
        };
        let children: Vec<Child<'_>> = below
            .iter()
            .map(|(id, page)| Child { id, title: &page.title, description: page.description.as_deref() })
            .collect();
        let context = Context {
            children: &children,
            blocks: &blocks,
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
