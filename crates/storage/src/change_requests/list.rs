//! Lists of change requests.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer, Nullable, Text, Uuid as SqlUuid};
use quire_domain::change_requests::Status;
use quire_domain::ids::{ChangeRequestId, RevisionId, UserId};
use uuid::Uuid;

use crate::Result;
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{
    Authorized, ChangeRequestColumns, ChangeRequestRecord, OrganizationRecord, SpaceRecord,
    change_request_columns, space_role, token_and_space, valid_token,
};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;

/// Which change requests of a space or organization are meant.
#[derive(Clone, Copy, Debug)]
pub struct ChangeRequestFilter {
    /// Where they stand.
    pub status: Status,
    /// Who wrote in them.
    pub contributor: Option<UserId>,
}

macro_rules! filtered {
    () => {
        " FROM change_requests cr LEFT JOIN users author ON author.id = cr.created_by \
         WHERE cr.space_id = $1 AND cr.status = $2 \
         AND ($3 IS NULL OR EXISTS (SELECT 1 FROM change_request_contributors k \
              WHERE k.space_id = cr.space_id AND k.change_request_id = cr.id AND k.user_id = $3))"
    };
}

/// Change requests of the spaces of an organization that the actor may see.
macro_rules! of_organization {
    () => {
        concat!(
            " FROM (SELECT s.id, s.head_revision, ",
            space_role!(),
            " AS role FROM ",
            token_and_space!(),
            " WHERE ",
            valid_token!(),
            " AND s.organization_id = $3 AND s.deleted_at IS NULL OFFSET 0) v \
             JOIN change_requests cr ON cr.space_id = v.id AND cr.status = $4 \
             LEFT JOIN users author ON author.id = cr.created_by \
             WHERE v.role IS NOT NULL AND ($5 IS NULL OR EXISTS (SELECT 1 FROM change_request_contributors k \
              WHERE k.space_id = cr.space_id AND k.change_request_id = cr.id AND k.user_id = $5))"
        )
    };
}

statements! {
    ListChangeRequests = concat!(
        "SELECT ", change_request_columns!(), filtered!(), " AND ($4 IS NULL OR cr.number < $4) ORDER BY cr.number DESC LIMIT $5"
    );
    CountChangeRequests = concat!("SELECT count(*) AS total", filtered!());
    ListOfOrganization = concat!(
        "SELECT v.head_revision AS space_head, ", change_request_columns!(), of_organization!(),
        " AND ($6 IS NULL OR cr.id < $6) ORDER BY cr.id DESC LIMIT $7"
    );
    CountOfOrganization = concat!("SELECT count(*) AS total", of_organization!());
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

impl Reader<'_> {
    /// Change requests of a space, newest first, from below a number: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn change_requests_of(
        &mut self,
        space: &Authorized<SpaceRecord>,
        filter: ChangeRequestFilter,
        below: Option<i32>,
        limit: u16,
    ) -> Result<Slice<ChangeRequestRecord>> {
        let id = *space.id.as_uuid();
        let contributor = filter.contributor.map(|user| *user.as_uuid());
        let rows: Vec<ChangeRequestColumns> = ListChangeRequests::bind((
            val::<SqlUuid, _>(id),
            val::<Text, _>(filter.status.as_str()),
            val::<Nullable<SqlUuid>, _>(contributor),
            val::<Nullable<Integer>, _>(below),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow = CountChangeRequests::bind((
            val::<SqlUuid, _>(id),
            val::<Text, _>(filter.status.as_str()),
            val::<Nullable<SqlUuid>, _>(contributor),
        ))
        .get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(TryInto::try_into)
    }

    /// Change requests of all spaces of an organization that the actor may see, newest first: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn change_requests_of_organization(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        filter: ChangeRequestFilter,
        before: Option<ChangeRequestId>,
        limit: u16,
    ) -> Result<Slice<ListedChangeRequest>> {
        let id = *organization.id.as_uuid();
        let contributor = filter.contributor.map(|user| *user.as_uuid());
        let rows: Vec<(SpaceHeadColumn, ChangeRequestColumns)> = ListOfOrganization::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(id),
            val::<Text, _>(filter.status.as_str()),
            val::<Nullable<SqlUuid>, _>(contributor),
            val::<Nullable<SqlUuid>, _>(before.map(|id| *id.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow = CountOfOrganization::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(id),
            val::<Text, _>(filter.status.as_str()),
            val::<Nullable<SqlUuid>, _>(contributor),
        ))
        .get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(|(head, change_request)| {
            Ok(ListedChangeRequest {
                change_request: change_request.try_into()?,
                space_head: RevisionId::from_uuid(head.space_head),
            })
        })
    }
}
