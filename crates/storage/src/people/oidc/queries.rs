//! Lookups and lists of OpenID Connect providers.

use diesel::dsl;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, Text, Uuid as SqlUuid};
use quire_database::{Seal, sql_files};
use quire_domain::bounds::OIDC_PROVIDERS_MAX;
use quire_domain::claim_rules::ClaimRules;
use quire_domain::ids::{OidcProviderId, OrganizationId, SignInProviderId};
use quire_domain::policy::Action;
use quire_domain::sign_in::SignInProtocol;
use uuid::Uuid;

use super::{OidcProviderRecord, SEAL, UsableProvider};
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::{Authorized, Found, InOrganization};
use crate::people::organizations::OrganizationRecord;
use crate::schema::{oidc_provider_teams, oidc_providers, organizations};
use crate::transaction::Reader;
use crate::views::{Access, oidc_rule_lists, organization_access};
use crate::{Error, Result};

sql_files! {
    SignInProviders(Nullable<Text>, BigInt) -> (SqlUuid, Text, Bool) = "sign_in_providers.sql";
}

/// Provider in the form that a sign-in page lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedProvider {
    /// Id.
    pub id: SignInProviderId,
    /// Protocol.
    pub protocol: SignInProtocol,
    /// Label.
    pub label: String,
}

/// Returns the protocol of a provider.
pub(super) fn protocol(is_saml: bool) -> SignInProtocol {
    if is_saml { SignInProtocol::Saml } else { SignInProtocol::Oidc }
}

/// Returns the join condition for the default team of a provider.
#[dsl::auto_type(no_type_alias)]
fn of_provider() -> _ {
    oidc_provider_teams::organization_id
        .eq(oidc_providers::organization_id)
        .and(oidc_provider_teams::oidc_provider_id.eq(oidc_providers::id))
}

/// Returns the join condition for the rules of a provider.
#[dsl::auto_type(no_type_alias)]
fn rules_of_provider() -> _ {
    oidc_rule_lists::organization_id
        .eq(oidc_providers::organization_id)
        .and(oidc_rule_lists::oidc_provider_id.eq(oidc_providers::id))
}

impl Reader<'_> {
    /// Returns the OpenID Connect provider of an organization with this id. Takes one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] if it does not exist.
    pub fn oidc_provider(
        &mut self,
        organization: OrganizationId,
        id: OidcProviderId,
    ) -> Result<Found<InOrganization<OidcProviderRecord>>> {
        let row = organization_access::table
            .inner_join(oidc_providers::table.on(oidc_providers::organization_id.eq(organization_access::id)))
            .left_join(oidc_provider_teams::table.on(of_provider()))
            .left_join(oidc_rule_lists::table.on(rules_of_provider()))
            .filter(self.token_is_valid::<organization_access::table>())
            .filter(organization_access::is_member)
            .filter(organization_access::id.eq(organization))
            .filter(oidc_providers::id.eq(id))
            .select((
                organization_access::table::actor(),
                OrganizationRecord::as_select(),
                OidcProviderRecord::as_select(),
            ))
            .get_result(self.connection);
        self.found_in_organization(row, organization, Action::InspectOrganization)
    }

    /// Returns the OpenID Connect providers of an organization, newest first. Takes two statements.
    pub fn oidc_providers_of(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        after: Option<OidcProviderId>,
        limit: u16,
    ) -> Result<Slice<OidcProviderRecord>> {
        let rows = oidc_providers::table
            .left_join(oidc_provider_teams::table.on(of_provider()))
            .left_join(oidc_rule_lists::table.on(rules_of_provider()))
            .filter(oidc_providers::organization_id.eq(organization.id))
            .filter(oidc_providers::id.lt(page_end(after)))
            .order(oidc_providers::id.desc())
            .limit(fetch_limit(limit))
            .select(OidcProviderRecord::as_select())
            .load(self.connection)?;
        let total = self.count_oidc_providers(organization.id)?;
        Ok(Slice::cut(rows, limit, total))
    }

    /// Returns the number of OpenID Connect providers of an organization.
    pub(super) fn count_oidc_providers(&mut self, organization: OrganizationId) -> Result<i64> {
        let providers = oidc_providers::table.filter(oidc_providers::organization_id.eq(organization));
        Ok(providers.count().get_result(self.connection)?)
    }

    /// Returns an OpenID Connect provider.
    pub(super) fn read_oidc_provider(
        &mut self,
        organization: OrganizationId,
        id: OidcProviderId,
    ) -> Result<OidcProviderRecord> {
        let provider = oidc_providers::table
            .left_join(oidc_provider_teams::table.on(of_provider()))
            .left_join(oidc_rule_lists::table.on(rules_of_provider()))
            .filter(oidc_providers::organization_id.eq(organization))
            .filter(oidc_providers::id.eq(id))
            .select(OidcProviderRecord::as_select())
            .get_result(self.connection)?;
        Ok(provider)
    }

    /// Returns the providers that a sign-in page offers for an e-mail domain. Takes one statement. No account is looked
    /// up, so the response reveals none.
    pub fn sign_in_providers(&mut self, domain: Option<&str>) -> Result<Vec<ListedProvider>> {
        let most = i64::try_from(OIDC_PROVIDERS_MAX).unwrap_or(i64::MAX);
        let rows: Vec<(Uuid, String, bool)> = SignInProviders::bind((domain, most)).load(self.connection)?;
        let listed = |(id, label, is_saml)| ListedProvider {
            id: SignInProviderId::from_uuid(id),
            protocol: protocol(is_saml),
            label,
        };
        Ok(rows.into_iter().map(listed).collect())
    }

    /// Returns a provider with its secret, for a sign-in.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such provider.
    pub fn usable_oidc_provider(&mut self, id: OidcProviderId) -> Result<UsableProvider> {
        let row = oidc_providers::table
            .inner_join(organizations::table)
            .filter(oidc_providers::id.eq(id))
            .select((
                oidc_providers::organization_id,
                organizations::blocked_reason.is_not_null(),
                oidc_providers::issuer,
                oidc_providers::client_id,
                oidc_providers::client_secret,
                oidc_providers::default_role,
            ))
            .get_result::<(_, _, _, _, Vec<u8>, _)>(self.connection)
            .optional()?;
        let (organization, is_blocked, issuer, client_id, sealed, default_role) =
            row.ok_or(Error::NotFound)?;
        let damaged = |error: anyhow::Error| Error::corrupt("a client secret is damaged", error);
        let key = self.known_deployment_key(SEAL)?;
        let key = key.ok_or_else(|| damaged(anyhow::anyhow!("there is no key to decrypt it: {id}")))?;
        let secret = Seal::new(key).open(&id.to_string(), &sealed)?;
        let client_secret = String::from_utf8(secret).map_err(|error| damaged(error.into()))?;
        let claim_rules = self.rules_of_oidc_provider(organization, id)?;
        self.record_tenant(organization, None);
        Ok(UsableProvider {
            organization,
            is_blocked,
            id,
            issuer,
            client_id,
            client_secret,
            default_role,
            claim_rules,
        })
    }

    /// Returns the rules of a provider.
    fn rules_of_oidc_provider(
        &mut self,
        organization: OrganizationId,
        id: OidcProviderId,
    ) -> Result<ClaimRules> {
        let rules: Option<ClaimRules> = oidc_rule_lists::table
            .filter(oidc_rule_lists::organization_id.eq(organization))
            .filter(oidc_rule_lists::oidc_provider_id.eq(id))
            .select(oidc_rule_lists::rules.nullable())
            .get_result(self.connection)
            .optional()?;
        Ok(rules.unwrap_or_default())
    }
}
