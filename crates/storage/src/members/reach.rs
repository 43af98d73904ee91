//! How much members may reach, for many of them at once.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Uuid as SqlUuid};
use quire_domain::ids::OrganizationId;
use uuid::Uuid;

use crate::Result;
use crate::lookup::administers;
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;

/// The spaces of an organization that the reader sees: counts tell of no others. `$1` and `$2` are the reader's token. The roles of
/// administrators needn't be looked for.
macro_rules! seen_spaces {
    ($organization:literal) => {
        concat!(
            "seen AS (SELECT s.id, s.organization_id, s.collection_id, s.default_level FROM ",
            $crate::lookup::token_and_space!(),
            " WHERE ",
            $crate::lookup::valid_token!(),
            " AND s.organization_id = ",
            $organization,
            " AND s.deleted_at IS NULL AND CASE WHEN ",
            $crate::lookup::administers!("m"),
            " THEN true ELSE ",
            $crate::lookup::shows!($crate::lookup::space_role!()),
            " END)"
        )
    };
}
pub(crate) use seen_spaces;

/// The places of grants that reach the spaces of [`seen_spaces`]: the space itself, and each collection above it.
macro_rules! places {
    () => {
        concat!(
            $crate::members::seen_spaces!("$3"),
            ", places AS (\
               SELECT s.id AS place, s.id AS space, s.default_level FROM seen s \
               UNION ALL \
               SELECT above.place, s.id, s.default_level FROM seen s \
               JOIN collections c ON c.organization_id = s.organization_id AND c.id = s.collection_id \
               CROSS JOIN LATERAL unnest(c.path) AS above (place))"
        )
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
              WHERE g.organization_id = $3 AND g.user_id = ANY ($4) \
             UNION \
             SELECT tm.user_id, coalesce(g.space_id, g.collection_id) FROM team_members tm \
               JOIN content_grants g ON g.organization_id = tm.organization_id AND g.team_id = tm.team_id \
              WHERE tm.organization_id = $3 AND tm.user_id = ANY ($4)) holder \
           JOIN places p ON p.place = holder.place), \
         counted AS (\
           SELECT user_id, count(*) AS spaces, count(*) FILTER (WHERE default_level IS NULL) AS closed FROM granted GROUP BY user_id), \
         existing AS (\
           SELECT count(*) AS spaces, count(default_level) AS open FROM seen), \
         joined AS (\
           SELECT user_id, count(*) AS teams FROM team_members WHERE organization_id = $3 AND user_id = ANY ($4) GROUP BY user_id) \
         SELECT m.user_id AS id, coalesce(joined.teams, 0) AS teams, \
           CASE WHEN m.disabled THEN 0 WHEN ", administers!("m"), " THEN existing.spaces \
                WHEN m.role IS NULL THEN coalesce(counted.spaces, 0) ELSE existing.open + coalesce(counted.closed, 0) END AS spaces \
         FROM organization_members m CROSS JOIN existing \
         LEFT JOIN counted ON counted.user_id = m.user_id LEFT JOIN joined ON joined.user_id = m.user_id \
         WHERE m.organization_id = $3 AND m.user_id = ANY ($4)"
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
    /// The number of spaces that each of these members has a role on, of those that the reader sees, and of teams that it is in: one
    /// statement.
    pub(super) fn reach_of(
        &mut self,
        organization: OrganizationId,
        members: Vec<Uuid>,
    ) -> Result<HashMap<Uuid, (u64, u64)>> {
        let rows: Vec<ReachRow> = FindReach::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(*organization.as_uuid()),
            val::<Array<SqlUuid>, _>(&members),
        ))
        .load(self.connection)?;
        let number = |stored: i64| u64::try_from(stored).unwrap_or(0);
        Ok(rows.into_iter().map(|row| (row.id, (number(row.spaces), number(row.teams)))).collect())
    }
}
