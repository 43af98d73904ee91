//! Transactions and writes to heads, with the audit log and the idempotency key of the request.

use quire_storage::lookup::Credentials;
use quire_storage::operations::idempotency::NamedRequest;
use quire_storage::{Error as StorageError, HeadKey, Reader, Storage, Turn, Tx};

use super::{ServerState, open};
use crate::erased::{CommitWork, Erased, ReadWork, TxWork, Value, erase, restore, value_of};
use crate::error::ApiResult;
use crate::gate::{Use, busy};
use crate::held_transaction::{Conclude, Ended, hold};
use crate::middleware::scope::RequestScope;

impl ServerState {
    /// Runs `work` in one transaction, on a thread that may block, and writes the audit log in it.
    ///
    /// # Errors
    /// Errors of `work`; 503 if no connection is free in time or the database is not reachable.
    pub async fn transact<T: Send + 'static>(
        &self,
        credentials: Credentials,
        work: impl FnOnce(&mut Tx<'_>) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        self.transact_with(credentials, work).await
    }

    /// As [`ServerState::transact`], for work with its own error type.
    ///
    /// # Errors
    /// As [`ServerState::transact`].
    pub async fn transact_with<T, E>(
        &self,
        credentials: Credentials,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        let work: TxWork = Box::new(move |tx| erase(work(tx)));
        restore(self.transact_erased(credentials, work).await)
    }

    async fn transact_erased(&self, credentials: Credentials, work: TxWork) -> Erased {
        let scope = RequestScope::current();
        let keyed = open(&scope).await?;
        scope.note_writing();
        let noting = move |tx: &mut Tx<'_>| {
            let result = work(tx);
            scope.note(tx);
            let value = result?;
            scope.audit(tx);
            Ok(value)
        };
        let gate = self.gate.clone();
        if let Some(keyed) = keyed {
            let run = move |storage: &Storage, named: &NamedRequest, conclude: Conclude<'_>| {
                let work = |tx: &mut Tx<'_>| noting(tx).map_err(Ended::Work);
                storage.transact(&credentials, |tx| tx.once(named, work, conclude))
            };
            return hold(gate, &keyed, Box::new(run)).await;
        }
        gate.block(Use::Write, Box::new(move |storage| storage.transact(&credentials, noting))).await
    }

    /// Runs a transaction next to that of the request, without its audit log entry and its idempotency key.
    ///
    /// # Errors
    /// Errors of `work`; 503 if no connection is free in time or the database is not reachable.
    pub(crate) async fn transact_apart<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T, StorageError> + Send + 'static,
    ) -> Result<T, StorageError> {
        let work = |storage: &Storage| storage.transact(&Credentials::ANONYMOUS, work);
        self.gate.clone().run(Use::Write, work).await
    }

    /// Waits for the right to write to a head. It is acquired before the permit, so that a waiting writer holds nothing
    /// that other requests need.
    ///
    /// # Errors
    /// 503 if it is not available in time.
    pub async fn turn<E: From<StorageError>>(&self, head: HeadKey) -> Result<Turn, E> {
        let turn = tokio::time::timeout(self.settings.wait, self.storage.turn(head)).await;
        Ok(turn.map_err(|_| busy())?)
    }

    /// Writes to a head as [`Storage::write`] does, and writes the audit log with it.
    ///
    /// # Errors
    /// Errors of `prepare` and `commit`; 503 if no connection is free in time or the database is not reachable.
    pub async fn write<P: Send + 'static, T: Send + 'static>(
        &self,
        credentials: Credentials,
        turn: Turn,
        prepare: impl Fn(&mut Reader<'_>) -> ApiResult<P> + Send + 'static,
        commit: impl FnOnce(&mut Tx<'_>, P) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        self.write_with(credentials, turn, prepare, commit).await
    }

    /// As [`ServerState::write`], for work with its own error type.
    ///
    /// # Errors
    /// As [`ServerState::write`].
    pub async fn write_with<P, T, E>(
        &self,
        credentials: Credentials,
        turn: Turn,
        prepare: impl Fn(&mut Reader<'_>) -> Result<P, E> + Send + 'static,
        commit: impl FnOnce(&mut Tx<'_>, P) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        P: Send + 'static,
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        let prepare: ReadWork = Box::new(move |reader| erase(prepare(reader)));
        let commit: CommitWork = Box::new(move |tx, prepared| erase(commit(tx, value_of(prepared)?)));
        restore(self.write_erased(credentials, turn, prepare, commit).await)
    }

    async fn write_erased(
        &self,
        credentials: Credentials,
        turn: Turn,
        prepare: ReadWork,
        commit: CommitWork,
    ) -> Erased {
        let scope = RequestScope::current();
        let keyed = open(&scope).await?;
        scope.note_writing();
        let seen = scope.clone();
        let noting = move |reader: &mut Reader<'_>| {
            let result = prepare(reader);
            seen.note(reader);
            result
        };
        let gate = self.gate.clone();
        let auditing = move |tx: &mut Tx<'_>, prepared: Value| {
            let value = commit(tx, prepared)?;
            scope.audit(tx);
            Ok(value)
        };
        if let Some(keyed) = keyed {
            let run = move |storage: &Storage, named: &NamedRequest, conclude: Conclude<'_>| {
                let prepare = |reader: &mut Reader<'_>| noting(reader).map_err(Ended::Work);
                let result = storage.write(&credentials, prepare, |tx, prepared| {
                    tx.once(named, |tx| auditing(tx, prepared).map_err(Ended::Work), conclude)
                });
                drop(turn);
                result
            };
            return hold(gate, &keyed, Box::new(run)).await;
        }
        let work = move |storage: &Storage| {
            let result = storage.write(&credentials, noting, auditing);
            drop(turn);
            result
        };
        gate.block(Use::Write, Box::new(work)).await
    }
}
