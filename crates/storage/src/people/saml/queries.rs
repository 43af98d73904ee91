//! Lookups and lists of SAML providers.

use diesel::dsl;
use diesel::prelude::*;
use quire_domain::claim_rules::ClaimRules;
use quire_domain::ids::{OrganizationId, SamlProviderId};
use quire_domain::policy::Action;

use super::{SamlProviderRecord, SamlSettings, UsableSamlProvider};
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::{Actor, Authorized, Found, InOrganization};
use crate::people::organizations::OrganizationRecord;
use crate::schema::{organizations, saml_providers};
use crate::transaction::Reader;
use crate::views::{Access, organization_access, saml_default_teams, saml_rule_lists};
use crate::{Error, Result};

/// Returns the join condition for the default team of a provider.
#[dsl::auto_type(no_type_alias)]
fn of_provider() -> _ {
    saml_default_teams::organization_id
        .eq(saml_providers::organization_id)
        .and(saml_default_teams::saml_provider_id.eq(saml_providers::id))
}

/// Returns the join condition for the rules of a provider.
#[dsl::auto_type(no_type_alias)]
fn rules_of_provider() -> _ {
    saml_rule_lists::organization_id
        .eq(saml_providers::organization_id)
        .and(saml_rule_lists::saml_provider_id.eq(saml_providers::id))
}

impl Reader<'_> {
    /// Returns the SAML provider of an organization with this id. Takes one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`](crate::Error), or [`Error::NotFound`](crate::Error) if it does not exist.
    pub fn saml_provider(
        &mut self,
        organization: OrganizationId,
        id: SamlProviderId,
    ) -> Result<Found<InOrganization<SamlProviderRecord>>> {
        let of_token = saml_default_teams::token_id.eq(organization_access::token_id);
        let row = organization_access::table
            .inner_join(saml_providers::table.on(saml_providers::organization_id.eq(organization_access::id)))
            .left_join(saml_default_teams::table.on(of_provider().and(of_token)))
            .left_join(saml_rule_lists::table.on(rules_of_provider()))
            .filter(self.token_is_valid::<organization_access::table>())
            .filter(organization_access::is_member)
            .filter(organization_access::id.eq(organization))
            .filter(saml_providers::id.eq(id))
            .select((
                organization_access::table::actor(),
                OrganizationRecord::as_select(),
                SamlProviderRecord::as_select(),
            ))
            .get_result(self.connection);
        self.found_in_organization(row, organization, Action::InspectOrganization)
    }

    /// Returns the SAML providers of an organization, newest first. Takes two statements.
    pub fn saml_providers_of(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        after: Option<SamlProviderId>,
        limit: u16,
    ) -> Result<Slice<SamlProviderRecord>> {
        let of_token = saml_default_teams::token_id.eq(organization.actor().token);
        let rows = saml_providers::table
            .left_join(saml_default_teams::table.on(of_provider().and(of_token)))
            .left_join(saml_rule_lists::table.on(rules_of_provider()))
            .filter(saml_providers::organization_id.eq(organization.id))
            .filter(saml_providers::id.lt(page_end(after)))
            .order(saml_providers::id.desc())
            .limit(fetch_limit(limit))
            .select(SamlProviderRecord::as_select())
            .load(self.connection)?;
        let total = self.count_saml_providers(organization.id)?;
        Ok(Slice::cut(rows, limit, total))
    }

    /// Returns a SAML provider for a sign-in. Takes two statements.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error) if there is no such provider.
    pub fn usable_saml_provider(&mut self, id: SamlProviderId) -> Result<UsableSamlProvider> {
        let row = saml_providers::table
            .inner_join(organizations::table)
            .filter(saml_providers::id.eq(id))
            .select((
                saml_providers::organization_id,
                organizations::blocked_reason.is_not_null(),
                saml_providers::default_role,
                Option::<SamlSettings>::as_select(),
                saml_providers::encryption_certificate,
            ))
            .get_result::<(_, _, _, Option<SamlSettings>, _)>(self.connection)
            .optional()?;
        let (organization, is_blocked, default_role, settings, encryption_certificate) =
            row.ok_or(Error::NotFound)?;
        let claim_rules = self.rules_of_saml_provider(organization, id)?;
        self.record_tenant(organization, None);
        Ok(UsableSamlProvider {
            organization,
            is_blocked,
            id,
            default_role,
            claim_rules,
            settings,
            encryption_certificate,
        })
    }

    /// Returns the number of SAML providers of an organization.
    pub(super) fn count_saml_providers(&mut self, organization: OrganizationId) -> Result<i64> {
        let providers = saml_providers::table.filter(saml_providers::organization_id.eq(organization));
        Ok(providers.count().get_result(self.connection)?)
    }

    /// Returns a SAML provider with the facts that depend on the actor.
    pub(super) fn read_saml_provider(
        &mut self,
        organization: &OrganizationRecord,
        id: SamlProviderId,
        reader: Actor,
    ) -> Result<SamlProviderRecord> {
        let of_token = saml_default_teams::token_id.eq(reader.token);
        let provider = saml_providers::table
            .left_join(saml_default_teams::table.on(of_provider().and(of_token)))
            .left_join(saml_rule_lists::table.on(rules_of_provider()))
            .filter(saml_providers::organization_id.eq(organization.id))
            .filter(saml_providers::id.eq(id))
            .select(SamlProviderRecord::as_select())
            .get_result(self.connection)?;
        Ok(provider)
    }

    /// Returns the rules of a provider.
    fn rules_of_saml_provider(
        &mut self,
        organization: OrganizationId,
        id: SamlProviderId,
    ) -> Result<ClaimRules> {
        let rules: Option<ClaimRules> = saml_rule_lists::table
            .filter(saml_rule_lists::organization_id.eq(organization))
            .filter(saml_rule_lists::saml_provider_id.eq(id))
            .select(saml_rule_lists::rules.nullable())
            .get_result(self.connection)
            .optional()?;
        Ok(rules.unwrap_or_default())
    }
}
