//! Documents: parsed before the changes are applied, inserted when all pages have their places.

use std::collections::BTreeSet;
use std::mem;

use quire_domain::content::PageMetadata;
use quire_domain::direction::without_direction_controls;
use quire_domain::documents::DocumentInput;
use quire_domain::error::FieldError;
use quire_domain::revisions::PageCover;
use quire_markup::{
    Block, BlockKind, ContentRef, Document, Excess, HrefKind, RefResolver as _, inline_text, resolve_links,
    rewrite_refs, try_parse, try_parse_page,
};
use quire_revision::{DocumentId, PageNode};
use serde_json::Value;

use super::links::{Links, NamedLinks};
use super::names::Names;
use super::problems::Problems;
use super::resolved::{Lookups, Source};
use super::{Editor, Owner, metadata};

/// A parsed body.
#[derive(Debug)]
pub(super) struct Body {
    document: Document,
    format: Format,
}

/// The format of a body.
#[derive(Debug)]
enum Format {
    /// A JSON document. Its references are final.
    Document {
        /// Text of the leading heading.
        heading: Option<String>,
    },
    /// Markdown. Its links are resolved against the tree.
    Markdown,
    /// The Markdown of a page, with metadata.
    Page {
        front_matter: Box<PageMetadata>,
        /// Text of the leading heading, which is the title of a page without another one.
        title: Option<String>,
        /// The leading heading, which is not part of the document.
        heading: Option<Block>,
        /// Set when the front matter states a cover by its address.
        has_cover: bool,
    },
}

/// A document to insert into the tree when all pages have their places.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) source: Source,
    has_cover: bool,
}

impl Pending {
    pub(super) fn new(source: Source) -> Self {
        Self { source, has_cover: false }
    }
}

/// Page properties stated by a document.
#[derive(Debug, Default)]
pub(super) struct Stated {
    /// The metadata of the page: what the change says, over- and underlaid with what the document says.
    pub(super) metadata: PageMetadata,
    /// A title for a page that would have none.
    pub(super) suggested_title: Option<String>,
}

impl Body {
    /// Parses the body of a page.
    pub(super) fn of_page(
        input: &DocumentInput,
        names: &Names,
        is_late: &dyn Fn() -> bool,
    ) -> Result<Self, Problems> {
        let markdown = match input {
            DocumentInput::Document { document } => return Self::of_document(document, names),
            DocumentInput::Markdown { markdown } => markdown,
        };
        let page = try_parse_page(markdown, &NamedLinks(names), is_late).map_err(too_much)?;
        let has_cover = page.front_matter.cover.is_some();
        let front_matter = Box::new(metadata::of_front_matter(page.front_matter)?);
        let format = Format::Page { front_matter, title: page.title, heading: page.heading, has_cover };
        Ok(Self { document: page.document, format })
    }

    /// Parses the body of a reusable content, which has a title of its own and no front matter.
    pub(super) fn of_reusable_content(
        input: &DocumentInput,
        names: &Names,
        is_late: &dyn Fn() -> bool,
    ) -> Result<Self, Problems> {
        match input {
            DocumentInput::Document { document } => Self::of_document(document, names),
            DocumentInput::Markdown { markdown } => {
                let document = try_parse(markdown, &NamedLinks(names), is_late).map_err(too_much)?;
                Ok(Self { document, format: Format::Markdown })
            }
        }
    }

    fn of_document(document: &Value, names: &Names) -> Result<Self, Problems> {
        let mut document = Document::from_json(document).map_err(|errors| {
            let fields =
                errors.into_iter().map(|error| FieldError { field: error.path, message: error.message });
            Problems::all(fields).below("document")
        })?;
        rewrite_refs(&mut document, &mut |reference| names.settle(reference));
        let heading = first_heading(&document);
        Ok(Self { document, format: Format::Document { heading } })
    }
}

fn too_much(excess: Excess) -> Problems {
    Problems::new("document.markdown", excess.to_string())
}

impl Editor<'_> {
    /// Takes in the document of a page, which the body of the change with this index is.
    pub(super) fn take_page_body(
        &mut self,
        owner: Owner,
        (change, body): (usize, &Body),
        keys: PageMetadata,
    ) -> Result<Stated, Problems> {
        let mut pending = Pending::new(Source::Body { change, keeps_heading: false });
        let stated = match &body.format {
            Format::Document { heading } => Stated { metadata: keys, suggested_title: heading.clone() },
            Format::Markdown => Stated { metadata: keys, suggested_title: None },
            Format::Page { front_matter, title, heading: _, has_cover } => {
                let mut metadata = metadata::merged(PageMetadata::clone(front_matter), keys);
                if metadata.title.is_none() {
                    metadata.title.clone_from(title);
                    metadata::check_title(metadata.title.as_deref())?;
                }
                // The title is shown above the text: the same words are not repeated there, others are not lost.
                let keeps_heading = metadata.title != *title;
                pending = Pending { source: Source::Body { change, keeps_heading }, has_cover: *has_cover };
                Stated { metadata, suggested_title: None }
            }
        };
        self.bodies.insert(owner, pending);
        Ok(stated)
    }

    /// Returns the document of a body, with links resolved against the current tree.
    pub(super) fn resolve_body(
        &self,
        owner: Owner,
        body: &Body,
        keeps_heading: bool,
        lookups: &mut Lookups,
    ) -> Document {
        let mut document = body.document.clone();
        match &body.format {
            Format::Document { .. } => return document,
            Format::Page { heading: Some(heading), .. } if keeps_heading => {
                document.nodes.insert(0, heading.clone());
            }
            Format::Markdown | Format::Page { .. } => {}
        }
        resolve_links(&mut document, &self.links_of(owner, lookups));
        document
    }

    fn links_of<'l>(&'l self, owner: Owner, lookups: &'l mut Lookups) -> Links<'l> {
        match owner {
            Owner::Page(id) => Links::of_page(&self.tree, self.names, id, lookups),
            Owner::ReusableContent(_) => Links::of_space(&self.tree, self.names, lookups),
        }
    }

    /// Inserts all documents into the tree and returns their ids. An empty document is not stored.
    pub(super) fn put_documents_in(&mut self) -> Result<BTreeSet<DocumentId>, Problems> {
        let mut documents = BTreeSet::new();
        for (owner, pending) in mem::take(&mut self.bodies) {
            let id = self.document_of(owner, pending.source)?;
            match owner {
                Owner::Page(page) => {
                    // A later change may have removed it.
                    let Some(mut page) = self.tree.page(page).cloned() else { continue };
                    page.document = id;
                    if pending.has_cover {
                        self.resolve_cover(&mut page);
                    }
                    self.replace_page(page);
                }
                Owner::ReusableContent(content) => {
                    let Some(mut content) = self.tree.reusable_content(content).cloned() else { continue };
                    content.document = id;
                    self.replace_reusable_content(content);
                }
            }
            documents.extend(id);
        }
        Ok(documents)
    }

    /// A cover's address in front matter may mean a file of the space.
    fn resolve_cover(&self, page: &mut PageNode) {
        let cover =
            page.cover.as_ref().and_then(|cover| serde_json::from_value::<PageCover>(cover.clone()).ok());
        let Some(mut cover) = cover else { return };
        if let Some(ContentRef::Url { url }) = cover.reference.as_ref().and_then(ContentRef::from_value)
            && let Some(file) =
                self.links_of(Owner::Page(page.id), &mut Lookups::default()).resolve(&url, HrefKind::Image)
        {
            cover.reference = Some(file.to_value());
            page.cover = serde_json::to_value(cover).ok();
        }
    }
}

/// The words of the heading that a document begins with.
fn first_heading(document: &Document) -> Option<String> {
    let first = document.nodes.first().filter(|block| block.kind == BlockKind::Heading1)?;
    let words = inline_text(first.child_inlines());
    let words: Vec<&str> = words.split_whitespace().collect();
    let title: String =
        without_direction_controls(&words.join(" ")).chars().take(metadata::TITLE_MAX).collect();
    Some(title).filter(|title| !title.is_empty())
}
