//! SCIM groups, which are teams of the organization.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::clock::Timestamp;
use quire_domain::ids::TeamId;
use quire_domain::scim::{GroupInput, Reference, ScimProblem};
use serde_json::Value;
use uuid::Uuid;

use super::{Outcome, Part, ScimAccess, ScimPage, Selected};
use crate::diesel_types::Json;
use crate::schema::teams;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Maximum number of groups found by a name, or by an id at the identity provider.
const SAME: i64 = 100;
/// Number of members after which a page of groups ends. Clients continue after the returned groups.
const MEMBERS: i64 = 10_000;

/// Group in the form that an identity provider sees.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct ScimGroupRecord {
    /// Id.
    pub id: TeamId,
    /// Title of the team.
    pub title: String,
    /// Id at the provider.
    pub external_id: Option<String>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change by the provider.
    pub updated_at: Timestamp,
    /// Members without URLs; empty if they were not read.
    #[diesel(deserialize_as = Json<Value>)]
    pub members: Vec<Reference>,
}

sql_files! {
    ListGroups(SqlUuid, BigInt, BigInt) -> SqlUuid = "list_groups.sql";
    CountGroups(SqlUuid) -> BigInt = "count_groups.sql";
    FindByTitle(SqlUuid, Text, BigInt) -> SqlUuid = "find_group_by_title.sql";
    FindByExternalId(SqlUuid, Text, BigInt) -> SqlUuid = "find_group_by_external_id.sql";
    ReadGroups(SqlUuid, Array<SqlUuid>, Bool, BigInt) -> (
        SqlUuid, Text, Nullable<Text>, Timestamptz, Timestamptz, Jsonb,
    ) = "read_groups.sql";
    PutGroup(SqlUuid, SqlUuid, Nullable<Text>, Timestamptz) = "put_group.sql";
    KeepMembers(SqlUuid, SqlUuid, Array<SqlUuid>) = "keep_members.sql";
}

impl Reader<'_> {
    /// Returns a group of an organization. Takes one statement.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub fn scim_group(
        &mut self,
        access: &ScimAccess,
        id: TeamId,
        with_members: bool,
    ) -> Result<ScimGroupRecord> {
        self.read_scim_groups(access, vec![id], with_members)?.pop().ok_or(Error::NotFound)
    }

    /// Returns groups of an organization. With members, there may be fewer groups than requested. Takes three
    /// statements, or two with a filter.
    pub fn scim_groups(
        &mut self,
        access: &ScimAccess,
        selected: &Selected,
        part: Part,
        with_members: bool,
    ) -> Result<ScimPage<ScimGroupRecord>> {
        let organization = access.organization;
        let (offset, limit) = part.bounds();
        let found: Vec<TeamId> = match selected {
            Selected::All => {
                let total: i64 = CountGroups::bind((organization,)).get_result(self.connection)?;
                let ids = ListGroups::bind((organization, offset, limit)).load(self.connection)?;
                let items = self.read_scim_groups(access, ids, with_members)?;
                return Ok(ScimPage { items, total: u64::try_from(total).unwrap_or(0) });
            }
            Selected::Named(title) => {
                FindByTitle::bind((organization, title.as_str(), SAME)).load(self.connection)?
            }
            Selected::External(id) => {
                FindByExternalId::bind((organization, id.as_str(), SAME)).load(self.connection)?
            }
        };
        let total = u64::try_from(found.len()).unwrap_or(0);
        Ok(ScimPage { items: self.read_scim_groups(access, part.of(&found), with_members)?, total })
    }

    fn read_scim_groups(
        &mut self,
        access: &ScimAccess,
        ids: Vec<TeamId>,
        with_members: bool,
    ) -> Result<Vec<ScimGroupRecord>> {
        Ok(ReadGroups::bind((access.organization, ids, with_members, MEMBERS)).load(self.connection)?)
    }
}

impl Tx<'_> {
    /// Creates a team.
    pub fn create_scim_group(&mut self, access: &ScimAccess, input: &GroupInput) -> Result<Outcome<TeamId>> {
        let id = TeamId::from_uuid(self.storage.ids().uuid());
        diesel::insert_into(teams::table)
            .values((
                teams::organization_id.eq(access.organization),
                teams::id.eq(id),
                teams::title.eq(&input.display_name),
                teams::created_at.eq(self.now),
            ))
            .execute(self.connection)?;
        Ok(self.update_scim_group(access, id, input)?.map(|()| id))
    }

    /// Locks a team until the transaction ends and returns it with its members.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub fn lock_scim_group(&mut self, access: &ScimAccess, id: TeamId) -> Result<ScimGroupRecord> {
        teams::table
            .find((access.organization, id))
            .for_no_key_update()
            .select(teams::id)
            .get_result::<Uuid>(self.connection)
            .optional()?
            .ok_or(Error::NotFound)?;
        self.scim_group(access, id, true)
    }

    /// Changes a locked team. Remaining members keep their roles in it.
    pub fn update_scim_group(
        &mut self,
        access: &ScimAccess,
        id: TeamId,
        input: &GroupInput,
    ) -> Result<Outcome<()>> {
        let GroupInput { display_name, external_id, members } = input;
        let (organization, team) = (access.organization, id);
        diesel::update(teams::table.find((organization, team)))
            .set(teams::title.eq(display_name))
            .execute(self.connection)?;
        PutGroup::bind((organization, team, external_id.as_deref(), self.now)).execute(self.connection)?;
        let Some(members) = members else { return Ok(Ok(())) };
        if !self.lock_members(access.organization, members)?.is_empty() {
            return Ok(Err(ScimProblem::value("members.value", "must be ids of users of the organization")));
        }
        let ids = members.to_vec();
        KeepMembers::bind((organization, team, ids.clone())).execute(self.connection)?;
        self.add_team_members(access.organization, id, ids)?;
        Ok(Ok(()))
    }

    /// Deletes a team with its grants.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub fn delete_scim_group(&mut self, access: &ScimAccess, id: TeamId) -> Result<()> {
        let deleted =
            diesel::delete(teams::table.find((access.organization, id))).execute(self.connection)?;
        if deleted == 0 { Err(Error::NotFound) } else { Ok(()) }
    }
}
