//! Installations of integrations on organizations.

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Timestamptz, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::bounded::IntoText as _;
use quire_domain::clock::Timestamp;
use quire_domain::error::{FieldError, Reason, Refusal};
use quire_domain::ids::{InstallationId, IntegrationId};
use quire_domain::integrations::{
    ConfigurationSchema, InstallationStatus, InstallationUpdate, IntegrationConfigurations,
    IntegrationTarget, Selection,
};
use quire_domain::webhooks::EventKind;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::queries::{IntegrationAt, gone};
use crate::diesel_types::Json;
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::{ActorRow, Authorized, Found, InOrganization};
use crate::operations::webhooks::Event;
use crate::people::organizations::OrganizationRecord;
use crate::schema::integration_installations;
use crate::transaction::{Reader, Tx};
use crate::views::{Access, installation_access, organization_access};
use crate::{Error, Result};

/// Stored installation.
#[derive(Clone, Debug, PartialEq, Queryable, Selectable)]
#[diesel(table_name = installation_access, check_for_backend(Pg))]
pub struct InstallationRecord {
    /// Id.
    pub id: InstallationId,
    /// Integration.
    #[diesel(column_name = integration_id)]
    pub integration: IntegrationId,
    /// Name of the integration.
    pub integration_name: String,
    /// Kinds of targets that the integration can be installed on.
    pub target: IntegrationTarget,
    /// Settings of the integration.
    #[diesel(deserialize_as = Json<Option<Value>>)]
    pub configurations: IntegrationConfigurations,
    /// Values of the settings.
    #[diesel(deserialize_as = Json<Value>)]
    pub configuration: Map<String, Value>,
    /// Ids in external systems.
    pub external_ids: Vec<String>,
    /// Spaces to which the installation applies: all or selected ones.
    pub space_selection: Selection,
    /// Sites to which the installation applies: all or selected ones.
    pub site_selection: Selection,
    /// Number of spaces to which the installation applies.
    pub spaces: i64,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

impl InstallationRecord {
    /// Returns the status: active if all settings that the integration's current version requires have values.
    #[must_use]
    pub fn status(&self) -> InstallationStatus {
        status(self.configurations.account.as_ref(), &self.configuration)
    }
}

/// Returns the status of an installation with these values.
pub(super) fn status(
    schema: Option<&ConfigurationSchema>,
    configuration: &Map<String, Value>,
) -> InstallationStatus {
    if schema.is_none_or(|schema| schema.is_complete(configuration)) {
        InstallationStatus::Active
    } else {
        InstallationStatus::Pending
    }
}

/// Checks that a configuration matches the integration's schema.
pub(super) fn check_configuration(
    schema: Option<&ConfigurationSchema>,
    configuration: &Map<String, Value>,
) -> Result<()> {
    let nothing =
        ConfigurationSchema { properties: Some(Default::default()), ..ConfigurationSchema::default() };
    let wrong = schema.unwrap_or(&nothing).check(configuration);
    if wrong.is_empty() {
        return Ok(());
    }
    let detail = |(name, message)| FieldError { field: format!("configuration.{name}"), message };
    let refusal = Refusal::new(Reason::InvalidBody)
        .with_message("The configuration is not valid for this integration.");
    Err(refusal.with_details(wrong.into_iter().map(detail).collect()).into())
}

sql_files! {
    /// Counts the visible spaces once for all installations of the page, unlike the view.
    ListInstallations(Binary, Timestamptz, SqlUuid, SqlUuid, BigInt)
        -> dsl::SqlTypeOf<dsl::AsSelect<InstallationRecord, Pg>> = "list_installations.sql";
}

impl Reader<'_> {
    /// Returns the installation of an integration with this id, for members of its organization. Takes one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] if it does not exist.
    pub fn installation(
        &mut self,
        integration: &str,
        id: InstallationId,
    ) -> Result<Found<InOrganization<InstallationRecord>>> {
        let of_organization = installation_access::organization_id
            .eq(organization_access::id)
            .and(installation_access::token_id.eq(organization_access::token_id));
        let row: Option<(ActorRow, OrganizationRecord, InstallationRecord)> = organization_access::table
            .inner_join(installation_access::table.on(of_organization))
            .filter(self.token_is_valid::<organization_access::table>())
            .filter(organization_access::is_member)
            .filter(installation_access::id.eq(id))
            .filter(installation_access::integration_name.eq(integration.replace('\0', " ")))
            .select((
                organization_access::table::actor(),
                OrganizationRecord::as_select(),
                InstallationRecord::as_select(),
            ))
            .get_result(self.connection)
            .optional()?;
        let Some((actor, organization, item)) = row else { return self.not_found() };
        let found = self.found_organization(actor, organization)?;
        Ok(found.map(|organization| InOrganization { organization, item }))
    }

    /// Returns the installations on an organization with their integrations, newest first. Takes three statements.
    pub fn installations_of(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        after: Option<InstallationId>,
        limit: u16,
    ) -> Result<Slice<(IntegrationAt, InstallationRecord)>> {
        let rows: Vec<InstallationRecord> = ListInstallations::bind((
            self.credentials.token_hash.as_slice(),
            self.now,
            organization.id,
            page_end(after),
            fetch_limit(limit),
        ))
        .load(self.connection)?;
        let total = integration_installations::table
            .filter(integration_installations::organization_id.eq(organization.id))
            .count()
            .get_result(self.connection)?;
        Slice::cut(rows, limit, total).try_map_all(|installations| {
            let ids: Vec<IntegrationId> = installations.iter().map(|record| record.integration).collect();
            let integrations = self.integrations_by_id(&ids)?;
            // The installation of an integration that was unpublished in the meantime is gone, too.
            let with =
                |record: InstallationRecord| Some((integrations.get(&record.integration)?.clone(), record));
            Ok(installations.into_iter().filter_map(with).collect())
        })
    }

    fn read_installation(
        &mut self,
        organization: &OrganizationRecord,
        id: InstallationId,
    ) -> Result<InstallationRecord> {
        let installation = installation_access::table
            .filter(self.token_is_valid::<installation_access::table>())
            .filter(installation_access::organization_id.eq(organization.id))
            .filter(installation_access::id.eq(id))
            .select(InstallationRecord::as_select())
            .get_result(self.connection)?;
        Ok(installation)
    }
}

impl Tx<'_> {
    /// Installs an integration on an organization, for selected spaces and sites, of which there are none yet, and
    /// without a configuration.
    ///
    /// # Errors
    /// 409 if it is already installed there.
    pub fn install_integration(
        &mut self,
        integration: &Authorized<IntegrationAt>,
        organization: &Authorized<OrganizationRecord>,
    ) -> Result<InstallationRecord> {
        let id = InstallationId::from_uuid(self.storage.ids().uuid());
        self.record_created("installation", id);
        let now = self.now;
        let made = diesel::insert_into(integration_installations::table)
            .values((
                integration_installations::organization_id.eq(organization.id),
                integration_installations::id.eq(id),
                integration_installations::integration_id.eq(integration.item.id),
                integration_installations::configuration.eq(Value::Object(Map::new())),
                integration_installations::external_ids.eq(Vec::<String>::new()),
                integration_installations::space_selection.eq(Selection::Selected.as_str()),
                integration_installations::site_selection.eq(Selection::Selected.as_str()),
                integration_installations::created_at.eq(now),
                integration_installations::updated_at.eq(now),
            ))
            .on_conflict((
                integration_installations::organization_id,
                integration_installations::integration_id,
            ))
            .do_nothing()
            .execute(self.connection)
            .map_err(gone)?;
        if made == 0 {
            return Err(Error::refused(
                Reason::Conflict,
                "The integration is already installed on the organization.",
            ));
        }
        let made = self.read_installation(organization, id)?;
        self.emit_of_installation(EventKind::InstallationSetup, organization, &made)?;
        Ok(made)
    }

    fn emit_of_installation(
        &mut self,
        kind: EventKind,
        organization: &OrganizationRecord,
        installation: &InstallationRecord,
    ) -> Result<()> {
        let InstallationRecord { id, integration_name: name, .. } = installation;
        self.emit(organization.id, Event::new(kind).with("installationId", id).with("integration", name))
    }

    /// Locks an installation until the transaction ends and reads it again.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it was uninstalled.
    pub fn lock_installation(
        &mut self,
        installation: Authorized<InOrganization<InstallationRecord>>,
    ) -> Result<Authorized<InOrganization<InstallationRecord>>> {
        let id = installation.item.id;
        integration_installations::table
            .find((installation.organization.id, id))
            .for_update()
            .select(integration_installations::id)
            .get_result::<Uuid>(self.connection)
            .optional()?
            .ok_or(Error::NotFound)?;
        let item = self.read_installation(&installation.organization, id)?;
        Ok(installation.map(|installation| InOrganization { item, ..installation }))
    }

    /// Changes a locked installation and returns the new record.
    ///
    /// # Errors
    /// 400 for a configuration that does not match the integration's schema.
    pub fn update_installation(
        &mut self,
        installation: &Authorized<InOrganization<InstallationRecord>>,
        update: InstallationUpdate,
    ) -> Result<InstallationRecord> {
        let InstallationUpdate { external_ids, configuration, space_selection, site_selection } = update;
        let mut fresh = installation.item.clone();
        if let Some(configuration) = configuration {
            check_configuration(fresh.configurations.account.as_ref(), &configuration)?;
            fresh.configuration = configuration;
        }
        fresh.external_ids = external_ids.into_text()?.unwrap_or(fresh.external_ids);
        fresh.space_selection = space_selection.unwrap_or(fresh.space_selection);
        fresh.site_selection = site_selection.unwrap_or(fresh.site_selection);
        if fresh == installation.item {
            return Ok(fresh);
        }
        let key = (installation.organization.id, fresh.id);
        diesel::update(integration_installations::table.find(key))
            .set((
                integration_installations::configuration.eq(Value::Object(fresh.configuration)),
                integration_installations::external_ids.eq(fresh.external_ids),
                integration_installations::space_selection.eq(fresh.space_selection.as_str()),
                integration_installations::site_selection.eq(fresh.site_selection.as_str()),
                integration_installations::updated_at.eq(self.now),
            ))
            .execute(self.connection)?;
        self.emit_of_installation(
            EventKind::InstallationSetup,
            &installation.organization,
            &installation.item,
        )?;
        self.read_installation(&installation.organization, fresh.id)
    }

    /// Uninstalls an integration from an organization, with all of its spaces and sites.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it was already uninstalled.
    pub fn uninstall_integration(
        &mut self,
        installation: &Authorized<InOrganization<InstallationRecord>>,
    ) -> Result<()> {
        let key = (installation.organization.id, installation.item.id);
        let deleted = diesel::delete(integration_installations::table.find(key)).execute(self.connection)?;
        if deleted == 0 {
            return Err(Error::NotFound);
        }
        self.emit_of_installation(
            EventKind::InstallationDeleted,
            &installation.organization,
            &installation.item,
        )
    }
}
