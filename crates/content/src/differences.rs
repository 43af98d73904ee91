//! Differences between versions of pages.

use quire_domain::documents::DocumentJson;
use quire_domain::ids::{DocumentId, PageId};
use quire_domain::revisions::RevisionSummary;
use quire_markup::Document;
use quire_revision::{Change, DocumentDifference, Tree, diff};
use quire_storage::Reader;
use quire_storage::content::store::ContentPoint;
use quire_storage::lookup::Authorized;
use serde_json::{Value, json};

use crate::page_body::stored_document;
use crate::{Error, Result};

/// Maximum number of bytes of documents that are compared for one answer.
const MOST_BYTES: u32 = 4 << 20;
/// Message of the error for a document that can't be read.
const DAMAGED: &str = "a stored document is damaged";

/// Both versions of a page's document, loaded for comparison.
#[derive(Clone, Debug)]
pub struct PageVersions {
    /// The page.
    pub page: PageId,
    /// Ids of the earlier and the later document.
    pub ids: [Option<DocumentId>; 2],
    documents: [Option<DocumentJson>; 2],
}

impl PageVersions {
    /// Loads the documents of pages in two trees of the content's space, with two statements at most. Leaves out
    /// documents beyond 4 MiB, except for the first page, and pages that neither tree contains.
    ///
    /// # Errors
    /// If a document is missing.
    pub fn load(
        reader: &mut Reader<'_>,
        content: &Authorized<impl ContentPoint>,
        [before, after]: [&Tree; 2],
        pages: &[PageId],
    ) -> Result<Vec<Self>> {
        let versions = pages
            .iter()
            .filter(|page| before.page(**page).or(after.page(**page)).is_some())
            .map(|page| (*page, [before, after].map(|tree| tree.page(*page).and_then(|page| page.document))));
        Self::load_all(reader, content, versions.collect())
    }

    /// Loads both versions of all documents that differ between the trees of each pair, with two statements at most.
    /// Leaves out documents beyond 4 MiB, except for the first page.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn of_changes<'a>(
        reader: &mut Reader<'_>,
        content: &Authorized<impl ContentPoint>,
        changes: impl IntoIterator<Item = (&'a [Tree; 2], &'a [Change])>,
    ) -> Result<Vec<Self>> {
        let changes = changes.into_iter().flat_map(|(trees, changes)| changed_documents(trees, changes));
        Self::load_all(reader, content, changes.collect())
    }

    fn load_all(
        reader: &mut Reader<'_>,
        content: &Authorized<impl ContentPoint>,
        versions: Vec<(PageId, [Option<DocumentId>; 2])>,
    ) -> Result<Vec<Self>> {
        let mut ids: Vec<DocumentId> =
            versions.iter().flat_map(|(_, ids)| ids.iter().copied().flatten()).collect();
        let fit = reader.documents_within(content, &ids, MOST_BYTES)?;
        let first = versions.first().map_or(0, |(_, ids)| ids.iter().flatten().count());
        ids.truncate(fit.max(first));
        let found = reader.documents(content, &ids)?;
        let load = |(page, ids): (PageId, [Option<DocumentId>; 2])| {
            let [before, after] = ids.map(|id| match id {
                Some(id) => found.get(&id).cloned().map(Some),
                None => Some(None),
            });
            Some(Self { page, ids, documents: [before?, after?] })
        };
        Ok(versions.into_iter().map_while(load).collect())
    }

    /// Parses both documents; an absent one is empty.
    ///
    /// # Errors
    /// When a stored document can't be read.
    pub fn parse(&self) -> Result<ParsedVersions> {
        let value = |document: &Option<DocumentJson>| match document {
            Some(document) => document.to_value().map_err(|error| Error::internal(DAMAGED, error)),
            None => Ok(json!({"object": "document", "data": {}, "nodes": []})),
        };
        let [before, after] = &self.documents;
        Ok(ParsedVersions([value(before)?, value(after)?]))
    }

    /// Returns both documents as they are rendered. An absent document is empty.
    ///
    /// # Errors
    /// If a stored document is unreadable.
    pub fn documents(&self) -> Result<[Document; 2]> {
        let [before, after] = &self.documents;
        let document = |stored: &Option<DocumentJson>| match stored {
            Some(stored) => stored_document(stored),
            None => Ok(Document::default()),
        };
        Ok([document(before)?, document(after)?])
    }

    /// Returns the difference between both versions, as [`ParsedVersions::compare`].
    ///
    /// # Errors
    /// When a stored document can't be read.
    pub fn compare(&self) -> Result<DocumentDifference> {
        Ok(self.parse()?.compare())
    }
}

/// Both versions of a document, parsed once for all that is made of them. They take some ten times the memory of their
/// text: an answer on several pages parses them page by page.
#[derive(Clone, Debug)]
pub struct ParsedVersions([Value; 2]);

impl ParsedVersions {
    /// Returns the difference between both versions. Takes some 50 ms at most, so not within a transaction.
    #[must_use]
    pub fn compare(&self) -> DocumentDifference {
        let Self([before, after]) = self;
        DocumentDifference::between(before, after)
    }

    /// Returns both documents as they are rendered.
    ///
    /// # Errors
    /// When a stored document can't be read.
    pub fn documents(&self) -> Result<[Document; 2]> {
        let Self([before, after]) = self;
        let document = |stored: &Value| {
            Document::from_stored_value(stored).map_err(|error| Error::internal(DAMAGED, error))
        };
        Ok([document(before)?, document(after)?])
    }
}

/// Returns the pages whose documents differ, each with both versions.
fn changed_documents<'a>(
    trees: &'a [Tree; 2],
    changes: &'a [Change],
) -> impl Iterator<Item = (PageId, [Option<DocumentId>; 2])> + use<'a> {
    changes.iter().filter_map(|change| {
        let page = match change {
            Change::PageCreated { page } | Change::PageEdited { page, .. } | Change::PageDeleted { page } => {
                page.id
            }
            _ => return None,
        };
        let [before, after] = trees.each_ref().map(|tree| tree.page(page)?.document);
        (before != after).then_some((page, [before, after]))
    })
}

/// Counts of the changes of a revision, and the documents that are still to be compared.
#[derive(Debug)]
pub struct UncountedRevision {
    summary: RevisionSummary,
    versions: Vec<PageVersions>,
}

impl UncountedRevision {
    /// Loads the data for the summaries of revisions, each from its tree and the previous one. Sends two statements at
    /// most. Leaves out documents beyond 4 MiB.
    ///
    /// # Errors
    /// If a document is missing.
    pub fn load(
        reader: &mut Reader<'_>,
        content: &Authorized<impl ContentPoint>,
        trees: &[[Tree; 2]],
    ) -> Result<Vec<Self>> {
        let changes: Vec<Vec<Change>> = trees.iter().map(|[before, after]| diff(before, after)).collect();
        let pairs = trees.iter().zip(changes.iter().map(Vec::as_slice));
        let mut versions = PageVersions::of_changes(reader, content, pairs.clone())?.into_iter();
        let revision = |(trees, changes): (&[Tree; 2], &[Change])| {
            let documents = changed_documents(trees, changes).count();
            let versions: Vec<PageVersions> = versions.by_ref().take(documents).collect();
            let summary = RevisionSummary { partial: versions.len() < documents, ..counted_pages(changes) };
            Self { summary, versions }
        };
        Ok(pairs.map(revision).collect())
    }

    /// Compares the documents. Takes up to 50 ms per page, so it must not run within a transaction.
    ///
    /// # Errors
    /// If a stored document is unreadable.
    pub fn count(&self) -> Result<RevisionSummary> {
        let mut summary = self.summary;
        for versions in &self.versions {
            summary.text += versions.compare()?.summary.into();
        }
        Ok(summary)
    }
}

fn counted_pages(changes: &[Change]) -> RevisionSummary {
    let mut summary = RevisionSummary::default();
    for change in changes {
        match change {
            Change::PageCreated { .. } => summary.pages_created += 1,
            Change::PageEdited { .. } => summary.pages_edited += 1,
            Change::PageMoved { .. } => summary.pages_moved += 1,
            Change::PageDeleted { .. } => summary.pages_deleted += 1,
            _ => {}
        }
    }
    summary
}
