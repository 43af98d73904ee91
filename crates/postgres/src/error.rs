//! Errors of private clusters.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Error of a private cluster. Messages name the possible remedies.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// Another process holds the lock of the data directory.
    #[error("{data_dir} is already served by {}", owner_of(*pid), data_dir = data_dir.display())]
    AlreadyRunning {
        /// The requested data directory.
        data_dir: PathBuf,
        /// The process that holds it, if its lock file names it.
        pid: Option<u32>,
    },
    /// No folder holds both `initdb` and `postgres`.
    #[error(
        "PostgreSQL's server programs (initdb and postgres) were not found in {searched}: install them \
         (on Debian: apt-get install postgresql) or configure the folder that holds them"
    )]
    BinariesNotFound {
        /// The searched folders.
        searched: String,
    },
    /// The programs found are older than this crate supports.
    #[error("PostgreSQL {found} is too old: version {oldest} or newer is needed")]
    TooOld {
        /// The newest major version found.
        found: u32,
        /// The oldest supported major version.
        oldest: u32,
    },
    /// The data directory was created by a major version that is not installed.
    #[error(
        "{data_dir} was created by PostgreSQL {cluster}, which is not installed (found: {found}): install it, or move the \
         data with pg_dumpall or pg_upgrade", data_dir = data_dir.display()
    )]
    OtherMajorVersion {
        /// The cluster's data directory.
        data_dir: PathBuf,
        /// The major version that created it.
        cluster: u32,
        /// The major versions found, joined by commas.
        found: String,
    },
    /// PostgreSQL refuses to run as root, and no other account exists for it.
    #[error(
        "PostgreSQL can't run as root and neither of the accounts {candidates} exists: create one (useradd \
         --system postgres), or start as an ordinary user"
    )]
    NoAccount {
        /// The accounts searched for.
        candidates: String,
    },
    /// The account cannot enter a folder above the data directory.
    #[error(
        "the account {account}, which runs PostgreSQL, can't enter {folder}: allow it (chmod o+x {folder}) or \
         choose a data directory elsewhere, such as one below /var/lib", folder = folder.display()
    )]
    NotEnterable {
        /// The first folder that it cannot enter.
        folder: PathBuf,
        /// The account that runs PostgreSQL.
        account: String,
    },
    /// A folder or file belongs to another account, or is accessible to others.
    #[error("{path} must be a folder that belongs to {account} alone", path = path.display())]
    NotPrivate {
        /// The folder or file.
        path: PathBuf,
        /// The account that should own it.
        account: String,
    },
    /// `initdb` failed.
    #[error("initdb failed: {output}")]
    Initialise {
        /// Output of `initdb`.
        output: String,
    },
    /// `pg_basebackup` failed.
    #[error("pg_basebackup failed: {output}")]
    BaseBackup {
        /// Output of `pg_basebackup`.
        output: String,
    },
    /// The data directory for a recovery already holds a cluster.
    #[error("{data_dir} holds a cluster already: recover into a new folder", data_dir = data_dir.display())]
    Occupied {
        /// The cluster's data directory.
        data_dir: PathBuf,
    },
    /// PostgreSQL ended before it answered.
    #[error("PostgreSQL did not start ({status}); its log ends with:\n{log}")]
    Exited {
        /// The exit status of its process.
        status: String,
        /// The last lines of its log.
        log: String,
    },
    /// PostgreSQL runs, but did not answer in time.
    #[error("PostgreSQL did not answer within {} s; its log ends with:\n{log}", waited.as_secs())]
    NotReady {
        /// Time waited.
        waited: Duration,
        /// The last lines of its log.
        log: String,
    },
    /// A PostgreSQL process did not stop.
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
        /// PostgreSQL's message.
        message: String,
    },
    /// A file, folder, process or socket could not be used.
    #[error("can't {action} {path}", path = path.display())]
    Io {
        /// The failed action, as a verb.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
}

fn owner_of(pid: Option<u32>) -> String {
    pid.map_or_else(|| "another process".to_owned(), |pid| format!("another process ({pid})"))
}

/// Adds the action and the file to an [`io::Error`].
pub(crate) trait IoContext<T> {
    fn context(self, action: &'static str, path: &Path) -> Result<T, ClusterError>;
}

impl<T> IoContext<T> for io::Result<T> {
    fn context(self, action: &'static str, path: &Path) -> Result<T, ClusterError> {
        self.map_err(|source| ClusterError::Io { action, path: path.to_owned(), source })
    }
}
