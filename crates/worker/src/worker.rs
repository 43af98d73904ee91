//! Threads that run jobs within the server process.

use std::io;
use std::panic::AssertUnwindSafe;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::sync::{Notify, watch};

use crate::Services;
use crate::deliveries::Deliveries;
use crate::due::Due;
use crate::outbox::Outbox as _;
use crate::purges::Purges;
use crate::runner::{Outcome, message_of, run_next_of, transact};
use crate::{deliveries, jobs, purges};

/// Concurrent lanes of jobs on one node: two for quick jobs, so that one job does not block the others, and one for
/// jobs that take minutes.
const LANES: usize = 3;
/// Blocking threads per lane, for the job, its heartbeat and its progress. A job may use several, or leave one behind
/// after cancellation. The number is generous because a lease expires when its heartbeat waits for a thread.
const THREADS: usize = 8;
/// Time after which an idle blocking thread ends. The polls are two tasks per second, and idle threads take them in
/// turn. With a longer time, no thread started in a busy moment would ever end, and each keeps its stack and its
/// allocator arena.
const KEEP_ALIVE: Duration = Duration::from_millis(1_200);
/// Pause after a queue error.
const RECOVERY: Duration = Duration::from_secs(5);
/// Time limit for a running statement when the worker stops.
const STOP: Duration = Duration::from_secs(5);

/// Runs jobs until it is stopped.
#[derive(Debug)]
pub struct Worker {
    stop: watch::Sender<bool>,
    thread: JoinHandle<()>,
}

impl Worker {
    /// Database connections that jobs use concurrently, in addition to the connections of requests. Heartbeats use one
    /// briefly.
    pub const CONNECTIONS: u32 = 3;

    /// Starts a thread that writes the periodic jobs, and runs due jobs.
    ///
    /// # Errors
    /// If the system cannot start a thread.
    pub fn start(services: Services) -> io::Result<Self> {
        let (stop, stopped) = watch::channel(false);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .thread_keep_alive(KEEP_ALIVE)
            .max_blocking_threads(
                LANES
                    .saturating_mul(THREADS)
                    .saturating_add(Deliveries::AT_ONCE.into())
                    .saturating_add(Purges::AT_ONCE.into()),
            )
            .build()?;
        let thread = thread::Builder::new().name("jobs".to_owned()).spawn(move || {
            runtime.block_on(run(&services, &stopped));
            runtime.shutdown_timeout(STOP);
        })?;
        Ok(Self { stop, thread })
    }

    /// Takes no more jobs and waits for the thread to end. A running job keeps its lease until it expires; then the
    /// next start or another node restarts the job.
    pub fn stop(self) {
        // The thread may have ended already, and a panic is logged where it occurs.
        let _ = self.stop.send(true);
        let _ = self.thread.join();
    }
}

async fn run(services: &Services, stopped: &watch::Receiver<bool>) {
    let lanes = async {
        while let Err(error) = transact(&services.storage, jobs::schedule).await {
            log::error!("jobs can't be scheduled: {}", chain(&error));
            tokio::time::sleep(RECOVERY).await;
        }
        let due = Due::default();
        let quick = || lane(services, jobs::QUICK, &due.quick_jobs);
        tokio::join!(
            restart_on_panic("a lane of jobs", RECOVERY, quick),
            restart_on_panic("a lane of jobs", RECOVERY, quick),
            restart_on_panic("the lane of slow jobs", RECOVERY, || lane(
                services,
                jobs::SLOW,
                &due.slow_jobs
            )),
            restart_on_panic("deliveries", RECOVERY, || deliveries::run(services, &due.deliveries)),
            restart_on_panic("the poll of jobs", RECOVERY, || due.poll(services)),
            restart_on_panic("purges", RECOVERY, || purges::run(services)),
        );
    };
    let mut stopped = stopped.clone();
    tokio::select! {
        () = lanes => {}
        // The handle owns the sender, so a closed channel also means stop.
        _ = stopped.wait_for(|stopped| *stopped) => {}
    }
}

/// Restarts a long-running task after a panic, so that one bug does not stop all jobs of the node.
async fn restart_on_panic<F: Future<Output = ()>>(name: &str, wait: Duration, begin: impl Fn() -> F) {
    while let Err(panic) = AssertUnwindSafe(begin()).catch_unwind().await {
        log::error!("{name} panicked and is restarted: {}", message_of(&*panic));
        tokio::time::sleep(wait).await;
    }
}

/// Runs jobs of these kinds until none is due, then waits for a notification of this process or of the poll.
async fn lane(services: &Services, kinds: &'static [&'static str], polled: &Notify) {
    let mut due = services.storage.due_jobs();
    loop {
        // Marked before the take, so that a commit in between triggers another take.
        due.mark_unchanged();
        match run_next_of(services, kinds).await {
            Ok(Outcome::Idle) => tokio::select! {
                () = polled.notified() => {}
                // An error is impossible: the sender lives as long as the storage.
                _ = due.changed() => {}
            },
            Ok(_) => {}
            Err(error) => {
                log::error!("the queue of jobs can't be used: {}", chain(&error));
                tokio::time::sleep(RECOVERY).await;
            }
        }
    }
}

/// Returns the messages of an error and its causes.
fn chain(error: &quire_storage::Error) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_panicking_task_is_restarted_without_blocking_others() {
        let (begun, others) = (Cell::new(0), Cell::new(0));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let broken = restart_on_panic("a lane", Duration::ZERO, || async {
                begun.set(begun.get() + 1);
                tokio::task::yield_now().await;
                assert!(begun.get() == 3, "a mistake");
            });
            let other =
                restart_on_panic("another", Duration::ZERO, || async { others.set(others.get() + 1) });
            tokio::join!(broken, other);
        });
        assert_eq!((begun.get(), others.get()), (3, 1));
    }
}
