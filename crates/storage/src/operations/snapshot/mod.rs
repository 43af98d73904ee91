//! Snapshots of a whole deployment or of one organization, and loading of snapshots into another database.
//!
//! Rows have PostgreSQL's text form, which every version can read. There is no list of tables: they come from the
//! system catalogs, with their foreign keys, so a new table is part of snapshots as soon as its migration has run.

mod catalogue;
mod load;
mod scope;
pub(crate) mod tables;

use diesel::connection::SimpleConnection as _;
use diesel::pg::PgRowByRowLoadingMode;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Bool, Integer, Nullable, Text, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::{ImportId, OrganizationId, SpaceId};
use quire_revision::BlobHash;
use uuid::Uuid;

use crate::content::files::{StoredFile, StoredUpload};
use crate::system::SystemReader;
use crate::{Error, Result};

pub use catalogue::{Catalogue, ForeignKey, Table};
pub use load::{Load, Policy};

/// Key of the advisory lock that snapshots share to keep file bytes: "files" in ASCII.
const FILES_LOCK: i64 = 0x66_69_6c_65_73;

/// Settings that make the text form of values unique and disable timeouts.
pub(crate) const SETTINGS: &str = "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; \
     SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO'; \
     SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1; SET LOCAL client_min_messages = warning";

sql_files! {
    LockFiles(BigInt) -> Integer = "lock_files.sql";
    FilesAreFree(BigInt) -> Bool = "files_are_free.sql";
    Export() -> Text = "export.sql";
    ListMigrations() -> Text = "migrations.sql";
    HasOrganization(SqlUuid) -> Bool = "has_organization.sql";
    ListFiles(Nullable<SqlUuid>) -> (SqlUuid, Binary, BigInt) = "files.sql";
    ListUploads(Nullable<SqlUuid>) -> (SqlUuid, SqlUuid, BigInt) = "uploads.sql";
    ListForeignIntegrations(SqlUuid) -> (SqlUuid, Text) = "foreign_integrations.sql";
}

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

/// Consistent view of the database while other transactions write. File bytes to which it refers are not removed while
/// it exists.
pub struct Snapshot {
    /// Dropped first: file bytes must be kept while this connection reads.
    pub(crate) connection: PgConnection,
    _keeper: Option<Keeper>,
    catalogue: Catalogue,
    organization: Option<OrganizationId>,
}

/// Lock that keeps file bytes, held by a transaction of its own.
struct Keeper(PgConnection);

impl Drop for Keeper {
    /// Waits until the lock is released. After a mere disconnect, PostgreSQL would hold it until it notices.
    fn drop(&mut self) {
        // If the connection is lost, the lock ends with its session.
        drop(self.0.batch_execute("ROLLBACK"));
    }
}

impl Snapshot {
    /// Takes a snapshot of the database at `url`: of all data, or of one organization.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the database cannot be reached; [`Error::NotFound`] if it does not have this
    /// organization.
    pub fn take(url: &str, organization: Option<OrganizationId>) -> Result<Self> {
        let mut keeper = connect(url)?;
        keeper.batch_execute(&format!("BEGIN; {SETTINGS}"))?;
        // The lock precedes the snapshot: the snapshot does not refer to bytes that were removed before the lock.
        LockFiles::bind((FILES_LOCK,)).execute(&mut keeper)?;
        let mut connection = connect(url)?;
        connection.batch_execute(&format!("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {SETTINGS}"))?;
        let catalogue = Catalogue::read(&mut connection)?;
        let mut snapshot = Self { connection, _keeper: Some(Keeper(keeper)), catalogue, organization };
        if let Some(organization) = organization
            && !has_organization(&mut snapshot.connection, organization)?
        {
            return Err(Error::NotFound);
        }
        Ok(snapshot)
    }

    /// Opens a second connection with the same snapshot, for statements while rows of the first one are read.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the database cannot be reached.
    pub fn twin(&mut self, url: &str) -> Result<Self> {
        let id: String = Export::bind(()).get_result(&mut self.connection)?;
        let mut connection = connect(url)?;
        connection.batch_execute(&format!(
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET TRANSACTION SNAPSHOT '{id}'; {SETTINGS}"
        ))?;
        let (catalogue, organization) = (self.catalogue.clone(), self.organization);
        Ok(Self { connection, _keeper: None, catalogue, organization })
    }

    /// Returns the tables, referenced tables first.
    #[must_use]
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// Returns the versions of the applied migrations, oldest first.
    pub fn migrations(&mut self) -> Result<Vec<String>> {
        Ok(ListMigrations::bind(()).load(&mut self.connection)?)
    }

    /// Passes each row of a table to `each` as text. One row is in memory at a time.
    ///
    /// # Errors
    /// A statement that fails, a table without a known tenant, or an error of `each`.
    pub fn rows<E: From<Error>>(
        &mut self,
        table: &Table,
        mut each: impl FnMut(&str) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let select = tables::select_rows(&self.catalogue, table, self.organization.is_some())?;
        let mut select = diesel::sql_query(select).into_boxed();
        if let Some(organization) = &self.organization {
            select = select.bind::<SqlUuid, _>(organization);
        }
        let rows =
            select.load_iter::<Line, PgRowByRowLoadingMode>(&mut self.connection).map_err(Error::from)?;
        for row in rows {
            each(&row.map_err(Error::from)?.line)?;
        }
        Ok(())
    }

    /// Passes each file to whose bytes rows refer to `each`, with its size.
    ///
    /// # Errors
    /// A statement that fails, or an error of `each`.
    pub fn files<E: From<Error>>(
        &mut self,
        mut each: impl FnMut(StoredFile, u64) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let rows = ListFiles::bind((self.organization,))
            .load_iter::<(Uuid, Vec<u8>, i64), PgRowByRowLoadingMode>(&mut self.connection)
            .map_err(Error::from)?;
        for row in rows {
            let (space, hash, size) = row.map_err(Error::from)?;
            let hash = <[u8; 32]>::try_from(hash)
                .map_err(|_| Error::corrupt("a hash is cut", anyhow::anyhow!("{space}")))?;
            let file = StoredFile { space: SpaceId::from_uuid(space), hash: BlobHash::from_bytes(hash) };
            each(file, u64::try_from(size).unwrap_or_default())?;
        }
        Ok(())
    }

    /// Returns the uploads for which unfinished imports wait, with their sizes.
    pub fn uploads(&mut self) -> Result<Vec<(StoredUpload, u64)>> {
        let uploads = ListUploads::bind((self.organization,));
        let rows: Vec<(Uuid, Uuid, i64)> = uploads.load(&mut self.connection)?;
        let upload = |(space, import, size): (Uuid, Uuid, i64)| {
            let (space, import) = (SpaceId::from_uuid(space), ImportId::from_uuid(import));
            (StoredUpload { space, import }, u64::try_from(size).unwrap_or_default())
        };
        Ok(rows.into_iter().map(upload).collect())
    }

    /// Returns the integrations of other organizations that the organization has installed, by id and name.
    pub fn foreign_integrations(&mut self) -> Result<Vec<(Uuid, String)>> {
        let Some(organization) = self.organization else { return Ok(Vec::new()) };
        Ok(ListForeignIntegrations::bind((organization,)).load(&mut self.connection)?)
    }
}

impl SystemReader<'_> {
    /// Returns whether a snapshot needs all file bytes. Bytes to which no row referred before this call are not needed.
    pub fn files_are_kept(&mut self) -> Result<bool> {
        let is_free: bool = FilesAreFree::bind((FILES_LOCK,)).get_result(self.connection)?;
        Ok(!is_free)
    }
}

fn has_organization(connection: &mut PgConnection, organization: OrganizationId) -> Result<bool> {
    Ok(HasOrganization::bind((organization,)).get_result(connection)?)
}

fn connect(url: &str) -> Result<PgConnection> {
    PgConnection::establish(url).map_err(|error| Error::Unavailable(error.into()))
}
