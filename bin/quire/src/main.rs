//! The `quire` binary: reads the configuration, wires the crates together and runs a command.

mod client;
mod commands;
mod config;
mod database;
mod log_queue;
mod logging;
mod output;
mod secret_key;
mod system;
mod usage;

use std::process::ExitCode;

use clap::Parser;
use tikv_jemallocator::Jemalloc;

/// Allocator that returns freed memory to the system within seconds, also without requests
/// (docs/adr/0009-allocator.md).
#[global_allocator]
static ALLOCATOR: Jemalloc = Jemalloc;

/// Quire, a self-hosted documentation workspace.
#[derive(Parser)]
#[command(version, propagate_version = true)]
struct Cli {
    #[command(flatten)]
    log: config::LogOptions,
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    let cli = match usage::parse::<Cli>() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    let log = logging::start(&cli.log);
    let result = commands::run(cli.command);
    // Dropping the log writes all lines before the program ends.
    drop(log);
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::error(&format!("{error:#}"));
            usage::exit_code(&error)
        }
    }
}
