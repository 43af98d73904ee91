//! Installations of integrations on sites.

use diesel::prelude::*;
use diesel::sql_types::{Text, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::{InstallationId, SiteId};
use quire_domain::integrations::{ConfigurationSchema, InstallationStatus, IntegrationTarget};
use quire_domain::webhooks::EventKind;
use uuid::Uuid;

use super::installations::InstallationRecord;
use super::scoped::{Installed, ScopedInstallation, Target, impl_installation_table};
use crate::Result;
use crate::operations::webhooks::Event;
use crate::schema::integration_site_installations;
use crate::sites::{LockedSite, SiteRecord};
use crate::transaction::Tx;

/// Stored installation on a site.
pub type SiteInstallationRecord = ScopedInstallation<SiteId>;

impl SiteInstallationRecord {
    /// Returns the status: active if the installation on the organization is active, and all settings required of a
    /// site have values.
    #[must_use]
    pub fn status(&self, installation: &InstallationRecord) -> InstallationStatus {
        self.status_by(installation, SiteRecord::schema(installation))
    }
}

impl_installation_table!(
    SiteRecord,
    integration_site_installations,
    site_id,
    integration_site_installations::table
);

sql_files! {
    DeleteAllOnSite(SqlUuid, SqlUuid) -> (SqlUuid, Text) = "delete_all_on_site.sql";
}

impl Target for SiteRecord {
    type Id = SiteId;
    const NAME: &'static str = "site";

    fn id(&self) -> SiteId {
        self.id
    }

    fn uuid(id: SiteId) -> Uuid {
        id.into()
    }

    fn from_uuid(id: Uuid) -> SiteId {
        SiteId::from_uuid(id)
    }

    fn accepts(target: IntegrationTarget) -> bool {
        matches!(target, IntegrationTarget::All | IntegrationTarget::Site)
    }

    fn schema(installation: &InstallationRecord) -> Option<&ConfigurationSchema> {
        installation.configurations.site.as_ref()
    }

    fn emit(tx: &mut Tx<'_>, installation: &Installed, id: SiteId, deleted: bool) -> Result<()> {
        let kind =
            if deleted { EventKind::SiteInstallationDeleted } else { EventKind::SiteInstallationSetup };
        let InstallationRecord { id: installed, integration_name: name, .. } = &installation.item;
        tx.emit(installation.organization.id, event(kind, id, *installed, name))
    }
}

/// Returns the event of an installation on a site.
fn event(kind: EventKind, site: SiteId, installation: InstallationId, integration: &str) -> Event {
    Event::new(kind)
        .with("siteId", site)
        .with("installationId", installation)
        .with("integration", integration)
}

impl Tx<'_> {
    /// Installs an integration of the organization on one of its sites.
    ///
    /// # Errors
    /// 409 if the integration does not support sites, or is already installed there.
    pub fn install_on_site(
        &mut self,
        installation: &Installed,
        site: &LockedSite,
    ) -> Result<SiteInstallationRecord> {
        self.install_on(installation, &**site)
    }

    /// Uninstalls all integrations from a site that will be deleted.
    pub(crate) fn uninstall_all_from_site(&mut self, site: &LockedSite) -> Result<()> {
        let gone: Vec<(Uuid, String)> =
            DeleteAllOnSite::bind((site.organization, site.id)).load(self.connection)?;
        let events = gone.iter().map(|(id, name)| {
            let id = InstallationId::from_uuid(*id);
            event(EventKind::SiteInstallationDeleted, site.id, id, name)
        });
        self.emit_all(site.organization, events.collect())
    }
}
