//! The spaces that a member may read.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, SmallInt, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::comments::Order;
use quire_domain::ids::{SpaceId, UserId};

use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{
    Authorized, OrganizationRecord, RoleColumn, SpaceColumns, SpaceRecord, role_from_rank, shows,
    space_columns,
};
use crate::statement::{Assembled, val};
use crate::transaction::Reader;
use crate::{Error, Result};

/// A space that a member may read.
#[derive(Clone, Debug)]
pub struct SpaceOfMember {
    /// The space.
    pub space: SpaceRecord,
    /// The member's role on it.
    pub permission: Role,
    /// The reader's role on it.
    pub role: Option<Role>,
}

/// Spaces of the organization `$1` on which both the member `$2` and the reader `$3` have a role.
const FROM: &str = concat!(
    " FROM spaces s \
     LEFT JOIN collections c ON c.organization_id = s.organization_id AND c.id = s.collection_id \
     JOIN organization_members x ON x.organization_id = s.organization_id AND x.user_id = $2 \
     JOIN organization_members m ON m.organization_id = s.organization_id AND m.user_id = $3 \
     CROSS JOIN LATERAL effective_role(x.role, x.disabled, s.organization_id, x.user_id, s.id, c.path, s.default_level) AS theirs \
     CROSS JOIN LATERAL effective_role(m.role, m.disabled, s.organization_id, m.user_id, s.id, c.path, s.default_level) AS own \
     WHERE s.organization_id = $1 AND s.deleted_at IS NULL AND ",
    shows!("theirs.role"),
    " AND ",
    shows!("own.role")
);

const LIST: &str = concat!("SELECT theirs.role AS permission, own.role AS role, ", space_columns!());

#[derive(QueryableByName)]
struct PermissionColumn {
    #[diesel(sql_type = Nullable<SmallInt>)]
    permission: Option<i16>,
}

impl Reader<'_> {
    /// The spaces that a member may read, as far as the actor may, too: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn spaces_of_member(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        member: UserId,
        order: Order,
        after: Option<SpaceId>,
        limit: u16,
    ) -> Result<Slice<SpaceOfMember>> {
        let people = || {
            (
                val::<SqlUuid, _>(*organization.id.as_uuid()),
                val::<SqlUuid, _>(*member.as_uuid()),
                val::<SqlUuid, _>(*organization.actor().user.as_uuid()),
            )
        };
        let (follows, ordered) = match order {
            Order::Desc => (" AND s.id < $4", " ORDER BY s.id DESC LIMIT $5"),
            Order::Asc => (" AND s.id > $4", " ORDER BY s.id LIMIT $5"),
        };
        let mut parts = vec![LIST, FROM];
        parts.extend(after.map(|_| follows));
        parts.push(ordered);
        let (organization_id, member_id, actor_id) = people();
        let rows: Vec<(PermissionColumn, RoleColumn, SpaceColumns)> = Assembled::new(
            parts,
            (
                organization_id,
                member_id,
                actor_id,
                val::<Nullable<SqlUuid>, _>(after.map(|id| *id.as_uuid())),
                val::<BigInt, _>(fetch_limit(limit)),
            ),
        )
        .load(self.connection)?;
        let count: CountRow =
            Assembled::new(vec!["SELECT count(*) AS total", FROM], people()).get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(|(permission, role, space)| {
            let permission = role_from_rank(permission.permission)?.ok_or_else(|| {
                Error::corrupt("a listed space has no role", anyhow::anyhow!("member {member}"))
            })?;
            Ok(SpaceOfMember { space: space.try_into()?, permission, role: role_from_rank(role.role)? })
        })
    }
}
