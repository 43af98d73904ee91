//! Lists of collections.

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Bool, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::Role;
use uuid::Uuid;

use crate::Result;
use crate::content::collections::CollectionRecord;
use crate::content::hierarchy::{PositionKey, parent_or_root};
use crate::list::{Slice, fetch_limit};
use crate::lookup::{Authorized, role_from_rank};
use crate::people::organizations::OrganizationRecord;
use crate::transaction::Reader;

/// Collection, with the reader's role on it.
#[derive(Clone, Debug)]
pub struct ListedCollection {
    /// Collection.
    pub collection: CollectionRecord,
    /// Role of the reader.
    pub role: Option<Role>,
}

impl ListedCollection {
    /// Returns the cursor of the collection in a list.
    #[must_use]
    pub fn key(&self) -> PositionKey {
        let collection = &self.collection;
        PositionKey {
            parent: collection.parent,
            position: collection.position.clone(),
            id: collection.id.into(),
        }
    }
}

sql_files! {
    ListCollections(Binary, Timestamptz, SqlUuid, Bool, SqlUuid, Text, SqlUuid, BigInt)
        -> (Nullable<SmallInt>, dsl::SqlTypeOf<dsl::AsSelect<CollectionRecord, Pg>>) = "list.sql" of CollectionRecord;
    CountCollections(Binary, Timestamptz, SqlUuid, Bool) -> BigInt = "count.sql";
}

impl Reader<'_> {
    /// Returns the collections of an organization that the actor may see, in their order. Without `nested`, only the
    /// collections at the root. Takes two statements.
    pub fn collections_of(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        nested: bool,
        after: Option<PositionKey>,
        limit: u16,
    ) -> Result<Slice<ListedCollection>> {
        let (hash, now) = (self.credentials.token_hash.as_slice(), self.now);
        let id = organization.id;
        // No parent, position or id is smaller than these, so the first page starts after them.
        let (parent, position, last) = after.map_or_else(
            || (Uuid::nil(), String::new(), Uuid::nil()),
            |key| (parent_or_root(key.parent), key.position.to_string(), key.id),
        );
        let rows: Vec<(Option<i16>, CollectionRecord)> =
            ListCollections::bind((hash, now, id, nested, parent, position, last, fetch_limit(limit)))
                .load(self.connection)?;
        let total = CountCollections::bind((hash, now, id, nested)).get_result(self.connection)?;
        Slice::cut(rows, limit, total)
            .try_map(|(role, collection)| Ok(ListedCollection { collection, role: role_from_rank(role)? }))
    }
}
