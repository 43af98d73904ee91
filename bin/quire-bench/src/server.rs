//! The server under measurement: a child process in a folder of its own.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// A running `quire serve` with one organization.
pub struct Server {
    child: Child,
    /// Where it listens.
    pub base: String,
    /// The organization's id.
    pub organization: String,
    /// Its admin's token.
    pub token: String,
    /// Where its data is.
    pub data: PathBuf,
    _folder: tempfile::TempDir,
}

impl Server {
    /// Starts it and waits until it is ready.
    pub fn start(binary: &Path) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        // PostgreSQL runs as another user when this runs as root, and has to get in.
        #[cfg(unix)]
        std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        let data = folder.path().join("data");
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let base = format!("http://127.0.0.1:{port}");
        let mut child = Command::new(binary)
            .arg("serve")
            .env("QUIRE_DATA_DIR", &data)
            .env("QUIRE_BIND", format!("127.0.0.1:{port}"))
            .env("QUIRE_RATE_LIMIT", "0")
            .env("QUIRE_PEER_RATE_LIMIT", "0")
            .env("QUIRE_LOG", "warn")
            .env_remove("DATABASE_URL")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("{} can't be started", binary.display()))?;
        forward(&mut child)?;
        wait_until_ready(&mut child, port)?;
        let bootstrap = Command::new(binary)
            .args([
                "admin",
                "bootstrap",
                "--organization",
                "Bench",
                "--email",
                "bench@example.com",
                "--name",
                "Bench",
            ])
            .env("QUIRE_DATA_DIR", &data)
            .env_remove("DATABASE_URL")
            .output()?;
        if !bootstrap.status.success() {
            bail!("bootstrap failed: {}", String::from_utf8_lossy(&bootstrap.stderr));
        }
        let made: Value = serde_json::from_slice(&bootstrap.stdout)?;
        let text = |key: &str| {
            made.get(key).and_then(Value::as_str).map(str::to_owned).context("bootstrap says too little")
        };
        Ok(Self {
            child,
            base,
            organization: text("organization")?,
            token: text("token")?,
            data,
            _folder: folder,
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Asked to end, it stops PostgreSQL, too, before its folder goes.
        let id = self.child.id().to_string();
        let asked = Command::new("kill").args(["-TERM", &id]).status();
        if !asked.is_ok_and(|status| status.success()) {
            drop(self.child.kill());
        }
        drop(self.child.wait());
    }
}

/// Passes on what the server complains about.
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

/// The port is open before the database is: only `/readyz` tells.
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
