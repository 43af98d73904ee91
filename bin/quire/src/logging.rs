//! The log: one line per event on standard error.

use std::io::{self, IsTerminal, Write, stderr};

use env_logger::Target;
use env_logger::fmt::Formatter;
use log::{Level, LevelFilter, Record};
use quire_domain::clock::Clock as _;
use time::OffsetDateTime;
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;

use crate::config::LogOptions;
use crate::log_queue::LogQueue;
use crate::system::SystemClock;

/// Starts the log. Times are in UTC with milliseconds; only terminals get colours. Actix's messages about its threads
/// are left out, unless the operator enables the module.
///
/// A separate thread writes the lines to files and pipes. Dropping the result waits until all are written. On a
/// terminal, or without such a thread, callers write their lines themselves.
pub fn start(options: &LogOptions) -> Option<LogQueue> {
    let mut logger = env_logger::Builder::new();
    logger.filter_module("actix_server", LevelFilter::Warn).parse_filters(&options.log).format(write_line);
    let queue = if stderr().is_terminal() { None } else { LogQueue::start(stderr()).ok() };
    let queue = queue.map(|(queue, lines)| {
        logger.target(Target::Pipe(Box::new(lines)));
        queue
    });
    logger.init();
    queue
}

/// Time of a line: UTC with milliseconds.
const TIME: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");

/// Module of the HTTP server that reads requests, and prefixes of its errors that clients can cause at will: a
/// malformed request or a reset connection, and a head that is too long.
const READER: &str = "actix_http::h1";
const CAUSED_BY_CLIENTS: [&str; 2] = ["stream error", "MAX_BUFFER_SIZE"];

/// Returns whether a client caused the error. Clients must not be able to trigger alerts on errors.
fn is_caused_by_client(record: &Record<'_>) -> bool {
    if record.level() != Level::Error || !record.target().starts_with(READER) {
        return false;
    }
    let message = record.args().to_string();
    CAUSED_BY_CLIENTS.iter().any(|beginning| message.starts_with(beginning))
}

fn write_line(line: &mut Formatter, record: &Record<'_>) -> io::Result<()> {
    if is_caused_by_client(record) {
        return Ok(());
    }
    let (level, now) = (record.level(), OffsetDateTime::from(SystemClock.now()));
    let style = line.default_level_style(level);
    line.write_all(b"[")?;
    now.format_into(line, TIME).map_err(io::Error::other)?;
    writeln!(line, " {style}{level:<5}{style:#} {}] {}", record.target(), record.args())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_left_out(target: &str, level: Level, message: &str) -> bool {
        is_caused_by_client(
            &Record::builder().target(target).level(level).args(format_args!("{message}")).build(),
        )
    }

    #[test]
    fn errors_that_clients_cause_are_left_out() {
        let (dispatcher, decoder) = ("actix_http::h1::dispatcher", "actix_http::h1::decoder");
        assert!(is_left_out(dispatcher, Level::Error, "stream error: request parse error: invalid Header"));
        assert!(is_left_out(decoder, Level::Error, "MAX_BUFFER_SIZE unprocessed data reached, closing"));
        assert!(!is_left_out(dispatcher, Level::Error, "Internal server error: unexpected eof"));
        assert!(!is_left_out("quire_server::files", Level::Error, "stream error: x"));
        assert!(!is_left_out(dispatcher, Level::Warn, "stream error: x"));
    }
}
