//! Reads of the database, and other work that blocks.

use quire_storage::lookup::Credentials;
use quire_storage::{Error as StorageError, Reader, Storage};

use super::{ServerState, settle};
use crate::erased::{Erased, ReadWork, erase, restore};
use crate::error::ApiResult;
use crate::gate::Use;
use crate::middleware::scope::RequestScope;

impl ServerState {
    /// Runs `work` without a transaction, on a thread that may block. `work` only reads, and may run twice.
    ///
    /// # Errors
    /// Errors of `work`; 503 if no connection is free in time or the database is not reachable.
    pub async fn read<T: Send + 'static>(
        &self,
        credentials: Credentials,
        work: impl Fn(&mut Reader<'_>) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        self.read_with(credentials, work).await
    }

    /// As [`ServerState::read`], for work with its own error type.
    ///
    /// # Errors
    /// As [`ServerState::read`].
    pub async fn read_with<T, E>(
        &self,
        credentials: Credentials,
        work: impl Fn(&mut Reader<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        self.read_as(Use::Read, credentials, work).await
    }

    /// As [`ServerState::read`], for searches of the index, of which fewer run at the same time.
    ///
    /// # Errors
    /// As [`ServerState::read`].
    pub async fn search<T: Send + 'static>(
        &self,
        credentials: Credentials,
        work: impl Fn(&mut Reader<'_>) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        self.read_as(Use::Search, credentials, work).await
    }

    /// Stores rows ahead of the transaction that refers to them, each statement on its own. The work may run twice.
    ///
    /// Unlike in [`ServerState::read`], it has a permit for writes: its statements commit, and so wait for a
    /// synchronous standby or a full disk like any other COMMIT.
    ///
    /// # Errors
    /// As [`ServerState::read`].
    pub async fn store_ahead<T, E>(
        &self,
        credentials: Credentials,
        work: impl Fn(&mut Reader<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        self.read_as(Use::Write, credentials, work).await
    }

    async fn read_as<T, E>(
        &self,
        kind: Use,
        credentials: Credentials,
        work: impl Fn(&mut Reader<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        let work: ReadWork = Box::new(move |reader| erase(work(reader)));
        restore(self.read_erased(kind, credentials, work).await)
    }

    async fn read_erased(&self, kind: Use, credentials: Credentials, work: ReadWork) -> Erased {
        let scope = RequestScope::current();
        settle(&scope).await?;
        let noting = move |reader: &mut Reader<'_>| {
            let result = work(reader);
            scope.note(reader);
            result
        };
        let route = RequestScope::current();
        let read = move |storage: &Storage| storage.read_replicated(route.route(), &credentials, noting);
        self.gate.clone().block(kind, Box::new(read)).await
    }

    /// Runs CPU-bound work on a thread that may block: parsing, planning, rendering in bulk.
    ///
    /// # Errors
    /// Errors of `work`; 503 if no permit is free in time.
    pub async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Storage) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        self.compute_with(work).await
    }

    /// As [`ServerState::compute`], for work with its own error type.
    ///
    /// # Errors
    /// As [`ServerState::compute`].
    pub async fn compute_with<T, E>(
        &self,
        work: impl FnOnce(&Storage) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        settle(&RequestScope::current()).await?;
        self.gate.clone().run(Use::Read, work).await
    }

    /// Checks that the token is valid: one statement.
    ///
    /// # Errors
    /// 401 if it is not valid; 503 if no connection is free in time.
    pub(crate) async fn check_token(&self, credentials: Credentials) -> ApiResult<()> {
        self.read(credentials, |reader| Ok(reader.actor().map(|_| ())?)).await
    }
}
