//! Members of organizations.

mod changes;
mod commenters;
mod list;
mod reach;
mod spaces;
mod visit;

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::ops::Deref;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Array, Text, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{OrganizationId, UserId};
use quire_domain::teams::UserKey;
use uuid::Uuid;

pub(crate) use changes::member_event;
pub(crate) use list::like_pattern;
pub use list::{MemberFilter, MemberKey};
pub use spaces::SpaceOfMember;
pub use visit::Visit;

pub use self::reach::Reach;
use crate::list::Slice;
use crate::lookup::{Authorized, UserRecord};
use crate::people::organizations::OrganizationRecord;
use crate::schema::{organization_members, users};
use crate::transaction::Reader;
use crate::{Error, Result};

sql_files! {
    FindByEmail(SqlUuid, Array<Text>) -> (SqlUuid, Text) = "find_by_email.sql";
}

/// Stored membership, with the user.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = organization_members, check_for_backend(Pg))]
pub struct MemberRecord {
    /// Id of the user.
    #[diesel(column_name = user_id)]
    pub id: UserId,
    /// Role; `None` for a guest.
    pub role: Option<Role>,
    /// `true` while the member has no access.
    pub disabled: bool,
    /// `true` if the member may sign in with single sign-on.
    pub sso: bool,
    /// Time at which the user became a member.
    pub joined_at: Timestamp,
    /// Time at which the member was last active.
    pub last_seen_at: Option<Timestamp>,
    /// User.
    #[diesel(embed)]
    pub user: UserRecord,
}

/// Member of an organization, with counts of accessible resources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownMember {
    /// Membership.
    pub member: MemberRecord,
    /// Counts of resources that the member can access, among those that the reader sees.
    pub reach: Reach,
}

impl Deref for ShownMember {
    type Target = MemberRecord;

    fn deref(&self) -> &MemberRecord {
        &self.member
    }
}

impl Reader<'_> {
    /// Returns a member of an organization. Takes two statements.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the user is not a member.
    pub fn member(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        user: UserId,
    ) -> Result<ShownMember> {
        let row: Option<MemberRecord> = organization_members::table
            .inner_join(users::table)
            .filter(organization_members::organization_id.eq(organization.id))
            .filter(organization_members::user_id.eq(user))
            .select(MemberRecord::as_select())
            .get_result(self.connection)
            .optional()?;
        let rows = vec![row.ok_or(Error::NotFound)?];
        self.with_reach(organization.id, rows)?.pop().ok_or(Error::NotFound)
    }

    /// Converts rows to records, with the counts of each member. Takes one statement.
    pub(crate) fn with_reach(
        &mut self,
        organization: OrganizationId,
        rows: Vec<MemberRecord>,
    ) -> Result<Vec<ShownMember>> {
        let reach = self.reach_of(organization, rows.iter().map(|member| member.id).collect())?;
        let member = |member: MemberRecord| {
            let reach = reach.get(&member.id).copied().unwrap_or_default();
            ShownMember { member, reach }
        };
        Ok(rows.into_iter().map(member).collect())
    }

    /// Converts a page of rows to records.
    pub(crate) fn slice_with_reach(
        &mut self,
        organization: OrganizationId,
        slice: Slice<MemberRecord>,
    ) -> Result<Slice<ShownMember>> {
        let Slice { items, total, has_more } = slice;
        Ok(Slice { items: self.with_reach(organization, items)?, total, has_more })
    }

    /// Returns the members with one of these addresses, by the given form of the address. Takes one statement.
    pub(crate) fn members_by_email(
        &mut self,
        organization: OrganizationId,
        emails: Vec<&str>,
    ) -> Result<HashMap<String, UserId>> {
        let rows: Vec<(Uuid, String)> = FindByEmail::bind((organization, emails)).load(self.connection)?;
        Ok(rows.into_iter().map(|(user, email)| (email, UserId::from_uuid(user))).collect())
    }

    /// Returns the ids of users. Takes one statement if some are given by address. An address without a member results
    /// in the nil id, which no user has.
    pub(crate) fn ids_of_members(
        &mut self,
        organization: OrganizationId,
        users: &[UserKey],
    ) -> Result<Vec<UserId>> {
        let emails: Vec<&str> = users.iter().filter_map(|user| user.email()).collect();
        let found =
            if emails.is_empty() { HashMap::new() } else { self.members_by_email(organization, emails)? };
        let id = |user: &UserKey| match user {
            UserKey::Id(id) => *id,
            UserKey::Email(email) => found.get(email).copied().unwrap_or(UserId::from_uuid(Uuid::nil())),
        };
        Ok(users.iter().map(id).collect())
    }

    /// Prevents members from leaving until the transaction ends, and returns the indexes in `users` of those who are
    /// not members.
    pub(crate) fn lock_members(
        &mut self,
        organization: OrganizationId,
        users: &[UserId],
    ) -> Result<Vec<usize>> {
        let ids = users.to_vec();
        // Without the lock, a member could be removed before this transaction commits rows that refer to it.
        let found = organization_members::table
            .filter(organization_members::organization_id.eq(organization))
            .filter(organization_members::user_id.eq_any(&ids))
            .for_key_share()
            .select(organization_members::user_id)
            .load(self.connection)?;
        Ok(absent(&ids, found))
    }
}

/// Returns the indexes of ids that were not found.
pub(crate) fn absent<T: Copy + Eq + Hash>(ids: &[T], found: Vec<T>) -> Vec<usize> {
    let found: HashSet<T> = found.into_iter().collect();
    ids.iter().enumerate().filter(|(_, id)| !found.contains(id)).map(|(index, _)| index).collect()
}
