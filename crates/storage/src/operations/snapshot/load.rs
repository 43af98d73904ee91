//! Loading of a snapshot's rows into a database, in one transaction.

use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error as DieselError};
use diesel::sql_types::{Array, Binary, Bool, Nullable, Text, Uuid as SqlUuid};
use quire_database::{sql_files, violated_key};
use quire_domain::error::Reason;
use quire_domain::ids::OrganizationId;
use uuid::Uuid;

use super::catalogue::{Catalogue, Table};
use super::{SETTINGS, connect, has_organization, tables};
use crate::operations::keys::{KeyId, MasterKeys};
use crate::{Error, Result};

/// Treatment of rows that already exist in the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// The database is empty. An existing row is an error.
    Whole,
    /// The database has other organizations. Existing users and tokens are kept, deployment keys must be equal, and any
    /// other existing row is refused.
    Organization,
}

/// Messages of refusals, by the violated unique key.
const TAKEN: [(&str, &str); 7] = [
    ("organizations_pkey", "the organization already exists in this deployment"),
    ("organizations_hostname_key", "another organization has its hostname"),
    ("sites_hostname", "another site has the hostname of one of its sites"),
    ("site_hostnames_pkey", "another organization has the host name of one of its sites"),
    ("integrations_name_key", "another organization has published an integration of the same name"),
    ("users_email", "a user of this deployment with another id has the e-mail address of one of its users"),
    ("api_tokens_hash_key", "one of its tokens already exists in this deployment with another id"),
];

sql_files! {
    ListMissingIntegrations(Array<SqlUuid>, Array<Text>) -> Text = "missing_integrations.sql";
    FindOtherUser(Array<Text>) -> Text = "other_user.sql";
    OrganizationNames(Array<Text>) -> (SqlUuid, Text, Text, Text) = "organization_names.sql";
    RenameAddresses(SqlUuid, Text, Text) = "rename_addresses.sql";
    ReadDeploymentKeys(Array<Text>) -> (Text, Text, Binary, Nullable<Binary>) = "deployment_keys.sql";
}

/// Row of `deployment_keys` as text, its name and secret, and the secret with that name in the database.
type DeploymentKey = (String, String, Vec<u8>, Option<Vec<u8>>);

#[derive(QueryableByName)]
struct Occupied {
    #[diesel(sql_type = Bool)]
    found: bool,
}

/// Open transaction that loads rows. Dropping it without [`Load::commit`] rolls it back.
pub struct Load {
    connection: PgConnection,
    catalogue: Catalogue,
    policy: Policy,
    /// Organizations whose names in URLs were taken, with these names and the new ones.
    renamed: Vec<(Uuid, String, String)>,
}

/// Id of an organization, its names in URLs before and after, and its row as text.
type OrganizationRow = (Uuid, String, String, String);

impl Load {
    /// Starts to load into the database at `url`, whose schema must be that of the snapshot.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the database cannot be reached.
    pub fn begin(url: &str, policy: Policy) -> Result<Self> {
        let mut connection = connect(url)?;
        connection.batch_execute(&format!("BEGIN; {SETTINGS}"))?;
        let catalogue = Catalogue::read(&mut connection)?;
        Ok(Self { connection, catalogue, policy, renamed: Vec::new() })
    }

    /// Returns the tables of the database.
    #[must_use]
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// Returns the name of a table that has rows; `None` if all tables are empty.
    pub fn occupied_table(&mut self) -> Result<Option<String>> {
        for table in self.catalogue.tables() {
            let occupied = diesel::sql_query(tables::is_occupied(table));
            if occupied.get_result::<Occupied>(&mut self.connection)?.found {
                return Ok(Some(table.name.clone()));
            }
        }
        Ok(None)
    }

    /// Returns whether the database has this organization.
    pub fn has_organization(&mut self, id: OrganizationId) -> Result<bool> {
        has_organization(&mut self.connection, id)
    }

    /// Returns the names of the given integrations, by id and name, that the database lacks.
    pub fn missing_integrations(&mut self, wanted: &[(Uuid, String)]) -> Result<Vec<String>> {
        let (ids, names): (Vec<Uuid>, Vec<&str>) =
            wanted.iter().map(|(id, name)| (*id, name.as_str())).unzip();
        Ok(ListMissingIntegrations::bind((ids, names)).load(&mut self.connection)?)
    }

    /// Writes rows of a table from a snapshot. `keys` are the master keys, which are needed to compare deployment keys.
    ///
    /// # Errors
    /// [`Error::Refused`] with the reason if a row contradicts an existing row.
    pub fn rows(&mut self, table: &Table, rows: &[String], keys: Option<&MasterKeys>) -> Result<()> {
        let kept = match (self.policy, table.name.as_str()) {
            (Policy::Organization, "deployment_keys") => return self.deployment_keys(table, rows, keys),
            (Policy::Organization, "organizations") => {
                let rows = self.free_names(rows)?;
                return self.insert(table, &rows, None);
            }
            (Policy::Organization, "users") => {
                self.check_users(rows)?;
                Some("id")
            }
            (Policy::Organization, "api_tokens") => Some("id"),
            (Policy::Whole | Policy::Organization, _) => None,
        };
        self.insert(table, rows, kept)
    }

    fn insert(&mut self, table: &Table, rows: &[String], kept: Option<&str>) -> Result<()> {
        let insert = diesel::sql_query(tables::insert_rows(table, kept)).bind::<Array<Text>, _>(rows);
        insert.execute(&mut self.connection).map(drop).map_err(|error| refusal(table, error))
    }

    /// Returns rows of organizations without names that other organizations have here. The URLs of their sites then use
    /// ids.
    fn free_names(&mut self, rows: &[String]) -> Result<Vec<String>> {
        let found: Vec<OrganizationRow> = OrganizationNames::bind((rows,)).load(&mut self.connection)?;
        let mut lines = Vec::new();
        for (id, before, after, line) in found {
            if before != after {
                self.renamed.push((id, before, after));
            }
            lines.push(line);
        }
        Ok(lines)
    }

    /// Commits all rows.
    ///
    /// # Errors
    /// [`Error::Refused`] if rows refer to missing rows, or `keys` do not unwrap their keys.
    pub fn commit(mut self, keys: Option<&MasterKeys>) -> Result<()> {
        if let Some(keys) = keys {
            self.check_keys(keys)?;
        }
        for (organization, before, after) in &self.renamed {
            RenameAddresses::bind((organization, before, after)).execute(&mut self.connection)?;
        }
        self.connection.batch_execute("COMMIT").map_err(|error| match error {
            DieselError::DatabaseError(DatabaseErrorKind::ForeignKeyViolation, about) => Error::refused(
                Reason::InvalidContent,
                format!("the rows contradict each other: {}", about.message()),
            ),
            other => other.into(),
        })
    }

    /// Collects statistics, without which the first statements on many new rows are slow.
    ///
    /// # Errors
    /// A database that cannot be reached, or a statement that fails.
    pub fn analyze(url: &str) -> Result<()> {
        Ok(connect(url)?.batch_execute("SET client_min_messages = error; ANALYZE")?)
    }

    /// Refuses users whose ids belong to other users here.
    fn check_users(&mut self, rows: &[String]) -> Result<()> {
        let other: Option<String> =
            FindOtherUser::bind((rows,)).get_result(&mut self.connection).optional()?;
        match other {
            None => Ok(()),
            Some(name) => {
                let message = format!("the user {name} has another e-mail address in this deployment");
                Err(Error::refused(Reason::InvalidContent, message))
            }
        }
    }

    /// Adds deployment keys that are missing here, and refuses those that differ from existing ones.
    fn deployment_keys(&mut self, table: &Table, rows: &[String], keys: Option<&MasterKeys>) -> Result<()> {
        let incoming: Vec<DeploymentKey> = ReadDeploymentKeys::bind((rows,)).load(&mut self.connection)?;
        let mut missing = Vec::new();
        for (row, name, secret, existing) in incoming {
            let Some(existing) = existing else {
                missing.push(row);
                continue;
            };
            let keys = keys.ok_or_else(|| {
                Error::Internal(
                    "the keys of the deployment can't be compared",
                    anyhow::anyhow!("no master key"),
                )
            })?;
            if !keys.open_the_same(&name, &secret, &existing)? {
                let message = format!(
                    "the key `{name}` of this deployment is different: an organization can only move to \
                     a deployment with the same keys, or to a new one"
                );
                return Err(Error::refused(Reason::InvalidContent, message));
            }
        }
        self.insert(table, &missing, None)
    }

    /// Refuses rows that are wrapped by other master keys than these.
    fn check_keys(&mut self, keys: &MasterKeys) -> Result<()> {
        let needed: Vec<KeyId> = crate::operations::keys::needed_master_keys(&mut self.connection)?;
        let missing: Vec<String> =
            needed.into_iter().filter(|id| !keys.has(*id)).map(|id| id.to_string()).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let message = format!(
            "its keys are wrapped by the master key {}: give it in QUIRE_SECRET_KEY_PREVIOUS, and run `quire admin \
             rotate-keys` afterwards",
            missing.join(", ")
        );
        Err(Error::refused(Reason::InvalidContent, message))
    }
}

fn refusal(table: &Table, error: DieselError) -> Error {
    use DatabaseErrorKind::{CheckViolation, ForeignKeyViolation, NotNullViolation, UniqueViolation};
    let message = match &error {
        DieselError::DatabaseError(UniqueViolation, _) => {
            let key = violated_key(&error).unwrap_or_default();
            let known = TAKEN.iter().find(|(known, _)| *known == key);
            Some(match known {
                Some((_, sentence)) => (*sentence).to_owned(),
                None => format!("a row of {} already exists in this deployment ({key})", table.name),
            })
        }
        DieselError::DatabaseError(ForeignKeyViolation | CheckViolation | NotNullViolation, about) => {
            Some(format!("a row of {} contradicts the schema: {}", table.name, about.message()))
        }
        _ => None,
    };
    match message {
        Some(message) => Error::refused(Reason::InvalidContent, message),
        None => error.into(),
    }
}
