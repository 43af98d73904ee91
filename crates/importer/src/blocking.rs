//! Threads for blocking work.
//!
//! The runtime of the caller has as many threads as there are database connections; requests and job heartbeats need
//! them. Unpacking an archive takes seconds and must not occupy them. For the same reason these threads have a lower
//! priority: on a busy machine imports and exports slow down, and requests do not.

use std::io;
use std::sync::Arc;
use std::thread;

use tokio::sync::{Semaphore, oneshot};

/// Number of threads. Further work waits for one.
const WORKERS: usize = 16;

/// Niceness added for the threads. Linux then gives a request's thread about ten times as much processor time under
/// contention: imports are slowed down but not starved, so they release their locks in time.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// A bounded number of threads for blocking work, started on demand. Clones share the bound: a program creates one
/// value and passes it to all imports and exports.
#[derive(Clone, Debug)]
pub struct Threads {
    permits: Arc<Semaphore>,
}

impl Default for Threads {
    fn default() -> Self {
        Self::new(WORKERS)
    }
}

impl Threads {
    /// Creates a pool that runs at most `most` pieces of work at the same time.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { permits: Arc::new(Semaphore::new(most)) }
    }

    /// Runs CPU- or disk-intensive work.
    ///
    /// # Errors
    /// If the work panics, or the system cannot start a thread.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(io::Error::other)?;
        let (sender, receiver) = oneshot::channel();
        let run = move || {
            lower_priority();
            let result = work();
            drop(permit);
            // Sending fails if the caller was dropped.
            drop(sender.send(result));
        };
        thread::Builder::new().name("bulk".to_owned()).spawn(run)?;
        receiver.await.map_err(|_| io::Error::other("the work panicked"))
    }
}

/// Yields the processor to waiting threads. Long work calls this between its parts, such as pages.
///
/// A lower priority is not enough on Linux: a running thread may keep its processor for a time slice of some
/// milliseconds, even when a thread of higher priority wakes up. A request takes less than one millisecond and has
/// several such wake-ups.
pub fn yield_to_requests() {
    thread::yield_now();
}

/// Lowers the priority of the calling thread. Niceness belongs to a thread on Linux, and to the whole process
/// elsewhere.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICENESS) {
        log::debug!("the priority of a thread can't be lowered: {error}");
    }
}

#[cfg(test)]
mod tests {
    use tokio::runtime::Builder;

    use super::*;

    #[test]
    fn work_that_panics_is_an_error_and_gives_its_thread_back() {
        let caller = Builder::new_current_thread().build().unwrap();
        let threads = Threads::new(1);
        caller.block_on(async {
            assert!(threads.run(|| panic!("a mistake")).await.is_err());
            assert_eq!(threads.run(|| 1).await.unwrap(), 1);
        });
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn work_has_a_lower_priority_than_its_caller() {
        let niceness = || rustix::process::getpriority_process(None).unwrap();
        let before = niceness();
        let caller = Builder::new_current_thread().build().unwrap();
        let of_work = caller.block_on(Threads::new(1).run(niceness)).unwrap();
        assert_eq!(of_work, (before + NICENESS).min(19));
        assert_eq!(niceness(), before);
    }
}
