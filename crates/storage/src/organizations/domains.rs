//! Organizations by the domains that belong to them.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Text, Uuid as SqlUuid};
use quire_domain::bounds::LIST_LIMIT_MAX;
use quire_domain::ids::OrganizationId;
use uuid::Uuid;

use crate::lookup::{OrganizationColumns, OrganizationRecord, organization_columns, valid_token};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;
use crate::{Error, Result};

/// Whose a subdomain is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubdomainRecord {
    /// The organization that has it.
    pub organization: OrganizationId,
    /// Whether the organization is blocked.
    pub is_blocked: bool,
}

statements! {
    // `Membership::finds_by_domain`.
    FindByEmailDomain = concat!(
        "SELECT ", organization_columns!(),
        " FROM api_tokens t JOIN users u ON u.id = t.user_id \
          JOIN organizations o ON t.organizations IS NULL OR o.id = ANY (t.organizations) \
          LEFT JOIN organization_members m ON m.organization_id = o.id AND m.user_id = t.user_id \
          WHERE ", valid_token!(), " AND o.email_domains @> ARRAY[$3] AND m.disabled IS NOT TRUE \
            AND (m.user_id IS NOT NULL OR lower(split_part(u.email, '@', 2)) = $3) \
          ORDER BY o.id DESC LIMIT $4"
    );
    FindSubdomain = "SELECT id, blocked_reason IS NOT NULL AS is_blocked FROM organizations WHERE hostname = $1";
}

#[derive(QueryableByName)]
struct SubdomainRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Bool)]
    is_blocked: bool,
}

impl Reader<'_> {
    /// The organizations of a domain (in lowercase) of e-mail addresses, newest first, that the actor has an address in or
    /// belongs to.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn organizations_of_domain(&mut self, domain: &str) -> Result<Vec<OrganizationRecord>> {
        let rows: Vec<OrganizationColumns> = FindByEmailDomain::bind((
            self.token_bind(),
            self.now_bind(),
            val::<Text, _>(domain),
            val::<BigInt, _>(i64::from(LIST_LIMIT_MAX)),
        ))
        .load(self.connection)?;
        rows.into_iter().map(TryInto::try_into).collect()
    }

    /// Whose a subdomain is, for anyone: what is served below it is public.
    ///
    /// # Errors
    /// [`Error::NotFound`] when nobody has it.
    pub fn subdomain(&mut self, subdomain: &str) -> Result<SubdomainRecord> {
        let row: Option<SubdomainRow> =
            FindSubdomain::bind((val::<Text, _>(subdomain),)).get_result(self.connection).optional()?;
        let row = row.ok_or(Error::NotFound)?;
        Ok(SubdomainRecord { organization: OrganizationId::from_uuid(row.id), is_blocked: row.is_blocked })
    }
}
