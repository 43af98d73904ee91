//! How much members may reach, for many of them at once.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Uuid as SqlUuid};
use quire_domain::ids::OrganizationId;
use uuid::Uuid;

use crate::Result;
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;

/// Where a grant reaches the spaces of the organization `$1`: the space itself, and each collection above it.
macro_rules! places {
    () => {
        "places AS (\
           SELECT s.id AS place, s.id AS space, s.default_level FROM spaces s WHERE s.organization_id = $1 AND s.deleted_at IS NULL \
           UNION ALL \
           SELECT above.place, s.id, s.default_level FROM spaces s \
           JOIN collections c ON c.organization_id = s.organization_id AND c.id = s.collection_id \
           CROSS JOIN LATERAL unnest(c.path) AS above (place) WHERE s.organization_id = $1 AND s.deleted_at IS NULL)"
    };
}
pub(crate) use places;

statements! {
    // Whoever has any grant on or above a space has a role on it, as a grant is never empty; without one, members have the
    // space's default level. So roles needn't be found one by one, as `effective_role` does, only counted: a test compares.
    FindReach = concat!(
        "WITH ", places!(), ", granted AS (\
           SELECT DISTINCT holder.user_id, p.space, p.default_level FROM (\
             SELECT g.user_id, coalesce(g.space_id, g.collection_id) AS place FROM content_grants g \
              WHERE g.organization_id = $1 AND g.user_id = ANY ($2) \
             UNION \
             SELECT tm.user_id, coalesce(g.space_id, g.collection_id) FROM team_members tm \
               JOIN content_grants g ON g.organization_id = tm.organization_id AND g.team_id = tm.team_id \
              WHERE tm.organization_id = $1 AND tm.user_id = ANY ($2)) holder \
           JOIN places p ON p.place = holder.place), \
         counted AS (\
           SELECT user_id, count(*) AS spaces, count(*) FILTER (WHERE default_level IS NULL) AS closed FROM granted GROUP BY user_id), \
         existing AS (\
           SELECT count(*) AS spaces, count(default_level) AS open FROM spaces WHERE organization_id = $1 AND deleted_at IS NULL), \
         joined AS (\
           SELECT user_id, count(*) AS teams FROM team_members WHERE organization_id = $1 AND user_id = ANY ($2) GROUP BY user_id) \
         SELECT m.user_id AS id, coalesce(joined.teams, 0) AS teams, \
           CASE WHEN m.disabled THEN 0 WHEN m.role = 6 THEN existing.spaces \
                WHEN m.role IS NULL THEN coalesce(counted.spaces, 0) ELSE existing.open + coalesce(counted.closed, 0) END AS spaces \
         FROM organization_members m CROSS JOIN existing \
         LEFT JOIN counted ON counted.user_id = m.user_id LEFT JOIN joined ON joined.user_id = m.user_id \
         WHERE m.organization_id = $1 AND m.user_id = ANY ($2)"
    );
}

#[derive(QueryableByName)]
struct ReachRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = BigInt)]
    spaces: i64,
    #[diesel(sql_type = BigInt)]
    teams: i64,
}

impl Reader<'_> {
    /// How many spaces each of these members has a role on, and how many teams it is in: one statement.
    pub(super) fn reach_of(
        &mut self,
        organization: OrganizationId,
        members: Vec<Uuid>,
    ) -> Result<HashMap<Uuid, (u64, u64)>> {
        let rows: Vec<ReachRow> =
            FindReach::bind((val::<SqlUuid, _>(*organization.as_uuid()), val::<Array<SqlUuid>, _>(&members)))
                .load(self.connection)?;
        let number = |stored: i64| u64::try_from(stored).unwrap_or(0);
        Ok(rows.into_iter().map(|row| (row.id, (number(row.spaces), number(row.teams)))).collect())
    }
}
