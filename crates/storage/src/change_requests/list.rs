//! Lists of change requests.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer, Nullable, Text, Uuid as SqlUuid};
use quire_domain::change_requests::Status;
use quire_domain::ids::UserId;

use crate::Result;
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{
    Authorized, ChangeRequestColumns, ChangeRequestRecord, SpaceRecord, change_request_columns,
};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;

/// Which change requests of a space are meant.
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

statements! {
    ListChangeRequests = concat!(
        "SELECT ", change_request_columns!(), filtered!(), " AND ($4 IS NULL OR cr.number < $4) ORDER BY cr.number DESC LIMIT $5"
    );
    CountChangeRequests = concat!("SELECT count(*) AS total", filtered!());
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
}
