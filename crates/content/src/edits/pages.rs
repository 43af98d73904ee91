//! Changes that add, update or remove pages.

use quire_domain::bounded::IntoText as _;
use quire_domain::computed::RevisionSource;
use quire_domain::content::{
    DeletePage, InsertComputed, InsertGroup, InsertLink, InsertPage, PageMetadata, UpdatePage,
};
use quire_domain::ids::PageId;
use quire_domain::texts::PageTitle;
use quire_markup::ContentRef;
use quire_revision::{PageKind, PageNode, PageType, Position};
use serde_json::Value;

use super::bodies::Stated;
use super::body::Body;
use super::editor::Editor;
use super::problems::Problems;
use super::resolved::Owner;
use super::{location, metadata};

/// Title of a page without another one.
const UNTITLED: &str = "Untitled";

impl Editor<'_> {
    pub(super) fn insert_page(
        &mut self,
        index: usize,
        change: InsertPage,
        body: Result<Option<&Body>, Problems>,
    ) -> Result<(), Problems> {
        let InsertPage { document: _, into, at, reference: _, metadata } = change;
        let id = self.inserted_page(index);
        let stated = match body? {
            Some(body) => self.take_page_body(Owner::Page(id), (index, body), metadata)?,
            None => Stated { metadata, suggested_title: None },
        };
        let mut metadata = stated.metadata;
        metadata.title = metadata.title.or(stated.suggested_title.map(PageTitle::unchecked));
        self.add_page(id, PageKind::Document, metadata, into, at)
    }

    pub(super) fn insert_group(&mut self, index: usize, change: InsertGroup) -> Result<(), Problems> {
        let InsertGroup { at, metadata } = change;
        self.add_page(self.inserted_page(index), PageKind::Group, metadata, None, at)
    }

    pub(super) fn insert_link(&mut self, index: usize, change: InsertLink) -> Result<(), Problems> {
        let InsertLink { target, into, at, metadata } = change;
        let kind = PageKind::Link { target: self.link_target(&target)? };
        self.add_page(self.inserted_page(index), kind, metadata, into, at)
    }

    pub(super) fn insert_computed(&mut self, index: usize, change: InsertComputed) -> Result<(), Problems> {
        let InsertComputed { source, seed, into, at, metadata } = change;
        let id = self.inserted_page(index);
        let kind = PageKind::Computed {
            source: source_value(&source)?,
            seed: seed.into_text()?.unwrap_or_else(|| id.to_string()),
        };
        self.add_page(id, kind, metadata, into, at)
    }

    pub(super) fn update_page(
        &mut self,
        index: usize,
        change: UpdatePage,
        body: Result<Option<&Body>, Problems>,
    ) -> Result<(), Problems> {
        let UpdatePage { page: id, document: _, into, at, target, source, metadata } = change;
        let mut page = self.present_page(id)?;
        let kind = page.page_type();
        let metadata = match body.transpose() {
            None => metadata,
            Some(body) if kind == PageType::Document => {
                self.take_page_body(Owner::Page(id), (index, body?), metadata)?.metadata
            }
            Some(_) => return Err(Problems::new("document", "is not allowed for this kind of page")),
        };
        metadata::check_kind(kind, &metadata)?;
        if let Some(target) = target {
            let PageKind::Link { target: present } = &mut page.kind else {
                return Err(Problems::new("target", "is not allowed for this kind of page"));
            };
            *present = self.link_target(&target)?;
        }
        if let Some(source) = source {
            let PageKind::Computed { source: present, .. } = &mut page.kind else {
                return Err(Problems::new("source", "is not allowed for this kind of page"));
            };
            *present = source_value(&source)?;
        }
        let slug = metadata.slug.clone().into_text()?;
        metadata::describe(&mut page, metadata)?;
        location::put(&self.tree, &mut page, &into, at);
        if let Some(slug) = &slug {
            page.slug = self.chosen_slug(&page, slug);
        }
        self.touched.insert(Owner::Page(id));
        let slug_is_given = slug.is_some();
        self.tree.update_page(page).map_err(|error| Problems::of_page(&error, slug_is_given))
    }

    pub(super) fn delete_page(&mut self, change: &DeletePage) -> Result<(), Problems> {
        self.tree.remove_page(change.page).map_err(|_| no_such_page())?;
        Ok(())
    }

    fn add_page(
        &mut self,
        id: PageId,
        kind: PageKind,
        metadata: PageMetadata,
        into: Option<PageId>,
        at: Option<u32>,
    ) -> Result<(), Problems> {
        metadata::check_kind(kind.page_type(), &metadata)?;
        let has_slug = kind.page_type().has_children();
        let title = metadata.title.clone().into_text()?.unwrap_or_else(|| UNTITLED.to_owned());
        let slug = metadata.slug.clone().into_text()?.unwrap_or_default();
        let mut page = PageNode::new(id, into, Position::first(), kind, title, String::new());
        metadata::describe(&mut page, metadata)?;
        page.position = self.tree.position_at(into, at.map(location::index), None);
        page.created_at = Some(self.context.now.millis());
        if has_slug {
            page.slug = self.chosen_slug(&page, &slug);
        }
        self.touched.insert(Owner::Page(id));
        self.tree.insert_page(page).map_err(|error| Problems::of_page(&error, !slug.is_empty()))
    }

    /// Returns the slug for a change. An empty one is derived from the title.
    fn chosen_slug(&self, page: &PageNode, asked: &str) -> String {
        match asked {
            "" => {
                let wanted = quire_markup::slugify(&page.title);
                self.tree.free_slug_of(Some(page.id), page.parent, &wanted)
            }
            slug => slug.to_owned(),
        }
    }

    fn link_target(&self, target: &Value) -> Result<Value, Problems> {
        let reference = ContentRef::from_value(target)
            .ok_or_else(|| Problems::new("target", "is not a content reference of a known kind"))?;
        Ok(self.names.settle(&reference).unwrap_or(reference).to_value())
    }

    pub(super) fn present_page(&self, id: PageId) -> Result<PageNode, Problems> {
        self.tree.page(id).cloned().ok_or_else(no_such_page)
    }

    /// Replaces a page by one with the same position and slug, which always succeeds.
    pub(super) fn replace_page(&mut self, page: PageNode) {
        self.touched.insert(Owner::Page(page.id));
        if let Err(error) = self.tree.update_page(page) {
            log::error!("a page could not be replaced: {error}");
        }
    }

    fn inserted_page(&self, change: usize) -> PageId {
        PageId::from_uuid(self.changes.inserted().get(change, 0))
    }
}

/// Returns a source in the form that a placeholder stores.
fn source_value(source: &RevisionSource) -> Result<Value, Problems> {
    serde_json::to_value(source).map_err(|error| Problems::new("source", error.to_string()))
}

fn no_such_page() -> Problems {
    Problems::new("page", "does not exist")
}
