//! The threads that run jobs beside a server.

use std::io;
use std::panic::AssertUnwindSafe;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::sync::watch;

use crate::Services;
use crate::runner::{Outcome, message_of, run_next_of, transact};
use crate::{deliveries, jobs};

/// Lanes of jobs that run at the same time on one node: two, so that a slow one doesn't hold up the others, and one for those that
/// take minutes.
const LANES: usize = 3;
/// Threads that a lane may keep busy: its job's, of which there may be several, and may be left from one that was called off; that of its
/// signs of life, and that of its progress. There are more than are needed: a sign of life that waits for a thread is a lease that runs out.
const THREADS: usize = 8;
/// How long a lane that found nothing to do waits before it looks again, unless it is told of a job before: what other nodes write,
/// and what is due later, is found by looking.
const POLL: Duration = Duration::from_secs(1);
/// How long one waits when the queue can't be reached.
const RECOVERY: Duration = Duration::from_secs(5);
/// How long a statement that is under way may take to end when the worker stops.
const STOP: Duration = Duration::from_secs(5);

/// Runs jobs until it is stopped.
#[derive(Debug)]
pub struct Worker {
    stop: watch::Sender<bool>,
    thread: JoinHandle<()>,
}

impl Worker {
    /// The database connections that jobs take at once, beyond those of requests. Signs of life borrow for a moment.
    pub const CONNECTIONS: u32 = 3;

    /// Starts a thread that writes the jobs which go by the clock, and runs what is due.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(services: Services) -> io::Result<Self> {
        let (stop, stopped) = watch::channel(false);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(LANES.saturating_mul(THREADS).saturating_add(deliveries::AT_ONCE))
            .build()?;
        let thread = thread::Builder::new().name("jobs".to_owned()).spawn(move || {
            runtime.block_on(run(&services, &stopped));
            runtime.shutdown_timeout(STOP);
        })?;
        Ok(Self { stop, thread })
    }

    /// Takes no more jobs and waits for the thread to end. A job in the middle is left to its lease: the next start, or another node,
    /// runs it again.
    pub fn stop(self) {
        // A thread that has ended already listens no more, and joining one that panicked has nothing to add to its message.
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
        tokio::join!(
            kept("a lane of jobs", RECOVERY, || lane(services, jobs::QUICK)),
            kept("a lane of jobs", RECOVERY, || lane(services, jobs::QUICK)),
            kept("the lane of slow jobs", RECOVERY, || lane(services, jobs::SLOW)),
            kept("deliveries", RECOVERY, || deliveries::run(services)),
        );
    };
    let mut stopped = stopped.clone();
    tokio::select! {
        () = lanes => {}
        // The sender lives in the handle, so an end of the channel is an end, too.
        _ = stopped.wait_for(|stopped| *stopped) => {}
    }
}

/// Begins what runs for as long as the node does anew when it panics: one mistake must not end all jobs of the node while it goes on
/// answering.
async fn kept<F: Future<Output = ()>>(name: &str, wait: Duration, begin: impl Fn() -> F) {
    while let Err(panic) = AssertUnwindSafe(begin()).catch_unwind().await {
        log::error!("{name} panicked and begins anew: {}", message_of(&*panic));
        tokio::time::sleep(wait).await;
    }
}

async fn lane(services: &Services, kinds: &'static [&'static str]) {
    let mut due = services.storage.due_jobs();
    loop {
        // Before the look: what is committed after it is told of.
        due.mark_unchanged();
        match run_next_of(services, kinds).await {
            Ok(Outcome::Idle) => tokio::select! {
                () = tokio::time::sleep(POLL) => {}
                // The sender lives as long as the storage.
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

/// An error with its causes.
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
    fn what_panics_begins_anew_and_holds_up_nothing_else() {
        let (begun, others) = (Cell::new(0), Cell::new(0));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let broken = kept("a lane", Duration::ZERO, || async {
                begun.set(begun.get() + 1);
                tokio::task::yield_now().await;
                assert!(begun.get() == 3, "a mistake");
            });
            let other = kept("another", Duration::ZERO, || async { others.set(others.get() + 1) });
            tokio::join!(broken, other);
        });
        assert_eq!((begun.get(), others.get()), (3, 1));
    }
}
