//! The log: one line an event on the standard error.

use crate::config::LogOptions;

/// Starts to log. Times are in UTC with milliseconds; colours are for terminals only.
pub fn start(options: &LogOptions) {
    env_logger::Builder::new().parse_filters(&options.log).format_timestamp_millis().init();
}
