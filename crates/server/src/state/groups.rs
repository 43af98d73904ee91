//! Writes that are committed together with others ([decision 12](../../../../docs/adr/0012-one-writer-per-space.md)).

use quire_storage::group_commit::{GroupKey, GroupKind, GroupWrite, Runner};
use quire_storage::operations::idempotency::NamedRequest;
use quire_storage::{Error as StorageError, Storage, Tx};

use super::{ServerState, open};
use crate::erased::{Erased, Failure, GroupWork, erase, restore};
use crate::gate::{Gate, Use, busy};
use crate::held_transaction::{Conclude, Ended, hold};
use crate::middleware::scope::RequestScope;

impl ServerState {
    /// Commits a write together with those that wait for the same row, and writes the audit log with it. The caller has
    /// authorized it.
    ///
    /// # Errors
    /// The error of the write; 503 when its group or a connection doesn't come in time or the database is away.
    pub async fn commit_in_group<T, E>(
        &self,
        key: GroupKey,
        write: GroupWrite<impl FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static>,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        let GroupWrite { known, documents, mut work } = write;
        let work: GroupWork = Box::new(move |tx| erase(work(tx)));
        restore(self.commit_erased(key, GroupWrite { known, documents, work }).await)
    }

    async fn commit_erased(&self, key: GroupKey, write: GroupWrite<GroupWork>) -> Erased {
        let scope = RequestScope::current();
        let keyed = open(&scope).await?;
        scope.note_writing();
        let (change, GroupWrite { known, documents, mut work }) = (scope.pending(), write);
        let mut auditing = move |tx: &mut Tx<'_>| -> Erased {
            let value = work(tx)?;
            if let Some(change) = &change {
                tx.audit(change);
            }
            Ok(value)
        };
        if let Some(keyed) = keyed {
            let turn = match key.kind {
                GroupKind::Comments => None,
                GroupKind::Edits => Some(self.turn::<Failure>(key.head).await?),
            };
            let run = move |storage: &Storage, named: &NamedRequest, conclude: Conclude<'_>| {
                let work = |tx: &mut Tx<'_>| tx.once(named, |tx| auditing(tx).map_err(Ended::Work), conclude);
                let result = storage.commit_alone(key, GroupWrite { known, documents, work });
                drop(turn);
                result
            };
            let value = hold(self.gate.clone(), &keyed, Box::new(run)).await?;
            scope.note_audited();
            return Ok(value);
        }
        let write = GroupWrite { known, documents, work: auditing };
        let (answer, runner) = self.storage.join_group(key, write)?;
        if let Some(runner) = runner {
            // Of no request: the runner serves the others, too, when this one is cancelled.
            actix_web::rt::spawn(run_groups(self.gate.clone(), runner));
        }
        let answer = tokio::time::timeout(self.settings.wait, answer).await;
        let result = answer.map_err(|_| busy())?.map_err(crate::gate::failed)?;
        if result.is_ok() {
            scope.note_audited();
        }
        result
    }
}

/// Commits groups of writes until none waits. Without a permit in time, the runner refuses those that wait.
async fn run_groups(gate: Gate, first: Runner) {
    let mut next = Some(first);
    while let Some(runner) = next {
        let turn = runner.turn().await;
        let commit = move |_: &Storage| {
            let next = runner.commit();
            drop(turn);
            erase(Ok::<_, StorageError>(next))
        };
        let committed = gate.clone().block(Use::Write, Box::new(commit)).await;
        next = restore::<_, StorageError>(committed).unwrap_or_default();
    }
}
