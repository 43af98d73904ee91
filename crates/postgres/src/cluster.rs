//! A cluster from its start to its stop.

use std::ffi::OsString;
use std::thread;
use std::time::{Duration, Instant};

use crate::binaries::Binaries;
use crate::config::ClusterConfig;
use crate::connection::Connection;
use crate::error::{ClusterError, IoContext};
use crate::layout::Layout;
use crate::lock::{Attempt, Lock};
use crate::supervisor::{Launch, Supervisor};
use crate::{initdb, leftover, logfile, wire};

const POLL: Duration = Duration::from_millis(10);
/// Recovery after a crash replays at most a few checkpoints' worth of log, but on a slow disk that takes a while.
const READY_TIMEOUT: Duration = Duration::from_secs(600);
/// How long an owner that starts or stops is waited for by one who would join it.
const JOIN_TIMEOUT: Duration = Duration::from_secs(60);
/// The first ends of a start can be due to a killed predecessor's children, which die within moments.
const ENDS_TO_GIVE_UP: u32 = 4;

/// A running private cluster, owned by this process. It is stopped by [`Cluster::stop`] or, unless the process is
/// killed, when the value is dropped; a killed process takes it along.
#[derive(Debug)]
pub struct Cluster {
    // In the order of their end: PostgreSQL first, then the right to run it.
    supervisor: Supervisor,
    connection: Connection,
    _lock: Lock,
}

/// A cluster for the time of one command: this process's own, or that of a server which runs already.
#[derive(Debug)]
pub enum Opened {
    /// Nobody ran it, so that this process does.
    Owner(Cluster),
    /// It was running.
    Joined(Connection),
}

impl Cluster {
    /// Makes the cluster if it doesn't exist, starts it, and returns when it takes connections and has its database.
    ///
    /// # Errors
    /// [`ClusterError::AlreadyRunning`] when another process runs a cluster on this data directory, and any other
    /// variant for what is wrong with the system, the configuration or the data.
    pub fn start(config: &ClusterConfig) -> Result<Self, ClusterError> {
        let layout = Layout::prepare(&config.data_dir)?;
        match Lock::attempt(&layout)? {
            Attempt::Held(lock) => Self::run(config, layout, lock),
            Attempt::TakenBy(pid) => Err(ClusterError::AlreadyRunning { data_dir: layout.data_dir, pid }),
        }
    }

    /// Connects to the cluster that a process runs on this data directory, or starts it when nobody does.
    ///
    /// # Errors
    /// As [`Self::start`], but for [`ClusterError::AlreadyRunning`]; [`ClusterError::NotReady`] when its owner doesn't
    /// get it to answer within a minute.
    pub fn join_or_start(config: &ClusterConfig) -> Result<Opened, ClusterError> {
        let layout = Layout::prepare(&config.data_dir)?;
        let connection = Connection::new(layout.run_dir.clone(), config.database.clone());
        let deadline = Instant::now() + JOIN_TIMEOUT;
        loop {
            if let Attempt::Held(lock) = Lock::attempt(&layout)? {
                return Self::run(config, layout, lock).map(Opened::Owner);
            }
            // Its owner may be starting or stopping: what fails now is tried again.
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

    /// Removes a cluster with all its data, unless a process runs it, and tells whether it did. A PostgreSQL that a
    /// killed process left behind is stopped first.
    ///
    /// # Errors
    /// [`ClusterError::StillRunning`] when such a PostgreSQL doesn't stop, [`ClusterError::Io`] when files can't be removed.
    pub fn remove(config: &ClusterConfig) -> Result<bool, ClusterError> {
        let layout = Layout::prepare(&config.data_dir)?;
        let Attempt::Held(_lock) = Lock::attempt(&layout)? else { return Ok(false) };
        leftover::clear(&layout)?;
        for folder in [&layout.run_dir, &layout.data_dir] {
            std::fs::remove_dir_all(folder).context("remove", folder)?;
        }
        Ok(true)
    }

    /// The database's URL as libpq understands it.
    pub fn url(&self) -> String {
        self.connection.url()
    }

    /// How to reach the database.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The process id of PostgreSQL's postmaster, unless it just died.
    pub fn postmaster_pid(&self) -> Option<i32> {
        self.supervisor.pid()
    }

    /// Ends all sessions, writes everything to disk and waits for PostgreSQL to end.
    ///
    /// # Errors
    /// [`ClusterError::StillRunning`] when it doesn't end.
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
        let log_file = layout.log_file();
        let supervisor = Supervisor::start(Launch { program: binaries.postgres(), arguments, layout });
        let cluster = Self { supervisor, connection, _lock: lock };
        cluster.wait_until_ready(|| logfile::tail(&log_file))?;
        cluster.connection.ensure_database()?;
        Ok(cluster)
    }

    fn wait_until_ready(&self, log: impl Fn() -> String) -> Result<(), ClusterError> {
        let deadline = Instant::now() + READY_TIMEOUT;
        while self.connection.cluster_answers().is_err() {
            let (ends, status) = self.supervisor.ends();
            if ends >= ENDS_TO_GIVE_UP {
                return Err(ClusterError::Exited { status, log: log() });
            }
            if Instant::now() > deadline {
                return Err(ClusterError::NotReady { waited: READY_TIMEOUT, log: log() });
            }
            thread::sleep(POLL);
        }
        Ok(())
    }
}

impl Opened {
    /// The database's URL as libpq understands it.
    pub fn url(&self) -> String {
        match self {
            Self::Owner(cluster) => cluster.url(),
            Self::Joined(connection) => connection.url(),
        }
    }

    /// Stops the cluster if this process started it.
    ///
    /// # Errors
    /// As [`Cluster::stop`].
    pub fn close(self) -> Result<(), ClusterError> {
        match self {
            Self::Owner(cluster) => cluster.stop(),
            Self::Joined(_) => Ok(()),
        }
    }
}

/// PostgreSQL's command line. Settings stand here rather than in `postgresql.conf`, so that each start has what this
/// version of the program wants, and the file stays the operator's.
fn arguments(config: &ClusterConfig, layout: &Layout) -> Vec<OsString> {
    let mut arguments = vec![OsString::from("-D"), layout.pgdata().into_os_string()];
    // The value is a list of folders, in which quotes keep commas and spaces together.
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
    let extra = config.settings.iter().map(|(name, value)| format!("{name}={value}"));
    for setting in fixed.into_iter().chain(extra).map(OsString::from).chain([socket_dir]) {
        arguments.push("-c".into());
        arguments.push(setting);
    }
    arguments
}
