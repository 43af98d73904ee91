//! Limit on concurrent exports.

use std::sync::Arc;
use std::time::Duration;

use quire_domain::error::{Reason, Refusal};
use quire_importer::blocking::Threads;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{Error, Result};

/// Limit on concurrent exports, and the threads that write them. Clones share the limit.
///
/// An export in progress takes one to two megabytes: the state of its compression, the paths of its files, and written
/// bytes that the client has not read yet.
#[derive(Clone, Debug)]
pub struct ExportLimiter {
    sent: Arc<Semaphore>,
    wait: Duration,
    threads: Threads,
}

impl ExportLimiter {
    /// Allows `sent` exports at once. Further ones wait this long for another one to end.
    #[must_use]
    pub fn new(sent: usize, wait: Duration, threads: Threads) -> Self {
        Self { sent: Arc::new(Semaphore::new(sent)), wait, threads }
    }

    pub(super) fn threads(&self) -> &Threads {
        &self.threads
    }

    /// Acquires the permit of an export.
    ///
    /// # Errors
    /// 503 if no permit is free in time.
    pub(super) async fn begin(&self) -> Result<OwnedSemaphorePermit> {
        let busy = || {
            Refusal::new(Reason::Unavailable)
                .with_message("Too many exports are running on this server. Try again later.")
        };
        let permit = tokio::time::timeout(self.wait, self.sent.clone().acquire_owned()).await;
        permit.map_err(|_| busy())?.map_err(|closed| Error::internal("the service ends", closed))
    }
}
