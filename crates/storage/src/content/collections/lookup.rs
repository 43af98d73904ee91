//! Collections.

use diesel::pg::Pg;
use diesel::prelude::*;
use quire_domain::Role;
use quire_domain::ids::{CollectionId, OrganizationId};
use quire_domain::policy::Action;
use quire_revision::Position;
use uuid::Uuid;

use crate::Result;
use crate::diesel_types::Elements;
use crate::lookup::{ActorRow, Found, Guarded, role_from_rank};
use crate::schema::collections;
use crate::transaction::Reader;
use crate::views::{Access, collection_access};

/// A collection as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = collection_access, check_for_backend(Pg))]
pub struct CollectionRecord {
    /// Its id.
    pub id: CollectionId,
    /// The owning organization.
    #[diesel(column_name = organization_id)]
    pub organization: OrganizationId,
    /// Its parent; `None` at the root.
    #[diesel(column_name = parent_id)]
    pub parent: Option<CollectionId>,
    /// Itself and all above it, from the root down.
    #[diesel(deserialize_as = Elements<Vec<Option<Uuid>>>)]
    pub path: Vec<CollectionId>,
    /// Its position among the spaces and collections of its parent.
    pub position: Position,
    /// Its title.
    pub title: String,
    /// Its description.
    pub description: Option<String>,
    /// The role that members have without a grant; `None`: by grant only.
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

impl Reader<'_> {
    /// The collection with this id: one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`](crate::Error::Unauthenticated), or [`Error::NotFound`](crate::Error::NotFound) if it
    /// does not exist.
    pub fn collection(&mut self, id: CollectionId) -> Result<Found<CollectionRecord>> {
        let row: Option<(ActorRow, Option<i16>, bool, CollectionRecord)> = collection_access::table
            .filter(self.token_is_valid::<collection_access::table>())
            .filter(collection_access::id.eq(id))
            .select((
                collection_access::table::actor(),
                collection_access::role,
                collection_access::organization_is_blocked,
                CollectionRecord::as_select(),
            ))
            .get_result(self.connection)
            .optional()?;
        let Some((actor, role, blocked, value)) = row else { return self.not_found() };
        self.record_tenant(value.organization, None);
        self.places.insert(value.id.into());
        Ok(Found { actor: self.record_actor(actor)?, role: role_from_rank(role)?, blocked, value })
    }
}
