//! The book of a PDF: its pages, the documents of them, and what these show.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use quire_domain::ids::{DocumentId, FileId, PageId, ReusableContentId};
use quire_domain::pdf::{Addresses, Book, BookFile, BookLink, BookPage};
use quire_markup::{ContentRef, Document, Relation, links};
use quire_revision::{BlobHash, FileNode, PageKind, PageNode, Tree};
use quire_storage::pdfs::PdfRecord;
use quire_storage::{Reader, Result};
use serde_json::Value;

/// Reusable contents within reusable contents.
const NESTING: usize = 8;

/// A book, and the bytes that belong to it.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    /// The book.
    pub book: Book,
    /// Its images: their names beside the book, and their bytes in the store.
    pub images: Vec<(String, BlobHash)>,
    /// The URLs of its images that other services serve.
    pub pictures: BTreeSet<String>,
}

/// Gathers a PDF's book: two statements, and one more for each level of reusable contents.
///
/// # Errors
/// When a statement fails.
pub fn gather(reader: &mut Reader<'_>, pdf: &PdfRecord, addresses: &dyn Addresses) -> Result<Gathered> {
    let tree = reader.pdf_tree(pdf)?;
    let pages = shown(&tree, pdf);
    let ids: Vec<DocumentId> = pages.iter().filter_map(|(page, _)| page.document).collect();
    let documents = reader.pdf_documents(pdf, &ids)?;
    let mut found = References::default();
    let mut book =
        Book { title: pdf.title.clone(), subtitle: pdf.subtitle.clone(), date: day(pdf), ..Book::default() };
    for (page, depth) in &pages {
        let document = page.document.and_then(|id| documents.get(&id));
        if let Some(document) = document {
            found.add(document);
        }
        let target = target(page);
        if let Some(reference) = target.as_ref().and_then(ContentRef::from_value) {
            found.add_reference(reference);
        }
        book.pages.push(BookPage {
            id: page.id.to_string(),
            depth: *depth,
            title: page.title.clone(),
            emoji: page.emoji.clone(),
            description: page.description.clone().filter(|text| !text.trim().is_empty()),
            target,
            document: document.map(|document| Value::clone(document)),
        });
    }
    book.reusable_contents = reusable_contents(reader, pdf, &tree, &mut found)?;
    book.elsewhere = elsewhere(&tree, pdf, &found, addresses);
    let pictures = std::mem::take(&mut found.pictures);
    let mut gathered = Gathered { book, images: Vec::new(), pictures };
    add_files(&mut gathered, &tree, pdf, &found, addresses);
    Ok(gathered)
}

/// The pages of a PDF in reading order, with their depths in it. Hidden pages are shown by their own addresses alone.
fn shown<'t>(tree: &'t Tree, pdf: &PdfRecord) -> Vec<(&'t PageNode, usize)> {
    let first = pdf.pages.page.and_then(|id| tree.page(id));
    match first {
        Some(page) if pdf.pages.only => vec![(page, 0)],
        Some(page) => {
            let mut pages = vec![(page, 0)];
            below(tree, Some(page.id), 1, &mut pages);
            pages
        }
        None => {
            let mut pages = Vec::new();
            below(tree, None, 0, &mut pages);
            pages
        }
    }
}

fn below<'t>(tree: &'t Tree, parent: Option<PageId>, depth: usize, pages: &mut Vec<(&'t PageNode, usize)>) {
    for page in tree.children(parent).filter(|page| !page.hidden) {
        // What is computed takes the place of such a page elsewhere; here it would be a title over nothing.
        if !matches!(page.kind, PageKind::Computed { .. }) {
            pages.push((page, depth));
        }
        below(tree, Some(page.id), depth.saturating_add(1), pages);
    }
}

fn target(page: &PageNode) -> Option<Value> {
    match &page.kind {
        PageKind::Link { target } => Some(target.clone()),
        PageKind::Document | PageKind::Group | PageKind::Computed { .. } => None,
    }
}

/// The day that the PDF was asked for, in words.
fn day(pdf: &PdfRecord) -> String {
    let date = pdf.created_at.to_datetime().date();
    format!("{} {} {}", date.day(), date.month(), date.year())
}

/// What documents refer to.
#[derive(Default)]
struct References {
    files: BTreeSet<FileId>,
    pages: BTreeSet<PageId>,
    reusable: BTreeSet<ReusableContentId>,
    pictures: BTreeSet<String>,
}

impl References {
    /// One that isn't a document any more refers to nothing.
    fn add(&mut self, document: &Value) {
        let Ok(document) = Document::from_stored(document) else { return };
        for link in links(&document) {
            match link.reference {
                ContentRef::Url { url } if link.relation == Relation::DependsOn => {
                    self.pictures.insert(url);
                }
                reference => self.add_reference(reference),
            }
        }
    }

    fn add_reference(&mut self, reference: ContentRef) {
        match reference {
            ContentRef::File { file, space: None } => self.files.extend(file.parse::<FileId>()),
            ContentRef::Page { page, space: None }
            | ContentRef::Anchor { page: Some(page), space: None, .. } => {
                self.pages.extend(page.parse::<PageId>());
            }
            ContentRef::ReusableContent { reusable_content, space: None } => {
                self.reusable.extend(reusable_content.parse::<ReusableContentId>());
            }
            _ => {}
        }
    }
}

/// The documents of the reusable contents that are shown, and of those that these show.
fn reusable_contents(
    reader: &mut Reader<'_>,
    pdf: &PdfRecord,
    tree: &Tree,
    found: &mut References,
) -> Result<BTreeMap<String, Value>> {
    let mut contents: BTreeMap<String, Value> = BTreeMap::new();
    for _ in 0..NESTING {
        let new: Vec<(ReusableContentId, DocumentId)> = found
            .reusable
            .iter()
            .filter(|id| !contents.contains_key(&id.to_string()))
            .filter_map(|id| Some((*id, tree.reusable_content(*id)?.document?)))
            .collect();
        if new.is_empty() {
            break;
        }
        let ids: Vec<DocumentId> = new.iter().map(|(_, document)| *document).collect();
        let documents = reader.pdf_documents(pdf, &ids)?;
        for (id, document) in new {
            let document: Option<&Arc<Value>> = documents.get(&document);
            let document = document.map_or(Value::Null, |document| Value::clone(document));
            found.add(&document);
            contents.insert(id.to_string(), document);
        }
    }
    Ok(contents)
}

/// The pages that are referred to but not in the book.
fn elsewhere(
    tree: &Tree,
    pdf: &PdfRecord,
    found: &References,
    addresses: &dyn Addresses,
) -> BTreeMap<String, BookLink> {
    let link = |id: &PageId| {
        let (page, path) = (tree.page(*id)?, tree.path_of(*id)?);
        Some((id.to_string(), BookLink { title: page.title.clone(), url: addresses.page(pdf.space, &path) }))
    };
    found.pages.iter().filter_map(link).collect()
}

/// The files that are referred to; images with the names that their bytes get beside the book.
fn add_files(
    gathered: &mut Gathered,
    tree: &Tree,
    pdf: &PdfRecord,
    found: &References,
    addresses: &dyn Addresses,
) {
    for (number, id) in found.files.iter().enumerate() {
        let Some(file) = tree.file(*id) else { continue };
        let image = is_image(file).then(|| format!("image{number}"));
        if let Some(name) = &image {
            gathered.images.push((name.clone(), file.blob));
        }
        let url = addresses.file(pdf.space, file);
        gathered.book.files.insert(id.to_string(), BookFile { name: file.name.clone(), url, image });
    }
}

fn is_image(file: &FileNode) -> bool {
    file.content_type.starts_with("image/")
}
