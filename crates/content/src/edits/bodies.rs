//! Documents: parsed before the changes are applied, inserted when all pages have their places.

use std::collections::BTreeMap;
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
use super::{Editor, Owner, metadata};

/// A document on its way into the tree.
#[derive(Clone, Debug)]
pub(super) struct Body {
    document: Document,
    source: Source,
}

/// The format of a body.
#[derive(Clone, Debug)]
enum Source {
    /// A JSON document. Its references are final.
    Document,
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
        let source = Source::Page { front_matter, title: page.title, heading: page.heading, has_cover };
        Ok(Self { document: page.document, source })
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
                Ok(Self { document, source: Source::Markdown })
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
        Ok(Self::from(document))
    }

    fn has_cover(&self) -> bool {
        matches!(self.source, Source::Page { has_cover: true, .. })
    }
}

impl From<Document> for Body {
    fn from(document: Document) -> Self {
        Self { document, source: Source::Document }
    }
}

fn too_much(excess: Excess) -> Problems {
    Problems::new("document.markdown", excess.to_string())
}

impl Editor<'_> {
    /// Takes a page's document in.
    pub(super) fn take_page_body(
        &mut self,
        owner: Owner,
        body: &Body,
        keys: PageMetadata,
    ) -> Result<Stated, Problems> {
        let mut body = body.clone();
        let stated = match &mut body.source {
            Source::Document | Source::Markdown => {
                Stated { metadata: keys, suggested_title: first_heading(&body.document) }
            }
            Source::Page { front_matter, title, heading, .. } => {
                let mut metadata = metadata::merged(PageMetadata::clone(front_matter), keys);
                if metadata.title.is_none() {
                    metadata.title.clone_from(title);
                    metadata::check_title(metadata.title.as_deref())?;
                }
                // The title is shown above the text: the same words are not repeated there, others are not lost.
                if let Some(heading) = heading.take().filter(|_| metadata.title != *title) {
                    body.document.nodes.insert(0, heading);
                }
                Stated { metadata, suggested_title: None }
            }
        };
        self.bodies.insert(owner, body);
        Ok(stated)
    }

    /// Returns the document of a body, with links resolved against the current tree.
    pub(super) fn document_of(&self, owner: Owner, body: Body) -> Document {
        let Body { mut document, source } = body;
        match source {
            Source::Document => {}
            Source::Markdown | Source::Page { .. } => resolve_links(&mut document, &self.links_of(owner)),
        }
        document
    }

    fn links_of(&self, owner: Owner) -> Links<'_> {
        match owner {
            Owner::Page(id) => Links::of_page(&self.tree, self.names, id),
            Owner::ReusableContent(_) => Links::of_space(&self.tree, self.names),
        }
    }

    /// Inserts all documents into the tree and returns them. An empty document is not stored.
    pub(super) fn put_documents_in(&mut self) -> Vec<(DocumentId, Value)> {
        let mut documents: BTreeMap<DocumentId, Value> = BTreeMap::new();
        for (owner, body) in mem::take(&mut self.bodies) {
            let has_cover = body.has_cover();
            let document = self.document_of(owner, body);
            let new = (!document.is_empty()).then(|| document.to_json());
            let new = new.map(|document| (DocumentId::of(&document), document));
            let id = new.as_ref().map(|(id, _)| *id);
            match owner {
                Owner::Page(page) => {
                    // A later change may have removed it.
                    let Some(mut page) = self.tree.page(page).cloned() else { continue };
                    page.document = id;
                    if has_cover {
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
            documents.extend(new);
        }
        documents.into_iter().collect()
    }

    /// A cover's address in front matter may mean a file of the space.
    fn resolve_cover(&self, page: &mut PageNode) {
        let cover =
            page.cover.as_ref().and_then(|cover| serde_json::from_value::<PageCover>(cover.clone()).ok());
        let Some(mut cover) = cover else { return };
        if let Some(ContentRef::Url { url }) = cover.reference.as_ref().and_then(ContentRef::from_value)
            && let Some(file) = self.links_of(Owner::Page(page.id)).resolve(&url, HrefKind::Image)
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
