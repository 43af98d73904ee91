//! Checks of the database: server, role, schema, clock and keys.

use std::time::Instant;

use quire_storage::MIGRATIONS;
use quire_storage::migrations::Status;
use quire_storage::operations::diagnosis::{Diagnosis, diagnose, given_up_jobs};
use quire_worker::Worker;

use super::Findings;
use crate::commands::maintenance::now;
use crate::config::{DatabaseOptions, LimitOptions};
use crate::database::Database;
use crate::secret_key;

const ABOUT: &str = "database";
/// Oldest supported version, as `server_version_num`.
const OLDEST: i32 = 140_000;
/// Clock differences for a warning, and for a failure, at which leases and expiries go wrong.
const SKEW_WARN_MILLIS: u64 = 1_000;
const SKEW_FAIL_MILLIS: u64 = 30_000;
/// Cost limit of autovacuum that suffices for busy spaces.
const VACUUM_COST_LIMIT: i32 = 2_000;

/// Checks the database. A private cluster that does not exist yet is not created.
pub(super) fn examine(findings: &mut Findings, options: &DatabaseOptions, limits: &LimitOptions) {
    let is_private = options.database_url().is_none();
    if is_private && !options.cluster_dir().join("pgdata").exists() {
        findings.ok(ABOUT, "not created yet: `quire serve` creates a private PostgreSQL in the data folder");
        keys_alone(findings, options);
        return;
    }
    let database = match Database::reach(options) {
        Ok(database) => database,
        Err(error) => return findings.fail(ABOUT, format!("{error:#}")),
    };
    let examined = database.during(|database| {
        let began = Instant::now();
        match diagnose(database.url()) {
            Ok(diagnosis) => {
                let round_trip = began.elapsed().as_millis();
                server(findings, &diagnosis, is_private, limits);
                clock(findings, &diagnosis, u64::try_from(round_trip).unwrap_or(u64::MAX));
                archive(findings, options, &diagnosis);
                schema(findings, options, database);
            }
            Err(error) => {
                let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
                findings
                    .fail(ABOUT, format!("it can't be reached: {cause}. Check DATABASE_URL and the server"));
            }
        }
        Ok(())
    });
    if let Err(error) = examined {
        findings.fail(ABOUT, format!("{error:#}"));
    }
}

fn server(findings: &mut Findings, found: &Diagnosis, is_private: bool, limits: &LimitOptions) {
    let version = &found.version;
    match found.version_number {
        number if number < OLDEST => {
            findings.fail(ABOUT, format!("PostgreSQL {version} is too old: upgrade to 14 or newer"));
        }
        _ if found.is_standby => {
            findings.fail(ABOUT, "the server is a standby: name the primary, or add target_session_attrs=read-write to DATABASE_URL");
        }
        _ => findings.ok(ABOUT, format!("PostgreSQL {version} answers")),
    }
    if found.encoding != "UTF8" {
        findings
            .fail(ABOUT, format!("its encoding is {}: make a database with encoding UTF8", found.encoding));
    }
    if !found.may_create_tables {
        findings.fail(ABOUT, "the role may not create tables: make it the owner of the database");
    } else if !found.may_create_extensions {
        findings.warn(ABOUT, "the role may not create extensions: make it the owner of the database, or create pg_trgm as a superuser");
    }
    if !found.has_trigrams {
        findings.fail(ABOUT, "the extension pg_trgm is not installed: install PostgreSQL's contrib modules");
    }
    let needed = i64::from(limits.pool()).saturating_add(i64::from(Worker::CONNECTIONS)).saturating_add(1);
    if i64::from(found.max_connections) < needed.saturating_add(5) {
        findings.fail(
            ABOUT,
            format!(
                "max_connections is {}, and one node uses {needed}: raise it, or lower QUIRE_POOL",
                found.max_connections
            ),
        );
    }
    if !found.is_durable {
        findings.fail(ABOUT, "fsync or full_page_writes is off, so a crash loses data: turn both on");
    }
    if !found.has_checksums {
        findings.warn(
            ABOUT,
            "data checksums are off, so damaged pages go unnoticed: turn them on with pg_checksums",
        );
    }
    if !found.has_autovacuum {
        findings.fail(ABOUT, "autovacuum is off, so tables grow without end: turn it on");
    } else if !is_private && found.vacuum_cost_limit < VACUUM_COST_LIMIT {
        findings.warn(ABOUT, format!(
            "autovacuum_vacuum_cost_limit is {}: set it to a few thousand, or writes to busy spaces slow down",
            found.vacuum_cost_limit
        ));
    }
}

fn clock(findings: &mut Findings, found: &Diagnosis, round_trip_millis: u64) {
    let difference = now().millis().abs_diff(found.clock.millis()).saturating_sub(round_trip_millis);
    let sentence = format!("this machine and the database differ by {difference} ms");
    match difference {
        SKEW_FAIL_MILLIS.. => {
            findings.fail("clock", format!("{sentence}: synchronize both, for example with chrony"))
        }
        SKEW_WARN_MILLIS.. => {
            findings.warn("clock", format!("{sentence}: synchronize both, for example with chrony"))
        }
        _ => findings.ok("clock", sentence),
    }
}

fn archive(findings: &mut Findings, options: &DatabaseOptions, found: &Diagnosis) {
    if options.database_url().is_some() {
        return;
    }
    match options.wal_archive() {
        Some(_) if found.archiving_fails => findings.fail(
            "write-ahead log",
            "it can't be archived, and fills the disk: see postgres.log in the data folder, and check QUIRE_WAL_ARCHIVE",
        ),
        Some(_) => findings.ok("write-ahead log", "it is archived"),
        None => findings.ok("write-ahead log", "it is not archived: QUIRE_WAL_ARCHIVE allows recovery to any moment"),
    }
}

fn schema(findings: &mut Findings, options: &DatabaseOptions, database: &Database) {
    match MIGRATIONS.status(database.url()) {
        Ok(Status::Current) => findings.ok("schema", "it matches this program"),
        Ok(Status::Behind { empty: true, .. }) => {
            findings.ok("schema", "the database is empty: `quire serve` creates it")
        }
        Ok(Status::Behind { pending, .. }) => {
            findings.warn(
                "schema",
                format!("{} migrations are pending: back up, then run `quire migrate`", pending.len()),
            );
        }
        Ok(Status::Ahead { .. }) => {
            findings.fail(
                "schema",
                "the database is newer than this program: start the newer quire, or restore a backup",
            );
        }
        Ok(Status::Torn { .. }) => {
            findings.fail("schema", "a migration is missing although later ones were run: restore a backup");
        }
        Err(error) => findings.fail("schema", format!("it can't be read: {error}")),
    }
    if !matches!(MIGRATIONS.status(database.url()), Ok(Status::Current)) {
        return keys_alone(findings, options);
    }
    match given_up_jobs(database.url()) {
        Ok(0) => findings.ok("jobs", "no job has failed for good"),
        Ok(number) => {
            findings.warn("jobs", format!("{number} jobs failed for good: see last_error in the table jobs"))
        }
        Err(error) => findings.fail("jobs", format!("they can't be counted: {error}")),
    }
    let opened = database.storage(options, 1).and_then(|storage| secret_key::opens(&storage, options));
    match opened {
        Ok(true) => findings.ok("master key", "it decrypts the keys of the database"),
        Ok(false) => {
            findings.ok("master key", "not created yet: the first start of `quire serve` creates it")
        }
        Err(error) => findings.fail("master key", format!("{error:#}")),
    }
}

/// Checks the master key without comparing it with the database.
fn keys_alone(findings: &mut Findings, options: &DatabaseOptions) {
    match secret_key::check(options) {
        Ok(()) => findings.ok("master key", "it is valid, or the first start creates it"),
        Err(error) => findings.fail("master key", format!("{error:#}")),
    }
}
