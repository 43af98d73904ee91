//! PgBouncer in front of a PostgreSQL server.

use std::env;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use diesel::{Connection as _, PgConnection};

use crate::servers::{command, free_port};

/// Environment variable with the path of a PgBouncer to use instead of the installed one.
const PROGRAM_VARIABLE: &str = "QUIRE_TEST_PGBOUNCER";
/// First version that supports prepared statements in transaction mode.
const KEEPS_STATEMENTS: (u32, u32) = (1, 21);
const DEADLINE: Duration = Duration::from_secs(20);

/// Duration for which a client keeps its server connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoolMode {
    /// Until the client disconnects.
    Session,
    /// For a transaction.
    Transaction,
}

/// Running PgBouncer, killed on drop.
#[derive(Debug)]
pub struct Pooler {
    process: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl Pooler {
    /// Starts a PgBouncer on a port of 127.0.0.1 for the server on the port `server`, with `connections` server
    /// connections.
    ///
    /// # Errors
    /// The reason, if PgBouncer is not installed or too old for this mode.
    ///
    /// # Panics
    /// If it does not start.
    pub fn start(server: u16, mode: PoolMode, connections: u32) -> Result<Self, String> {
        let program = program().ok_or("PgBouncer is not installed")?;
        let version = version(&program).ok_or("PgBouncer prints no version")?;
        let (mode, statements) = match mode {
            PoolMode::Session => ("session", ""),
            PoolMode::Transaction if version < KEEPS_STATEMENTS => {
                return Err(format!("PgBouncer {version:?} is too old for transaction mode"));
            }
            PoolMode::Transaction => ("transaction", "max_prepared_statements = 200\n"),
        };
        let folder = tempfile::tempdir().expect("a folder can be made");
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("the folder can be opened");
        let port = free_port();
        let file = folder.path().join("pgbouncer.ini");
        let settings = format!(
            "[databases]\n* = host=127.0.0.1 port={server} user=quire\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
             listen_port = {port}\nunix_socket_dir =\nauth_type = any\npool_mode = {mode}\n\
             default_pool_size = {connections}\nmax_client_conn = 200\n{statements}"
        );
        fs::write(&file, settings).expect("the settings can be written");
        fs::set_permissions(&file, Permissions::from_mode(0o644)).expect("the settings can be opened");
        let process = command(&program).arg("--quiet").arg(&file).stderr(Stdio::null()).spawn();
        let pooler = Self { process: process.expect("PgBouncer can be started"), port, _folder: folder };
        let deadline = Instant::now() + DEADLINE;
        while PgConnection::establish(&pooler.url()).is_err() {
            assert!(Instant::now() < deadline, "PgBouncer does not answer");
            thread::sleep(Duration::from_millis(20));
        }
        Ok(pooler)
    }

    /// Returns the URL of the database `quire`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("postgresql://quire@127.0.0.1:{}/quire", self.port)
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[allow(clippy::disallowed_methods, reason = "tests have no configuration but the environment")]
fn program() -> Option<PathBuf> {
    let configured = env::var(PROGRAM_VARIABLE).ok().map(PathBuf::from);
    let path = env::var_os("PATH").unwrap_or_default();
    let installed =
        env::split_paths(&path).chain(["/usr/sbin".into()]).map(|folder| folder.join("pgbouncer"));
    configured.into_iter().chain(installed).find(|program| program.is_file())
}

/// Returns major and minor version: `PgBouncer 1.18.0` gives (1, 18).
fn version(program: &PathBuf) -> Option<(u32, u32)> {
    let output = Command::new(program).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut numbers = text.split_whitespace().nth(1)?.split('.').map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}
