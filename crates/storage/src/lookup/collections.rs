//! Collections.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Array, Nullable, SmallInt, Text, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::ids::{CollectionId, OrganizationId};
use quire_domain::policy::Action;
use quire_revision::Position;
use uuid::Uuid;

use super::actor::ActorColumns;
use super::{Found, Guarded, role_from_rank};
use crate::placement::stored_position;
use crate::schema::collections;
use crate::stored::Stored;
use crate::transaction::Reader;
use crate::views::{Access, collection_access};
use crate::{Error, Result};

/// A collection as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = collection_access, check_for_backend(Pg))]
pub struct CollectionRecord {
    /// Its id.
    #[diesel(deserialize_as = Uuid)]
    pub id: CollectionId,
    /// The owning organization.
    #[diesel(column_name = organization_id, deserialize_as = Uuid)]
    pub organization: OrganizationId,
    /// Its parent; `None` at the root.
    #[diesel(column_name = parent_id, deserialize_as = Stored<Option<Uuid>>)]
    pub parent: Option<CollectionId>,
    /// Itself and all above it, from the root down.
    #[diesel(deserialize_as = Stored<Vec<Option<Uuid>>>)]
    pub path: Vec<CollectionId>,
    /// Its position among the spaces and collections of its parent.
    #[diesel(deserialize_as = Stored<String>)]
    pub position: Position,
    /// Its title.
    pub title: String,
    /// Its description.
    pub description: Option<String>,
    /// The role that members have without a grant; `None`: by grant only.
    #[diesel(deserialize_as = Stored<Option<i16>>)]
    pub default_level: Option<Role>,
}

/// The columns of [`CollectionRecord`] in the table, which can be locked.
pub(crate) const COLLECTION: (
    collections::id,
    collections::organization_id,
    collections::parent_id,
    collections::path,
    collections::position,
    collections::title,
    collections::description,
    collections::default_level,
) = (
    collections::id,
    collections::organization_id,
    collections::parent_id,
    collections::path,
    collections::position,
    collections::title,
    collections::description,
    collections::default_level,
);

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

impl Reader<'_> {
    /// The collection with this id: one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] if it does not exist.
    pub fn collection(&mut self, id: CollectionId) -> Result<Found<CollectionRecord>> {
        let row: Option<(ActorColumns, Option<i16>, bool, CollectionRecord)> = collection_access::table
            .filter(self.token_is_valid::<collection_access::table>())
            .filter(collection_access::id.eq(id.as_uuid()))
            .select((
                collection_access::table::actor(),
                collection_access::role,
                collection_access::organization_is_blocked,
                CollectionRecord::as_select(),
            ))
            .get_result(self.connection)
            .optional()?;
        let Some((actor, role, blocked, value)) = row else { return self.not_found() };
        self.reach(value.organization, None);
        Ok(Found { actor: self.seen(actor)?, role: role_from_rank(role)?, blocked, value })
    }
}
