//! A `quire serve` process.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::signals;

/// Settings that all nodes share.
#[derive(Clone, Debug)]
pub struct Shared {
    pub binary: PathBuf,
    pub database_url: String,
    pub files: PathBuf,
    pub secret_key: String,
    /// Library that fakes the clock, and the file that sets the offset.
    pub clock: Option<(PathBuf, PathBuf)>,
}

/// A node. After a kill it is started again at the same address.
pub struct Node {
    shared: Shared,
    data: PathBuf,
    log: PathBuf,
    pub port: u16,
    child: Option<Child>,
}

impl Node {
    /// Starts a node with its own folder.
    pub fn start(shared: &Shared, folder: &Path, name: &str) -> Result<Self> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let (data, log) = (folder.join(name), folder.join(format!("{name}.log")));
        fs::create_dir_all(&data)?;
        let mut node = Self { shared: shared.clone(), data, log, port, child: None };
        node.launch()?;
        Ok(node)
    }

    /// Starts the process, unless it runs. The process ends by itself if the database is unreachable at its start.
    pub fn launch(&mut self) -> Result<()> {
        if let Some(child) = &mut self.child
            && child.try_wait()?.is_none()
        {
            return Ok(());
        }
        let log = fs::OpenOptions::new().create(true).append(true).open(&self.log)?;
        let mut command = self.command();
        command.arg("serve").env("QUIRE_BIND", format!("127.0.0.1:{}", self.port));
        command.env("QUIRE_RATE_LIMIT", "0").env("QUIRE_PEER_RATE_LIMIT", "0");
        command.env("QUIRE_POOL", "6").env("QUIRE_LOG", "warn").env("QUIRE_FETCH_ALLOW", "127.0.0.1");
        self.child = Some(command.stdout(Stdio::null()).stderr(log).spawn()?);
        Ok(())
    }

    /// Creates the first organization.
    pub fn bootstrap(&self) -> Result<(String, String)> {
        self.administer(&[
            "bootstrap",
            "--organization",
            "Faults",
            "--email",
            "faults@example.com",
            "--name",
            "Faults",
        ])
    }

    /// Creates a member who reviews the change requests of the writers, and returns a token.
    pub fn create_reviewer(&self, organization: &str) -> Result<String> {
        let options = ["--email", "reviews@example.com", "--name", "Reviews", "--role", "admin"];
        let made =
            self.administer(&[&["create-user", "--organization", organization], &options[..]].concat());
        Ok(made?.1)
    }

    /// Runs a `quire admin` command, and returns the organization and the token that it prints.
    fn administer(&self, arguments: &[&str]) -> Result<(String, String)> {
        let output = self.command().arg("admin").args(arguments).output()?;
        ensure!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        let made: Value = serde_json::from_slice(&output.stdout)?;
        let text = |key: &str| made.get(key).and_then(Value::as_str).map(str::to_owned);
        text("organization").zip(text("token")).with_context(|| format!("{arguments:?} printed no token"))
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.shared.binary);
        command
            .env("QUIRE_DATA_DIR", &self.data)
            .env("DATABASE_URL", &self.shared.database_url)
            .env("QUIRE_FILES", &self.shared.files)
            .env("QUIRE_SECRET_KEY", &self.shared.secret_key)
            .stdin(Stdio::null());
        if let Some((library, file)) = &self.shared.clock {
            command.env("LD_PRELOAD", library).env("FAKETIME_TIMESTAMP_FILE", file);
            // Only the wall clock jumps, as in practice; the monotonic clock does not.
            command.env("FAKETIME_NO_CACHE", "1").env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        }
        command
    }

    /// Sends a signal to the process.
    pub fn signal(&self, signal: &str) -> Result<()> {
        signals::send(signal, &self.child.as_ref().map(Child::id).into_iter().collect::<Vec<_>>())
    }

    /// Kills the process with SIGKILL.
    pub fn kill(&mut self) -> Result<()> {
        self.signal("-KILL")?;
        if let Some(mut child) = self.child.take() {
            child.wait()?;
        }
        Ok(())
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        drop(self.signal("-CONT"));
        drop(self.kill());
    }
}

/// Sets the offset between the clock of the nodes and the machine's clock, in seconds.
pub fn set_clock(file: &Path, seconds: i64) -> Result<()> {
    let whole = file.with_extension("new");
    {
        use std::io::Write as _;
        write!(File::create(&whole)?, "{seconds:+}")?;
    }
    // Replaces the file atomically, because the nodes read it at each query of the clock.
    fs::rename(&whole, file)?;
    Ok(())
}
