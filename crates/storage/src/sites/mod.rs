//! Sites with their sections and spaces, their lookup by visitors ([`published`]), and the programs that cache them
//! ([`renderers`]).
//!
//! Each change of a site or a part of it first locks the site's row ([`Tx::lock_site`]), so that positions, paths and
//! defaults never collide. The rows of spaces are locked after it, and before their site spaces.

mod address;
mod groups;
mod hostnames;
mod list;
mod lookup;
mod order;
mod publication;
pub mod published;
pub(crate) mod purges;
mod redirect_board;
mod redirects;
pub mod renderers;
mod sections;
mod settings;
mod share_links;
mod spaces;
mod structure;

use std::mem::take;

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::Error as DieselError;
use diesel::sql_types::{Binary, Text, Timestamptz, Uuid as SqlUuid};
use quire_database::{sql_files, violated_key};
use quire_domain::bounded::IntoText as _;
use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::{OrganizationId, SiteId};
use quire_domain::localized::Localized;
use quire_domain::patch::Patch;
use quire_domain::sites::{SiteType, SiteUpdate, SiteVisibility};
use serde_json::Value;
use uuid::Uuid;

pub use self::lookup::{ReadableSite, SiteRecord, VisitedSite};
pub use address::{HostnameProof, HostnameRules};
pub use list::SiteFilter;
pub(crate) use order::free_path;
pub use publication::SharedSpace;
pub(crate) use publication::{AddressOnSite, VisibilityChange, visibility_event};
pub use redirect_board::{RedirectChange, RedirectValues};
pub use redirects::RedirectKey;
pub(crate) use share_links::{key_digest, key_hash};
pub use structure::{Group, Section, SiteSpaceRecord};

use self::address::Address;
use crate::lookup::Authorized;
use crate::people::organizations::OrganizationRecord;
use crate::schema::{organizations, sites};
use crate::sites::purges::Purge;
use crate::transaction::Tx;
use crate::{Error, Result};

/// Site that is locked until the transaction ends.
#[derive(Clone, Debug)]
pub struct LockedSite(Authorized<SiteRecord>);

impl std::ops::Deref for LockedSite {
    type Target = Authorized<SiteRecord>;

    fn deref(&self) -> &Authorized<SiteRecord> {
        &self.0
    }
}

impl<'a> From<&'a LockedSite> for ReadableSite<'a> {
    fn from(site: &'a LockedSite) -> Self {
        Self::from(&site.0)
    }
}

impl LockedSite {
    /// Returns the ids of the organization and the site, which every statement on parts of the site needs.
    fn keys(&self) -> (OrganizationId, SiteId) {
        (self.organization, self.id)
    }

    /// Returns the primary key of a part of the site.
    fn key_of(&self, part: impl Into<Uuid>) -> (OrganizationId, SiteId, Uuid) {
        (self.organization, self.id, part.into())
    }
}

sql_files! {
    FindNames(SqlUuid, Text, SqlUuid) -> Text = "find_names.sql";
    LockSite(Binary, Timestamptz, SqlUuid, SqlUuid) -> dsl::SqlTypeOf<dsl::AsSelect<SiteRecord, Pg>>
        = "lock.sql";
}

impl Tx<'_> {
    /// Creates an empty, unpublished site. `slug` is the requested name in its address; a number is appended if it is
    /// taken. `visibility` is the audience once it is published.
    pub fn create_site(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        kind: SiteType,
        title: &str,
        slug: &str,
        visibility: SiteVisibility,
    ) -> Result<SiteId> {
        let id = SiteId::from_uuid(self.storage.ids().uuid());
        self.record_created("site", id);
        let mut taken = self.names_of_other_sites(organization.id, slug, id)?;
        loop {
            let slug = free_path(slug, taken.iter().map(String::as_str));
            let inserted = diesel::insert_into(sites::table)
                .values((
                    sites::organization_id.eq(organization.id),
                    sites::id.eq(id),
                    sites::type_.eq(kind.as_str()),
                    sites::title.eq(title),
                    sites::slug.eq(&slug),
                    sites::visibility.eq(visibility.as_str()),
                    sites::created_at.eq(self.now),
                ))
                .on_conflict((sites::organization_id, sites::slug))
                .do_nothing()
                .execute(self.connection)?;
            if inserted > 0 {
                return Ok(id);
            }
            // A concurrent request took the slug.
            taken.push(slug);
        }
    }

    fn names_of_other_sites(
        &mut self,
        organization: OrganizationId,
        name: &str,
        site: SiteId,
    ) -> Result<Vec<String>> {
        Ok(FindNames::bind((organization, name, site)).load(self.connection)?)
    }

    /// Assigns another slug to the site that has this name as its slug: a basename, which is set by a person, takes
    /// precedence.
    fn take_slug(&mut self, site: &LockedSite, name: &str) -> Result<()> {
        let (organization, id) = site.keys();
        let other: Option<Uuid> = sites::table
            .filter(sites::organization_id.eq(organization))
            .filter(sites::slug.eq(name))
            .filter(sites::id.ne(id))
            .select(sites::id)
            .get_result(self.connection)
            .optional()?;
        let Some(other) = other else { return Ok(()) };
        let mut taken = self.names_of_other_sites(site.organization, name, SiteId::from_uuid(other))?;
        taken.push(name.to_owned());
        let slug = free_path(name, taken.iter().map(String::as_str));
        diesel::update(sites::table.find((organization, other)))
            .set(sites::slug.eq(slug))
            .execute(self.connection)?;
        self.refresh_sites(site.organization, vec![SiteId::from_uuid(other)])
    }

    /// Locks a site until the transaction ends and reads it again, because it may have changed after its lookup. The
    /// cached content of its renderer is purged after the transaction.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it was deleted.
    pub fn lock_site(&mut self, site: Authorized<SiteRecord>) -> Result<LockedSite> {
        let fresh: SiteRecord =
            LockSite::bind((self.credentials.token_hash.as_slice(), self.now, site.organization, site.id))
                .get_result(self.connection)
                .optional()?
                .ok_or(Error::NotFound)?;
        self.purge(site.organization, Purge::site(site.id));
        Ok(LockedSite(site.map(|_| fresh)))
    }

    /// Changes a site and returns the new record. An address with an unproven host name becomes pending.
    ///
    /// # Errors
    /// 400 for a default that is not on the site; 409 if the basename or the host name is taken.
    pub fn update_site(
        &mut self,
        site: LockedSite,
        mut update: SiteUpdate,
        proof: &HostnameProof<'_>,
    ) -> Result<LockedSite> {
        let before = site.0.clone();
        let basename = take(&mut update.basename).into_text()?.apply(before.basename.clone());
        let is_addressed = !update.hostname.is_keep() || !update.proxy.is_keep();
        let named = take(&mut update.hostname).into_text()?;
        let named = Address::of(&before.hostname, &before.pending_hostname).set(named);
        let proxied = take(&mut update.proxy).into_text()?;
        let proxied = Address::of(&before.proxy_origin, &before.pending_proxy_origin).set(proxied);
        let (section, site_space) = (update.default_site_section, update.default_site_space);
        let changes = (
            sites::basename.eq(basename.as_deref()),
            sites::hostname.eq(named.live.as_deref()),
            sites::pending_hostname.eq(named.pending.as_deref()),
            sites::proxy_origin.eq(proxied.live.as_deref()),
            sites::pending_proxy_origin.eq(proxied.pending.as_deref()),
            update.adaptive_content.take().map(|content| sites::adaptive_content.eq(content.enabled)),
            update,
        );
        let (organization, id) = site.keys();
        if let Some(name) = basename.as_deref().filter(|name| before.basename.as_deref() != Some(*name)) {
            self.take_slug(&site, name)?;
        }
        diesel::update(sites::table.find((organization, id)))
            .set(changes)
            .execute(self.connection)
            .map_err(name_taken)?;
        if is_addressed {
            self.claim_hostnames(&site, [("hostname", named.pending), ("proxy", proxied.pending)], proof)?;
        }
        let restructured = section.is_some() || site_space.is_some();
        if let Some(section) = section {
            self.make_section_default(&site, section)?;
        }
        if let Some(site_space) = site_space {
            self.make_site_space_default(&site, site_space)?;
        }
        let after = self.lock_site(site.0)?;
        self.release_hostnames(&before, Some(&after))?;
        if let Some(host) = before.own_host().filter(|host| after.own_host() != Some(host)) {
            self.purge(after.organization, [Purge::host(after.id, host)]);
        }
        if restructured || after.address() != before.address() || after.visibility != before.visibility {
            self.refresh_site(&after)?;
        }
        Ok(after)
    }

    /// Publishes a site to the audience of its visibility, or unpublishes it.
    pub fn publish_site(&mut self, site: LockedSite, published: bool) -> Result<LockedSite> {
        if site.published == published {
            return Ok(site);
        }
        let (organization, id) = site.keys();
        diesel::update(sites::table.find((organization, id)))
            .set(sites::published.eq(published))
            .execute(self.connection)?;
        self.refresh_site(&site)?;
        self.lock_site(site.0)
    }

    /// Checks that a site for the default content of an organization exists.
    pub(crate) fn require_site(&mut self, organization: OrganizationId, site: SiteId) -> Result<()> {
        let site = sites::table.find((organization, site)).select(sites::id);
        match site.get_result::<Uuid>(self.connection).optional()? {
            None => Err(invalid("defaultContent.site", "does not exist in this organization")),
            Some(_) => Ok(()),
        }
    }

    /// Deletes a site with its sections and site spaces, and removes it from the default content of its organization,
    /// which must have been locked before the site. The spaces are kept, and its renderer is kept until it has purged
    /// the site.
    pub fn delete_site(&mut self, site: &LockedSite) -> Result<()> {
        let spaces = self.spaces_on_site(site)?;
        self.lock_spaces(site.organization, &spaces)?;
        self.uninstall_all_from_site(site)?;
        self.retire_renderer(site)?;
        let (organization, id) = site.keys();
        self.end_site_git_installation((organization, id))?;
        let shown_first = organizations::default_content.retrieve_as_text("site").eq(id.to_string());
        diesel::update(organizations::table.find(organization).filter(shown_first))
            .set(organizations::default_content.eq(None::<Value>))
            .execute(self.connection)?;
        diesel::delete(sites::table.find((organization, id))).execute(self.connection)?;
        self.release_hostnames(site, None)?;
        self.refresh_publication(site.organization, &spaces)
    }
}

/// Maps a violated key to a refusal: the name is taken, possibly by a concurrent request.
fn name_taken(error: DieselError) -> Error {
    let (field, message) = match violated_key(&error) {
        Some("sites_hostname" | "sites_pending_hostname") => ("hostname", "Another site has this host name."),
        Some("sites_organization_id_basename_key") => {
            ("basename", "Another site of the organization has this basename.")
        }
        _ => return error.into(),
    };
    Refusal::new(Reason::NameTaken).with_message(message).at(field, "is already in use").into()
}

/// Checks that a site may have one more part. `present` is the current number of these parts.
fn require_capacity(present: impl TryInto<u64>, most: u64, parts: &str) -> Result<()> {
    if present.try_into().is_ok_and(|present| present < most) {
        return Ok(());
    }
    Err(Error::refused(Reason::TooMany, format!("A site can have at most {most} {parts}.")))
}

/// Returns localized texts in their stored form; `None` keeps them. An empty map is stored as null.
#[expect(clippy::option_option, reason = "the outer option is whether to write, the inner is what")]
fn localized(texts: Patch<Localized>) -> Result<Option<Option<Value>>> {
    let Some(texts) = texts.into_option() else { return Ok(None) };
    let texts = texts.filter(|texts| !texts.is_empty()).map(serde_json::to_value).transpose();
    texts.map(Some).map_err(|error| Error::Internal("texts by languages can't be written", error.into()))
}

/// Returns the refusal of a field of the body.
fn invalid(field: &str, message: &str) -> Error {
    Refusal::new(Reason::InvalidBody).at(field, message).into()
}
