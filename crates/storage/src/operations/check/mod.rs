//! Consistency checks of a database that the schema cannot express.
//!
//! Everything is read from one snapshot. Rows are streamed and references looked up in batches, so memory does not grow
//! with the deployment.

mod content;
mod rules;

use diesel::pg::PgRowByRowLoadingMode;
use diesel::prelude::*;
use diesel::sql_types::Text;

use crate::operations::snapshot::{ForeignKey, Snapshot, tables};
use crate::{Error, Result};

pub use content::{Verified, check_content};
pub use rules::{RULES, Rule};

/// Message about an error.
#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

/// Passes a message to `report` for each row that breaks a rule.
pub fn check_rule(snapshot: &mut Snapshot, rule: &Rule, mut report: impl FnMut(&str)) -> Result<()> {
    (rule.run)(&mut snapshot.connection, &mut report)
}

/// Passes a message to `report` for each row that violates a foreign key. PostgreSQL prevents that, unless its triggers
/// were disabled or its files were damaged.
pub fn check_foreign_key(
    snapshot: &mut Snapshot,
    key: &ForeignKey,
    mut report: impl FnMut(&str),
) -> Result<()> {
    let subject = format!("{} of {}", key.name, key.table);
    let rows = diesel::sql_query(tables::select_dangling(key))
        .bind::<Text, _>(subject)
        .bind::<Text, _>(&key.target)
        .load_iter::<Line, PgRowByRowLoadingMode>(&mut snapshot.connection)
        .map_err(Error::from)?;
    for row in rows {
        report(&row?.line);
    }
    Ok(())
}
