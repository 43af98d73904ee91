//! Creation and changes of organizations.

use std::collections::BTreeSet;
use std::mem::take;

use diesel::dsl::exists;
use diesel::prelude::*;
use diesel::sql_types::Text;
use quire_database::{sql_files, violated_key};
use quire_domain::Role;
use quire_domain::bounded::IntoText as _;
use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::OrganizationId;
use quire_domain::merge_rules::MergeRules;
use quire_domain::organizations::{DefaultContent, OrganizationUpdate};
use quire_domain::patch::Patch;
use quire_domain::policy::ADMINISTRATOR;
use serde_json::Value;

use crate::content::merge_rules::stored_rules;
use crate::lookup::{Actor, Authorized};
use crate::people::organizations::OrganizationRecord;
use crate::schema::organizations;
use crate::sites::free_path;
use crate::system::SystemTx;
use crate::transaction::Tx;
use crate::{Error, Result};

/// New organization.
#[derive(Clone, Debug, Default, Insertable)]
#[diesel(table_name = organizations)]
pub struct NewOrganization {
    /// Title.
    pub title: String,
    /// E-mail domains of its members.
    pub email_domains: Vec<String>,
    /// Name under which its public content is served.
    pub hostname: Option<String>,
    /// Requested name in the URLs of its sites. A number is appended if it is taken.
    pub slug: String,
    /// `business` or `community`.
    #[diesel(column_name = type_)]
    pub kind: &'static str,
    /// Use case.
    pub use_case: Option<String>,
    /// Kind of community.
    pub community_type: Option<String>,
    /// Role of new members; `None` for guests.
    pub default_role: Option<Role>,
}

sql_files! {
    FindNames(Text) -> Text = "find_names.sql";
}

/// Changes to an organization by the deployment's administrator on the command line. `None` keeps a value.
#[derive(Clone, Debug, Default, AsChangeset)]
#[diesel(table_name = organizations)]
pub struct AdminChanges {
    /// Plan.
    pub plan: Option<String>,
    /// Trial.
    pub trial: Option<Value>,
    /// Billing.
    pub billing: Option<Option<Value>>,
    /// Pending migration to another billing system.
    pub billing_migration: Option<Option<Value>>,
    /// Custom hostname.
    pub custom_hostname: Option<Option<String>>,
    /// Reason of the block; `Some(None)` removes the block.
    pub blocked_reason: Option<Option<String>>,
}

/// Returns the domains without duplicates.
fn distinct(mut domains: Vec<String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    domains.retain(|domain| seen.insert(domain.clone()));
    domains
}

impl Tx<'_> {
    /// Creates an organization with the actor as its administrator.
    ///
    /// # Errors
    /// 409 if its hostname is taken.
    pub fn found_organization(&mut self, actor: Actor, new: NewOrganization) -> Result<OrganizationId> {
        let id = self.insert_organization(new)?;
        self.places.insert(id.into());
        self.put_member(id, actor.user, Some(ADMINISTRATOR))?;
        Ok(id)
    }

    pub(crate) fn insert_organization(&mut self, mut new: NewOrganization) -> Result<OrganizationId> {
        let id = OrganizationId::from_uuid(self.storage.ids().uuid());
        self.record_created("organization", id);
        let address_name = self.address_name(id, new.hostname.as_deref())?;
        new.email_domains = distinct(new.email_domains);
        let wanted = take(&mut new.slug);
        let mut taken: Vec<String> = FindNames::bind((&wanted,)).load(self.connection)?;
        loop {
            new.slug = free_path(&wanted, taken.iter().map(String::as_str));
            let inserted = diesel::insert_into(organizations::table)
                .values((
                    &new,
                    organizations::id.eq(id),
                    organizations::address_name.eq(&address_name),
                    organizations::created_at.eq(self.now),
                ))
                .on_conflict(organizations::slug)
                .do_nothing()
                .execute(self.connection)
                .map_err(taken_hostname)?;
            if inserted > 0 {
                return Ok(id);
            }
            // A concurrent request took the slug.
            taken.push(take(&mut new.slug));
        }
    }

    /// Returns the new hostname of an organization if it can name the organization in URLs: it must not be the slug of
    /// another organization.
    fn address_name(
        &mut self,
        organization: OrganizationId,
        hostname: Option<&str>,
    ) -> Result<Option<String>> {
        let Some(hostname) = hostname else { return Ok(None) };
        let others = organizations::table
            .filter(organizations::slug.eq(hostname))
            .filter(organizations::id.ne(organization));
        let taken: bool = diesel::select(exists(others)).get_result(self.connection)?;
        Ok(Some(hostname.to_owned()).filter(|_| !taken))
    }

    /// Changes a locked organization. The content that it shows first is one of its sites, which cannot be deleted
    /// while the organization is locked.
    ///
    /// # Errors
    /// 400 if there is no such site, or the merge rules name a user who is not a member; 409 if its new hostname is
    /// taken.
    pub fn update_organization(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        mut update: OrganizationUpdate,
    ) -> Result<()> {
        if let Patch::Set(DefaultContent::Site { site }) = &update.default_content {
            self.require_site(organization.id, *site)?;
        }
        self.require_named_members(organization.id, update.merge_rules.as_ref())?;
        let hostname = take(&mut update.hostname).into_text()?.into_option();
        let renamed = hostname.clone().filter(|hostname| *hostname != organization.hostname);
        let address_name = match &renamed {
            Some(hostname) => Some(self.address_name(organization.id, hostname.as_deref())?),
            None => None,
        };
        let domains = update.email_domains.take().into_text()?.map(distinct);
        let content = take(&mut update.default_content).into_option();
        let content = content.map(|content| content.map(serde_json::to_value).transpose()).transpose();
        let content = content
            .map_err(|error| Error::Internal("a reference to a site can't be written", error.into()))?;
        let rules = update.merge_rules.take();
        let rules = rules.map(|rules| stored_rules(&rules, &MergeRules::None)).transpose()?;
        let changes = (
            domains.map(|domains| organizations::email_domains.eq(domains)),
            hostname.map(|hostname| organizations::hostname.eq(hostname)),
            address_name.map(|name| organizations::address_name.eq(name)),
            take(&mut update.default_role).assign(organizations::default_role),
            content.map(|content| organizations::default_content.eq(content)),
            take(&mut update.logo).assign(organizations::logo),
            rules.map(|rules| organizations::merge_rules.eq(rules)),
            update,
        );
        diesel::update(organizations::table.find(organization.id))
            .set(changes)
            .execute(self.connection)
            .optional_empty_changeset()
            .map_err(taken_hostname)?;
        if renamed.is_some() { self.refresh_all_sites(organization.id) } else { Ok(()) }
    }
}

impl SystemTx<'_> {
    /// Changes values that the deployment's administrator sets. At least one field must be given. Returns whether the
    /// organization exists.
    pub fn administrate_organization(
        &mut self,
        organization: OrganizationId,
        changes: &AdminChanges,
    ) -> Result<bool> {
        let changed =
            diesel::update(organizations::table.find(organization)).set(changes).execute(self.connection)?;
        Ok(changed > 0)
    }
}

/// Maps a violated key to its error. The hostname is the only unique value here.
fn taken_hostname(error: diesel::result::Error) -> Error {
    match violated_key(&error) {
        Some("organizations_hostname_key" | "organizations_address_name_key") => {
            let refusal = Refusal::new(Reason::NameTaken).with_message("The hostname is already in use.");
            refusal.at("hostname", "is already in use").into()
        }
        _ => error.into(),
    }
}
