//! Bound on password hashing.

use std::sync::Arc;
use std::time::Duration;

use quire_storage::Error as StorageError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{ApiError, ApiResult};

/// Maximum number of passwords that are hashed concurrently. Each takes 19 MiB and one core.
const AT_ONCE: usize = 2;

/// Bound on the password hashing of a node.
pub(crate) struct PasswordWork {
    turns: Arc<Semaphore>,
    wait: Duration,
}

impl PasswordWork {
    /// Creates the bound. `wait` is the maximum wait for a turn.
    pub(crate) fn new(wait: Duration) -> Self {
        Self { turns: Arc::new(Semaphore::new(AT_ONCE)), wait }
    }

    /// Waits for a turn to hash. The work holds the turn until it ends, even if its request is cancelled.
    ///
    /// # Errors
    /// 503 if no turn is free in time.
    pub(crate) async fn turn(&self) -> ApiResult<OwnedSemaphorePermit> {
        let turn = tokio::time::timeout(self.wait, Arc::clone(&self.turns).acquire_owned()).await;
        turn.map_err(|_| StorageError::overloaded())?.map_err(ApiError::internal)
    }
}
