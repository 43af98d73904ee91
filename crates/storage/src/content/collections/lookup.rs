//! Lookups of collections.

use std::ops::Deref;
use std::sync::LazyLock;

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use quire_domain::collections::CollectionFacts;
use quire_domain::ids::CollectionId;
use quire_domain::policy::Action;
use quire_revision::Position;

use crate::Result;
use crate::diesel_types::Elements;
use crate::lookup::{ActorRow, Found, Guarded, role_from_rank};
use crate::schema::collections;
use crate::transaction::Reader;
use crate::views::{Access, collection_access};
use quire_database::statement::{Columns, names_of_columns};

/// Stored collection.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = collections, check_for_backend(Pg))]
pub struct CollectionRecord {
    /// Facts that responses show unchanged.
    #[diesel(embed)]
    pub facts: CollectionFacts,
    /// Ids of the collection and its ancestors, from the root down.
    #[diesel(deserialize_as = Elements<Vec<Option<CollectionId>>>)]
    pub path: Vec<CollectionId>,
    /// Position among the spaces and collections of the parent.
    pub position: Position,
}

impl Columns for CollectionRecord {
    fn columns() -> &'static [String] {
        static NAMES: LazyLock<Vec<String>> =
            LazyLock::new(|| names_of_columns(&collections::table.select(CollectionRecord::as_select())));
        &NAMES
    }
}

impl Deref for CollectionRecord {
    type Target = CollectionFacts;

    fn deref(&self) -> &CollectionFacts {
        &self.facts
    }
}

/// Returns collections by token, with the columns that decide about access to them.
#[dsl::auto_type]
pub(crate) fn collections_with_access() -> _ {
    let same = collections::organization_id
        .eq(collection_access::organization_id)
        .and(collections::id.eq(collection_access::id));
    collection_access::table.inner_join(collections::table.on(same))
}

impl Guarded for CollectionRecord {
    const VIEW: Action = Action::ViewCollection;
}

impl Reader<'_> {
    /// Returns the collection with this id. Takes one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`](crate::Error::Unauthenticated), or [`Error::NotFound`](crate::Error::NotFound) if it
    /// does not exist.
    pub fn collection(&mut self, id: CollectionId) -> Result<Found<CollectionRecord>> {
        let row: Option<(ActorRow, Option<i16>, bool, CollectionRecord)> = collections_with_access()
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
