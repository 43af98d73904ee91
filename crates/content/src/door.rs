//! Access to blocking work.

use std::sync::Arc;

use quire_storage::group_commit::{GroupKey, GroupWrite};
use quire_storage::lookup::Credentials;
use quire_storage::{HeadKey, Reader, Storage, Turn, Tx};

use crate::error::{Error, Result};

/// A program's way to run blocking work: its threads, and a limit on concurrent work. A server limits both; [`Storage`]
/// itself is a door without a limit, for jobs and command lines.
pub trait Door {
    /// The storage behind the door.
    fn storage(&self) -> &Storage;

    /// Runs `work` without a transaction. It must only read, and may run twice.
    fn read<T: Send + 'static>(
        &self,
        credentials: Credentials,
        work: impl Fn(&mut Reader<'_>) -> Result<T> + Send + 'static,
    ) -> impl Future<Output = Result<T>>;

    /// Stores rows ahead of the transaction that refers to them, each statement on its own. `work` may run twice.
    fn store_ahead<T: Send + 'static>(
        &self,
        credentials: Credentials,
        work: impl Fn(&mut Reader<'_>) -> Result<T> + Send + 'static,
    ) -> impl Future<Output = Result<T>>;

    /// Runs `work` in one transaction.
    fn transact<T: Send + 'static>(
        &self,
        credentials: Credentials,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T> + Send + 'static,
    ) -> impl Future<Output = Result<T>>;

    /// Waits for the caller's turn to write to a head.
    fn turn(&self, head: HeadKey) -> impl Future<Output = Result<Turn>>;

    /// Writes to a head on the caller's turn: `prepare` without a transaction, on the head at that time, and `commit`
    /// in one, on the same connection. `prepare` may run twice.
    fn write<P: Send + 'static, T: Send + 'static>(
        &self,
        credentials: Credentials,
        turn: Turn,
        prepare: impl Fn(&mut Reader<'_>) -> Result<P> + Send + 'static,
        commit: impl FnOnce(&mut Tx<'_>, P) -> Result<T> + Send + 'static,
    ) -> impl Future<Output = Result<T>>;

    /// Commits an authorized write together with those that wait for the same row. The work may run twice.
    fn commit_in_group<T: Send + 'static>(
        &self,
        key: GroupKey,
        write: GroupWrite<impl FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static>,
    ) -> impl Future<Output = Result<T>>;

    /// Runs work that only computes.
    fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Storage) -> Result<T> + Send + 'static,
    ) -> impl Future<Output = Result<T>>;
}

impl Door for Storage {
    fn storage(&self) -> &Storage {
        self
    }

    async fn read<T: Send + 'static>(
        &self,
        credentials: Credentials,
        work: impl Fn(&mut Reader<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.compute(move |storage| storage.read(&credentials, work)).await
    }

    async fn store_ahead<T: Send + 'static>(
        &self,
        credentials: Credentials,
        work: impl Fn(&mut Reader<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        Door::read(self, credentials, work).await
    }

    async fn transact<T: Send + 'static>(
        &self,
        credentials: Credentials,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.compute(move |storage| storage.transact(&credentials, work)).await
    }

    async fn turn(&self, head: HeadKey) -> Result<Turn> {
        Ok(self.turn(head).await)
    }

    async fn write<P: Send + 'static, T: Send + 'static>(
        &self,
        credentials: Credentials,
        turn: Turn,
        prepare: impl Fn(&mut Reader<'_>) -> Result<P> + Send + 'static,
        commit: impl FnOnce(&mut Tx<'_>, P) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let write = move |storage: &Storage| {
            let result = storage.write(&credentials, prepare, commit);
            drop(turn);
            result
        };
        self.compute(write).await
    }

    async fn commit_in_group<T: Send + 'static>(
        &self,
        key: GroupKey,
        write: GroupWrite<impl FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static>,
    ) -> Result<T> {
        let (result, mut runner) = self.join_group(key, write)?;
        while let Some(next) = runner {
            let turn = next.turn().await;
            let commit = move |_: &Storage| {
                let next = next.commit();
                drop(turn);
                Ok(next)
            };
            runner = self.compute(commit).await?;
        }
        result.await.map_err(|error| Error::internal("a write was left out", error))?
    }

    async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Storage) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let storage = self.clone();
        let ended = tokio::task::spawn_blocking(move || work(&storage)).await;
        ended.map_err(|error| Error::internal("a thread failed", error))?
    }
}

impl<D: Door> Door for Arc<D> {
    fn storage(&self) -> &Storage {
        (**self).storage()
    }

    fn read<T: Send + 'static>(
        &self,
        credentials: Credentials,
        work: impl Fn(&mut Reader<'_>) -> Result<T> + Send + 'static,
    ) -> impl Future<Output = Result<T>> {
        (**self).read(credentials, work)
    }

    fn store_ahead<T: Send + 'static>(
        &self,
        credentials: Credentials,
        work: impl Fn(&mut Reader<'_>) -> Result<T> + Send + 'static,
    ) -> impl Future<Output = Result<T>> {
        (**self).store_ahead(credentials, work)
    }

    fn transact<T: Send + 'static>(
        &self,
        credentials: Credentials,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T> + Send + 'static,
    ) -> impl Future<Output = Result<T>> {
        (**self).transact(credentials, work)
    }

    fn turn(&self, head: HeadKey) -> impl Future<Output = Result<Turn>> {
        (**self).turn(head)
    }

    fn write<P: Send + 'static, T: Send + 'static>(
        &self,
        credentials: Credentials,
        turn: Turn,
        prepare: impl Fn(&mut Reader<'_>) -> Result<P> + Send + 'static,
        commit: impl FnOnce(&mut Tx<'_>, P) -> Result<T> + Send + 'static,
    ) -> impl Future<Output = Result<T>> {
        (**self).write(credentials, turn, prepare, commit)
    }

    fn commit_in_group<T: Send + 'static>(
        &self,
        key: GroupKey,
        write: GroupWrite<impl FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static>,
    ) -> impl Future<Output = Result<T>> {
        (**self).commit_in_group(key, write)
    }

    fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Storage) -> Result<T> + Send + 'static,
    ) -> impl Future<Output = Result<T>> {
        (**self).compute(work)
    }
}
