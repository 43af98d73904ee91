//! Types of the plan.

use std::collections::{BTreeMap, HashMap};
use std::io;

use quire_domain::clock::IdGenerator;
use quire_domain::ids::{FileId, PageId, ReusableContentId, RevisionId};
use quire_domain::imports::{ImportReportEntry, ImportResult};
use quire_markup::{ContentRef, Document};
use serde_json::Value;

use super::document::PlannedDocument;
use crate::spool::Content;

/// Generates the ids of the plan's pages, files and reusable contents, so that references in documents are final.
pub trait Ids {
    /// Returns the id of the next page.
    fn page(&mut self) -> PageId;
    /// Returns the id of the next file.
    fn file(&mut self) -> FileId;
    /// Returns the id of the next reusable content.
    fn reusable_content(&mut self) -> ReusableContentId;
}

/// Unique ids of a generator.
#[derive(Clone, Copy)]
pub struct GeneratedIds<'a>(pub &'a dyn IdGenerator);

impl Ids for GeneratedIds<'_> {
    fn page(&mut self) -> PageId {
        PageId::from_uuid(self.0.uuid())
    }

    fn file(&mut self) -> FileId {
        FileId::from_uuid(self.0.uuid())
    }

    fn reusable_content(&mut self) -> ReusableContentId {
        ReusableContentId::from_uuid(self.0.uuid())
    }
}

/// All pages, files and reusable contents that an import will store, and a report of the rest.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ImportPlan {
    /// Pages in tree order: parents before children, siblings in order.
    pub pages: Vec<PlannedPage>,
    /// Files, by path.
    pub files: Vec<PlannedFile>,
    /// Reusable contents, by path.
    pub reusable_contents: Vec<PlannedReusableContent>,
    /// Files that were changed, skipped or missing.
    pub report: Vec<ImportReportEntry>,
    /// Paths of pages that are hidden only because the navigation does not list them.
    pub unlisted: Vec<String>,
    /// Properties of front matter that pages do not have.
    pub properties: DroppedProperties,
    /// Number of resources found, planned or skipped.
    pub found: usize,
    /// Each page was read on its own, without the texts of others.
    pub reads_pages_alone: bool,
}

/// Names of properties in front matter that are not stored, in order, each with the files that have it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DroppedProperties(BTreeMap<String, (String, usize)>);

impl DroppedProperties {
    pub(super) fn add(&mut self, name: &str, source: &str) {
        let known = self.0.entry(name.to_owned()).or_insert_with(|| (source.to_owned(), 0));
        known.1 += 1;
    }

    /// Returns each name with the first file that has it and the number of such files.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str, usize)> {
        self.0.iter().map(|(name, (first, count))| (name.as_str(), first.as_str(), *count))
    }
}

/// A page of an [`ImportPlan`].
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedPage {
    /// Id in the plan.
    pub id: PageId,
    /// Parent; `None` at the top.
    pub parent: Option<PageId>,
    /// Kind.
    pub kind: PageKind,
    /// Title, never empty.
    pub title: String,
    /// Title in navigation, if it differs from `title`.
    pub link_title: Option<String>,
    /// Slug, unique among siblings in the plan; `None` for links, which have none.
    pub slug: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// Name of the icon.
    pub icon: Option<String>,
    /// Emoji.
    pub emoji: Option<String>,
    /// Cover image.
    pub cover: Option<PlannedCover>,
    /// Layout options, as written in front matter.
    pub layout: Option<Value>,
    /// The page is excluded from the navigation.
    pub hidden: bool,
    /// The page is excluded from search.
    pub no_index: bool,
    /// The page is excluded from indexing by search engines.
    pub no_robots_index: bool,
    /// Content; `None` for an empty page, a group or a link.
    pub document: Option<PlannedDocument>,
    /// Source file, if any.
    pub source_path: Option<String>,
}

/// Kind of a planned page.
#[derive(Debug, Clone, PartialEq)]
pub enum PageKind {
    /// A page with or without content.
    Document,
    /// A heading over pages; only at the top.
    Group,
    /// A placeholder of computed pages; it has no children.
    Computed {
        /// The source of the pages.
        source: Value,
        /// Seed of the ids of the pages; `None` for the default seed of the placeholder.
        seed: Option<String>,
    },
    /// An entry in the navigation that links to another target; it has no children.
    Link {
        /// The target.
        target: ContentRef,
    },
}

/// The cover image of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedCover {
    /// Image: a file of the plan or an address.
    pub image: ContentRef,
    /// Vertical offset in pixels.
    pub y_pos: f64,
}

/// A file of an [`ImportPlan`].
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedFile {
    /// Final id.
    pub id: FileId,
    /// Name, without folders.
    pub name: String,
    /// Media type, derived from the extension.
    pub content_type: String,
    /// Content, shared with the source.
    pub content: Content,
    /// Width and height in pixels, if the image header has them.
    pub dimensions: Option<Dimensions>,
    /// Source file.
    pub source_path: String,
}

/// Width and height of an image in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dimensions {
    /// Width in pixels.
    pub width: u64,
    /// Height in pixels.
    pub height: u64,
}

/// A reusable content of an [`ImportPlan`].
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedReusableContent {
    /// Final id.
    pub id: ReusableContentId,
    /// Title, never empty.
    pub title: String,
    /// Content.
    pub document: PlannedDocument,
    /// Source file.
    pub source_path: String,
}

impl PlannedPage {
    /// Returns a page with only a title and a slug.
    pub(super) fn new(id: PageId, kind: PageKind, title: String, slug: Option<String>) -> Self {
        Self {
            id,
            parent: None,
            kind,
            title,
            link_title: None,
            slug,
            description: None,
            icon: None,
            emoji: None,
            cover: None,
            layout: None,
            hidden: false,
            no_index: false,
            no_robots_index: false,
            document: None,
            source_path: None,
        }
    }
}

impl PlannedPage {
    /// Reads the page's document; an empty one if the page has none.
    pub fn read_document(&self) -> io::Result<Document> {
        self.document.as_ref().map_or_else(|| Ok(Document::default()), PlannedDocument::read)
    }
}

impl ImportPlan {
    /// Returns the number of resources that the import will store.
    #[must_use]
    pub fn resources(&self) -> usize {
        self.pages.len() + self.files.len() + self.reusable_contents.len()
    }

    /// Returns a function that creates the result of the import, given its revision and the final ids of the planned
    /// pages. Moves the report into it.
    pub fn result(
        &mut self,
    ) -> impl Fn(RevisionId, &HashMap<PageId, PageId>) -> ImportResult + Clone + use<> {
        let imported_resources = u64::try_from(self.resources()).unwrap_or(u64::MAX);
        let found = u64::try_from(self.found).unwrap_or(u64::MAX);
        let report = std::mem::take(&mut self.report);
        move |revision, pages| {
            let mut report = report.clone();
            for page in report.iter_mut().filter_map(|entry| entry.page.as_mut()) {
                *page = pages.get(page).copied().unwrap_or(*page);
            }
            ImportResult {
                revision,
                imported_resources,
                total_resources: found.max(imported_resources),
                report,
            }
        }
    }

    /// Returns the plan with groups turned into empty pages, for an import below a page. Groups are only allowed at the
    /// top of a space.
    #[must_use]
    pub fn without_groups(mut self) -> Self {
        for page in self.pages.iter_mut().filter(|page| page.kind == PageKind::Group) {
            page.kind = PageKind::Document;
        }
        self
    }
}
