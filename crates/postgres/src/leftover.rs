//! Cleanup of a data directory after its owner or PostgreSQL was killed.
//!
//! Runs with the lock held, so the owner of every process that still runs is gone.

use std::fs;
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::error::{ClusterError, IoContext};
use crate::layout::Layout;

const POLL: Duration = Duration::from_millis(10);
/// Shutdown timeouts. A fast shutdown writes memory to disk; an immediate shutdown only ends the processes.
const FAST_SHUTDOWN: Duration = Duration::from_secs(60);
const IMMEDIATE_SHUTDOWN: Duration = Duration::from_secs(10);

/// Stops a PostgreSQL that still runs on the cluster, and removes files that would prevent the next start.
pub(crate) fn clear(layout: &Layout) -> Result<(), ClusterError> {
    let pgdata = layout.pgdata();
    let pid_file = pgdata.join("postmaster.pid");
    if let Some(pid) = recorded_pid(&pid_file)? {
        if is_postgres_of(pid, &pgdata) {
            log::info!(
                "taking over the cluster of a server that was killed: stopping its PostgreSQL (process {pid})"
            );
            stop(pid, &pgdata)?;
        } else if kill(pid, None).is_ok() {
            // PostgreSQL takes any living process of its account for its predecessor, so the file is removed. The file
            // of a dead process is kept: PostgreSQL needs it to find the predecessor's children that still use the
            // shared memory.
            log::warn!("removing a stale postmaster.pid: process {pid} is not this cluster's PostgreSQL");
            remove_if_there(&pid_file)?;
        }
    }
    clear_sockets(&layout.run_dir)
}

/// Returns the process id in the first line of `postmaster.pid`; `None` for a file that a crash has truncated.
fn recorded_pid(pid_file: &Path) -> Result<Option<Pid>, ClusterError> {
    match fs::read_to_string(pid_file) {
        Ok(text) => {
            let pid = text.lines().next().and_then(|line| line.trim().parse().ok());
            Ok(pid.filter(|pid| *pid > 0).map(Pid::from_raw))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).context("read", pid_file),
    }
}

/// Returns whether the process is a PostgreSQL that serves `pgdata`. The system may have reused the process id.
fn is_postgres_of(pid: Pid, pgdata: &Path) -> bool {
    let process = Path::new("/proc").join(pid.to_string());
    let is_postgres =
        fs::read_to_string(process.join("comm")).is_ok_and(|name| name.trim_end() == "postgres");
    // PostgreSQL's working directory is its data directory. If the working directory is hidden (from root in a
    // container), the command line is checked.
    let lives_there = || match fs::read_link(process.join("cwd")) {
        Ok(folder) => folder == pgdata,
        Err(_) => fs::read(process.join("cmdline")).is_ok_and(|line| mentions(&line, pgdata)),
    };
    is_postgres && lives_there()
}

/// Returns whether a NUL-separated command line has `path` as an argument.
fn mentions(command_line: &[u8], path: &Path) -> bool {
    command_line.split(|byte| *byte == 0).any(|argument| argument == path.as_os_str().as_encoded_bytes())
}

fn stop(pid: Pid, pgdata: &Path) -> Result<(), ClusterError> {
    for (signal, patience) in [(Signal::SIGINT, FAST_SHUTDOWN), (Signal::SIGQUIT, IMMEDIATE_SHUTDOWN)] {
        // The death signal may have ended the process already.
        if let Err(error) = kill(pid, signal) {
            log::debug!("process {pid}: {error}");
        }
        let deadline = Instant::now() + patience;
        while Instant::now() < deadline {
            if !is_postgres_of(pid, pgdata) {
                return Ok(());
            }
            thread::sleep(POLL);
        }
    }
    Err(ClusterError::StillRunning { pid: pid.as_raw() })
}

/// Empties the socket's folder: the lock file next to a socket also names a process and can be stale.
fn clear_sockets(run_dir: &Path) -> Result<(), ClusterError> {
    for entry in fs::read_dir(run_dir).context("list", run_dir)? {
        let entry = entry.context("list", run_dir)?;
        remove_if_there(&entry.path())?;
    }
    Ok(())
}

fn remove_if_there(path: &Path) -> Result<(), ClusterError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error).context("remove", path),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_compared_argument_by_argument() {
        let line = b"/usr/bin/postgres\0-D\0/data/pgdata\0";
        assert!(mentions(line, Path::new("/data/pgdata")));
        assert!(!mentions(line, Path::new("/data/pg")));
    }

    #[test]
    fn this_process_is_no_postgres() {
        let folder = std::env::current_dir().unwrap();
        assert!(!is_postgres_of(Pid::this(), &folder));
    }

    #[test]
    fn truncated_pid_files_have_no_process() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("postmaster.pid");
        assert_eq!(recorded_pid(&file).unwrap(), None);
        for (text, pid) in
            [("", None), ("-1\n", None), ("0\n", None), ("x\n", None), ("42\n/data\n", Some(42))]
        {
            fs::write(&file, text).unwrap();
            assert_eq!(recorded_pid(&file).unwrap(), pid.map(Pid::from_raw), "{text:?}");
        }
    }
}
