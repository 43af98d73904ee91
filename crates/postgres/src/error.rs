//! Why a cluster could not be found, made, started or stopped.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Everything that can go wrong with a private cluster. Each sentence says what to do where there is a choice.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// Another process holds the lock of the data directory.
    #[error("{data_dir} is already served by {}", owner_of(*pid), data_dir = data_dir.display())]
    AlreadyRunning {
        /// The data directory asked for.
        data_dir: PathBuf,
        /// The process that holds it, when its lock file says so.
        pid: Option<u32>,
    },
    /// No folder holds both `initdb` and `postgres`.
    #[error(
        "PostgreSQL's server programs (initdb and postgres) were not found in {searched}: install them \
         (on Debian: apt-get install postgresql) or configure the folder that holds them"
    )]
    BinariesNotFound {
        /// Where they were looked for.
        searched: String,
    },
    /// The programs that were found are older than this crate knows how to run.
    #[error("PostgreSQL {found} is too old: version {oldest} or newer is needed")]
    TooOld {
        /// The newest major version found.
        found: u32,
        /// The oldest major version that this crate runs.
        oldest: u32,
    },
    /// The data directory was made by a major version that isn't installed.
    #[error(
        "{data_dir} was made by PostgreSQL {cluster}, and installed here is {found}: install PostgreSQL {cluster}, \
         or move the data with pg_dumpall or pg_upgrade", data_dir = data_dir.display()
    )]
    OtherMajorVersion {
        /// The cluster's data directory.
        data_dir: PathBuf,
        /// The major version that made it.
        cluster: u32,
        /// The major versions found, joined by commas.
        found: String,
    },
    /// PostgreSQL refuses to run as root, and there is no other account to run it as.
    #[error(
        "PostgreSQL can't run as root and neither of the accounts {candidates} exists: make one (useradd --system postgres), \
         or start as an ordinary user"
    )]
    NoAccount {
        /// The accounts that were looked for.
        candidates: String,
    },
    /// A folder on the way to the data directory keeps the account out.
    #[error(
        "the account {account}, which runs PostgreSQL, can't enter {folder}: let it (chmod o+x {folder}) or choose a data directory \
         elsewhere, such as one below /var/lib", folder = folder.display()
    )]
    NotEnterable {
        /// The first folder on the way that refuses.
        folder: PathBuf,
        /// The account that runs PostgreSQL.
        account: String,
    },
    /// A folder or file belongs to someone else, or others may use it.
    #[error("{path} must be a folder that belongs to {account} alone", path = path.display())]
    NotPrivate {
        /// What was found there.
        path: PathBuf,
        /// The account that it should belong to.
        account: String,
    },
    /// `initdb` failed.
    #[error("initdb failed: {output}")]
    Initialise {
        /// What it printed.
        output: String,
    },
    /// PostgreSQL ended before it answered.
    #[error("PostgreSQL did not start ({status}); its log ends with:\n{log}")]
    Exited {
        /// How its process ended.
        status: String,
        /// The last lines of its log.
        log: String,
    },
    /// PostgreSQL runs, but did not answer in time.
    #[error("PostgreSQL did not answer within {} s; its log ends with:\n{log}", waited.as_secs())]
    NotReady {
        /// How long it was waited for.
        waited: Duration,
        /// The last lines of its log.
        log: String,
    },
    /// A PostgreSQL process that should end does not.
    #[error("PostgreSQL (process {pid}) does not stop")]
    StillRunning {
        /// The postmaster's process id.
        pid: i32,
    },
    /// PostgreSQL answered with an error.
    #[error("PostgreSQL refuses: {message} ({code})")]
    Server {
        /// The SQLSTATE.
        code: String,
        /// PostgreSQL's own sentence.
        message: String,
    },
    /// A file, folder, process or socket could not be used.
    #[error("can't {action} {path}", path = path.display())]
    Io {
        /// What was tried, as a verb.
        action: &'static str,
        /// With what.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

fn owner_of(pid: Option<u32>) -> String {
    pid.map_or_else(|| "another process".to_owned(), |pid| format!("another process ({pid})"))
}

/// Names the file and the deed in an [`io::Error`].
pub(crate) trait IoContext<T> {
    fn context(self, action: &'static str, path: &Path) -> Result<T, ClusterError>;
}

impl<T> IoContext<T> for io::Result<T> {
    fn context(self, action: &'static str, path: &Path) -> Result<T, ClusterError> {
        self.map_err(|source| ClusterError::Io { action, path: path.to_owned(), source })
    }
}
