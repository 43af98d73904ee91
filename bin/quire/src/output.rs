//! What the program says to whoever started it. The log is elsewhere: `logging.rs`.

use std::io::Write;

use serde::Serialize;

/// Prints a line on the standard output. One that nobody reads any more, like a closed pipe, is no failure.
pub fn line(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Prints a value as one line of JSON, for programs.
///
/// # Errors
/// When it can't be written as JSON.
pub fn json(value: &impl Serialize) -> anyhow::Result<()> {
    line(&serde_json::to_string(value)?);
    Ok(())
}

/// Prints a line on the standard error, with the program's name.
pub fn error(text: &str) {
    let _ = writeln!(std::io::stderr(), "quire: {}", text.trim_end());
}
