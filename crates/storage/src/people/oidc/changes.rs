//! Changes to OpenID Connect providers.

use std::mem::take;

use diesel::prelude::*;
use diesel::sql_types::Uuid as SqlUuid;
use quire_database::sql_files;
use quire_domain::bounded::IntoText as _;
use quire_domain::bounds::OIDC_PROVIDERS_MAX;
use quire_domain::claim_rules::ClaimRuleInput;
use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::{OidcProviderId, OrganizationId, TeamId};
use quire_domain::oidc::{OidcProviderCreate, OidcProviderUpdate};
use quire_domain::patch::Patch;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{OidcProviderRecord, SEAL};
use crate::lookup::{Authorized, InOrganization};
use crate::people::organizations::OrganizationRecord;
use crate::people::providers::provider_changes;
use crate::schema::{oidc_claim_rules, oidc_identities, oidc_provider_teams, oidc_providers};
use crate::transaction::Tx;
use crate::{Error, Result};

sql_files! {
    PutTeam(SqlUuid, SqlUuid, SqlUuid) = "put_team.sql";
}

provider_changes! {
    OidcProviderRecord, OidcProviderId, oidc_providers, oidc_provider_teams, PutTeam,
    oidc_identities, oidc_claim_rules by oidc_provider_id;
    delete_oidc_provider, keep_oidc_test, end_oidc_identities, put_oidc_team, put_oidc_rules
}

impl Tx<'_> {
    /// Creates an OpenID Connect provider. Its secret is stored encrypted.
    ///
    /// # Errors
    /// 400 for teams that do not exist, 409 if the organization has the maximum number of providers.
    pub fn create_oidc_provider(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        provider: OidcProviderCreate,
    ) -> Result<OidcProviderRecord> {
        let OidcProviderCreate {
            label,
            issuer,
            client_id,
            client_secret,
            default_team,
            default_role,
            claim_rules,
        } = provider;
        self.lock_organization(organization.id)?;
        let count = self.count_oidc_providers(organization.id)?;
        if u64::try_from(count).unwrap_or(0) >= OIDC_PROVIDERS_MAX {
            let message =
                format!("An organization can have at most {OIDC_PROVIDERS_MAX} OpenID Connect providers.");
            return Err(Error::refused(Reason::TooMany, message));
        }
        let id = OidcProviderId::from_uuid(self.storage.ids().uuid());
        self.record_created("oidc-provider", id);
        let secret = self.seal(SEAL)?.seal(&id.to_string(), client_secret.into_text()?.as_bytes())?;
        diesel::insert_into(oidc_providers::table)
            .values((
                oidc_providers::organization_id.eq(organization.id),
                oidc_providers::id.eq(id),
                oidc_providers::label.eq(label.into_text()?),
                oidc_providers::issuer.eq(issuer.into_text()?),
                oidc_providers::client_id.eq(client_id.into_text()?),
                oidc_providers::client_secret.eq(secret),
                oidc_providers::default_role.eq(default_role),
                oidc_providers::created_at.eq(self.now),
            ))
            .execute(self.connection)?;
        self.put_oidc_team(organization.id, id, default_team.map_or(Patch::Keep, Patch::Set))?;
        self.put_oidc_rules(organization.id, id, Some(claim_rules))?;
        self.read_oidc_provider(organization.id, id)
    }

    /// Locks an OpenID Connect provider until the transaction ends and reads it again.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it was deleted.
    pub fn lock_oidc_provider(
        &mut self,
        provider: Authorized<InOrganization<OidcProviderRecord>>,
    ) -> Result<Authorized<InOrganization<OidcProviderRecord>>> {
        let (organization, id) = (provider.organization.id, provider.item.id);
        oidc_providers::table
            .find((organization, id))
            .for_update()
            .select(oidc_providers::id)
            .get_result::<Uuid>(self.connection)
            .optional()?
            .ok_or(Error::NotFound)?;
        let item = self.read_oidc_provider(organization, id)?;
        Ok(provider.map(|provider| InOrganization { item, ..provider }))
    }

    /// Changes a locked OpenID Connect provider and returns the new record. A new issuer requires a new secret, so that
    /// the old secret is never sent to it. Its subjects differ, so all identities are removed.
    ///
    /// # Errors
    /// 400 for teams that do not exist, and for a new issuer without a secret.
    pub fn update_oidc_provider(
        &mut self,
        provider: &Authorized<InOrganization<OidcProviderRecord>>,
        mut update: OidcProviderUpdate,
    ) -> Result<OidcProviderRecord> {
        let (organization, id) = (provider.organization.id, provider.item.id);
        let (issuer, default_team) = (update.issuer.clone().into_text()?, update.default_team);
        let (client_secret, claim_rules) =
            (update.client_secret.take().into_text()?, update.claim_rules.take());
        let is_another = issuer.is_some_and(|issuer| issuer != provider.item.issuer);
        if is_another && client_secret.is_none() {
            let refusal = Refusal::new(Reason::InvalidBody).with_message("The client secret is missing.");
            return Err(refusal.at("clientSecret", "is required when `issuer` changes").into());
        }
        let client_secret = match client_secret {
            Some(secret) => Some(self.seal(SEAL)?.seal(&id.to_string(), secret.as_bytes())?),
            None => None,
        };
        let changes = (
            client_secret.map(|secret| oidc_providers::client_secret.eq(secret)),
            take(&mut update.default_role).assign(oidc_providers::default_role),
            update,
        );
        diesel::update(oidc_providers::table.find((organization, id)))
            .set(changes)
            .execute(self.connection)
            .optional_empty_changeset()?;
        if is_another {
            self.end_oidc_identities(organization, id)?;
        }
        self.put_oidc_team(organization, id, default_team)?;
        self.put_oidc_rules(organization, id, claim_rules)?;
        self.read_oidc_provider(organization, id)
    }
}
