//! Leases of running jobs.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use quire_storage::SystemStorage;
use quire_storage::operations::jobs::Job;
use tokio::sync::oneshot;

/// Length of a lease. When a node dies, other nodes take its jobs over after this time at most.
pub(crate) const LENGTH: Duration = Duration::from_secs(10);
/// Interval of extensions: two may be lost.
const HEARTBEAT: Duration = Duration::from_secs(3);

/// Extends the lease on a job until it is lost. Dropped, it no longer extends the lease.
///
/// A thread of its own extends it: neither busy tasks of the worker nor blocking threads in use delay it.
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
        // The job may have ended.
        let _ = lose.send(());
    };
    if let Err(error) = thread::Builder::new().name("lease".to_owned()).spawn(extend) {
        log::error!("the lease on job {} can't be extended: {error}", job.id);
    }
    // Without a thread, the sender is dropped: the job is run as one whose lease is lost.
    let _ = lost.await;
    drop(keep);
}
