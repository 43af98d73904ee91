//! The log: one line an event on the standard error.

use std::io::{IsTerminal, stderr};

use env_logger::Target;
use log::LevelFilter;

use crate::config::LogOptions;
use crate::log_queue::LogQueue;

/// Starts to log. Times are in UTC with milliseconds; colours are for terminals only. Messages of actix about its threads
/// are left out, unless the operator names the module.
///
/// Lines that go to a file or another program are written by a thread of its own, which has written all of them when the
/// result is dropped. On a terminal, or without such a thread, callers write their lines themselves.
pub fn start(options: &LogOptions) -> Option<LogQueue> {
    let mut logger = env_logger::Builder::new();
    logger
        .filter_module("actix_server", LevelFilter::Warn)
        .parse_filters(&options.log)
        .format_timestamp_millis();
    let queue = if stderr().is_terminal() { None } else { LogQueue::start(stderr()).ok() };
    let queue = queue.map(|(queue, lines)| {
        logger.target(Target::Pipe(Box::new(lines)));
        queue
    });
    logger.init();
    queue
}
