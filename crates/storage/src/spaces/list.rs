//! Lists of spaces: those of an organization, and those in one of its collections.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Integer, Nullable, SmallInt, Text, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::ids::{CollectionId, OrganizationId, SpaceId, UserId};
use quire_domain::policy::Action;
use uuid::Uuid;

use crate::Result;
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{
    Authorized, CollectionRecord, Found, OrganizationRecord, RoleColumn, SpaceColumns, SpaceRecord,
    role_from_rank, shows, space_columns,
};
use crate::placement::PlaceKey;
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;

use super::plain_list::Plain;
use super::version::{SpaceVersion, start_after};

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

/// Roles of the actor `$1` on the spaces of an organization `$2`. Grants to the actor and its teams are found once:
/// `on_spaces` has the strongest of each space, `on_collections` the nearest to each collection. They are empty for
/// administrators. The rule is that of the SQL function `effective_role`, which costs a subquery for each space.
macro_rules! granted {
    () => {
        "WITH granted AS MATERIALIZED (\
           SELECT g.space_id, g.collection_id, g.role FROM content_grants g \
           JOIN organization_members m ON m.organization_id = g.organization_id AND m.user_id = $1 AND m.role IS DISTINCT FROM 6 \
           WHERE g.organization_id = $2 AND (g.user_id = $1 OR g.team_id IN (\
             SELECT tm.team_id FROM team_members tm WHERE tm.organization_id = $2 AND tm.user_id = $1))\
         ), on_spaces AS MATERIALIZED (\
           SELECT g.space_id, max(g.role) AS role FROM granted g WHERE g.space_id IS NOT NULL GROUP BY g.space_id\
         ), on_collections AS MATERIALIZED (\
           SELECT DISTINCT ON (c.id) c.id, g.role FROM granted g \
           JOIN collections c ON c.organization_id = $2 AND g.collection_id = ANY (c.path) \
           ORDER BY c.id, array_position(c.path, g.collection_id) DESC, g.role DESC\
         ) "
    };
}

/// The spaces `s` of the organization that are not deleted, with the actor's active membership and grants.
macro_rules! spaces_with_roles {
    ($columns:expr, $condition:literal) => {
        concat!(
            "SELECT CASE WHEN m.role = 6 THEN m.role ELSE coalesce(os.role, oc.role, \
               CASE WHEN m.role IS NOT NULL AND s.default_level IS NOT NULL THEN greatest(m.role, s.default_level) END) END AS role",
            $columns,
            " FROM organization_members m JOIN spaces s ON s.organization_id = m.organization_id \
             LEFT JOIN on_spaces os ON os.space_id = s.id LEFT JOIN on_collections oc ON oc.id = s.collection_id \
             WHERE m.organization_id = $2 AND m.user_id = $1 AND NOT m.disabled AND s.deleted_at IS NULL",
            $condition
        )
    };
}

macro_rules! count_of_spaces {
    ($condition:literal) => {
        concat!(
            "SELECT count(*) AS total FROM (",
            spaces_with_roles!("", $condition),
            ") v WHERE ",
            shows!("v.role")
        )
    };
}

/// `$3` is the collection, `$4` to `$6` the key to go on after. Each row has the length of the whole list.
macro_rules! page_of_versions {
    ($condition:literal) => {
        concat!(
            granted!(),
            "SELECT v.id, v.version, v.role, (",
            count_of_spaces!($condition),
            ") AS total FROM (",
            spaces_with_roles!(
                ", s.id, s.xmin AS version, s.position, \
                 coalesce(s.collection_id, '00000000-0000-0000-0000-000000000000') AS place",
                $condition
            ),
            ") v WHERE ",
            shows!("v.role"),
            " AND (v.place, v.position, v.id) > ($4, $5, $6) ORDER BY v.place, v.position, v.id LIMIT $7"
        )
    };
}

statements! {
    ListVersions = page_of_versions!("");
    CountSpaces = concat!(granted!(), count_of_spaces!(""));
    ListVersionsIn = page_of_versions!(" AND s.collection_id = $3");
    CountSpacesIn = concat!(granted!(), count_of_spaces!(" AND s.collection_id = $3"));
    FindVisibleSpaces = concat!(
        granted!(), "SELECT * FROM (", spaces_with_roles!(concat!(", ", space_columns!()), " AND s.id = ANY ($3)"),
        ") v WHERE ", shows!("v.role")
    );
    FindListedSpaces = concat!("SELECT s.xmin AS version, ", space_columns!(), " FROM spaces s WHERE s.id = ANY ($1)");
}

/// A row of a list of spaces.
#[derive(QueryableByName)]
struct VersionRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Integer)]
    version: i32,
    #[diesel(sql_type = Nullable<SmallInt>)]
    role: Option<i16>,
    #[diesel(sql_type = BigInt)]
    total: i64,
}

#[derive(QueryableByName)]
struct VersionColumn {
    #[diesel(sql_type = Integer)]
    version: i32,
}

impl Reader<'_> {
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
            val::<SqlUuid, _>(*organization.actor().user.as_uuid()),
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

    /// The spaces of an organization that the actor may see, in their order: one statement for administrators and for
    /// members without grants, otherwise one more, and one more for an empty page after others.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`](crate::Error::Unauthenticated), or [`Error::NotFound`](crate::Error::NotFound) unless the
    /// actor is a member of the organization.
    pub fn spaces_of(
        &mut self,
        organization: OrganizationId,
        after: Option<&PlaceKey>,
        limit: u16,
    ) -> Result<Slice<SpaceVersion>> {
        match self.spaces_without_grants(organization, after, limit)? {
            Plain::Slice(slice) => Ok(slice),
            Plain::Granted(user) => {
                self.page_of_versions::<ListVersions, CountSpaces>(user, organization, None, after, limit)
            }
        }
    }

    /// The spaces in a collection itself that the actor may see, in their order: one statement, or two for an empty
    /// page after others.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn spaces_in(
        &mut self,
        collection: &Authorized<CollectionRecord>,
        after: Option<&PlaceKey>,
        limit: u16,
    ) -> Result<Slice<SpaceVersion>> {
        let CollectionRecord { organization, id, .. } = **collection;
        let actor = collection.actor().user;
        self.page_of_versions::<ListVersionsIn, CountSpacesIn>(actor, organization, Some(id), after, limit)
    }

    /// Spaces of a list with what is shown of them, in no order. A space has a newer version if it changed since it was
    /// listed, and is left out if it is gone.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn listed_spaces(&mut self, listed: &[SpaceVersion]) -> Result<Vec<(SpaceVersion, ListedSpace)>> {
        if listed.is_empty() {
            return Ok(Vec::new());
        }
        let roles: HashMap<SpaceId, Option<Role>> =
            listed.iter().map(|space| (space.id, space.role)).collect();
        let ids: Vec<Uuid> = roles.keys().map(|id| *id.as_uuid()).collect();
        let rows: Vec<(VersionColumn, SpaceColumns)> =
            FindListedSpaces::bind((val::<Array<SqlUuid>, _>(ids),)).load(self.connection)?;
        rows.into_iter()
            .map(|(VersionColumn { version }, space)| {
                let space = SpaceRecord::try_from(space)?;
                let role = roles.get(&space.id).copied().flatten();
                Ok((SpaceVersion { id: space.id, role, version }, ListedSpace { space, role }))
            })
            .collect()
    }

    fn page_of_versions<List: Sql, Count: Sql>(
        &mut self,
        actor: UserId,
        organization: OrganizationId,
        collection: Option<CollectionId>,
        after: Option<&PlaceKey>,
        limit: u16,
    ) -> Result<Slice<SpaceVersion>> {
        let actor = || val::<SqlUuid, _>(*actor.as_uuid());
        let organization = || val::<SqlUuid, _>(*organization.as_uuid());
        let collection = || val::<Nullable<SqlUuid>, _>(collection.map(|id| *id.as_uuid()));
        let (place, position, id) = start_after(after);
        let rows: Vec<VersionRow> = List::bind((
            actor(),
            organization(),
            collection(),
            val::<SqlUuid, _>(place),
            val::<Text, _>(position),
            val::<SqlUuid, _>(id),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let total = match rows.first() {
            Some(row) => row.total,
            // An empty page after others.
            None if after.is_some() => {
                let count: CountRow =
                    Count::bind((actor(), organization(), collection())).get_result(self.connection)?;
                count.total
            }
            None => 0,
        };
        Slice::cut(rows, limit, total).try_map(|VersionRow { id, version, role, .. }| {
            Ok(SpaceVersion { id: SpaceId::from_uuid(id), role: role_from_rank(role)?, version })
        })
    }
}
