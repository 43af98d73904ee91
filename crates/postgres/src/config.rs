//! What a caller decides about its cluster.

use std::path::PathBuf;

/// Where a private cluster lives and how it is tuned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterConfig {
    /// The folder that belongs to the cluster alone: it holds `pgdata`, the lock, the log and the socket.
    /// It is made when it is absent; its parents must be enterable by the account that runs PostgreSQL.
    pub data_dir: PathBuf,
    /// The folder that holds `initdb` and `postgres`, when they should not be searched for.
    pub binaries: Option<PathBuf>,
    /// Settings of `postgresql.conf` on top of this crate's, as (name, value); the last of a name wins.
    pub settings: Vec<(String, String)>,
    /// The database that [`Connection::url`](crate::Connection::url) names, and the role that owns it; both are made when absent.
    pub database: String,
}

impl ClusterConfig {
    /// A cluster in `data_dir` with PostgreSQL's default settings and one database.
    pub fn new(data_dir: impl Into<PathBuf>, database: impl Into<String>) -> Self {
        Self { data_dir: data_dir.into(), binaries: None, settings: Vec::new(), database: database.into() }
    }

    /// The same cluster with one more setting of `postgresql.conf`.
    #[must_use]
    pub fn with_setting(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.settings.push((name.into(), value.into()));
        self
    }

    /// Whether this cluster waits for the disk. One that doesn't is for tests, whose data nobody misses.
    pub(crate) fn is_durable(&self) -> bool {
        let fsync = self.settings.iter().rev().find(|(name, _)| name == "fsync");
        !fsync.is_some_and(|(_, value)| matches!(value.as_str(), "off" | "false" | "no" | "0"))
    }
}
