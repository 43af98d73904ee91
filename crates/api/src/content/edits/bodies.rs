//! Documents: read when their change is made, put in when all changes are.

use std::mem;

use quire_domain::content::PageMetadata;
use quire_domain::documents::DocumentInput;
use quire_domain::error::FieldError;
use quire_domain::revisions::PageCover;
use quire_markup::{
    Block, BlockKind, ContentRef, Document, HrefKind, Inline, RefResolver as _, inline_text, parse,
    parse_page, rewrite_refs,
};
use quire_revision::PageNode;
use quire_storage::content::NewDocument;
use serde_json::Value;

use super::links::Links;
use super::problems::Problems;
use super::{Editor, Owner, metadata};

/// A document on its way into the tree.
#[derive(Clone, Debug)]
pub(super) enum Body {
    /// Markdown. A page's is read twice: for what it says of its page at once, for its text when it is known where links lead.
    Markdown {
        text: String,
        /// The words of a first heading that stay in the text, because another title was given.
        heading: Option<String>,
        /// Whether the page's cover is an address in the text's front matter.
        has_cover: bool,
    },
    /// A document with its references as they will be.
    Document(Document),
}

/// What a document says of the page that it belongs to.
#[derive(Debug, Default)]
pub(super) struct Stated {
    /// The metadata of the page: what the change says, over- and underlaid with what the document says.
    pub(super) metadata: PageMetadata,
    /// A title for a page that would have none.
    pub(super) suggested_title: Option<String>,
}

impl Editor<'_> {
    /// Takes a page's document in.
    pub(super) fn take_page_body(
        &mut self,
        owner: Owner,
        input: DocumentInput,
        keys: PageMetadata,
    ) -> Result<Stated, Problems> {
        let (body, stated) = match input {
            DocumentInput::Document { document } => {
                let document = self.read_document(&document)?;
                let suggested_title = first_heading(&document);
                (Body::Document(document), Stated { metadata: keys, suggested_title })
            }
            DocumentInput::Markdown { markdown } => {
                let source = parse_page(&markdown, &Links::of_space(&self.tree, &self.names));
                let heading = source.title;
                let has_cover = source.front_matter.cover.is_some();
                let own = metadata::of_front_matter(source.front_matter)?;
                let mut metadata = metadata::beside(own, keys);
                if metadata.title.is_none() {
                    metadata.title.clone_from(&heading);
                    metadata::check_title(metadata.title.as_deref())?;
                }
                // The title is shown above the text: the same words are not repeated there, others are not lost.
                let heading = heading.filter(|heading| metadata.title.as_ref() != Some(heading));
                (
                    Body::Markdown { text: markdown, heading, has_cover },
                    Stated { metadata, suggested_title: None },
                )
            }
        };
        self.bodies.insert(owner, body);
        Ok(stated)
    }

    /// Takes the document of a reusable content in, which has a title of its own and no front matter.
    pub(super) fn take_reusable_body(&mut self, owner: Owner, input: DocumentInput) -> Result<(), Problems> {
        let body = match input {
            DocumentInput::Document { document } => Body::Document(self.read_document(&document)?),
            DocumentInput::Markdown { markdown } => {
                Body::Markdown { text: markdown, heading: None, has_cover: false }
            }
        };
        self.bodies.insert(owner, body);
        Ok(())
    }

    fn read_document(&self, document: &Value) -> Result<Document, Problems> {
        let mut document = Document::from_json(document).map_err(|errors| {
            Problems::all(
                errors.into_iter().map(|error| FieldError { field: error.path, message: error.message }),
            )
            .below("document")
        })?;
        rewrite_refs(&mut document, &mut |reference| self.names.settle(reference));
        Ok(document)
    }

    /// The document that a body makes, with its links as they lead now.
    pub(super) fn document_of(&self, owner: Owner, body: Body) -> Document {
        match body {
            Body::Document(document) => document,
            Body::Markdown { text, heading, .. } => {
                let links = self.links_of(owner);
                let mut document = match owner {
                    Owner::Page(_) => parse_page(&text, &links).document,
                    Owner::ReusableContent(_) => parse(&text, &links),
                };
                if let Some(heading) = heading {
                    let heading = Block::inlines(BlockKind::Heading1, vec![Inline::text(heading)]);
                    document.nodes.insert(0, heading);
                }
                document
            }
        }
    }

    fn links_of(&self, owner: Owner) -> Links<'_> {
        match owner {
            Owner::Page(id) => Links::of_page(&self.tree, &self.names, id),
            Owner::ReusableContent(_) => Links::of_space(&self.tree, &self.names),
        }
    }

    /// Puts all documents into the tree and returns them. An empty one is none.
    pub(super) fn put_documents_in(&mut self) -> Vec<NewDocument> {
        let mut documents: Vec<NewDocument> = Vec::new();
        for (owner, body) in mem::take(&mut self.bodies) {
            let has_cover = matches!(body, Body::Markdown { has_cover: true, .. });
            let document = self.document_of(owner, body);
            let new = (!document.is_empty()).then(|| NewDocument::new(document.to_json()));
            let id = new.as_ref().map(|document| document.id);
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
            let is_new = |new: &NewDocument| documents.iter().all(|known| known.id != new.id);
            documents.extend(new.filter(is_new));
        }
        documents
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
    let title: String = words.join(" ").chars().take(metadata::TITLE_MAX).collect();
    Some(title).filter(|title| !title.is_empty())
}
