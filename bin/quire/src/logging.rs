//! The log: one line per event on standard error.

use std::io::{self, IsTerminal, Write, stderr};

use env_logger::Target;
use env_logger::fmt::Formatter;
use log::{LevelFilter, Record};
use quire_domain::clock::Clock as _;
use time::OffsetDateTime;
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;

use crate::config::LogOptions;
use crate::log_queue::LogQueue;
use crate::system::SystemClock;

/// Starts the log. Times are in UTC with milliseconds; colours are for terminals only. Actix's messages about its
/// threads are left out, unless the operator names the module.
///
/// A separate thread writes lines to files and other programs; dropping the result waits until all are written. On a
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

/// The time of a line: UTC with milliseconds.
const TIME: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");

fn write_line(line: &mut Formatter, record: &Record<'_>) -> io::Result<()> {
    let (level, now) = (record.level(), OffsetDateTime::from(SystemClock.now()));
    let style = line.default_level_style(level);
    line.write_all(b"[")?;
    now.format_into(line, TIME).map_err(io::Error::other)?;
    writeln!(line, " {style}{level:<5}{style:#} {}] {}", record.target(), record.args())
}
