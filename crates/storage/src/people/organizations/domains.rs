//! Lookups of organizations by e-mail domain and subdomain.

use diesel::dsl::{exists, not};
use diesel::prelude::*;
use quire_database::functions::{lower, split_part};
use quire_domain::bounds::LIST_LIMIT_MAX;
use quire_domain::ids::OrganizationId;

use crate::people::organizations::OrganizationRecord;
use crate::schema::{organization_members, organizations, users};
use crate::transaction::Reader;
use crate::views::organization_access;
use crate::{Error, Result};

/// Organization of a subdomain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Queryable)]
pub struct Subdomain {
    /// Id.
    pub organization: OrganizationId,
    /// `true` while the organization is blocked.
    pub is_blocked: bool,
}

impl Reader<'_> {
    /// Returns the organizations with a lowercase e-mail domain, newest first, if the actor is a member or has an
    /// address in the domain.
    pub fn organizations_of_domain(&mut self, domain: &str) -> Result<Vec<OrganizationRecord>> {
        let is_disabled = exists(
            organization_members::table
                .find((organization_access::id, organization_access::actor_id))
                .filter(organization_members::disabled),
        );
        // Same rule as `Membership::finds_by_domain`.
        let domain_of_address = split_part(lower(users::email.assume_not_null()), "@", 2);
        let has_address = domain_of_address.eq(domain).and(not(is_disabled));
        let rows = organization_access::table
            .inner_join(users::table.on(users::id.eq(organization_access::actor_id)))
            .filter(self.token_is_valid::<organization_access::table>())
            .filter(organization_access::token_reaches)
            .filter(organization_access::email_domains.contains(vec![domain]))
            .filter(organization_access::is_member.or(has_address))
            .order(organization_access::id.desc())
            .limit(i64::from(LIST_LIMIT_MAX))
            .select(OrganizationRecord::as_select())
            .load(self.connection)?;
        Ok(rows)
    }

    /// Returns the organization of a subdomain to anyone: the content below it is public.
    ///
    /// # Errors
    /// [`Error::NotFound`] if no organization has it.
    pub fn subdomain(&mut self, subdomain: &str) -> Result<Subdomain> {
        organizations::table
            .filter(organizations::hostname.eq(subdomain))
            .select((organizations::id, organizations::blocked_reason.is_not_null()))
            .get_result(self.connection)
            .optional()?
            .ok_or(Error::NotFound)
    }
}
