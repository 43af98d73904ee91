//! Lists of change requests.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::change_requests::{ChangeRequestSort, Status};
use quire_domain::clock::Timestamp;
use quire_domain::comments::Order;
use quire_domain::ids::{ChangeRequestId, OrganizationId, RevisionId, SpaceId, UserId};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::Result;
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{
    Authorized, ChangeRequestColumns, ChangeRequestRecord, OrganizationRecord, SpaceRecord,
    change_request_columns, shows, space_role, token_and_space, valid_token,
};
use crate::statement::{Assembled, Binds, val};
use crate::transaction::Reader;

/// Which change requests of a space or organization are meant, and in which order.
#[derive(Clone, Copy, Debug)]
pub struct ChangeRequestFilter {
    /// Where they stand.
    pub status: Status,
    /// Who wrote in them.
    pub contributor: Option<UserId>,
    /// Who made them.
    pub creator: Option<UserId>,
    /// Who is asked for a review, alone or with a team.
    pub requested_reviewer: Option<UserId>,
    /// The space that they belong to; in a list of one space always that one.
    pub space: Option<SpaceId>,
    /// By what they are ordered.
    pub sort: ChangeRequestSort,
    /// Newest or oldest first.
    pub order: Order,
}

/// Where a change request stands in lists.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct ChangeRequestPlace {
    /// When it last changed.
    updated_at: Timestamp,
    number: i32,
    id: ChangeRequestId,
}

impl ChangeRequestPlace {
    /// The place of a change request.
    #[must_use]
    pub fn of(record: &ChangeRequestRecord) -> Self {
        Self { updated_at: record.updated_at, number: record.number, id: record.id }
    }

    fn updated_at(self) -> OffsetDateTime {
        self.updated_at.into()
    }
}

/// A change request with the head of its space.
#[derive(Clone, Debug)]
pub struct ListedChangeRequest {
    /// The change request.
    pub change_request: ChangeRequestRecord,
    /// The current revision of its space's main content.
    pub space_head: RevisionId,
}

#[derive(QueryableByName)]
struct SpaceHeadColumn {
    #[diesel(sql_type = SqlUuid)]
    space_head: Uuid,
}

/// The change requests `cr` of the space `$4`.
const OF_SPACE: &str =
    " FROM change_requests cr LEFT JOIN users author ON author.id = cr.created_by WHERE cr.space_id = $4";

/// The change requests `cr` of the spaces `v` of the organization `$3` that the actor may see. These are found first, and once: to
/// decide about a space costs more than anything else here.
const OF_ORGANIZATION: &str = concat!(
    " FROM (SELECT s.id, s.head_revision, ",
    space_role!(),
    " AS role FROM ",
    token_and_space!(),
    " WHERE ",
    valid_token!(),
    " AND s.organization_id = $3 AND s.deleted_at IS NULL AND ($4 IS NULL OR s.id = $4) OFFSET 0) v \
     JOIN change_requests cr ON cr.space_id = v.id \
     LEFT JOIN users author ON author.id = cr.created_by WHERE ",
    shows!("v.role")
);

const LIST_OF_SPACE: &str = concat!("SELECT ", change_request_columns!());
const LIST_OF_ORGANIZATION: &str =
    concat!("SELECT v.head_revision AS space_head, ", change_request_columns!());
const COUNT: &str = "SELECT count(*) AS total";

/// Where a list looks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Space,
    Organization,
}

impl ChangeRequestFilter {
    /// The conditions on change requests `cr`: `$5` the status, `$6` the contributor, `$7` the creator, `$8` who is asked.
    fn conditions(&self) -> Vec<&'static str> {
        let mut parts = vec![" AND cr.status = $5"];
        if self.contributor.is_some() {
            parts.push(
                " AND EXISTS (SELECT 1 FROM change_request_contributors k \
                  WHERE k.space_id = cr.space_id AND k.change_request_id = cr.id AND k.user_id = $6)",
            );
        }
        if self.creator.is_some() {
            parts.push(" AND cr.created_by = $7");
        }
        if self.requested_reviewer.is_some() {
            parts.push(
                " AND EXISTS (SELECT 1 FROM change_request_reviewers k \
                  WHERE k.space_id = cr.space_id AND k.change_request_id = cr.id AND CASE WHEN k.is_team \
                  THEN k.reviewer_id IN (SELECT tm.team_id FROM team_members tm WHERE tm.organization_id = $3 AND tm.user_id = $8) \
                  ELSE k.reviewer_id = $8 END)",
            );
        }
        parts
    }

    /// Where to go on (`$9` to `$11`), and the order. In one space the numbers tell what is newer, and an index has them.
    fn order(&self, scope: Scope, follows: bool) -> Vec<&'static str> {
        use ChangeRequestSort::{CreatedAt, UpdatedAt};
        let (after, order) = match (self.sort, scope, self.order) {
            (CreatedAt, Scope::Space, Order::Desc) => (" AND cr.number < $10", " ORDER BY cr.number DESC"),
            (CreatedAt, Scope::Space, Order::Asc) => (" AND cr.number > $10", " ORDER BY cr.number"),
            (CreatedAt, Scope::Organization, Order::Desc) => (" AND cr.id < $11", " ORDER BY cr.id DESC"),
            (CreatedAt, Scope::Organization, Order::Asc) => (" AND cr.id > $11", " ORDER BY cr.id"),
            (UpdatedAt, _, Order::Desc) => {
                (" AND (cr.updated_at, cr.id) < ($9, $11)", " ORDER BY cr.updated_at DESC, cr.id DESC")
            }
            (UpdatedAt, _, Order::Asc) => {
                (" AND (cr.updated_at, cr.id) > ($9, $11)", " ORDER BY cr.updated_at, cr.id")
            }
        };
        follows.then_some(after).into_iter().chain([order, " LIMIT $12"]).collect()
    }
}

impl Reader<'_> {
    /// Change requests of a space: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn change_requests_of(
        &mut self,
        space: &Authorized<SpaceRecord>,
        filter: ChangeRequestFilter,
        after: Option<ChangeRequestPlace>,
        limit: u16,
    ) -> Result<Slice<ChangeRequestRecord>> {
        let filter = ChangeRequestFilter { space: Some(space.id), ..filter };
        let from = [vec![OF_SPACE], filter.conditions()].concat();
        let list = [vec![LIST_OF_SPACE], from.clone(), filter.order(Scope::Space, after.is_some())].concat();
        let rows: Vec<ChangeRequestColumns> =
            self.listing(list, space.organization, filter, after, limit).load(self.connection)?;
        let count = self.listing([vec![COUNT], from].concat(), space.organization, filter, None, limit);
        let count: CountRow = count.get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(TryInto::try_into)
    }

    /// Change requests of all spaces of an organization that the actor may see: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn change_requests_of_organization(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        filter: ChangeRequestFilter,
        after: Option<ChangeRequestPlace>,
        limit: u16,
    ) -> Result<Slice<ListedChangeRequest>> {
        let id = organization.id;
        let from = [vec![OF_ORGANIZATION], filter.conditions()].concat();
        let order = filter.order(Scope::Organization, after.is_some());
        let list = [vec![LIST_OF_ORGANIZATION], from.clone(), order].concat();
        let rows: Vec<(SpaceHeadColumn, ChangeRequestColumns)> =
            self.listing(list, id, filter, after, limit).load(self.connection)?;
        let count = self.listing([vec![COUNT], from].concat(), id, filter, None, limit);
        let count: CountRow = count.get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(|(head, change_request)| {
            Ok(ListedChangeRequest {
                change_request: change_request.try_into()?,
                space_head: RevisionId::from_uuid(head.space_head),
            })
        })
    }

    /// A statement of these parts with all values that they may name.
    fn listing(
        &self,
        parts: Vec<&'static str>,
        organization: OrganizationId,
        filter: ChangeRequestFilter,
        after: Option<ChangeRequestPlace>,
        limit: u16,
    ) -> Assembled<impl Binds + use<>> {
        let user = |user: Option<UserId>| val::<Nullable<SqlUuid>, _>(user.map(|user| *user.as_uuid()));
        let binds = (
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(*organization.as_uuid()),
            val::<Nullable<SqlUuid>, _>(filter.space.map(|space| *space.as_uuid())),
            val::<Text, _>(filter.status.as_str()),
            user(filter.contributor),
            user(filter.creator),
            user(filter.requested_reviewer),
            val::<Timestamptz, _>(after.map_or(OffsetDateTime::UNIX_EPOCH, ChangeRequestPlace::updated_at)),
            val::<Integer, _>(after.map_or(0, |after| after.number)),
            val::<SqlUuid, _>(after.map_or(Uuid::nil(), |after| *after.id.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
        );
        Assembled::new(parts, binds)
    }
}
