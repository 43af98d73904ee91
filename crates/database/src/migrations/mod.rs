//! Migrations of the schema, run under a lock. A schema that does not match the binary is refused.

mod statements;

use diesel::connection::SimpleConnection;
use diesel::dsl::sql;
use diesel::migration::{Migration, MigrationSource};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use diesel_migrations::MigrationHarness;
use quire_domain::error::Reason;

use self::statements::ByStatement;
pub use self::statements::statements_of;
use crate::functions::pg_advisory_xact_lock;
use crate::{Error, Result};

/// Key of the advisory lock: "quire" in ASCII. It only has to differ from the keys of other programs.
pub const LOCK: i64 = 0x71_75_69_72_65;

/// Relation of a database's schema to this binary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// The schema matches the binary.
    Current,
    /// These migrations are pending. If no migration was run at all, the database is empty.
    Behind {
        /// Pending versions, oldest first.
        pending: Vec<String>,
        /// `true` if no migration has been run.
        empty: bool,
    },
    /// Migrations were run out of order: later migrations were run, but these were not.
    Torn {
        /// Missing versions.
        missing: Vec<String>,
    },
    /// A newer binary has run these migrations.
    Ahead {
        /// Versions that this binary does not know.
        unknown: Vec<String>,
    },
}

/// Migrations of a binary.
#[derive(Clone, Copy)]
pub struct Migrations<'m> {
    /// Scripts.
    pub source: &'m (dyn MigrationSource<Pg> + Sync),
    /// Steps that need code besides SQL.
    pub steps: &'m [Step],
}

/// Part of a migration that runs after its script, in the same transaction.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Version of the migration.
    pub version: &'static str,
    /// Runs the step.
    pub run: fn(&mut PgConnection) -> Result<()>,
}

impl Migrations<'_> {
    /// Returns how the schema of the database at `url` relates to this binary.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the database cannot be reached.
    pub fn status(&self, url: &str) -> Result<Status> {
        self.status_of(&mut connect(url)?)
    }

    /// Runs the pending migrations in one transaction that holds an advisory lock. If many nodes start at once, one
    /// runs the migrations and the others wait, even behind a pooler that assigns each transaction to another session.
    /// If a migration fails, all are rolled back, and an older binary still starts. An up-to-date database is neither
    /// locked nor written to. Returns the versions that were run.
    ///
    /// # Errors
    /// [`Error::Internal`] if the database is newer than this binary, has missing migrations, or a migration fails;
    /// [`Error::Unavailable`], also if another process holds the lock for ten minutes.
    pub fn run(&self, url: &str) -> Result<Vec<String>> {
        let mut connection = connect(url)?;
        if !refuse_others(self.status_of(&mut connection)?)? {
            return Ok(Vec::new());
        }
        connection.transaction(|connection| {
            lock(connection)?;
            // Another process may have run the migrations before this one took the lock.
            if !refuse_others(self.status_of(connection)?)? {
                return Ok(Vec::new());
            }
            let mut versions = Vec::new();
            for migration in self.pending(connection)? {
                self.run_one(connection, &*migration)?;
                versions.push(migration.name().version().to_string());
            }
            Ok(versions)
        })
    }

    /// Runs the pending migrations that are among `versions`, in one transaction. The result is the schema of an older
    /// binary, for the rows of its snapshot.
    ///
    /// # Errors
    /// [`Error::Refused`] if this binary does not know one of the versions; otherwise as [`Migrations::run`].
    pub fn run_only(&self, url: &str, versions: &[String]) -> Result<()> {
        let known = self.known()?;
        let unknown: Vec<&str> =
            versions.iter().filter(|version| !known.contains(version)).map(String::as_str).collect();
        if !unknown.is_empty() {
            let unknown = unknown.join(", ");
            let message = format!("this binary does not have the migrations {unknown}: use the newer quire");
            return Err(Error::refused(Reason::InvalidContent, message));
        }
        connect(url)?.transaction(|connection| {
            lock(connection)?;
            for migration in self.pending(connection)? {
                if versions.contains(&migration.name().version().to_string()) {
                    self.run_one(connection, &*migration)?;
                }
            }
            Ok(())
        })
    }

    fn run_one(&self, connection: &mut PgConnection, migration: &dyn Migration<Pg>) -> Result<()> {
        connection.run_migration(&ByStatement(migration)).map_err(failed)?;
        let version = migration.name().version().to_string();
        self.steps.iter().filter(|step| step.version == version).try_for_each(|step| (step.run)(connection))
    }

    /// Returns the pending migrations, oldest first.
    fn pending(&self, connection: &mut PgConnection) -> Result<Vec<Box<dyn Migration<Pg>>>> {
        let applied = connection.applied_migrations().map_err(failed)?;
        let mut pending = self.source.migrations().map_err(failed)?;
        pending.retain(|migration| !applied.contains(&migration.name().version()));
        pending.sort_unstable_by(|one, other| one.name().version().cmp(&other.name().version()));
        Ok(pending)
    }

    /// Returns the versions of this binary's migrations, oldest first.
    ///
    /// # Errors
    /// [`Error::Internal`] if the scripts cannot be read.
    pub fn known(&self) -> Result<Vec<String>> {
        let migrations = self
            .source
            .migrations()
            .map_err(|error| Error::Internal("the migrations can't be read", anyhow::anyhow!("{error}")))?;
        let mut versions: Vec<String> =
            migrations.iter().map(|migration| migration.name().version().to_string()).collect();
        versions.sort_unstable();
        Ok(versions)
    }

    /// Reverts all migrations, newest first. For tests of the `down.sql` files.
    ///
    /// # Errors
    /// [`Error::Internal`] if a script fails.
    pub fn revert_all(&self, url: &str) -> Result<()> {
        let mut connection = connect(url)?;
        connection
            .revert_all_migrations(Source(self.source))
            .map_err(|error| Error::Internal("a migration can't be undone", anyhow::anyhow!("{error}")))?;
        Ok(())
    }

    /// Like [`Migrations::status`], on an open connection.
    pub fn status_of(&self, connection: &mut PgConnection) -> Result<Status> {
        let applied = applied(connection)?;
        let known = self.known()?;
        let unknown: Vec<String> =
            applied.iter().filter(|version| !known.contains(version)).cloned().collect();
        let pending: Vec<String> =
            known.iter().filter(|version| !applied.contains(version)).cloned().collect();
        Ok(if !unknown.is_empty() {
            Status::Ahead { unknown }
        } else if pending.is_empty() {
            Status::Current
        } else if applied.iter().max() > pending.iter().min() {
            Status::Torn { missing: pending }
        } else {
            Status::Behind { pending, empty: applied.is_empty() }
        })
    }
}

/// Owned migration source, as diesel requires.
struct Source<'m>(&'m dyn MigrationSource<Pg>);

impl MigrationSource<Pg> for Source<'_> {
    fn migrations(&self) -> diesel::migration::Result<Vec<Box<dyn Migration<Pg>>>> {
        self.0.migrations()
    }
}

/// Takes the migration lock until the transaction ends, and lifts the timeouts of the session.
fn lock(connection: &mut PgConnection) -> Result<()> {
    // Notices about existing objects do not help an operator who starts the server.
    for setting in [
        "statement_timeout = 0",
        "idle_in_transaction_session_timeout = 0",
        "lock_timeout = '10min'",
        "client_min_messages = warning",
    ] {
        connection.batch_execute(&format!("SET LOCAL {setting}"))?;
    }
    diesel::select(pg_advisory_xact_lock(LOCK)).execute(connection).map_err(|error| {
        Error::Unavailable(
            anyhow::Error::from(error).context("another process holds the lock of migrations (10 minutes)"),
        )
    })?;
    Ok(())
}

fn failed(error: Box<dyn std::error::Error + Send + Sync>) -> Error {
    Error::Internal("a migration failed and changed nothing", anyhow::anyhow!("{error}"))
}

/// Returns whether migrations are pending. Fails if they cannot be run.
fn refuse_others(status: Status) -> Result<bool> {
    match status {
        Status::Ahead { unknown } => Err(Error::Internal(
            "the database is newer than this binary",
            anyhow::anyhow!(
                "it has run the migrations {}: start the newer quire, or restore a backup",
                unknown.join(", ")
            ),
        )),
        Status::Torn { missing } => Err(Error::Internal(
            "the database is half migrated",
            anyhow::anyhow!(
                "it has not run {}, but later migrations: restore a backup from before them",
                missing.join(", ")
            ),
        )),
        Status::Current => Ok(false),
        Status::Behind { .. } => Ok(true),
    }
}

fn connect(url: &str) -> Result<PgConnection> {
    PgConnection::establish(url).map_err(|error| Error::Unavailable(error.into()))
}

/// Returns the versions of the migrations that were run. Diesel's own function creates its table first, which fails on
/// a standby.
fn applied(connection: &mut PgConnection) -> Result<Vec<String>> {
    let exists = sql::<Bool>("to_regclass('__diesel_schema_migrations') IS NOT NULL");
    if !diesel::select(exists).get_result::<bool>(connection)? {
        return Ok(Vec::new());
    }
    Ok(sql::<Text>("SELECT version::text FROM __diesel_schema_migrations").load(connection)?)
}
