//! Threads for work that blocks.
//!
//! The threads of the runtime that calls the importer are as many as there are database connections; requests and the
//! heartbeats of jobs wait for them. An archive that takes seconds to unpack must not occupy them, nor a name server that
//! never answers.

use std::io;
use std::sync::Arc;
use std::thread;

use tokio::sync::{Semaphore, oneshot};

/// Threads that read, write and unpack at the same time. Further work waits for one.
const WORKERS: usize = 16;
/// Names that are looked up at the same time. A lookup can't be cancelled: until the system gives up, it keeps its thread.
const LOOKUPS: usize = 16;

/// A bounded number of threads for work that blocks, and others for name lookups. Clones share the bounds: a program
/// makes one value and hands it to all that imports.
#[derive(Clone, Debug)]
pub struct Threads {
    work: Pool,
    lookups: Pool,
}

impl Default for Threads {
    fn default() -> Self {
        Self { work: Pool::new("importer", WORKERS), lookups: Pool::new("names", LOOKUPS) }
    }
}

impl Threads {
    /// Runs work that takes the processor or the disk for a while.
    ///
    /// # Errors
    /// When the work panics, or the system gives no thread.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
        self.work.run(work).await
    }

    /// Runs a lookup of a name. A caller that stops waiting before a thread is free leaves nothing behind; afterwards
    /// the lookup keeps its thread to its end.
    ///
    /// # Errors
    /// When the lookup panics, or the system gives no thread.
    pub(crate) async fn lookup<T: Send + 'static>(
        &self,
        lookup: impl FnOnce() -> T + Send + 'static,
    ) -> io::Result<T> {
        self.lookups.run(lookup).await
    }
}

/// Threads of one name, started when they are needed.
#[derive(Clone, Debug)]
struct Pool {
    name: &'static str,
    permits: Arc<Semaphore>,
}

impl Pool {
    fn new(name: &'static str, most: usize) -> Self {
        Self { name, permits: Arc::new(Semaphore::new(most)) }
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(io::Error::other)?;
        let (sender, receiver) = oneshot::channel();
        let run = move || {
            let result = work();
            drop(permit);
            // The caller may be gone by now.
            drop(sender.send(result));
        };
        thread::Builder::new().name(self.name.to_owned()).spawn(run)?;
        receiver.await.map_err(|_| io::Error::other("the work panicked"))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, mpsc};

    use futures_util::FutureExt as _;
    use tokio::runtime::Builder;

    use super::*;

    #[test]
    fn lookups_that_hang_are_bounded_and_take_none_of_the_callers_threads() {
        let caller = Builder::new_current_thread().enable_all().max_blocking_threads(1).build().unwrap();
        let threads = Threads { lookups: Pool::new("names", 2), ..Threads::default() };
        let (release, hanging) = mpsc::channel::<()>();
        let hanging = Arc::new(Mutex::new(hanging));
        caller.block_on(async {
            for _ in 0..2 {
                let hanging = Arc::clone(&hanging);
                // Nobody waits for the answer any more.
                assert!(threads.lookup(move || hanging.lock().unwrap().recv()).now_or_never().is_none());
            }
            assert_eq!(threads.lookups.permits.available_permits(), 0);
            assert!(threads.lookup(|| 1).now_or_never().is_none());
            assert_eq!(tokio::task::spawn_blocking(|| 2).await.unwrap(), 2);
            assert_eq!(threads.run(|| 3).await.unwrap(), 3);
            drop(release);
            assert_eq!(threads.lookup(|| 4).await.unwrap(), 4);
        });
    }

    #[test]
    fn work_that_panics_is_an_error_and_gives_its_thread_back() {
        let caller = Builder::new_current_thread().build().unwrap();
        let pool = Pool::new("work", 1);
        caller.block_on(async {
            assert!(pool.run(|| panic!("a mistake")).await.is_err());
            assert_eq!(pool.run(|| 1).await.unwrap(), 1);
        });
    }
}
