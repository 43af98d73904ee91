//! Database of a command: the operator's or a private cluster, migrated to this binary's schema.

use std::sync::Arc;

use anyhow::Context;
use quire_content::MarkupAnalyzer;
use quire_postgres::{Cluster, ClusterConfig, ClusterError, Opened};
use quire_storage::content::files::FileStore;
use quire_storage::content::search::IndexOptions;
use quire_storage::migrations::Status;
use quire_storage::{CacheBudget, MIGRATIONS, Options, SystemStorage, session};

use crate::config::DatabaseOptions;
use crate::system::{SystemClock, SystemIds};

/// Additional connections of a private PostgreSQL, for commands, backups and operators.
const SPARE_CONNECTIONS: u32 = 20;

/// Reachable database with the schema of this binary.
pub struct Database {
    url: String,
    cluster: Option<Opened>,
    /// Versions of the migrations that were run.
    pub migrated: Vec<String>,
}

impl Database {
    /// Opens the database for a server, which owns the private cluster while it runs.
    ///
    /// # Errors
    /// If another server owns the cluster, it cannot be started, or the migration fails.
    pub fn serve(options: &DatabaseOptions, connections: u32) -> anyhow::Result<Self> {
        let start = |config: &ClusterConfig| Cluster::start(config).map(Opened::Owner);
        Self::open(options, connections, start)
    }

    /// Opens the database for one command: joins the private cluster of a running server, or runs the cluster for the
    /// duration of the command.
    ///
    /// # Errors
    /// If it is unreachable or cannot be started, or the migration fails.
    pub fn join(options: &DatabaseOptions) -> anyhow::Result<Self> {
        Self::open(options, 1, Cluster::join_or_start)
    }

    /// Opens the database for one command as [`Self::join`] does, without migrating its schema.
    ///
    /// # Errors
    /// If it is unreachable or cannot be started.
    pub fn reach(options: &DatabaseOptions) -> anyhow::Result<Self> {
        Self::connect(options, 1, Cluster::join_or_start)
    }

    /// Opens the database for one command that requires that no server runs, without migrating its schema.
    ///
    /// # Errors
    /// If a server runs the private cluster; otherwise as for [`Self::reach`].
    pub fn own(options: &DatabaseOptions) -> anyhow::Result<Self> {
        Self::connect(options, 1, |config| Cluster::start(config).map(Opened::Owner))
    }

    fn open(
        options: &DatabaseOptions,
        connections: u32,
        start: impl FnOnce(&ClusterConfig) -> Result<Opened, ClusterError>,
    ) -> anyhow::Result<Self> {
        let database = Self::connect(options, connections, start)?;
        let migrated = match options.database_url() {
            Some(url) => migrate(url, options.migrate_database_url())?,
            None => MIGRATIONS.run(&database.url)?,
        };
        Ok(Self { migrated, ..database })
    }

    fn connect(
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
        Ok(Self { url, cluster, migrated: Vec::new() })
    }

    /// Returns the URL of the database.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the private cluster; `None` for the operator's database.
    pub fn cluster(&self) -> Option<&Opened> {
        self.cluster.as_ref()
    }

    /// Runs `work`, then stops the private cluster if this process runs one.
    ///
    /// # Errors
    /// Errors of `work`, or if PostgreSQL does not stop.
    pub fn during<T>(self, work: impl FnOnce(&Self) -> anyhow::Result<T>) -> anyhow::Result<T> {
        let done = work(&self);
        let closed = self.close();
        let value = done?;
        closed?;
        Ok(value)
    }

    /// Returns the storage: the database and the store of files.
    ///
    /// # Errors
    /// If the folder of files cannot be used.
    pub fn storage(&self, options: &DatabaseOptions, connections: u32) -> anyhow::Result<SystemStorage> {
        Self::open_storage(options, &Options { connections, ..Options::new(&self.url) })
    }

    /// Returns the storage as [`Self::storage`] does, with cache limits, a search index and the standbys that serve
    /// reads.
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
        let storage = Options {
            read_urls: options.read_database_urls(),
            connections,
            slow_statement: options.slow_statement(),
            caches,
            search,
            ..Options::new(&self.url)
        };
        Self::open_storage(options, &storage)
    }

    fn open_storage(options: &DatabaseOptions, storage: &Options) -> anyhow::Result<SystemStorage> {
        let files = open_files(options)?;
        Ok(SystemStorage::new(
            storage,
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

/// Migrates the operator's database, over the direct connection if there is one.
fn migrate(url: &str, direct: Option<&str>) -> anyhow::Result<Vec<String>> {
    let (variable, chosen) = match direct {
        Some(direct) => ("QUIRE_MIGRATE_DATABASE_URL", direct),
        None => ("DATABASE_URL", url),
    };
    let unusable = |variable| format!("{variable} names a database that can't be used");
    let migrated = MIGRATIONS.run(chosen).with_context(|| unusable(variable))?;
    if direct.is_some() {
        let status = MIGRATIONS.status(url).with_context(|| unusable("DATABASE_URL"))?;
        anyhow::ensure!(
            status == Status::Current,
            "DATABASE_URL and QUIRE_MIGRATE_DATABASE_URL name different databases"
        );
    }
    // The direct connection comes first, so that the pooler opens its sessions with the new defaults.
    for url in direct.into_iter().chain([url]) {
        if let Err(error) = session::keep_defaults(url) {
            let error = anyhow::Error::from(error);
            log::warn!(
                "the timeouts of statements can't be made defaults of the role, as poolers need: {error:#}"
            );
        }
    }
    Ok(migrated)
}

/// Names the variable to change in an error. Errors that no variable causes are unchanged.
pub fn with_variable(error: ClusterError) -> anyhow::Error {
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

/// Returns the configuration of the private cluster.
pub fn cluster_config(options: &DatabaseOptions, connections: u32) -> ClusterConfig {
    let connections = connections.saturating_add(SPARE_CONNECTIONS).max(100);
    ClusterConfig {
        binaries: options.postgres_bin().map(Into::into),
        wal_archive: options.wal_archive(),
        ..ClusterConfig::new(options.cluster_dir(), "quire")
    }
    .with_setting("max_connections", connections.to_string())
    // While autovacuum analyzes a table, it removes no dead row versions. With the default cost limit its pauses add
    // seconds, in which a busy space collects thousands of dead versions.
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
