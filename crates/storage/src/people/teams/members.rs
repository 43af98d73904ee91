//! Members of teams.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, Text, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::{OrganizationId, TeamId, UserId};
use quire_domain::teams::{TeamMembersUpdate, TeamRole};
use uuid::Uuid;

use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::Authorized;
use crate::people::members::{MemberRecord, ShownMember};
use crate::people::teams::TeamRecord;
use crate::schema::{organization_members, team_members, teams, users};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result, parse_enum};

/// Users of a request who are not members of the organization, by their indexes in the request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnknownMembers {
    /// Indexes in `add`.
    pub add: Vec<usize>,
    /// Indexes in `memberships`, in the order of the keys.
    pub memberships: Vec<usize>,
}

sql_files! {
    AddTeamMembers(SqlUuid, SqlUuid, Array<SqlUuid>) = "add_members.sql";
    PutTeamMembers(SqlUuid, SqlUuid, Array<SqlUuid>, Array<Text>) = "put_members.sql";
}

impl Reader<'_> {
    /// Returns the members of a team with their roles in it, newest users first. Takes three statements.
    pub fn team_members_of(
        &mut self,
        team: &Authorized<TeamRecord>,
        after: Option<UserId>,
        limit: u16,
    ) -> Result<Slice<(ShownMember, TeamRole)>> {
        let member = organization_members::organization_id
            .eq(team_members::organization_id)
            .and(organization_members::user_id.eq(team_members::user_id));
        let of_team = || {
            team_members::table
                .filter(team_members::organization_id.eq(team.organization))
                .filter(team_members::team_id.eq(team.id))
        };
        let rows: Vec<(String, MemberRecord)> = of_team()
            .inner_join(organization_members::table.on(member))
            .inner_join(users::table.on(users::id.eq(team_members::user_id)))
            .filter(team_members::user_id.lt(page_end(after)))
            .order(team_members::user_id.desc())
            .limit(fetch_limit(limit))
            .select((team_members::role, MemberRecord::as_select()))
            .load(self.connection)?;
        let total = of_team().count().get_result(self.connection)?;
        let (roles, members): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
        let members = self.with_reach(team.organization, members)?;
        Slice::cut(roles.into_iter().zip(members).collect(), limit, total)
            .try_map(|(role, member)| Ok((member, parse_enum(&role)?)))
    }
}

impl Tx<'_> {
    /// Adds members to a team, sets roles and removes members, in this order. If some users are not in the
    /// organization, it returns them and changes nothing.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the team was deleted after its lookup.
    pub fn change_team_members(
        &mut self,
        team: &Authorized<TeamRecord>,
        update: TeamMembersUpdate,
    ) -> Result<UnknownMembers> {
        let TeamMembersUpdate { add, memberships, remove } = update;
        let memberships = memberships.unwrap_or_default();
        self.lock_team(team)?;
        let add = self.ids_of_members(team.organization, &add.unwrap_or_default())?;
        let remove = self.ids_of_members(team.organization, &remove.unwrap_or_default())?;
        let named: Vec<UserId> = memberships.keys().copied().collect();
        let unknown = UnknownMembers {
            add: self.lock_members(team.organization, &add)?,
            memberships: self.lock_members(team.organization, &named)?,
        };
        if unknown != UnknownMembers::default() {
            return Ok(unknown);
        }
        self.add_team_members(team.organization, team.id, add)?;
        let roles = memberships.into_iter().map(|(user, membership)| (user, membership.role)).collect();
        self.put_team_members(team.organization, team.id, roles)?;
        self.delete_team_members(team, remove)?;
        Ok(unknown)
    }

    /// Removes a member from a team.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the user is not in the team.
    pub fn remove_team_member(&mut self, team: &Authorized<TeamRecord>, user: UserId) -> Result<()> {
        let removed = self.delete_team_members(team, vec![user])?;
        if removed == 0 { Err(Error::NotFound) } else { Ok(()) }
    }

    fn delete_team_members(&mut self, team: &TeamRecord, users: Vec<UserId>) -> Result<usize> {
        let members = team_members::table
            .filter(team_members::organization_id.eq(team.organization))
            .filter(team_members::team_id.eq(team.id))
            .filter(team_members::user_id.eq_any(users));
        Ok(diesel::delete(members).execute(self.connection)?)
    }

    /// Adds members of the organization to a team. Existing members of the team keep their roles.
    pub(crate) fn add_team_members(
        &mut self,
        organization: OrganizationId,
        team: TeamId,
        users: Vec<UserId>,
    ) -> Result<()> {
        AddTeamMembers::bind((organization, team, users)).execute(self.connection)?;
        Ok(())
    }

    pub(super) fn put_team_members(
        &mut self,
        organization: OrganizationId,
        team: TeamId,
        members: HashMap<UserId, TeamRole>,
    ) -> Result<()> {
        let (users, roles): (Vec<UserId>, Vec<&str>) =
            members.into_iter().map(|(user, role)| (user, role.as_str())).unzip();
        PutTeamMembers::bind((organization, team, users, roles)).execute(self.connection)?;
        Ok(())
    }

    /// Locks a team until the transaction ends, which serializes changes of its members.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it was deleted.
    pub fn lock_team(&mut self, team: &Authorized<TeamRecord>) -> Result<()> {
        let held: Option<Uuid> = teams::table
            .find((team.organization, team.id))
            .for_no_key_update()
            .select(teams::id)
            .get_result(self.connection)
            .optional()?;
        held.map(drop).ok_or(Error::NotFound)
    }
}
