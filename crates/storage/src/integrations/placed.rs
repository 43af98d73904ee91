//! What installations on spaces and on sites have in common: both stand below the one on the organization.

use diesel::PgConnection;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use quire_domain::clock::Timestamp;
use quire_domain::integrations::{ConfigurationSchema, InstallationStatus};
use serde_json::{Map, Value};
use time::OffsetDateTime;
use uuid::Uuid;

use super::find::from_json;
use super::installations::{InstallationRecord, check_configuration, status};
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{Authorized, InOrganization};
use crate::statement::{Bind, Sql, val};
use crate::{Error, Result, moment};

/// An installation on a space or site, named by its id, as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedInstallation<P> {
    /// The space or site.
    pub place: P,
    /// What is configured.
    pub configuration: Map<String, Value>,
    /// What it is known by elsewhere.
    pub external_ids: Vec<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl<P> PlacedInstallation<P> {
    /// Whether it works: the installation on the organization does, and all that the integration needs there is configured.
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

    /// The same, configured anew; `None` keeps.
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

/// The columns of an installation `p`, whose place stands in the column with this name.
macro_rules! placed_columns {
    ($place:literal) => {
        concat!("p.", $place, " AS place_id, p.configuration, p.external_ids, p.created_at, p.updated_at")
    };
}
pub(super) use placed_columns;

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
    /// The record, with its place as an id of this type.
    fn placed<P>(self, place: fn(Uuid) -> P) -> Result<PlacedInstallation<P>> {
        Ok(PlacedInstallation {
            place: place(self.place_id),
            configuration: from_json(self.configuration)?,
            external_ids: self.external_ids,
            created_at: moment(self.created_at)?,
            updated_at: moment(self.updated_at)?,
        })
    }
}

/// The installation on an organization that others stand below.
pub(super) type Installed = Authorized<InOrganization<InstallationRecord>>;

/// The values that an installation below another is found by.
pub(super) type Key = (Bind<SqlUuid, Uuid>, Bind<SqlUuid, Uuid>, Bind<SqlUuid, Uuid>);

pub(super) fn key(installation: &Installed, place: &Uuid) -> Key {
    (
        val::<SqlUuid, _>(*installation.organization.id.as_uuid()),
        val::<SqlUuid, _>(*installation.item.id.as_uuid()),
        val::<SqlUuid, _>(*place),
    )
}

/// The places that an installation is on, newest first: what `List` finds after a place and up to a limit, and what `Count` counts.
pub(super) fn slice<List: Sql, Count: Sql, P>(
    connection: &mut PgConnection,
    installation: &Installed,
    after: Option<Uuid>,
    limit: u16,
    place: fn(Uuid) -> P,
) -> Result<Slice<PlacedInstallation<P>>> {
    let (organization, id) = (*installation.organization.id.as_uuid(), *installation.item.id.as_uuid());
    let rows: Vec<PlacedColumns> = List::bind((
        val::<SqlUuid, _>(organization),
        val::<SqlUuid, _>(id),
        val::<Nullable<SqlUuid>, _>(after),
        val::<BigInt, _>(fetch_limit(limit)),
    ))
    .load(connection)?;
    let count: CountRow =
        Count::bind((val::<SqlUuid, _>(organization), val::<SqlUuid, _>(id))).get_result(connection)?;
    Slice::cut(rows, limit, count.total).try_map(|row| row.placed(place))
}

/// The installation on a place, as `Find` finds it.
pub(super) fn one<Find: Sql, P>(
    connection: &mut PgConnection,
    installation: &Installed,
    id: &Uuid,
    place: fn(Uuid) -> P,
) -> Result<PlacedInstallation<P>> {
    let row: Option<PlacedColumns> = Find::bind(key(installation, id)).get_result(connection).optional()?;
    row.ok_or(Error::NotFound)?.placed(place)
}
