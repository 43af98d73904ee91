//! Facts about the database for operators.

use diesel::dsl::count_star;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Integer, Text, Timestamptz};
use quire_database::sql_files;
use quire_domain::clock::Timestamp;

use crate::schema::jobs;
use crate::{Error, Result};

sql_files! {
    Diagnose() -> (
        Text, Integer, Text, Bool, Bool, Bool, Bool, Integer, Bool, Bool, Bool, Integer, Timestamptz, Bool
    ) = "facts.sql";
}

/// Facts about a server and the role of the connection.
#[derive(Clone, Debug, Queryable)]
pub struct Diagnosis {
    /// Version as text.
    pub version: String,
    /// Version as a number, such as 150020.
    pub version_number: i32,
    /// Encoding of the database.
    pub encoding: String,
    /// `true` for a standby, which accepts no writes.
    pub is_standby: bool,
    /// `true` if the role may create tables.
    pub may_create_tables: bool,
    /// `true` if the role may create extensions.
    pub may_create_extensions: bool,
    /// `true` if the extension `pg_trgm` is installed on the server.
    pub has_trigrams: bool,
    /// Maximum number of connections.
    pub max_connections: i32,
    /// `true` if committed data survives a crash.
    pub is_durable: bool,
    /// `true` if the server detects damaged pages.
    pub has_checksums: bool,
    /// `true` if autovacuum removes old row versions.
    pub has_autovacuum: bool,
    /// Cost limit of autovacuum between two pauses.
    pub vacuum_cost_limit: i32,
    /// Clock of the server.
    pub clock: Timestamp,
    /// `true` if the last attempt to archive the write-ahead log failed.
    pub archiving_fails: bool,
}

/// Reads the facts of the server at `url`.
///
/// # Errors
/// [`Error::Unavailable`] if it cannot be reached.
pub fn diagnose(url: &str) -> Result<Diagnosis> {
    Ok(Diagnose::bind(()).get_result(&mut connect(url)?)?)
}

/// Returns the number of jobs that were given up. The schema must be current.
///
/// # Errors
/// [`Error::Unavailable`] if the database cannot be reached.
pub fn given_up_jobs(url: &str) -> Result<i64> {
    let given_up = jobs::table.filter(jobs::given_up_at.is_not_null()).select(count_star());
    Ok(given_up.get_result(&mut connect(url)?)?)
}

fn connect(url: &str) -> Result<PgConnection> {
    PgConnection::establish(url).map_err(|error| Error::Unavailable(error.into()))
}
