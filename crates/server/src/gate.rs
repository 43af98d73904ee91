//! The only entrance to blocking work.

use std::any::Any;
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
    pub(crate) async fn block<T, E>(
        &self,
        work: impl FnOnce(&Storage) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        let answer = self.run(Box::new(move |storage| Box::new(work(storage)))).await?;
        let unexpected = |_| failed(anyhow::anyhow!("blocking work returned another type"));
        *answer.downcast::<Result<T, E>>().map_err(unexpected)?
    }

    /// Runs work of any type: waiting and threads are compiled once, not for each closure.
    #[expect(clippy::disallowed_methods, reason = "this is the one door to blocking work")]
    async fn run(&self, work: Work) -> Result<Box<dyn Any + Send>, StorageError> {
        let permit = tokio::time::timeout(self.wait, self.permits.clone().acquire_owned());
        let permit = permit.await.map_err(|_| busy())?.map_err(failed)?;
        let storage = self.storage.clone();
        let running = web::block(move || {
            let answer = work(&storage);
            drop(permit);
            answer
        });
        running.await.map_err(failed)
    }
}

/// Blocking work, which returns a value that only its caller knows the type of.
type Work = Box<dyn FnOnce(&Storage) -> Box<dyn Any + Send> + Send>;

/// Returns the error of a request without a permit.
pub(crate) fn busy() -> StorageError {
    StorageError::refused(Reason::Unavailable, "The service is overloaded. Retry later.")
}

pub(crate) fn failed(cause: impl Into<anyhow::Error>) -> StorageError {
    StorageError::Internal("a thread for blocking work failed", cause.into())
}
