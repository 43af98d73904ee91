//! Documents from bodies: parsed with their change, inserted after all pages have their positions.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::mem;

use quire_domain::content::PageMetadata;
use quire_domain::revisions::PageCover;
use quire_domain::texts::PageTitle;
use quire_markup::{ContentRef, Document, HrefKind, RefResolver as _, resolve_links};
use quire_revision::{DocumentId, PageNode};
use serde::Deserialize as _;

use super::body::{Body, Format};
use super::editor::{Editor, Pending};
use super::links::Links;
use super::metadata;
use super::problems::Problems;
use super::resolved::{Lookups, Owner, Source};

/// Page properties that a document provides.
#[derive(Debug, Default)]
pub(super) struct Stated {
    /// Metadata of the page: the fields of the change merged with the document's front matter.
    pub(super) metadata: PageMetadata,
    /// Title for a page without another one.
    pub(super) suggested_title: Option<String>,
}

impl Editor<'_> {
    /// Processes the document of a page. It is the body of the change with this index.
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
                    metadata::check_title(title.as_deref())?;
                    metadata.title = title.clone().map(PageTitle::unchecked);
                }
                // The title is displayed above the text, so a heading that repeats it is dropped. Any other heading is
                // kept.
                let keeps_heading = metadata.title != title.clone().map(PageTitle::unchecked);
                pending = Pending { source: Source::Body { change, keeps_heading }, has_cover: *has_cover };
                Stated { metadata, suggested_title: None }
            }
        };
        self.bodies.insert(owner, pending);
        Ok(stated)
    }

    /// Returns the document of a body, with links resolved in the current tree. That of a JSON document is borrowed:
    /// its references are final.
    pub(super) fn resolve_body<'b>(
        &self,
        owner: Owner,
        body: &'b Body,
        keeps_heading: bool,
        lookups: &mut Lookups,
    ) -> Cow<'b, Document> {
        if let Format::Document { .. } = &body.format {
            return Cow::Borrowed(&body.document);
        }
        let mut document = body.document.clone();
        if let Format::Page { heading: Some(heading), .. } = &body.format
            && keeps_heading
        {
            document.nodes.insert(0, heading.clone());
        }
        resolve_links(&mut document, &self.links_of(owner, lookups));
        Cow::Owned(document)
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
                    // A later change may have removed the page.
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

    /// Resolves the address of a cover in front matter, which may refer to a file of the space.
    fn resolve_cover(&self, page: &mut PageNode) {
        let cover = page.cover.as_deref().and_then(|cover| PageCover::deserialize(cover).ok());
        let Some(mut cover) = cover else { return };
        if let Some(ContentRef::Url { url }) = cover.reference.as_ref().and_then(ContentRef::from_value)
            && let Some(file) =
                self.links_of(Owner::Page(page.id), &mut Lookups::default()).resolve(&url, HrefKind::Image)
        {
            cover.reference = Some(file.to_value());
            page.cover = serde_json::to_value(cover).ok().map(Box::new);
        }
    }
}
