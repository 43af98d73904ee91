//! Commands of the binary, one file each.

mod admin;
mod doctor;
mod files;
mod import;
pub mod maintenance;
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
    /// Write the database and the files to one archive, while the server runs
    Backup(maintenance::BackupOptions),
    /// Restore an archive of `quire backup` to an empty deployment
    Restore(maintenance::RestoreOptions),
    /// Verify the database and the files, and print the problems found
    Check(maintenance::CheckCommand),
    /// Copy the private PostgreSQL, for recovery to any point in time with the archived write-ahead log
    BaseBackup(maintenance::BaseBackupOptions),
    /// Recover the private PostgreSQL into a new data folder from a copy and the archived write-ahead log
    Recover(maintenance::RecoverOptions),
    /// Report problems of the configuration and the machine, with remedies
    Doctor(Box<doctor::DoctorOptions>),
    /// Manage the store of files
    #[command(subcommand)]
    Files(files::FilesCommand),
    /// Manage organizations, users and tokens on the machine that Quire runs on
    #[command(subcommand)]
    Admin(admin::AdminCommand),
    /// Print the OpenAPI document
    Openapi,
}

/// Runs a command. Errors are one sentence with their causes.
///
/// # Errors
/// The error of the command.
pub fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Serve(options) => serve::run(&options),
        Command::Migrate(options) => migrate::run(&options),
        Command::Import(options) => import::run(&options),
        Command::Backup(options) => options.run(),
        Command::Restore(options) => options.run(),
        Command::Check(options) => options.run(),
        Command::BaseBackup(options) => options.run(),
        Command::Recover(options) => options.run(),
        Command::Doctor(options) => options.run(),
        Command::Files(command) => files::run(command),
        Command::Admin(command) => admin::run(command),
        Command::Openapi => openapi::run(),
    }
}
