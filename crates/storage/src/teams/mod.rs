//! Teams: made, read, listed, changed, and who is in them.

mod list;
mod members;

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Text, Uuid as SqlUuid};
use quire_domain::ids::{OrganizationId, TeamId, UserId};
use quire_domain::teams::TeamRole;
use uuid::Uuid;

pub use list::{TeamFilter, TeamOfMember};
pub use members::{MembershipChanges, TeamMemberRecord, UnknownMembers};

use crate::Result;
use crate::lookup::{Authorized, OrganizationRecord, TeamColumns, TeamRecord};
use crate::members::places;
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};

/// A team with how large it is.
#[derive(Clone, Debug)]
pub struct ListedTeam {
    /// The team.
    pub team: TeamRecord,
    /// How many members are in it.
    pub members: u64,
    /// The number of spaces that are granted to it, by themselves or with a collection above them, of those that its reader sees.
    pub spaces: u64,
}

statements! {
    MeasureTeams = concat!(
        "WITH ", places!(), ", granted AS (\
           SELECT g.team_id, count(DISTINCT p.space) AS spaces FROM content_grants g \
           JOIN places p ON p.place = coalesce(g.space_id, g.collection_id) \
           WHERE g.organization_id = $3 AND g.team_id = ANY ($4) GROUP BY g.team_id), \
         joined AS (\
           SELECT team_id, count(*) AS members FROM team_members WHERE organization_id = $3 AND team_id = ANY ($4) GROUP BY team_id) \
         SELECT tm.id, coalesce(granted.spaces, 0) AS spaces, coalesce(joined.members, 0) AS members \
         FROM teams tm LEFT JOIN granted ON granted.team_id = tm.id LEFT JOIN joined ON joined.team_id = tm.id \
         WHERE tm.organization_id = $3 AND tm.id = ANY ($4)"
    );
    InsertTeam = "INSERT INTO teams (organization_id, id, title, created_at) VALUES ($1, $2, $3, $4)";
    RenameTeam = "UPDATE teams SET title = $3 WHERE organization_id = $1 AND id = $2";
    DeleteTeam = "DELETE FROM teams WHERE organization_id = $1 AND id = $2";
}

#[derive(QueryableByName)]
struct MeasureRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = BigInt)]
    spaces: i64,
    #[diesel(sql_type = BigInt)]
    members: i64,
}

impl Reader<'_> {
    /// A team with how large it is: one statement.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn show_team(&mut self, team: &Authorized<TeamRecord>) -> Result<ListedTeam> {
        let sizes = self.measure(team.organization, vec![*team.id.as_uuid()])?;
        Ok(listed((**team).clone(), &sizes))
    }

    /// Teams with how large they are: one statement for all.
    pub(crate) fn show_teams(
        &mut self,
        organization: OrganizationId,
        teams: Vec<TeamColumns>,
    ) -> Result<Vec<ListedTeam>> {
        let sizes = self.measure(organization, teams.iter().map(|team| team.team_id).collect())?;
        teams.into_iter().map(|team| Ok(listed(team.into_record()?, &sizes))).collect()
    }

    fn measure(
        &mut self,
        organization: OrganizationId,
        teams: Vec<Uuid>,
    ) -> Result<HashMap<Uuid, (u64, u64)>> {
        let rows: Vec<MeasureRow> = MeasureTeams::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(*organization.as_uuid()),
            val::<Array<SqlUuid>, _>(&teams),
        ))
        .load(self.connection)?;
        let number = |stored: i64| u64::try_from(stored).unwrap_or(0);
        Ok(rows.into_iter().map(|row| (row.id, (number(row.members), number(row.spaces)))).collect())
    }
}

fn listed(team: TeamRecord, sizes: &HashMap<Uuid, (u64, u64)>) -> ListedTeam {
    let (members, spaces) = sizes.get(team.id.as_uuid()).copied().unwrap_or_default();
    ListedTeam { team, members, spaces }
}

impl Tx<'_> {
    /// Makes a team of these members, which the actor owns. Answers the places in `members` of those who aren't in the
    /// organization, and makes none then.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn create_team(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        title: &str,
        members: &[UserId],
    ) -> Result<std::result::Result<TeamId, Vec<usize>>> {
        let unknown = self.hold_members(organization.id, members)?;
        if !unknown.is_empty() {
            return Ok(Err(unknown));
        }
        let id = TeamId::from_uuid(self.storage.ids().uuid());
        self.note_made("team", id);
        let now = self.now_bind();
        InsertTeam::bind((
            val::<SqlUuid, _>(*organization.id.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
            val::<Text, _>(title),
            now,
        ))
        .execute(self.connection)?;
        let owner = organization.actor().user;
        let mut joining: HashMap<Uuid, TeamRole> =
            members.iter().map(|user| (*user.as_uuid(), TeamRole::Member)).collect();
        joining.insert(*owner.as_uuid(), TeamRole::OF_MAKER);
        self.put_team_members(organization.id, id, joining)?;
        Ok(Ok(id))
    }

    /// Renames a team.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn rename_team(&mut self, team: &Authorized<TeamRecord>, title: &str) -> Result<()> {
        RenameTeam::bind((
            val::<SqlUuid, _>(*team.organization.as_uuid()),
            val::<SqlUuid, _>(*team.id.as_uuid()),
            val::<Text, _>(title),
        ))
        .execute(self.connection)?;
        Ok(())
    }

    /// Deletes a team with what was granted to it.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn delete_team(&mut self, team: &Authorized<TeamRecord>) -> Result<()> {
        DeleteTeam::bind((
            val::<SqlUuid, _>(*team.organization.as_uuid()),
            val::<SqlUuid, _>(*team.id.as_uuid()),
        ))
        .execute(self.connection)?;
        Ok(())
    }
}
