//! Keeps PostgreSQL running.

use std::path::PathBuf;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;

use crate::error::{ClusterError, IoContext};
use crate::layout::Layout;
use crate::{leftover, logfile, process};

/// Time to wait for the log of a process that has ended. Its children may hold the pipe longer.
const LOG_WAIT: Duration = Duration::from_millis(500);
/// Shutdown timeouts. A fast shutdown waits for the checkpoint; an immediate shutdown leaves that work to the next
/// start.
const FAST_SHUTDOWN: Duration = Duration::from_secs(60);
const IMMEDIATE_SHUTDOWN: Duration = Duration::from_secs(10);

/// Command line of PostgreSQL.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<std::ffi::OsString>,
    pub(crate) layout: Layout,
}

/// Restarts PostgreSQL when it dies, in a thread that lives until [`Supervisor::stop`]. The thread must live on,
/// because the kernel ties the child's death signal to the thread that started the child.
#[derive(Debug)]
pub(crate) struct Supervisor {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    stopping: bool,
    /// Process id from the start of the process until before it is reaped. While it is set, the system cannot reuse it.
    pid: Option<Pid>,
    /// Number of unexpected exits, and the last exit status.
    ends: u32,
    last_end: String,
    finished: bool,
}

impl Supervisor {
    pub(crate) fn start(launch: Launch) -> Self {
        let shared = Arc::new(Shared::default());
        let thread = thread::spawn({
            let shared = Arc::clone(&shared);
            move || shared.supervise(&launch)
        });
        Self { shared, thread: Some(thread) }
    }

    /// Returns the number of unexpected exits of PostgreSQL, and the last exit status.
    pub(crate) fn ends(&self) -> (u32, String) {
        let state = self.shared.lock();
        (state.ends, state.last_end.clone())
    }

    /// Returns the process id of the postmaster; `None` if it is not running.
    pub(crate) fn pid(&self) -> Option<i32> {
        self.shared.lock().pid.map(Pid::as_raw)
    }

    /// Shuts PostgreSQL down and waits until it has ended. Idempotent.
    pub(crate) fn stop(&mut self) -> Result<(), ClusterError> {
        let Some(thread) = self.thread.take() else { return Ok(()) };
        for (signal, patience) in [(Signal::SIGINT, FAST_SHUTDOWN), (Signal::SIGQUIT, IMMEDIATE_SHUTDOWN)] {
            let mut state = self.shared.lock();
            state.stopping = true;
            state.signal(signal);
            self.shared.changed.notify_all();
            let waited = self.shared.changed.wait_timeout_while(state, patience, |state| !state.finished);
            let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
            if state.finished {
                drop(state);
                if thread.join().is_err() {
                    log::error!("the thread that supervised PostgreSQL panicked");
                }
                return Ok(());
            }
        }
        Err(ClusterError::StillRunning { pid: self.pid().unwrap_or_default() })
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        if let Err(error) = self.stop() {
            log::error!("{error}");
        }
    }
}

impl State {
    fn signal(&self, signal: Signal) {
        if let Some(pid) = self.pid
            && let Err(error) = kill(pid, signal)
        {
            log::warn!("can't send {signal} to PostgreSQL (process {pid}): {error}");
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn supervise(&self, launch: &Launch) {
        let mut backoff = Backoff::default();
        while !self.lock().stopping {
            let started = Instant::now();
            let end = match self.run_once(launch) {
                Ok(status) => status.to_string(),
                Err(error) => format!(
                    "{error}: {}",
                    std::error::Error::source(&error).map_or_else(String::new, ToString::to_string)
                ),
            };
            let pause = backoff.after_run_of(started.elapsed());
            let mut state = self.lock();
            if state.stopping {
                break;
            }
            log::error!("PostgreSQL ended ({end}); starting it again in {} ms", pause.as_millis());
            state.ends += 1;
            state.last_end = end;
            self.changed.notify_all();
            let waited = self.changed.wait_timeout_while(state, pause, |state| !state.stopping);
            drop(waited);
        }
        self.lock().finished = true;
        self.changed.notify_all();
    }

    fn run_once(&self, launch: &Launch) -> Result<ExitStatus, ClusterError> {
        leftover::clear(&launch.layout)?;
        let mut command = process::bound_to_this_thread(&launch.program, &launch.layout.account);
        command.args(&launch.arguments).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().context("run", &launch.program)?;
        let log = child.stderr.take().map(|stderr| logfile::follow(stderr, &launch.layout)).transpose();
        let status = self.wait_for(&mut child).context("wait for", &launch.program);
        if let Some(log) = log? {
            // Lines that arrive later are still written to the file.
            log.recv_timeout(LOG_WAIT).unwrap_or_default();
        }
        status
    }

    fn wait_for(&self, child: &mut Child) -> std::io::Result<ExitStatus> {
        let pid = i32::try_from(child.id()).map(Pid::from_raw).map_err(std::io::Error::other)?;
        let mut state = self.lock();
        state.pid = Some(pid);
        if state.stopping {
            // The stop was requested while no process was running that could be signalled.
            state.signal(Signal::SIGINT);
        }
        drop(state);
        // The process is reaped only under the lock, after the wait, so that no reused process id is signalled.
        while waitid(Id::Pid(pid), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT) == Err(nix::Error::EINTR) {}
        let mut state = self.lock();
        state.pid = None;
        child.wait()
    }
}

/// Pause before the next start. It doubles after each short run, up to a limit.
#[derive(Debug)]
struct Backoff {
    next: Duration,
}

impl Backoff {
    const FIRST: Duration = Duration::from_millis(100);
    const LONGEST: Duration = Duration::from_secs(10);
    /// Length of a run that resets the pause.
    const LONG_RUN: Duration = Duration::from_secs(60);

    fn after_run_of(&mut self, run: Duration) -> Duration {
        if run >= Self::LONG_RUN {
            self.next = Self::FIRST;
        }
        let pause = self.next;
        self.next = (pause * 2).min(Self::LONGEST);
        pause
    }
}

impl Default for Backoff {
    fn default() -> Self {
        Self { next: Self::FIRST }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backoff_doubles_to_a_bound_and_forgets_after_a_long_run() {
        let mut backoff = Backoff::default();
        let short = Duration::from_millis(5);
        let pauses: Vec<u128> = (0..9).map(|_| backoff.after_run_of(short).as_millis()).collect();
        assert_eq!(pauses, [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
        assert_eq!(backoff.after_run_of(Duration::from_secs(61)), Backoff::FIRST);
    }
}
