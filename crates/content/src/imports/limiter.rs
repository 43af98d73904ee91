//! Limits on imports, which take far more resources than other requests.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use quire_domain::error::{Reason, Refusal};
use quire_importer::blocking::Threads;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{Error, Result};

/// Limits on imports that requests wait for, and on imports that compute concurrently. Clones share the limits.
#[derive(Clone, Debug)]
pub struct ImportLimiter {
    waited: Arc<Semaphore>,
    computing: Arc<Semaphore>,
    wait: Duration,
    threads: Threads,
}

impl ImportLimiter {
    /// Allows requests to wait for `waited` imports at once. Further ones wait this long for a permit. Imports compute
    /// on `threads`, on half of the processor cores.
    #[must_use]
    pub fn new(waited: usize, wait: Duration, threads: Threads) -> Self {
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        let computing = cores.div_euclid(2).max(1);
        Self {
            waited: Arc::new(Semaphore::new(waited)),
            computing: Arc::new(Semaphore::new(computing)),
            wait,
            threads,
        }
    }

    /// Acquires the permit of an import that a request waits for.
    ///
    /// # Errors
    /// 503 if no permit is free in time.
    pub async fn begin(&self) -> Result<OwnedSemaphorePermit> {
        let busy = || {
            Refusal::new(Reason::Unavailable).with_message(
                "Too many imports are running on this server. Try again later, or send `Prefer: respond-async`.",
            )
        };
        let permit = tokio::time::timeout(self.wait, self.waited.clone().acquire_owned()).await;
        permit.map_err(|_| busy())?.map_err(closed)
    }

    /// Waits for a permit to compute, without a time limit, because the number of earlier imports is bounded.
    ///
    /// # Errors
    /// If the service shuts down.
    pub(super) async fn permit(&self) -> Result<OwnedSemaphorePermit> {
        self.computing.clone().acquire_owned().await.map_err(closed)
    }

    /// Acquires a permit and runs `work` on a thread that serves no requests.
    ///
    /// # Errors
    /// The errors of `work`. [`Error::Internal`] if it panics or no thread can be started.
    pub async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let permit = self.permit().await?;
        let run = move || {
            let result = work();
            drop(permit);
            result
        };
        let ended = self.threads.run(run).await;
        ended.map_err(|error| Error::internal("the work of an import failed", error))?
    }
}

fn closed(cause: impl Into<anyhow::Error>) -> Error {
    Error::internal("the service ends", cause)
}
