//! Server under measurement: a child process in its own folder.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// A running `quire serve` with one organization.
pub struct Server {
    child: Child,
    /// Address of the server, such as `http://127.0.0.1:8080`.
    pub base: String,
    /// Id of the organization.
    pub organization: String,
    /// Token of the organization's administrator.
    pub token: String,
    /// Data folder.
    pub data: PathBuf,
    /// Log file, unless the log is forwarded to standard error.
    pub log: Option<PathBuf>,
    start: Start,
    _folder: tempfile::TempDir,
}

/// Program and port of the process.
struct Start {
    binary: PathBuf,
    port: u16,
}

/// Level and destination of the server's log.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Log {
    /// Warnings, to standard error of this process.
    Warnings,
    /// The default level, to a file in the server's folder.
    Default,
}

impl Server {
    /// Starts a server without rate limits and waits until it is ready.
    pub fn start(binary: &Path, log: Log) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        // If this process is root, PostgreSQL runs under another account, which must be able to enter the folder.
        #[cfg(unix)]
        std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        let data = folder.path().join("data");
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let log_file = (log == Log::Default).then(|| folder.path().join("server.log"));
        let start = Start { binary: binary.to_owned(), port };
        let mut child = serve(&start, &data, log_file.as_deref())?;
        if log_file.is_none() {
            forward(&mut child)?;
        }
        wait_until_ready(&mut child, port)?;
        let made = bootstrap(binary, &data)?;
        let text = |key: &str| {
            let value = made.get(key).and_then(Value::as_str).map(str::to_owned);
            value.with_context(|| format!("the output of `admin bootstrap` has no {key:?}"))
        };
        let (organization, token) = (text("organization")?, text("token")?);
        let base = format!("http://127.0.0.1:{port}");
        Ok(Self { child, base, organization, token, data, log: log_file, start, _folder: folder })
    }

    /// Stops the server, lets `meanwhile` change its data folder, and starts it again. Returns once it is ready.
    pub fn restart(&mut self, meanwhile: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
        self.stop();
        meanwhile(&self.data)?;
        self.child = serve(&self.start, &self.data, self.log.as_deref())?;
        if self.log.is_none() {
            forward(&mut self.child)?;
        }
        wait_until_ready(&mut self.child, self.start.port)
    }

    /// Ends the process, which stops PostgreSQL.
    fn stop(&mut self) {
        let id = self.child.id().to_string();
        let asked = Command::new("kill").args(["-TERM", &id]).status();
        if !asked.is_ok_and(|status| status.success()) {
            drop(self.child.kill());
        }
        drop(self.child.wait());
    }

    /// Returns the process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Empties the log file, which grows by some 10 MB per second under load.
    pub fn truncate_log(&self) -> Result<()> {
        if let Some(path) = &self.log {
            std::fs::OpenOptions::new().write(true).open(path)?.set_len(0)?;
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // PostgreSQL has to stop before the folder is removed.
        self.stop();
    }
}

fn serve(start: &Start, data: &Path, log: Option<&Path>) -> Result<Child> {
    let Start { binary, port } = start;
    let mut command = Command::new(binary);
    command
        .arg("serve")
        .env("QUIRE_DATA_DIR", data)
        .env("QUIRE_BIND", format!("127.0.0.1:{port}"))
        .env("QUIRE_RATE_LIMIT", "0")
        .env("QUIRE_PEER_RATE_LIMIT", "0")
        .env_remove("QUIRE_LOG")
        .env_remove("DATABASE_URL")
        .stdout(Stdio::null());
    match log {
        // Opened for appending, so that the server writes at the new end after a truncation.
        Some(path) => {
            command.stderr(std::fs::OpenOptions::new().create(true).append(true).open(path)?);
        }
        None => {
            command.env("QUIRE_LOG", "warn").stderr(Stdio::piped());
        }
    }
    command.spawn().with_context(|| format!("{} can't be started", binary.display()))
}

/// Creates the organization and returns the output of the command.
fn bootstrap(binary: &Path, data: &Path) -> Result<Value> {
    let output = Command::new(binary)
        .args(["admin", "bootstrap", "--organization", "Bench"])
        .args(["--email", "bench@example.com", "--name", "Bench"])
        .env("QUIRE_DATA_DIR", data)
        .env_remove("DATABASE_URL")
        .output()?;
    if !output.status.success() {
        bail!("`admin bootstrap` failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Copies the server's standard error to standard error of this process.
#[allow(clippy::print_stderr, reason = "it is the server's own standard error")]
fn forward(child: &mut Child) -> Result<()> {
    let stderr = child.stderr.take().context("the server has no standard error")?;
    std::thread::spawn(move || {
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            eprintln!("quire: {line}");
        }
    });
    Ok(())
}

/// Waits until `/readyz` answers 200. The port is open before the database is ready.
fn wait_until_ready(child: &mut Child, port: u16) -> Result<()> {
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while !is_ready(port).unwrap_or(false) {
        if let Some(status) = child.try_wait()? {
            bail!("the server ended with {status}");
        }
        if std::time::Instant::now() > deadline {
            bail!("the server isn't ready after a minute");
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    Ok(())
}

fn is_ready(port: u16) -> Result<bool> {
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(std::time::Duration::from_secs(5)))?;
    stream.write_all(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut status = String::new();
    BufReader::new(stream).read_line(&mut status)?;
    Ok(status.contains(" 200 "))
}
