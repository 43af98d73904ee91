//! Configuration of a cluster.

use std::path::PathBuf;
use std::time::Duration;

use crate::archive::WalArchive;

/// Default time limit of a start. Recovery after a crash replays at most a few checkpoints' worth of log, which can be
/// slow on some disks.
const READY_TIMEOUT: Duration = Duration::from_secs(600);

/// Location and settings of a private cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterConfig {
    /// Folder for this cluster alone: it holds `pgdata`, the lock, the log and the socket. Created if missing. The
    /// account that runs PostgreSQL must be able to enter its parents.
    pub data_dir: PathBuf,
    /// Folder of `initdb` and `postgres`. Default: they are searched for.
    pub binaries: Option<PathBuf>,
    /// Additional settings of `postgresql.conf`, as (name, value). The last of several equal names applies.
    pub settings: Vec<(String, String)>,
    /// Name of the database in [`Connection::url`](crate::Connection::url) and of the role that owns it. Both are
    /// created if missing.
    pub database: String,
    /// Destination of the write-ahead log; `None` archives nothing.
    pub wal_archive: Option<WalArchive>,
    /// Time limit of a start.
    pub ready_timeout: Duration,
}

impl ClusterConfig {
    /// Returns the configuration of a cluster in `data_dir` with PostgreSQL's default settings and one database.
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

    /// Returns the configuration with another setting of `postgresql.conf`.
    #[must_use]
    pub fn with_setting(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.settings.push((name.into(), value.into()));
        self
    }

    /// Returns whether the cluster syncs to disk. Clusters for tests do not.
    pub(crate) fn is_durable(&self) -> bool {
        let fsync = self.settings.iter().rev().find(|(name, _)| name == "fsync");
        !fsync.is_some_and(|(_, value)| matches!(value.as_str(), "off" | "false" | "no" | "0"))
    }
}
