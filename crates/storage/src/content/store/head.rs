//! Content without its records: the part that a read needs before its entity tag is known.

use diesel::deserialize;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Binary, Bool, Nullable, SmallInt, Text, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::ids::{ChangeRequestId, OrganizationId, RevisionId, SpaceId};
use quire_domain::policy::{Action, Membership};
use quire_domain::sites::SiteVisibility;
use quire_revision::TreeHash;
use quire_search::Language;

use crate::content::change_requests::ChangeRequestRecord;
use crate::content::openapi_specs::ReadableSpecs;
use crate::content::store::ContentAt;
use crate::lookup::Guarded;

/// Point of content: a space and the root of a tree.
pub trait ContentPoint {
    /// Returns the space.
    fn space(&self) -> SpaceId;

    /// Returns the root of the tree.
    fn root(&self) -> TreeHash;

    /// Returns the specifications that the content may show to the actor.
    fn readable_specs(&self) -> ReadableSpecs;
}

impl ContentPoint for ContentAt {
    fn space(&self) -> SpaceId {
        self.space.id
    }

    fn root(&self) -> TreeHash {
        self.revision.root
    }

    fn readable_specs(&self) -> ReadableSpecs {
        self.specs
    }
}

/// Change request in the path of the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedChangeRequest {
    /// Id.
    pub id: ChangeRequestId,
    /// Number in the space.
    pub number: i32,
}

/// Content without the records of its space and revision: the narrow form of [`ContentAt`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContentHead {
    /// Space.
    pub space: SpaceId,
    /// Organization.
    pub organization: OrganizationId,
    /// Change request; `None` if the path names none.
    pub change_request: Option<NamedChangeRequest>,
    /// Revision.
    pub revision: RevisionId,
    /// Root of the tree.
    pub root: TreeHash,
    /// Specifications that the content may show to the actor.
    pub(crate) specs: ReadableSpecs,
    /// Search language of the space; `None` for the content of a change request, which is not searchable.
    pub(crate) search_language: Option<Language>,
    is_deleted: bool,
    is_on_open_site: bool,
}

impl ContentPoint for ContentHead {
    fn space(&self) -> SpaceId {
        self.space
    }

    fn root(&self) -> TreeHash {
        self.root
    }

    fn readable_specs(&self) -> ReadableSpecs {
        self.specs
    }
}

impl Guarded for ContentHead {
    const VIEW: Action = Action::ViewSpace;

    fn is_deleted(&self) -> bool {
        self.is_deleted
    }

    fn is_on_open_site(&self) -> bool {
        self.is_on_open_site
    }
}

impl ContentHead {
    /// Returns the content with its search language.
    pub(crate) fn searched_in(self, language: Language) -> Self {
        Self { search_language: Some(language), ..self }
    }
}

impl From<ContentAt> for ContentHead {
    fn from(content: ContentAt) -> Self {
        Self {
            space: content.space.id,
            organization: content.space.organization,
            change_request: content.change_request.as_ref().map(ChangeRequestRecord::name),
            revision: content.revision.id,
            root: content.revision.root,
            specs: content.specs,
            search_language: None,
            is_deleted: content.space.deleted_at.is_some(),
            is_on_open_site: content.space.is_on_open_site(),
        }
    }
}

/// SQL types of a [`ContentHead`]: rank of the actor's role in the organization, space, organization, whether the space
/// is deleted, revision, root, search language, audience of the site.
pub(crate) type HeadTypes =
    (Nullable<SmallInt>, SqlUuid, SqlUuid, Bool, SqlUuid, Binary, Text, Nullable<Text>);

impl Queryable<HeadTypes, Pg> for ContentHead {
    type Row =
        (Option<Role>, SpaceId, OrganizationId, bool, RevisionId, TreeHash, String, Option<SiteVisibility>);

    fn build(
        (role, space, organization, is_deleted, revision, root, language, site_visibility): Self::Row,
    ) -> deserialize::Result<Self> {
        Ok(Self {
            space,
            organization,
            change_request: None,
            revision,
            root,
            specs: ReadableSpecs::of(Membership::active(role), space, organization),
            search_language: Some(Language::from_name(&language).unwrap_or_default()),
            is_deleted,
            is_on_open_site: site_visibility.is_some_and(SiteVisibility::is_open),
        })
    }
}
