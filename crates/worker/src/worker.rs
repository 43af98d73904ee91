//! The threads that run jobs beside a server.

use std::io;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::sync::watch;

use crate::Services;
use crate::runner::{Outcome, run_next_of, transact};
use crate::{deliveries, jobs};

/// Lanes of jobs that run at the same time on one node: two, so that a slow one doesn't hold up the others, and one for those that
/// take minutes.
const LANES: usize = 3;
/// Threads that a lane may keep busy: its job's, that of its signs of life, and that of its progress.
const THREADS: usize = 3;
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
            .max_blocking_threads(LANES.saturating_mul(THREADS))
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
            lane(services, jobs::QUICK),
            lane(services, jobs::QUICK),
            lane(services, jobs::SLOW),
            deliveries::run(services)
        );
    };
    let mut stopped = stopped.clone();
    tokio::select! {
        () = lanes => {}
        // The sender lives in the handle, so an end of the channel is an end, too.
        _ = stopped.wait_for(|stopped| *stopped) => {}
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
