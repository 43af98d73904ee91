//! Limits on requests and imports, and retention times.

use std::thread::available_parallelism;
use std::time::Duration;

use clap::Args;
use quire_importer::fetch::AllowRule;
use quire_importer::source::GatherLimits;
use quire_importer::tree;
use quire_storage::CacheBudget;

use super::values::{CommaSeparated, bytes, words};
use crate::usage::WrongInput;

/// Limits on requests.
#[derive(Args, Debug)]
pub struct LimitOptions {
    /// Requests per minute and user; 0 for no limit
    #[arg(long, env = "QUIRE_RATE_LIMIT", value_name = "REQUESTS", default_value_t = 6_000, value_parser = requests)]
    pub rate_limit: u32,
    /// Requests per minute and client address without a valid token; 0 for no limit
    #[arg(long, env = "QUIRE_PEER_RATE_LIMIT", value_name = "REQUESTS", default_value_t = 6_000, value_parser = requests)]
    pub peer_rate_limit: u32,
    /// Maximum size of a JSON body in bytes
    #[arg(long, env = "QUIRE_MAX_BODY", value_name = "BYTES", default_value_t = 4 << 20, value_parser = bytes)]
    pub max_body: usize,
    /// Maximum size of an upload in bytes
    #[arg(long, env = "QUIRE_MAX_UPLOAD", value_name = "BYTES", default_value_t = 32 << 20, value_parser = bytes)]
    pub max_upload: usize,
    /// Memory for the bodies and uploads of all concurrent requests, in bytes
    #[arg(long, env = "QUIRE_MAX_BODIES", value_name = "BYTES", default_value_t = 256 << 20, value_parser = bytes)]
    pub max_bodies: usize,
    /// Memory for the bytes of all responses that wait for their readers, in bytes
    #[arg(long, env = "QUIRE_MAX_UNREAD", value_name = "BYTES", default_value_t = 64 << 20, value_parser = bytes)]
    pub max_unread: usize,
    /// Bytes of memory for all caches: of answers, documents, trees of pages and what is derived from them
    #[arg(long, env = "QUIRE_CACHE", value_name = "BYTES", default_value_t = CacheBudget::DEFAULT_BYTES)]
    cache: u64,
    /// Bytes of finished answers to reads of content among them; 0 keeps none [default: 13/32 of the caches]
    #[arg(long, env = "QUIRE_ANSWER_CACHE", value_name = "BYTES")]
    pub answer_cache: Option<u64>,
    /// Hosts, host:port or blocks of addresses that may be fetched from although they are not public, separated by
    /// commas
    #[arg(long, env = "QUIRE_FETCH_ALLOW", value_name = "RULES", default_value = "", hide_default_value = true, value_parser = words::<AllowRule>)]
    pub fetch_allow: CommaSeparated<AllowRule>,
    /// Database connections, and concurrent requests that use the database [default: three per core]
    #[arg(long, env = "QUIRE_POOL", value_name = "CONNECTIONS", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pool: Option<u32>,
}

impl LimitOptions {
    /// Checks the limits against each other.
    ///
    /// # Errors
    /// A sentence that names the variable if the largest body or upload exceeds the memory for all of them.
    pub fn check(&self) -> anyhow::Result<()> {
        let largest = self.max_body.max(self.max_upload);
        if self.max_bodies >= largest {
            return Ok(());
        }
        let message = format!(
            "QUIRE_MAX_BODIES (or --max-bodies) can't be `{}`: it must be at least the largest body or upload, {largest}",
            self.max_bodies
        );
        Err(WrongInput(message).into())
    }

    /// Returns the memory of all caches.
    pub fn caches(&self) -> CacheBudget {
        CacheBudget::new(self.cache)
    }

    /// Returns the number of database connections. Measured: three per core have the highest throughput; many more only
    /// increase the tail latency.
    pub fn pool(&self) -> u32 {
        self.pool.unwrap_or_else(|| u32::try_from(cores().saturating_mul(3)).unwrap_or(u32::MAX))
    }
}

/// Retention times.
#[derive(Args, Debug)]
pub struct RetentionOptions {
    /// Days after which audit log entries are removed; 0 keeps them forever
    #[arg(long, env = "QUIRE_AUDIT_DAYS", value_name = "DAYS", default_value_t = 400, value_parser = clap::value_parser!(u32).range(0..=36_500))]
    audit_days: u32,
}

impl RetentionOptions {
    /// Returns the age at which audit log entries are removed; `None` keeps them forever.
    pub fn audit_age(&self) -> Option<Duration> {
        let seconds = u64::from(self.audit_days).saturating_mul(24 * 60 * 60);
        (seconds > 0).then(|| Duration::from_secs(seconds))
    }
}

/// Limits on imports.
#[derive(Args, Debug)]
pub struct ImportLimitOptions {
    /// Time limit for fetching in a synchronous import, in seconds
    #[arg(long, env = "QUIRE_IMPORT_SECONDS", value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    import_seconds: u64,
    /// Time limit for fetching in a background import, in seconds
    #[arg(long, env = "QUIRE_IMPORT_WATCHED_SECONDS", value_name = "SECONDS", default_value_t = 900, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    import_watched_seconds: u64,
    /// Maximum size of an import in bytes: as received, unpacked, and in total for a website
    #[arg(long, env = "QUIRE_IMPORT_BYTES", value_name = "BYTES", default_value_t = 512 << 20, value_parser = bytes)]
    import_bytes: usize,
    /// Maximum size of the parsed text of an import in bytes: its pages and tables of contents, not its files
    #[arg(long, env = "QUIRE_IMPORT_TEXT_BYTES", value_name = "BYTES", default_value_t = tree::MAX_TEXT, value_parser = bytes)]
    import_text_bytes: usize,
    /// Maximum number of entries in the archive of an import that may be documentation; there may be ten times as many
    /// in all
    #[arg(long, env = "QUIRE_IMPORT_ENTRIES", value_name = "ENTRIES", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    import_entries: u64,
    /// Maximum number of pages of an imported website
    #[arg(long, env = "QUIRE_IMPORT_PAGES", value_name = "PAGES", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    import_pages: u64,
}

impl ImportLimitOptions {
    /// Returns the limits of synchronous imports.
    pub fn waited(&self) -> GatherLimits {
        let limits =
            GatherLimits { timeout: Duration::from_secs(self.import_seconds), ..GatherLimits::default() };
        let mut limits = limits.with_bytes(u64::try_from(self.import_bytes).unwrap_or(u64::MAX));
        limits.max_text = self.import_text_bytes;
        limits.archive.max_entries = self.import_entries;
        limits.crawl.max_pages = usize::try_from(self.import_pages).unwrap_or(usize::MAX);
        limits
    }

    /// Returns the limits of background imports, which differ only in the time.
    pub fn watched(&self) -> GatherLimits {
        GatherLimits { timeout: Duration::from_secs(self.import_watched_seconds), ..self.waited() }
    }
}

/// Returns the number of the machine's cores.
pub fn cores() -> usize {
    available_parallelism().map_or(1, std::num::NonZero::get)
}

fn requests(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "it must be a number of requests a minute, such as 6000, or 0".to_owned())
}
