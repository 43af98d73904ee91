//! The poll of the queues, one for all lanes of a node.

use std::time::Duration;

use quire_storage::Result;
use quire_storage::operations::jobs::DueWork;
use tokio::sync::Notify;

use crate::runner::read;
use crate::{Services, jobs};

/// Interval of polls. A node notices due work of another node after this time at the latest.
const POLL: Duration = Duration::from_secs(1);
/// Pause after a database error.
const RECOVERY: Duration = Duration::from_secs(5);

/// Notifications about due work. The next poll repeats a notification for work that was not taken.
#[derive(Debug, Default)]
pub(crate) struct Due {
    pub(crate) quick_jobs: Notify,
    pub(crate) slow_jobs: Notify,
    pub(crate) deliveries: Notify,
}

impl Due {
    /// Polls as long as the node runs.
    pub(crate) async fn poll(&self, services: &Services) {
        loop {
            let wait = match find(services).await {
                Ok(due) => {
                    self.wake(due);
                    POLL
                }
                Err(error) => {
                    log::error!("due jobs can't be found: {error}");
                    RECOVERY
                }
            };
            tokio::time::sleep(wait).await;
        }
    }

    fn wake(&self, DueWork { jobs: [quick, slow], deliveries }: DueWork) {
        for (waiting, is_due) in
            [(&self.quick_jobs, quick), (&self.slow_jobs, slow), (&self.deliveries, deliveries)]
        {
            if is_due {
                waiting.notify_waiters();
            }
        }
    }
}

async fn find(services: &Services) -> Result<DueWork> {
    read(&services.storage, |reader| reader.due_work([jobs::QUICK, jobs::SLOW])).await
}
