//! The database's schema: brought forward under a lock, and refused when it isn't this binary's.

use diesel::connection::SimpleConnection;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use crate::{Error, Result};

const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations");

/// Key of an advisory lock, which only has to differ from those of other programs: "quire" in ASCII.
pub(crate) const LOCK: i64 = 0x71_75_69_72_65;

/// Relation of a database's schema to this binary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Ready.
    Current,
    /// These migrations are still to be run; with none run at all, the database is empty.
    Behind {
        /// The versions, oldest first.
        pending: Vec<String>,
        /// `true` if no migration was run yet.
        empty: bool,
    },
    /// Migrations were run out of order: others behind these were run, these were not.
    Torn {
        /// The versions that are missing.
        missing: Vec<String>,
    },
    /// A newer binary has run these.
    Ahead {
        /// The versions that this binary doesn't know.
        unknown: Vec<String>,
    },
}

/// Returns the relation of the schema of the database at `url` to this binary.
///
/// # Errors
/// [`Error::Unavailable`] when it can't be reached.
pub fn status(url: &str) -> Result<Status> {
    status_of(&mut connect(url)?)
}

/// Runs the pending migrations, each in its transaction, under an advisory lock: of many nodes that start at once, one does and
/// the others wait. Answers the versions that were run.
///
/// # Errors
/// [`Error::Internal`] when the database is newer than this binary, half migrated, or a migration fails; [`Error::Unavailable`].
pub fn run(url: &str) -> Result<Vec<String>> {
    let mut connection = connect(url)?;
    diesel::sql_query(format!("SELECT pg_advisory_lock({LOCK})")).execute(&mut connection)?;
    match status_of(&mut connection)? {
        Status::Ahead { unknown } => {
            return Err(Error::Internal(
                "the database is newer than this binary",
                anyhow::anyhow!(
                    "it has run the migrations {}: start the newer quire, or restore a backup",
                    unknown.join(", ")
                ),
            ));
        }
        Status::Torn { missing } => {
            return Err(Error::Internal(
                "the database is half migrated",
                anyhow::anyhow!(
                    "it has not run {}, but later migrations: restore a backup from before them",
                    missing.join(", ")
                ),
            ));
        }
        Status::Current | Status::Behind { .. } => {}
    }
    // Notices about existing objects do not help an operator who starts the server.
    connection.batch_execute("SET client_min_messages = warning")?;
    let versions = connection.run_pending_migrations(MIGRATIONS).map_err(|error| {
        Error::Internal("a migration failed and changed nothing", anyhow::anyhow!("{error}"))
    })?;
    Ok(versions.iter().map(ToString::to_string).collect())
}

/// Undoes all migrations, newest first. For tests of the `down.sql`s.
///
/// # Errors
/// [`Error::Internal`] when one fails.
pub fn revert_all(url: &str) -> Result<()> {
    let mut connection = connect(url)?;
    connection
        .revert_all_migrations(MIGRATIONS)
        .map_err(|error| Error::Internal("a migration can't be undone", anyhow::anyhow!("{error}")))?;
    Ok(())
}

fn connect(url: &str) -> Result<PgConnection> {
    PgConnection::establish(url).map_err(|error| Error::Unavailable(error.into()))
}

/// [`status`] on a connection that is there already.
pub(crate) fn status_of(connection: &mut PgConnection) -> Result<Status> {
    let cause = |error: Box<dyn std::error::Error + Send + Sync>| {
        Error::Internal("the migrations that were run can't be read", anyhow::anyhow!("{error}"))
    };
    let applied: Vec<String> =
        connection.applied_migrations().map_err(cause)?.iter().map(ToString::to_string).collect();
    let known: Vec<String> = diesel::migration::MigrationSource::<Pg>::migrations(&MIGRATIONS)
        .map_err(cause)?
        .iter()
        .map(|migration| migration.name().version().to_string())
        .collect();
    let unknown: Vec<String> = applied.iter().filter(|version| !known.contains(version)).cloned().collect();
    let pending: Vec<String> = known.iter().filter(|version| !applied.contains(version)).cloned().collect();
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
