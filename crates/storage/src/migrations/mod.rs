//! The database's schema: brought forward under a lock, and refused when it isn't this binary's.

mod email_domains;
mod statements;

use diesel::connection::SimpleConnection;
use diesel::dsl::sql;
use diesel::migration::{Migration, MigrationSource};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use quire_domain::error::Reason;

use self::statements::ByStatement;
use crate::functions::pg_advisory_xact_lock;
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

/// Runs the pending migrations, all in one transaction that holds an advisory lock: of many nodes that start at once,
/// one runs them and the others wait, also behind a pooler that hands each transaction to another session. If one
/// fails, none was run, and an older binary starts as before. A database that is up to date is not locked and not
/// written to. Returns the versions that were run.
///
/// # Errors
/// [`Error::Internal`] when the database is newer than this binary, half migrated, or a migration fails;
/// [`Error::Unavailable`], also when another process holds the lock for ten minutes.
pub fn run(url: &str) -> Result<Vec<String>> {
    run_all(url, &MIGRATIONS)
}

fn run_all(url: &str, source: &impl MigrationSource<Pg>) -> Result<Vec<String>> {
    let mut connection = connect(url)?;
    if !refuse_others(status_in(&mut connection, source)?)? {
        return Ok(Vec::new());
    }
    connection.transaction(|connection| {
        lock(connection)?;
        // Another process may have run them meanwhile.
        if !refuse_others(status_in(connection, source)?)? {
            return Ok(Vec::new());
        }
        let mut versions = Vec::new();
        for migration in pending(connection, source)? {
            run_one(connection, &*migration)?;
            versions.push(migration.name().version().to_string());
        }
        Ok(versions)
    })
}

fn run_one(connection: &mut PgConnection, migration: &dyn Migration<Pg>) -> Result<()> {
    connection.run_migration(&ByStatement(migration)).map_err(failed)?;
    match migration.name().version().to_string().as_str() {
        email_domains::VERSION => email_domains::encode(connection),
        _ => Ok(()),
    }
}

/// Takes the lock of migrations until the transaction ends, without the bounds on statements of requests.
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

/// The migrations that were not run, oldest first.
fn pending(
    connection: &mut PgConnection,
    source: &impl MigrationSource<Pg>,
) -> Result<Vec<Box<dyn Migration<Pg>>>> {
    let applied = connection.applied_migrations().map_err(failed)?;
    let mut pending = source.migrations().map_err(failed)?;
    pending.retain(|migration| !applied.contains(&migration.name().version()));
    pending.sort_unstable_by(|one, other| one.name().version().cmp(&other.name().version()));
    Ok(pending)
}

fn failed(error: Box<dyn std::error::Error + Send + Sync>) -> Error {
    Error::Internal("a migration failed and changed nothing", anyhow::anyhow!("{error}"))
}

/// Returns whether migrations are pending, unless they can't be run.
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

/// Runs those pending migrations that are among `versions`, in one transaction: the schema of an older binary, which
/// the rows of a snapshot have.
///
/// # Errors
/// [`Error::Refused`] when this binary doesn't know one of them; otherwise as [`run`].
pub fn run_only(url: &str, versions: &[String]) -> Result<()> {
    let known = known()?;
    let unknown: Vec<&str> =
        versions.iter().filter(|version| !known.contains(version)).map(String::as_str).collect();
    if !unknown.is_empty() {
        let message = format!("this binary lacks the migrations {}: use the newer quire", unknown.join(", "));
        return Err(Error::refused(Reason::InvalidContent, message));
    }
    connect(url)?.transaction(|connection| {
        lock(connection)?;
        for migration in pending(connection, &MIGRATIONS)? {
            if versions.contains(&migration.name().version().to_string()) {
                run_one(connection, &*migration)?;
            }
        }
        Ok(())
    })
}

/// Returns the versions of this binary's migrations, oldest first.
///
/// # Errors
/// [`Error::Internal`] when they can't be read.
pub fn known() -> Result<Vec<String>> {
    let migrations = MigrationSource::<Pg>::migrations(&MIGRATIONS)
        .map_err(|error| Error::Internal("the migrations can't be read", anyhow::anyhow!("{error}")))?;
    let mut versions: Vec<String> =
        migrations.iter().map(|migration| migration.name().version().to_string()).collect();
    versions.sort_unstable();
    Ok(versions)
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
    status_in(connection, &MIGRATIONS)
}

fn status_in(connection: &mut PgConnection, source: &impl MigrationSource<Pg>) -> Result<Status> {
    let cause = |error: Box<dyn std::error::Error + Send + Sync>| {
        Error::Internal("the migrations that were run can't be read", anyhow::anyhow!("{error}"))
    };
    let applied = applied(connection)?;
    let known: Vec<String> = source
        .migrations()
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

/// Returns the versions of the migrations that were run. Diesel's own function creates its table first, which a standby
/// refuses.
fn applied(connection: &mut PgConnection) -> Result<Vec<String>> {
    let exists = sql::<Bool>("to_regclass('__diesel_schema_migrations') IS NOT NULL");
    if !diesel::select(exists).get_result::<bool>(connection)? {
        return Ok(Vec::new());
    }
    Ok(sql::<Text>("SELECT version::text FROM __diesel_schema_migrations").load(connection)?)
}

#[cfg(test)]
mod tests {
    use diesel::migration::{MigrationMetadata, MigrationName, MigrationVersion};
    use quire_test_support::TestDatabase;

    use super::statements::{Script, statements};
    use super::*;

    /// The migrations of a later binary.
    struct Later(Vec<(&'static str, &'static str)>);

    struct Added(&'static str, &'static str);

    impl MigrationSource<Pg> for Later {
        fn migrations(&self) -> diesel::migration::Result<Vec<Box<dyn Migration<Pg>>>> {
            let mut migrations = MigrationSource::<Pg>::migrations(&MIGRATIONS)?;
            for (version, sql) in &self.0 {
                migrations.push(Box::new(Added(version, sql)));
            }
            Ok(migrations)
        }
    }

    impl Migration<Pg> for Added {
        fn run(
            &self,
            connection: &mut dyn diesel::connection::BoxableConnection<Pg>,
        ) -> diesel::migration::Result<()> {
            Ok(connection.batch_execute(self.1)?)
        }

        fn revert(
            &self,
            _: &mut dyn diesel::connection::BoxableConnection<Pg>,
        ) -> diesel::migration::Result<()> {
            Ok(())
        }

        fn metadata(&self) -> &dyn MigrationMetadata {
            self
        }

        fn name(&self) -> &dyn MigrationName {
            self
        }
    }

    impl MigrationMetadata for Added {}

    impl MigrationName for Added {
        fn version(&self) -> MigrationVersion<'_> {
            MigrationVersion::from(self.0)
        }
    }

    impl std::fmt::Display for Added {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(self.0)
        }
    }

    #[test]
    fn a_migration_that_fails_leaves_the_database_to_the_older_binary() {
        let database = TestDatabase::create("quire", |url| drop(run(url).unwrap()));
        let later = Later(vec![
            ("20990101000000", "ALTER TABLE users ADD COLUMN nickname text"),
            ("20990102000000", "UPDATE users SET nickname = 1 / 0; SELECT 1 / 0"),
        ]);
        let error = run_all(&database.url, &later).unwrap_err();
        assert!(matches!(error, Error::Internal("a migration failed and changed nothing", _)), "{error:?}");
        // Neither the failed one nor the one before it was run.
        assert_eq!(status(&database.url).unwrap(), Status::Current);
        assert_eq!(run(&database.url).unwrap(), Vec::<String>::new());
        let mut connection = connect(&database.url).unwrap();
        assert!(connection.batch_execute("SELECT nickname FROM users").is_err());

        let repaired = Later(vec![later.0[0], ("20990102000000", "UPDATE users SET nickname = 'n'")]);
        assert_eq!(run_all(&database.url, &repaired).unwrap(), ["20990101000000", "20990102000000"]);
        // From then on the older binary refuses, and says why.
        let refused = run(&database.url).unwrap_err();
        assert!(
            matches!(refused, Error::Internal("the database is newer than this binary", _)),
            "{refused:?}"
        );
    }

    /// PostgreSQL refuses a prepared statement that has several.
    #[test]
    fn migrations_are_sent_one_statement_at_a_time() {
        let database = TestDatabase::create("empty", |_| {});
        let mut connection = connect(&database.url).unwrap();
        for migration in MigrationSource::<Pg>::migrations(&MIGRATIONS).unwrap() {
            let mut script = Script::default();
            migration.run(&mut script).unwrap();
            for statement in statements(&script.0) {
                let run = diesel::sql_query(statement).execute(&mut connection);
                assert!(run.is_ok(), "{statement}: {run:?}");
            }
        }
    }

    #[test]
    fn every_migration_runs_in_a_transaction() {
        for migration in MigrationSource::<Pg>::migrations(&MIGRATIONS).unwrap() {
            assert!(migration.metadata().run_in_transaction(), "{}", migration.name());
        }
    }
}
