//! A PostgreSQL cluster whose processes get real signals.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, PgConnection};

use crate::signals;

/// A running cluster.
pub struct Cluster {
    binaries: PathBuf,
    data: PathBuf,
    log: PathBuf,
    port: u16,
    account: Option<(u32, u32)>,
    postmaster: Option<Child>,
}

impl Cluster {
    /// Initializes a cluster in a folder and starts it. If this process is root, the cluster runs as `postgres`,
    /// because PostgreSQL refuses to run as root.
    pub fn start(folder: &Path, log: &Path) -> Result<Self> {
        let account = account()?;
        if let Some((user, group)) = account {
            chown(folder, Some(user), Some(group))?;
        }
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let data = folder.join("data");
        let mut cluster =
            Self { binaries: binaries()?, data, log: log.to_owned(), port, account, postmaster: None };
        let mut init = cluster.command("initdb");
        init.args(["--username=quire", "--auth=trust", "--encoding=UTF8", "--locale=C", "--data-checksums"]);
        let made = init.arg("--pgdata").arg(&cluster.data).output()?;
        ensure!(made.status.success(), "initdb failed: {}", String::from_utf8_lossy(&made.stderr));
        cluster.launch()?;
        cluster.administer("postgres")?.batch_execute("CREATE DATABASE quire")?;
        Ok(cluster)
    }

    /// Starts the server processes and waits until they answer.
    pub fn launch(&mut self) -> Result<()> {
        let log = fs::OpenOptions::new().create(true).append(true).open(&self.log)?;
        let mut server = self.command("postgres");
        server.arg("-D").arg(&self.data).args(["-p", &self.port.to_string()]);
        for setting in [
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "max_connections=60",
            "shared_buffers=32MB",
            "max_wal_size=96MB",
            "min_wal_size=32MB",
            "checkpoint_timeout=30s",
        ] {
            server.args(["-c", setting]);
        }
        self.postmaster = Some(server.stdout(log.try_clone()?).stderr(log).spawn()?);
        self.await_answer()
    }

    /// Waits until the server answers, and starts it again if it has ended.
    pub fn recover(&mut self) -> Result<()> {
        let has_ended = match &mut self.postmaster {
            Some(postmaster) => postmaster.try_wait()?.is_some(),
            None => true,
        };
        if has_ended { self.launch() } else { self.await_answer() }
    }

    fn await_answer(&mut self) -> Result<()> {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            if self.administer("postgres").is_ok() {
                return Ok(());
            }
            if let Some(postmaster) = &mut self.postmaster
                && let Some(status) = postmaster.try_wait()?
            {
                bail!("PostgreSQL ended with {status}: {}", self.log.display());
            }
            ensure!(Instant::now() < deadline, "PostgreSQL doesn't answer: {}", self.log.display());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Connects to a database as the superuser.
    pub fn administer(&self, database: &str) -> Result<PgConnection> {
        Ok(PgConnection::establish(&format!("{}&connect_timeout=5", self.url_of(database)))?)
    }

    /// Returns the URL for nodes.
    pub fn url(&self) -> String {
        self.url_of("quire")
    }

    fn url_of(&self, database: &str) -> String {
        format!("postgres://quire@127.0.0.1:{}/{database}?sslmode=disable", self.port)
    }

    /// Returns the ids of the server's processes.
    pub fn pids(&self) -> Result<Vec<u32>> {
        signals::family(self.postmaster.as_ref().context("PostgreSQL isn't running")?.id())
    }

    /// Kills all processes of the server with SIGKILL.
    pub fn kill(&mut self) -> Result<()> {
        // The postmaster comes first, so that it starts no further processes.
        let pids = self.pids()?;
        signals::send("-KILL", &pids)?;
        if let Some(mut postmaster) = self.postmaster.take() {
            postmaster.wait()?;
        }
        // The lock file stays: the next postmaster checks the process id in it.
        Ok(())
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.binaries.join(program));
        command.stdin(Stdio::null()).current_dir("/");
        if let Some((user, group)) = self.account {
            command.uid(user).gid(group);
        }
        command
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Ok(pids) = self.pids() {
            drop(signals::send("-CONT", &pids));
            drop(signals::send("-KILL", &pids));
        }
        if let Some(mut postmaster) = self.postmaster.take() {
            drop(postmaster.wait());
        }
    }
}

/// Returns the account that PostgreSQL runs under if this process is root.
fn account() -> Result<Option<(u32, u32)>> {
    if fs::metadata("/proc/self")?.uid() != 0 {
        return Ok(None);
    }
    let users = fs::read_to_string("/etc/passwd")?;
    let line = users.lines().find(|line| line.starts_with("postgres:"));
    let mut parts = line.context("there is no account `postgres`")?.split(':').skip(2);
    let mut id = || parts.next()?.parse().ok();
    Ok(Some((id().context("it has no id")?, id().context("it has no group")?)))
}

/// Returns the folder of PostgreSQL's newest programs.
fn binaries() -> Result<PathBuf> {
    let mut found: Vec<(u32, PathBuf)> = Vec::new();
    for entry in fs::read_dir("/usr/lib/postgresql").context("PostgreSQL isn't installed")? {
        let entry = entry?;
        let version = entry.file_name().to_str().and_then(|name| name.parse().ok());
        found.extend(version.map(|version| (version, entry.path().join("bin"))));
    }
    found.sort();
    found.pop().map(|(_, folder)| folder).context("PostgreSQL isn't installed")
}
