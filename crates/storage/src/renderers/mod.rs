//! Renderers of sites: programs that cache the content of a site, and purge by tags what has changed.
//!
//! Tags are written in the transaction of the change, one row for each tag of each renderer. A loop of each node sends
//! them over leases, as deliveries to webhooks are, and removes those that did not change meanwhile. So a purge is never
//! lost, and a renderer that cannot be reached has as many rows as it has tags.

mod outbox;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::upsert::excluded;
use quire_domain::clock::Timestamp;
use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::{OrganizationId, SiteId};
use time::OffsetDateTime;

use crate::lookup::{Authorized, SiteRecord};
use crate::schema::{site_purges, site_renderers};
use crate::sites::LockedSite;
use crate::stored::Stored;
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

pub use outbox::{DuePurges, LeasedRenderer, PurgeAttempt};

/// Deployment key that the secrets of renderers are sealed with.
const SEAL: &str = "renderers";

/// Renderer of a site as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = site_renderers, check_for_backend(Pg))]
pub struct RendererRecord {
    /// Base URL of the renderer.
    pub url: String,
    /// Number of failed attempts since the last success.
    pub failures: i32,
    /// Earliest time of the next attempt.
    #[diesel(deserialize_as = OffsetDateTime)]
    pub next_attempt_at: Timestamp,
    /// Time of the last attempt.
    #[diesel(deserialize_as = Stored<Option<OffsetDateTime>>)]
    pub last_attempt_at: Option<Timestamp>,
    /// HTTP status of the last response.
    pub last_status: Option<i32>,
    /// Reason why the last attempt failed.
    pub last_error: Option<String>,
    /// Creation time.
    #[diesel(deserialize_as = OffsetDateTime)]
    pub created_at: Timestamp,
    /// Time of the last change of the settings.
    #[diesel(deserialize_as = OffsetDateTime)]
    pub updated_at: Timestamp,
}

/// Settings of a renderer.
#[derive(Clone, Debug)]
pub struct RendererSettings {
    /// Base URL of the renderer.
    pub url: String,
    /// Secret that signs requests; `None` keeps the present one.
    pub secret: Option<String>,
    /// Host of the deployment, where the site has an address, too.
    pub default_host: String,
}

impl Reader<'_> {
    /// Returns the renderer of a site and the number of tags that it has yet to purge: two statements.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the site has none.
    pub fn renderer(&mut self, site: &Authorized<SiteRecord>) -> Result<(RendererRecord, u64)> {
        let (organization, id) = (*site.organization.as_uuid(), *site.id.as_uuid());
        let record = site_renderers::table.find((organization, id)).select(RendererRecord::as_select());
        let record: RendererRecord = record.get_result(self.connection).optional()?.ok_or(Error::NotFound)?;
        let pending: i64 = site_purges::table
            .filter(site_purges::organization_id.eq(organization))
            .filter(site_purges::site_id.eq(id))
            .count()
            .get_result(self.connection)?;
        Ok((record, u64::try_from(pending).unwrap_or(0)))
    }
}

impl Tx<'_> {
    /// Sets the renderer of a site. What it has cached of the site is purged.
    ///
    /// # Errors
    /// 400 for a first renderer without a secret.
    pub fn put_renderer(&mut self, site: &LockedSite, settings: RendererSettings) -> Result<()> {
        let RendererSettings { url, secret, default_host } = settings;
        let (organization, id) = (*site.organization.as_uuid(), *site.id.as_uuid());
        let now = OffsetDateTime::from(self.now);
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

    /// Removes the renderer of a site. Tags that it has yet to purge are dropped.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the site has none.
    pub fn delete_renderer(&mut self, site: &LockedSite) -> Result<()> {
        let renderer = site_renderers::table.find((site.organization.as_uuid(), site.id.as_uuid()));
        let deleted = diesel::delete(renderer).execute(self.connection)?;
        if deleted == 1 { Ok(()) } else { Err(Error::NotFound) }
    }
}

/// Returns the owner of a sealed secret.
fn owner(organization: OrganizationId, site: SiteId) -> String {
    format!("renderer of {organization} {site}")
}
