//! State of a request with an idempotency key: its transaction may be held until the response.

use std::sync::{Arc, Mutex, PoisonError};

use actix_web::rt::task::JoinHandle;
use quire_storage::operations::idempotency::{NamedRequest, Outcome};
use quire_storage::{Error as StorageError, Result as StorageResult};
use tokio::sync::oneshot;

use super::body::SharedDigest;

/// Request with an idempotency key that was not used before.
#[derive(Debug)]
pub struct Keyed {
    request: NamedRequest,
    digest: SharedDigest,
    stage: Mutex<Stage>,
}

/// Progress of the transaction with the effect of the request.
#[derive(Debug)]
pub(crate) enum Stage {
    /// Not begun, or rolled back.
    Open,
    /// Complete except for the outcome, and not committed.
    Held(HeldTransaction),
    /// Committed.
    Committed,
}

/// Transaction that is held until the outcome of its request. Dropping it rolls it back.
#[derive(Debug)]
pub(crate) struct HeldTransaction {
    /// Channel for the outcome.
    pub(crate) outcome: oneshot::Sender<Outcome>,
    /// Result of the transaction.
    pub(crate) committed: JoinHandle<StorageResult<()>>,
}

impl Keyed {
    pub(super) fn new(request: NamedRequest, digest: SharedDigest) -> Self {
        Self { request, digest, stage: Mutex::new(Stage::Open) }
    }

    /// Returns the digest of the body.
    pub(super) fn digest(&self) -> &SharedDigest {
        &self.digest
    }

    /// Returns the outcome of the request with this response.
    pub(super) fn outcome(&self, answer: Option<Vec<u8>>) -> Outcome {
        self.digest.outcome(answer)
    }

    /// Returns the user, the key and the hash of the request.
    pub(crate) fn request(&self) -> &NamedRequest {
        &self.request
    }

    /// Returns whether the request may begin a transaction for its effect.
    pub(crate) fn is_open(&self) -> bool {
        matches!(*self.lock(), Stage::Open)
    }

    /// Sets the progress.
    pub(crate) fn set(&self, stage: Stage) {
        *self.lock() = stage;
    }

    /// Commits a held transaction without the response, because the handler needs the database again.
    ///
    /// # Errors
    /// Errors of the transaction.
    pub(crate) async fn settle(&self) -> StorageResult<()> {
        let is_held = matches!(*self.lock(), Stage::Held(_));
        match if is_held { self.take() } else { Stage::Open } {
            Stage::Held(held) => held.commit(self.outcome(None)).await,
            Stage::Open | Stage::Committed => Ok(()),
        }
    }

    /// Returns a guard that rolls back a held transaction when dropped. Without it, the transaction would outlive the
    /// request, because it holds references to the state of the request.
    pub(super) fn rolled_back_on_drop(self: &Arc<Self>) -> RolledBack {
        RolledBack(Arc::clone(self))
    }

    /// Returns the progress. A held transaction passes to the caller, who commits or drops it.
    pub(crate) fn take(&self) -> Stage {
        let mut stage = self.lock();
        let next = if matches!(*stage, Stage::Open) { Stage::Open } else { Stage::Committed };
        std::mem::replace(&mut *stage, next)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Stage> {
        // The critical sections do not panic.
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Guard that rolls back the held transaction of a request.
pub(super) struct RolledBack(Arc<Keyed>);

impl Drop for RolledBack {
    fn drop(&mut self) {
        drop(self.0.take());
    }
}

impl HeldTransaction {
    /// Commits the transaction with the outcome.
    ///
    /// # Errors
    /// Errors of the transaction: it was rolled back, or the connection was lost during COMMIT.
    pub(crate) async fn commit(self, outcome: Outcome) -> StorageResult<()> {
        // Without a receiver, the transaction has failed, and its own error is reported.
        let _ = self.outcome.send(outcome);
        let lost = |cause| StorageError::Internal("a transaction's task failed", anyhow::anyhow!("{cause}"));
        self.committed.await.map_err(lost)?
    }
}
