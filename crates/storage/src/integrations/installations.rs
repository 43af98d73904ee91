//! Installations of integrations on organizations.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::clock::Timestamp;
use quire_domain::error::{FieldError, Reason, Refusal};
use quire_domain::ids::{InstallationId, IntegrationId};
use quire_domain::integrations::{
    ConfigurationSchema, InstallationStatus, IntegrationConfigurations, IntegrationTarget, Selection,
};
use quire_domain::webhooks::EventKind;
use serde_json::{Map, Value};
use time::OffsetDateTime;
use uuid::Uuid;

use super::find::{IntegrationAt, from_json, gone};
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{
    ActorColumns, Authorized, Found, InOrganization, OrganizationColumns, OrganizationRecord, actor_columns,
    organization_columns, valid_token,
};
use crate::members::seen_spaces;
use crate::schema::integration_installations;
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};
use crate::webhooks::Event;
use crate::{Error, Result, moment, stored};

/// An installation as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct InstallationRecord {
    /// Its id.
    pub id: InstallationId,
    /// The integration.
    pub integration: IntegrationId,
    /// The integration's name.
    pub integration_name: String,
    /// What the integration can be installed on.
    pub target: IntegrationTarget,
    /// What can be configured.
    pub configurations: IntegrationConfigurations,
    /// What is configured.
    pub configuration: Map<String, Value>,
    /// What it is known by elsewhere.
    pub external_ids: Vec<String>,
    /// Which spaces it is for.
    pub space_selection: Selection,
    /// Which sites it is for.
    pub site_selection: Selection,
    /// How many spaces it is for.
    pub spaces: i64,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl InstallationRecord {
    /// Whether it works: all that the integration's present version needs is configured.
    #[must_use]
    pub fn status(&self) -> InstallationStatus {
        status(self.configurations.account.as_ref(), &self.configuration)
    }
}

/// Whether something that is configured so works.
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

/// Refuses what doesn't fit the integration's configuration.
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
    let refusal =
        Refusal::new(Reason::InvalidBody).with_message("The configuration does not fit the integration.");
    Err(refusal.with_details(wrong.into_iter().map(detail).collect()).into())
}

/// What may be changed of an installation; `None` keeps.
#[derive(Clone, Debug, Default)]
pub struct InstallationChanges {
    /// What it is known by elsewhere.
    pub external_ids: Option<Vec<String>>,
    /// What is configured.
    pub configuration: Option<Map<String, Value>>,
    /// Which spaces it is for.
    pub space_selection: Option<Selection>,
    /// Which sites it is for.
    pub site_selection: Option<Selection>,
}

/// The columns of an installation `n` of an integration `i`, after [`seen_spaces`].
macro_rules! installation_columns {
    () => {
        "n.id AS installation_id, n.integration_id, i.name AS integration_name, i.target, i.configurations, n.configuration, \
         n.external_ids, n.space_selection, n.site_selection, n.created_at AS installed_at, n.updated_at AS installation_updated_at, \
         CASE n.space_selection \
           WHEN 'all' THEN (SELECT count(*) FROM seen) \
           ELSE (SELECT count(*) FROM integration_space_installations p JOIN seen s ON s.id = p.space_id \
                  WHERE p.organization_id = n.organization_id AND p.installation_id = n.id) END AS spaces"
    };
}

#[derive(QueryableByName)]
pub(super) struct InstallationColumns {
    #[diesel(sql_type = SqlUuid)]
    installation_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    integration_id: Uuid,
    #[diesel(sql_type = Text)]
    integration_name: String,
    #[diesel(sql_type = Text)]
    target: String,
    #[diesel(sql_type = Nullable<Jsonb>)]
    configurations: Option<Value>,
    #[diesel(sql_type = Jsonb)]
    configuration: Value,
    #[diesel(sql_type = Array<Text>)]
    external_ids: Vec<String>,
    #[diesel(sql_type = Text)]
    space_selection: String,
    #[diesel(sql_type = Text)]
    site_selection: String,
    #[diesel(sql_type = Timestamptz)]
    installed_at: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    installation_updated_at: OffsetDateTime,
    #[diesel(sql_type = BigInt)]
    spaces: i64,
}

impl TryFrom<InstallationColumns> for InstallationRecord {
    type Error = Error;

    fn try_from(row: InstallationColumns) -> Result<Self> {
        Ok(Self {
            id: InstallationId::from_uuid(row.installation_id),
            integration: IntegrationId::from_uuid(row.integration_id),
            integration_name: row.integration_name,
            target: stored(&row.target)?,
            configurations: row.configurations.map(from_json).transpose()?.unwrap_or_default(),
            configuration: from_json(row.configuration)?,
            external_ids: row.external_ids,
            space_selection: stored(&row.space_selection)?,
            site_selection: stored(&row.site_selection)?,
            spaces: row.spaces,
            created_at: moment(row.installed_at)?,
            updated_at: moment(row.installation_updated_at)?,
        })
    }
}

statements! {
    FindInstallation = concat!(
        "WITH ", seen_spaces!("(SELECT x.organization_id FROM integration_installations x WHERE x.id = $4 LIMIT 1)"),
        " SELECT ", actor_columns!(), ", ", organization_columns!(), ", ", installation_columns!(),
        " FROM api_tokens t \
          JOIN organization_members m ON m.user_id = t.user_id AND NOT m.disabled \
          JOIN organizations o ON o.id = m.organization_id AND (t.organizations IS NULL OR o.id = ANY (t.organizations)) \
          JOIN integration_installations n ON n.organization_id = o.id AND n.id = $4 \
          JOIN integrations i ON i.id = n.integration_id AND i.name = $3 WHERE ", valid_token!()
    );
    ListInstallations = concat!(
        "WITH ", seen_spaces!("$3"), " SELECT ", installation_columns!(), " FROM integration_installations n JOIN integrations i ON i.id = n.integration_id \
         WHERE n.organization_id = $3 AND ($4 IS NULL OR n.id < $4) ORDER BY n.id DESC LIMIT $5"
    );
    CountInstallations = "SELECT count(*) AS total FROM integration_installations WHERE organization_id = $1";
    ReadInstallation = concat!(
        "WITH ", seen_spaces!("$3"), " SELECT ", installation_columns!(), " FROM integration_installations n JOIN integrations i ON i.id = n.integration_id \
         WHERE n.organization_id = $3 AND n.id = $4"
    );
    LockInstallation = "SELECT id FROM integration_installations WHERE organization_id = $1 AND id = $2 FOR UPDATE";
    DeleteInstallation = "DELETE FROM integration_installations WHERE organization_id = $1 AND id = $2";
}

impl Reader<'_> {
    /// The installation of an integration with this id, for members of the organization it is installed on: one statement.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`], or [`Error::NotFound`] if it does not exist.
    pub fn installation(
        &mut self,
        integration: &str,
        id: InstallationId,
    ) -> Result<Found<InOrganization<InstallationRecord>>> {
        let row: Option<(ActorColumns, OrganizationColumns, InstallationColumns)> = FindInstallation::bind((
            self.token_bind(),
            self.now_bind(),
            val::<Text, _>(integration.replace('\0', " ")),
            val::<SqlUuid, _>(*id.as_uuid()),
        ))
        .get_result(self.connection)
        .optional()?;
        let Some((actor, organization, row)) = row else { return self.not_found() };
        let organization = OrganizationRecord::try_from(organization)?;
        self.reach(organization.id, None);
        Ok(Found {
            actor: self.seen(actor)?,
            role: organization.member_role,
            blocked: organization.is_blocked(),
            value: InOrganization { organization, item: row.try_into()? },
        })
    }

    /// The installations on an organization, newest first: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn installations_of(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        after: Option<InstallationId>,
        limit: u16,
    ) -> Result<Slice<InstallationRecord>> {
        let id = *organization.id.as_uuid();
        let rows: Vec<InstallationColumns> = ListInstallations::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(id),
            val::<Nullable<SqlUuid>, _>(after.map(|id| *id.as_uuid())),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow =
            CountInstallations::bind((val::<SqlUuid, _>(id),)).get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(TryInto::try_into)
    }

    fn read_installation(
        &mut self,
        organization: &OrganizationRecord,
        id: InstallationId,
    ) -> Result<InstallationRecord> {
        let row: InstallationColumns = ReadInstallation::bind((
            self.token_bind(),
            self.now_bind(),
            val::<SqlUuid, _>(*organization.id.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
        ))
        .get_result(self.connection)?;
        row.try_into()
    }
}

impl Tx<'_> {
    /// Installs an integration on an organization: for its selected spaces and sites, of which there are none yet, and without any
    /// configuration.
    ///
    /// # Errors
    /// 409 when it is installed there already.
    pub fn install_integration(
        &mut self,
        integration: &Authorized<IntegrationAt>,
        organization: &Authorized<OrganizationRecord>,
    ) -> Result<InstallationRecord> {
        let id = InstallationId::from_uuid(self.storage.ids().uuid());
        self.note_made("installation", id);
        let now = OffsetDateTime::from(self.now);
        let made = diesel::insert_into(integration_installations::table)
            .values((
                integration_installations::organization_id.eq(organization.id.as_uuid()),
                integration_installations::id.eq(id.as_uuid()),
                integration_installations::integration_id.eq(integration.item.id.as_uuid()),
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
                "The integration is installed on the organization already.",
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
    /// [`Error::NotFound`] when it is gone.
    pub fn lock_installation(
        &mut self,
        installation: Authorized<InOrganization<InstallationRecord>>,
    ) -> Result<Authorized<InOrganization<InstallationRecord>>> {
        let id = installation.item.id;
        let locked = LockInstallation::bind((
            val::<SqlUuid, _>(*installation.organization.id.as_uuid()),
            val::<SqlUuid, _>(*id.as_uuid()),
        ))
        .execute(self.connection)?;
        if locked == 0 {
            return Err(Error::NotFound);
        }
        let item = self.read_installation(&installation.organization, id)?;
        Ok(installation.map(|installation| InOrganization { item, ..installation }))
    }

    /// Changes a locked installation and answers it as it is then.
    ///
    /// # Errors
    /// 400 for a configuration that doesn't fit the integration.
    pub fn update_installation(
        &mut self,
        installation: &Authorized<InOrganization<InstallationRecord>>,
        changes: InstallationChanges,
    ) -> Result<InstallationRecord> {
        let InstallationChanges { external_ids, configuration, space_selection, site_selection } = changes;
        let mut fresh = installation.item.clone();
        if let Some(configuration) = configuration {
            check_configuration(fresh.configurations.account.as_ref(), &configuration)?;
            fresh.configuration = configuration;
        }
        fresh.external_ids = external_ids.unwrap_or(fresh.external_ids);
        fresh.space_selection = space_selection.unwrap_or(fresh.space_selection);
        fresh.site_selection = site_selection.unwrap_or(fresh.site_selection);
        if fresh == installation.item {
            return Ok(fresh);
        }
        let key = (installation.organization.id.as_uuid(), fresh.id.as_uuid());
        diesel::update(integration_installations::table.find(key))
            .set((
                integration_installations::configuration.eq(Value::Object(fresh.configuration)),
                integration_installations::external_ids.eq(fresh.external_ids),
                integration_installations::space_selection.eq(fresh.space_selection.as_str()),
                integration_installations::site_selection.eq(fresh.site_selection.as_str()),
                integration_installations::updated_at.eq(OffsetDateTime::from(self.now)),
            ))
            .execute(self.connection)?;
        self.emit_of_installation(
            EventKind::InstallationSetup,
            &installation.organization,
            &installation.item,
        )?;
        self.read_installation(&installation.organization, fresh.id)
    }

    /// Takes an integration from an organization, with all of its spaces and sites.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it is gone already.
    pub fn uninstall_integration(
        &mut self,
        installation: &Authorized<InOrganization<InstallationRecord>>,
    ) -> Result<()> {
        let deleted = DeleteInstallation::bind((
            val::<SqlUuid, _>(*installation.organization.id.as_uuid()),
            val::<SqlUuid, _>(*installation.item.id.as_uuid()),
        ))
        .execute(self.connection)?;
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
