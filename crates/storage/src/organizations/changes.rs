//! Creation and changes of organizations.

use std::collections::BTreeSet;

use diesel::prelude::*;
use quire_domain::Role;
use quire_domain::bounded::IntoText as _;
use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::OrganizationId;
use quire_domain::organizations::{DefaultContent, OrganizationUpdate};
use quire_domain::patch::Patch;
use quire_domain::policy::ADMINISTRATOR;
use serde_json::Value;
use uuid::Uuid;

use crate::error::violated_key;
use crate::lookup::{Actor, Authorized, OrganizationRecord};
use crate::schema::organizations;
use crate::system::SystemTx;
use crate::transaction::Tx;
use crate::{Error, Result};

/// A new organization.
#[derive(Clone, Debug, Default)]
pub struct NewOrganization {
    /// Its title.
    pub title: String,
    /// The e-mail domains of its people.
    pub email_domains: Vec<String>,
    /// The name under which its public content is served.
    pub hostname: Option<String>,
    /// `business` or `community`.
    pub kind: &'static str,
    /// Its use case.
    pub use_case: Option<String>,
    /// Its kind of community.
    pub community_type: Option<String>,
    /// The role that new members get; `None`: guest.
    pub default_role: Option<Role>,
}

/// Changes of an organization by the deployment's administrator, on the command line; `None` keeps.
#[derive(Clone, Debug, Default, AsChangeset)]
#[diesel(table_name = organizations)]
pub struct AdminChanges {
    /// Its plan.
    pub plan: Option<String>,
    /// Its trial.
    pub trial: Option<Value>,
    /// Its billing.
    pub billing: Option<Option<Value>>,
    /// Its pending move to another system of billing.
    pub billing_migration: Option<Option<Value>>,
    /// A hostname of its own.
    pub custom_hostname: Option<Option<String>>,
    /// Reason why it is blocked.
    pub blocked_reason: Option<Option<String>>,
}

#[derive(Insertable)]
#[diesel(table_name = organizations)]
struct NewOrganizationRow<'a> {
    id: Uuid,
    title: &'a str,
    email_domains: Vec<String>,
    hostname: Option<&'a str>,
    type_: &'a str,
    use_case: Option<&'a str>,
    community_type: Option<&'a str>,
    default_role: Option<i16>,
    created_at: time::OffsetDateTime,
}

#[derive(AsChangeset)]
#[diesel(table_name = organizations)]
#[expect(clippy::option_option, reason = "the outer option is whether to write, the inner is what")]
struct OrganizationChangeset {
    title: Option<String>,
    email_domains: Option<Vec<String>>,
    hostname: Option<Option<String>>,
    default_role: Option<Option<i16>>,
    default_content: Option<Option<Value>>,
    logo: Option<Option<String>>,
    sso: Option<bool>,
    ai: Option<bool>,
    invite_links: Option<bool>,
}

impl OrganizationChangeset {
    fn of(update: OrganizationUpdate) -> Result<Self> {
        let default_content = update.default_content.into_option();
        let default_content = default_content.map(|content| content.map(serde_json::to_value).transpose());
        Ok(Self {
            title: update.title.into_text()?,
            email_domains: update.email_domains.into_text()?.map(lowercase),
            hostname: update.hostname.into_text()?.into_option(),
            default_role: update.default_role.into_option().map(|role| role.map(Role::rank)),
            default_content: default_content
                .transpose()
                .map_err(|error| Error::Internal("a reference to a site can't be written", error.into()))?,
            logo: update.logo.into_text()?.into_option(),
            sso: update.sso,
            ai: update.ai,
            invite_links: update.invite_links,
        })
    }
}

/// Returns distinct domains in lowercase, the form in which they are stored and compared.
fn lowercase(domains: Vec<String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let lower = domains.into_iter().map(|domain| domain.to_lowercase());
    lower.filter(|domain| seen.insert(domain.clone())).collect()
}

impl Tx<'_> {
    /// Makes an organization that the actor administrates.
    ///
    /// # Errors
    /// 409 when its hostname is taken.
    pub fn found_organization(&mut self, actor: Actor, new: &NewOrganization) -> Result<OrganizationId> {
        let id = self.insert_organization(new)?;
        self.put_member(id, actor.user, Some(ADMINISTRATOR))?;
        Ok(id)
    }

    pub(crate) fn insert_organization(&mut self, new: &NewOrganization) -> Result<OrganizationId> {
        let id = OrganizationId::from_uuid(self.storage.ids().uuid());
        self.record_created("organization", id);
        let row = NewOrganizationRow {
            id: *id.as_uuid(),
            title: &new.title,
            email_domains: lowercase(new.email_domains.clone()),
            hostname: new.hostname.as_deref(),
            type_: new.kind,
            use_case: new.use_case.as_deref(),
            community_type: new.community_type.as_deref(),
            default_role: new.default_role.map(Role::rank),
            created_at: self.now.into(),
        };
        diesel::insert_into(organizations::table)
            .values(row)
            .execute(self.connection)
            .map_err(taken_hostname)?;
        Ok(id)
    }

    /// Changes a locked organization. What it shows first is one of its sites, which can't be deleted while it is
    /// locked.
    ///
    /// # Errors
    /// 400 when there is no such site, 409 when its new hostname is taken.
    pub fn update_organization(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        update: OrganizationUpdate,
    ) -> Result<()> {
        if let Patch::Set(DefaultContent::Site { site }) = &update.default_content {
            self.require_site(organization.id, *site)?;
        }
        diesel::update(organizations::table.find(organization.id.as_uuid()))
            .set(OrganizationChangeset::of(update)?)
            .execute(self.connection)
            .optional_empty_changeset()
            .map_err(taken_hostname)?;
        Ok(())
    }
}

impl SystemTx<'_> {
    /// Sets what the deployment's administrator decides of an organization; at least one field must be given. Answers
    /// whether there is such an organization.
    pub fn administrate_organization(
        &mut self,
        organization: OrganizationId,
        changes: &AdminChanges,
    ) -> Result<bool> {
        let changed = diesel::update(organizations::table.find(organization.as_uuid()))
            .set(changes)
            .execute(self.connection)?;
        Ok(changed > 0)
    }
}

/// The hostname is the one thing of an organization that two of them can't share.
fn taken_hostname(error: diesel::result::Error) -> Error {
    match violated_key(&error) {
        Some("organizations_hostname_key") => {
            let refusal = Refusal::new(Reason::NameTaken).with_message("The hostname is taken.");
            refusal.at("hostname", "is taken").into()
        }
        _ => error.into(),
    }
}
