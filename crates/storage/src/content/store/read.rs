//! Reads of looked-up content.

use std::collections::HashMap;

use diesel::prelude::*;
use quire_domain::documents::DocumentJson;
use quire_domain::ids::{DocumentId, RevisionId, SpaceId};
use quire_domain::policy::Action;
use quire_revision::Tree;

use crate::content::change_requests::ChangeRequestRecord;
use crate::content::store::{ContentAt, ContentPoint, ContentSelector, RevisionRecord};
use crate::lookup::Authorized;
use crate::schema::{change_requests, revisions, users};
use crate::transaction::Reader;
use crate::{Error, Result};

impl Reader<'_> {
    /// Returns content that the actor may view, with its tree. Takes one statement if the tree is cached.
    ///
    /// # Errors
    /// See [`Reader::content`]; [`Error::Forbidden`] if the actor may not view it.
    pub fn content_with_tree(
        &mut self,
        space: SpaceId,
        selector: ContentSelector,
    ) -> Result<(Authorized<ContentAt>, Tree)> {
        let content = self.content(space, selector)?.authorize(Action::ViewSpace)?;
        let tree = self.tree(&content)?;
        Ok((content, tree))
    }

    /// Returns the tree of looked-up content.
    pub fn tree(&mut self, content: &Authorized<impl ContentPoint>) -> Result<Tree> {
        self.tree_of(content.space(), content.root())
    }

    /// Returns the tree with which a revision is compared: for a change request the merge base with its space,
    /// otherwise the revision's first parent. The first revision of a space is compared with the empty tree. Takes one
    /// statement if the tree is cached.
    ///
    /// # Errors
    /// A damaged tree.
    pub fn tree_before(&mut self, content: &Authorized<ContentAt>) -> Result<Tree> {
        let before = match &content.change_request {
            Some(change_request) => Some(change_request.merge_base()),
            None => content.revision.parents.first().copied(),
        };
        let Some(before) = before else { return Ok(Tree::empty()) };
        let before = self.revision_of(content.space.id, before)?;
        self.tree_of(content.space.id, before.root)
    }

    /// Returns a document of any revision of the content's space. Takes one statement, or none if the document is
    /// cached.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the space has no document with this id.
    pub fn document(
        &mut self,
        content: &Authorized<impl ContentPoint>,
        id: DocumentId,
    ) -> Result<DocumentJson> {
        self.documents_of(content.space(), &[id])?.remove(&id).ok_or(Error::NotFound)
    }

    /// Returns the existing documents of the content's space with these ids. Takes at most one statement.
    pub fn documents(
        &mut self,
        content: &Authorized<impl ContentPoint>,
        ids: &[DocumentId],
    ) -> Result<HashMap<DocumentId, DocumentJson>> {
        self.documents_of(content.space(), ids)
    }

    /// Returns the change request whose merge created the revision. Takes one statement, or none for other revisions.
    pub fn merged_from(&mut self, content: &Authorized<ContentAt>) -> Result<Option<ChangeRequestRecord>> {
        let Some(id) = content.revision.merged_from else { return Ok(None) };
        let merged = change_requests::table
            .left_join(users::table)
            .filter(change_requests::space_id.eq(content.space.id))
            .filter(change_requests::id.eq(id))
            .select(ChangeRequestRecord::as_select());
        Ok(Some(merged.get_result(self.connection)?))
    }

    /// Returns a revision that must exist.
    pub(crate) fn revision_of(&mut self, space: SpaceId, id: RevisionId) -> Result<RevisionRecord> {
        let found = self.find_revision(space, id)?;
        found.ok_or_else(|| Error::corrupt("a revision is missing", anyhow::anyhow!("revision {id}")))
    }

    /// Returns revisions that must exist. Takes one statement.
    pub(crate) fn revisions_of<const N: usize>(
        &mut self,
        space: SpaceId,
        ids: [RevisionId; N],
    ) -> Result<[RevisionRecord; N]> {
        let wanted = ids.to_vec();
        let found: Vec<RevisionRecord> = revisions::table
            .filter(revisions::space_id.eq(space))
            .filter(revisions::id.eq_any(wanted))
            .select(RevisionRecord::as_select())
            .load(self.connection)?;
        let in_order = ids.iter().filter_map(|id| found.iter().find(|record| record.id == *id).cloned());
        let in_order: Vec<RevisionRecord> = in_order.collect();
        in_order.try_into().map_err(|_| {
            Error::corrupt("a revision is missing", anyhow::anyhow!("one of the revisions {ids:?}"))
        })
    }

    /// Returns a revision of a space; `None` if the space has no revision with this id.
    pub(crate) fn find_revision(&mut self, space: SpaceId, id: RevisionId) -> Result<Option<RevisionRecord>> {
        let revision = revisions::table.find((space, id));
        Ok(revision.select(RevisionRecord::as_select()).get_result(self.connection).optional()?)
    }
}
