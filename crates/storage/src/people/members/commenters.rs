//! Participants in the discussions of a space.

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::UserId;

use super::{MemberRecord, ShownMember};
use crate::Result;
use crate::content::spaces::SpaceRecord;
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::Authorized;
use crate::transaction::Reader;

sql_files! {
    ListCommenters(SqlUuid, SqlUuid, SqlUuid, BigInt) -> dsl::SqlTypeOf<dsl::AsSelect<MemberRecord, Pg>>
        = "list_commenters.sql";
    CountCommenters(SqlUuid, SqlUuid) -> BigInt = "count_commenters.sql";
}

impl Reader<'_> {
    /// Returns the members who posted a comment or reply in a space or one of its change requests, newest users first.
    /// Users who have left the organization are not included. Takes three statements.
    pub fn commenters_of(
        &mut self,
        space: &Authorized<SpaceRecord>,
        after: Option<UserId>,
        limit: u16,
    ) -> Result<Slice<ShownMember>> {
        let (organization, id) = (space.organization, space.id);
        let rows: Vec<MemberRecord> =
            ListCommenters::bind((organization, id, page_end(after), fetch_limit(limit)))
                .load(self.connection)?;
        let total = CountCommenters::bind((organization, id)).get_result(self.connection)?;
        self.slice_with_reach(space.organization, Slice::cut(rows, limit, total))
    }
}
