//! Server side of the door to blocking work: permits, and the audit log and the idempotency key of the request.

use std::sync::Arc;

use quire_storage::door::{
    CommitWork, Door, Erased, GroupWork, ReadWork, TxWork, TypedDoor, Use, Value, Work, erase, restore,
};
use quire_storage::group_commit::{GroupKey, GroupKind, GroupWrite, Runner};
use quire_storage::lookup::Credentials;
use quire_storage::operations::idempotency::NamedRequest;
use quire_storage::{Error as StorageError, HeadKey, Reader, Storage, Turn, Tx};

use crate::error::{ApiError, ApiResult};
use crate::gate::Gate;
use crate::held_transaction::{Conclude, Ended, hold};
use crate::idempotency::keyed::Keyed;
use crate::middleware::scope::RequestScope;
use crate::state::ServerState;

impl Door for ServerState {
    fn storage(&self) -> &Storage {
        &self.storage
    }

    async fn read(&self, kind: Use, credentials: Credentials, work: ReadWork) -> Erased {
        let scope = RequestScope::current();
        settle(&scope).await?;
        let route = scope.clone();
        let noting = noting(scope, work);
        let read = move |storage: &Storage| {
            storage.read_replicated(route.route(), &[credentials], &credentials, noting)
        };
        self.gate.clone().block(kind, Box::new(read)).await
    }

    async fn transact(&self, credentials: Credentials, work: TxWork) -> Erased {
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

    /// Waits for the turn to write to a head. The turn is acquired before the permit, so that a waiting writer holds
    /// nothing that other requests need.
    async fn turn(&self, head: HeadKey) -> Result<Turn, StorageError> {
        tokio::time::timeout(self.settings.wait, self.storage.turn(head))
            .await
            .map_err(|_| StorageError::overloaded())
    }

    async fn write(
        &self,
        credentials: Credentials,
        turn: Turn,
        prepare: ReadWork,
        commit: CommitWork,
    ) -> Erased {
        let scope = RequestScope::current();
        let keyed = open(&scope).await?;
        scope.note_writing();
        let noting = noting(scope.clone(), prepare);
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

    /// Commits a write together with others ([decision 12](../../../docs/adr/0012-one-writer-per-space.md)).
    async fn group(&self, key: GroupKey, write: GroupWrite<GroupWork>) -> Erased {
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
                GroupKind::Edits => Some(Door::turn(self, key.head).await?),
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
            // A task of its own, so that the runner serves the other writes even if this request is cancelled.
            actix_web::rt::spawn(run_groups(self.gate.clone(), runner));
        }
        let answer = tokio::time::timeout(self.settings.wait, answer).await;
        let result = answer.map_err(|_| StorageError::overloaded())?.map_err(crate::gate::failed)?;
        if result.is_ok() {
            scope.note_audited();
        }
        result
    }

    async fn compute(&self, work: Work) -> Erased {
        settle(&RequestScope::current()).await?;
        self.gate.clone().block(Use::Read, work).await
    }
}

/// Wraps work so that it records the actor and the resource in the scope of the request.
fn noting(scope: RequestScope, work: ReadWork) -> impl Fn(&mut Reader<'_>) -> Erased + Send {
    move |reader| {
        let result = work(reader);
        scope.note(reader);
        result
    }
}

/// Commits groups of writes until none waits. If the runner gets no permit in time, it refuses the waiting writes.
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

/// Returns the request if it has a new idempotency key and no transaction yet. Its next transaction then contains the
/// effect of the request.
async fn open(scope: &RequestScope) -> Result<Option<Arc<Keyed>>, StorageError> {
    let Some(keyed) = scope.keyed() else { return Ok(None) };
    keyed.settle().await?;
    Ok(keyed.is_open().then(|| Arc::clone(keyed)))
}

/// Commits a transaction that is held until the response of the request.
pub(crate) async fn settle(scope: &RequestScope) -> Result<(), StorageError> {
    match scope.keyed() {
        None => Ok(()),
        Some(keyed) => keyed.settle().await,
    }
}

impl TypedDoor<ApiError> for ServerState {
    type Door = Self;

    fn door(&self) -> &Self {
        self
    }
}

/// Door of handlers, which need not import [`TypedDoor`].
impl ServerState {
    /// Runs `work` without a transaction on a blocking thread. `work` only reads, and may run twice.
    ///
    /// # Errors
    /// Errors of `work`; 503 if no connection is free in time or the database is not reachable.
    pub async fn read<T: Send + 'static>(
        &self,
        credentials: Credentials,
        work: impl Fn(&mut Reader<'_>) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        TypedDoor::read(self, credentials, work).await
    }

    /// Like [`ServerState::read`], for searches of the index, which have fewer permits.
    ///
    /// # Errors
    /// See [`ServerState::read`].
    pub async fn search<T: Send + 'static>(
        &self,
        credentials: Credentials,
        work: impl Fn(&mut Reader<'_>) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        self.read_for(Use::Search, credentials, work).await
    }

    /// Runs `work` in one transaction on a blocking thread, and writes the audit log in it.
    ///
    /// # Errors
    /// Errors of `work`; 503 if no connection is free in time or the database is not reachable.
    pub async fn transact<T: Send + 'static>(
        &self,
        credentials: Credentials,
        work: impl FnOnce(&mut Tx<'_>) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        TypedDoor::transact(self, credentials, work).await
    }

    /// Runs CPU-bound work on a blocking thread: parsing, planning, rendering in bulk.
    ///
    /// # Errors
    /// Errors of `work`; 503 if no permit is free in time.
    pub async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Storage) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        TypedDoor::compute(self, work).await
    }

    /// Runs a transaction separate from that of the request, without its audit log entry and its idempotency key.
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

    /// Checks that the token is valid, with one statement.
    ///
    /// # Errors
    /// 401 if it is not valid; 503 if no connection is free in time.
    pub(crate) async fn check_token(&self, credentials: Credentials) -> ApiResult<()> {
        self.read(credentials, |reader| Ok(reader.actor().map(|_| ())?)).await
    }
}
