//! Content without its records: what a read needs before its entity tag is known.

use diesel::prelude::*;
use diesel::sql_types::{Binary, Bool, Nullable, SmallInt, Text, Uuid as SqlUuid};
use quire_domain::ids::{ChangeRequestId, OrganizationId, RevisionId, SpaceId};
use quire_domain::policy::{Action, Membership};
use quire_revision::TreeHash;
use quire_search::Language;
use uuid::Uuid;

use super::content::ContentAt;
use super::{Guarded, role_from_rank};
use crate::openapi_specs::ReadableSpecs;
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

/// Content without the records of its space and revision: the narrow form of [`ContentAt`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContentHead {
    /// The space.
    pub space: SpaceId,
    /// The change request, if the content was named by one.
    pub change_request: Option<ChangeRequestId>,
    /// The revision.
    pub revision: RevisionId,
    /// The root of the tree.
    pub root: TreeHash,
    /// The specifications that the actor may be shown by it.
    pub(crate) specs: ReadableSpecs,
    /// The language that the space is searched in; `None` for the content of a change request, which is not searched.
    pub(crate) search_language: Option<Language>,
    is_deleted: bool,
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
}

impl From<ContentAt> for ContentHead {
    fn from(content: ContentAt) -> Self {
        Self {
            space: content.space.id,
            change_request: content.change_request.map(|change_request| change_request.id),
            revision: content.revision.id,
            root: content.revision.root,
            specs: content.specs,
            search_language: None,
            is_deleted: content.space.deleted_at.is_some(),
        }
    }
}

/// The columns of a head: of a space `s`, its organization `o`, its revision `r` and the actor's membership `m`.
macro_rules! head_columns {
    () => {
        "m.role AS member_role, s.id AS space_id, s.organization_id, s.deleted_at IS NOT NULL AS is_deleted, \
         r.id AS revision_id, r.root, o.search_language"
    };
}
pub(super) use head_columns;

#[derive(QueryableByName)]
pub(super) struct HeadColumns {
    #[diesel(sql_type = Nullable<SmallInt>)]
    member_role: Option<i16>,
    #[diesel(sql_type = SqlUuid)]
    space_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    pub(super) organization_id: Uuid,
    #[diesel(sql_type = Bool)]
    is_deleted: bool,
    #[diesel(sql_type = SqlUuid)]
    revision_id: Uuid,
    #[diesel(sql_type = Binary)]
    root: Vec<u8>,
    #[diesel(sql_type = Text)]
    search_language: String,
}

impl TryFrom<HeadColumns> for ContentHead {
    type Error = Error;

    fn try_from(row: HeadColumns) -> Result<Self> {
        let damaged =
            || Error::corrupt("a revision is damaged", anyhow::anyhow!("revision {}", row.revision_id));
        let space = SpaceId::from_uuid(row.space_id);
        let organization = OrganizationId::from_uuid(row.organization_id);
        let membership = Membership::active(role_from_rank(row.member_role)?);
        Ok(Self {
            space,
            change_request: None,
            revision: RevisionId::from_uuid(row.revision_id),
            root: TreeHash::from_bytes(row.root.as_slice().try_into().map_err(|_| damaged())?),
            specs: ReadableSpecs::of(membership, space, organization),
            search_language: Some(Language::from_name(&row.search_language).unwrap_or_default()),
            is_deleted: row.is_deleted,
        })
    }
}
