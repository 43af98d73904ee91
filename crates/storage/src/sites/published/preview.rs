//! Previews: a site as a user of its organization would see it with a change request or at a revision.

use std::sync::Arc;

use diesel::prelude::*;
use diesel::sql_types::{Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{ChangeRequestId, OrganizationId, RevisionId, SpaceId, UserId};
use quire_revision::TreeHash;
use sha2::{Digest, Sha256};

use super::address::SiteAddress;
use super::lookup::{FoundSite, PublishedSite};
use super::visitor::SiteVisitor;
use crate::content::change_requests::ChangeRequestKey;
use crate::transaction::Reader;
use crate::{Error, Result};

sql_files! {
    FindPreview(SqlUuid, SqlUuid, Nullable<SqlUuid>, Nullable<SqlUuid>, SqlUuid, Nullable<Integer>)
        -> (Nullable<SqlUuid>, Nullable<Integer>, Nullable<Text>, SqlUuid, Text, Timestamptz)
        = "preview.sql";
}

/// State of a space that a preview shows instead of its head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreviewedState {
    /// Head of a change request.
    ChangeRequest(ChangeRequestId),
    /// Revision.
    Revision(RevisionId),
}

/// Key of a state of a space in a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreviewKey {
    /// Change request.
    ChangeRequest(ChangeRequestKey),
    /// Revision.
    Revision(RevisionId),
}

impl From<PreviewedState> for PreviewKey {
    fn from(state: PreviewedState) -> Self {
        match state {
            PreviewedState::ChangeRequest(id) => Self::ChangeRequest(ChangeRequestKey::Id(id)),
            PreviewedState::Revision(id) => Self::Revision(id),
        }
    }
}

/// Scope of a preview: its creator, and the previewed state of a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PreviewScope {
    /// User who created the preview. The user is authorized again with each request.
    pub user: UserId,
    /// Space, and the state that may be read in addition to its head.
    pub state: Option<(SpaceId, PreviewedState)>,
}

/// Previewed content of a space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviewedContent {
    /// Space.
    pub space: SpaceId,
    /// State of the space.
    pub state: PreviewedState,
    /// Number and subject of the change request; `None` for a revision.
    pub change_request: Option<(i32, String)>,
    /// Revision.
    pub revision: RevisionId,
    /// Root of the revision's tree.
    pub root: TreeHash,
    /// Creation time of the revision.
    pub created_at: Timestamp,
}

impl Reader<'_> {
    /// Returns a state of a space to a user with a role on it. Takes one statement.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the space does not have this state or the user may not read the space.
    pub fn previewed(
        &mut self,
        (organization, space): (OrganizationId, SpaceId),
        key: PreviewKey,
        user: UserId,
    ) -> Result<PreviewedContent> {
        let (change_request, number, revision) = match key {
            PreviewKey::ChangeRequest(ChangeRequestKey::Id(id)) => (Some(id), None, None),
            PreviewKey::ChangeRequest(ChangeRequestKey::Number(number)) => (None, Some(number), None),
            PreviewKey::Revision(id) => (None, None, Some(id)),
        };
        let row = FindPreview::bind((organization, space, change_request, revision, user, number))
            .get_result::<(Option<ChangeRequestId>, Option<i32>, Option<String>, _, String, _)>(
                self.connection,
            )
            .optional()?;
        let (change_request, number, subject, revision, root, created_at) = row.ok_or(Error::NotFound)?;
        Ok(PreviewedContent {
            space,
            state: change_request.map_or(PreviewedState::Revision(revision), PreviewedState::ChangeRequest),
            change_request: number.zip(subject),
            revision,
            root: root.parse().map_err(|error| {
                Error::corrupt("the root of a revision can't be read", anyhow::Error::from(error))
            })?,
            created_at,
        })
    }
}

impl Reader<'_> {
    /// Returns the site of a preview with the spaces on which its user has a role. The holder of the preview does not
    /// have these roles, so parts whose conditions are not met are hidden. Takes one statement.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the site does not exist or the user may not read it.
    pub fn previewed_site(&mut self, visitor: &SiteVisitor, user: UserId) -> Result<Arc<PublishedSite>> {
        let address = SiteAddress::Id(visitor.organization, visitor.site);
        let found = self.find_site_with((&address, None), Some(user), false)?;
        let mut site = found.and_then(FoundSite::open_preview).ok_or(Error::NotFound)?;
        for space in &mut Arc::make_mut(&mut site).spaces {
            space.role = None;
        }
        Ok(site)
    }
}

impl PublishedSite {
    /// Shows another state of a space instead of its head. A shared site is copied.
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
