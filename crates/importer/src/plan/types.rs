//! Types of the plan.

use std::collections::BTreeMap;
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
    /// The id of the next page.
    fn page(&mut self) -> PageId;
    /// The id of the next file.
    fn file(&mut self) -> FileId;
    /// The id of the next reusable content.
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

/// Everything that an import will store, and a report of the rest.
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
    /// Properties of front matter that pages do not have.
    pub properties: DroppedProperties,
    /// Number of resources found, planned or skipped.
    pub found: usize,
    /// True if each page was read by itself, without the texts of others.
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
    /// Its final id.
    pub id: PageId,
    /// The parent; `None` at the top.
    pub parent: Option<PageId>,
    /// Its kind.
    pub kind: PageKind,
    /// Its title, never empty.
    pub title: String,
    /// Its title in navigation, if it is another one.
    pub link_title: Option<String>,
    /// Its slug, unique among its siblings in the plan; `None` for links, which have none.
    pub slug: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// The name of its icon.
    pub icon: Option<String>,
    /// Its emoji.
    pub emoji: Option<String>,
    /// The cover image.
    pub cover: Option<PlannedCover>,
    /// Layout options, as written in front matter.
    pub layout: Option<Value>,
    /// True if it is left out of navigation.
    pub hidden: bool,
    /// True if it is left out of search.
    pub no_index: bool,
    /// True if search engines are asked to leave it out.
    pub no_robots_index: bool,
    /// Its content; `None` for an empty page, a group or a link.
    pub document: Option<PlannedDocument>,
    /// Its source file, if any.
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
        /// Seed of the ids of the pages; `None` for that of a placeholder without its own.
        seed: Option<String>,
    },
    /// An entry in the navigation that links elsewhere; it has no children.
    Link {
        /// The target.
        target: ContentRef,
    },
}

/// The cover image of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedCover {
    /// The image: a file of the plan or an address.
    pub image: ContentRef,
    /// Its vertical offset in pixels.
    pub y_pos: f64,
}

/// A file of an [`ImportPlan`].
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedFile {
    /// Its final id.
    pub id: FileId,
    /// Its name, without folders.
    pub name: String,
    /// Its media type, by its extension.
    pub content_type: String,
    /// Its bytes, shared with the source.
    pub content: Content,
    /// Width and height in pixels, if the image header has them.
    pub dimensions: Option<Dimensions>,
    /// Its source file.
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
    /// Its final id.
    pub id: ReusableContentId,
    /// Its title, never empty.
    pub title: String,
    /// Its content.
    pub document: PlannedDocument,
    /// Its source file.
    pub source_path: String,
}

impl PlannedPage {
    /// Returns a page with a title and a slug only.
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
    /// Reads the page's document; an empty one for a page without.
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

    /// Returns a function that makes the result of the import from its revision. Moves the report into it.
    pub fn result(&mut self) -> impl Fn(RevisionId) -> ImportResult + Clone + use<> {
        let imported_resources = u64::try_from(self.resources()).unwrap_or(u64::MAX);
        let found = u64::try_from(self.found).unwrap_or(u64::MAX);
        let report = std::mem::take(&mut self.report);
        move |revision| ImportResult {
            revision,
            imported_resources,
            total_resources: found.max(imported_resources),
            report: report.clone(),
        }
    }

    /// Returns the plan with groups turned into empty pages, for an import below a page: groups are allowed only at the
    /// top of a space.
    #[must_use]
    pub fn without_groups(mut self) -> Self {
        for page in self.pages.iter_mut().filter(|page| page.kind == PageKind::Group) {
            page.kind = PageKind::Document;
        }
        self
    }
}
