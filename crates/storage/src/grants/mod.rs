//! Roles that are granted on spaces and collections, to users and to teams.

mod list;

use diesel::prelude::*;
use diesel::sql_types::{Array, Nullable, SmallInt, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::ids::{CollectionId, OrganizationId, SpaceId, TeamId, UserId};
use quire_domain::policy::{ADMINISTRATOR, ROLE_OF_MAKER};
use uuid::Uuid;

pub use list::{TeamGrant, UserGrant};

use crate::lookup::{Authorized, CollectionRecord, SpaceRecord};
use crate::members::{IdRow, absent};
use crate::statement::{Assembled, Sql, statements, val};
use crate::transaction::Tx;
use crate::{Error, Result};

/// What a role is granted on.
#[derive(Clone, Copy, Debug)]
pub enum Shared<'a> {
    /// A space.
    Space(&'a Authorized<SpaceRecord>),
    /// A collection, with what stands in it and says nothing else.
    Collection(&'a Authorized<CollectionRecord>),
}

/// Who has a role, or shall have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grantee {
    /// A member of the organization.
    User(UserId),
    /// One of its teams.
    Team(TeamId),
}

/// Users and teams of a request that the organization doesn't have, by their places in its lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unknown {
    /// Places in the list of users.
    pub users: Vec<usize>,
    /// Places in the list of teams.
    pub teams: Vec<usize>,
}

impl Shared<'_> {
    /// The organization that owns it.
    #[must_use]
    pub fn organization(&self) -> OrganizationId {
        match self {
            Self::Space(space) => space.organization,
            Self::Collection(collection) => collection.organization,
        }
    }

    fn uuid(&self) -> Uuid {
        match self {
            Self::Space(space) => *space.id.as_uuid(),
            Self::Collection(collection) => *collection.id.as_uuid(),
        }
    }

    /// The text for a space, or that for a collection.
    fn pick(&self, space: &'static str, collection: &'static str) -> &'static str {
        match self {
            Self::Space(_) => space,
            Self::Collection(_) => collection,
        }
    }
}

impl Grantee {
    fn uuid(&self) -> Uuid {
        match self {
            Self::User(user) => *user.as_uuid(),
            Self::Team(team) => *team.as_uuid(),
        }
    }

    fn column(&self) -> &'static str {
        match self {
            Self::User(_) => " AND user_id = $3",
            Self::Team(_) => " AND team_id = $3",
        }
    }
}

/// A space or collection that a grant names.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Container {
    /// A space.
    Space(SpaceId),
    /// A collection.
    Collection(CollectionId),
}

impl Container {
    /// The values of the columns `space_id` and `collection_id`.
    fn columns(self) -> (Option<Uuid>, Option<Uuid>) {
        match self {
            Self::Space(space) => (Some(*space.as_uuid()), None),
            Self::Collection(collection) => (None, Some(*collection.as_uuid())),
        }
    }
}

statements! {
    // `policy::grant_of_maker`: $7 for all but the administrators of the organization, whose role is $8.
    GrantToMaker = "INSERT INTO content_grants (organization_id, id, space_id, collection_id, user_id, role, created_at) \
        SELECT $1, $2, $3, $4, m.user_id, $7, $6 FROM organization_members m \
        WHERE m.organization_id = $1 AND m.user_id = $5 AND m.role IS DISTINCT FROM $8";
    HoldTeams = "SELECT id FROM teams WHERE organization_id = $1 AND id = ANY ($2) FOR KEY SHARE";
}

impl Tx<'_> {
    /// Gives users and teams this role, whichever they had; `None` takes their grants back. Nothing is done when one of them
    /// isn't there.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the space or collection was deleted meanwhile.
    pub fn grant(
        &mut self,
        shared: Shared<'_>,
        users: &[UserId],
        teams: &[TeamId],
        role: Option<Role>,
    ) -> Result<Unknown> {
        self.hold_shared(shared)?;
        let unknown = Unknown {
            users: self.hold_members(shared.organization(), users)?,
            teams: self.hold_teams(shared.organization(), teams)?,
        };
        if unknown != Unknown::default() {
            return Ok(unknown);
        }
        let users = distinct(users.iter().map(|user| *user.as_uuid()));
        let teams = distinct(teams.iter().map(|team| *team.as_uuid()));
        match role {
            Some(role) => self.put_grants(shared, users, teams, role)?,
            None => {
                self.delete_grants(shared, users, teams)?;
            }
        }
        Ok(unknown)
    }

    /// Changes the role of somebody who has a grant.
    ///
    /// # Errors
    /// [`Error::NotFound`] without a grant of their own on this very space or collection.
    pub fn change_grant(&mut self, shared: Shared<'_>, grantee: Grantee, role: Role) -> Result<()> {
        let place = shared.pick(" AND space_id = $2", " AND collection_id = $2");
        let changed = Assembled::new(
            vec!["UPDATE content_grants SET role = $4 WHERE organization_id = $1", place, grantee.column()],
            (
                val::<SqlUuid, _>(*shared.organization().as_uuid()),
                val::<SqlUuid, _>(shared.uuid()),
                val::<SqlUuid, _>(grantee.uuid()),
                val::<SmallInt, _>(role.rank()),
            ),
        )
        .execute(self.connection)?;
        if changed == 0 { Err(Error::NotFound) } else { Ok(()) }
    }

    /// Passes when somebody has a grant.
    ///
    /// # Errors
    /// [`Error::NotFound`] without a grant of their own on this very space or collection.
    pub fn require_grant(&mut self, shared: Shared<'_>, grantee: Grantee) -> Result<()> {
        let place = shared.pick(" AND space_id = $2", " AND collection_id = $2");
        let found = Assembled::new(
            vec!["SELECT 1 FROM content_grants WHERE organization_id = $1", place, grantee.column()],
            (
                val::<SqlUuid, _>(*shared.organization().as_uuid()),
                val::<SqlUuid, _>(shared.uuid()),
                val::<SqlUuid, _>(grantee.uuid()),
            ),
        )
        .execute(self.connection)?;
        if found == 0 { Err(Error::NotFound) } else { Ok(()) }
    }

    /// Takes a grant back.
    ///
    /// # Errors
    /// [`Error::NotFound`] without a grant of their own on this very space or collection.
    pub fn revoke_grant(&mut self, shared: Shared<'_>, grantee: Grantee) -> Result<()> {
        let deleted = match grantee {
            Grantee::User(user) => self.delete_grants(shared, vec![*user.as_uuid()], Vec::new())?,
            Grantee::Team(team) => self.delete_grants(shared, Vec::new(), vec![*team.as_uuid()])?,
        };
        if deleted == 0 { Err(Error::NotFound) } else { Ok(()) }
    }

    /// Gives the maker of a new space or collection the grant of [`policy::grant_of_maker`](quire_domain::policy::grant_of_maker).
    pub(crate) fn grant_to_maker(
        &mut self,
        organization: OrganizationId,
        made: Container,
        maker: UserId,
    ) -> Result<()> {
        let (space, collection) = made.columns();
        let id = self.storage.ids().uuid();
        GrantToMaker::bind((
            val::<SqlUuid, _>(*organization.as_uuid()),
            val::<SqlUuid, _>(id),
            val::<Nullable<SqlUuid>, _>(space),
            val::<Nullable<SqlUuid>, _>(collection),
            val::<SqlUuid, _>(*maker.as_uuid()),
            self.now_bind(),
            val::<SmallInt, _>(ROLE_OF_MAKER.rank()),
            val::<SmallInt, _>(ADMINISTRATOR.rank()),
        ))
        .execute(self.connection)?;
        Ok(())
    }

    /// Raises what somebody was granted to this role; a stronger grant stays.
    pub(crate) fn raise_grant(
        &mut self,
        organization: OrganizationId,
        place: Container,
        user: UserId,
        role: Role,
    ) -> Result<()> {
        let (space, collection) = place.columns();
        let conflict = if space.is_some() {
            " ON CONFLICT (organization_id, space_id, coalesce(user_id, team_id)) WHERE space_id IS NOT NULL"
        } else {
            " ON CONFLICT (organization_id, collection_id, coalesce(user_id, team_id)) WHERE collection_id IS NOT NULL"
        };
        let id = self.storage.ids().uuid();
        let now = self.now_bind();
        Assembled::new(
            vec![
                "INSERT INTO content_grants (organization_id, id, space_id, collection_id, user_id, role, created_at) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7)",
                conflict,
                " DO UPDATE SET role = greatest(content_grants.role, excluded.role)",
            ],
            (
                val::<SqlUuid, _>(*organization.as_uuid()),
                val::<SqlUuid, _>(id),
                val::<Nullable<SqlUuid>, _>(space),
                val::<Nullable<SqlUuid>, _>(collection),
                val::<SqlUuid, _>(*user.as_uuid()),
                val::<SmallInt, _>(role.rank()),
                now,
            ),
        )
        .execute(self.connection)?;
        Ok(())
    }

    fn put_grants(
        &mut self,
        shared: Shared<'_>,
        users: Vec<Uuid>,
        teams: Vec<Uuid>,
        role: Role,
    ) -> Result<()> {
        let ids: Vec<Uuid> = users.iter().chain(&teams).map(|_| self.storage.ids().uuid()).collect();
        let holders = (users.iter().map(|user| (Some(*user), None)))
            .chain(teams.iter().map(|team| (None, Some(*team))))
            .unzip();
        let (users, teams): (Vec<Option<Uuid>>, Vec<Option<Uuid>>) = holders;
        let (into, conflict) = (
            shared.pick(
                "INSERT INTO content_grants (organization_id, space_id, id, user_id, team_id, role, created_at)",
                "INSERT INTO content_grants (organization_id, collection_id, id, user_id, team_id, role, created_at)",
            ),
            shared.pick(
                " ON CONFLICT (organization_id, space_id, coalesce(user_id, team_id)) WHERE space_id IS NOT NULL",
                " ON CONFLICT (organization_id, collection_id, coalesce(user_id, team_id)) WHERE collection_id IS NOT NULL",
            ),
        );
        let now = self.now_bind();
        Assembled::new(
            vec![
                into,
                " SELECT $1, $2, grantee.id, grantee.user_id, grantee.team_id, $6, $7 \
                 FROM unnest($3, $4, $5) AS grantee (id, user_id, team_id)",
                conflict,
                " DO UPDATE SET role = excluded.role",
            ],
            (
                val::<SqlUuid, _>(*shared.organization().as_uuid()),
                val::<SqlUuid, _>(shared.uuid()),
                val::<Array<SqlUuid>, _>(ids),
                val::<Array<Nullable<SqlUuid>>, _>(users),
                val::<Array<Nullable<SqlUuid>>, _>(teams),
                val::<SmallInt, _>(role.rank()),
                now,
            ),
        )
        .execute(self.connection)?;
        Ok(())
    }

    fn delete_grants(&mut self, shared: Shared<'_>, users: Vec<Uuid>, teams: Vec<Uuid>) -> Result<usize> {
        let place = shared.pick(" AND space_id = $2", " AND collection_id = $2");
        Ok(Assembled::new(
            vec![
                "DELETE FROM content_grants WHERE organization_id = $1",
                place,
                " AND (user_id = ANY ($3) OR team_id = ANY ($4))",
            ],
            (
                val::<SqlUuid, _>(*shared.organization().as_uuid()),
                val::<SqlUuid, _>(shared.uuid()),
                val::<Array<SqlUuid>, _>(users),
                val::<Array<SqlUuid>, _>(teams),
            ),
        )
        .execute(self.connection)?)
    }

    /// Keeps what is shared from being deleted until the transaction ends.
    fn hold_shared(&mut self, shared: Shared<'_>) -> Result<()> {
        let text = shared.pick(
            "SELECT 1 FROM spaces WHERE organization_id = $1 AND id = $2 FOR KEY SHARE",
            "SELECT 1 FROM collections WHERE organization_id = $1 AND id = $2 FOR KEY SHARE",
        );
        let held = Assembled::new(
            vec![text],
            (val::<SqlUuid, _>(*shared.organization().as_uuid()), val::<SqlUuid, _>(shared.uuid())),
        )
        .execute(self.connection)?;
        if held == 0 { Err(Error::NotFound) } else { Ok(()) }
    }

    /// Keeps teams from being deleted until the transaction ends, and answers the places in `teams` of those that aren't there.
    fn hold_teams(&mut self, organization: OrganizationId, teams: &[TeamId]) -> Result<Vec<usize>> {
        let ids: Vec<Uuid> = teams.iter().map(|team| *team.as_uuid()).collect();
        let found: Vec<IdRow> =
            HoldTeams::bind((val::<SqlUuid, _>(*organization.as_uuid()), val::<Array<SqlUuid>, _>(&ids)))
                .load(self.connection)?;
        Ok(absent(&ids, found))
    }
}

/// Ids without those that came before.
pub(crate) fn distinct(ids: impl Iterator<Item = Uuid>) -> Vec<Uuid> {
    let mut seen = std::collections::HashSet::new();
    ids.filter(|id| seen.insert(*id)).collect()
}
