//! Installations of integrations on sites, below those on the organization.

use diesel::prelude::*;
use diesel::sql_types::{Text, Uuid as SqlUuid};
use quire_domain::error::Reason;
use quire_domain::ids::{InstallationId, SiteId};
use quire_domain::integrations::{InstallationStatus, IntegrationTarget};
use quire_domain::webhooks::EventKind;
use serde_json::{Map, Value};
use time::OffsetDateTime;
use uuid::Uuid;

use super::find::gone;
use super::installations::InstallationRecord;
use super::placed::{Installed, PlacedInstallation, key, one, placed_columns, slice};
use crate::list::Slice;
use crate::lookup::{Authorized, SiteRecord};
use crate::schema::integration_site_installations as on_sites;
use crate::sites::LockedSite;
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};
use crate::webhooks::Event;
use crate::{Error, Result};

/// An installation on a site as it is stored.
pub type SiteInstallationRecord = PlacedInstallation<SiteId>;

impl SiteInstallationRecord {
    /// Whether it works: the installation on the organization does, and all that the integration needs of a site is configured.
    #[must_use]
    pub fn status(&self, installation: &InstallationRecord) -> InstallationStatus {
        self.status_by(installation, installation.configurations.site.as_ref())
    }
}

macro_rules! columns {
    () => {
        placed_columns!("site_id")
    };
}

macro_rules! listed {
    () => {
        " FROM integration_site_installations p WHERE p.organization_id = $1 AND p.installation_id = $2"
    };
}

statements! {
    ListOnSites = concat!(
        "SELECT ", columns!(), listed!(), " AND ($3 IS NULL OR p.site_id < $3) ORDER BY p.site_id DESC LIMIT $4"
    );
    CountOnSites = concat!("SELECT count(*) AS total", listed!());
    ReadOnSite = concat!(
        "SELECT ", columns!(), " FROM integration_site_installations p \
         WHERE p.organization_id = $1 AND p.installation_id = $2 AND p.site_id = $3"
    );
    LockOnSite = concat!(
        "SELECT ", columns!(), " FROM integration_site_installations p \
         WHERE p.organization_id = $1 AND p.installation_id = $2 AND p.site_id = $3 FOR UPDATE"
    );
    DeleteOnSite = "DELETE FROM integration_site_installations \
                    WHERE organization_id = $1 AND installation_id = $2 AND site_id = $3";
    DeleteAllOnSite = "DELETE FROM integration_site_installations p \
                       USING integration_installations n JOIN integrations i ON i.id = n.integration_id \
                       WHERE p.organization_id = $1 AND p.site_id = $2 AND n.organization_id = p.organization_id \
                       AND n.id = p.installation_id RETURNING n.id AS installation_id, i.name AS integration_name";
}

/// An installation that went with its site.
#[derive(QueryableByName)]
struct Uninstalled {
    #[diesel(sql_type = SqlUuid)]
    installation_id: Uuid,
    #[diesel(sql_type = Text)]
    integration_name: String,
}

impl Reader<'_> {
    /// The sites that an installation is on, newest first: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn sites_of_installation(
        &mut self,
        installation: &Installed,
        after: Option<SiteId>,
        limit: u16,
    ) -> Result<Slice<SiteInstallationRecord>> {
        let after = after.map(|id| *id.as_uuid());
        slice::<ListOnSites, CountOnSites, _>(self.connection, installation, after, limit, SiteId::from_uuid)
    }

    /// The installation on a site: one statement.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none.
    pub fn installation_on_site(
        &mut self,
        installation: &Installed,
        site: &Authorized<SiteRecord>,
    ) -> Result<SiteInstallationRecord> {
        one::<ReadOnSite, _>(self.connection, installation, site.id.as_uuid(), SiteId::from_uuid)
    }
}

/// What webhooks are told of an installation on a site.
fn event(kind: EventKind, site: SiteId, installation: InstallationId, integration: &str) -> Event {
    Event::new(kind)
        .with("siteId", site)
        .with("installationId", installation)
        .with("integration", integration)
}

impl Tx<'_> {
    /// Installs an integration that the organization has on one of its sites.
    ///
    /// # Errors
    /// 409 when the integration isn't for sites or is there already.
    pub fn install_on_site(
        &mut self,
        installation: &Installed,
        site: &LockedSite,
    ) -> Result<SiteInstallationRecord> {
        if !matches!(installation.item.target, IntegrationTarget::All | IntegrationTarget::Site) {
            return Err(Error::refused(Reason::Conflict, "The integration can't be installed on sites."));
        }
        let now = OffsetDateTime::from(self.now);
        let made = diesel::insert_into(on_sites::table)
            .values((
                on_sites::organization_id.eq(installation.organization.id.as_uuid()),
                on_sites::installation_id.eq(installation.item.id.as_uuid()),
                on_sites::site_id.eq(site.id.as_uuid()),
                on_sites::configuration.eq(Value::Object(Map::new())),
                on_sites::external_ids.eq(Vec::<String>::new()),
                on_sites::created_at.eq(now),
                on_sites::updated_at.eq(now),
            ))
            .on_conflict_do_nothing()
            .execute(self.connection)
            .map_err(gone)?;
        if made == 0 {
            return Err(Error::refused(
                Reason::Conflict,
                "The integration is installed on the site already.",
            ));
        }
        self.note_made("site", site.id);
        self.emit_on_site(EventKind::SiteInstallationSetup, installation, site.id)?;
        self.installation_on_site(installation, site)
    }

    fn emit_on_site(&mut self, kind: EventKind, installation: &Installed, site: SiteId) -> Result<()> {
        let InstallationRecord { id, integration_name: name, .. } = &installation.item;
        self.emit(installation.organization.id, event(kind, site, *id, name))
    }

    /// Takes all integrations from a site that is about to go.
    pub(crate) fn uninstall_all_from_site(&mut self, site: &LockedSite) -> Result<()> {
        let gone: Vec<Uninstalled> = DeleteAllOnSite::bind((
            val::<SqlUuid, _>(*site.organization.as_uuid()),
            val::<SqlUuid, _>(*site.id.as_uuid()),
        ))
        .load(self.connection)?;
        let told = gone.iter().map(|row| {
            let id = InstallationId::from_uuid(row.installation_id);
            event(EventKind::SiteInstallationDeleted, site.id, id, &row.integration_name)
        });
        self.emit_all(site.organization, told.collect())
    }

    /// Locks the installation on a site until the transaction ends and reads it.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none.
    pub fn lock_installation_on_site(
        &mut self,
        installation: &Installed,
        site: &Authorized<SiteRecord>,
    ) -> Result<SiteInstallationRecord> {
        one::<LockOnSite, _>(self.connection, installation, site.id.as_uuid(), SiteId::from_uuid)
    }

    /// Changes a locked installation on a site and answers it as it is then.
    ///
    /// # Errors
    /// 400 for a configuration that doesn't fit the integration.
    pub fn update_on_site(
        &mut self,
        installation: &Installed,
        before: &SiteInstallationRecord,
        configuration: Option<Map<String, Value>>,
        external_ids: Option<Vec<String>>,
    ) -> Result<SiteInstallationRecord> {
        let schema = installation.item.configurations.site.as_ref();
        let mut fresh = before.clone().changed(schema, configuration, external_ids)?;
        if fresh == *before {
            return Ok(fresh);
        }
        fresh.updated_at = self.now;
        let (organization, id) = (installation.organization.id, installation.item.id);
        diesel::update(on_sites::table.find((organization.as_uuid(), id.as_uuid(), fresh.place.as_uuid())))
            .set((
                on_sites::configuration.eq(Value::Object(fresh.configuration.clone())),
                on_sites::external_ids.eq(&fresh.external_ids),
                on_sites::updated_at.eq(OffsetDateTime::from(fresh.updated_at)),
            ))
            .execute(self.connection)?;
        self.emit_on_site(EventKind::SiteInstallationSetup, installation, fresh.place)?;
        Ok(fresh)
    }

    /// Takes an integration from a site.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it isn't there.
    pub fn uninstall_from_site(
        &mut self,
        installation: &Installed,
        site: &Authorized<SiteRecord>,
    ) -> Result<()> {
        let deleted = DeleteOnSite::bind(key(installation, site.id.as_uuid())).execute(self.connection)?;
        if deleted == 0 {
            return Err(Error::NotFound);
        }
        self.emit_on_site(EventKind::SiteInstallationDeleted, installation, site.id)
    }
}
