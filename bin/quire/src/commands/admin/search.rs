//! `quire admin search`

use clap::{Args, Subcommand};
use quire_storage::content::search::request_rebuild;

use crate::config::{DatabaseOptions, SearchOptions};
use crate::output;

/// The search index of this machine.
#[derive(Args)]
pub struct Search {
    #[command(subcommand)]
    command: SearchCommand,
}

#[derive(Subcommand)]
enum SearchCommand {
    /// Rebuild the search index from the content; a running server starts within a minute
    Rebuild(Rebuild),
}

#[derive(Args)]
struct Rebuild {
    #[command(flatten)]
    search: SearchOptions,
    #[command(flatten)]
    database: DatabaseOptions,
}

impl Search {
    /// Runs the command.
    ///
    /// # Errors
    /// If the folder of the index cannot be written.
    pub fn run(self) -> anyhow::Result<()> {
        let SearchCommand::Rebuild(Rebuild { search, database }) = self.command;
        let folder = search.directory(&database.data_dir);
        request_rebuild(&folder)?;
        output::line(&format!("The search index in {} will be rebuilt.", folder.display()));
        Ok(())
    }
}
