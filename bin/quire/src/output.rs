//! What the program says to whoever started it. The log is elsewhere: `logging.rs`.

use std::io::Write;

/// Prints a line on the standard output. One that nobody reads any more, like a closed pipe, is no failure.
pub fn line(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Prints a line on the standard error, with the program's name.
pub fn error(text: &str) {
    let _ = writeln!(std::io::stderr(), "quire: {text}");
}
