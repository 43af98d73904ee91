//! Content: a revision of a space, named directly or as the head of the space or of a change request.

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, Integer, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::clock::Timestamp;
use quire_domain::ids::{ChangeRequestId, RevisionId, SpaceId, UserId};
use quire_domain::policy::{Action, Membership};
use quire_domain::revisions::RevisionType;
use quire_revision::TreeHash;
use time::OffsetDateTime;
use uuid::Uuid;

use super::actor::{ActorColumns, actor_columns, valid_token};
use super::change_requests::{
    ChangeRequestColumns, ChangeRequestKey, ChangeRequestRecord, change_request_columns,
};
use super::spaces::{
    SpaceColumns, SpaceRecord, StandingColumns, space_columns, space_standing, token_and_space,
};
use super::{Found, Guarded, role_from_rank};
use crate::openapi_specs::ReadableSpecs;
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;
use crate::{Error, Result, moment, stored};

/// Which revision's content is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentSelector {
    /// The current main content.
    Space,
    /// The working copy of a change request.
    ChangeRequest(ChangeRequestKey),
    /// One revision, of the main content or of a change request.
    Revision(RevisionId),
}

/// A revision as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevisionRecord {
    /// Its id.
    pub id: RevisionId,
    /// What made it.
    pub kind: RevisionType,
    /// The revisions it follows; of a merge the main content first.
    pub parents: Vec<RevisionId>,
    /// The root of its tree.
    pub root: TreeHash,
    /// The change request whose merge made it.
    pub merged_from: Option<ChangeRequestId>,
    /// Who made it; `None` once that user was removed.
    pub author: Option<UserId>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// A revision with where it was found.
#[derive(Clone, Debug)]
pub struct ContentAt {
    /// The space.
    pub space: SpaceRecord,
    /// The change request, when it was named by one.
    pub change_request: Option<ChangeRequestRecord>,
    /// The revision.
    pub revision: RevisionRecord,
    /// The specifications that the actor may be shown by it.
    pub(crate) specs: ReadableSpecs,
}

impl Guarded for ContentAt {
    const VIEW: Action = Action::ViewSpace;

    fn is_deleted(&self) -> bool {
        self.space.is_deleted()
    }
}

/// The columns of a revision `r`.
macro_rules! revision_columns {
    () => {
        "r.id AS revision_id, r.type AS revision_type, r.parents, r.root, r.merged_from, r.author_id, \
         r.created_at AS revision_created_at"
    };
}
pub(crate) use revision_columns;

#[derive(QueryableByName)]
pub(crate) struct RevisionColumns {
    #[diesel(sql_type = SqlUuid)]
    revision_id: Uuid,
    #[diesel(sql_type = Text)]
    revision_type: String,
    #[diesel(sql_type = Array<SqlUuid>)]
    parents: Vec<Uuid>,
    #[diesel(sql_type = Binary)]
    root: Vec<u8>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    merged_from: Option<Uuid>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    author_id: Option<Uuid>,
    #[diesel(sql_type = Timestamptz)]
    revision_created_at: OffsetDateTime,
}

impl TryFrom<RevisionColumns> for RevisionRecord {
    type Error = Error;

    fn try_from(row: RevisionColumns) -> Result<Self> {
        let damaged =
            || Error::corrupt("a revision is damaged", anyhow::anyhow!("revision {}", row.revision_id));
        Ok(Self {
            id: RevisionId::from_uuid(row.revision_id),
            kind: stored(&row.revision_type)?,
            parents: row.parents.iter().copied().map(RevisionId::from_uuid).collect(),
            root: TreeHash::from_bytes(row.root.as_slice().try_into().map_err(|_| damaged())?),
            merged_from: row.merged_from.map(ChangeRequestId::from_uuid),
            author: row.author_id.map(UserId::from_uuid),
            created_at: moment(row.revision_created_at)?,
        })
    }
}

macro_rules! find_content {
    ($columns:expr, $join:expr, $condition:expr) => {
        concat!(
            "SELECT ",
            actor_columns!(),
            ", ",
            space_standing!(),
            ", m.role AS member_role, ",
            space_columns!(),
            ", ",
            revision_columns!(),
            $columns,
            " FROM ",
            token_and_space!(),
            $join,
            " WHERE ",
            valid_token!(),
            " AND s.id = $3",
            $condition
        )
    };
}

macro_rules! find_change_request_content {
    ($condition:literal) => {
        find_content!(
            concat!(", ", change_request_columns!()),
            " JOIN change_requests cr ON cr.space_id = s.id \
              JOIN revisions r ON r.space_id = s.id AND r.id = cr.head_revision \
              LEFT JOIN users author ON author.id = cr.created_by",
            $condition
        )
    };
}

statements! {
    FindSpaceContent = find_content!("", " JOIN revisions r ON r.space_id = s.id AND r.id = s.head_revision", "");
    FindRevisionContent = find_content!("", " JOIN revisions r ON r.space_id = s.id", " AND r.id = $4");
    FindChangeRequestContentById = find_change_request_content!(" AND cr.id = $4");
    FindChangeRequestContentByNumber = find_change_request_content!(" AND cr.number = $4");
}

/// The rank of the actor's role in the organization; who is disabled in it reaches no content.
#[derive(QueryableByName)]
pub(super) struct MemberRoleColumn {
    #[diesel(sql_type = Nullable<SmallInt>)]
    pub(super) member_role: Option<i16>,
}

type Row = (ActorColumns, StandingColumns, MemberRoleColumn, SpaceColumns, RevisionColumns);
type ChangeRequestRow =
    (ActorColumns, StandingColumns, MemberRoleColumn, SpaceColumns, RevisionColumns, ChangeRequestColumns);

impl Reader<'_> {
    /// A revision's record with its space, and its change request when it was named by one: one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] if it does not exist.
    pub fn content(&mut self, space: SpaceId, selector: ContentSelector) -> Result<Found<ContentAt>> {
        let space = val::<SqlUuid, _>(*space.as_uuid());
        let (token, now) = (self.token_bind(), self.now_bind());
        match selector {
            ContentSelector::Space => {
                let row = FindSpaceContent::bind((token, now, space)).get_result::<Row>(self.connection);
                self.found_content(row.optional()?)
            }
            ContentSelector::Revision(id) => {
                let id = val::<SqlUuid, _>(*id.as_uuid());
                let row =
                    FindRevisionContent::bind((token, now, space, id)).get_result::<Row>(self.connection);
                self.found_content(row.optional()?)
            }
            ContentSelector::ChangeRequest(ChangeRequestKey::Id(id)) => {
                let id = val::<SqlUuid, _>(*id.as_uuid());
                let row =
                    FindChangeRequestContentById::bind((token, now, space, id)).get_result(self.connection);
                self.found_change_request_content(row.optional()?)
            }
            ContentSelector::ChangeRequest(ChangeRequestKey::Number(number)) => {
                let number = val::<Integer, _>(number);
                let row = FindChangeRequestContentByNumber::bind((token, now, space, number))
                    .get_result(self.connection);
                self.found_change_request_content(row.optional()?)
            }
        }
    }

    fn found_content(&mut self, row: Option<Row>) -> Result<Found<ContentAt>> {
        let Some((actor, standing, member, space, revision)) = row else { return self.not_found() };
        let space = SpaceRecord::try_from(space)?;
        self.reach(space.organization, Some(space.id));
        let membership = Membership::active(role_from_rank(member.member_role)?);
        let specs = ReadableSpecs::of(membership, space.id, space.organization);
        let value = ContentAt { space, change_request: None, revision: revision.try_into()?, specs };
        self.found(actor, &standing, value)
    }

    fn found_change_request_content(&mut self, row: Option<ChangeRequestRow>) -> Result<Found<ContentAt>> {
        let Some((actor, standing, member, space, revision, change_request)) = row else {
            return self.not_found();
        };
        let mut found = self.found_content(Some((actor, standing, member, space, revision)))?;
        found.value.change_request = Some(change_request.try_into()?);
        Ok(found)
    }
}
