//! Who has which role on a space or collection.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, SmallInt, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::ids::{GrantId, UserId};
use quire_domain::policy::Membership;
use uuid::Uuid;

use super::Shared;
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{TeamColumns, UserRecord, role_from_rank, team_columns};
use crate::statement::{Assembled, val};
use crate::teams::ListedTeam;
use crate::transaction::Reader;
use crate::{Error, Result};

/// A user with a role.
#[derive(Clone, Debug)]
pub struct UserGrant {
    /// The grant.
    pub id: GrantId,
    /// The user.
    pub user: UserRecord,
    /// The role.
    pub role: Role,
}

/// A team with a role.
#[derive(Clone, Debug)]
pub struct TeamGrant {
    /// The grant.
    pub id: GrantId,
    /// The team.
    pub team: ListedTeam,
    /// The role.
    pub role: Role,
    /// The actor's membership in the organization.
    pub actor: Membership,
}

#[derive(QueryableByName)]
struct ActorRoleColumn {
    #[diesel(sql_type = Nullable<SmallInt>)]
    actor_role: Option<i16>,
}

#[derive(QueryableByName)]
struct GrantColumns {
    #[diesel(sql_type = SqlUuid)]
    grant_id: Uuid,
    #[diesel(sql_type = Nullable<SmallInt>)]
    granted: Option<i16>,
}

impl GrantColumns {
    fn role(&self) -> Result<Role> {
        role_from_rank(self.granted)?
            .ok_or_else(|| Error::corrupt("a grant has no role", anyhow::anyhow!("{}", self.grant_id)))
    }
}

const USER_COLUMNS: &str = "u.id AS user_id, u.email AS user_email, u.display_name AS user_display_name, u.photo_url AS user_photo_url";
const USERS: &str = " FROM content_grants g JOIN users u ON u.id = g.user_id WHERE g.organization_id = $1";
const TEAMS: &str = " FROM content_grants g JOIN teams tm ON tm.organization_id = g.organization_id AND tm.id = g.team_id \
     WHERE g.organization_id = $1";
const TEAM_LIST: &str = concat!(
    "SELECT g.id AS grant_id, g.role AS granted, ",
    team_columns!("$5"),
    ", (SELECT m.role FROM organization_members m WHERE m.organization_id = $1 AND m.user_id = $5) AS actor_role"
);
const AFTER: &str = " AND g.id < $3";
const ORDER: &str = " ORDER BY g.id DESC LIMIT $4";

/// Everyone's role on the space `$2` of the organization `$1`.
const SPACE_ROLES: &str = " FROM spaces s \
     LEFT JOIN collections c ON c.organization_id = s.organization_id AND c.id = s.collection_id \
     JOIN organization_members m ON m.organization_id = s.organization_id \
     JOIN users u ON u.id = m.user_id \
     CROSS JOIN LATERAL effective_role(m.role, m.disabled, s.organization_id, m.user_id, s.id, c.path, s.default_level) AS er \
     WHERE s.organization_id = $1 AND s.id = $2 AND er.role IS NOT NULL";
const COLLECTION_ROLES: &str = " FROM collections c \
     JOIN organization_members m ON m.organization_id = c.organization_id \
     JOIN users u ON u.id = m.user_id \
     CROSS JOIN LATERAL effective_role(m.role, m.disabled, c.organization_id, m.user_id, NULL, c.path, c.default_level) AS er \
     WHERE c.organization_id = $1 AND c.id = $2 AND er.role IS NOT NULL";

impl Reader<'_> {
    /// The users who were granted a role on this very space or collection, last first: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn user_grants(
        &mut self,
        shared: Shared<'_>,
        after: Option<GrantId>,
        limit: u16,
    ) -> Result<Slice<UserGrant>> {
        let place = shared.pick(" AND g.space_id = $2", " AND g.collection_id = $2");
        let mut parts = vec!["SELECT g.id AS grant_id, g.role AS granted, ", USER_COLUMNS, USERS, place];
        parts.extend(after.map(|_| AFTER));
        parts.push(ORDER);
        let (organization, id) = (*shared.organization().as_uuid(), shared.uuid());
        let rows: Vec<(GrantColumns, UserRecord)> = Assembled::new(
            parts,
            (
                val::<SqlUuid, _>(organization),
                val::<SqlUuid, _>(id),
                val::<Nullable<SqlUuid>, _>(after.map(|id| *id.as_uuid())),
                val::<BigInt, _>(fetch_limit(limit)),
            ),
        )
        .load(self.connection)?;
        let count: CountRow = Assembled::new(
            vec!["SELECT count(*) AS total", USERS, place],
            (val::<SqlUuid, _>(organization), val::<SqlUuid, _>(id)),
        )
        .get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(|(grant, user)| {
            Ok(UserGrant { id: GrantId::from_uuid(grant.grant_id), user, role: grant.role()? })
        })
    }

    /// The teams that were granted a role on this very space or collection, last first: three statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn team_grants(
        &mut self,
        shared: Shared<'_>,
        actor: UserId,
        after: Option<GrantId>,
        limit: u16,
    ) -> Result<Slice<TeamGrant>> {
        let place = shared.pick(" AND g.space_id = $2", " AND g.collection_id = $2");
        let mut parts = vec![TEAM_LIST, TEAMS, place];
        parts.extend(after.map(|_| AFTER));
        parts.push(ORDER);
        let (organization, id) = (*shared.organization().as_uuid(), shared.uuid());
        let rows: Vec<(GrantColumns, ActorRoleColumn, TeamColumns)> = Assembled::new(
            parts,
            (
                val::<SqlUuid, _>(organization),
                val::<SqlUuid, _>(id),
                val::<Nullable<SqlUuid>, _>(after.map(|id| *id.as_uuid())),
                val::<BigInt, _>(fetch_limit(limit)),
                val::<SqlUuid, _>(*actor.as_uuid()),
            ),
        )
        .load(self.connection)?;
        let count: CountRow = Assembled::new(
            vec!["SELECT count(*) AS total", TEAMS, place],
            (val::<SqlUuid, _>(organization), val::<SqlUuid, _>(id)),
        )
        .get_result(self.connection)?;
        let (grants, teams): (Vec<_>, Vec<_>) =
            rows.into_iter().map(|(grant, actor, team)| ((grant, actor.actor_role), team)).unzip();
        let teams = self.show_teams(shared.organization(), teams)?;
        let rows = grants.into_iter().zip(teams).collect();
        Slice::cut(rows, limit, count.total).try_map(|((grant, actor_role), team)| {
            let id = GrantId::from_uuid(grant.grant_id);
            // The lookup of the space or collection found the actor to be an active member.
            let actor = Membership::active(role_from_rank(actor_role)?);
            Ok(TeamGrant { id, team, role: grant.role()?, actor })
        })
    }

    /// Everyone who has a role on a space or collection, wherever it comes from, and only this one if one is named; newest
    /// users first: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn roles_on(
        &mut self,
        shared: Shared<'_>,
        role: Option<Role>,
        after: Option<UserId>,
        limit: u16,
    ) -> Result<Slice<UserGrant>> {
        let from = shared.pick(SPACE_ROLES, COLLECTION_ROLES);
        let filter = role.map(|_| " AND er.role = $3");
        let mut parts = vec!["SELECT u.id AS grant_id, er.role AS granted, ", USER_COLUMNS, from];
        parts.extend(filter);
        parts.extend(after.map(|_| " AND m.user_id < $4"));
        parts.push(" ORDER BY m.user_id DESC LIMIT $5");
        let (organization, id) = (*shared.organization().as_uuid(), shared.uuid());
        let rank = role.map(Role::rank);
        let rows: Vec<(GrantColumns, UserRecord)> = Assembled::new(
            parts,
            (
                val::<SqlUuid, _>(organization),
                val::<SqlUuid, _>(id),
                val::<Nullable<SmallInt>, _>(rank),
                val::<Nullable<SqlUuid>, _>(after.map(|id| *id.as_uuid())),
                val::<BigInt, _>(fetch_limit(limit)),
            ),
        )
        .load(self.connection)?;
        let count: CountRow = Assembled::new(
            ["SELECT count(*) AS total", from].into_iter().chain(filter).collect(),
            (val::<SqlUuid, _>(organization), val::<SqlUuid, _>(id), val::<Nullable<SmallInt>, _>(rank)),
        )
        .get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(|(grant, user)| {
            Ok(UserGrant { id: GrantId::from_uuid(grant.grant_id), user, role: grant.role()? })
        })
    }
}
