//! Errors in arguments and configuration, each in one sentence.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Parser};

use crate::output;

/// Exit code for invalid input, as is customary.
const WRONG_INPUT: u8 = 2;

/// Invalid input: the deployment is intact, and other input may succeed.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct WrongInput(pub String);

/// Parses the arguments and the environment. Prints errors and the output of `--help`.
///
/// # Errors
/// Exit code, if there is nothing to run.
pub fn parse<C: Parser>() -> Result<C, ExitCode> {
    C::try_parse().map_err(|error| match sentence(&error, &C::command()) {
        Some(sentence) => {
            output::error(&sentence);
            ExitCode::from(WRONG_INPUT)
        }
        None => {
            // clap's own output suits help, the version and unknown commands.
            let _ = error.print();
            error.exit_code().try_into().map_or(ExitCode::FAILURE, |code: u8| ExitCode::from(code))
        }
    })
}

/// Returns the exit code for an error.
pub fn exit_code(error: &anyhow::Error) -> ExitCode {
    if error.is::<WrongInput>() { ExitCode::from(WRONG_INPUT) } else { ExitCode::FAILURE }
}

/// Returns one sentence about an invalid value, with its variable and flag.
fn sentence(error: &clap::Error, command: &Command) -> Option<String> {
    if !matches!(error.kind(), ErrorKind::ValueValidation | ErrorKind::InvalidValue) {
        return None;
    }
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let argument = text(ContextKind::InvalidArg)?;
    let flag = argument.split(' ').next().unwrap_or(argument);
    let name = match variable(command, flag) {
        Some(variable) => format!("{} (or {flag})", variable.to_string_lossy()),
        None => flag.to_owned(),
    };
    let value = text(ContextKind::InvalidValue).unwrap_or_default();
    let why = match (std::error::Error::source(error), error.get(ContextKind::ValidValue)) {
        (Some(why), _) => why.to_string(),
        (None, Some(ContextValue::Strings(values))) if !values.is_empty() => {
            format!("it must be one of {}", values.join(", "))
        }
        (None, _) => "it needs a value".to_owned(),
    };
    Some(format!("{name} can't be `{value}`: {why}"))
}

/// Returns the environment variable of a flag, searched in all subcommands.
fn variable(command: &Command, flag: &str) -> Option<OsString> {
    let long = flag.trim_start_matches('-');
    let own = command.get_arguments().find(|argument| argument.get_long() == Some(long));
    let own = own.and_then(|argument| argument.get_env()).map(OsString::from);
    own.or_else(|| command.get_subcommands().find_map(|command| variable(command, flag)))
}
