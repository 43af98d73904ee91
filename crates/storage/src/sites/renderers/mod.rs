//! Site renderers: programs that cache the content of a site, and purge changed content by cache tags.
//!
//! Tags are written in the transaction of the change, one row per tag and renderer. A loop on each node sends them
//! under leases, like webhook deliveries, and removes those whose content did not change in the meantime. So a purge is
//! never lost, and an unreachable renderer has at most one row per tag. The renderer of a deleted site is kept until it
//! has purged the site, or was unreachable for about a day.

mod outbox;

use diesel::dsl::{case_when, count_star};
use diesel::prelude::*;
use diesel::upsert::excluded;
use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::{OrganizationId, SiteId};
use quire_domain::sites::SiteRendererState;
use time::OffsetDateTime;

use crate::lookup::Authorized;
use crate::schema::{site_purges, site_renderers};
use crate::sites::purges::Purge;
use crate::sites::{LockedSite, SiteRecord};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

pub use outbox::{DuePurges, LeasedRenderer};

/// Deployment key that seals the secrets of renderers.
const SEAL: &str = "renderers";

/// Settings of a renderer.
#[derive(Clone, Debug)]
pub struct RendererSettings {
    /// Base URL of the renderer.
    pub url: String,
    /// Secret that signs requests; `None` keeps the current one.
    pub secret: Option<String>,
    /// Host of the deployment, at which the site also has an address.
    pub default_host: String,
}

impl Reader<'_> {
    /// Returns the renderer of a site. Takes one statement.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the site has no renderer.
    pub fn renderer(&mut self, site: &Authorized<SiteRecord>) -> Result<SiteRendererState> {
        let (organization, id) = (site.organization, site.id);
        let pending = site_purges::table
            .filter(site_purges::organization_id.eq(organization))
            .filter(site_purges::site_id.eq(id))
            .select(count_star());
        let is_failing = site_renderers::failures.gt(0);
        site_renderers::table
            .find((organization, id))
            .select((
                site_renderers::url,
                pending.single_value().assume_not_null(),
                site_renderers::failures,
                case_when(is_failing, site_renderers::next_attempt_at.nullable()),
                site_renderers::last_attempt_at,
                site_renderers::last_status,
                site_renderers::last_error,
                site_renderers::created_at,
                site_renderers::updated_at,
            ))
            .get_result(self.connection)
            .optional()?
            .ok_or(Error::NotFound)
    }
}

impl Tx<'_> {
    /// Sets the renderer of a site, and purges its cached content of the site.
    ///
    /// # Errors
    /// 400 for a new renderer without a secret.
    pub fn put_renderer(&mut self, site: &LockedSite, settings: RendererSettings) -> Result<()> {
        let RendererSettings { url, secret, default_host } = settings;
        let (organization, id) = (site.organization, site.id);
        let now = self.now;
        let Some(secret) = secret else {
            let changed = diesel::update(site_renderers::table.find((organization, id)))
                .set((
                    site_renderers::url.eq(url),
                    site_renderers::default_host.eq(default_host),
                    site_renderers::failures.eq(0),
                    site_renderers::next_attempt_at.eq(now),
                    site_renderers::updated_at.eq(now),
                ))
                .execute(self.connection)?;
            let missing = || Refusal::new(Reason::InvalidBody).at("secret", "is required for a new renderer");
            return if changed == 1 { Ok(()) } else { Err(missing().into()) };
        };
        let sealed = self.seal(SEAL)?.seal(&owner(site.organization, site.id), secret.as_bytes())?;
        diesel::insert_into(site_renderers::table)
            .values((
                site_renderers::organization_id.eq(organization),
                site_renderers::site_id.eq(id),
                site_renderers::url.eq(url),
                site_renderers::sealed_secret.eq(sealed),
                site_renderers::default_host.eq(default_host),
                site_renderers::next_attempt_at.eq(now),
                site_renderers::created_at.eq(now),
                site_renderers::updated_at.eq(now),
            ))
            .on_conflict((site_renderers::organization_id, site_renderers::site_id))
            .do_update()
            .set((
                site_renderers::url.eq(excluded(site_renderers::url)),
                site_renderers::sealed_secret.eq(excluded(site_renderers::sealed_secret)),
                site_renderers::default_host.eq(excluded(site_renderers::default_host)),
                site_renderers::failures.eq(0),
                site_renderers::next_attempt_at.eq(now),
                site_renderers::updated_at.eq(now),
            ))
            .execute(self.connection)?;
        Ok(())
    }

    /// Marks the renderer of a deleted site for a last purge of the site and its hosts.
    pub(crate) fn retire_renderer(&mut self, site: &LockedSite) -> Result<()> {
        let renderer = site_renderers::table.find((site.organization, site.id));
        // The next attempt is due immediately. Ending the lease prevents a running attempt from writing its result.
        let retired = (
            site_renderers::site_deleted.eq(true),
            site_renderers::failures.eq(0),
            site_renderers::next_attempt_at.eq(self.now),
            site_renderers::leased_until.eq(None::<OffsetDateTime>),
        );
        diesel::update(renderer).set(retired).execute(self.connection)?;
        if let Some(host) = site.own_host() {
            self.purge(site.organization, [Purge::host(site.id, host)]);
        }
        Ok(())
    }

    /// Removes the renderer of a site. Its pending tags are dropped.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the site has no renderer.
    pub fn delete_renderer(&mut self, site: &LockedSite) -> Result<()> {
        let renderer = site_renderers::table.find((site.organization, site.id));
        let deleted = diesel::delete(renderer).execute(self.connection)?;
        if deleted == 1 { Ok(()) } else { Err(Error::NotFound) }
    }
}

/// Returns the owner of a sealed secret.
fn owner(organization: OrganizationId, site: SiteId) -> String {
    format!("renderer of {organization} {site}")
}
