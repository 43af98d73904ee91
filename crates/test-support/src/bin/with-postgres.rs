//! `with-postgres [--] COMMAND…` runs a command with one PostgreSQL server, which all its tests share.

#![allow(clippy::print_stderr, reason = "this is a program, whose user reads its standard error")]

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::process::{Command, ExitCode};

use quire_test_support::{DATABASE_URL_VARIABLE, TestCluster};

fn main() -> ExitCode {
    let mut command: Vec<OsString> = env::args_os().skip(1).collect();
    if command.first().is_some_and(|first| first == "--") {
        command.remove(0);
    }
    match run(&command) {
        Ok(code) => code,
        Err(error) => {
            eprint!("with-postgres: {error}");
            let mut source = error.source();
            while let Some(cause) = source {
                eprint!(": {cause}");
                source = cause.source();
            }
            eprintln!();
            ExitCode::FAILURE
        }
    }
}

fn run(command: &[OsString]) -> Result<ExitCode, Box<dyn Error>> {
    let (program, arguments) = command.split_first().ok_or("usage: with-postgres [--] COMMAND…")?;
    let mut command = Command::new(program);
    command.args(arguments);
    if env::var_os(DATABASE_URL_VARIABLE).is_some_and(|url| !url.is_empty()) {
        return Ok(exit_code(command.status()?.code()));
    }
    let cluster = TestCluster::start()?;
    let status = command.env(DATABASE_URL_VARIABLE, &cluster.url).status();
    cluster.stop()?;
    Ok(exit_code(status?.code()))
}

/// Returns the exit code. A command that a signal ended has none and counts as failed.
fn exit_code(code: Option<i32>) -> ExitCode {
    code.and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from)
}
