//! Leases of running jobs.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use quire_storage::SystemStorage;
use quire_storage::operations::jobs::Job;
use tokio::sync::oneshot;

/// Length of a lease. After the death of a node, other nodes take over its jobs within this time.
pub(crate) const LENGTH: Duration = Duration::from_secs(10);
/// Interval of extensions. A lease survives two failed ones.
const HEARTBEAT: Duration = Duration::from_secs(3);

/// Extends the lease on a job and returns when the lease is lost. Dropping the future stops the extensions.
///
/// A dedicated thread extends the lease, so neither busy tasks of the worker nor occupied blocking threads delay it.
pub(crate) async fn hold(storage: &SystemStorage, job: &Job) {
    let (keep, dropped) = mpsc::channel::<()>();
    let (lose, lost) = oneshot::channel::<()>();
    let (storage, held) = (storage.clone(), job.clone());
    let extend = move || {
        while let Err(mpsc::RecvTimeoutError::Timeout) = dropped.recv_timeout(HEARTBEAT) {
            match storage.transact(|tx| tx.extend_lease(&held, LENGTH)) {
                Ok(true) => {}
                Ok(false) => break,
                // The database may recover before the lease expires.
                Err(error) => log::warn!("the lease on job {} was not extended: {error}", held.id),
            }
        }
        // The receiver is gone if the job has ended.
        let _ = lose.send(());
    };
    if let Err(error) = thread::Builder::new().name("lease".to_owned()).spawn(extend) {
        log::error!("the lease on job {} can't be extended: {error}", job.id);
    }
    // If the thread did not start, its sender is dropped and the lease counts as lost.
    let _ = lost.await;
    drop(keep);
}
