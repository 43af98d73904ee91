//! Installations of integrations on spaces and on sites, below those on the organization.

use std::fmt::Display;

use diesel::PgConnection;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::clock::Timestamp;
use quire_domain::error::Reason;
use quire_domain::integrations::{ConfigurationSchema, InstallationStatus, IntegrationTarget};
use serde_json::{Map, Value};
use time::OffsetDateTime;
use uuid::Uuid;

use super::find::gone;
use super::installations::{InstallationRecord, check_configuration, status};
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{Authorized, InOrganization};
use crate::statement::{Bind, Sql, val};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result, moment};

/// An installation on a space or site, named by its id, as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedInstallation<P> {
    /// The space or site.
    pub place: P,
    /// Configuration, by property.
    pub configuration: Map<String, Value>,
    /// Names in other systems.
    pub external_ids: Vec<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl<P> PlacedInstallation<P> {
    /// Returns the status: active if the installation on the organization is, and the configuration has all that it needs.
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

    /// Returns it with another configuration; `None` keeps the present one.
    ///
    /// # Errors
    /// 400 for a configuration that doesn't fit the integration.
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

/// A kind of resource that an integration is installed on below an organization: spaces and sites.
#[expect(private_bounds, reason = "only spaces and sites are targets; their statements are of this crate")]
pub trait Target: Sized + 'static {
    /// Ids of these resources.
    type Id: Copy + PartialEq + Display + Send + 'static;
    /// Reads a page of the installations below one (`$1`, `$2`): after a resource (`$3`), up to a limit (`$4`).
    type List: Sql;
    /// Counts the installations below one.
    type Count: Sql;
    /// Reads the installation on a resource (`$3`).
    type Find: Sql;
    /// Reads and locks the installation on a resource.
    type Lock: Sql;
    /// Inserts an installation, unless there is one, at a time (`$4`).
    type Insert: Sql;
    /// Updates configuration (`$4`), external ids (`$5`) and time (`$6`).
    type Update: Sql;
    /// Deletes the installation on a resource.
    type Delete: Sql;
    /// The name of the resource in messages and in the audit log.
    const NAME: &'static str;

    /// The id of a resource.
    fn id(&self) -> Self::Id;
    /// An id as it is stored.
    fn uuid(id: Self::Id) -> Uuid;
    /// A stored id.
    fn from_uuid(id: Uuid) -> Self::Id;
    /// Returns whether integrations with this target may be installed on it.
    fn accepts(target: IntegrationTarget) -> bool;
    /// The schema of its configuration.
    fn schema(installation: &InstallationRecord) -> Option<&ConfigurationSchema>;
    /// Tells webhooks that an installation was set up or, if `deleted`, taken away.
    ///
    /// # Errors
    /// When a statement fails.
    fn emit(tx: &mut Tx<'_>, installation: &Installed, id: Self::Id, deleted: bool) -> Result<()>;
}

/// The statements of a [`Target`]: its table of installations, the column of its id, and the join that hides deleted resources.
macro_rules! target_statements {
    ($table:literal, $id:literal, $visible:literal) => {
        $crate::statement::statements! {
            /// See [`Target::List`](super::placed::Target::List).
            pub List = concat!(
                "SELECT ", target_statements!(columns $id), " FROM ", $table, " p", $visible,
                " WHERE p.organization_id = $1 AND p.installation_id = $2 AND ($3 IS NULL OR p.", $id, " < $3) \
                 ORDER BY p.", $id, " DESC LIMIT $4"
            );
            /// See [`Target::Count`](super::placed::Target::Count).
            pub Count = concat!(
                "SELECT count(*) AS total FROM ", $table, " p", $visible,
                " WHERE p.organization_id = $1 AND p.installation_id = $2"
            );
            /// See [`Target::Find`](super::placed::Target::Find).
            pub Find = concat!(
                "SELECT ", target_statements!(columns $id), " FROM ", $table,
                " p WHERE p.organization_id = $1 AND p.installation_id = $2 AND p.", $id, " = $3"
            );
            /// See [`Target::Lock`](super::placed::Target::Lock).
            pub Lock = concat!(
                "SELECT ", target_statements!(columns $id), " FROM ", $table,
                " p WHERE p.organization_id = $1 AND p.installation_id = $2 AND p.", $id, " = $3 FOR UPDATE"
            );
            /// See [`Target::Insert`](super::placed::Target::Insert).
            pub Insert = concat!(
                "INSERT INTO ", $table, " (organization_id, installation_id, ", $id,
                ", configuration, external_ids, created_at, updated_at) \
                 VALUES ($1, $2, $3, '{}', '{}', $4, $4) ON CONFLICT DO NOTHING"
            );
            /// See [`Target::Update`](super::placed::Target::Update).
            pub Update = concat!(
                "UPDATE ", $table, " SET configuration = $4, external_ids = $5, updated_at = $6 \
                 WHERE organization_id = $1 AND installation_id = $2 AND ", $id, " = $3"
            );
            /// See [`Target::Delete`](super::placed::Target::Delete).
            pub Delete = concat!(
                "DELETE FROM ", $table, " WHERE organization_id = $1 AND installation_id = $2 AND ", $id, " = $3"
            );
        }
    };
    (columns $id:literal) => {
        concat!("p.", $id, " AS place_id, p.configuration, p.external_ids, p.created_at, p.updated_at")
    };
}
pub(super) use target_statements;

#[derive(QueryableByName)]
struct PlacedColumns {
    #[diesel(sql_type = SqlUuid)]
    place_id: Uuid,
    #[diesel(sql_type = Jsonb)]
    configuration: Value,
    #[diesel(sql_type = Array<Text>)]
    external_ids: Vec<String>,
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    updated_at: OffsetDateTime,
}

impl PlacedColumns {
    fn placed<T: Target>(self) -> Result<PlacedInstallation<T::Id>> {
        Ok(PlacedInstallation {
            place: T::from_uuid(self.place_id),
            configuration: serde_json::from_value(self.configuration)
                .map_err(|error| Error::corrupt("a configuration is damaged", error))?,
            external_ids: self.external_ids,
            created_at: moment(self.created_at)?,
            updated_at: moment(self.updated_at)?,
        })
    }
}

/// The installation on an organization that others are below.
pub type Installed = Authorized<InOrganization<InstallationRecord>>;

/// The values that an installation below another is found by.
type Key = (Bind<SqlUuid, Uuid>, Bind<SqlUuid, Uuid>, Bind<SqlUuid, Uuid>);

fn key<T: Target>(installation: &Installed, id: T::Id) -> Key {
    (
        val::<SqlUuid, _>(*installation.organization.id.as_uuid()),
        val::<SqlUuid, _>(*installation.item.id.as_uuid()),
        val::<SqlUuid, _>(T::uuid(id)),
    )
}

/// The installation on a resource, as `Find` finds it.
fn one<Find: Sql, T: Target>(
    connection: &mut PgConnection,
    installation: &Installed,
    target: &Authorized<T>,
) -> Result<PlacedInstallation<T::Id>> {
    let row: Option<PlacedColumns> =
        Find::bind(key::<T>(installation, target.id())).get_result(connection).optional()?;
    row.ok_or(Error::NotFound)?.placed::<T>()
}

impl Reader<'_> {
    /// The spaces or sites that an installation is on, newest first: two statements.
    ///
    /// # Errors
    /// When a statement fails.
    pub fn installations_below<T: Target>(
        &mut self,
        installation: &Installed,
        after: Option<T::Id>,
        limit: u16,
    ) -> Result<Slice<PlacedInstallation<T::Id>>> {
        let organization = *installation.organization.id.as_uuid();
        let id = *installation.item.id.as_uuid();
        let rows: Vec<PlacedColumns> = T::List::bind((
            val::<SqlUuid, _>(organization),
            val::<SqlUuid, _>(id),
            val::<Nullable<SqlUuid>, _>(after.map(T::uuid)),
            val::<BigInt, _>(fetch_limit(limit)),
        ))
        .load(self.connection)?;
        let count: CountRow = T::Count::bind((val::<SqlUuid, _>(organization), val::<SqlUuid, _>(id)))
            .get_result(self.connection)?;
        Slice::cut(rows, limit, count.total).try_map(PlacedColumns::placed::<T>)
    }

    /// The installation on a space or site: one statement.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist.
    pub fn installation_on<T: Target>(
        &mut self,
        installation: &Installed,
        target: &Authorized<T>,
    ) -> Result<PlacedInstallation<T::Id>> {
        one::<T::Find, T>(self.connection, installation, target)
    }
}

impl Tx<'_> {
    /// Installs an integration that the organization has on one of its spaces or sites.
    ///
    /// # Errors
    /// 409 when the integration isn't for these or is there already.
    pub(super) fn install_on<T: Target>(
        &mut self,
        installation: &Installed,
        target: &Authorized<T>,
    ) -> Result<PlacedInstallation<T::Id>> {
        let name = T::NAME;
        if !T::accepts(installation.item.target) {
            let message = format!("The integration can't be installed on {name}s.");
            return Err(Error::refused(Reason::Conflict, message));
        }
        let (organization, id, on) = key::<T>(installation, target.id());
        let now = val::<Timestamptz, _>(OffsetDateTime::from(self.now));
        let made = T::Insert::bind((organization, id, on, now)).execute(self.connection).map_err(gone)?;
        if made == 0 {
            let message = format!("The integration is installed on the {name} already.");
            return Err(Error::refused(Reason::Conflict, message));
        }
        self.note_made(name, target.id());
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
    ) -> Result<PlacedInstallation<T::Id>> {
        one::<T::Lock, T>(self.connection, installation, target)
    }

    /// Changes a locked installation on a space or site and returns it as it is then.
    ///
    /// # Errors
    /// 400 for a configuration that doesn't fit the integration.
    pub fn update_installation_on<T: Target>(
        &mut self,
        installation: &Installed,
        before: &PlacedInstallation<T::Id>,
        configuration: Option<Map<String, Value>>,
        external_ids: Option<Vec<String>>,
    ) -> Result<PlacedInstallation<T::Id>> {
        let schema = T::schema(&installation.item);
        let mut fresh = before.clone().changed(schema, configuration, external_ids)?;
        if fresh == *before {
            return Ok(fresh);
        }
        fresh.updated_at = self.now;
        let (organization, id, on) = key::<T>(installation, fresh.place);
        T::Update::bind((
            organization,
            id,
            on,
            val::<Jsonb, _>(Value::Object(fresh.configuration.clone())),
            val::<Array<Text>, _>(fresh.external_ids.clone()),
            val::<Timestamptz, _>(OffsetDateTime::from(fresh.updated_at)),
        ))
        .execute(self.connection)?;
        T::emit(self, installation, fresh.place, false)?;
        Ok(fresh)
    }

    /// Takes an integration from a space or site.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it isn't there.
    pub fn uninstall_from<T: Target>(
        &mut self,
        installation: &Installed,
        target: &Authorized<T>,
    ) -> Result<()> {
        let deleted = T::Delete::bind(key::<T>(installation, target.id())).execute(self.connection)?;
        if deleted == 0 {
            return Err(Error::NotFound);
        }
        T::emit(self, installation, target.id(), true)
    }
}
