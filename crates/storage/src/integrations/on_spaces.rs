//! Installations of integrations on spaces, below those on the organization.

use diesel::prelude::*;
use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::SpaceId;
use quire_domain::integrations::{InstallationStatus, IntegrationTarget};
use quire_domain::webhooks::EventKind;
use serde_json::{Map, Value};
use time::OffsetDateTime;

use super::find::gone;
use super::installations::InstallationRecord;
use super::placed::{Installed, PlacedInstallation, key, one, placed_columns, slice};
use crate::list::Slice;
use crate::lookup::{Authorized, SpaceRecord};
use crate::schema::integration_space_installations as on_spaces;
use crate::statement::{Sql, statements};
use crate::transaction::{Reader, Tx};
use crate::webhooks::Event;
use crate::{Error, Result};

/// An installation on a space as it is stored.
pub type SpaceInstallationRecord = PlacedInstallation<SpaceId>;

impl SpaceInstallationRecord {
    /// Whether it works: the installation on the organization does, and all that the integration needs of a space is configured.
    #[must_use]
    pub fn status(&self, installation: &InstallationRecord) -> InstallationStatus {
        self.status_by(installation, installation.configurations.space.as_ref())
    }
}

macro_rules! columns {
    () => {
        placed_columns!("space_id")
    };
}

macro_rules! listed {
    () => {
        " FROM integration_space_installations p \
          JOIN spaces s ON s.organization_id = p.organization_id AND s.id = p.space_id AND s.deleted_at IS NULL \
          WHERE p.organization_id = $1 AND p.installation_id = $2"
    };
}

statements! {
    ListOnSpaces = concat!(
        "SELECT ", columns!(), listed!(), " AND ($3 IS NULL OR p.space_id < $3) ORDER BY p.space_id DESC LIMIT $4"
    );
    CountOnSpaces = concat!("SELECT count(*) AS total", listed!());
    ReadOnSpace = concat!(
        "SELECT ", columns!(), " FROM integration_space_installations p \
         WHERE p.organization_id = $1 AND p.installation_id = $2 AND p.space_id = $3"
    );
    LockOnSpace = concat!(
        "SELECT ", columns!(), " FROM integration_space_installations p \
         WHERE p.organization_id = $1 AND p.installation_id = $2 AND p.space_id = $3 FOR UPDATE"
    );
    DeleteOnSpace = "DELETE FROM integration_space_installations \
                     WHERE organization_id = $1 AND installation_id = $2 AND space_id = $3";
}

impl Reader<'_> {
    /// The spaces that an installation is on, newest first: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn spaces_of_installation(
        &mut self,
        installation: &Installed,
        after: Option<SpaceId>,
        limit: u16,
    ) -> Result<Slice<SpaceInstallationRecord>> {
        let after = after.map(|id| *id.as_uuid());
        slice::<ListOnSpaces, CountOnSpaces, _>(
            self.connection,
            installation,
            after,
            limit,
            SpaceId::from_uuid,
        )
    }

    /// The installation on a space: one statement.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none.
    pub fn installation_on_space(
        &mut self,
        installation: &Installed,
        space: &Authorized<SpaceRecord>,
    ) -> Result<SpaceInstallationRecord> {
        one::<ReadOnSpace, _>(self.connection, installation, space.id.as_uuid(), SpaceId::from_uuid)
    }
}

impl Tx<'_> {
    /// Installs an integration that the organization has on one of its spaces.
    ///
    /// # Errors
    /// 400 for a space of another organization, 409 when the integration isn't for spaces or is there already.
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
        if !matches!(installation.item.target, IntegrationTarget::All | IntegrationTarget::Space) {
            return Err(Error::refused(Reason::Conflict, "The integration can't be installed on spaces."));
        }
        let now = OffsetDateTime::from(self.now);
        let made = diesel::insert_into(on_spaces::table)
            .values((
                on_spaces::organization_id.eq(installation.organization.id.as_uuid()),
                on_spaces::installation_id.eq(installation.item.id.as_uuid()),
                on_spaces::space_id.eq(space.id.as_uuid()),
                on_spaces::configuration.eq(Value::Object(Map::new())),
                on_spaces::external_ids.eq(Vec::<String>::new()),
                on_spaces::created_at.eq(now),
                on_spaces::updated_at.eq(now),
            ))
            .on_conflict_do_nothing()
            .execute(self.connection)
            .map_err(gone)?;
        if made == 0 {
            return Err(Error::refused(
                Reason::Conflict,
                "The integration is installed on the space already.",
            ));
        }
        self.note_made("space", space.id);
        self.emit_on_space(EventKind::SpaceInstallationSetup, installation, space.id)?;
        self.installation_on_space(installation, space)
    }

    fn emit_on_space(&mut self, kind: EventKind, installation: &Installed, space: SpaceId) -> Result<()> {
        let InstallationRecord { id, integration_name: name, .. } = &installation.item;
        self.emit_in_space(Event::in_space(kind, space).with("installationId", id).with("integration", name))
    }

    /// Locks the installation on a space until the transaction ends and reads it.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none.
    pub fn lock_installation_on_space(
        &mut self,
        installation: &Installed,
        space: &Authorized<SpaceRecord>,
    ) -> Result<SpaceInstallationRecord> {
        one::<LockOnSpace, _>(self.connection, installation, space.id.as_uuid(), SpaceId::from_uuid)
    }

    /// Changes a locked installation on a space and answers it as it is then.
    ///
    /// # Errors
    /// 400 for a configuration that doesn't fit the integration.
    pub fn update_on_space(
        &mut self,
        installation: &Installed,
        before: &SpaceInstallationRecord,
        configuration: Option<Map<String, Value>>,
        external_ids: Option<Vec<String>>,
    ) -> Result<SpaceInstallationRecord> {
        let schema = installation.item.configurations.space.as_ref();
        let mut fresh = before.clone().changed(schema, configuration, external_ids)?;
        if fresh == *before {
            return Ok(fresh);
        }
        fresh.updated_at = self.now;
        let (organization, id) = (installation.organization.id, installation.item.id);
        diesel::update(on_spaces::table.find((organization.as_uuid(), id.as_uuid(), fresh.place.as_uuid())))
            .set((
                on_spaces::configuration.eq(Value::Object(fresh.configuration.clone())),
                on_spaces::external_ids.eq(&fresh.external_ids),
                on_spaces::updated_at.eq(OffsetDateTime::from(fresh.updated_at)),
            ))
            .execute(self.connection)?;
        self.emit_on_space(EventKind::SpaceInstallationSetup, installation, fresh.place)?;
        Ok(fresh)
    }

    /// Takes an integration from a space.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it isn't there.
    pub fn uninstall_from_space(
        &mut self,
        installation: &Installed,
        space: &Authorized<SpaceRecord>,
    ) -> Result<()> {
        let deleted = DeleteOnSpace::bind(key(installation, space.id.as_uuid())).execute(self.connection)?;
        if deleted == 0 {
            return Err(Error::NotFound);
        }
        self.emit_on_space(EventKind::SpaceInstallationDeleted, installation, space.id)
    }
}
