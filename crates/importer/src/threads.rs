//! Threads of the importer's own for work that blocks.
//!
//! Those of the runtime it is called from are counted to fit the connections to the database, and on them requests and the signs of life of
//! jobs wait. An archive that unpacks for seconds must not take them, nor a name server that never answers.

use std::io;
use std::sync::{Arc, LazyLock};

use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tokio::task::JoinError;

/// Threads that read, write and unpack. What comes when all are busy waits for one.
const WORKERS: usize = 16;
/// Names that are looked up at the same time. A lookup can't be called off: until the system gives up, it keeps its thread.
const LOOKUPS: usize = 16;

static WORK: LazyLock<io::Result<Runtime>> = LazyLock::new(|| threads("importer", WORKERS));
static NAMES: LazyLock<io::Result<Lookups>> = LazyLock::new(|| Lookups::new(LOOKUPS));

/// Nothing runs on the runtime but what blocks: it is a pool of threads that come when they are needed, and go.
fn threads(name: &str, count: usize) -> io::Result<Runtime> {
    Builder::new_current_thread().thread_name(name).max_blocking_threads(count).build()
}

/// Runs work that takes the processor or the disk for a while.
///
/// # Errors
/// When the work panics.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, JoinError> {
    match &*WORK {
        Ok(threads) => threads.spawn_blocking(work).await,
        Err(error) => {
            log::warn!("the importer has no threads of its own: {error}");
            tokio::task::spawn_blocking(work).await
        }
    }
}

/// Runs a lookup of a name once one of the turns is free. Whoever stops waiting before leaves nothing behind; afterwards the lookup
/// keeps its turn to its end.
///
/// # Errors
/// When the lookup panics, or the system gives no threads.
pub(crate) async fn lookup<T: Send + 'static>(lookup: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
    let lookups = NAMES.as_ref().map_err(|error| io::Error::new(error.kind(), error.to_string()))?;
    lookups.run(lookup).await
}

struct Lookups {
    threads: Runtime,
    turns: Arc<Semaphore>,
}

impl Lookups {
    fn new(most: usize) -> io::Result<Self> {
        Ok(Self { threads: threads("names", most)?, turns: Arc::new(Semaphore::new(most)) })
    }

    async fn run<T: Send + 'static>(&self, lookup: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(io::Error::other)?;
        let looked_up = self.threads.spawn_blocking(move || {
            let found = lookup();
            drop(turn);
            found
        });
        looked_up.await.map_err(io::Error::other)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, mpsc};

    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn lookups_that_hang_are_bounded_and_take_none_of_the_callers_threads() {
        let caller = Builder::new_current_thread().enable_all().max_blocking_threads(1).build().unwrap();
        let lookups = Lookups::new(2).unwrap();
        let (release, hanging) = mpsc::channel::<()>();
        let hanging = Arc::new(Mutex::new(hanging));
        caller.block_on(async {
            for _ in 0..2 {
                let hanging = Arc::clone(&hanging);
                // Nobody waits for the answer any more.
                assert!(lookups.run(move || hanging.lock().unwrap().recv()).now_or_never().is_none());
            }
            assert_eq!(lookups.turns.available_permits(), 0);
            assert!(lookups.run(|| 1).now_or_never().is_none());
            assert_eq!(tokio::task::spawn_blocking(|| 2).await.unwrap(), 2);
            assert_eq!(blocking(|| 3).await.unwrap(), 3);
            drop(release);
            assert_eq!(lookups.run(|| 4).await.unwrap(), 4);
        });
    }
}
