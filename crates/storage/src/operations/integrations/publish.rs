//! Publication of integrations.

use diesel::prelude::*;
use diesel::query_dsl::methods;
use diesel::upsert::excluded;
use quire_database::functions::split_part;
use quire_domain::error::Reason;
use quire_domain::ids::{IntegrationId, OrganizationId};
use quire_domain::integrations::{
    IntegrationBlock, IntegrationCategory, IntegrationPublish, IntegrationScope, IntegrationTarget,
    IntegrationVisibility,
};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use uuid::Uuid;

use super::images::Image;
use super::queries::IntegrationAt;
use crate::lookup::{ActorRow, Authorized, Found};
use crate::people::organizations::OrganizationRecord;
use crate::schema::integrations;
use crate::system::SystemTx;
use crate::transaction::{Reader, Tx};
use crate::views::{Access, organization_access};
use crate::{Error, Result};

/// Deployment key that seals scripts and secrets.
const SEAL: &str = "integrations";

/// Script and secrets of an integration.
#[derive(Clone, PartialEq, Eq)]
pub struct Program {
    /// Content of the script.
    pub script: String,
    /// Secrets that are passed to the script, by name.
    pub secrets: BTreeMap<String, String>,
}

/// Outcome of a publication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Published {
    /// First version of a new name.
    First,
    /// New version of an existing integration.
    Again,
}

impl Reader<'_> {
    /// Returns the organization with this id or subdomain, for its members. Takes one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] if it does not exist or the actor is not one of its members.
    pub fn organization_by_key(&mut self, key: &str) -> Result<Found<OrganizationRecord>> {
        if let Ok(id) = key.parse::<OrganizationId>() {
            return self.organization(id);
        }
        let subdomain = split_part(organization_access::hostname.assume_not_null(), ".", 1);
        let row: Option<(ActorRow, OrganizationRecord)> = organization_access::table
            .filter(self.token_is_valid::<organization_access::table>())
            .filter(organization_access::is_member)
            .filter(subdomain.eq(key.to_ascii_lowercase()))
            .order(organization_access::id)
            .limit(1)
            .select((organization_access::table::actor(), OrganizationRecord::as_select()))
            .get_result(self.connection)
            .optional()?;
        let Some((actor, organization)) = row else { return self.not_found() };
        self.found_organization(actor, organization)
    }
}

impl Tx<'_> {
    /// Publishes an integration with its icon and previews: the first version of a new name, or the next version of a
    /// name of the organization.
    ///
    /// # Errors
    /// 409 if the name belongs to another organization.
    pub fn publish_integration(
        &mut self,
        owner: &Authorized<OrganizationRecord>,
        name: &str,
        new: IntegrationPublish,
        (icon, previews): (Option<&Image>, &[Image]),
    ) -> Result<Published> {
        let seal = self.seal(SEAL)?;
        let script = seal.seal(name, new.script.into_text()?.as_bytes())?;
        let secrets = seal.seal(name, json(&new.secrets)?.to_string().as_bytes())?;
        let domains: Vec<String> = new.blocks.iter().flatten().flat_map(IntegrationBlock::domains).collect();
        let now = self.now;
        let insert = diesel::insert_into(integrations::table)
            .values((
                integrations::id.eq(self.storage.ids().uuid()),
                integrations::organization_id.eq(owner.id),
                integrations::name.eq(name),
                integrations::version.eq(1),
                integrations::title.eq(new.title),
                integrations::description.eq(new.description),
                integrations::summary.eq(new.summary),
                integrations::target.eq(new.target.unwrap_or(IntegrationTarget::All)),
                integrations::visibility.eq(new.visibility.unwrap_or(IntegrationVisibility::Private)),
                integrations::scopes.eq(words(&new.scopes, IntegrationScope::as_str)),
                integrations::categories.eq(words(&new.categories, IntegrationCategory::as_str)),
                integrations::blocks.eq(new.blocks.as_ref().map(json).transpose()?),
                integrations::block_domains.eq(domains),
                integrations::content_sources.eq(new.content_sources.as_ref().map(json).transpose()?),
                integrations::configurations.eq(new.configurations.as_ref().map(json).transpose()?),
                integrations::external_links.eq(json(&new.external_links)?),
                integrations::content_security_policy.eq(new
                    .content_security_policy
                    .as_ref()
                    .map(json)
                    .transpose()?),
                integrations::script.eq(script),
                integrations::secrets.eq(secrets),
                integrations::created_at.eq(now),
                integrations::updated_at.eq(now),
            ))
            .on_conflict(integrations::name)
            .do_update()
            .set((
                integrations::version.eq(integrations::version + 1),
                integrations::title.eq(excluded(integrations::title)),
                integrations::description.eq(excluded(integrations::description)),
                integrations::summary.eq(excluded(integrations::summary)),
                integrations::target.eq(excluded(integrations::target)),
                integrations::visibility.eq(excluded(integrations::visibility)),
                integrations::scopes.eq(excluded(integrations::scopes)),
                integrations::categories.eq(excluded(integrations::categories)),
                integrations::blocks.eq(excluded(integrations::blocks)),
                integrations::block_domains.eq(excluded(integrations::block_domains)),
                integrations::content_sources.eq(excluded(integrations::content_sources)),
                integrations::configurations.eq(excluded(integrations::configurations)),
                integrations::external_links.eq(excluded(integrations::external_links)),
                integrations::content_security_policy.eq(excluded(integrations::content_security_policy)),
                integrations::script.eq(excluded(integrations::script)),
                integrations::secrets.eq(excluded(integrations::secrets)),
                integrations::updated_at.eq(excluded(integrations::updated_at)),
            ));
        // `QueryDsl` has a method of the same name for tables.
        let same_owner = integrations::organization_id.eq(excluded(integrations::organization_id));
        let row: Option<(Uuid, i32)> = methods::FilterDsl::filter(insert, same_owner)
            .returning((integrations::id, integrations::version))
            .get_result(self.connection)
            .optional()?;
        let Some((id, version)) = row else {
            let message = format!("Another organization already has an integration named `{name}`.");
            return Err(Error::refused(Reason::NameTaken, message));
        };
        self.put_integration_images(IntegrationId::from_uuid(id), icon, previews)?;
        self.record_created("integration", name);
        Ok(if version == 1 { Published::First } else { Published::Again })
    }

    /// Returns the script and the decrypted secrets of an integration, to execute it. Responses never contain them.
    ///
    /// # Errors
    /// A script or secrets that were encrypted by another deployment.
    pub fn integration_program(&mut self, integration: &Authorized<IntegrationAt>) -> Result<Program> {
        let seal = self.seal(SEAL)?;
        let (script, secrets): (Vec<u8>, Vec<u8>) = integrations::table
            .find(integration.item.id)
            .select((integrations::script, integrations::secrets))
            .first(self.connection)?;
        let name = &integration.item.name;
        let damaged = |error: anyhow::Error| Error::corrupt("a program is damaged", error);
        let script = String::from_utf8(seal.open(name, &script)?).map_err(|error| damaged(error.into()))?;
        let secrets =
            serde_json::from_slice(&seal.open(name, &secrets)?).map_err(|error| damaged(error.into()))?;
        Ok(Program { script, secrets })
    }

    /// Unpublishes an integration, and deletes all of its installations.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it was already unpublished.
    pub fn unpublish_integration(&mut self, integration: &Authorized<IntegrationAt>) -> Result<()> {
        self.record_tenant(integration.owner.id, None);
        let owned = integrations::organization_id.eq(integration.owner.id);
        let integration = integrations::table.find(integration.item.id).filter(owned);
        let deleted = diesel::delete(integration).execute(self.connection)?;
        if deleted == 0 { Err(Error::NotFound) } else { Ok(()) }
    }
}

impl SystemTx<'_> {
    /// Returns the organization that published an integration of this name.
    pub fn integration_owner(&mut self, name: &str) -> Result<Option<OrganizationId>> {
        let owner: Option<Uuid> = integrations::table
            .filter(integrations::name.eq(name.replace('\0', " ")))
            .select(integrations::organization_id)
            .get_result(self.connection)
            .optional()?;
        Ok(owner.map(OrganizationId::from_uuid))
    }

    /// Sets whether the operators of the deployment have verified an integration. Returns whether there is an
    /// integration with this name.
    pub fn verify_integration(&mut self, name: &str, verified: bool) -> Result<bool> {
        let integration = integrations::table.filter(integrations::name.eq(name.replace('\0', " ")));
        let changed =
            diesel::update(integration).set(integrations::verified.eq(verified)).execute(self.connection)?;
        Ok(changed == 1)
    }
}

fn json(value: &impl Serialize) -> Result<Value> {
    serde_json::to_value(value)
        .map_err(|error| Error::Internal("a part of an integration can't be written", error.into()))
}

/// Returns the names of values, without duplicates.
fn words<T: Copy>(values: &[T], word: fn(T) -> &'static str) -> Vec<&'static str> {
    let words: std::collections::BTreeSet<&str> = values.iter().map(|value| word(*value)).collect();
    words.into_iter().collect()
}
