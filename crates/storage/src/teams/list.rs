//! Lists of teams.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text, Uuid as SqlUuid};
use quire_domain::ids::{TeamId, UserId};
use quire_domain::policy::{ADMINISTRATOR, Action, Relation};
use quire_domain::teams::TeamRole;

use super::ListedTeam;
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{Authorized, OrganizationRecord, TeamColumns, administers, team_columns};
use crate::members::like_pattern;
use crate::statement::{Assembled, val};
use crate::transaction::Reader;
use crate::{Result, stored};

/// Which teams of an organization are meant.
#[derive(Clone, Debug, Default)]
pub struct TeamFilter {
    /// Who can manage them.
    pub owner: Option<UserId>,
    /// What their title holds; empty for anything.
    pub title: String,
}

/// A team that a member is in.
#[derive(Clone, Debug)]
pub struct TeamOfMember {
    /// The team.
    pub team: ListedTeam,
    /// The member's role in it.
    pub role: TeamRole,
}

#[derive(QueryableByName)]
struct TeamRoleColumn {
    #[diesel(sql_type = Text)]
    role_in_team: String,
}

const LIST: &str = concat!("SELECT ", team_columns!("$6"));
const TEAMS: &str = " FROM teams tm WHERE tm.organization_id = $1";
/// The teams that the user `$2` manages: those that the user owns, and for administrators of the organization all.
const MANAGED: &str = concat!(
    " AND (EXISTS (SELECT 1 FROM team_members own WHERE own.organization_id = tm.organization_id \
     AND own.team_id = tm.id AND own.user_id = $2 AND own.role = 'owner') \
     OR EXISTS (SELECT 1 FROM organization_members m WHERE m.organization_id = tm.organization_id AND m.user_id = $2 AND ",
    administers!("m"),
    "))"
);
const _: () = assert!(
    matches!(Action::ManageTeam.relation(), Some(Relation::TeamOwner))
        && matches!(Action::ManageTeam.least_role(), Some(role) if role.rank() == ADMINISTRATOR.rank()),
    "`MANAGED` lets owners and administrators manage a team"
);
const TITLED: &str = " AND tm.title ILIKE $3";
const AFTER: &str = " AND tm.id < $4";
const ORDER: &str = " ORDER BY tm.id DESC LIMIT $5";

const LIST_OF_MEMBER: &str = concat!("SELECT tmm.role AS role_in_team, ", team_columns!("$6"));
const TEAMS_OF_MEMBER: &str = " FROM team_members tmm JOIN teams tm ON tm.organization_id = tmm.organization_id AND tm.id = tmm.team_id \
     WHERE tmm.organization_id = $1 AND tmm.user_id = $2";

impl Reader<'_> {
    /// The teams of an organization, newest first: three statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn teams_of(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        filter: &TeamFilter,
        after: Option<TeamId>,
        limit: u16,
    ) -> Result<Slice<ListedTeam>> {
        let mut conditions = vec![TEAMS];
        conditions.extend(filter.owner.map(|_| MANAGED));
        conditions.extend((!filter.title.is_empty()).then_some(TITLED));
        let mut parts = [vec![LIST], conditions.clone()].concat();
        parts.extend(after.map(|_| AFTER));
        parts.push(ORDER);
        let pattern = like_pattern(&filter.title);
        let owner = filter.owner.map(|user| *user.as_uuid());
        let id = *organization.id.as_uuid();
        let rows: Vec<TeamColumns> = Assembled::new(
            parts,
            (
                val::<SqlUuid, _>(id),
                val::<Nullable<SqlUuid>, _>(owner),
                val::<Text, _>(&pattern),
                val::<Nullable<SqlUuid>, _>(after.map(|id| *id.as_uuid())),
                val::<BigInt, _>(fetch_limit(limit)),
                val::<SqlUuid, _>(*organization.actor().user.as_uuid()),
            ),
        )
        .load(self.connection)?;
        let count: CountRow = Assembled::new(
            [vec!["SELECT count(*) AS total"], conditions].concat(),
            (val::<SqlUuid, _>(id), val::<Nullable<SqlUuid>, _>(owner), val::<Text, _>(&pattern)),
        )
        .get_result(self.connection)?;
        let Slice { items, total, has_more } = Slice::cut(rows, limit, count.total);
        Ok(Slice { items: self.show_teams(organization.id, items)?, total, has_more })
    }

    /// The teams that a member is in and whose title holds this, newest first: three statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn teams_of_member(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        member: UserId,
        title: &str,
        after: Option<TeamId>,
        limit: u16,
    ) -> Result<Slice<TeamOfMember>> {
        let mut conditions = vec![TEAMS_OF_MEMBER];
        conditions.extend((!title.is_empty()).then_some(TITLED));
        let mut parts = [vec![LIST_OF_MEMBER], conditions.clone()].concat();
        parts.extend(after.map(|_| AFTER));
        parts.push(ORDER);
        let pattern = like_pattern(title);
        let (id, user) = (*organization.id.as_uuid(), *member.as_uuid());
        let rows: Vec<(TeamRoleColumn, TeamColumns)> = Assembled::new(
            parts,
            (
                val::<SqlUuid, _>(id),
                val::<SqlUuid, _>(user),
                val::<Text, _>(&pattern),
                val::<Nullable<SqlUuid>, _>(after.map(|id| *id.as_uuid())),
                val::<BigInt, _>(fetch_limit(limit)),
                val::<SqlUuid, _>(*organization.actor().user.as_uuid()),
            ),
        )
        .load(self.connection)?;
        let count: CountRow = Assembled::new(
            [vec!["SELECT count(*) AS total"], conditions].concat(),
            (val::<SqlUuid, _>(id), val::<SqlUuid, _>(user), val::<Text, _>(&pattern)),
        )
        .get_result(self.connection)?;
        let (roles, teams): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
        let teams = self.show_teams(organization.id, teams)?;
        let rows = roles.into_iter().zip(teams).collect();
        Slice::cut(rows, limit, count.total)
            .try_map(|(role, team)| Ok(TeamOfMember { team, role: stored(&role.role_in_team)? }))
    }
}
