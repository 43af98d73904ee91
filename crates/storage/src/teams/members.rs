//! Who is in a team.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Nullable, Text, Uuid as SqlUuid};
use quire_domain::ids::{OrganizationId, TeamId, UserId};
use quire_domain::teams::TeamRole;
use uuid::Uuid;

use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::UserRecord;
use crate::lookup::{Authorized, TeamRecord};
use crate::members::{MemberColumns, MemberRecord, member_columns};
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result, stored};

/// A member of a team.
#[derive(Clone, Debug)]
pub struct TeamMemberRecord {
    /// The member of the organization.
    pub member: MemberRecord,
    /// What the member is in the team.
    pub role: TeamRole,
}

/// Who comes into a team, changes in it and goes out of it.
#[derive(Clone, Debug, Default)]
pub struct MembershipChanges {
    /// Who comes in; who is in already stays as before.
    pub add: Vec<UserId>,
    /// What members shall be, in the team already or not.
    pub set: Vec<(UserId, TeamRole)>,
    /// Who goes out, also of those who are named above.
    pub remove: Vec<UserId>,
}

/// Users of a request who aren't in the organization, by their places in its lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnknownMembers {
    /// Places in the list of those who come in.
    pub add: Vec<usize>,
    /// Places in the list of those who shall be something.
    pub set: Vec<usize>,
}

macro_rules! members_of_team {
    () => {
        " FROM team_members tmm \
          JOIN organization_members x ON x.organization_id = tmm.organization_id AND x.user_id = tmm.user_id \
          JOIN users u ON u.id = x.user_id WHERE tmm.organization_id = $1 AND tmm.team_id = $2"
    };
}

statements! {
    ListTeamMembers = concat!(
        "SELECT tmm.role AS role_in_team, ", member_columns!(), members_of_team!(),
        " AND ($3 IS NULL OR tmm.user_id < $3) ORDER BY tmm.user_id DESC LIMIT $4"
    );
    CountTeamMembers = "SELECT count(*) AS total FROM team_members WHERE organization_id = $1 AND team_id = $2";
    AddTeamMembers = "INSERT INTO team_members (organization_id, team_id, user_id, role) \
                      SELECT $1, $2, joining, 'member' FROM unnest($3) AS joining ON CONFLICT DO NOTHING";
    PutTeamMembers = "INSERT INTO team_members (organization_id, team_id, user_id, role) \
                      SELECT $1, $2, joining.user_id, joining.role FROM unnest($3, $4) AS joining (user_id, role) \
                      ON CONFLICT (organization_id, team_id, user_id) DO UPDATE SET role = excluded.role";
    RemoveTeamMembers = "DELETE FROM team_members WHERE organization_id = $1 AND team_id = $2 AND user_id = ANY ($3)";
    LockTeam = "SELECT 1 FROM teams WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE";
}

#[derive(QueryableByName)]
struct TeamRoleColumn {
    #[diesel(sql_type = Text)]
    role_in_team: String,
}

impl Reader<'_> {
    /// The members of a team, newest users first: three statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn team_members_of(
        &mut self,
        team: &Authorized<TeamRecord>,
        after: Option<UserId>,
        limit: u16,
    ) -> Result<Slice<TeamMemberRecord>> {
        let (organization, id) = (*team.organization.as_uuid(), *team.id.as_uuid());
        let rows: Vec<(TeamRoleColumn, MemberColumns, UserRecord)> = ListTeamMembers::bind((
            val::<SqlUuid, _>(organization),
            val::<SqlUuid, _>(id),
            val::<Nullable<SqlUuid>, _>(after.map(|id| *id.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow =
            CountTeamMembers::bind((val::<SqlUuid, _>(organization), val::<SqlUuid, _>(id)))
                .get_result(self.connection)?;
        let (roles, members): (Vec<_>, Vec<_>) =
            rows.into_iter().map(|(role, member, user)| (role, (member, user))).unzip();
        let members = self.with_reach(team.organization, members)?;
        Slice::cut(roles.into_iter().zip(members).collect(), limit, count.total)
            .try_map(|(role, member)| Ok(TeamMemberRecord { member, role: stored(&role.role_in_team)? }))
    }
}

impl Tx<'_> {
    /// Changes who is in a team, in the order of the fields. Answers who isn't in the organization, and changes nothing then.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the team was deleted meanwhile.
    pub fn change_team_members(
        &mut self,
        team: &Authorized<TeamRecord>,
        changes: MembershipChanges,
    ) -> Result<UnknownMembers> {
        let MembershipChanges { add, set, remove } = changes;
        self.lock_team(team)?;
        let set_ids: Vec<UserId> = set.iter().map(|(user, _)| *user).collect();
        let unknown = UnknownMembers {
            add: self.hold_members(team.organization, &add)?,
            set: self.hold_members(team.organization, &set_ids)?,
        };
        if unknown != UnknownMembers::default() {
            return Ok(unknown);
        }
        let uuids = |users: &[UserId]| users.iter().map(|user| *user.as_uuid()).collect::<Vec<Uuid>>();
        let ids = || (val::<SqlUuid, _>(*team.organization.as_uuid()), val::<SqlUuid, _>(*team.id.as_uuid()));
        let (organization, id) = ids();
        AddTeamMembers::bind((organization, id, val::<Array<SqlUuid>, _>(uuids(&add))))
            .execute(self.connection)?;
        let set = set.into_iter().map(|(user, role)| (*user.as_uuid(), role)).collect();
        self.put_team_members(team.organization, team.id, set)?;
        let (organization, id) = ids();
        RemoveTeamMembers::bind((organization, id, val::<Array<SqlUuid>, _>(uuids(&remove))))
            .execute(self.connection)?;
        Ok(unknown)
    }

    /// Takes a member out of a team.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the user isn't in it.
    pub fn remove_team_member(&mut self, team: &Authorized<TeamRecord>, user: UserId) -> Result<()> {
        let removed = RemoveTeamMembers::bind((
            val::<SqlUuid, _>(*team.organization.as_uuid()),
            val::<SqlUuid, _>(*team.id.as_uuid()),
            val::<Array<SqlUuid>, _>(vec![*user.as_uuid()]),
        ))
        .execute(self.connection)?;
        if removed == 0 { Err(Error::NotFound) } else { Ok(()) }
    }

    pub(super) fn put_team_members(
        &mut self,
        organization: OrganizationId,
        team: TeamId,
        members: HashMap<Uuid, TeamRole>,
    ) -> Result<()> {
        let (users, roles): (Vec<Uuid>, Vec<&str>) =
            members.into_iter().map(|(user, role)| (user, role.as_str())).unzip();
        PutTeamMembers::bind((
            val::<SqlUuid, _>(*organization.as_uuid()),
            val::<SqlUuid, _>(*team.as_uuid()),
            val::<Array<SqlUuid>, _>(users),
            val::<Array<Text>, _>(roles),
        ))
        .execute(self.connection)?;
        Ok(())
    }

    /// Locks a team until the transaction ends: two changes of who is in it follow each other.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is gone.
    pub fn lock_team(&mut self, team: &Authorized<TeamRecord>) -> Result<()> {
        let held = LockTeam::bind((
            val::<SqlUuid, _>(*team.organization.as_uuid()),
            val::<SqlUuid, _>(*team.id.as_uuid()),
        ))
        .execute(self.connection)?;
        if held == 0 { Err(Error::NotFound) } else { Ok(()) }
    }
}
