//! `quire migrate`

use clap::Args;

use crate::config::DatabaseOptions;
use crate::database::Database;
use crate::output;

/// The database to migrate.
#[derive(Args)]
pub struct MigrateOptions {
    #[command(flatten)]
    database: DatabaseOptions,
}

/// Migrates the schema and prints the executed migrations.
///
/// # Errors
/// If the database is unreachable or newer than this binary, or a migration fails.
pub fn run(options: &MigrateOptions) -> anyhow::Result<()> {
    let database = Database::join(&options.database)?;
    if database.migrated.is_empty() {
        output::line("The schema is up to date.");
    }
    for version in &database.migrated {
        output::line(&format!("Ran migration {version}."));
    }
    database.close()
}
