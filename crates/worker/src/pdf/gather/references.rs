//! References of a book's documents: files, pages outside the book, and pictures.

use std::collections::{BTreeMap, BTreeSet};

use quire_domain::ids::{FileId, PageId};
use quire_domain::pdf::{Addresses, BookFile, BookLink};
use quire_markup::{ContentRef, Document, Relation, links};
use quire_revision::{FileNode, Tree};
use quire_storage::operations::pdf::PdfRecord;

use super::gathered::{Gathered, GatheredImage};
use super::openapi_blocks::addresses_of;

/// References of documents.
#[derive(Default)]
pub(super) struct References {
    files: BTreeSet<FileId>,
    pages: BTreeSet<PageId>,
    pub(super) pictures: BTreeSet<String>,
}

impl References {
    pub(super) fn add(&mut self, document: &Document) {
        let specifications = addresses_of(document);
        for link in links(document) {
            match link.reference {
                ContentRef::Url { url } if link.relation == Relation::DependsOn => {
                    self.pictures.extend((!specifications.contains(&url)).then_some(url));
                }
                reference => self.add_reference(reference),
            }
        }
    }

    pub(super) fn add_reference(&mut self, reference: ContentRef) {
        match reference {
            ContentRef::File { file, space: None } => self.files.extend(file.parse::<FileId>()),
            ContentRef::Page { page, space: None }
            | ContentRef::Anchor { page: Some(page), space: None, .. } => {
                self.pages.extend(page.parse::<PageId>());
            }
            _ => {}
        }
    }
}

/// Returns the referenced pages that are not in the book.
pub(super) fn elsewhere(
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

/// Adds the referenced files, and gives each image its file name in the folder of the book.
pub(super) fn add_files(
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
            gathered.images.push(GatheredImage { name: name.clone(), blob: file.blob, size: file.size });
        }
        let url = addresses.file(pdf.space, file);
        gathered.book.files.insert(id.to_string(), BookFile { name: file.name.clone(), url, image });
    }
}

fn is_image(file: &FileNode) -> bool {
    file.content_type.starts_with("image/")
}
