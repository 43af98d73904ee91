//! What imports that are waited for may take of a node: they are many times as large as other requests.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::{self, available_parallelism};
use std::time::Duration;

use quire_domain::error::Reason;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::error::{ApiError, ApiResult};

/// How many imports are waited for, and how many of them compute at the same time.
pub struct ImportTurns {
    begun: Arc<Semaphore>,
    computing: Arc<Semaphore>,
    wait: Duration,
}

impl ImportTurns {
    /// Places for as many imports, each of which is waited for as long as `wait`. Half of the cores compute for them.
    #[must_use]
    pub fn new(most: usize, wait: Duration) -> Self {
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        let computing = cores.div_euclid(2).max(1);
        Self { begun: Arc::new(Semaphore::new(most)), computing: Arc::new(Semaphore::new(computing)), wait }
    }

    /// A place among the imports that are waited for, until it is dropped.
    ///
    /// # Errors
    /// 503 when none is free in time.
    pub async fn begin(&self) -> ApiResult<OwnedSemaphorePermit> {
        let busy = || {
            ApiError::new(Reason::Unavailable).with_message(
                "As many imports as this server takes at once are under way; try again, or send `Prefer: respond-async`.",
            )
        };
        let place = tokio::time::timeout(self.wait, self.begun.clone().acquire_owned()).await;
        place.map_err(|_| busy())?.map_err(ApiError::internal)
    }

    /// A turn to compute, until it is dropped, however long it takes to come: those before are as few as there are places.
    ///
    /// # Errors
    /// 500 when the service ends.
    pub async fn turn(&self) -> ApiResult<OwnedSemaphorePermit> {
        self.computing.clone().acquire_owned().await.map_err(ApiError::internal)
    }

    /// Runs `work` on a thread of its own, when its turn has come.
    ///
    /// # Errors
    /// What `work` says; 500 when it panics or no thread can be had.
    pub async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        let turn = self.turn().await?;
        let (tell, told) = oneshot::channel();
        let run = move || {
            let result = work();
            drop(turn);
            // Who has asked may be gone by now.
            drop(tell.send(result));
        };
        thread::Builder::new().name("import".to_owned()).spawn(run).map_err(ApiError::internal)?;
        told.await.map_err(ApiError::internal)?
    }
}
