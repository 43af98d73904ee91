//! Grants of roles on spaces and collections to users and teams.

mod list;

use std::hash::Hash;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Array, Nullable, SmallInt, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::Role;
use quire_domain::ids::{CollectionId, OrganizationId, SpaceId, TeamId, UserId};
use quire_domain::policy::{ADMINISTRATOR, CREATOR_ROLE};
use uuid::Uuid;

pub use list::{TeamGrant, UserGrant};

use crate::content::collections::CollectionRecord;
use crate::content::spaces::SpaceRecord;
use crate::lookup::Authorized;
use crate::people::members::absent;
use crate::schema::{collections, content_grants, spaces, teams};
use crate::transaction::Tx;
use crate::{Error, Result};

/// Space or collection on which roles are granted.
#[derive(Clone, Copy, Debug)]
pub enum Shared<'a> {
    /// Space.
    Space(&'a Authorized<SpaceRecord>),
    /// Collection. Its grants apply to the spaces and collections in it that have no grant of their own.
    Collection(&'a Authorized<CollectionRecord>),
}

/// Holder of a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grantee {
    /// Member of the organization.
    User(UserId),
    /// Team of the organization.
    Team(TeamId),
}

/// Users and teams of a request that the organization does not have, by their indexes in the request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unknown {
    /// Indexes in the list of users.
    pub users: Vec<usize>,
    /// Indexes in the list of teams.
    pub teams: Vec<usize>,
}

impl Shared<'_> {
    /// Returns the organization that owns the space or collection.
    #[must_use]
    pub fn organization(&self) -> OrganizationId {
        match self {
            Self::Space(space) => space.organization,
            Self::Collection(collection) => collection.organization,
        }
    }

    fn uuid(&self) -> Uuid {
        match self {
            Self::Space(space) => space.id.into(),
            Self::Collection(collection) => collection.id.into(),
        }
    }

    /// Returns the query for the grants on the space or collection.
    fn grants(&self) -> content_grants::BoxedQuery<'static, Pg> {
        let grants = content_grants::table
            .filter(content_grants::organization_id.eq(self.organization()))
            .into_boxed();
        match self {
            Self::Space(_) => grants.filter(content_grants::space_id.eq(self.uuid())),
            Self::Collection(_) => grants.filter(content_grants::collection_id.eq(self.uuid())),
        }
    }

    /// Returns the query for the grant of a holder.
    fn grant_of(&self, grantee: Grantee) -> content_grants::BoxedQuery<'static, Pg> {
        match grantee {
            Grantee::User(user) => self.grants().filter(content_grants::user_id.eq(user)),
            Grantee::Team(team) => self.grants().filter(content_grants::team_id.eq(team)),
        }
    }
}

/// Space or collection of a grant.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Container {
    /// Space.
    Space(SpaceId),
    /// Collection.
    Collection(CollectionId),
}

sql_files! {
    GrantToMaker(
        SqlUuid, SqlUuid, Nullable<SqlUuid>, Nullable<SqlUuid>, SqlUuid, SmallInt, Timestamptz, SmallInt
    ) = "grant_to_creator.sql";
    RaiseOnSpace(SqlUuid, SqlUuid, SqlUuid, SqlUuid, SmallInt, Timestamptz) = "raise_on_space.sql";
    RaiseOnCollection(SqlUuid, SqlUuid, SqlUuid, SqlUuid, SmallInt, Timestamptz)
        = "raise_on_collection.sql";
    PutOnSpace(
        SqlUuid, SqlUuid, Array<SqlUuid>, Array<Nullable<SqlUuid>>, Array<Nullable<SqlUuid>>, SmallInt, Timestamptz
    ) = "put_on_space.sql";
    PutOnCollection(
        SqlUuid, SqlUuid, Array<SqlUuid>, Array<Nullable<SqlUuid>>, Array<Nullable<SqlUuid>>, SmallInt, Timestamptz
    ) = "put_on_collection.sql";
}

impl Tx<'_> {
    /// Grants this role to users and teams, replacing their previous role. `None` revokes their grants. If one of them
    /// does not exist, nothing is changed.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the space or collection was deleted after its lookup.
    pub fn grant(
        &mut self,
        shared: Shared<'_>,
        users: &[UserId],
        teams: &[TeamId],
        role: Option<Role>,
    ) -> Result<Unknown> {
        self.lock_shared(shared)?;
        let unknown = Unknown {
            users: self.lock_members(shared.organization(), users)?,
            teams: self.lock_teams(shared.organization(), teams)?,
        };
        if unknown != Unknown::default() {
            return Ok(unknown);
        }
        let users = distinct(users.iter().copied());
        let teams = distinct(teams.iter().copied());
        match role {
            Some(role) => self.put_grants(shared, users, teams, role)?,
            None => {
                self.delete_grants(shared, users, teams)?;
            }
        }
        Ok(unknown)
    }

    /// Changes the role of a grant.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no direct grant on this space or collection.
    pub fn change_grant(&mut self, shared: Shared<'_>, grantee: Grantee, role: Role) -> Result<()> {
        // The query builder cannot update a boxed query, so the ids of the grants are a subquery.
        let ids = shared.grant_of(grantee).select(content_grants::id);
        let grants = content_grants::table
            .filter(content_grants::organization_id.eq(shared.organization()))
            .filter(content_grants::id.eq_any(ids));
        let changed =
            diesel::update(grants).set(content_grants::role.eq(role.rank())).execute(self.connection)?;
        if changed == 0 { Err(Error::NotFound) } else { Ok(()) }
    }

    /// Checks that a grant exists.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no direct grant on this space or collection.
    pub fn require_grant(&mut self, shared: Shared<'_>, grantee: Grantee) -> Result<()> {
        let found = shared.grant_of(grantee).select(content_grants::id);
        let found: Option<Uuid> = found.get_result(self.connection).optional()?;
        found.map(drop).ok_or(Error::NotFound)
    }

    /// Revokes a grant.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no direct grant on this space or collection.
    pub fn revoke_grant(&mut self, shared: Shared<'_>, grantee: Grantee) -> Result<()> {
        let deleted = match grantee {
            Grantee::User(user) => self.delete_grants(shared, vec![user], Vec::new())?,
            Grantee::Team(team) => self.delete_grants(shared, Vec::new(), vec![team])?,
        };
        if deleted == 0 { Err(Error::NotFound) } else { Ok(()) }
    }

    /// Gives the creator of a new space or collection the grant of
    /// [`policy::creator_grant`](quire_domain::policy::creator_grant).
    pub(crate) fn grant_to_creator(
        &mut self,
        organization: OrganizationId,
        made: Container,
        creator: UserId,
    ) -> Result<()> {
        let (space, collection) = match made {
            Container::Space(space) => (Some(space), None),
            Container::Collection(collection) => (None, Some(collection)),
        };
        GrantToMaker::bind((
            organization,
            self.storage.ids().uuid(),
            space,
            collection,
            creator,
            CREATOR_ROLE.rank(),
            self.now,
            ADMINISTRATOR.rank(),
        ))
        .execute(self.connection)?;
        Ok(())
    }

    /// Raises a grant to this role. A stronger grant is kept.
    pub(crate) fn raise_grant(
        &mut self,
        organization: OrganizationId,
        container: Container,
        user: UserId,
        role: Role,
    ) -> Result<()> {
        let (organization, user) = (organization, user);
        let (id, role, now) = (self.storage.ids().uuid(), role.rank(), self.now);
        match container {
            Container::Space(space) => {
                RaiseOnSpace::bind((organization, id, space, user, role, now)).execute(self.connection)?
            }
            Container::Collection(collection) => {
                RaiseOnCollection::bind((organization, id, collection, user, role, now))
                    .execute(self.connection)?
            }
        };
        Ok(())
    }

    fn put_grants(
        &mut self,
        shared: Shared<'_>,
        users: Vec<UserId>,
        teams: Vec<TeamId>,
        role: Role,
    ) -> Result<()> {
        let grants = users.len().saturating_add(teams.len());
        let ids: Vec<Uuid> = (0..grants).map(|_| self.storage.ids().uuid()).collect();
        let holders = (users.iter().map(|user| (Some(*user), None)))
            .chain(teams.iter().map(|team| (None, Some(*team))))
            .unzip();
        let (users, teams): (Vec<Option<UserId>>, Vec<Option<TeamId>>) = holders;
        let organization = shared.organization();
        let (organization, id) = (organization, shared.uuid());
        let (role, now) = (role.rank(), self.now);
        match shared {
            Shared::Space(_) => {
                PutOnSpace::bind((organization, id, ids, users, teams, role, now)).execute(self.connection)?
            }
            Shared::Collection(_) => PutOnCollection::bind((organization, id, ids, users, teams, role, now))
                .execute(self.connection)?,
        };
        Ok(())
    }

    fn delete_grants(&mut self, shared: Shared<'_>, users: Vec<UserId>, teams: Vec<TeamId>) -> Result<usize> {
        let of_grantees = content_grants::user_id.eq_any(users).or(content_grants::team_id.eq_any(teams));
        let ids = shared.grants().filter(of_grantees).select(content_grants::id);
        let grants = content_grants::table
            .filter(content_grants::organization_id.eq(shared.organization()))
            .filter(content_grants::id.eq_any(ids));
        Ok(diesel::delete(grants).execute(self.connection)?)
    }

    /// Prevents the deletion of the space or collection until the transaction ends.
    fn lock_shared(&mut self, shared: Shared<'_>) -> Result<()> {
        let (organization, id) = (shared.organization(), shared.uuid());
        let held: Option<Uuid> = match shared {
            Shared::Space(_) => spaces::table
                .filter(spaces::organization_id.eq(organization))
                .filter(spaces::id.eq(id))
                .for_key_share()
                .select(spaces::id)
                .get_result(self.connection),
            Shared::Collection(_) => collections::table
                .find((organization, id))
                .for_key_share()
                .select(collections::id)
                .get_result(self.connection),
        }
        .optional()?;
        held.map(drop).ok_or(Error::NotFound)
    }

    /// Prevents the deletion of teams until the transaction ends, and returns the indexes in `teams` of those that do
    /// not exist.
    pub(crate) fn lock_teams(
        &mut self,
        organization: OrganizationId,
        teams: &[TeamId],
    ) -> Result<Vec<usize>> {
        let ids = teams.to_vec();
        let found = teams::table
            .filter(teams::organization_id.eq(organization))
            .filter(teams::id.eq_any(&ids))
            .for_key_share()
            .select(teams::id)
            .load(self.connection)?;
        Ok(absent(&ids, found))
    }
}

/// Returns the ids without duplicates.
pub(crate) fn distinct<T: Copy + Eq + Hash>(ids: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = std::collections::HashSet::new();
    ids.filter(|id| seen.insert(*id)).collect()
}
