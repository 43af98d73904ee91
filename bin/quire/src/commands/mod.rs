//! Commands of the binary, one file each.

mod admin;
mod files;
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
    /// Migrate the database's schema, and exit
    Migrate(migrate::MigrateOptions),
    /// Import a folder, a file or a URL into a space of a server
    Import(import::ImportOptions),
    /// Manage the store of files
    #[command(subcommand)]
    Files(files::FilesCommand),
    /// Manage organizations, users and tokens on the machine that Quire runs on
    #[command(subcommand)]
    Admin(admin::AdminCommand),
    /// Print the OpenAPI document
    Openapi,
}

/// Runs a command.
///
/// # Errors
/// The error, in one sentence with its causes.
pub fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Serve(options) => serve::run(&options),
        Command::Migrate(options) => migrate::run(&options),
        Command::Import(options) => import::run(&options),
        Command::Files(command) => files::run(command),
        Command::Admin(command) => admin::run(command),
        Command::Openapi => openapi::run(),
    }
}
