//! Door to blocking work, for programs that run much of it concurrently.
//!
//! Each caller has its own types of closures and results. The surrounding code (permits, threads, idempotency keys, the
//! audit log, transactions) takes type-erased work, so that it is compiled once instead of once per caller.
//! [`TypedDoor`] restores the types.

use std::any::Any;

use crate::group_commit::{GroupKey, GroupWrite};
use crate::lookup::Credentials;
use crate::{Error, HeadKey, Reader, Storage, Turn, Tx};

/// Value with an erased type.
pub type Value = Box<dyn Any + Send>;

/// Error of erased work.
pub enum Failure {
    /// Error of the work, with an erased type.
    Work(Value),
    /// Error of the storage.
    Storage(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Storage(error)
    }
}

/// Result of erased work.
pub type Erased = Result<Value, Failure>;

/// Blocking work.
pub type Work = Box<dyn FnOnce(&Storage) -> Erased + Send>;
/// Work that reads, and may run twice.
pub type ReadWork = Box<dyn Fn(&mut Reader<'_>) -> Erased + Send>;
/// Work in a transaction.
pub type TxWork = Box<dyn FnOnce(&mut Tx<'_>) -> Erased + Send>;
/// Work in a transaction, which may run several times.
pub type GroupWork = Box<dyn FnMut(&mut Tx<'_>) -> Erased + Send>;
/// Work in a transaction, with a prepared value.
pub type CommitWork = Box<dyn FnOnce(&mut Tx<'_>, Value) -> Erased + Send>;

/// Erases the types of a result.
pub fn erase<T: Send + 'static, E: Send + 'static>(result: Result<T, E>) -> Erased {
    match result {
        Ok(value) => Ok(Box::new(value)),
        Err(error) => Err(Failure::Work(Box::new(error))),
    }
}

/// Returns the result of work that was erased with these types.
///
/// # Errors
/// Errors of the work or of the storage.
pub fn restore<T: 'static, E: From<Error> + 'static>(result: Erased) -> Result<T, E> {
    match result {
        Ok(value) => Ok(value_of(value)?),
        Err(Failure::Work(error)) => Err(value_of(error)?),
        Err(Failure::Storage(error)) => Err(error.into()),
    }
}

/// Returns a value that was erased with this type.
fn value_of<T: 'static>(value: Value) -> Result<T, Error> {
    let unexpected = |_| Error::Internal("work on the database failed", anyhow::anyhow!("another type"));
    value.downcast().map(|value| *value).map_err(unexpected)
}

/// Use of the storage, which decides about the permits of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Reads or computes.
    Read,
    /// Searches the index.
    Search,
    /// Commits a transaction.
    Write,
}

/// Way in which a program runs blocking work: its threads, and its limit on concurrent work. [`Storage`] itself is a
/// door without a limit, for jobs and command lines. Errors are those of the work or of the storage.
pub trait Door {
    /// Returns the storage behind the door.
    fn storage(&self) -> &Storage;

    /// Runs work without a transaction. The work must only read, and may run twice. Work that stores rows before the
    /// transaction that refers to them has the kind [`Use::Write`].
    fn read(&self, kind: Use, credentials: Credentials, work: ReadWork) -> impl Future<Output = Erased>;

    /// Runs work in one transaction.
    fn transact(&self, credentials: Credentials, work: TxWork) -> impl Future<Output = Erased>;

    /// Waits for the caller's turn to write to a head.
    fn turn(&self, head: HeadKey) -> impl Future<Output = Result<Turn, Error>>;

    /// Writes to a head during the caller's turn, like [`Storage::write`].
    fn write(
        &self,
        credentials: Credentials,
        turn: Turn,
        prepare: ReadWork,
        commit: CommitWork,
    ) -> impl Future<Output = Erased>;

    /// Commits an authorized write together with others that wait for the same row.
    fn group(&self, key: GroupKey, write: GroupWrite<GroupWork>) -> impl Future<Output = Erased>;

    /// Runs CPU-bound work.
    fn compute(&self, work: Work) -> impl Future<Output = Erased>;
}

impl Door for Storage {
    fn storage(&self) -> &Storage {
        self
    }

    async fn read(&self, _: Use, credentials: Credentials, work: ReadWork) -> Erased {
        self.compute(Box::new(move |storage| storage.read(&credentials, work))).await
    }

    async fn transact(&self, credentials: Credentials, work: TxWork) -> Erased {
        self.compute(Box::new(move |storage| storage.transact(&credentials, work))).await
    }

    async fn turn(&self, head: HeadKey) -> Result<Turn, Error> {
        Ok(self.turn(head).await)
    }

    async fn write(
        &self,
        credentials: Credentials,
        turn: Turn,
        prepare: ReadWork,
        commit: CommitWork,
    ) -> Erased {
        let write = move |storage: &Storage| {
            let result = storage.write(&credentials, prepare, commit);
            drop(turn);
            result
        };
        self.compute(Box::new(write)).await
    }

    async fn group(&self, key: GroupKey, write: GroupWrite<GroupWork>) -> Erased {
        let (result, mut runner) = self.join_group(key, write)?;
        while let Some(next) = runner {
            let turn = next.turn().await;
            let commit = move |_: &Storage| {
                let next = next.commit();
                drop(turn);
                erase(Ok::<_, Error>(next))
            };
            runner = restore::<_, Error>(self.compute(Box::new(commit)).await)?;
        }
        result.await.map_err(|error| Error::Internal("a write was left out", error.into()))?
    }

    async fn compute(&self, work: Work) -> Erased {
        let storage = self.clone();
        let ended = tokio::task::spawn_blocking(move || work(&storage)).await;
        ended.map_err(|error| Error::Internal("a thread failed", error.into()))?
    }
}

/// [`Door`] for work with errors of the type `E`.
pub trait TypedDoor<E: From<Error> + Send + 'static> {
    /// Door.
    type Door: Door;

    /// Returns the door.
    fn door(&self) -> &Self::Door;

    /// Returns the storage behind the door.
    fn storage(&self) -> &Storage {
        self.door().storage()
    }

    /// Runs `work` without a transaction. It must only read, and may run twice.
    fn read<T: Send + 'static>(
        &self,
        credentials: Credentials,
        work: impl Fn(&mut Reader<'_>) -> Result<T, E> + Send + 'static,
    ) -> impl Future<Output = Result<T, E>> {
        self.read_for(Use::Read, credentials, work)
    }

    /// Like [`TypedDoor::read`], for a certain use.
    fn read_for<T: Send + 'static>(
        &self,
        kind: Use,
        credentials: Credentials,
        work: impl Fn(&mut Reader<'_>) -> Result<T, E> + Send + 'static,
    ) -> impl Future<Output = Result<T, E>> {
        let work: ReadWork = Box::new(move |reader| erase(work(reader)));
        async move { restore(self.door().read(kind, credentials, work).await) }
    }

    /// Stores rows before the transaction that refers to them. Each statement is committed on its own. `work` may run
    /// twice.
    fn store_ahead<T: Send + 'static>(
        &self,
        credentials: Credentials,
        work: impl Fn(&mut Reader<'_>) -> Result<T, E> + Send + 'static,
    ) -> impl Future<Output = Result<T, E>> {
        self.read_for(Use::Write, credentials, work)
    }

    /// Runs `work` in one transaction.
    fn transact<T: Send + 'static>(
        &self,
        credentials: Credentials,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> impl Future<Output = Result<T, E>> {
        let work: TxWork = Box::new(move |tx| erase(work(tx)));
        async move { restore(self.door().transact(credentials, work).await) }
    }

    /// Waits for the caller's turn to write to a head.
    fn turn(&self, head: HeadKey) -> impl Future<Output = Result<Turn, E>> {
        async move { Ok(self.door().turn(head).await?) }
    }

    /// Writes to a head during the caller's turn: runs `prepare` without a transaction, on the current head, and
    /// `commit` in a transaction, on the same connection. `prepare` may run twice.
    fn write<P: Send + 'static, T: Send + 'static>(
        &self,
        credentials: Credentials,
        turn: Turn,
        prepare: impl Fn(&mut Reader<'_>) -> Result<P, E> + Send + 'static,
        commit: impl FnOnce(&mut Tx<'_>, P) -> Result<T, E> + Send + 'static,
    ) -> impl Future<Output = Result<T, E>> {
        let prepare: ReadWork = Box::new(move |reader| erase(prepare(reader)));
        let commit: CommitWork = Box::new(move |tx, prepared| erase(commit(tx, value_of(prepared)?)));
        async move { restore(self.door().write(credentials, turn, prepare, commit).await) }
    }

    /// Commits an authorized write together with others that wait for the same row. The work may run twice.
    fn commit_in_group<T: Send + 'static>(
        &self,
        key: GroupKey,
        write: GroupWrite<impl FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static>,
    ) -> impl Future<Output = Result<T, E>> {
        let GroupWrite { known, documents, mut work } = write;
        let work: GroupWork = Box::new(move |tx| erase(work(tx)));
        async move { restore(self.door().group(key, GroupWrite { known, documents, work }).await) }
    }

    /// Runs CPU-bound work.
    fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Storage) -> Result<T, E> + Send + 'static,
    ) -> impl Future<Output = Result<T, E>> {
        let work: Work = Box::new(move |storage| erase(work(storage)));
        async move { restore(self.door().compute(work).await) }
    }
}
