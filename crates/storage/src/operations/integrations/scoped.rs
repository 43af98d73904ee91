//! Installations of integrations on spaces and sites, below installations on the organization.

use std::fmt::Display;

use diesel::prelude::*;
use quire_domain::clock::Timestamp;
use quire_domain::error::Reason;
use quire_domain::integrations::{ConfigurationSchema, InstallationStatus, IntegrationTarget};
use serde_json::{Map, Value};
use time::OffsetDateTime;
use uuid::Uuid;

use super::installations::{InstallationRecord, check_configuration, status};
use super::queries::gone;
use crate::list::{Slice, fetch_limit, page_end};
use crate::lookup::{Authorized, InOrganization};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result, to_timestamp};

/// Stored installation on a space or site, identified by the id of the space or site.
#[derive(Clone, Debug, PartialEq)]
pub struct ScopedInstallation<P> {
    /// Space or site.
    pub target: P,
    /// Configuration, by property.
    pub configuration: Map<String, Value>,
    /// Ids in external systems.
    pub external_ids: Vec<String>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

impl<P> ScopedInstallation<P> {
    /// Returns the status: active if the installation on the organization is active, and the configuration has all
    /// required values.
    pub(super) fn status_by(
        &self,
        installation: &InstallationRecord,
        schema: Option<&ConfigurationSchema>,
    ) -> InstallationStatus {
        match installation.status() {
            InstallationStatus::Active => status(schema, &self.configuration),
            status => status,
        }
    }

    /// Returns the installation with changes; `None` keeps a value.
    ///
    /// # Errors
    /// 400 for a configuration that does not match the integration's schema.
    pub(super) fn changed(
        self,
        schema: Option<&ConfigurationSchema>,
        configuration: Option<Map<String, Value>>,
        external_ids: Option<Vec<String>>,
    ) -> Result<Self> {
        if let Some(configuration) = &configuration {
            check_configuration(schema, configuration)?;
        }
        Ok(Self {
            configuration: configuration.unwrap_or(self.configuration),
            external_ids: external_ids.unwrap_or(self.external_ids),
            ..self
        })
    }
}

/// Kind of resource below an organization on which integrations can be installed: spaces and sites.
#[expect(private_bounds, reason = "only spaces and sites are targets; their statements are of this crate")]
pub trait Target: InstallationTable + Sized + 'static {
    /// Type of the ids of these resources.
    type Id: Copy + PartialEq + Display + Send + 'static;
    /// Name of the resource in messages and in the audit log.
    const NAME: &'static str;

    /// Returns the id of a resource.
    fn id(&self) -> Self::Id;
    /// Converts an id to its stored form.
    fn uuid(id: Self::Id) -> Uuid;
    /// Converts a stored id.
    fn from_uuid(id: Uuid) -> Self::Id;
    /// Returns whether integrations with this target can be installed on these resources.
    fn accepts(target: IntegrationTarget) -> bool;
    /// Returns the schema of the configuration.
    fn schema(installation: &InstallationRecord) -> Option<&ConfigurationSchema>;
    /// Emits an event that an installation was set up or, if `deleted`, removed.
    fn emit(tx: &mut Tx<'_>, installation: &Installed, id: Self::Id, deleted: bool) -> Result<()>;
}

/// Key of an installation on an organization: the organization, and the id of the installation.
pub(super) type ParentKey = (Uuid, Uuid);

/// Key of an installation on a resource: the key of the installation on the organization, and the resource.
pub(super) type ScopedKey = (Uuid, Uuid, Uuid);

/// Installation on a resource: the resource, configuration, external ids, and the times of creation and last change.
pub(super) type ScopedRow = (Uuid, Value, Vec<Option<String>>, OffsetDateTime, OffsetDateTime);

/// Statements on the table with the installations on a [`Target`].
pub(super) trait InstallationTable {
    /// Reads a page of the installations below an installation, newest resource first, starting below `end`.
    fn list(
        connection: &mut PgConnection,
        parent: ParentKey,
        end: Uuid,
        limit: i64,
    ) -> QueryResult<Vec<ScopedRow>>;

    /// Counts the installations below an installation.
    fn count(connection: &mut PgConnection, parent: ParentKey) -> QueryResult<i64>;

    /// Reads an installation.
    fn find(connection: &mut PgConnection, key: ScopedKey) -> QueryResult<Option<ScopedRow>>;

    /// Reads and locks an installation.
    fn lock(connection: &mut PgConnection, key: ScopedKey) -> QueryResult<Option<ScopedRow>>;

    /// Inserts an installation without a configuration. Returns 0 if it already exists.
    fn insert(connection: &mut PgConnection, key: ScopedKey, now: OffsetDateTime) -> QueryResult<usize>;

    /// Updates configuration, external ids and time of an installation.
    fn update(
        connection: &mut PgConnection,
        key: ScopedKey,
        configuration: Value,
        external_ids: &[String],
        now: OffsetDateTime,
    ) -> QueryResult<usize>;

    /// Deletes an installation.
    fn delete(connection: &mut PgConnection, key: ScopedKey) -> QueryResult<usize>;
}

/// Implements [`InstallationTable`] for a target, from its table, the column of its id, and the query of the listed
/// installations.
macro_rules! impl_installation_table {
    ($target:ty, $table:ident, $id:ident, $listed:expr) => {
        impl $crate::operations::integrations::scoped::InstallationTable for $target {
            fn list(
                connection: &mut diesel::PgConnection,
                (organization, installation): $crate::operations::integrations::scoped::ParentKey,
                end: uuid::Uuid,
                limit: i64,
            ) -> diesel::QueryResult<Vec<$crate::operations::integrations::scoped::ScopedRow>> {
                use $crate::schema::$table::*;
                $listed
                    .filter(organization_id.eq(organization))
                    .filter(installation_id.eq(installation))
                    .filter($id.lt(end))
                    .order($id.desc())
                    .limit(limit)
                    .select(($id, configuration, external_ids, created_at, updated_at))
                    .load(connection)
            }

            fn count(
                connection: &mut diesel::PgConnection,
                (organization, installation): $crate::operations::integrations::scoped::ParentKey,
            ) -> diesel::QueryResult<i64> {
                use $crate::schema::$table::*;
                $listed
                    .filter(organization_id.eq(organization))
                    .filter(installation_id.eq(installation))
                    .count()
                    .get_result(connection)
            }

            fn find(
                connection: &mut diesel::PgConnection,
                key: $crate::operations::integrations::scoped::ScopedKey,
            ) -> diesel::QueryResult<Option<$crate::operations::integrations::scoped::ScopedRow>> {
                use $crate::schema::$table::*;
                table
                    .find(key)
                    .select(($id, configuration, external_ids, created_at, updated_at))
                    .get_result(connection)
                    .optional()
            }

            fn lock(
                connection: &mut diesel::PgConnection,
                key: $crate::operations::integrations::scoped::ScopedKey,
            ) -> diesel::QueryResult<Option<$crate::operations::integrations::scoped::ScopedRow>> {
                use $crate::schema::$table::*;
                table
                    .find(key)
                    .for_update()
                    .select(($id, configuration, external_ids, created_at, updated_at))
                    .get_result(connection)
                    .optional()
            }

            fn insert(
                connection: &mut diesel::PgConnection,
                (organization, installation, resource): $crate::operations::integrations::scoped::ScopedKey,
                now: time::OffsetDateTime,
            ) -> diesel::QueryResult<usize> {
                use $crate::schema::$table::*;
                diesel::insert_into(table)
                    .values((
                        organization_id.eq(organization),
                        installation_id.eq(installation),
                        $id.eq(resource),
                        configuration.eq(serde_json::Value::Object(serde_json::Map::new())),
                        external_ids.eq(Vec::<String>::new()),
                        created_at.eq(now),
                        updated_at.eq(now),
                    ))
                    .on_conflict_do_nothing()
                    .execute(connection)
            }

            fn update(
                connection: &mut diesel::PgConnection,
                key: $crate::operations::integrations::scoped::ScopedKey,
                configured: serde_json::Value,
                ids: &[String],
                now: time::OffsetDateTime,
            ) -> diesel::QueryResult<usize> {
                use $crate::schema::$table::*;
                diesel::update(table.find(key))
                    .set((configuration.eq(configured), external_ids.eq(ids), updated_at.eq(now)))
                    .execute(connection)
            }

            fn delete(
                connection: &mut diesel::PgConnection,
                key: $crate::operations::integrations::scoped::ScopedKey,
            ) -> diesel::QueryResult<usize> {
                diesel::delete($crate::schema::$table::table.find(key)).execute(connection)
            }
        }
    };
}
pub(super) use impl_installation_table;

/// Converts a stored installation.
fn scoped<T: Target>(row: ScopedRow) -> Result<ScopedInstallation<T::Id>> {
    let (target, configuration, external_ids, created_at, updated_at) = row;
    let configuration = serde_json::from_value(configuration)
        .map_err(|error| Error::corrupt("a configuration is damaged", error))?;
    Ok(ScopedInstallation {
        target: T::from_uuid(target),
        configuration,
        // Arrays hold no nulls, although their SQL types permit them.
        external_ids: external_ids.into_iter().flatten().collect(),
        created_at: to_timestamp(created_at)?,
        updated_at: to_timestamp(updated_at)?,
    })
}

/// Installation on an organization, the parent of those on its spaces and sites.
pub type Installed = Authorized<InOrganization<InstallationRecord>>;

fn parent(installation: &Installed) -> ParentKey {
    (installation.organization.id.into(), installation.item.id.into())
}

fn key<T: Target>(installation: &Installed, id: T::Id) -> ScopedKey {
    let (organization, installation) = parent(installation);
    (organization, installation, T::uuid(id))
}

impl Reader<'_> {
    /// Returns the installations on spaces or sites below an installation, newest first. Takes two statements.
    pub fn installations_below<T: Target>(
        &mut self,
        installation: &Installed,
        after: Option<T::Id>,
        limit: u16,
    ) -> Result<Slice<ScopedInstallation<T::Id>>> {
        let parent = parent(installation);
        let end = page_end(after.map(T::uuid));
        let rows = T::list(self.connection, parent, end, fetch_limit(limit))?;
        let total = T::count(self.connection, parent)?;
        Slice::cut(rows, limit, total).try_map(scoped::<T>)
    }

    /// Returns the installation on a space or site. Takes one statement.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn installation_on<T: Target>(
        &mut self,
        installation: &Installed,
        target: &Authorized<T>,
    ) -> Result<ScopedInstallation<T::Id>> {
        let row = T::find(self.connection, key::<T>(installation, target.id()))?;
        scoped::<T>(row.ok_or(Error::NotFound)?)
    }
}

impl Tx<'_> {
    /// Installs an integration of the organization on one of its spaces or sites.
    ///
    /// # Errors
    /// 409 if the integration does not support this target, or is already installed there.
    pub(super) fn install_on<T: Target>(
        &mut self,
        installation: &Installed,
        target: &Authorized<T>,
    ) -> Result<ScopedInstallation<T::Id>> {
        let name = T::NAME;
        if !T::accepts(installation.item.target) {
            let message = format!("The integration can't be installed on {name}s.");
            return Err(Error::refused(Reason::Conflict, message));
        }
        let key = key::<T>(installation, target.id());
        let now = self.now.into();
        let made = T::insert(self.connection, key, now).map_err(gone)?;
        if made == 0 {
            let message = format!("The integration is already installed on the {name}.");
            return Err(Error::refused(Reason::Conflict, message));
        }
        self.record_created(name, target.id());
        T::emit(self, installation, target.id(), false)?;
        self.installation_on(installation, target)
    }

    /// Locks the installation on a space or site until the transaction ends and reads it.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn lock_installation_on<T: Target>(
        &mut self,
        installation: &Installed,
        target: &Authorized<T>,
    ) -> Result<ScopedInstallation<T::Id>> {
        let row = T::lock(self.connection, key::<T>(installation, target.id()))?;
        scoped::<T>(row.ok_or(Error::NotFound)?)
    }

    /// Changes a locked installation on a space or site and returns the new record.
    ///
    /// # Errors
    /// 400 for a configuration that does not match the integration's schema.
    pub fn update_installation_on<T: Target>(
        &mut self,
        installation: &Installed,
        before: &ScopedInstallation<T::Id>,
        configuration: Option<Map<String, Value>>,
        external_ids: Option<Vec<String>>,
    ) -> Result<ScopedInstallation<T::Id>> {
        let schema = T::schema(&installation.item);
        let mut fresh = before.clone().changed(schema, configuration, external_ids)?;
        if fresh == *before {
            return Ok(fresh);
        }
        fresh.updated_at = self.now;
        let key = key::<T>(installation, fresh.target);
        let configuration = Value::Object(fresh.configuration.clone());
        T::update(self.connection, key, configuration, &fresh.external_ids, fresh.updated_at.into())?;
        T::emit(self, installation, fresh.target, false)?;
        Ok(fresh)
    }

    /// Uninstalls an integration from a space or site.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it is not installed there.
    pub fn uninstall_from<T: Target>(
        &mut self,
        installation: &Installed,
        target: &Authorized<T>,
    ) -> Result<()> {
        let deleted = T::delete(self.connection, key::<T>(installation, target.id()))?;
        if deleted == 0 {
            return Err(Error::NotFound);
        }
        T::emit(self, installation, target.id(), true)
    }
}
