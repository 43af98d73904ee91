//! Teams and their members.

mod list;
mod lookup;
mod members;

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::{OrganizationId, TeamId, UserId};
use quire_domain::teams::TeamRole;
use uuid::Uuid;

pub use self::lookup::TeamRecord;
pub use list::{TeamFilter, TeamOfMember};
pub use members::UnknownMembers;

use crate::lookup::Authorized;
use crate::people::organizations::OrganizationRecord;
use crate::schema::teams;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Team with its size.
#[derive(Clone, Debug)]
pub struct ListedTeam {
    /// Team.
    pub team: TeamRecord,
    /// Number of members.
    pub members: u64,
    /// Number of spaces granted to the team, directly or through a collection, among those that the reader sees.
    pub spaces: u64,
}

sql_files! {
    MeasureTeams(Binary, Timestamptz, SqlUuid, Array<SqlUuid>) -> (SqlUuid, BigInt, BigInt) = "measure.sql";
}

impl Reader<'_> {
    /// Returns a team with its size. Takes one statement.
    pub fn show_team(&mut self, team: &Authorized<TeamRecord>) -> Result<ListedTeam> {
        let sizes = self.measure(team.organization, vec![team.id])?;
        Ok(listed((**team).clone(), &sizes))
    }

    /// Returns teams with their sizes. Takes one statement.
    pub(crate) fn show_teams(
        &mut self,
        organization: OrganizationId,
        teams: Vec<TeamRecord>,
    ) -> Result<Vec<ListedTeam>> {
        let sizes = self.measure(organization, teams.iter().map(|team| team.id).collect())?;
        Ok(teams.into_iter().map(|team| listed(team, &sizes)).collect())
    }

    fn measure(
        &mut self,
        organization: OrganizationId,
        teams: Vec<TeamId>,
    ) -> Result<HashMap<TeamId, (u64, u64)>> {
        let rows: Vec<(TeamId, i64, i64)> =
            MeasureTeams::bind((self.credentials.token_hash.as_slice(), self.now, organization, teams))
                .load(self.connection)?;
        let number = |stored: i64| u64::try_from(stored).unwrap_or(0);
        Ok(rows.into_iter().map(|(id, members, spaces)| (id, (number(members), number(spaces)))).collect())
    }
}

fn listed(team: TeamRecord, sizes: &HashMap<TeamId, (u64, u64)>) -> ListedTeam {
    let (members, spaces) = sizes.get(&team.id).copied().unwrap_or_default();
    ListedTeam { team, members, spaces }
}

impl Tx<'_> {
    /// Creates a team with these members, owned by the actor. If some users are not in the organization, it returns
    /// their indexes in `members` and creates no team.
    ///
    /// # Errors
    /// 409 if another team of the organization has the title.
    pub fn create_team(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        title: &str,
        members: &[UserId],
    ) -> Result<std::result::Result<TeamId, Vec<usize>>> {
        self.check_team_title(organization.id, None, title)?;
        let unknown = self.lock_members(organization.id, members)?;
        if !unknown.is_empty() {
            return Ok(Err(unknown));
        }
        let id = TeamId::from_uuid(self.storage.ids().uuid());
        self.record_created("team", id);
        diesel::insert_into(teams::table)
            .values((
                teams::organization_id.eq(organization.id),
                teams::id.eq(id),
                teams::title.eq(title),
                teams::created_at.eq(self.now),
            ))
            .execute(self.connection)?;
        let owner = organization.actor().user;
        let mut joining: HashMap<UserId, TeamRole> =
            members.iter().map(|user| (*user, TeamRole::Member)).collect();
        joining.insert(owner, TeamRole::CREATOR);
        self.put_team_members(organization.id, id, joining)?;
        Ok(Ok(id))
    }

    /// Renames a team. The organization must be locked.
    ///
    /// # Errors
    /// 409 if another team of the organization has the title.
    pub fn rename_team(&mut self, team: &Authorized<TeamRecord>, title: &str) -> Result<()> {
        self.check_team_title(team.organization, Some(team.id), title)?;
        diesel::update(teams::table.find((team.organization, team.id)))
            .set(teams::title.eq(title))
            .execute(self.connection)?;
        Ok(())
    }

    /// Checks that no other team has a title, and locks the organization, so that no other transaction uses the title
    /// before this one ends. Titles are not unique in the schema, because teams of 0.1.0 may have equal titles.
    fn check_team_title(
        &mut self,
        organization: OrganizationId,
        except: Option<TeamId>,
        title: &str,
    ) -> Result<()> {
        self.lock_organization(organization)?;
        let others = teams::table
            .filter(teams::organization_id.eq(organization))
            .filter(teams::title.eq(title))
            .filter(teams::id.ne(except.map_or(Uuid::nil(), Uuid::from)));
        if diesel::select(diesel::dsl::exists(others)).get_result(self.connection)? {
            let message = "Another team of the organization has this title.";
            let refusal = Refusal::new(Reason::NameTaken).with_message(message);
            return Err(Error::from(refusal.at("title", "is already in use")));
        }
        Ok(())
    }

    /// Deletes a team with its grants.
    pub fn delete_team(&mut self, team: &Authorized<TeamRecord>) -> Result<()> {
        diesel::delete(teams::table.find((team.organization, team.id))).execute(self.connection)?;
        Ok(())
    }
}
