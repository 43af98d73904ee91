//! Configuration of a cluster.

use std::path::PathBuf;
use std::time::Duration;

use crate::archive::WalArchive;

/// Recovery after a crash replays at most a few checkpoints' worth of log, which can be slow on some disks.
const READY_TIMEOUT: Duration = Duration::from_secs(600);

/// Location and settings of a private cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterConfig {
    /// The folder of this cluster alone: it holds `pgdata`, the lock, the log and the socket. Created if missing; the
    /// account that runs PostgreSQL must be able to enter its parents.
    pub data_dir: PathBuf,
    /// The folder of `initdb` and `postgres`; by default they are searched for.
    pub binaries: Option<PathBuf>,
    /// Additional settings of `postgresql.conf`, as (name, value); the last of equal names wins.
    pub settings: Vec<(String, String)>,
    /// The database in [`Connection::url`](crate::Connection::url), and the role that owns it; both are created if
    /// missing.
    pub database: String,
    /// Destination of the write-ahead log; `None` archives nothing.
    pub wal_archive: Option<WalArchive>,
    /// Time that a start may take.
    pub ready_timeout: Duration,
}

impl ClusterConfig {
    /// Returns a cluster in `data_dir` with PostgreSQL's default settings and one database.
    pub fn new(data_dir: impl Into<PathBuf>, database: impl Into<String>) -> Self {
        Self {
            data_dir: data_dir.into(),
            binaries: None,
            settings: Vec::new(),
            database: database.into(),
            wal_archive: None,
            ready_timeout: READY_TIMEOUT,
        }
    }

    /// Returns the same cluster with another setting of `postgresql.conf`.
    #[must_use]
    pub fn with_setting(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.settings.push((name.into(), value.into()));
        self
    }

    /// Returns whether this cluster syncs to disk. Clusters for tests do not.
    pub(crate) fn is_durable(&self) -> bool {
        let fsync = self.settings.iter().rev().find(|(name, _)| name == "fsync");
        !fsync.is_some_and(|(_, value)| matches!(value.as_str(), "off" | "false" | "no" | "0"))
    }
}
