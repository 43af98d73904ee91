//! Lists of change requests.

use diesel::dsl::{IntoBoxed, LeftJoin, array, exists, not};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::Uuid as SqlUuid;
use quire_domain::change_requests::{ChangeRequestSort, Status};
use quire_domain::clock::Timestamp;
use quire_domain::ids::{ChangeRequestId, OrganizationId, PageId, RevisionId, SpaceId, UserId};
use quire_domain::list::Order;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::changed_page::MOST_COMPARED;
use crate::Result;
use crate::content::change_requests::ChangeRequestRecord;
use crate::content::spaces::SpaceRecord;
use crate::list::{Slice, fetch_limit};
use crate::lookup::Authorized;
use crate::people::organizations::OrganizationRecord;
use crate::schema::{
    change_request_contributors, change_request_reviewers, change_requests, spaces, team_members, users,
};
use crate::transaction::Reader;
use crate::views::space_access;

/// Filter and order of a list of change requests.
#[derive(Clone, Copy, Debug)]
pub struct ChangeRequestFilter {
    /// Status.
    pub status: Status,
    /// User who contributed.
    pub contributor: Option<UserId>,
    /// Author.
    pub creator: Option<UserId>,
    /// User whose review is requested, directly or as a member of a team.
    pub requested_reviewer: Option<UserId>,
    /// Space, in a list of an organization.
    pub space: Option<SpaceId>,
    /// Page that the change requests change, in a list of a space. Only the newest 200 that match the other filters are
    /// searched.
    pub changed_page: Option<PageId>,
    /// Sort key.
    pub sort: ChangeRequestSort,
    /// Sort direction.
    pub order: Order,
}

/// Cursor of a list: the sort keys of the change request after which a page starts.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct ChangeRequestPosition {
    /// Time of the last change.
    updated_at: Timestamp,
    number: i32,
    id: ChangeRequestId,
}

impl ChangeRequestPosition {
    /// Returns the key of a change request.
    #[must_use]
    pub fn of(record: &ChangeRequestRecord) -> Self {
        Self { updated_at: record.updated_at, number: record.number, id: record.id }
    }
}

/// Change request with the head of its space.
#[derive(Clone, Debug)]
pub struct ListedChangeRequest {
    /// Change request.
    pub change_request: ChangeRequestRecord,
    /// Head of the space's main content.
    pub space_head: RevisionId,
}

/// Change requests with their authors.
type Query<'a> = IntoBoxed<'a, LeftJoin<change_requests::table, users::table>, Pg>;

impl ChangeRequestFilter {
    /// Adds the conditions on change requests of an organization.
    fn apply<'a>(&self, organization: OrganizationId, mut query: Query<'a>) -> Query<'a> {
        query = query.filter(change_requests::status.eq(self.status.as_str()));
        if let Some(user) = self.contributor {
            let contributed = change_request_contributors::table
                .filter(change_request_contributors::space_id.eq(change_requests::space_id))
                .filter(change_request_contributors::change_request_id.eq(change_requests::id))
                .filter(change_request_contributors::user_id.eq(user));
            query = query.filter(exists(contributed));
        }
        if let Some(user) = self.creator {
            query = query.filter(change_requests::created_by.eq(user));
        }
        if let Some(user) = self.requested_reviewer {
            let teams = team_members::table
                .filter(team_members::organization_id.eq(organization))
                .filter(team_members::user_id.eq(user))
                .select(team_members::team_id);
            let as_user =
                not(change_request_reviewers::is_team).and(change_request_reviewers::reviewer_id.eq(user));
            let in_team =
                change_request_reviewers::is_team.and(change_request_reviewers::reviewer_id.eq_any(teams));
            let requested = change_request_reviewers::table
                .filter(change_request_reviewers::space_id.eq(change_requests::space_id))
                .filter(change_request_reviewers::change_request_id.eq(change_requests::id))
                .filter(as_user.or(in_team));
            query = query.filter(exists(requested));
        }
        query
    }

    /// Returns a page of a list. The numbers of one space are in the order of creation, so the index on them serves
    /// that order.
    fn page<'a>(
        &self,
        query: Query<'a>,
        scope: Scope,
        after: Option<ChangeRequestPosition>,
        limit: u16,
    ) -> Query<'a> {
        use ChangeRequestSort::{CreatedAt, UpdatedAt};
        let query = match after {
            None => query,
            Some(after) => after.filter(query, self.sort, scope, self.order),
        };
        let query = match (self.sort, scope, self.order) {
            (CreatedAt, Scope::Space, Order::Desc) => query.order(change_requests::number.desc()),
            (CreatedAt, Scope::Space, Order::Asc) => query.order(change_requests::number),
            (CreatedAt, Scope::Organization, Order::Desc) => query.order(change_requests::id.desc()),
            (CreatedAt, Scope::Organization, Order::Asc) => query.order(change_requests::id),
            (UpdatedAt, _, Order::Desc) => {
                query.order((change_requests::updated_at.desc(), change_requests::id.desc()))
            }
            (UpdatedAt, _, Order::Asc) => query.order((change_requests::updated_at, change_requests::id)),
        };
        query.limit(fetch_limit(limit))
    }
}

impl ChangeRequestPosition {
    /// Adds the condition that selects the change requests after this one.
    fn filter<'a>(self, query: Query<'a>, sort: ChangeRequestSort, scope: Scope, order: Order) -> Query<'a> {
        use ChangeRequestSort::{CreatedAt, UpdatedAt};
        let (at, id) = (self.updated_at, self.id);
        match (sort, scope, order) {
            (CreatedAt, Scope::Space, Order::Desc) => query.filter(change_requests::number.lt(self.number)),
            (CreatedAt, Scope::Space, Order::Asc) => query.filter(change_requests::number.gt(self.number)),
            (CreatedAt, Scope::Organization, Order::Desc) => query.filter(change_requests::id.lt(id)),
            (CreatedAt, Scope::Organization, Order::Asc) => query.filter(change_requests::id.gt(id)),
            (UpdatedAt, _, Order::Desc) => query
                .filter(change_requests::updated_at.le(at))
                .filter(change_requests::updated_at.lt(at).or(change_requests::id.lt(id))),
            (UpdatedAt, _, Order::Asc) => query
                .filter(change_requests::updated_at.ge(at))
                .filter(change_requests::updated_at.gt(at).or(change_requests::id.gt(id))),
        }
    }
}

/// Scope of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Space,
    Organization,
}

impl Reader<'_> {
    /// Returns the change requests of a space. Takes two statements, and at most eight more with the filter by a page.
    pub fn change_requests_of(
        &mut self,
        space: &Authorized<SpaceRecord>,
        filter: ChangeRequestFilter,
        after: Option<ChangeRequestPosition>,
        limit: u16,
    ) -> Result<Slice<ChangeRequestRecord>> {
        let matching = || {
            let of_space =
                change_requests::table.left_join(users::table).filter(change_requests::space_id.eq(space.id));
            filter.apply(space.organization, of_space.into_boxed())
        };
        let of_page = match filter.changed_page {
            Some(page) => {
                let compared = matching().order(change_requests::number.desc()).limit(MOST_COMPARED);
                let compared = compared.select(ChangeRequestRecord::as_select()).load(self.connection)?;
                let changing = self.changing(space.id, page, compared)?;
                Some(changing.iter().map(|record| record.id).collect::<Vec<_>>())
            }
            None => None,
        };
        let query = || match &of_page {
            Some(ids) => matching().filter(change_requests::id.eq_any(ids.clone())),
            None => matching(),
        };
        let page = filter.page(query(), Scope::Space, after, limit);
        let rows = page.select(ChangeRequestRecord::as_select()).load(self.connection)?;
        let total = query().count().get_result(self.connection)?;
        Ok(Slice::cut(rows, limit, total))
    }

    /// Returns the change requests of all spaces of an organization that the actor may see. Takes two statements.
    ///
    /// The visible spaces are a subquery that is executed once: computing the role on a space costs more than the rest
    /// of the statement.
    pub fn change_requests_of_organization(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        filter: ChangeRequestFilter,
        after: Option<ChangeRequestPosition>,
        limit: u16,
    ) -> Result<Slice<ListedChangeRequest>> {
        let query = || {
            let mut visible = space_access::table
                .filter(space_access::token_id.eq(organization.actor().token))
                .filter(space_access::organization_id.eq(organization.id))
                .filter(space_access::deleted_at.is_null())
                .filter(space_access::role.is_not_null())
                .select(space_access::id)
                .into_boxed();
            if let Some(space) = filter.space {
                visible = visible.filter(space_access::id.eq(space));
            }
            let of_organization = change_requests::table
                .left_join(users::table)
                .filter(change_requests::space_id.eq_any(array::<SqlUuid, _>(visible)));
            filter.apply(organization.id, of_organization.into_boxed())
        };
        let head = spaces::table.find(change_requests::space_id).select(spaces::head_revision).single_value();
        let page = filter.page(query(), Scope::Organization, after, limit);
        let rows: Vec<(ChangeRequestRecord, Uuid)> =
            page.select((ChangeRequestRecord::as_select(), head.assume_not_null())).load(self.connection)?;
        let total = query().count().get_result(self.connection)?;
        Slice::cut(rows, limit, total).try_map(|(change_request, head)| {
            Ok(ListedChangeRequest { change_request, space_head: RevisionId::from_uuid(head) })
        })
    }
}
