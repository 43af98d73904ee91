//! Lists of members.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::clock::Timestamp;
use quire_domain::comments::Order;
use quire_domain::ids::UserId;
use quire_domain::members::{MemberSort, RoleFilter};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{MemberRecord, MemberRow, member_columns};
use crate::Result;
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{Authorized, OrganizationRecord};
use crate::statement::{Assembled, val};
use crate::transaction::Reader;

/// Which members of an organization are meant, and in which order.
#[derive(Clone, Debug, Default)]
pub struct MemberFilter {
    /// By what they are ordered.
    pub sort: MemberSort,
    /// Newest or oldest first.
    pub order: Order,
    /// Which role they have.
    pub role: Option<RoleFilter>,
    /// What their name or e-mail address holds; empty for anything.
    pub search: String,
}

/// Where a member stands in a list: the time that it is ordered by, if it has one, and the user.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct MemberKey {
    at: Option<Timestamp>,
    user: UserId,
}

impl MemberKey {
    /// The place of a member in a list of this order.
    #[must_use]
    pub fn of(member: &MemberRecord, sort: MemberSort) -> Self {
        let at = match sort {
            MemberSort::JoinedAt => Some(member.joined_at),
            MemberSort::LastSeenAt => member.last_seen_at,
        };
        Self { at, user: member.id }
    }

    fn at(self) -> OffsetDateTime {
        self.at.map_or(OffsetDateTime::UNIX_EPOCH, Into::into)
    }
}

const LIST: &str =
    concat!("SELECT ", member_columns!(), " FROM organization_members x JOIN users u ON u.id = x.user_id");
const COUNT: &str = "SELECT count(*) AS total FROM organization_members x JOIN users u ON u.id = x.user_id";

impl MemberFilter {
    /// The conditions on members `x` of the organization `$1`: `$2` the role, `$3` the pattern that is searched for.
    fn conditions(&self) -> Vec<&'static str> {
        let mut parts = vec![" WHERE x.organization_id = $1"];
        match self.role.map(RoleFilter::role) {
            None => {}
            Some(None) => parts.push(" AND x.role IS NULL"),
            Some(Some(_)) => parts.push(" AND x.role = $2"),
        }
        if !self.search.is_empty() {
            parts.push(" AND (u.display_name ILIKE $3 OR u.email ILIKE $3)");
        }
        if self.sort == MemberSort::LastSeenAt {
            parts.push(" AND x.last_seen_at IS NOT NULL");
        }
        parts
    }

    /// Where to go on (`$4`, `$5`), and the order.
    fn order(&self, follows: bool) -> Vec<&'static str> {
        let (after, order) = match (self.sort, self.order) {
            (MemberSort::JoinedAt, Order::Desc) => (
                " AND (x.joined_at, x.user_id) < ($4, $5)",
                " ORDER BY x.joined_at DESC, x.user_id DESC LIMIT $6",
            ),
            (MemberSort::JoinedAt, Order::Asc) => {
                (" AND (x.joined_at, x.user_id) > ($4, $5)", " ORDER BY x.joined_at, x.user_id LIMIT $6")
            }
            (MemberSort::LastSeenAt, Order::Desc) => (
                " AND (x.last_seen_at, x.user_id) < ($4, $5)",
                " ORDER BY x.last_seen_at DESC, x.user_id DESC LIMIT $6",
            ),
            (MemberSort::LastSeenAt, Order::Asc) => (
                " AND (x.last_seen_at, x.user_id) > ($4, $5)",
                " ORDER BY x.last_seen_at, x.user_id LIMIT $6",
            ),
        };
        follows.then_some(after).into_iter().chain([order]).collect()
    }
}

/// A pattern for `ILIKE` that finds a text anywhere: what has a meaning in patterns stands for itself.
pub(crate) fn like_pattern(text: &str) -> String {
    let mut pattern = String::from("%");
    for c in text.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

impl Reader<'_> {
    /// The members of an organization: three statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn members_of(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        filter: &MemberFilter,
        after: Option<MemberKey>,
        limit: u16,
    ) -> Result<Slice<MemberRecord>> {
        let id = *organization.id.as_uuid();
        let rank = filter.role.and_then(RoleFilter::role).map(Role::rank);
        let pattern = like_pattern(&filter.search);
        let conditions = filter.conditions();
        let rows: Vec<MemberRow> = Assembled::new(
            [vec![LIST], conditions.clone(), filter.order(after.is_some())].concat(),
            (
                val::<SqlUuid, _>(id),
                val::<Nullable<SmallInt>, _>(rank),
                val::<Text, _>(&pattern),
                val::<Timestamptz, _>(after.map_or(OffsetDateTime::UNIX_EPOCH, MemberKey::at)),
                val::<SqlUuid, _>(after.map_or(Uuid::nil(), |key| *key.user.as_uuid())),
                val::<BigInt, _>(fetch_limit(limit)),
            ),
        )
        .load(self.connection)?;
        let count: CountRow = Assembled::new(
            [vec![COUNT], conditions].concat(),
            (val::<SqlUuid, _>(id), val::<Nullable<SmallInt>, _>(rank), val::<Text, _>(&pattern)),
        )
        .get_result(self.connection)?;
        self.slice_with_reach(organization.id, Slice::cut(rows, limit, count.total))
    }
}

#[cfg(test)]
mod tests {
    use super::{MemberKey, like_pattern};

    #[test]
    fn a_key_that_was_made_by_hand_names_a_moment_that_the_database_knows() {
        let key = |at: &str| {
            let user = uuid::Uuid::nil();
            serde_json::from_value::<MemberKey>(serde_json::json!({ "at": at, "user": user }))
        };
        assert!(key("2026-01-02T03:04:05.678Z").is_ok());
        for made_up in ["-9999-01-01T00:00:00.000Z", "99999-01-01T00:00:00.000Z", "\u{0}"] {
            assert!(key(made_up).is_err(), "{made_up:?}");
        }
    }

    #[test]
    fn what_means_something_in_patterns_stands_for_itself() {
        assert_eq!(like_pattern("a_b%c\\"), "%a\\_b\\%c\\\\%");
    }
}
