//! The database of a command: the operator's, or a private cluster; migrated to this binary's schema.

use std::sync::Arc;

use anyhow::Context;
use quire_content::MarkupAnalyzer;
use quire_postgres::{Cluster, ClusterConfig, ClusterError, Opened};
use quire_storage::files::FileStore;
use quire_storage::search::IndexOptions;
use quire_storage::{CacheBudget, Options, SystemStorage, migrations};

use crate::config::DatabaseOptions;
use crate::system::{SystemClock, SystemIds};

/// Connections of a private PostgreSQL in addition to the requested ones: for commands, backups, operators.
const SPARE_CONNECTIONS: u32 = 20;

/// A reachable database with the schema of this binary.
pub struct Database {
    url: String,
    cluster: Option<Opened>,
    /// The versions of the migrations that were run.
    pub migrated: Vec<String>,
}

impl Database {
    /// Opens the database for a server, which runs the private cluster while it lives.
    ///
    /// # Errors
    /// If another server runs it, it cannot be started, or the migration fails.
    pub fn serve(options: &DatabaseOptions, connections: u32) -> anyhow::Result<Self> {
        let start = |config: &ClusterConfig| Cluster::start(config).map(Opened::Owner);
        Self::open(options, connections, start)
    }

    /// Opens the database for one command: joins the private cluster of a running server, or runs it for the duration
    /// of the command.
    ///
    /// # Errors
    /// If it is unreachable or cannot be started, or the migration fails.
    pub fn join(options: &DatabaseOptions) -> anyhow::Result<Self> {
        Self::open(options, 1, Cluster::join_or_start)
    }

    fn open(
        options: &DatabaseOptions,
        connections: u32,
        start: impl FnOnce(&ClusterConfig) -> Result<Opened, ClusterError>,
    ) -> anyhow::Result<Self> {
        let (url, cluster) = match options.database_url() {
            Some(url) => (url.to_owned(), None),
            None => {
                let cluster = start(&cluster_config(options, connections)).map_err(with_variable)?;
                (cluster.url(), Some(cluster))
            }
        };
        let migrated = migrations::run(&url);
        let migrated = match options.database_url() {
            Some(_) => migrated.context("DATABASE_URL names a database that can't be used")?,
            None => migrated?,
        };
        Ok(Self { url, cluster, migrated })
    }

    /// Returns the storage: the database and the files.
    ///
    /// # Errors
    /// If the folder of files cannot be used.
    pub fn storage(&self, options: &DatabaseOptions, connections: u32) -> anyhow::Result<SystemStorage> {
        self.storage_with(options, connections, CacheBudget::default(), IndexOptions::default())
    }

    /// As [`Self::storage`], with bounds on caches and a search index.
    ///
    /// # Errors
    /// As for [`Self::storage`].
    pub fn storage_with(
        &self,
        options: &DatabaseOptions,
        connections: u32,
        caches: CacheBudget,
        search: IndexOptions,
    ) -> anyhow::Result<SystemStorage> {
        let files = open_files(options)?;
        let options = Options { connections, caches, search, ..Options::new(&self.url) };
        Ok(SystemStorage::new(
            &options,
            files,
            Arc::new(SystemClock),
            Arc::new(SystemIds),
            Arc::new(MarkupAnalyzer),
        ))
    }

    /// Stops the private cluster, if this process runs one.
    ///
    /// # Errors
    /// If PostgreSQL does not stop.
    pub fn close(self) -> anyhow::Result<()> {
        self.cluster.map_or(Ok(()), Opened::close).context("the private PostgreSQL did not stop")
    }
}

/// Adds the responsible variable to an error; errors without one are unchanged.
fn with_variable(error: ClusterError) -> anyhow::Error {
    let variable = match &error {
        ClusterError::BinariesNotFound { .. } => "QUIRE_POSTGRES_BIN",
        ClusterError::AlreadyRunning { .. }
        | ClusterError::Io { .. }
        | ClusterError::NotEnterable { .. }
        | ClusterError::NotPrivate { .. } => "QUIRE_DATA_DIR",
        _ => return error.into(),
    };
    anyhow::Error::new(error).context(variable)
}

fn cluster_config(options: &DatabaseOptions, connections: u32) -> ClusterConfig {
    let connections = connections.saturating_add(SPARE_CONNECTIONS).max(100);
    ClusterConfig {
        binaries: options.postgres_bin().map(Into::into),
        ..ClusterConfig::new(options.cluster_dir(), "quire")
    }
    .with_setting("max_connections", connections.to_string())
    // While autovacuum analyzes a table, no version of a row can be removed. A space that is written to often would
    // collect thousands of versions in the seconds that its default pauses take.
    .with_setting("autovacuum_vacuum_cost_limit", "5000")
}
/// Opens the configured store of files.
///
/// # Errors
/// If its folder cannot be used, or the access to its bucket is incomplete.
pub fn open_files(options: &DatabaseOptions) -> anyhow::Result<FileStore> {
    let location = options.files();
    let files = FileStore::open(&location, &options.s3.access()?);
    files.with_context(|| format!("QUIRE_FILES: {location} can't be used"))
}
