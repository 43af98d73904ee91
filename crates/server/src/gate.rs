//! Permits for blocking work. All blocking work passes this gate.

use std::sync::Arc;
use std::time::Duration;

use actix_web::web;
use quire_storage::door::{Erased, Use, Work, erase, restore};
use quire_storage::{Error as StorageError, Storage};
use tokio::sync::{AcquireError, Semaphore};

/// Maximum wait of a request for a write. After it, the write continues, and the outcome of the request is unknown. It
/// exceeds the statement timeout: it bounds the wait for a COMMIT, which may wait without limit for a standby that does
/// not respond.
const WRITE_WAIT: Duration = Duration::from_secs(65);

/// Storage with as many permits as it has connections, so that no thread waits for a connection. A request that gets no
/// permit in time is answered with 503.
///
/// Writes may hold at most three quarters of the permits, so that reads continue when a synchronous standby or a full
/// disk blocks all writes. Searches may hold half of them: the most expensive searches compute for milliseconds, and
/// more of them than cores would only slow down each other and other reads.
#[derive(Clone)]
pub(crate) struct Gate {
    storage: Storage,
    permits: Arc<Semaphore>,
    writes: Arc<Semaphore>,
    searches: Arc<Semaphore>,
    wait: Duration,
}

impl Gate {
    /// Creates a gate for `concurrency` threads. `wait` is the maximum wait for a permit.
    pub(crate) fn new(storage: Storage, concurrency: usize, wait: Duration) -> Self {
        let permits = |number| Arc::new(Semaphore::new(number));
        Self {
            storage,
            permits: permits(concurrency),
            writes: permits(share_of_writes(concurrency)),
            searches: permits(share_of_searches(concurrency)),
            wait,
        }
    }

    /// Runs work on a blocking thread, and returns its result.
    pub(crate) async fn run<T, E>(
        self,
        kind: Use,
        work: impl FnOnce(&Storage) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        restore(self.block(kind, Box::new(move |storage| erase(work(storage)))).await)
    }

    /// Runs type-erased work on a blocking thread.
    #[expect(clippy::disallowed_methods, reason = "this is the one door to blocking work")]
    pub(crate) async fn block(self, kind: Use, work: Work) -> Erased {
        let Self { storage, permits, writes, searches, wait } = self;
        let acquire = async {
            // The share is acquired first: a request that waits for it holds no permit that a read needs.
            let share = match kind {
                Use::Read => None,
                Use::Search => Some(searches.acquire_owned().await?),
                Use::Write => Some(writes.acquire_owned().await?),
            };
            Ok((share, permits.acquire_owned().await?))
        };
        let permit: Result<_, AcquireError> =
            tokio::time::timeout(wait, acquire).await.map_err(|_| StorageError::overloaded())?;
        let permit = permit.map_err(failed)?;
        let running = web::block(move || {
            let answer = work(&storage);
            drop(permit);
            answer
        });
        let answer = match kind {
            Use::Read | Use::Search => running.await,
            Use::Write => tokio::time::timeout(WRITE_WAIT, running).await.map_err(|_| hung())?,
        };
        answer.map_err(failed)?
    }
}

/// Returns how many of the permits writes may hold.
fn share_of_writes(permits: usize) -> usize {
    permits.saturating_sub(permits.div_ceil(4)).max(1)
}

/// Returns how many of the permits searches may hold.
fn share_of_searches(permits: usize) -> usize {
    permits.div_ceil(2)
}

/// Returns the error of a write that did not end in time.
fn hung() -> StorageError {
    StorageError::Unavailable(anyhow::anyhow!("a write did not finish in {} s", WRITE_WAIT.as_secs()))
}

pub(crate) fn failed(cause: impl Into<anyhow::Error>) -> StorageError {
    StorageError::Internal("a thread for blocking work failed", cause.into())
}

#[cfg(test)]
mod tests {
    use super::{share_of_searches, share_of_writes};

    #[test]
    fn reads_have_a_quarter_of_the_permits() {
        for (permits, writes) in [(1, 1), (2, 1), (3, 2), (4, 3), (6, 4), (8, 6), (64, 48)] {
            assert_eq!(share_of_writes(permits), writes, "{permits}");
        }
    }

    #[test]
    fn searches_have_half_of_the_permits() {
        for (permits, searches) in [(1, 1), (2, 1), (3, 2), (6, 3), (64, 32)] {
            assert_eq!(share_of_searches(permits), searches, "{permits}");
        }
    }
}
