//! Threads for work that blocks.
//!
//! The threads of the runtime that calls the importer are as many as there are database connections; requests and the
//! heartbeats of jobs wait for them. An archive that takes seconds to unpack must not occupy them.

use std::io;
use std::sync::Arc;
use std::thread;

use tokio::sync::{Semaphore, oneshot};

/// Threads that read, write and unpack at the same time. Further work waits for one.
const WORKERS: usize = 16;

/// A bounded number of threads for work that blocks, started when they are needed. Clones share the bound: a program
/// makes one value and hands it to all that imports.
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
    fn new(most: usize) -> Self {
        Self { permits: Arc::new(Semaphore::new(most)) }
    }

    /// Runs work that takes the processor or the disk for a while.
    ///
    /// # Errors
    /// When the work panics, or the system gives no thread.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(io::Error::other)?;
        let (sender, receiver) = oneshot::channel();
        let run = move || {
            let result = work();
            drop(permit);
            // The caller may be gone by now.
            drop(sender.send(result));
        };
        thread::Builder::new().name("importer".to_owned()).spawn(run)?;
        receiver.await.map_err(|_| io::Error::other("the work panicked"))
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
}
