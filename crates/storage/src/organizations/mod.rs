//! Organizations: made, found, listed, changed.

mod changes;
mod domains;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Uuid as SqlUuid};
use quire_domain::ids::OrganizationId;

use crate::Result;
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{OrganizationColumns, OrganizationRecord, organization_columns, valid_token};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;

pub use changes::{AdminChanges, NewOrganization, OrganizationChanges};
pub use domains::SubdomainRecord;

macro_rules! own_organizations {
    () => {
        concat!(
            " FROM api_tokens t \
              JOIN organization_members m ON m.user_id = t.user_id AND NOT m.disabled \
              JOIN organizations o ON o.id = m.organization_id AND (t.organizations IS NULL OR o.id = ANY (t.organizations)) \
              WHERE ", valid_token!()
        )
    };
}

statements! {
    ListOrganizations = concat!(
        "SELECT ", organization_columns!(), own_organizations!(), " AND ($3 IS NULL OR o.id < $3) ORDER BY o.id DESC LIMIT $4"
    );
    CountOrganizations = concat!("SELECT count(*) AS total", own_organizations!());
}

impl Reader<'_> {
    /// The organizations that the actor is a member of, newest first: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn organizations(
        &mut self,
        after: Option<OrganizationId>,
        limit: u16,
    ) -> Result<Slice<OrganizationRecord>> {
        let rows: Vec<OrganizationColumns> = ListOrganizations::bind((
            self.token_bind(),
            self.now_bind(),
            val::<Nullable<SqlUuid>, _>(after.map(|id| *id.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow =
            CountOrganizations::bind((self.token_bind(), self.now_bind())).get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(TryInto::try_into)
    }
}
