//! Facts about the database for operators.

use diesel::dsl::count_star;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Integer, Nullable, Text, Timestamptz};
use quire_database::sql_files;
use quire_domain::clock::Timestamp;
use time::OffsetDateTime;

use crate::schema::jobs;
use crate::{Error, Result, to_timestamp};

sql_files! {
    Diagnose() -> (
        Text, Integer, Text, Bool, Bool, Bool, Bool, Integer, Bool, Bool, Bool, Integer, Timestamptz, Nullable<Bool>
    ) = "facts.sql";
}

/// Facts about a server, and about the role of the connection.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// Its version, for people.
    pub version: String,
    /// Its version as a number, such as 150020.
    pub version_number: i32,
    /// The encoding of the database.
    pub encoding: String,
    /// True for a standby, which takes no writes.
    pub is_standby: bool,
    /// The role may create tables.
    pub may_create_tables: bool,
    /// The role may create extensions.
    pub may_create_extensions: bool,
    /// The extension `pg_trgm` is installed on the server.
    pub has_trigrams: bool,
    /// Connections that the server takes.
    pub max_connections: i32,
    /// Committed data survives a crash.
    pub is_durable: bool,
    /// Damaged pages are noticed.
    pub has_checksums: bool,
    /// Old versions of rows are removed.
    pub has_autovacuum: bool,
    /// The work that autovacuum does between two pauses.
    pub vacuum_cost_limit: i32,
    /// The server's clock.
    pub clock: Timestamp,
    /// The last attempt to archive the write-ahead log failed.
    pub archiving_fails: bool,
}

type Row =
    (String, i32, String, bool, bool, bool, bool, i32, bool, bool, bool, i32, OffsetDateTime, Option<bool>);

/// Asks the server at `url`.
///
/// # Errors
/// [`Error::Unavailable`] when it can't be reached.
pub fn diagnose(url: &str) -> Result<Diagnosis> {
    let mut connection = connect(url)?;
    let (
        version,
        version_number,
        encoding,
        is_standby,
        may_create_tables,
        may_create_extensions,
        has_trigrams,
        max_connections,
        is_durable,
        has_checksums,
        has_autovacuum,
        vacuum_cost_limit,
        clock,
        archiving_fails,
    ): Row = Diagnose::bind(()).get_result(&mut connection)?;
    Ok(Diagnosis {
        version,
        version_number,
        encoding,
        is_standby,
        may_create_tables,
        may_create_extensions,
        has_trigrams,
        max_connections,
        is_durable,
        has_checksums,
        has_autovacuum,
        vacuum_cost_limit,
        clock: to_timestamp(clock)?,
        archiving_fails: archiving_fails.unwrap_or_default(),
    })
}

/// Returns the number of jobs that were given up. The schema must be current.
///
/// # Errors
/// [`Error::Unavailable`] when the database can't be reached.
pub fn given_up_jobs(url: &str) -> Result<i64> {
    let given_up = jobs::table.filter(jobs::given_up_at.is_not_null()).select(count_star());
    Ok(given_up.get_result(&mut connect(url)?)?)
}

fn connect(url: &str) -> Result<PgConnection> {
    PgConnection::establish(url).map_err(|error| Error::Unavailable(error.into()))
}
