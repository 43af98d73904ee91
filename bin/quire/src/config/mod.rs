//! The configuration: one small struct per concern. Each option is a flag and an environment variable; nothing else in
//! Quire reads the environment.

mod limits;
mod network;
mod services;
mod state;
mod values;

use clap::Args;

pub use self::limits::{ImportLimitOptions, LimitOptions, RetentionOptions, cores};
pub use self::network::{ListenOptions, base_url};
pub use self::services::{GithubOptions, MailOptions, PdfOptions};
pub use self::state::{BucketOptions, DatabaseOptions, SearchOptions};
use self::values::log_levels;

/// Logging options.
#[derive(Args, Debug)]
pub struct LogOptions {
    /// The log level (error, warn, info, debug, trace), or levels of modules, such as `info,quire_importer=debug`
    #[arg(long, env = "QUIRE_LOG", value_name = "LEVELS", default_value = "info", value_parser = log_levels, global = true)]
    pub log: String,
}
