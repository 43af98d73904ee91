//! Previews: a site as one of its organization's users would see it with a change request or at a revision.

use std::sync::Arc;

use diesel::prelude::*;
use diesel::sql_types::{Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::clock::Timestamp;
use quire_domain::ids::{ChangeRequestId, OrganizationId, RevisionId, SpaceId, UserId};
use quire_revision::TreeHash;
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use uuid::Uuid;

use super::lookup::PublishedSite;
use crate::statement::sql_files;
use crate::transaction::Reader;
use crate::{Error, Result, to_timestamp};

sql_files! {
    FindPreview(SqlUuid, SqlUuid, Nullable<SqlUuid>, Nullable<SqlUuid>, SqlUuid)
        -> (Nullable<Integer>, Nullable<Text>, SqlUuid, Text, Timestamptz)
        = "published/preview.sql";
}

/// State of a space that a preview shows in place of its head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreviewedState {
    /// The head of a change request.
    ChangeRequest(ChangeRequestId),
    /// A revision.
    Revision(RevisionId),
}

/// Content of a space that a preview shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviewedContent {
    /// Space.
    pub space: SpaceId,
    /// Number and subject of the change request; `None` for a revision.
    pub change_request: Option<(i32, String)>,
    /// Revision.
    pub revision: RevisionId,
    /// Root of its tree.
    pub root: TreeHash,
    /// Creation time of the revision.
    pub created_at: Timestamp,
}

/// Number and subject of a change request; revision, its root and time.
type Row = (Option<i32>, Option<String>, Uuid, String, OffsetDateTime);

impl Reader<'_> {
    /// Returns a state of a space for a user with a role on it: one statement.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the space has no such state or the user may not read the space.
    pub fn previewed(
        &mut self,
        (organization, space): (OrganizationId, SpaceId),
        state: PreviewedState,
        user: UserId,
    ) -> Result<PreviewedContent> {
        let (change_request, revision) = match state {
            PreviewedState::ChangeRequest(id) => (Some(*id.as_uuid()), None),
            PreviewedState::Revision(id) => (None, Some(*id.as_uuid())),
        };
        let row: Option<Row> = FindPreview::bind((
            organization.as_uuid(),
            space.as_uuid(),
            change_request,
            revision,
            user.as_uuid(),
        ))
        .get_result(self.connection)
        .optional()?;
        let (number, subject, revision, root, created_at) = row.ok_or(Error::NotFound)?;
        Ok(PreviewedContent {
            space,
            change_request: number.zip(subject),
            revision: RevisionId::from_uuid(revision),
            root: root.parse().map_err(|error| {
                Error::corrupt("the root of a revision can't be read", anyhow::Error::from(error))
            })?,
            created_at: to_timestamp(created_at)?,
        })
    }
}

impl PublishedSite {
    /// Shows another state of a space in place of its head. A shared site is copied.
    pub fn show_at(self: &mut Arc<Self>, content: &PreviewedContent) {
        let site = Arc::make_mut(self);
        for space in site.spaces.iter_mut().filter(|space| space.space == content.space) {
            space.revision = content.revision;
            space.root = content.root;
        }
        let hash = Sha256::new().chain_update(site.digest).chain_update(content.root.to_string());
        site.digest = hash.finalize().into();
    }
}
