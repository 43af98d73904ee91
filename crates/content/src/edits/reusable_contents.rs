//! Changes that add, update or remove reusable contents.

use quire_domain::content::{DeleteReusableContent, InsertReusableContent, UpdateReusableContent};
use quire_domain::ids::ReusableContentId;
use quire_revision::ReusableContentNode;

use super::body::Body;
use super::editor::{Editor, Pending};
use super::problems::Problems;
use super::resolved::{Owner, Source};

impl Editor<'_> {
    pub(super) fn insert_reusable_content(
        &mut self,
        index: usize,
        change: InsertReusableContent,
        body: Result<Option<&Body>, Problems>,
    ) -> Result<(), Problems> {
        let InsertReusableContent { title, document: _, reference: _ } = change;
        let title = title.into_text()?;
        let id = ReusableContentId::from_uuid(self.changes.inserted().get(index, 0));
        self.take_body(Owner::ReusableContent(id), index, body?);
        let content = ReusableContentNode {
            id,
            title,
            document: None,
            created_at: Some(self.context.now.millis()),
            updated_at: None,
            git: None,
        };
        self.touched.insert(Owner::ReusableContent(id));
        self.tree.insert_reusable_content(content).map_err(|error| Problems::new("", error.to_string()))
    }

    pub(super) fn update_reusable_content(
        &mut self,
        index: usize,
        change: UpdateReusableContent,
        body: Result<Option<&Body>, Problems>,
    ) -> Result<(), Problems> {
        let UpdateReusableContent { reusable_content: id, title, document: _ } = change;
        let mut content = self.tree.reusable_content(id).cloned().ok_or_else(no_such_content)?;
        self.take_body(Owner::ReusableContent(id), index, body?);
        if let Some(title) = title {
            content.title = title.into_text()?;
        }
        self.replace_reusable_content(content);
        Ok(())
    }

    pub(super) fn delete_reusable_content(&mut self, change: &DeleteReusableContent) -> Result<(), Problems> {
        self.tree.remove_reusable_content(change.reusable_content).map_err(|_| no_such_content())
    }

    fn take_body(&mut self, owner: Owner, change: usize, body: Option<&Body>) {
        let pending = body.map(|_| Pending::new(Source::Body { change, keeps_heading: false }));
        self.bodies.extend(pending.map(|pending| (owner, pending)));
    }

    /// Replaces an existing reusable content.
    pub(super) fn replace_reusable_content(&mut self, content: ReusableContentNode) {
        self.touched.insert(Owner::ReusableContent(content.id));
        if let Err(error) = self.tree.update_reusable_content(content) {
            log::error!("a reusable content could not be replaced: {error}");
        }
    }
}

fn no_such_content() -> Problems {
    Problems::new("reusableContent", "does not exist")
}
