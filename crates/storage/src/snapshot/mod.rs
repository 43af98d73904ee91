//! Snapshots of a whole deployment or of one organization, and loading them into another database.
//!
//! Rows travel as PostgreSQL writes a row as text, which every version reads. No list of tables exists: they come from
//! the catalogue, with their foreign keys, so a new table is part of a snapshot from its migration on.

mod catalogue;
mod load;
mod scope;

use diesel::connection::SimpleConnection as _;
use diesel::pg::PgRowByRowLoadingMode;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Bool, Integer, Text, Uuid as SqlUuid};
use quire_domain::ids::{ImportId, OrganizationId, SpaceId};
use quire_revision::BlobHash;
use uuid::Uuid;

use crate::files::{StoredFile, StoredUpload};
use crate::statement::sql_files;
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
    LockFiles(BigInt) -> Integer = "snapshot/lock_files.sql";
    FilesAreFree(BigInt) -> Bool = "snapshot/files_are_free.sql";
}

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

#[derive(QueryableByName)]
struct FileRow {
    #[diesel(sql_type = SqlUuid)]
    space: Uuid,
    #[diesel(sql_type = Binary)]
    hash: Vec<u8>,
    #[diesel(sql_type = BigInt)]
    size: i64,
}

#[derive(QueryableByName)]
struct UploadRow {
    #[diesel(sql_type = SqlUuid)]
    space: Uuid,
    #[diesel(sql_type = SqlUuid)]
    import: Uuid,
    #[diesel(sql_type = BigInt)]
    size: i64,
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
            && !snapshot.has(&format!("organizations WHERE id = '{organization}'"))?
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
        let id: Line =
            diesel::sql_query("SELECT pg_export_snapshot() AS line").get_result(&mut self.connection)?;
        let mut connection = connect(url)?;
        connection.batch_execute(&format!(
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET TRANSACTION SNAPSHOT '{}'; {SETTINGS}",
            id.line
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
    ///
    /// # Errors
    /// When the statement fails.
    pub fn migrations(&mut self) -> Result<Vec<String>> {
        let versions = "SELECT version::text AS line FROM __diesel_schema_migrations ORDER BY version";
        let lines: Vec<Line> = diesel::sql_query(versions).load(&mut self.connection)?;
        Ok(lines.into_iter().map(|line| line.line).collect())
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
        let condition = match self.organization {
            Some(organization) => {
                format!(" WHERE {}", scope::condition(&self.catalogue, table, organization)?)
            }
            None => String::new(),
        };
        let order = table.order().map(|order| format!(" ORDER BY {order}")).unwrap_or_default();
        let select = format!("SELECT t::text AS line FROM {} t{condition}{order}", table.quoted());
        let rows = diesel::sql_query(select)
            .load_iter::<Line, PgRowByRowLoadingMode>(&mut self.connection)
            .map_err(Error::from)?;
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
        let of = self.of_spaces();
        let select = format!(
            "SELECT t.stored_in AS space, t.hash, max(t.size) AS size FROM blobs t{of} GROUP BY t.stored_in, t.hash \
             UNION \
             SELECT t.space_id, t.blob, t.size FROM pdfs t{of}{} t.blob IS NOT NULL \
             ORDER BY 1, 2",
            if of.is_empty() { " WHERE" } else { " AND" }
        );
        let rows = diesel::sql_query(select)
            .load_iter::<FileRow, PgRowByRowLoadingMode>(&mut self.connection)
            .map_err(Error::from)?;
        for row in rows {
            let FileRow { space, hash, size } = row.map_err(Error::from)?;
            let hash = <[u8; 32]>::try_from(hash)
                .map_err(|_| Error::corrupt("a hash is cut", anyhow::anyhow!("{space}")))?;
            let file = StoredFile { space: SpaceId::from_uuid(space), hash: BlobHash::from_bytes(hash) };
            each(file, u64::try_from(size).unwrap_or_default())?;
        }
        Ok(())
    }

    /// The uploads that unfinished imports wait for, with their sizes.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn uploads(&mut self) -> Result<Vec<(StoredUpload, u64)>> {
        let of = self.of_spaces();
        let select = format!(
            "SELECT t.space_id AS space, t.id AS import, t.upload_size AS size FROM imports t{of}{} \
             t.upload_size IS NOT NULL AND t.finished_at IS NULL",
            if of.is_empty() { " WHERE" } else { " AND" }
        );
        let rows: Vec<UploadRow> = diesel::sql_query(select).load(&mut self.connection)?;
        let upload = |row: UploadRow| {
            let upload = StoredUpload {
                space: SpaceId::from_uuid(row.space),
                import: ImportId::from_uuid(row.import),
            };
            (upload, u64::try_from(row.size).unwrap_or_default())
        };
        Ok(rows.into_iter().map(upload).collect())
    }

    /// Ids of integrations that the organization has installed and others have published.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn foreign_integrations(&mut self) -> Result<Vec<(Uuid, String)>> {
        let Some(organization) = self.organization else { return Ok(Vec::new()) };
        let select = format!(
            "SELECT i.id || ' ' || i.name AS line FROM integration_installations n \
             JOIN integrations i ON i.id = n.integration_id \
             WHERE n.organization_id = '{organization}' AND i.organization_id <> '{organization}' ORDER BY 1"
        );
        let lines: Vec<Line> = diesel::sql_query(select).load(&mut self.connection)?;
        let parsed = |line: Line| {
            let (id, name) = line.line.split_once(' ')?;
            Some((id.parse().ok()?, name.to_owned()))
        };
        Ok(lines.into_iter().filter_map(parsed).collect())
    }

    /// The condition on the column `space_id` of a table `t`; empty for everything.
    fn of_spaces(&self) -> String {
        match self.organization {
            Some(organization) => format!(
                " WHERE t.space_id IN (SELECT s.id FROM spaces s WHERE s.organization_id = '{organization}')"
            ),
            None => String::new(),
        }
    }

    pub(crate) fn has(&mut self, from: &str) -> Result<bool> {
        has(&mut self.connection, from)
    }
}

impl SystemReader<'_> {
    /// True while a snapshot needs all bytes of files. Bytes that no row named before this was asked are not among them.
    pub fn files_are_kept(&mut self) -> Result<bool> {
        let is_free: bool = FilesAreFree::bind((FILES_LOCK,)).get_result(self.connection)?;
        Ok(!is_free)
    }
}

/// True if there is a row of `from`: a table with an optional condition.
fn has(connection: &mut PgConnection, from: &str) -> Result<bool> {
    let exists = diesel::dsl::sql::<Bool>(&format!("EXISTS (SELECT FROM {from})"));
    Ok(diesel::select(exists).get_result(connection)?)
}

fn connect(url: &str) -> Result<PgConnection> {
    PgConnection::establish(url).map_err(|error| Error::Unavailable(error.into()))
}
