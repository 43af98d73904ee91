//! The only entrance to blocking work.

use std::sync::Arc;
use std::time::Duration;

use actix_web::web;
use quire_domain::error::Reason;
use quire_storage::{Error as StorageError, Storage};
use tokio::sync::Semaphore;

/// Storage behind as many permits as it has connections, so that no thread waits for a connection. A request that gets
/// no permit in time is answered with 503.
#[derive(Clone)]
pub(crate) struct Gate {
    storage: Storage,
    permits: Arc<Semaphore>,
    wait: Duration,
}

impl Gate {
    /// Creates a gate for `concurrency` threads. Others wait this long.
    pub(crate) fn new(storage: Storage, concurrency: usize, wait: Duration) -> Self {
        Self { storage, permits: Arc::new(Semaphore::new(concurrency)), wait }
    }

    /// Runs `work` on a thread that may block.
    #[expect(clippy::disallowed_methods, reason = "this is the one door to blocking work")]
    pub(crate) async fn block<T, E>(
        &self,
        work: impl FnOnce(&Storage) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        let permit = tokio::time::timeout(self.wait, self.permits.clone().acquire_owned());
        let permit = permit.await.map_err(|_| busy())?.map_err(failed)?;
        let storage = self.storage.clone();
        let work = web::block(move || {
            let result = work(&storage);
            drop(permit);
            result
        });
        work.await.map_err(failed)?
    }
}

/// Returns the error of a request without a permit.
pub(crate) fn busy() -> StorageError {
    StorageError::refused(Reason::Unavailable, "The service is overloaded. Retry later.")
}

pub(crate) fn failed(cause: impl Into<anyhow::Error>) -> StorageError {
    StorageError::Internal("a thread for blocking work failed", cause.into())
}
