//! Runs work on connections and in transactions.
//!
//! Each request has closures of its own. What surrounds them (connections, retries, commit) takes them as trait
//! objects, so that it is compiled once instead of for each of them.

use diesel::connection::{AnsiTransactionManager, SimpleConnection as _, TransactionManager as _};

use crate::optimistic::InTransaction;
use crate::lookup::Credentials;
use crate::pool::{Manager, Pooled};
use crate::replicas::{OnReplica, ReadRoute, Server};
use crate::transaction::{AfterCommit, Known, Reader, Tx};
use crate::{Error, Result, Storage};

/// Outcome of work in a transaction: whether it succeeded, and what follows its commit.
#[derive(Default)]
struct Done {
    succeeded: bool,
    after: AfterCommit,
}

impl Storage {
    /// Runs `work` on a connection without a transaction: each statement reads what is committed when it is executed.
    /// Blocks.
    ///
    /// `work` runs a second time if the first connection was dead, so it must only read.
    ///
    /// # Errors
    /// Those of `work`; [`Error::Unavailable`] if the database is away or every connection stays busy.
    pub fn read<T, E: From<Error>>(
        &self,
        credentials: &Credentials,
        work: impl Fn(&mut Reader<'_>) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        self.read_with(credentials, |mut reader| work(&mut reader))
    }

    /// Reads as [`Storage::read`] does, on a replica if there is one that shows all that was committed a second ago and
    /// all that the caller has seen. Work that fails there, because of what the replica lacks or otherwise, is done
    /// again on the primary, so that only the primary refuses. `route` is that of the request.
    ///
    /// # Errors
    /// As [`Storage::read`].
    pub fn read_replicated<T, E: From<Error>>(
        &self,
        route: &ReadRoute,
        credentials: &Credentials,
        work: impl Fn(&mut Reader<'_>) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        self.read_replicated_for(route, &[*credentials], credentials, work)
    }

    /// Reads as [`Storage::read_replicated`] does, for several callers at once.
    ///
    /// # Errors
    /// As [`Storage::read`].
    pub fn read_replicated_for<T, E: From<Error>>(
        &self,
        route: &ReadRoute,
        callers: &[Credentials],
        credentials: &Credentials,
        work: impl Fn(&mut Reader<'_>) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let mut result = None;
        let mut run = |mut reader: Reader<'_>| result.insert(work(&mut reader)).is_ok();
        if self.on_replica(route, callers, credentials, &mut run)
            && let Some(result) = result
        {
            return result;
        }
        self.read(credentials, work)
    }

    /// Runs work that returns whether it succeeded on a replica. Returns whether it did, and notes the server in the
    /// route.
    fn on_replica(
        &self,
        route: &ReadRoute,
        callers: &[Credentials],
        credentials: &Credentials,
        work: &mut dyn FnMut(Reader<'_>) -> bool,
    ) -> bool {
        let Some(replicas) = self.replicas() else { return false };
        if let Some(OnReplica { mut pooled, server }) = replicas.connection(route, callers.iter()) {
            let reader = Reader::new(&mut pooled.connection, self, credentials).on_replica(replicas);
            if work(reader) {
                route.note(server);
                return true;
            }
            probe_broken(&mut pooled);
        }
        route.note(Server::Primary);
        false
    }

    /// As [`Storage::read`], for work that takes the reader.
    pub(crate) fn read_with<T, E: From<Error>>(
        &self,
        credentials: &Credentials,
        work: impl Fn(Reader<'_>) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let mut result = None;
        self.on_connection(credentials, &mut |reader| result.insert(work(reader)).is_ok())?;
        result.unwrap_or_else(|| Err(not_run().into()))
    }

    /// Runs work that returns whether it succeeded, and runs it on another connection if it failed because its own was
    /// dead.
    fn on_connection(
        &self,
        credentials: &Credentials,
        work: &mut dyn FnMut(Reader<'_>) -> bool,
    ) -> Result<()> {
        for attempt in 0..2 {
            let mut pooled = self.checkout()?;
            if work(Reader::new(&mut pooled.connection, self, credentials)) || !probe_broken(&mut pooled) {
                return Ok(());
            }
            log::warn!("a database connection was lost (attempt {attempt})");
        }
        Err(Error::Unavailable(anyhow::anyhow!("two connections were lost in a row")))
    }

    /// Runs `work` in one transaction, which is committed if it returns `Ok` and rolled back otherwise. Blocks.
    ///
    /// # Errors
    /// Those of `work`; [`Error::Unavailable`] if the database is away or every connection stays busy.
    pub fn transact<T, E: From<Error>>(
        &self,
        credentials: &Credentials,
        work: impl FnOnce(&mut Tx<'_>) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        self.transact_with(credentials, |mut tx| {
            let result = work(&mut tx).and_then(|value| {
                tx.close()?;
                Ok(value)
            });
            (result, std::mem::take(&mut tx.after))
        })
    }

    /// As [`Storage::transact`], for work that takes the transaction and closes it. It also returns
    /// what follows the commit.
    pub(crate) fn transact_with<T, E: From<Error>>(
        &self,
        credentials: &Credentials,
        work: impl FnOnce(Tx<'_>) -> (std::result::Result<T, E>, AfterCommit),
    ) -> std::result::Result<T, E> {
        let (mut work, mut result) = (Some(work), None);
        self.in_transaction(credentials, &mut |tx| {
            let Some(work) = work.take() else { return Done::default() };
            let (answer, after) = work(tx);
            Done { succeeded: result.insert(answer).is_ok(), after }
        })?;
        result.unwrap_or_else(|| Err(not_run().into()))
    }

    fn in_transaction(
        &self,
        credentials: &Credentials,
        work: &mut dyn FnMut(Tx<'_>) -> Done,
    ) -> Result<()> {
        let mut pooled = self.begin()?;
        let open = InTransaction::enter();
        let done = work(Tx::new(&mut pooled.connection, self, credentials));
        drop(open);
        self.end(&mut pooled, done)
    }

    /// Runs `prepare` without a transaction and then `commit` in one, on the same connection: what `prepare` looked up,
    /// authorized and stored ahead needs no lock. `prepare` may run twice, as in [`Storage::read`]. Blocks.
    ///
    /// # Errors
    /// Those of `prepare` and `commit`; [`Error::Unavailable`] if the database is away or every connection stays busy.
    pub fn write<P, T, E: From<Error>>(
        &self,
        credentials: &Credentials,
        prepare: impl Fn(&mut Reader<'_>) -> std::result::Result<P, E>,
        commit: impl FnOnce(&mut Tx<'_>, P) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let (mut prepared, mut commit, mut result) = (None, Some(commit), None);
        let Some((mut pooled, known)) = self.prepared(credentials, &mut |reader| {
            prepared.insert(prepare(reader)).is_ok()
        })?
        else {
            let refused = prepared.and_then(std::result::Result::err);
            return Err(refused.unwrap_or_else(|| not_run().into()));
        };
        let mut prepared = prepared.and_then(std::result::Result::ok);
        self.commit_prepared(credentials, &mut pooled, known, &mut |tx| {
            let (Some(commit), Some(prepared)) = (commit.take(), prepared.take()) else { return false };
            let answer = commit(tx, prepared).and_then(|value| {
                tx.close()?;
                Ok(value)
            });
            result.insert(answer).is_ok()
        })?;
        result.unwrap_or_else(|| Err(not_run().into()))
    }

    /// Runs `prepare`, which returns whether it succeeded, and begins a transaction on the same connection, with what
    /// is known from `prepare`. Returns `None` if `prepare` failed.
    fn prepared(
        &self,
        credentials: &Credentials,
        prepare: &mut dyn FnMut(&mut Reader<'_>) -> bool,
    ) -> Result<Option<(r2d2::PooledConnection<Manager>, Known)>> {
        let mut attempts: usize = 0;
        loop {
            let mut pooled = self.checkout()?;
            let mut reader = Reader::new(&mut pooled.connection, self, credentials);
            let succeeded = prepare(&mut reader);
            let known = reader.known();
            attempts = attempts.saturating_add(1);
            if succeeded {
                match AnsiTransactionManager::begin_transaction(&mut pooled.connection) {
                    Ok(()) => return Ok(Some((pooled, known))),
                    Err(error) => {
                        pooled.broken = true;
                        if attempts == 2 {
                            return Err(Error::Unavailable(error.into()));
                        }
                    }
                }
            } else if !probe_broken(&mut pooled) {
                return Ok(None);
            } else if attempts == 2 {
                return Err(Error::Unavailable(anyhow::anyhow!("two connections were lost in a row")));
            }
            log::warn!("a database connection was lost");
        }
    }

    fn commit_prepared(
        &self,
        credentials: &Credentials,
        pooled: &mut Pooled,
        known: Known,
        commit: &mut dyn FnMut(&mut Tx<'_>) -> bool,
    ) -> Result<()> {
        let open = InTransaction::enter();
        let mut tx = Tx::new(&mut pooled.connection, self, credentials);
        tx.know(known);
        let succeeded = commit(&mut tx);
        let done = Done { succeeded, after: tx.after };
        drop(open);
        self.end(pooled, done)
    }

    /// Commits a transaction whose work succeeded, and rolls it back otherwise. An error replaces the result of the
    /// work.
    fn end(&self, pooled: &mut Pooled, done: Done) -> Result<()> {
        if done.succeeded {
            return match AnsiTransactionManager::commit_transaction(&mut pooled.connection) {
                Ok(()) => {
                    if let Some(replicas) = self.replicas() {
                        replicas.note_commit(pooled);
                    }
                    if done.after.has_due_job {
                        self.wake_jobs();
                    }
                    self.search_node().note_moved_heads(&done.after.moved_heads);
                    if done.after.has_changed_specs {
                        self.search_node().note_changed_specs();
                    }
                    Ok(())
                }
                Err(error) => {
                    let lost = probe_broken(pooled);
                    Err(if lost { Error::Unavailable(error.into()) } else { error.into() })
                }
            };
        }
        let rolled_back = AnsiTransactionManager::rollback_transaction(&mut pooled.connection);
        if rolled_back.is_err() || probe_broken(pooled) {
            pooled.broken = true;
            return Err(Error::Unavailable(anyhow::anyhow!("the connection was lost in a transaction")));
        }
        Ok(())
    }

    /// Returns a connection in a new transaction. A dead one is replaced once, since nothing was done on it yet.
    fn begin(&self) -> Result<r2d2::PooledConnection<Manager>> {
        let mut pooled = self.checkout()?;
        if let Err(error) = AnsiTransactionManager::begin_transaction(&mut pooled.connection) {
            pooled.broken = true;
            drop(pooled);
            log::warn!("a database connection was lost: {error}");
            pooled = self.checkout()?;
            AnsiTransactionManager::begin_transaction(&mut pooled.connection).map_err(|error| {
                pooled.broken = true;
                Error::Unavailable(error.into())
            })?;
        }
        Ok(pooled)
    }
}

/// Returns the error of work that was not run although its connection was found. It never occurs.
fn not_run() -> Error {
    Error::Internal("work on a connection was not run", anyhow::anyhow!("no result"))
}

/// Returns whether the connection is dead, asked after a failure outside of a transaction; the pool then drops it.
///
/// Most failures are answers to the caller (not found, refused), for which this costs one round trip. Successes cost
/// none.
pub(crate) fn probe_broken(pooled: &mut Pooled) -> bool {
    pooled.broken = pooled.connection.batch_execute("SELECT 1").is_err();
    pooled.broken
}
