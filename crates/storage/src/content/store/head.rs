//! Content without its records: what a read needs before its entity tag is known.

use diesel::prelude::*;
use quire_domain::ids::{ChangeRequestId, OrganizationId, RevisionId, SpaceId};
use quire_domain::policy::{Action, Membership};
use quire_domain::sites::SiteVisibility;
use quire_revision::TreeHash;
use quire_search::Language;
use uuid::Uuid;

use crate::content::change_requests::ChangeRequestRecord;
use crate::content::openapi_specs::ReadableSpecs;
use crate::content::store::ContentAt;
use crate::diesel_types::tree_hash;
use crate::lookup::{Guarded, role_from_rank};
use crate::{Error, Result};

/// A point of content: the space and the root of the tree.
pub trait ContentPoint {
    /// Returns the space.
    fn space(&self) -> SpaceId;

    /// Returns the root of the tree.
    fn root(&self) -> TreeHash;

    /// Returns the specifications that the actor may be shown by it.
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

/// Change request that content was named by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedChangeRequest {
    /// Its id.
    pub id: ChangeRequestId,
    /// Its number in the space.
    pub number: i32,
}

/// Content without the records of its space and revision: the narrow form of [`ContentAt`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContentHead {
    /// The space.
    pub space: SpaceId,
    /// The change request, if the content was named by one.
    pub change_request: Option<NamedChangeRequest>,
    /// The revision.
    pub revision: RevisionId,
    /// The root of the tree.
    pub root: TreeHash,
    /// The specifications that the actor may be shown by it.
    pub(crate) specs: ReadableSpecs,
    /// The language that the space is searched in; `None` for the content of a change request, which is not searched.
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
    /// Returns the content of a space that is searched in a language.
    pub(crate) fn searched_in(self, language: Language) -> Self {
        Self { search_language: Some(language), ..self }
    }
}

impl From<ContentAt> for ContentHead {
    fn from(content: ContentAt) -> Self {
        Self {
            space: content.space.id,
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

/// Row of a head.
#[derive(Queryable)]
pub(crate) struct HeadRow {
    member_role: Option<i16>,
    space: Uuid,
    organization: Uuid,
    is_deleted: bool,
    revision: Uuid,
    root: Vec<u8>,
    search_language: String,
    site_visibility: Option<SiteVisibility>,
}

impl HeadRow {
    pub(crate) fn organization(&self) -> OrganizationId {
        OrganizationId::from_uuid(self.organization)
    }
}

impl TryFrom<HeadRow> for ContentHead {
    type Error = Error;

    fn try_from(row: HeadRow) -> Result<Self> {
        let (space, organization) = (SpaceId::from_uuid(row.space), row.organization());
        let membership = Membership::active(role_from_rank(row.member_role)?);
        Ok(Self {
            space,
            change_request: None,
            revision: RevisionId::from_uuid(row.revision),
            root: tree_hash(&row.root)?,
            specs: ReadableSpecs::of(membership, space, organization),
            search_language: Some(Language::from_name(&row.search_language).unwrap_or_default()),
            is_deleted: row.is_deleted,
            is_on_open_site: row.site_visibility.is_some_and(SiteVisibility::is_open),
        })
    }
}
