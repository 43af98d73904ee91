//! Lists of roles on spaces and collections.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, SmallInt, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::Role;
use quire_domain::ids::{GrantId, UserId};
use quire_domain::policy::Membership;
use uuid::Uuid;

use super::Shared;
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::{Actor, UserRecord, role_from_rank};
use crate::people::teams::{ListedTeam, TeamRecord};
use crate::schema::{content_grants, users};
use crate::transaction::Reader;
use crate::views::{content_roles, team_access};
use crate::{Error, Result};

/// User with a granted role.
#[derive(Clone, Debug)]
pub struct UserGrant {
    /// Grant.
    pub id: GrantId,
    /// User.
    pub user: UserRecord,
    /// Role.
    pub role: Role,
}

/// Team with a granted role.
#[derive(Clone, Debug)]
pub struct TeamGrant {
    /// Grant.
    pub id: GrantId,
    /// Team.
    pub team: ListedTeam,
    /// Role.
    pub role: Role,
    /// Actor's membership in the organization.
    pub actor: Membership,
}

sql_files! {
    CountRoles(SqlUuid, Nullable<SqlUuid>, Nullable<SqlUuid>, Nullable<SmallInt>)
        -> BigInt = "count_roles.sql";
}

fn granted_role(id: Uuid, rank: Option<i16>) -> Result<Role> {
    role_from_rank(rank)?.ok_or_else(|| Error::corrupt("a grant has no role", anyhow::anyhow!("{id}")))
}

impl Reader<'_> {
    /// Returns the users with a role granted directly on this space or collection, latest grant first. Takes two
    /// statements.
    pub fn user_grants(
        &mut self,
        shared: Shared<'_>,
        after: Option<GrantId>,
        limit: u16,
    ) -> Result<Slice<UserGrant>> {
        let on_shared = || {
            let grants = content_grants::table
                .inner_join(users::table.on(content_grants::user_id.eq(users::id.nullable())))
                .filter(content_grants::organization_id.eq(shared.organization()))
                .into_boxed();
            match shared {
                Shared::Space(_) => grants.filter(content_grants::space_id.eq(shared.uuid())),
                Shared::Collection(_) => grants.filter(content_grants::collection_id.eq(shared.uuid())),
            }
        };
        let rows: Vec<(Uuid, i16, UserRecord)> = on_shared()
            .filter(content_grants::id.lt(page_end(after)))
            .order(content_grants::id.desc())
            .limit(fetch_limit(limit))
            .select((content_grants::id, content_grants::role, UserRecord::as_select()))
            .load(self.connection)?;
        let total = on_shared().count().get_result(self.connection)?;
        Slice::cut(rows, limit, total).try_map(|(id, role, user)| {
            Ok(UserGrant { id: id.into(), user, role: granted_role(id, Some(role))? })
        })
    }

    /// Returns the teams with a role granted directly on this space or collection, latest grant first. Takes three
    /// statements.
    pub fn team_grants(
        &mut self,
        shared: Shared<'_>,
        actor: Actor,
        after: Option<GrantId>,
        limit: u16,
    ) -> Result<Slice<TeamGrant>> {
        let on_shared = || {
            let of_team = content_grants::organization_id
                .eq(team_access::organization_id)
                .and(content_grants::team_id.eq(team_access::id.nullable()));
            let grants = team_access::table
                .inner_join(content_grants::table.on(of_team))
                .filter(team_access::token_id.eq(actor.token))
                .filter(content_grants::organization_id.eq(shared.organization()))
                .into_boxed();
            match shared {
                Shared::Space(_) => grants.filter(content_grants::space_id.eq(shared.uuid())),
                Shared::Collection(_) => grants.filter(content_grants::collection_id.eq(shared.uuid())),
            }
        };
        let rows: Vec<(Uuid, i16, Option<i16>, TeamRecord)> = on_shared()
            .filter(content_grants::id.lt(page_end(after)))
            .order(content_grants::id.desc())
            .limit(fetch_limit(limit))
            .select((
                content_grants::id,
                content_grants::role,
                team_access::member_role,
                TeamRecord::as_select(),
            ))
            .load(self.connection)?;
        let total = on_shared().count().get_result(self.connection)?;
        let (grants, teams): (Vec<_>, Vec<_>) =
            rows.into_iter().map(|(id, role, actor, team)| ((id, role, actor), team)).unzip();
        let teams = self.show_teams(shared.organization(), teams)?;
        let rows = grants.into_iter().zip(teams).collect();
        Slice::cut(rows, limit, total).try_map(|((id, role, actor), team)| {
            let actor = Membership::active(role_from_rank(actor)?);
            Ok(TeamGrant { id: id.into(), team, role: granted_role(id, Some(role))?, actor })
        })
    }

    /// Returns all users with a role on a space or collection, from any source, optionally only this role; newest users
    /// first. Takes two statements.
    pub fn roles_on(
        &mut self,
        shared: Shared<'_>,
        role: Option<Role>,
        after: Option<UserId>,
        limit: u16,
    ) -> Result<Slice<UserGrant>> {
        let holders = {
            let holders = content_roles::table
                .inner_join(users::table.on(users::id.eq(content_roles::user_id)))
                .filter(content_roles::organization_id.eq(shared.organization()))
                .filter(content_roles::role.is_not_null())
                .into_boxed();
            let holders = match shared {
                Shared::Space(_) => holders.filter(content_roles::space_id.eq(shared.uuid())),
                Shared::Collection(_) => holders.filter(content_roles::collection_id.eq(shared.uuid())),
            };
            match role {
                Some(role) => holders.filter(content_roles::role.eq(role.rank())),
                None => holders,
            }
        };
        let rows: Vec<(Uuid, Option<i16>, UserRecord)> = holders
            .filter(content_roles::user_id.lt(page_end(after)))
            .order(content_roles::user_id.desc())
            .limit(fetch_limit(limit))
            .select((content_roles::user_id, content_roles::role, UserRecord::as_select()))
            .load(self.connection)?;
        let (space, collection) = match shared {
            Shared::Space(_) => (Some(shared.uuid()), None),
            Shared::Collection(_) => (None, Some(shared.uuid())),
        };
        let total = CountRoles::bind((shared.organization(), space, collection, role.map(Role::rank)))
            .get_result(self.connection)?;
        Slice::cut(rows, limit, total)
            .try_map(|(id, role, user)| Ok(UserGrant { id: id.into(), user, role: granted_role(id, role)? }))
    }
}
