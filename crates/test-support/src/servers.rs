//! PostgreSQL servers for tests of standbys and poolers, each on its own port of 127.0.0.1, with replication.

use std::fs::{self, File, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, PgConnection};
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, User, geteuid};

const DEADLINE: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(20);

/// PostgreSQL server that standbys can follow, with the database and role `quire`. Killed and removed on drop.
#[derive(Debug)]
pub struct PostgresServer {
    folder: tempfile::TempDir,
    port: u16,
    postmaster: Option<Child>,
}

impl PostgresServer {
    /// Creates and starts a server, with these settings.
    ///
    /// # Panics
    /// If PostgreSQL's programs are missing or fail.
    #[must_use]
    pub fn start(settings: &[(&str, &str)]) -> Self {
        let server = Self::in_folder();
        let mut initdb = program("initdb");
        initdb.arg("--pgdata").arg(server.data());
        initdb.args([
            "--username=postgres",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            "--no-sync",
        ]);
        run(&mut initdb);
        let server = server.run(settings);
        server.execute(
            "postgres",
            "postgres",
            &["CREATE ROLE quire LOGIN REPLICATION CREATEDB", "CREATE DATABASE quire OWNER quire"],
        );
        server
    }

    /// Creates and starts a standby that streams from this server under the name `name`.
    ///
    /// # Panics
    /// If PostgreSQL's programs fail.
    #[must_use]
    pub fn standby(&self, name: &str, settings: &[(&str, &str)]) -> Self {
        let standby = Self::in_folder();
        let mut backup = program("pg_basebackup");
        backup.arg("--pgdata").arg(standby.data());
        backup.args(["--write-recovery-conf", "--checkpoint=fast", "--no-sync", "--dbname"]);
        backup.arg(format!("host=127.0.0.1 port={} user=quire application_name={name}", self.port));
        run(&mut backup);
        standby.run(settings)
    }

    /// Returns the URL of the database `quire` for the role `quire`.
    #[must_use]
    pub fn url(&self) -> String {
        self.url_of("quire", "quire")
    }

    /// Returns the port on 127.0.0.1.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Executes each statement separately, as the superuser, in the database `quire`.
    ///
    /// # Panics
    /// If one fails.
    pub fn admin(&self, statements: &[&str]) {
        self.execute("postgres", "quire", statements);
    }

    /// Kills all processes of the server at once, like a power failure.
    pub fn kill(&mut self) {
        let Some(mut postmaster) = self.postmaster.take() else { return };
        let pid = pid_of(&postmaster);
        // A stopped postmaster cannot start further processes before it is killed.
        let _ = kill(pid, Signal::SIGSTOP);
        let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
        for child in children.split_whitespace().filter_map(|child| child.parse().ok()) {
            let _ = kill(Pid::from_raw(child), Signal::SIGKILL);
        }
        let _ = kill(pid, Signal::SIGKILL);
        let _ = postmaster.wait();
    }

    /// Promotes a standby to primary.
    ///
    /// # Panics
    /// If the promotion fails.
    pub fn promote(&self) {
        run(program("pg_ctl").arg("promote").arg("--wait").arg("--pgdata").arg(self.data()));
    }

    fn in_folder() -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        fs::set_permissions(folder.path(), Permissions::from_mode(0o711)).expect("the folder can be opened");
        let server = Self { port: free_port(), folder, postmaster: None };
        fs::create_dir(server.data()).expect("a folder can be made");
        fs::set_permissions(server.data(), Permissions::from_mode(0o700)).expect("the folder can be closed");
        if let Some(account) = account() {
            let (uid, gid) = (account.uid.as_raw(), account.gid.as_raw());
            chown(server.data(), Some(uid), Some(gid)).expect("the folder can be given away");
        }
        server
    }

    fn run(mut self, settings: &[(&str, &str)]) -> Self {
        let mut postgres = program("postgres");
        postgres.arg("-D").arg(self.data()).arg("-p").arg(self.port.to_string());
        let sockets = format!("unix_socket_directories={}", self.data().display());
        let fixed = ["listen_addresses=127.0.0.1", "fsync=off", "full_page_writes=off", "jit=off"];
        for setting in fixed.into_iter().chain([&*sockets]) {
            postgres.arg("-c").arg(setting);
        }
        for (name, value) in settings {
            postgres.arg("-c").arg(format!("{name}={value}"));
        }
        let log = File::create(self.folder.path().join("log")).expect("a log can be made");
        self.postmaster = Some(postgres.stderr(log).spawn().expect("PostgreSQL can be started"));
        let deadline = Instant::now() + DEADLINE;
        while PgConnection::establish(&self.url_of("postgres", "postgres")).is_err() {
            let log = || fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            assert!(Instant::now() < deadline, "PostgreSQL does not answer: {}", log());
            thread::sleep(POLL);
        }
        self
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn url_of(&self, role: &str, database: &str) -> String {
        format!("postgresql://{role}@127.0.0.1:{}/{database}", self.port)
    }

    fn execute(&self, role: &str, database: &str, statements: &[&str]) {
        let mut connection =
            PgConnection::establish(&self.url_of(role, database)).expect("the server answers");
        for statement in statements {
            connection.batch_execute(statement).unwrap_or_else(|error| panic!("{statement}: {error}"));
        }
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Returns the account under which root runs PostgreSQL. `None` if the caller is not root.
pub(crate) fn account() -> Option<User> {
    let unprivileged =
        || ["postgres", "nobody"].into_iter().find_map(|name| User::from_name(name).ok().flatten());
    geteuid().is_root().then(unprivileged).flatten()
}

/// Returns a command that runs under the account, without the environment of this process.
pub(crate) fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin").env("LC_ALL", "C").current_dir("/");
    command.stdin(Stdio::null()).stdout(Stdio::null()).process_group(0);
    if let Some(account) = account() {
        command.uid(account.uid.as_raw()).gid(account.gid.as_raw());
    }
    command
}

/// Returns a port that is free now.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.local_addr().expect("the port is known").port()
}

pub(crate) fn pid_of(child: &Child) -> Pid {
    Pid::from_raw(i32::try_from(child.id()).expect("process ids fit"))
}

fn program(name: &str) -> Command {
    let folder = quire_postgres::programs(None).expect("PostgreSQL is installed");
    command(&folder.join(name))
}

fn run(command: &mut Command) {
    let output = command.stderr(Stdio::piped()).output().expect("the program can be started");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
