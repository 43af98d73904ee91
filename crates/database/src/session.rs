//! Session settings.
//!
//! A connection sets them when it is opened. A pooler in transaction mode assigns each transaction to another session,
//! so they are also the defaults of the role in this database.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{Array, Text};

use crate::functions::pg_advisory_xact_lock;
use crate::sql_files;
use crate::{Error, Result};

/// Names and values, as in `pg_settings`. They keep a runaway or blocked statement from holding one of the few
/// connections for ever.
const SETTINGS: [(&str, &str); 3] =
    [("statement_timeout", "60s"), ("lock_timeout", "30s"), ("idle_in_transaction_session_timeout", "60s")];

sql_files! {
    /// Statements that set the missing defaults of the role.
    MissingDefaults(Array<Text>, Array<Text>) -> Text = "session/missing_defaults.sql";
}

/// Applies all settings to a session.
pub(crate) fn prepare(connection: &mut PgConnection) -> QueryResult<()> {
    let mut statements: String =
        SETTINGS.iter().map(|(name, value)| format!("SET {name} = '{value}'; ")).collect();
    statements.push_str("SET timezone = 'UTC'");
    connection.batch_execute(&statements)
}

/// Makes the settings the defaults of the role in the database at `url`. If they already are, this takes one statement.
///
/// # Errors
/// [`Error::Unavailable`] if the database cannot be reached; [`Error::Database`] if the role may not change its own
/// defaults.
pub fn keep_defaults(url: &str) -> Result<()> {
    let mut connection = PgConnection::establish(url).map_err(|error| Error::Unavailable(error.into()))?;
    if missing(&mut connection)?.is_empty() {
        return Ok(());
    }
    connection.transaction(|connection| {
        // PostgreSQL reports an error if two nodes change the same catalogue row at once.
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
