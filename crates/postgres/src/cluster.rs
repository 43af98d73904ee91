//! Life cycle of a cluster, from start to stop.

use std::ffi::OsString;
use std::thread;
use std::time::{Duration, Instant};

use crate::archive::WalArchive;
use crate::binaries::Binaries;
use crate::config::ClusterConfig;
use crate::connection::Connection;
use crate::error::{ClusterError, IoContext};
use crate::layout::Layout;
use crate::lock::{Attempt, Lock};
use crate::supervisor::{Launch, Supervisor};
use crate::{initdb, leftover, logfile, wire};

const POLL: Duration = Duration::from_millis(10);
/// Time to wait for the lock of a process that is ending. A child that another thread forks holds it until its `exec`.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);
/// Time to wait for an owner that starts or stops the cluster, before joining fails.
const JOIN_TIMEOUT: Duration = Duration::from_secs(60);
/// Number of exits of PostgreSQL before a start fails. The first attempts may fail because children of a killed
/// predecessor still run.
const MAX_EXITS: u32 = 4;

/// A running private cluster, owned by this process. It is stopped by [`Cluster::stop`] or on drop; if this process is
/// killed, the cluster ends with it.
#[derive(Debug)]
pub struct Cluster {
    // Fields are dropped in this order: PostgreSQL first, then the lock.
    supervisor: Supervisor,
    connection: Connection,
    _lock: Lock,
}

/// Cluster for one command: owned by this process, or by a running server.
#[derive(Debug)]
pub enum Opened {
    /// The cluster was started by this process.
    Owner(Cluster),
    /// The cluster was already running.
    Joined(Connection),
}

impl Cluster {
    /// Creates the cluster if needed, starts it, and returns when it accepts connections and has its database.
    ///
    /// # Errors
    /// [`ClusterError::AlreadyRunning`] if another process runs a cluster on this data directory; other variants for
    /// errors of the system, the configuration or the data.
    pub fn start(config: &ClusterConfig) -> Result<Self, ClusterError> {
        let layout = Layout::prepare(&config.data_dir)?;
        let deadline = Instant::now() + LOCK_TIMEOUT;
        loop {
            match Lock::attempt(&layout)? {
                Attempt::Held(lock) => return Self::run(config, layout, lock),
                Attempt::TakenBy(_) if Instant::now() < deadline => thread::sleep(POLL),
                Attempt::TakenBy(pid) => {
                    return Err(ClusterError::AlreadyRunning { data_dir: layout.data_dir, pid });
                }
            }
        }
    }

    /// Connects to the cluster that a process runs on this data directory, or starts it if no process does.
    ///
    /// # Errors
    /// As for [`Self::start`], except for [`ClusterError::AlreadyRunning`]; [`ClusterError::NotReady`] if a cluster of
    /// another process does not answer within a minute.
    pub fn join_or_start(config: &ClusterConfig) -> Result<Opened, ClusterError> {
        let layout = Layout::prepare(&config.data_dir)?;
        let connection = Connection::new(layout.run_dir.clone(), config.database.clone());
        let deadline = Instant::now() + JOIN_TIMEOUT;
        loop {
            if let Attempt::Held(lock) = Lock::attempt(&layout)? {
                return Self::run(config, layout, lock).map(Opened::Owner);
            }
            // The owner may be starting or stopping, so failures are retried.
            if connection.cluster_answers().is_ok() && connection.ensure_database().is_ok() {
                return Ok(Opened::Joined(connection));
            }
            if Instant::now() > deadline {
                let log = logfile::tail(&layout.log_file());
                return Err(ClusterError::NotReady { waited: JOIN_TIMEOUT, log });
            }
            thread::sleep(POLL);
        }
    }

    /// Removes a cluster with all its data, unless a process runs it, and returns whether it was removed. A PostgreSQL
    /// left behind by a killed process is stopped first.
    ///
    /// # Errors
    /// [`ClusterError::StillRunning`] if that PostgreSQL does not stop, [`ClusterError::Io`] if files cannot be
    /// removed.
    pub fn remove(config: &ClusterConfig) -> Result<bool, ClusterError> {
        let layout = Layout::prepare(&config.data_dir)?;
        let Attempt::Held(_lock) = Lock::attempt(&layout)? else { return Ok(false) };
        leftover::clear(&layout)?;
        for folder in [&layout.run_dir, &layout.data_dir] {
            std::fs::remove_dir_all(folder).context("remove", folder)?;
        }
        Ok(true)
    }

    /// Returns the database's URL for libpq.
    pub fn url(&self) -> String {
        self.connection.url()
    }

    /// Returns the connection parameters of the database.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Returns the process id of the postmaster; `None` if PostgreSQL is not running at the moment.
    pub fn postmaster_pid(&self) -> Option<i32> {
        self.supervisor.pid()
    }

    /// Ends all sessions, writes all data to disk and waits until PostgreSQL has ended.
    ///
    /// # Errors
    /// [`ClusterError::StillRunning`] if it does not end.
    pub fn stop(mut self) -> Result<(), ClusterError> {
        self.supervisor.stop()
    }

    fn run(config: &ClusterConfig, layout: Layout, lock: Lock) -> Result<Self, ClusterError> {
        let version = layout.cluster_version()?;
        let wanted = version.map(|major| (major, layout.data_dir.as_path()));
        let binaries = Binaries::find(config.binaries.as_deref(), wanted)?;
        leftover::clear(&layout)?;
        if version.is_none() {
            log::info!("making a PostgreSQL {} cluster in {}", binaries.major, layout.data_dir.display());
            initdb::create(&layout, &binaries, config.is_durable())?;
        }
        let connection = Connection::new(layout.run_dir.clone(), config.database.clone());
        let arguments = arguments(config, &layout);
        if let Some(archive) = &config.wal_archive {
            archive.prepare(&layout)?;
        }
        let log_file = layout.log_file();
        let supervisor = Supervisor::start(Launch { program: binaries.postgres(), arguments, layout });
        let cluster = Self { supervisor, connection, _lock: lock };
        cluster.wait_until_ready(config.ready_timeout, || logfile::tail(&log_file))?;
        cluster.connection.ensure_database()?;
        Ok(cluster)
    }

    fn wait_until_ready(&self, timeout: Duration, log: impl Fn() -> String) -> Result<(), ClusterError> {
        let deadline = Instant::now() + timeout;
        while self.connection.cluster_answers().is_err() {
            let (ends, status) = self.supervisor.ends();
            if ends >= MAX_EXITS {
                return Err(ClusterError::Exited { status, log: log() });
            }
            if Instant::now() > deadline {
                return Err(ClusterError::NotReady { waited: timeout, log: log() });
            }
            thread::sleep(POLL);
        }
        Ok(())
    }
}

impl Opened {
    /// Returns the database's URL for libpq.
    pub fn url(&self) -> String {
        match self {
            Self::Owner(cluster) => cluster.url(),
            Self::Joined(connection) => connection.url(),
        }
    }

    /// Returns the connection parameters of the database.
    pub fn connection(&self) -> &Connection {
        match self {
            Self::Owner(cluster) => cluster.connection(),
            Self::Joined(connection) => connection,
        }
    }

    /// Stops the cluster if this process started it.
    ///
    /// # Errors
    /// As for [`Cluster::stop`].
    pub fn close(self) -> Result<(), ClusterError> {
        match self {
            Self::Owner(cluster) => cluster.stop(),
            Self::Joined(_) => Ok(()),
        }
    }
}

/// Returns PostgreSQL's command line. Settings are passed here instead of in `postgresql.conf`, so that each start
/// applies the settings of this version, and the file is left to the operator.
fn arguments(config: &ClusterConfig, layout: &Layout) -> Vec<OsString> {
    let mut arguments = vec![OsString::from("-D"), layout.pgdata().into_os_string()];
    // The value is a list of folders; quotes protect commas and spaces.
    let mut socket_dir = OsString::from("unix_socket_directories=\"");
    socket_dir.push(layout.run_dir.as_os_str());
    socket_dir.push("\"");
    let fixed = [
        "listen_addresses=".into(),
        format!("port={}", wire::PORT),
        "unix_socket_permissions=0700".into(),
        "logging_collector=off".into(),
        "log_destination=stderr".into(),
        "log_checkpoints=off".into(),
        "log_timezone=UTC".into(),
        "timezone=UTC".into(),
    ];
    let archive = config.wal_archive.iter().flat_map(WalArchive::settings);
    let extra = config.settings.iter().map(|(name, value)| format!("{name}={value}"));
    for setting in fixed.into_iter().chain(archive).chain(extra).map(OsString::from).chain([socket_dir]) {
        arguments.push("-c".into());
        arguments.push(setting);
    }
    arguments
}
