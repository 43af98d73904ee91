//! Installations of integrations on spaces.

use diesel::prelude::*;
use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::SpaceId;
use quire_domain::integrations::{ConfigurationSchema, InstallationStatus, IntegrationTarget};
use quire_domain::webhooks::EventKind;
use uuid::Uuid;

use super::installations::InstallationRecord;
use super::scoped::{Installed, ScopedInstallation, Target, impl_installation_table};
use crate::Result;
use crate::content::spaces::SpaceRecord;
use crate::lookup::Authorized;
use crate::operations::webhooks::Event;
use crate::schema::{integration_space_installations, spaces};
use crate::transaction::Tx;

/// Stored installation on a space.
pub type SpaceInstallationRecord = ScopedInstallation<SpaceId>;

impl SpaceInstallationRecord {
    /// Returns the status: active if the installation on the organization is active, and all settings required of a
    /// space have values.
    #[must_use]
    pub fn status(&self, installation: &InstallationRecord) -> InstallationStatus {
        self.status_by(installation, SpaceRecord::schema(installation))
    }
}

impl_installation_table!(
    SpaceRecord,
    integration_space_installations,
    space_id,
    integration_space_installations::table
        .inner_join(
            spaces::table.on(spaces::organization_id
                .eq(integration_space_installations::organization_id)
                .and(spaces::id.eq(integration_space_installations::space_id))),
        )
        .filter(spaces::deleted_at.is_null())
);

impl Target for SpaceRecord {
    type Id = SpaceId;
    const NAME: &'static str = "space";

    fn id(&self) -> SpaceId {
        self.id
    }

    fn uuid(id: SpaceId) -> Uuid {
        id.into()
    }

    fn from_uuid(id: Uuid) -> SpaceId {
        SpaceId::from_uuid(id)
    }

    fn accepts(target: IntegrationTarget) -> bool {
        matches!(target, IntegrationTarget::All | IntegrationTarget::Space)
    }

    fn schema(installation: &InstallationRecord) -> Option<&ConfigurationSchema> {
        installation.configurations.space.as_ref()
    }

    fn emit(tx: &mut Tx<'_>, installation: &Installed, id: SpaceId, deleted: bool) -> Result<()> {
        let kind =
            if deleted { EventKind::SpaceInstallationDeleted } else { EventKind::SpaceInstallationSetup };
        let InstallationRecord { id: installation, integration_name: name, .. } = &installation.item;
        let event = Event::in_space(kind, id).with("installationId", installation).with("integration", name);
        tx.emit_in_space(event)
    }
}

impl Tx<'_> {
    /// Installs an integration of the organization on one of its spaces.
    ///
    /// # Errors
    /// 400 for a space of another organization; 409 if the integration does not support spaces, or is already installed
    /// there.
    pub fn install_on_space(
        &mut self,
        installation: &Installed,
        space: &Authorized<SpaceRecord>,
    ) -> Result<SpaceInstallationRecord> {
        if space.organization != installation.organization.id {
            let message = "The space belongs to another organization.";
            let refusal = Refusal::new(Reason::InvalidBody).with_message(message);
            return Err(refusal.at("space", "belongs to another organization").into());
        }
        self.install_on(installation, space)
    }
}
