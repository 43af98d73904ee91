//! Contributors to a change request.

use diesel::prelude::*;
use quire_domain::ids::UserId;
use quire_domain::reviews::{ContributionType, Contributor};
use time::OffsetDateTime;

use crate::content::change_requests::{ChangeRequestRecord, InSpace};
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::{Authorized, UserRecord};
use crate::schema::{change_request_contributors, users};
use crate::transaction::Reader;
use crate::{Result, to_timestamp};

impl Reader<'_> {
    /// Returns the author and the editors of a change request. Users are ordered from the newest to the oldest account,
    /// so the order is stable between pages. Takes two statements.
    pub fn contributors(
        &mut self,
        change_request: &Authorized<InSpace<ChangeRequestRecord>>,
        before: Option<UserId>,
        limit: u16,
    ) -> Result<Slice<Contributor<UserRecord>>> {
        let contributors = || {
            change_request_contributors::table
                .filter(change_request_contributors::space_id.eq(change_request.space.id))
                .filter(change_request_contributors::change_request_id.eq(change_request.item.id))
        };
        let rows = contributors()
            .inner_join(users::table)
            .filter(change_request_contributors::user_id.lt(page_end(before)))
            .order(change_request_contributors::user_id.desc())
            .limit(fetch_limit(limit))
            .select((
                UserRecord::as_select(),
                change_request_contributors::revisions,
                change_request_contributors::updated_at,
            ));
        let rows: Vec<(UserRecord, i32, OffsetDateTime)> = rows.load(self.connection)?;
        let total = contributors().count().get_result(self.connection)?;
        Slice::cut(rows, limit, total).try_map(|(user, revisions, updated_at)| {
            let count = u64::try_from(revisions).unwrap_or(0);
            let (updated_at, action_type) = (to_timestamp(updated_at)?, ContributionType::Edit);
            Ok(Contributor { user, count, updated_at, action_type })
        })
    }
}
