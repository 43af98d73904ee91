//! Bound on the work for passwords.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{ApiError, ApiResult};
use crate::gate::busy;

/// Passwords that are hashed at the same time. Each takes 19 MiB and a processor.
const AT_ONCE: usize = 2;

/// Bound on the work for passwords of a node.
pub(crate) struct PasswordWork {
    turns: Arc<Semaphore>,
    wait: Duration,
}

impl PasswordWork {
    /// Creates the bound. `wait` is the longest wait for a turn.
    pub(crate) fn new(wait: Duration) -> Self {
        Self { turns: Arc::new(Semaphore::new(AT_ONCE)), wait }
    }

    /// Waits for the right to hash. The work holds it until it ends, also if its request is cancelled before.
    ///
    /// # Errors
    /// 503 if it is not available in time.
    pub(crate) async fn turn(&self) -> ApiResult<OwnedSemaphorePermit> {
        let turn = tokio::time::timeout(self.wait, Arc::clone(&self.turns).acquire_owned()).await;
        turn.map_err(|_| busy())?.map_err(ApiError::internal)
    }
}
