//! Transactions that are held until the response of their request is ready, and then committed.

use quire_storage::door::{Erased, Failure, Use, Value};
use quire_storage::operations::idempotency::{NamedRequest, Outcome};
use quire_storage::{Error as StorageError, Storage};
use tokio::sync::oneshot;

use crate::gate::{Gate, failed};
use crate::idempotency::keyed::{HeldTransaction, Keyed, Stage};

/// Reason why work in a held transaction failed.
pub(crate) enum Ended {
    /// The work failed.
    Work(Failure),
    /// The transaction failed.
    Transaction(StorageError),
}

impl From<StorageError> for Ended {
    fn from(error: StorageError) -> Self {
        Self::Transaction(error)
    }
}

/// Passes the result of the work to the handler, and waits for the outcome of the request. Returns `None` if there will
/// be no response.
pub(crate) type Conclude<'a> = Box<dyn FnOnce(Value) -> Option<Outcome> + 'a>;

/// Executes a transaction with [`Tx::once`](quire_storage::Tx::once).
pub(crate) type Run =
    Box<dyn FnOnce(&Storage, &NamedRequest, Conclude<'_>) -> Result<(), Ended> + Send + 'static>;

/// Runs a transaction and returns the result of its work while the transaction is held.
///
/// # Errors
/// Errors of the work and of the transaction, which is rolled back.
pub(crate) async fn hold(gate: Gate, keyed: &Keyed, run: Run) -> Erased {
    let (reply, result) = oneshot::channel::<Erased>();
    let (outcome, concluded) = oneshot::channel::<Outcome>();
    let request = keyed.request().clone();
    let work = move |storage: &Storage| {
        let mut reply = Some(reply);
        let conclude = |value: Value| {
            reply.take()?.send(Ok(value)).ok()?;
            concluded.blocking_recv().ok()
        };
        let ended = run(storage, &request, Box::new(conclude));
        match (ended, reply) {
            (Ok(()), _) => Ok(()),
            (Err(Ended::Transaction(error)), None) => Err(error),
            (Err(Ended::Transaction(error)), Some(reply)) => {
                // The caller may have been cancelled.
                let _ = reply.send(Err(error.into()));
                Ok(())
            }
            (Err(Ended::Work(error)), reply) => {
                let _ = reply.map(|reply| reply.send(Err(error)));
                Ok(())
            }
        }
    };
    // A task of its own, because it outlives the work of the handler.
    let committed = actix_web::rt::spawn(async move { gate.run(Use::Write, work).await });
    match result.await {
        Ok(Ok(value)) => {
            keyed.set(Stage::Held(HeldTransaction { outcome, committed }));
            Ok(value)
        }
        Ok(Err(error)) => Err(error),
        // The work was not run.
        Err(_) => match committed.await {
            Ok(Err(error)) => Err(error.into()),
            _ => Err(failed(anyhow::anyhow!("a transaction was not run")).into()),
        },
    }
}
