//! Spaces.

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Integer, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{CollectionId, OrganizationId, RevisionId, SpaceId};
use quire_domain::policy::Action;
use quire_domain::sites::SiteVisibility;
use quire_domain::spaces::{EditMode, Visibility};
use quire_revision::Position;
use time::OffsetDateTime;
use uuid::Uuid;

use super::actor::ActorColumns;
use super::{Found, Guarded, role_from_rank};
use crate::placement::stored_position;
use crate::stored::Stored;
use crate::transaction::Reader;
use crate::views::{Access, space_access};
use crate::{Error, Result, moment, stored};

/// A space as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = space_access, check_for_backend(Pg))]
pub struct SpaceRecord {
    /// Its id.
    #[diesel(deserialize_as = Uuid)]
    pub id: SpaceId,
    /// The owning organization.
    #[diesel(column_name = organization_id, deserialize_as = Uuid)]
    pub organization: OrganizationId,
    /// Its collection; `None` at the root.
    #[diesel(column_name = collection_id, deserialize_as = Stored<Option<Uuid>>)]
    pub parent: Option<CollectionId>,
    /// Its position among the spaces and collections there.
    #[diesel(deserialize_as = Stored<String>)]
    pub position: Position,
    /// Its title.
    pub title: String,
    /// Its emoji.
    pub emoji: String,
    /// Address of the picture that replaces the emoji.
    pub icon: Option<String>,
    /// Direct edits of the main content are allowed or locked.
    #[diesel(deserialize_as = Stored<String>)]
    pub edit_mode: EditMode,
    /// The role that members have without a grant; `None`: by grant only.
    #[diesel(deserialize_as = Stored<Option<i16>>)]
    pub default_level: Option<Role>,
    /// The current revision of the main content.
    #[diesel(column_name = head_revision, deserialize_as = Uuid)]
    pub head: RevisionId,
    /// Open comments on the space itself.
    pub comments_open: i32,
    /// Change requests ever made, which number the next one.
    pub change_requests: i32,
    /// Open change requests.
    pub change_requests_open: i32,
    /// Draft change requests.
    pub change_requests_draft: i32,
    /// Time of its creation.
    #[diesel(deserialize_as = OffsetDateTime)]
    pub created_at: Timestamp,
    /// Time of the last change of it or of its content.
    #[diesel(deserialize_as = OffsetDateTime)]
    pub updated_at: Timestamp,
    /// Time of its deletion.
    #[diesel(deserialize_as = Stored<Option<OffsetDateTime>>)]
    pub deleted_at: Option<Timestamp>,
    /// Its most open published site; `None` for a space on no site.
    #[diesel(embed)]
    pub site: Option<SpaceOnSite>,
}

impl SpaceRecord {
    /// Its audience. A deleted space is on no site until it is restored.
    #[must_use]
    pub fn visibility(&self) -> Visibility {
        let site =
            self.site.as_ref().filter(|_| self.deleted_at.is_none()).map(|site| site.visibility.into());
        Visibility::of_space(site, self.parent.is_some())
    }
}

/// A published site with a space.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = space_access, check_for_backend(Pg))]
pub struct SpaceOnSite {
    /// Audience of the site.
    #[diesel(
        select_expression = space_access::site_visibility.assume_not_null(),
        select_expression_type = dsl::AssumeNotNull<space_access::site_visibility>,
        deserialize_as = Stored<String>
    )]
    pub visibility: SiteVisibility,
    /// Address of the space on the site: a URL, or a path below the deployment's own.
    #[diesel(
        select_expression = space_access::site_address.assume_not_null(),
        select_expression_type = dsl::AssumeNotNull<space_access::site_address>
    )]
    pub address: String,
}

impl Guarded for SpaceRecord {
    const VIEW: Action = Action::ViewSpace;

    fn is_deleted(&self) -> bool {
        self.deleted_at.is_some()
    }
}

/// The columns of a space `s`.
macro_rules! space_columns {
    () => {
        "s.id AS space_id, s.organization_id, s.collection_id, s.position AS space_position, s.title, s.emoji, s.icon, s.edit_mode, s.default_level, s.head_revision, \
         s.comments_open, s.change_requests, s.change_requests_open, s.change_requests_draft, \
         s.created_at, s.updated_at, s.deleted_at, s.site_visibility, s.site_address"
    };
}
pub(crate) use space_columns;

/// The rank of the role of a token's user on a space `s`, when its member `m` and collection `c` are joined.
macro_rules! space_role {
    () => {
        "(SELECT er.role FROM effective_role(m.role, m.disabled, s.organization_id, t.user_id, s.id, c.path, s.default_level) AS er)"
    };
}
pub(crate) use space_role;

/// A token `t`, a space `s` within the token's organizations, the user's membership `m` and the space's collection `c`.
macro_rules! token_and_space {
    () => {
        "api_tokens t JOIN spaces s ON (t.organizations IS NULL OR s.organization_id = ANY (t.organizations)) \
         LEFT JOIN organization_members m ON m.organization_id = s.organization_id AND m.user_id = t.user_id \
         LEFT JOIN collections c ON c.organization_id = s.organization_id AND c.id = s.collection_id"
    };
}
pub(crate) use token_and_space;

#[derive(QueryableByName)]
pub(crate) struct SpaceColumns {
    #[diesel(sql_type = SqlUuid)]
    space_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    organization_id: Uuid,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    collection_id: Option<Uuid>,
    #[diesel(sql_type = Text)]
    space_position: String,
    #[diesel(sql_type = Text)]
    title: String,
    #[diesel(sql_type = Text)]
    emoji: String,
    #[diesel(sql_type = Nullable<Text>)]
    icon: Option<String>,
    #[diesel(sql_type = Text)]
    edit_mode: String,
    #[diesel(sql_type = Nullable<SmallInt>)]
    default_level: Option<i16>,
    #[diesel(sql_type = SqlUuid)]
    head_revision: Uuid,
    #[diesel(sql_type = Integer)]
    comments_open: i32,
    #[diesel(sql_type = Integer)]
    change_requests: i32,
    #[diesel(sql_type = Integer)]
    change_requests_open: i32,
    #[diesel(sql_type = Integer)]
    change_requests_draft: i32,
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    updated_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    deleted_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Text>)]
    site_visibility: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    site_address: Option<String>,
}

impl TryFrom<SpaceColumns> for SpaceRecord {
    type Error = Error;

    fn try_from(row: SpaceColumns) -> Result<Self> {
        let site = match (row.site_visibility, row.site_address) {
            (Some(visibility), Some(address)) => {
                Some(SpaceOnSite { visibility: stored(&visibility)?, address })
            }
            _ => None,
        };
        Ok(Self {
            id: SpaceId::from_uuid(row.space_id),
            organization: OrganizationId::from_uuid(row.organization_id),
            parent: row.collection_id.map(CollectionId::from_uuid),
            position: stored_position(&row.space_position)?,
            title: row.title,
            emoji: row.emoji,
            icon: row.icon,
            edit_mode: stored(&row.edit_mode)?,
            default_level: role_from_rank(row.default_level)?,
            head: RevisionId::from_uuid(row.head_revision),
            comments_open: row.comments_open,
            change_requests: row.change_requests,
            change_requests_open: row.change_requests_open,
            change_requests_draft: row.change_requests_draft,
            created_at: moment(row.created_at)?,
            updated_at: moment(row.updated_at)?,
            deleted_at: row.deleted_at.map(moment).transpose()?,
            site,
        })
    }
}

/// The rank of the actor's role on what was looked up.
#[derive(QueryableByName)]
pub(crate) struct RoleColumn {
    #[diesel(sql_type = Nullable<SmallInt>)]
    pub(crate) role: Option<i16>,
}

/// Token, rank of the role on the space, and state of the organization in the row of a lookup.
pub(super) type SpaceActor = (ActorColumns, Option<i16>, bool);

/// SQL type of a [`SpaceActor`].
pub(super) type SpaceActorType = ((SqlUuid, SqlUuid, Bool, Nullable<Timestamptz>), Nullable<SmallInt>, Bool);

/// Returns the columns of a [`SpaceActor`].
pub(super) fn space_actor()
-> (<space_access::table as Access>::Actor, space_access::role, space_access::organization_is_blocked) {
    (space_access::table::actor(), space_access::role, space_access::organization_is_blocked)
}

impl Reader<'_> {
    /// The space with this id: one statement for token, membership, grants and row.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] if it does not exist.
    pub fn space(&mut self, id: SpaceId) -> Result<Found<SpaceRecord>> {
        let row: Option<(SpaceActor, SpaceRecord)> = space_access::table
            .filter(self.token_is_valid::<space_access::table>())
            .filter(space_access::id.eq(id.as_uuid()))
            .select((space_actor(), SpaceRecord::as_select()))
            .get_result(self.connection)
            .optional()?;
        let Some((actor, space)) = row else { return self.not_found() };
        self.reach(space.organization, Some(space.id));
        self.found(actor, space)
    }
}
