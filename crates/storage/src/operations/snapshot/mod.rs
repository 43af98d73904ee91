//! Snapshots of a whole deployment or of one organization, and loading them into another database.
//!
//! Rows travel as PostgreSQL writes a row as text, which every version reads. No list of tables exists: they come from
//! the catalogue, with their foreign keys, so a new table is part of a snapshot from its migration on.

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

/// Key of the advisory lock that snapshots share and that keeps the bytes of files: "files" in ASCII.
const FILES_LOCK: i64 = 0x66_69_6c_65_73;

/// Settings under which values have one form as text, and nothing ends a long piece of work.
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

/// One moment of the database, which stays as it is while others write. As long as it lives, no bytes of files are
/// removed that it names.
pub struct Snapshot {
    /// Dropped first: the bytes are kept until nothing reads any more.
    pub(crate) connection: PgConnection,
    _keeper: Option<Keeper>,
    catalogue: Catalogue,
    organization: Option<OrganizationId>,
}

/// The lock that keeps the bytes of files, held by a transaction of its own.
struct Keeper(PgConnection);

impl Drop for Keeper {
    /// Waits until the lock is released. A connection that is only closed keeps it until PostgreSQL notices.
    fn drop(&mut self) {
        // Without a connection the lock ends with its session.
        drop(self.0.batch_execute("ROLLBACK"));
    }
}

impl Snapshot {
    /// Takes a snapshot of the database at `url`: of everything, or of one organization.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the database can't be reached; [`Error::NotFound`] when it has no such organization.
    pub fn take(url: &str, organization: Option<OrganizationId>) -> Result<Self> {
        let mut keeper = connect(url)?;
        keeper.batch_execute(&format!("BEGIN; {SETTINGS}"))?;
        // Before the snapshot: what is removed from here on is not named in it.
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

    /// Opens a second connection on the same moment, for statements while rows of the first one are read.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the database can't be reached.
    pub fn twin(&mut self, url: &str) -> Result<Self> {
        let id: String = Export::bind(()).get_result(&mut self.connection)?;
        let mut connection = connect(url)?;
        connection.batch_execute(&format!(
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET TRANSACTION SNAPSHOT '{id}'; {SETTINGS}"
        ))?;
        let (catalogue, organization) = (self.catalogue.clone(), self.organization);
        Ok(Self { connection, _keeper: None, catalogue, organization })
    }

    /// The tables, those that others refer to first.
    #[must_use]
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The versions of the migrations that were run, oldest first.
    pub fn migrations(&mut self) -> Result<Vec<String>> {
        Ok(ListMigrations::bind(()).load(&mut self.connection)?)
    }

    /// Passes each row of a table to `each`, as text. One row is in memory at a time.
    ///
    /// # Errors
    /// When the statement fails, a table is of no known tenant, or `each` fails.
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

    /// Passes each file whose bytes rows name to `each`, with its size.
    ///
    /// # Errors
    /// When the statement fails, or `each` does.
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

    /// The uploads that unfinished imports wait for, with their sizes.
    pub fn uploads(&mut self) -> Result<Vec<(StoredUpload, u64)>> {
        let uploads = ListUploads::bind((self.organization,));
        let rows: Vec<(Uuid, Uuid, i64)> = uploads.load(&mut self.connection)?;
        let upload = |(space, import, size): (Uuid, Uuid, i64)| {
            let (space, import) = (SpaceId::from_uuid(space), ImportId::from_uuid(import));
            (StoredUpload { space, import }, u64::try_from(size).unwrap_or_default())
        };
        Ok(rows.into_iter().map(upload).collect())
    }

    /// Integrations that the organization has installed and others have published, by their ids and names.
    pub fn foreign_integrations(&mut self) -> Result<Vec<(Uuid, String)>> {
        let Some(organization) = self.organization else { return Ok(Vec::new()) };
        Ok(ListForeignIntegrations::bind((organization,)).load(&mut self.connection)?)
    }
}

impl SystemReader<'_> {
    /// True while a snapshot needs all bytes of files. Bytes that no row named before this was asked are not among
    /// them.
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
