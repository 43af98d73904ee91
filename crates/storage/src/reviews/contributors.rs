//! Contributors to a change request.

use diesel::pg::Pg;
use diesel::prelude::*;
use quire_domain::clock::Timestamp;
use quire_domain::ids::UserId;
use time::OffsetDateTime;

use crate::Result;
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::{Authorized, ChangeRequestRecord, InSpace, UserRecord};
use crate::schema::{change_request_contributors, users};
use crate::transaction::Reader;

/// A contributor to a change request.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = change_request_contributors, check_for_backend(Pg))]
pub struct ContributorRecord {
    /// The user.
    #[diesel(embed)]
    pub user: UserRecord,
    /// Number of its revisions that the user wrote.
    pub revisions: i32,
    /// Time of the user's last revision.
    #[diesel(deserialize_as = OffsetDateTime)]
    pub updated_at: Timestamp,
}

impl Reader<'_> {
    /// The author of a change request and those who edited it, the newest users first, an order that does not change between
    /// pages: two statements.
    pub fn contributors(
        &mut self,
        change_request: &Authorized<InSpace<ChangeRequestRecord>>,
        before: Option<UserId>,
        limit: u16,
    ) -> Result<Slice<ContributorRecord>> {
        let contributors = || {
            change_request_contributors::table
                .filter(change_request_contributors::space_id.eq(*change_request.space.id.as_uuid()))
                .filter(change_request_contributors::change_request_id.eq(*change_request.item.id.as_uuid()))
        };
        let rows = contributors()
            .inner_join(users::table)
            .filter(change_request_contributors::user_id.lt(page_end(before)))
            .order(change_request_contributors::user_id.desc())
            .limit(fetch_limit(limit))
            .select(ContributorRecord::as_select())
            .load(self.connection)?;
        let total = contributors().count().get_result(self.connection)?;
        Ok(Slice::cut(rows, limit, total))
    }
}
