//! Spaces that a member may read.

use diesel::prelude::*;
use quire_domain::Role;
use quire_domain::ids::{SpaceId, UserId};
use quire_domain::list::Order;

use crate::content::spaces::SpaceRecord;
use crate::content::spaces::spaces_with_access;
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::{Authorized, role_from_rank};
use crate::people::organizations::OrganizationRecord;
use crate::transaction::Reader;
use crate::views::{space_access, space_roles};
use crate::{Error, Result};

/// Space that a member may read.
#[derive(Clone, Debug)]
pub struct SpaceOfMember {
    /// Space.
    pub space: SpaceRecord,
    /// Role of the member.
    pub permission: Role,
    /// Role of the reader.
    pub role: Option<Role>,
}

impl Reader<'_> {
    /// Returns the spaces that both a member and the actor may read. Takes two statements.
    pub fn spaces_of_member(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        member: UserId,
        order: Order,
        after: Option<SpaceId>,
        limit: u16,
    ) -> Result<Slice<SpaceOfMember>> {
        let visible = || {
            let theirs = space_roles::organization_id
                .eq(space_access::organization_id)
                .and(space_roles::space_id.eq(space_access::id))
                .and(space_roles::user_id.eq(member));
            spaces_with_access()
                .inner_join(space_roles::table.on(theirs))
                .filter(space_access::token_id.eq(organization.actor().token))
                .filter(space_access::organization_id.eq(organization.id))
                .filter(space_access::deleted_at.is_null())
                .filter(space_roles::role.is_not_null())
                .filter(space_access::role.is_not_null())
                .into_boxed()
        };
        let page = match (order, after) {
            (Order::Desc, after) => {
                visible().filter(space_access::id.lt(page_end(after))).order(space_access::id.desc())
            }
            (Order::Asc, Some(after)) => visible().filter(space_access::id.gt(after)).order(space_access::id),
            (Order::Asc, None) => visible().order(space_access::id),
        };
        let rows: Vec<(Option<i16>, Option<i16>, SpaceRecord)> = page
            .limit(fetch_limit(limit))
            .select((space_roles::role, space_access::role, SpaceRecord::as_select()))
            .load(self.connection)?;
        let total = visible().count().get_result(self.connection)?;
        Slice::cut(rows, limit, total).try_map(|(permission, role, space)| {
            let permission = role_from_rank(permission)?.ok_or_else(|| {
                Error::corrupt("a listed space has no role", anyhow::anyhow!("member {member}"))
            })?;
            Ok(SpaceOfMember { space, permission, role: role_from_rank(role)? })
        })
    }
}
