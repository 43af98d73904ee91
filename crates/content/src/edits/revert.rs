//! Changes that revert a page.

use quire_domain::bounded::IntoText as _;
use quire_domain::content::RevertPage;
use quire_domain::error::FieldError;
use quire_markup::{Document, DocumentError};
use quire_revision::{PageNode, PageType, Tree};
use serde_json::Value;

use super::blocks;
use super::editor::{Editor, Pending};
use super::problems::Problems;
use super::resolved::{Owner, Source};

impl Editor<'_> {
    /// Reverts a whole page, or some blocks of its document. Keeps its position and slug. A deleted page is restored
    /// without its former descendants.
    pub(super) fn revert_page(&mut self, change: &RevertPage) -> Result<(), Problems> {
        let RevertPage { page: id, revision, block } = change;
        let past = self.context.past.tree(*revision).ok_or_else(|| match revision {
            Some(_) => Problems::new("revision", "does not exist"),
            None => Problems::new("revision", "is required: there is no revision before the current one"),
        })?;
        let then = past.page(*id).ok_or_else(|| match self.tree.page(*id) {
            Some(_) => Problems::new("page", "did not exist in that revision"),
            None => Problems::new("page", "does not exist"),
        })?;
        match (block, self.tree.page(*id)) {
            (Some(names), Some(now)) => {
                let (now, then) = (now.clone(), then.clone());
                self.revert_blocks(&now, &then, names.clone().into_text()?)
            }
            (Some(_), None) => Err(Problems::new("page", "does not exist")),
            (None, Some(now)) => {
                let now = now.clone();
                self.revert_whole(now, then.clone())
            }
            (None, None) => self.restore_page(past, then.clone()),
        }
    }

    fn revert_whole(&mut self, now: PageNode, then: PageNode) -> Result<(), Problems> {
        self.bodies.remove(&Owner::Page(now.id));
        self.replace_page(PageNode {
            parent: now.parent,
            position: now.position,
            slug: now.slug,
            created_at: now.created_at,
            updated_at: now.updated_at,
            git: now.git,
            ..then
        });
        Ok(())
    }

    fn revert_blocks(&mut self, now: &PageNode, then: &PageNode, names: Vec<String>) -> Result<(), Problems> {
        if now.page_type() != PageType::Document {
            return Err(Problems::new("block", "only pages with a document have blocks"));
        }
        let owner = Owner::Page(now.id);
        let present = match self.bodies.remove(&owner) {
            Some(pending) => pending.source,
            None => Source::Document(now.document),
        };
        let reverted = Source::Reverted { present: Box::new(present), past: then.document, blocks: names };
        let document = self.document_of(owner, reverted)?;
        self.bodies.insert(owner, Pending::new(Source::Document(document)));
        self.touched.insert(owner);
        Ok(())
    }

    /// Restores past blocks in a document.
    pub(super) fn reverted(present: &Value, past: &Value, names: &[String]) -> Result<Document, Problems> {
        let reverted = blocks::revert(present, past, names).map_err(|index| {
            Problems::new(format!("block[{index}]"), "no such block exists, or its parent was removed")
        })?;
        // If one of the documents already violates a rule, the revert is not to blame, so stored documents are checked
        // less strictly.
        let keeps_rules = |document: &Value| Document::from_json(document).is_ok();
        let refused = |error: String| format!("without these blocks, {error}");
        if !(keeps_rules(present) && keeps_rules(past)) {
            let read = Document::from_stored_value(&reverted);
            return read.map_err(|error| Problems::new("block", refused(error.to_string())));
        }
        Document::from_json(&reverted).map_err(|errors| {
            let message = |error: DocumentError| refused(error.to_string());
            let field = |error| FieldError { field: "block".to_owned(), message: message(error) };
            Problems::all(errors.into_iter().map(field))
        })
    }

    /// Restores a page at its former index, or at the end of the top level if its parent no longer exists.
    fn restore_page(&mut self, past: &Tree, mut page: PageNode) -> Result<(), Problems> {
        let can_hold = |parent: &PageNode| parent.page_type().has_children();
        page.parent = page.parent.filter(|parent| self.tree.page(*parent).is_some_and(can_hold));
        let index = past.children(page.parent).position(|sibling| sibling.id == page.id);
        page.position = self.tree.position_at(page.parent, index, None);
        if page.page_type().has_children() {
            page.slug = self.tree.free_slug(page.parent, &page.slug);
        }
        self.bodies.remove(&Owner::Page(page.id));
        self.touched.insert(Owner::Page(page.id));
        self.tree.insert_page(page).map_err(|error| Problems::of_page(&error, false))
    }
}
