//! One PostgreSQL server for all tests of a process, or of a whole run.

use std::env;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use nix::sys::statvfs::statvfs;
use quire_postgres::{Cluster, ClusterConfig, ClusterError};

/// Environment variable with the URL of a PostgreSQL database to use instead of starting a server. The role must be
/// allowed to create databases.
pub const DATABASE_URL_VARIABLE: &str = "QUIRE_TEST_DATABASE_URL";

const FOLDER_PREFIX: &str = "quire-test-postgres-";
/// File system in memory. PostgreSQL creates about a thousand files per database; on a disk that costs more than most
/// tests.
const MEMORY: &str = "/dev/shm";
/// Minimum size of the file system in memory. Containers often have one of 64 MiB, which is too small.
const MEMORY_MIN: u64 = 4 << 30;
/// Minimum age of an abandoned folder. A younger one may belong to a process that has not locked it yet.
const ABANDONED_AFTER: Duration = Duration::from_secs(60);

/// PostgreSQL server for tests: fast, without durability.
#[derive(Debug)]
pub struct TestCluster {
    /// URL from which tests create their databases.
    pub url: String,
    started: Option<(Cluster, PathBuf)>,
}

/// Returns the server of this process: the one in [`DATABASE_URL_VARIABLE`], or one that the first call starts and that
/// ends with the process.
///
/// # Panics
/// If PostgreSQL cannot be started.
pub fn test_cluster() -> &'static TestCluster {
    static CLUSTER: OnceLock<TestCluster> = OnceLock::new();
    CLUSTER.get_or_init(|| match url_from_environment() {
        Some(url) => TestCluster { url, started: None },
        None => {
            TestCluster::start().unwrap_or_else(|error| panic!("no PostgreSQL for tests: {error:?}: {error}"))
        }
    })
}

/// Returns the value of [`DATABASE_URL_VARIABLE`], unless it is empty.
#[allow(clippy::disallowed_methods, reason = "tests have no configuration but the environment")]
fn url_from_environment() -> Option<String> {
    env::var(DATABASE_URL_VARIABLE).ok().filter(|url| !url.is_empty())
}

impl TestCluster {
    /// Starts a server in a folder of its own, in memory if there is room and otherwise in the system's temporary
    /// folder. Removes folders that killed test processes left.
    ///
    /// # Errors
    /// As for [`Cluster::start`].
    pub fn start() -> Result<Self, ClusterError> {
        let parent = parent_folder();
        sweep(&parent);
        // If root starts PostgreSQL, it runs under another account, which must be able to enter the folder.
        let folder = tempfile::Builder::new()
            .prefix(FOLDER_PREFIX)
            .permissions(Permissions::from_mode(0o711))
            .tempdir_in(&parent)
            .map_err(|source| ClusterError::Io { action: "make a folder in", path: parent, source })?;
        let cluster = Cluster::start(&config(folder.path()))?;
        Ok(Self { url: cluster.url(), started: Some((cluster, folder.keep())) })
    }

    /// Stops the cluster and removes its data.
    ///
    /// # Errors
    /// As for [`Cluster::stop`].
    pub fn stop(self) -> Result<(), ClusterError> {
        let Some((cluster, folder)) = self.started else { return Ok(()) };
        cluster.stop()?;
        fs::remove_dir_all(&folder).map_err(|source| ClusterError::Io {
            action: "remove",
            path: folder,
            source,
        })
    }
}

/// Returns [`MEMORY`] if it is large enough and `TMPDIR` is not set to another folder.
#[allow(clippy::disallowed_methods, reason = "tests have no configuration but the environment")]
fn parent_folder() -> PathBuf {
    let memory = PathBuf::from(MEMORY);
    let room =
        statvfs(&memory).map_or(0, |stats| stats.blocks_available().saturating_mul(stats.fragment_size()));
    if env::var_os("TMPDIR").is_none() && room >= MEMORY_MIN { memory } else { env::temp_dir() }
}

fn config(folder: &Path) -> ClusterConfig {
    ClusterConfig::new(folder.join("cluster"), "quire")
        .with_setting("fsync", "off")
        .with_setting("synchronous_commit", "off")
        .with_setting("full_page_writes", "off")
        .with_setting("max_connections", "300")
        // The files are in memory, and old WAL is never needed again.
        .with_setting("max_wal_size", "256MB")
        // The planner assumes that tables without statistics are large, and JIT compilation of one statement takes
        // longer than most tests.
        .with_setting("jit", "off")
}

/// Removes the folders of killed processes. Folders that cannot be removed are left to the system's cleanup.
fn sweep(temporary: &Path) {
    let entries = fs::read_dir(temporary).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(FOLDER_PREFIX)) {
        let modified = entry.metadata().and_then(|metadata| metadata.modified()).ok();
        let age = modified.and_then(|modified| modified.elapsed().ok()).unwrap_or_default();
        if age >= ABANDONED_AFTER
            && matches!(Cluster::remove(&config(&entry.path())), Ok(true))
            && let Err(error) = fs::remove_dir_all(entry.path())
        {
            log::warn!("can't remove {}: {error}", entry.path().display());
        }
    }
}
