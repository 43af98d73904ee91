//! Lists of collections.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, Text, Uuid as SqlUuid};
use quire_domain::Role;

use crate::Result;
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{
    Authorized, CollectionColumns, CollectionRecord, OrganizationRecord, RoleColumn, collection_columns,
    collection_role, role_from_rank, shows, token_and_collection, valid_token,
};
use crate::placement::{PlaceKey, parent_or_root};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;

/// A collection, with the role that its reader has on it.
#[derive(Clone, Debug)]
pub struct ListedCollection {
    /// The collection.
    pub collection: CollectionRecord,
    /// The reader's role on it.
    pub role: Option<Role>,
}

impl ListedCollection {
    /// Where it stands in a list.
    #[must_use]
    pub fn key(&self) -> PlaceKey {
        let CollectionRecord { parent, position, id, .. } = &self.collection;
        PlaceKey { parent: *parent, position: position.clone(), id: *id.as_uuid() }
    }
}

macro_rules! visible_collections {
    () => {
        concat!(
            "(SELECT ",
            collection_role!(),
            " AS role, coalesce(c.parent_id, '00000000-0000-0000-0000-000000000000') AS place, ",
            collection_columns!(),
            " FROM ",
            token_and_collection!(),
            " WHERE ",
            valid_token!(),
            " AND c.organization_id = $3 AND ($4 OR c.parent_id IS NULL)) v WHERE ",
            shows!("v.role")
        )
    };
}

statements! {
    ListCollections = concat!(
        "SELECT * FROM ", visible_collections!(),
        " AND ($5 IS NULL OR (v.place, v.collection_position, v.collection_id) > ($5, $6, $7)) \
         ORDER BY v.place, v.collection_position, v.collection_id LIMIT $8"
    );
    CountCollections = concat!("SELECT count(*) AS total FROM ", visible_collections!());
}

impl Reader<'_> {
    /// The collections of an organization that the actor may see, in their order; without `nested` only those at its root: two
    /// statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn collections_of(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        nested: bool,
        after: Option<PlaceKey>,
        limit: u16,
    ) -> Result<Slice<ListedCollection>> {
        let (id, after) = (*organization.id.as_uuid(), after.as_ref());
        let rows: Vec<(RoleColumn, CollectionColumns)> = ListCollections::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(id),
            val::<Bool, _>(nested),
            val::<Nullable<SqlUuid>, _>(after.map(|key| parent_or_root(key.parent))),
            val::<Nullable<Text>, _>(after.map(|key| key.position.to_string())),
            val::<Nullable<SqlUuid>, _>(after.map(|key| key.id)),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow = CountCollections::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(id),
            val::<Bool, _>(nested),
        ))
        .get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(|(role, collection)| {
            Ok(ListedCollection { collection: collection.try_into()?, role: role_from_rank(role.role)? })
        })
    }
}
