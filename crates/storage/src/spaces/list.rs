//! Lists of spaces: those of an organization, and those in one of its collections.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Nullable, Text, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::ids::{CollectionId, OrganizationId, SpaceId};
use quire_domain::policy::Action;
use uuid::Uuid;

use crate::Result;
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{
    Authorized, CollectionRecord, Found, OrganizationRecord, RoleColumn, SpaceColumns, SpaceRecord,
    role_from_rank, shows, space_columns, space_role, token_and_space, valid_token,
};
use crate::placement::{PlaceKey, parent_or_root};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;

/// A space, with the role that its reader has on it.
#[derive(Clone, Debug)]
pub struct ListedSpace {
    /// The space.
    pub space: SpaceRecord,
    /// The reader's role on it.
    pub role: Option<Role>,
}

impl ListedSpace {
    /// Where it stands in a list.
    #[must_use]
    pub fn key(&self) -> PlaceKey {
        let SpaceRecord { parent, position, id, .. } = &self.space;
        PlaceKey { parent: *parent, position: position.clone(), id: *id.as_uuid() }
    }
}

macro_rules! visible_spaces {
    ($condition:literal) => {
        concat!(
            "(SELECT ",
            space_role!(),
            " AS role, coalesce(s.collection_id, '00000000-0000-0000-0000-000000000000') AS place, ",
            space_columns!(),
            " FROM ",
            token_and_space!(),
            " WHERE ",
            valid_token!(),
            " AND s.organization_id = $3 AND s.deleted_at IS NULL",
            $condition,
            ") v WHERE ",
            shows!("v.role")
        )
    };
}

/// `$4` is the collection, `$5` to `$7` the key to go on after.
macro_rules! page_of_spaces {
    ($condition:literal) => {
        concat!(
            "SELECT * FROM ",
            visible_spaces!($condition),
            " AND ($5 IS NULL OR (v.place, v.space_position, v.space_id) > ($5, $6, $7)) \
             ORDER BY v.place, v.space_position, v.space_id LIMIT $8"
        )
    };
}

statements! {
    ListSpaces = page_of_spaces!("");
    FindVisibleSpaces = concat!("SELECT * FROM ", visible_spaces!(" AND s.id = ANY ($4)"));
    CountSpaces = concat!("SELECT count(*) AS total FROM ", visible_spaces!(""));
    ListSpacesIn = page_of_spaces!(" AND s.collection_id = $4");
    CountSpacesIn = concat!("SELECT count(*) AS total FROM ", visible_spaces!(" AND s.collection_id = $4"));
}

impl Reader<'_> {
    /// The spaces of an organization that the actor may see, in their order: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn spaces_of(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        after: Option<PlaceKey>,
        limit: u16,
    ) -> Result<Slice<ListedSpace>> {
        self.page_of_spaces::<ListSpaces, CountSpaces>(organization.id, None, after, limit)
    }

    /// Those of these spaces of an organization that the actor may see, in no order: one statement.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn visible_spaces(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        ids: &[SpaceId],
    ) -> Result<Vec<Authorized<SpaceRecord>>> {
        let ids: Vec<Uuid> = ids.iter().map(|id| *id.as_uuid()).collect();
        let rows: Vec<(RoleColumn, SpaceColumns)> = FindVisibleSpaces::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(*organization.id.as_uuid()),
            val::<Array<SqlUuid>, _>(ids),
        ))
        .load(self.connection)?;
        let found = rows.into_iter().map(|(role, space)| {
            let role = role_from_rank(role.role)?;
            Found {
                actor: organization.actor(),
                role,
                blocked: organization.is_blocked(),
                value: SpaceRecord::try_from(space)?,
            }
            .authorize(Action::ViewSpace)
        });
        found.collect()
    }

    /// The spaces that stand in a collection itself and that the actor may see, in their order: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn spaces_in(
        &mut self,
        collection: &Authorized<CollectionRecord>,
        after: Option<PlaceKey>,
        limit: u16,
    ) -> Result<Slice<ListedSpace>> {
        let CollectionRecord { organization, id, .. } = **collection;
        self.page_of_spaces::<ListSpacesIn, CountSpacesIn>(organization, Some(id), after, limit)
    }

    fn page_of_spaces<List: Sql, Count: Sql>(
        &mut self,
        organization: OrganizationId,
        collection: Option<CollectionId>,
        after: Option<PlaceKey>,
        limit: u16,
    ) -> Result<Slice<ListedSpace>> {
        let after = after.as_ref();
        let rows: Vec<(RoleColumn, SpaceColumns)> = List::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(*organization.as_uuid()),
            val::<Nullable<SqlUuid>, _>(collection.map(|id| *id.as_uuid())),
            val::<Nullable<SqlUuid>, _>(after.map(|key| parent_or_root(key.parent))),
            val::<Nullable<Text>, _>(after.map(|key| key.position.to_string())),
            val::<Nullable<SqlUuid>, _>(after.map(|key| key.id)),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow = Count::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(*organization.as_uuid()),
            val::<Nullable<SqlUuid>, _>(collection.map(|id| *id.as_uuid())),
        ))
        .get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(|(role, space)| {
            Ok(ListedSpace { space: space.try_into()?, role: role_from_rank(role.role)? })
        })
    }
}
