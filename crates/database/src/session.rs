//! Settings of sessions.
//!
//! A connection sets them when it is opened. A pooler in transaction mode hands each transaction to another session, so
//! the role has them as defaults in this database, too: every session starts with them, without a statement.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{Array, Text};

use crate::functions::pg_advisory_xact_lock;
use crate::sql_files;
use crate::{Error, Result};

/// Names and values, as `pg_settings` spells them. A statement that runs away, or waits for others, must not hold one
/// of the few connections for ever.
const SETTINGS: [(&str, &str); 3] =
    [("statement_timeout", "60s"), ("lock_timeout", "30s"), ("idle_in_transaction_session_timeout", "60s")];

sql_files! {
    /// Statements that are missing for the defaults of the role.
    MissingDefaults(Array<Text>, Array<Text>) -> Text = "session/missing_defaults.sql";
}

/// Sets all settings of one session.
pub(crate) fn prepare(connection: &mut PgConnection) -> QueryResult<()> {
    let mut statements: String =
        SETTINGS.iter().map(|(name, value)| format!("SET {name} = '{value}'; ")).collect();
    statements.push_str("SET timezone = 'UTC'");
    connection.batch_execute(&statements)
}

/// Makes the settings the defaults of the role in the database at `url`, unless they are. Takes one statement if they
/// are.
///
/// # Errors
/// [`Error::Unavailable`] if the database can't be reached; [`Error::Database`] if the role may not change its own
/// defaults.
pub fn keep_defaults(url: &str) -> Result<()> {
    let mut connection = PgConnection::establish(url).map_err(|error| Error::Unavailable(error.into()))?;
    if missing(&mut connection)?.is_empty() {
        return Ok(());
    }
    connection.transaction(|connection| {
        // Two nodes that change one row of the catalogue at once are an error of PostgreSQL.
        diesel::select(pg_advisory_xact_lock(crate::migrations::LOCK)).execute(connection)?;
        for statement in missing(connection)? {
            connection.batch_execute(&statement)?;
        }
        Ok(())
    })
}

fn missing(connection: &mut PgConnection) -> QueryResult<Vec<String>> {
    let (names, values): (Vec<&str>, Vec<&str>) = SETTINGS.into_iter().unzip();
    MissingDefaults::bind((names, values)).load(connection)
}
