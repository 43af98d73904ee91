//! Earlier revisions with their trees and documents, for edits of a head.

use std::collections::HashMap;

use diesel::dsl;
use diesel::prelude::*;
use quire_domain::documents::DocumentJson;
use quire_domain::ids::{DocumentId, RevisionId, SpaceId};
use quire_revision::Tree;

use super::HeadOf;
use crate::content::store::{ContentAt, RevisionRecord};
use crate::lookup::Authorized;
use crate::schema::{change_requests, revisions};
use crate::transaction::Reader;
use crate::{Error, Result};

/// Point in the history of the main content or a change request: a locked head, or the head of a lookup.
#[derive(Clone, Copy, Debug)]
pub struct HeadPoint<'a> {
    pub(super) space: SpaceId,
    pub(super) of: HeadOf,
    pub(super) revision: &'a RevisionRecord,
}

impl HeadPoint<'_> {
    /// Returns the owner of the history.
    #[must_use]
    pub fn of(&self) -> HeadOf {
        self.of
    }

    /// Returns an earlier point in the same history.
    #[must_use]
    pub fn at<'r>(&self, revision: &'r RevisionRecord) -> HeadPoint<'r> {
        HeadPoint { space: self.space, of: self.of, revision }
    }
}

impl Reader<'_> {
    /// Returns the revision on which a write is based; `None` for an id that was never the head of this content. Takes
    /// one statement.
    pub fn base_revision(
        &mut self,
        content: &Authorized<ContentAt>,
        id: RevisionId,
    ) -> Result<Option<RevisionRecord>> {
        let change_request = content.change_request.as_ref();
        let is_initial = change_request.is_some_and(|record| record.revision_initial == id);
        let owner = change_request.filter(|_| !is_initial).map(|record| record.id);
        let revision = revisions::table
            .find((content.space.id, id))
            .filter(revisions::change_request_id.is_not_distinct_from(owner))
            .filter(dsl::not(revisions::standalone));
        Ok(revision.select(RevisionRecord::as_select()).get_result(self.connection).optional()?)
    }

    /// Returns the tree of a revision.
    pub fn tree_at(&mut self, point: HeadPoint<'_>) -> Result<Tree> {
        self.tree_of(point.space, point.revision.root)
    }

    /// Returns the tree of a revision of the head's space; `None` if the space has no such revision.
    pub fn tree_of_revision(&mut self, head: HeadPoint<'_>, revision: RevisionId) -> Result<Option<Tree>> {
        let Some(record) = self.find_revision(head.space, revision)? else { return Ok(None) };
        self.tree_of(head.space, record.root).map(Some)
    }

    /// Returns the revision to which edits of the head are reverted: for the main content the parent of the head, for a
    /// change request its merge base. The first revision of a space has none.
    pub fn revision_to_revert_to(&mut self, head: HeadPoint<'_>) -> Result<Option<RevisionId>> {
        let HeadOf::ChangeRequest(id) = head.of else {
            return Ok(head.revision.parents.first().copied());
        };
        let (initial, ancestor): (uuid::Uuid, Option<uuid::Uuid>) = change_requests::table
            .find((head.space, id))
            .select((change_requests::revision_initial, change_requests::revision_merged_ancestor))
            .first(self.connection)?;
        Ok(Some(RevisionId::from_uuid(ancestor.unwrap_or(initial))))
    }

    /// Returns documents to which trees of the head's space refer, by id. Takes at most one statement.
    ///
    /// # Errors
    /// A statement that fails, or a missing document.
    pub fn documents_of_head(
        &mut self,
        head: HeadPoint<'_>,
        ids: &[DocumentId],
    ) -> Result<HashMap<DocumentId, DocumentJson>> {
        let documents = self.documents_of(head.space, ids)?;
        match ids.iter().find(|id| !documents.contains_key(id)) {
            Some(id) => Err(Error::corrupt("a document is missing", anyhow::anyhow!("document {id}"))),
            None => Ok(documents),
        }
    }
}
