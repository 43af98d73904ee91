//! Organizations: creation, lookups, lists and changes.

mod changes;
mod domains;
mod lookup;

use diesel::prelude::*;
use quire_domain::ids::OrganizationId;

use crate::Result;
use crate::list::{Slice, fetch_limit, page_end};
use crate::transaction::Reader;
use crate::views::organization_access;

pub use self::lookup::OrganizationRecord;
pub use changes::{AdminChanges, NewOrganization};
pub use domains::Subdomain;

impl Reader<'_> {
    /// Returns the organizations of which the actor is a member, newest first. Takes two statements.
    pub fn organizations(
        &mut self,
        after: Option<OrganizationId>,
        limit: u16,
    ) -> Result<Slice<OrganizationRecord>> {
        let rows = organization_access::table
            .filter(self.token_is_valid::<organization_access::table>())
            .filter(organization_access::is_member)
            .filter(organization_access::id.lt(page_end(after)))
            .order(organization_access::id.desc())
            .limit(fetch_limit(limit))
            .select(OrganizationRecord::as_select())
            .load(self.connection)?;
        let total = organization_access::table
            .filter(self.token_is_valid::<organization_access::table>())
            .filter(organization_access::is_member)
            .count()
            .get_result(self.connection)?;
        Ok(Slice::cut(rows, limit, total))
    }
}
