//! Output for the user. The log is separate: `logging.rs`.

use std::io::Write;

use serde::Serialize;

/// Prints a line on standard output. A failed write, for example to a closed pipe, is ignored.
pub fn line(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Prints a value as one line of JSON, for programs.
///
/// # Errors
/// If it cannot be serialized.
pub fn json(value: &impl Serialize) -> anyhow::Result<()> {
    line(&serde_json::to_string(value)?);
    Ok(())
}

/// Prints a line on standard error, with the program's name.
pub fn error(text: &str) {
    let _ = writeln!(std::io::stderr(), "quire: {}", text.trim_end());
}
