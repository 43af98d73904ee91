//! The log: one line an event on the standard error.

use log::LevelFilter;

use crate::config::LogOptions;

/// Starts to log. Times are in UTC with milliseconds; colours are for terminals only. What actix says of its threads is left out, unless the
/// operator names the module.
pub fn start(options: &LogOptions) {
    env_logger::Builder::new()
        .filter_module("actix_server", LevelFilter::Warn)
        .parse_filters(&options.log)
        .format_timestamp_millis()
        .init();
}
