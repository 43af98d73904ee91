//! Who takes part in a change request.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer, Nullable, Timestamptz, Uuid as SqlUuid};
use quire_domain::clock::Timestamp;
use quire_domain::ids::UserId;
use time::OffsetDateTime;

use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{Authorized, ChangeRequestRecord, InSpace, UserRecord};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;
use crate::{Error, Result, moment};

/// Somebody who takes part in a change request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContributorRecord {
    /// Who.
    pub user: UserRecord,
    /// How many of its revisions the user wrote.
    pub revisions: i32,
    /// When the user last did.
    pub updated_at: Timestamp,
}

#[derive(QueryableByName)]
struct ContributorRow {
    #[diesel(embed)]
    user: UserRecord,
    #[diesel(sql_type = Integer)]
    revisions: i32,
    #[diesel(sql_type = Timestamptz)]
    updated_at: OffsetDateTime,
}

impl TryFrom<ContributorRow> for ContributorRecord {
    type Error = Error;

    fn try_from(row: ContributorRow) -> Result<Self> {
        Ok(Self { user: row.user, revisions: row.revisions, updated_at: moment(row.updated_at)? })
    }
}

statements! {
    ListContributors = "SELECT u.id AS user_id, u.email AS user_email, u.display_name AS user_display_name, \
                        u.photo_url AS user_photo_url, k.revisions, k.updated_at \
                        FROM change_request_contributors k JOIN users u ON u.id = k.user_id \
                        WHERE k.space_id = $1 AND k.change_request_id = $2 AND ($3 IS NULL OR k.user_id < $3) \
                        ORDER BY k.user_id DESC LIMIT $4";
    CountContributors = "SELECT count(*) AS total FROM change_request_contributors k WHERE k.space_id = $1 AND k.change_request_id = $2";
}

impl Reader<'_> {
    /// Who made or wrote in a change request, the newest users first: that never changes while a list is walked. Two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn contributors(
        &mut self,
        change_request: &Authorized<InSpace<ChangeRequestRecord>>,
        before: Option<UserId>,
        limit: u16,
    ) -> Result<Slice<ContributorRecord>> {
        let (space, id) = (*change_request.space.id.as_uuid(), *change_request.item.id.as_uuid());
        let rows: Vec<ContributorRow> = ListContributors::bind((
            val::<SqlUuid, _>(space),
            val::<SqlUuid, _>(id),
            val::<Nullable<SqlUuid>, _>(before.map(|user| *user.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow = CountContributors::bind((val::<SqlUuid, _>(space), val::<SqlUuid, _>(id)))
            .get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(TryInto::try_into)
    }
}
