//! List of an organization's spaces for actors whose roles follow from their membership: administrators, and members
//! without grants. One statement with one row reads token, membership and list.

use diesel::prelude::*;
use diesel::sql_types::{
    Array, BigInt, Binary, Bool, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid,
};
use quire_database::sql_files;
use quire_domain::Role;
use quire_domain::ids::{OrganizationId, SpaceId, UserId};
use quire_domain::policy::{Action, Membership, effective_role};
use uuid::Uuid;

use crate::content::hierarchy::{PositionKey, start_after};
use crate::list::{Slice, fetch_limit};
use crate::lookup::{ActorRow, ActorTypes, role_from_rank};
use crate::transaction::Reader;
use crate::{Error, Result};

/// Result: the list, unless grants affect it.
pub(super) enum Plain {
    /// List, with the role of the actor on each space.
    Slice(Slice<(SpaceId, Option<Role>)>),
    /// Actor who has grants.
    Granted(UserId),
}

sql_files! {
    ListWithoutGrants(Binary, Timestamptz, SqlUuid, SqlUuid, Text, SqlUuid, BigInt)
        -> (
            ActorTypes,
            (
                Nullable<SmallInt>,
                Bool,
                BigInt,
                Nullable<Array<SqlUuid>>,
                Nullable<Array<Nullable<SmallInt>>>,
            ),
        )
        = "list_without_grants.sql";
}

/// Rank of the role in the organization, whether grants affect the list, number of spaces, their ids and the ranks of
/// their levels. An empty page has no arrays.
type List = (Option<i16>, bool, i64, Option<Vec<Uuid>>, Option<Vec<Option<i16>>>);

impl Reader<'_> {
    /// Lists the spaces of an organization that the actor may see, unless grants affect the list.
    pub(super) fn spaces_without_grants(
        &mut self,
        organization: OrganizationId,
        after: Option<&PositionKey>,
        limit: u16,
    ) -> Result<Plain> {
        let (parent, position, id) = start_after(after);
        let row: Option<(ActorRow, List)> = ListWithoutGrants::bind((
            self.credentials.token_hash.as_slice(),
            self.now,
            organization,
            parent,
            position,
            id,
            fetch_limit(limit),
        ))
        .get_result(self.connection)
        .optional()?;
        let Some((actor, (role, is_granted, total, ids, levels))) = row else { return self.not_found() };
        self.record_tenant(organization, None);
        let actor = self.record_actor(actor)?;
        let member = Membership::active(role_from_rank(role)?);
        if !member.allows(Action::ViewOrganization) {
            return Err(Error::NotFound);
        }
        if is_granted {
            return Ok(Plain::Granted(actor.user));
        }
        let rows: Vec<(Uuid, Option<i16>)> =
            ids.into_iter().flatten().zip(levels.into_iter().flatten()).collect();
        let slice = Slice::cut(rows, limit, total).try_map(|(id, level)| {
            let role = effective_role(member, [], role_from_rank(level)?);
            Ok::<_, Error>((SpaceId::from_uuid(id), role))
        });
        Ok(Plain::Slice(slice?))
    }
}
