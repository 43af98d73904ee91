//! Scratch folders, owners to kill and queries.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::unistd::Pid;
use quire_postgres::ClusterConfig;
use tempfile::TempDir;

const DEADLINE: Duration = Duration::from_secs(60);

/// Folder that the account of root's PostgreSQL can enter, too.
pub(crate) struct Scratch {
    folder: TempDir,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o711)).unwrap();
        Self { folder }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn data_dir(&self) -> PathBuf {
        self.path().join("data")
    }

    pub(crate) fn config(&self) -> ClusterConfig {
        ClusterConfig::new(self.data_dir(), "notes").with_setting("fsync", "off")
    }

    pub(crate) fn postmaster_pid(&self) -> Option<Pid> {
        let text = fs::read_to_string(self.data_dir().join("pgdata/postmaster.pid")).ok()?;
        text.lines().next()?.parse().ok().map(Pid::from_raw)
    }

    pub(crate) fn open_parent_of(&self, path: &Path) {
        let parent = path.parent().unwrap();
        fs::create_dir_all(parent).unwrap();
        fs::set_permissions(parent, fs::Permissions::from_mode(0o711)).unwrap();
    }

    /// Starts PostgreSQL on the data directory without a parent process whose end would stop it.
    pub(crate) fn start_orphan(&self) -> Stranger {
        let pgdata = self.data_dir().join("pgdata");
        let mut command = self.as_cluster_account(&postgres_program());
        command.arg("-D").arg(&pgdata).args(["-c", "listen_addresses=", "-c"]);
        command.arg(format!("unix_socket_directories={}", self.data_dir().join("run").display()));
        let orphan = Stranger { child: command.stdin(Stdio::null()).stderr(Stdio::null()).spawn().unwrap() };
        let ready =
            || fs::read_to_string(pgdata.join("postmaster.pid")).is_ok_and(|text| text.contains("ready"));
        until(ready);
        orphan
    }

    /// Starts a process of the cluster's account that is not PostgreSQL.
    pub(crate) fn start_stranger(&self) -> Stranger {
        let mut command = self.as_cluster_account(Path::new("sleep"));
        Stranger { child: command.arg("600").spawn().unwrap() }
    }

    pub(crate) fn assign_to_cluster_account(&self, path: &Path) {
        let owner = fs::metadata(self.data_dir().join("pgdata")).unwrap();
        chown(path, Some(owner.uid()), Some(owner.gid())).unwrap();
    }

    fn as_cluster_account(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir("/");
        if nix::unistd::geteuid().is_root() {
            let owner = fs::metadata(self.data_dir().join("pgdata")).unwrap();
            command.uid(owner.uid()).gid(owner.gid());
        }
        command
    }
}

/// Process that is killed at the end of the test.
pub(crate) struct Stranger {
    child: Child,
}

impl Stranger {
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns whether the process has ended on its own. A PostgreSQL ends on its own when it is stopped.
    pub(crate) fn has_ended(mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }
}

impl Drop for Stranger {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// Process that owns a cluster: the example `hold`.
pub(crate) struct Holder {
    child: Child,
    pub(crate) url: String,
}

impl Holder {
    pub(crate) fn start(scratch: &Scratch) -> Self {
        Self::spawn(Command::new(hold_program()), &scratch.data_dir())
    }

    pub(crate) fn spawn(mut command: Command, data_dir: &Path) -> Self {
        command.arg(data_dir).arg("notes").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        assert!(url.starts_with("postgresql://"), "{url:?}");
        Self { child, url: url.trim_end().to_owned() }
    }

    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Closes the standard input of the process, at which it stops its cluster.
    pub(crate) fn finish(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
    }
}

/// Returns the path of the example `hold`, which Cargo builds with the tests.
pub(crate) fn hold_program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().and_then(Path::parent).unwrap().join("examples/hold")
}

pub(crate) fn owner_of(path: &Path) -> u32 {
    fs::metadata(path).unwrap().uid()
}

/// Returns the unaligned result of a query, or the error of `psql`.
pub(crate) fn psql(url: &str, sql: &str) -> Result<String, String> {
    let output =
        Command::new("psql").args(["-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql, url]).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

fn postgres_program() -> PathBuf {
    let output = Command::new("pg_config").arg("--bindir").output().unwrap();
    Path::new(String::from_utf8(output.stdout).unwrap().trim_end()).join("postgres")
}

pub(crate) fn until(mut condition: impl FnMut() -> bool) {
    until_some(|| condition().then_some(()));
}

/// Calls `question` until it returns a value, or until a deadline.
pub(crate) fn until_some<T>(mut question: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + DEADLINE;
    loop {
        if let Some(answer) = question() {
            return answer;
        }
        assert!(Instant::now() < deadline, "not within {DEADLINE:?}");
        thread::sleep(Duration::from_millis(10));
    }
}
