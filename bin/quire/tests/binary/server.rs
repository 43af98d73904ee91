//! Processes of the binary.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tempfile::TempDir;

use crate::http::Client;

const DEADLINE: Duration = Duration::from_secs(90);
const POLL: Duration = Duration::from_millis(5);

/// Data folder of a server, which the account of root's PostgreSQL can enter, too.
pub struct Scratch {
    folder: TempDir,
    /// Environment variables of every program that runs on the folder.
    variables: Vec<(&'static str, String)>,
}

impl Scratch {
    pub fn new() -> Self {
        Self::with(Vec::new())
    }

    /// Returns a folder with environment variables for every program, such as `DATABASE_URL`.
    pub fn with(variables: Vec<(&'static str, String)>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o711)).unwrap();
        Self { folder, variables }
    }

    pub fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Returns a command on this data folder, without the environment of this process.
    pub fn quire(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quire"));
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("QUIRE_") || text == "DATABASE_URL" {
                command.env_remove(&name);
            }
        }
        command.env("QUIRE_DATA_DIR", self.data_dir()).env("QUIRE_BIND", "127.0.0.1:0");
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.args(arguments).stdin(Stdio::null());
        command
    }

    /// Runs a command to its end.
    pub fn run(&self, arguments: &[&str]) -> Output {
        self.quire(arguments).output().unwrap()
    }

    /// Returns the JSON that a command prints.
    #[track_caller]
    pub fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Creates the first organization. Returns its id and a client of its administrator.
    #[track_caller]
    pub fn bootstrap(&self, server: &Server) -> (String, Client) {
        let made = self.json(&[
            "admin",
            "bootstrap",
            "--organization",
            "Acme",
            "--email",
            "ada@example.com",
            "--name",
            "Ada",
        ]);
        let text = |key: &str| made[key].as_str().unwrap().to_owned();
        (text("organization"), server.client(&text("token")))
    }

    /// Returns the process id of the folder's PostgreSQL.
    pub fn postmaster(&self) -> Option<Pid> {
        let text = fs::read_to_string(self.data_dir().join("postgres/pgdata/postmaster.pid")).ok()?;
        text.lines().next()?.parse().ok().map(Pid::from_raw)
    }

    pub fn log(&self) -> String {
        fs::read_to_string(self.log_file()).unwrap_or_default()
    }

    fn log_file(&self) -> PathBuf {
        self.folder.path().join("quire.log")
    }
}

/// Running server, killed on drop.
pub struct Server {
    child: Child,
    /// Output of the server before it was ready.
    pub greeting: String,
    client: Client,
}

impl Server {
    #[track_caller]
    pub fn start(scratch: &Scratch) -> Self {
        Self::spawn(scratch, scratch.quire(&["serve"]))
    }

    #[track_caller]
    pub fn spawn(scratch: &Scratch, mut command: Command) -> Self {
        let log = File::options().create(true).append(true).open(scratch.log_file()).unwrap();
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut greeting = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut greeting).unwrap();
        let address = greeting.split("http://").nth(1).and_then(|rest| rest.split(' ').next());
        let address = address.and_then(|address| address.parse().ok());
        let address = address.unwrap_or_else(|| panic!("no address in {greeting:?}: {}", scratch.log()));
        Self { child, greeting, client: Client { address, token: String::new() } }
    }

    pub fn client(&self, token: &str) -> Client {
        Client { token: token.to_owned(), ..self.client.clone() }
    }

    pub fn signal(&self, signal: Signal) {
        kill(self.pid(), signal).unwrap();
    }

    pub fn pid(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.child.id()).unwrap())
    }

    /// Waits until the server has ended, and returns its exit code.
    pub fn wait(&mut self) -> Option<i32> {
        until("the server ends", || self.child.try_wait().unwrap().is_some());
        self.child.wait().unwrap().code()
    }

    /// Kills the server with SIGKILL.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub fn is_alive(pid: Pid) -> bool {
    kill(pid, None).is_ok()
}

/// Polls until a condition holds. Panics at a deadline.
#[track_caller]
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + DEADLINE;
    while !holds() {
        assert!(Instant::now() < deadline, "timed out waiting until {what}");
        thread::sleep(POLL);
    }
}
