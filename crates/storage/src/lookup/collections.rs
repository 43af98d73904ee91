//! Collections.

use diesel::prelude::*;
use diesel::sql_types::{Array, Nullable, SmallInt, Text, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::ids::{CollectionId, OrganizationId};
use quire_domain::policy::Action;
use quire_revision::Position;
use uuid::Uuid;

use super::actor::{ActorColumns, actor_columns, valid_token};
use super::spaces::StandingColumns;
use super::{Found, Guarded, role_from_rank};
use crate::placement::stored_position;
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;
use crate::{Error, Result};

/// A collection as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectionRecord {
    /// Its id.
    pub id: CollectionId,
    /// The owning organization.
    pub organization: OrganizationId,
    /// The collection it stands in.
    pub parent: Option<CollectionId>,
    /// Itself and all above it, from the root down.
    pub path: Vec<CollectionId>,
    /// Its place among the spaces and collections beside it.
    pub position: Position,
    /// Its title.
    pub title: String,
    /// What it is for.
    pub description: Option<String>,
    /// The role that members have without a grant; `None`: by grant only.
    pub default_level: Option<Role>,
}

impl Guarded for CollectionRecord {
    const VIEW: Action = Action::ViewCollection;
}

/// The columns of a collection `c`.
macro_rules! collection_columns {
    () => {
        "c.id AS collection_id, c.organization_id, c.parent_id, c.path, c.position AS collection_position, c.title, c.description, \
         c.default_level"
    };
}
pub(crate) use collection_columns;

/// The rank of the role of a token's user on a collection `c`, when its member `m` is joined.
macro_rules! collection_role {
    () => {
        "(SELECT er.role FROM effective_role(m.role, m.disabled, c.organization_id, t.user_id, NULL, c.path, c.default_level) AS er)"
    };
}
pub(crate) use collection_role;

/// How a token's user stands to a collection `c`, where [`collection_role`] can be told.
macro_rules! collection_standing {
    () => {
        concat!(
            collection_role!(),
            " AS role, ",
            $crate::lookup::organizations::organization_is_blocked!("c.organization_id")
        )
    };
}

/// A token `t`, a collection `c` within the token's organizations and the user's membership `m`.
macro_rules! token_and_collection {
    () => {
        "api_tokens t \
         JOIN collections c ON t.organizations IS NULL OR c.organization_id = ANY (t.organizations) \
         LEFT JOIN organization_members m ON m.organization_id = c.organization_id AND m.user_id = t.user_id"
    };
}
pub(crate) use token_and_collection;

#[derive(QueryableByName)]
pub(crate) struct CollectionColumns {
    #[diesel(sql_type = SqlUuid)]
    collection_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    organization_id: Uuid,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    parent_id: Option<Uuid>,
    #[diesel(sql_type = Array<SqlUuid>)]
    path: Vec<Uuid>,
    #[diesel(sql_type = Text)]
    collection_position: String,
    #[diesel(sql_type = Text)]
    title: String,
    #[diesel(sql_type = Nullable<Text>)]
    description: Option<String>,
    #[diesel(sql_type = Nullable<SmallInt>)]
    default_level: Option<i16>,
}

impl TryFrom<CollectionColumns> for CollectionRecord {
    type Error = Error;

    fn try_from(row: CollectionColumns) -> Result<Self> {
        Ok(Self {
            id: CollectionId::from_uuid(row.collection_id),
            organization: OrganizationId::from_uuid(row.organization_id),
            parent: row.parent_id.map(CollectionId::from_uuid),
            path: row.path.into_iter().map(CollectionId::from_uuid).collect(),
            position: stored_position(&row.collection_position)?,
            title: row.title,
            description: row.description,
            default_level: role_from_rank(row.default_level)?,
        })
    }
}

statements! {
    FindCollection = concat!(
        "SELECT ", actor_columns!(), ", ", collection_standing!(), ", ", collection_columns!(),
        " FROM ", token_and_collection!(), " WHERE ", valid_token!(), " AND c.id = $3"
    );
}

impl Reader<'_> {
    /// The collection with this id: one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] if it does not exist.
    pub fn collection(&mut self, id: CollectionId) -> Result<Found<CollectionRecord>> {
        let row: Option<(ActorColumns, StandingColumns, CollectionColumns)> =
            FindCollection::bind((self.token_bind(), self.now_bind(), val::<SqlUuid, _>(*id.as_uuid())))
                .get_result(self.connection)
                .optional()?;
        let Some((actor, standing, collection)) = row else { return self.not_found() };
        let value = CollectionRecord::try_from(collection)?;
        self.reach(value.organization, None);
        self.found(actor, &standing, value)
    }
}
