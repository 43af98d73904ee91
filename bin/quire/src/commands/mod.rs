//! What the binary can do, one file a command.

mod admin;
mod import;
mod migrate;
mod openapi;
mod serve;

use clap::Subcommand;

/// A command.
#[derive(Subcommand)]
pub enum Command {
    /// Serve the API
    Serve(Box<serve::ServeOptions>),
    /// Bring the database's schema forward, and exit
    Migrate(migrate::MigrateOptions),
    /// Import a folder, a file or an address into a space of a server
    Import(import::ImportOptions),
    /// Manage organizations, people and tokens from the machine that Quire runs on
    #[command(subcommand)]
    Admin(admin::AdminCommand),
    /// Print the OpenAPI document
    Openapi,
}

/// Runs a command.
///
/// # Errors
/// Why it could not be done, in one sentence with its causes.
pub fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Serve(options) => serve::run(&options),
        Command::Migrate(options) => migrate::run(&options),
        Command::Import(options) => import::run(&options),
        Command::Admin(command) => admin::run(command),
        Command::Openapi => openapi::run(),
    }
}
