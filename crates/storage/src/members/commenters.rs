//! Who takes part in the discussions of a space.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Uuid as SqlUuid};
use quire_domain::ids::UserId;

use super::{MemberRecord, MemberRow, member_columns};
use crate::Result;
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{Authorized, SpaceRecord};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;

macro_rules! commenters {
    () => {
        " FROM (SELECT posted_by FROM comments WHERE space_id = $2 UNION SELECT posted_by FROM comment_replies WHERE space_id = $2) people \
          JOIN organization_members x ON x.organization_id = $1 AND x.user_id = people.posted_by \
          JOIN users u ON u.id = x.user_id"
    };
}

statements! {
    ListCommenters = concat!(
        "SELECT ", member_columns!(), commenters!(), " WHERE $3 IS NULL OR x.user_id < $3 ORDER BY x.user_id DESC LIMIT $4"
    );
    CountCommenters = concat!("SELECT count(*) AS total", commenters!());
}

impl Reader<'_> {
    /// The members who posted a comment or reply in a space or one of its change requests; not those who left the
    /// organization. Newest users first: three statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn commenters_of(
        &mut self,
        space: &Authorized<SpaceRecord>,
        after: Option<UserId>,
        limit: u16,
    ) -> Result<Slice<MemberRecord>> {
        let ids =
            || (val::<SqlUuid, _>(*space.organization.as_uuid()), val::<SqlUuid, _>(*space.id.as_uuid()));
        let (organization_id, space_id) = ids();
        let rows: Vec<MemberRow> = ListCommenters::bind((
            organization_id,
            space_id,
            val::<Nullable<SqlUuid>, _>(after.map(|id| *id.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow = CountCommenters::bind(ids()).get_result(self.connection)?;
        self.slice_with_reach(space.organization, Slice::cut(rows, limit, count.total))
    }
}
