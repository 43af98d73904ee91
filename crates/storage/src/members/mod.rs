//! Members of organizations: read, listed, changed, removed.

mod changes;
mod commenters;
mod list;
mod reach;
mod spaces;
mod visit;

use std::collections::HashSet;

use diesel::prelude::*;
use diesel::sql_types::{Array, Bool, Nullable, SmallInt, Timestamptz, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{OrganizationId, UserId};
use time::OffsetDateTime;
use uuid::Uuid;

pub(crate) use changes::member_event;
pub(crate) use list::like_pattern;
pub use list::{MemberFilter, MemberKey};
pub(crate) use reach::{places, seen_spaces};
pub use spaces::SpaceOfMember;
pub use visit::Visit;

use crate::list::Slice;
use crate::lookup::{Authorized, OrganizationRecord, UserRecord, role_from_rank};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;
use crate::{Error, Result, moment};

/// A member of an organization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberRecord {
    /// The user.
    pub user: UserRecord,
    /// The user's id.
    pub id: UserId,
    /// The role; `None` for a guest.
    pub role: Option<Role>,
    /// Whether the member has no access for now.
    pub disabled: bool,
    /// Whether the member may log in with single sign-on.
    pub sso: bool,
    /// When the user became a member.
    pub joined_at: Timestamp,
    /// When the member was last seen.
    pub last_seen_at: Option<Timestamp>,
    /// How many spaces the member has a role on.
    pub spaces: u64,
    /// How many teams the member is in.
    pub teams: u64,
}

/// The columns of a member `x` with the user `u`.
macro_rules! member_columns {
    () => {
        "x.role AS the_role, x.disabled, x.sso AS may_sso, x.joined_at, x.last_seen_at, u.id AS user_id, u.email AS user_email, \
         u.display_name AS user_display_name, u.photo_url AS user_photo_url"
    };
}
pub(crate) use member_columns;

#[derive(QueryableByName)]
pub(crate) struct MemberColumns {
    #[diesel(sql_type = Nullable<SmallInt>)]
    the_role: Option<i16>,
    #[diesel(sql_type = Bool)]
    disabled: bool,
    #[diesel(sql_type = Bool)]
    may_sso: bool,
    #[diesel(sql_type = Timestamptz)]
    joined_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    last_seen_at: Option<OffsetDateTime>,
    #[diesel(sql_type = SqlUuid)]
    user_id: Uuid,
}

/// A member's row: the membership and the user.
pub(crate) type MemberRow = (MemberColumns, UserRecord);

statements! {
    FindMember = concat!(
        "SELECT ", member_columns!(), " FROM organization_members x JOIN users u ON u.id = x.user_id \
         WHERE x.organization_id = $1 AND x.user_id = $2"
    );
    // What is deleted while this transaction lasts would leave its work without a member to hang from.
    HoldMembers = "SELECT user_id AS id FROM organization_members WHERE organization_id = $1 AND user_id = ANY ($2) FOR KEY SHARE";
}

/// An id that was found.
#[derive(QueryableByName)]
pub(crate) struct IdRow {
    #[diesel(sql_type = SqlUuid)]
    pub(crate) id: Uuid,
}

impl Reader<'_> {
    /// A member of an organization: two statements.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the user isn't one.
    pub fn member(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        user: UserId,
    ) -> Result<MemberRecord> {
        let row: Option<MemberRow> = FindMember::bind((
            val::<SqlUuid, _>(*organization.id.as_uuid()),
            val::<SqlUuid, _>(*user.as_uuid()),
        ))
        .get_result(self.connection)
        .optional()?;
        let rows = vec![row.ok_or(Error::NotFound)?];
        self.with_reach(organization.id, rows)?.pop().ok_or(Error::NotFound)
    }

    /// Rows as records, with what each member may reach: one statement for all.
    pub(crate) fn with_reach(
        &mut self,
        organization: OrganizationId,
        rows: Vec<MemberRow>,
    ) -> Result<Vec<MemberRecord>> {
        let reach = self.reach_of(organization, rows.iter().map(|(row, _)| row.user_id).collect())?;
        rows.into_iter()
            .map(|(row, user)| {
                let (spaces, teams) = reach.get(&row.user_id).copied().unwrap_or_default();
                Ok(MemberRecord {
                    user,
                    id: UserId::from_uuid(row.user_id),
                    role: role_from_rank(row.the_role)?,
                    disabled: row.disabled,
                    sso: row.may_sso,
                    joined_at: moment(row.joined_at)?,
                    last_seen_at: row.last_seen_at.map(moment).transpose()?,
                    spaces,
                    teams,
                })
            })
            .collect()
    }

    /// A slice of rows as records.
    pub(crate) fn slice_with_reach(
        &mut self,
        organization: OrganizationId,
        slice: Slice<MemberRow>,
    ) -> Result<Slice<MemberRecord>> {
        let Slice { items, total, has_more } = slice;
        Ok(Slice { items: self.with_reach(organization, items)?, total, has_more })
    }

    /// Keeps members from leaving until the transaction ends, and answers the places in `users` of those who are none.
    pub(crate) fn hold_members(
        &mut self,
        organization: OrganizationId,
        users: &[UserId],
    ) -> Result<Vec<usize>> {
        let ids: Vec<Uuid> = users.iter().map(|user| *user.as_uuid()).collect();
        let found: Vec<IdRow> =
            HoldMembers::bind((val::<SqlUuid, _>(*organization.as_uuid()), val::<Array<SqlUuid>, _>(&ids)))
                .load(self.connection)?;
        Ok(absent(&ids, found))
    }
}

/// The places of ids that weren't found.
pub(crate) fn absent(ids: &[Uuid], found: Vec<IdRow>) -> Vec<usize> {
    let found: HashSet<Uuid> = found.into_iter().map(|row| row.id).collect();
    ids.iter().enumerate().filter(|(_, id)| !found.contains(id)).map(|(place, _)| place).collect()
}
