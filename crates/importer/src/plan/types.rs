//! The plan's types: what an import is going to store.

use std::io;

use quire_domain::clock::IdGenerator;
use quire_domain::ids::{FileId, PageId, ReusableContentId, RevisionId};
use quire_domain::imports::{ImportReportEntry, ImportResult};
use quire_markup::{ContentRef, Document};
use serde_json::Value;

use super::document::PlannedDocument;
use crate::spool::Content;

/// Gives the ids that the plan's pages, files and reusable contents are going to have, so that the references
/// in documents are final.
pub trait Ids {
    /// The id of the next page.
    fn page(&mut self) -> PageId;
    /// The id of the next file.
    fn file(&mut self) -> FileId;
    /// The id of the next reusable content.
    fn reusable_content(&mut self) -> ReusableContentId;
}

/// Ids that are new wherever they come to.
#[derive(Clone, Copy)]
pub struct NewIds<'a>(pub &'a dyn IdGenerator);

impl Ids for NewIds<'_> {
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

/// All that an import is going to store, and what it leaves.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ImportPlan {
    /// Pages in tree order: a page stands behind its parent, siblings in their order.
    pub pages: Vec<PlannedPage>,
    /// Files, by path.
    pub files: Vec<PlannedFile>,
    /// Reusable contents, by path.
    pub reusable_contents: Vec<PlannedReusableContent>,
    /// Files that were changed on the way, not taken, or missing.
    pub report: Vec<ImportReportEntry>,
    /// Resources that were found: those planned and those skipped.
    pub found: usize,
}

/// A page of an [`ImportPlan`].
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedPage {
    /// The id it is going to have.
    pub id: PageId,
    /// The page above; `None` at the top.
    pub parent: Option<PageId>,
    /// What it is.
    pub kind: PageKind,
    /// Its title, never empty.
    pub title: String,
    /// Its slug, unique among its siblings in the plan; `None` for links, which have none.
    pub slug: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// The name of its icon.
    pub icon: Option<String>,
    /// Its emoji.
    pub emoji: Option<String>,
    /// The image at its top.
    pub cover: Option<PlannedCover>,
    /// Options of its layout, as its front matter writes them.
    pub layout: Option<Value>,
    /// Whether it is left out of navigation.
    pub hidden: bool,
    /// Whether it is left out of search.
    pub no_index: bool,
    /// Whether search engines are asked to leave it out.
    pub no_robots_index: bool,
    /// Its content; `None` for an empty page, a group or a link.
    pub document: Option<PlannedDocument>,
    /// The file it comes from, if it comes from one.
    pub source_path: Option<String>,
}

/// What a planned page is.
#[derive(Debug, Clone, PartialEq)]
pub enum PageKind {
    /// A page with or without content.
    Document,
    /// A heading over pages; only at the top.
    Group,
    /// A line in the navigation that leads elsewhere; it has no pages below.
    Link {
        /// Where it leads.
        target: ContentRef,
    },
}

/// The image at the top of a page.
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
    /// The id it is going to have.
    pub id: FileId,
    /// Its name, without folders.
    pub name: String,
    /// Its media type, by its extension.
    pub content_type: String,
    /// Its bytes, shared with the source.
    pub content: Content,
    /// Width and height in pixels, of images that tell.
    pub dimensions: Option<Dimensions>,
    /// The file it comes from.
    pub source_path: String,
}

/// Width and height of an image in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dimensions {
    /// Pixels from left to right.
    pub width: u64,
    /// Pixels from top to bottom.
    pub height: u64,
}

/// A reusable content of an [`ImportPlan`].
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedReusableContent {
    /// The id it is going to have.
    pub id: ReusableContentId,
    /// Its title, never empty.
    pub title: String,
    /// Its content.
    pub document: PlannedDocument,
    /// The file it comes from.
    pub source_path: String,
}

impl PlannedPage {
    /// A page that has no more than a title and a slug yet.
    pub(super) fn new(id: PageId, kind: PageKind, title: String, slug: Option<String>) -> Self {
        Self {
            id,
            parent: None,
            kind,
            title,
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
    ///
    /// # Errors
    /// When the disk fails.
    pub fn read_document(&self) -> io::Result<Document> {
        self.document.as_ref().map_or_else(|| Ok(Document::default()), PlannedDocument::read)
    }
}

impl ImportPlan {
    /// Resources that the import is going to store.
    #[must_use]
    pub fn resources(&self) -> usize {
        self.pages.len() + self.files.len() + self.reusable_contents.len()
    }

    /// What is told of the import once its revision is there. The report goes into it.
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

    /// The same plan with its groups turned into empty pages, for an import below a page: groups stand only
    /// at the top of a space.
    #[must_use]
    pub fn without_groups(mut self) -> Self {
        for page in self.pages.iter_mut().filter(|page| page.kind == PageKind::Group) {
            page.kind = PageKind::Document;
        }
        self
    }
}
