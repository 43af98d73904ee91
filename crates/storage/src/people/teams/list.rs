//! Lists of teams.

use diesel::dsl::exists;
use diesel::prelude::*;
use quire_domain::ids::{TeamId, UserId};
use quire_domain::policy::{ADMINISTRATOR, Action, Relation};
use quire_domain::teams::TeamRole;

use super::ListedTeam;
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::Authorized;
use crate::people::members::like_pattern;
use crate::people::organizations::OrganizationRecord;
use crate::people::teams::TeamRecord;
use crate::schema::{organization_members, team_members};
use crate::transaction::Reader;
use crate::views::team_access;
use crate::{Result, parse_enum};

/// Filter of a list of teams.
#[derive(Clone, Debug, Default)]
pub struct TeamFilter {
    /// Member who owns the teams.
    pub owner: Option<UserId>,
    /// Text that the title contains; empty for any title.
    pub title: String,
}

/// Team of a member.
#[derive(Clone, Debug)]
pub struct TeamOfMember {
    /// Team.
    pub team: ListedTeam,
    /// Role of the member in the team.
    pub role: TeamRole,
}

const _: () = assert!(
    matches!(Action::ManageTeam.relation(), Some(Relation::TeamOwner))
        && matches!(Action::ManageTeam.least_role(), Some(role) if role.rank() == ADMINISTRATOR.rank()),
    "`teams_of` lets owners and administrators manage a team"
);

impl Reader<'_> {
    /// Returns the teams of an organization, newest first. Takes three statements.
    pub fn teams_of(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        filter: &TeamFilter,
        after: Option<TeamId>,
        limit: u16,
    ) -> Result<Slice<ListedTeam>> {
        let matching = || {
            let mut matching = team_access::table
                .filter(team_access::token_id.eq(organization.actor().token))
                .filter(team_access::organization_id.eq(organization.id))
                .into_boxed();
            if let Some(owner) = filter.owner {
                let owns = team_members::table
                    .find((team_access::organization_id, team_access::id, owner))
                    .filter(team_members::role.eq(TeamRole::Owner.as_str()));
                let administrates = organization_members::table
                    .find((team_access::organization_id, owner))
                    .filter(organization_members::role.eq(ADMINISTRATOR.rank()))
                    .filter(organization_members::disabled.eq(false));
                matching = matching.filter(exists(owns).or(exists(administrates)));
            }
            if !filter.title.is_empty() {
                matching = matching.filter(team_access::title.ilike(like_pattern(&filter.title)));
            }
            matching
        };
        let rows = matching()
            .filter(team_access::id.lt(page_end(after)))
            .order(team_access::id.desc())
            .limit(fetch_limit(limit))
            .select(TeamRecord::as_select())
            .load(self.connection)?;
        let total = matching().count().get_result(self.connection)?;
        let Slice { items, total, has_more } = Slice::cut(rows, limit, total);
        Ok(Slice { items: self.show_teams(organization.id, items)?, total, has_more })
    }

    /// Returns the teams of a member whose title contains a text, newest first. Takes three statements.
    pub fn teams_of_member(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        member: UserId,
        title: &str,
        after: Option<TeamId>,
        limit: u16,
    ) -> Result<Slice<TeamOfMember>> {
        let matching = || {
            let of_team = team_members::organization_id
                .eq(team_access::organization_id)
                .and(team_members::team_id.eq(team_access::id));
            let mut matching = team_access::table
                .inner_join(team_members::table.on(of_team))
                .filter(team_access::token_id.eq(organization.actor().token))
                .filter(team_members::organization_id.eq(organization.id))
                .filter(team_members::user_id.eq(member))
                .into_boxed();
            if !title.is_empty() {
                matching = matching.filter(team_access::title.ilike(like_pattern(title)));
            }
            matching
        };
        let rows: Vec<(String, TeamRecord)> = matching()
            .filter(team_access::id.lt(page_end(after)))
            .order(team_access::id.desc())
            .limit(fetch_limit(limit))
            .select((team_members::role, TeamRecord::as_select()))
            .load(self.connection)?;
        let total = matching().count().get_result(self.connection)?;
        let (roles, teams): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
        let teams = self.show_teams(organization.id, teams)?;
        Slice::cut(roles.into_iter().zip(teams).collect(), limit, total)
            .try_map(|(role, team)| Ok(TeamOfMember { team, role: parse_enum(&role)? }))
    }
}
