//! Changes to SAML providers.

use std::mem::take;

use diesel::prelude::*;
use diesel::sql_types::Uuid as SqlUuid;
use quire_database::sql_files;
use quire_domain::bounded::IntoText as _;
use quire_domain::bounds::SAML_PROVIDERS_MAX;
use quire_domain::claim_rules::ClaimRuleInput;
use quire_domain::error::Reason;
use quire_domain::ids::{OrganizationId, SamlProviderId, TeamId};
use quire_domain::patch::Patch;
use quire_domain::saml::{SamlProviderCreate, SamlProviderUpdate};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::SamlProviderRecord;
use crate::lookup::{Authorized, InOrganization};
use crate::people::organizations::OrganizationRecord;
use crate::people::providers::provider_changes;
use crate::schema::{saml_claim_rules, saml_identities, saml_provider_teams, saml_providers};
use crate::transaction::Tx;
use crate::{Error, Result};

sql_files! {
    PutTeam(SqlUuid, SqlUuid, SqlUuid) = "put_team.sql";
}

provider_changes! {
    SamlProviderRecord, SamlProviderId, saml_providers, saml_provider_teams, PutTeam,
    saml_identities, saml_claim_rules by saml_provider_id;
    delete_saml_provider, keep_saml_test, end_saml_identities, put_saml_team, put_saml_rules
}

impl Tx<'_> {
    /// Creates a SAML provider.
    ///
    /// # Errors
    /// 400 for teams that do not exist, 409 if the organization has the maximum number of providers.
    pub fn create_saml_provider(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        provider: SamlProviderCreate,
    ) -> Result<SamlProviderRecord> {
        let SamlProviderCreate {
            label,
            entity_id,
            certificate,
            sso_url,
            default_team,
            default_role,
            claim_rules,
        } = provider;
        self.lock_organization(organization.id)?;
        let count = self.count_saml_providers(organization.id)?;
        if u64::try_from(count).unwrap_or(0) >= SAML_PROVIDERS_MAX {
            let message = format!("An organization can have at most {SAML_PROVIDERS_MAX} SAML providers.");
            return Err(Error::refused(Reason::TooMany, message));
        }
        let id = SamlProviderId::from_uuid(self.storage.ids().uuid());
        self.record_created("saml-provider", id);
        diesel::insert_into(saml_providers::table)
            .values((
                saml_providers::organization_id.eq(organization.id),
                saml_providers::id.eq(id),
                saml_providers::label.eq(label.into_text()?),
                saml_providers::sso_url.eq(sso_url.into_text()?),
                saml_providers::entity_id.eq(entity_id.into_text()?),
                saml_providers::certificate.eq(certificate.into_text()?),
                saml_providers::default_role.eq(default_role),
                saml_providers::created_at.eq(self.now),
            ))
            .execute(self.connection)?;
        self.put_saml_team(organization.id, id, default_team.map_or(Patch::Keep, Patch::Set))?;
        self.put_saml_rules(organization.id, id, Some(claim_rules))?;
        self.read_saml_provider(organization, id, organization.actor())
    }

    /// Locks a SAML provider until the transaction ends and reads it again.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it was deleted.
    pub fn lock_saml_provider(
        &mut self,
        provider: Authorized<InOrganization<SamlProviderRecord>>,
    ) -> Result<Authorized<InOrganization<SamlProviderRecord>>> {
        let (organization, id) = (provider.organization.id, provider.item.id);
        saml_providers::table
            .find((organization, id))
            .for_update()
            .select(saml_providers::id)
            .get_result::<Uuid>(self.connection)
            .optional()?
            .ok_or(Error::NotFound)?;
        let item = self.read_saml_provider(&provider.organization, id, provider.actor())?;
        Ok(provider.map(|provider| InOrganization { item, ..provider }))
    }

    /// Changes a locked SAML provider and returns the new record. A new entity id means another provider with other
    /// subjects, so all identities are removed.
    ///
    /// # Errors
    /// 400 for teams that do not exist.
    pub fn update_saml_provider(
        &mut self,
        provider: &Authorized<InOrganization<SamlProviderRecord>>,
        mut update: SamlProviderUpdate,
    ) -> Result<SamlProviderRecord> {
        let (organization, id) = (provider.organization.id, provider.item.id);
        let (entity_id, default_team) = (update.entity_id.clone().into_text()?, update.default_team);
        let claim_rules = update.claim_rules.take();
        let is_another = entity_id.is_some() && entity_id != provider.item.entity_id;
        let changes = (take(&mut update.default_role).assign(saml_providers::default_role), update);
        diesel::update(saml_providers::table.find((organization, id)))
            .set(changes)
            .execute(self.connection)
            .optional_empty_changeset()?;
        if is_another {
            self.end_saml_identities(organization, id)?;
        }
        self.put_saml_team(organization, id, default_team)?;
        self.put_saml_rules(organization, id, claim_rules)?;
        self.read_saml_provider(&provider.organization, id, provider.actor())
    }
}
