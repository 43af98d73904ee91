//! Lists of members.

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{OrganizationId, UserId};
use quire_domain::list::Order;
use quire_domain::members::{MemberSort, RoleFilter};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::{MemberRecord, ShownMember};
use crate::Result;
use crate::list::{Slice, fetch_limit};
use crate::lookup::Authorized;
use crate::people::organizations::OrganizationRecord;
use crate::schema::{organization_members, users};
use crate::transaction::Reader;

/// Filter and order of a list of members.
#[derive(Clone, Debug, Default)]
pub struct MemberFilter {
    /// Sort key.
    pub sort: MemberSort,
    /// Sort direction.
    pub order: Order,
    /// Role.
    pub role: Option<RoleFilter>,
    /// Text that the name or e-mail address contains; empty for any.
    pub search: String,
}

/// Cursor of a list of members: the time by which it is ordered, if present, and the user.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct MemberKey {
    at: Option<Timestamp>,
    user: UserId,
}

impl MemberKey {
    /// Returns the cursor of a member in a list of this order.
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

/// Members with their users, filtered.
type Members<'a> = dsl::IntoBoxed<'a, dsl::InnerJoin<organization_members::table, users::table>, Pg>;

impl MemberFilter {
    fn members(&self, organization: OrganizationId) -> Members<'static> {
        let mut members = organization_members::table
            .inner_join(users::table)
            .filter(organization_members::organization_id.eq(organization))
            .into_boxed();
        members = match self.role.map(RoleFilter::role) {
            None => members,
            Some(None) => members.filter(organization_members::role.is_null()),
            Some(Some(role)) => members.filter(organization_members::role.eq(role.rank())),
        };
        if !self.search.is_empty() {
            let pattern = like_pattern(&self.search);
            members =
                members.filter(users::display_name.ilike(pattern.clone()).or(users::email.ilike(pattern)));
        }
        if self.sort == MemberSort::LastSeenAt {
            members = members.filter(organization_members::last_seen_at.is_not_null());
        }
        members
    }

    /// Counts the matching members. Without a search text, an index is enough, and users are not joined.
    fn count(&self, connection: &mut PgConnection, organization: OrganizationId) -> Result<i64> {
        if !self.search.is_empty() {
            return Ok(self.members(organization).count().get_result(connection)?);
        }
        let mut members = organization_members::table
            .filter(organization_members::organization_id.eq(organization))
            .into_boxed();
        members = match self.role.map(RoleFilter::role) {
            None => members,
            Some(None) => members.filter(organization_members::role.is_null()),
            Some(Some(role)) => members.filter(organization_members::role.eq(role.rank())),
        };
        if self.sort == MemberSort::LastSeenAt {
            members = members.filter(organization_members::last_seen_at.is_not_null());
        }
        Ok(members.count().get_result(connection)?)
    }

    /// Returns a page of members in the order of the list. The first condition of a key is an index range.
    fn page(&self, members: Members<'static>, after: Option<MemberKey>) -> Members<'static> {
        use organization_members::{joined_at, last_seen_at, user_id};
        let key = after.map(|key| (key.at(), key.user));
        match (self.sort, self.order) {
            (MemberSort::JoinedAt, Order::Desc) => {
                let page = members.order((joined_at.desc(), user_id.desc()));
                let Some((at, user)) = key else { return page };
                page.filter(joined_at.le(at)).filter(joined_at.lt(at).or(user_id.lt(user)))
            }
            (MemberSort::JoinedAt, Order::Asc) => {
                let page = members.order((joined_at, user_id));
                let Some((at, user)) = key else { return page };
                page.filter(joined_at.ge(at)).filter(joined_at.gt(at).or(user_id.gt(user)))
            }
            (MemberSort::LastSeenAt, Order::Desc) => {
                let page = members.order((last_seen_at.desc(), user_id.desc()));
                let Some((at, user)) = key else { return page };
                page.filter(last_seen_at.le(at)).filter(last_seen_at.lt(at).or(user_id.lt(user)))
            }
            (MemberSort::LastSeenAt, Order::Asc) => {
                let page = members.order((last_seen_at, user_id));
                let Some((at, user)) = key else { return page };
                page.filter(last_seen_at.ge(at)).filter(last_seen_at.gt(at).or(user_id.gt(user)))
            }
        }
    }
}

/// Returns a pattern for `ILIKE` that matches a text anywhere, with special characters escaped.
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
    /// Returns the members of an organization. Takes three statements.
    pub fn members_of(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        filter: &MemberFilter,
        after: Option<MemberKey>,
        limit: u16,
    ) -> Result<Slice<ShownMember>> {
        let rows = filter
            .page(filter.members(organization.id), after)
            .limit(fetch_limit(limit))
            .select(MemberRecord::as_select())
            .load(self.connection)?;
        let total = filter.count(self.connection, organization.id)?;
        self.slice_with_reach(organization.id, Slice::cut(rows, limit, total))
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
    fn special_characters_of_patterns_match_themselves() {
        assert_eq!(like_pattern("a_b%c\\"), "%a\\_b\\%c\\\\%");
    }
}
