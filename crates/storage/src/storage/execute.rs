//! Readers and transactions on connections to the database.

use diesel::PgConnection;
use quire_database::{ReadRoute, not_run};

use crate::lookup::Credentials;
use crate::transaction::{AfterCommit, Reader, Tx};
use crate::{Error, Storage};

impl Storage {
    /// Runs `work` on a connection without a transaction: each statement sees the data committed when it starts.
    /// Blocks.
    ///
    /// `work` runs a second time if the first connection was dead, so it must only read.
    ///
    /// # Errors
    /// Errors of `work`; [`Error::Unavailable`] if the database is unreachable or all connections stay busy.
    pub fn read<T, E: From<Error>>(
        &self,
        credentials: &Credentials,
        work: impl Fn(&mut Reader<'_>) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let mut result = None;
        self.database().read(&mut |connection| {
            result.insert(work(&mut Reader::new(connection, self, credentials))).is_ok()
        })?;
        result.unwrap_or_else(|| Err(not_run().into()))
    }

    /// Reads like [`Storage::read`] for several callers at once, but on a replica, if one has all that was committed
    /// until a second ago and all that the callers have seen. If the work fails there, for any reason, it is repeated
    /// on the primary, so that only the primary reports errors. `route` is the route of the request.
    ///
    /// # Errors
    /// See [`Storage::read`].
    pub fn read_replicated<T, E: From<Error>>(
        &self,
        route: &ReadRoute,
        callers: &[Credentials],
        credentials: &Credentials,
        work: impl Fn(&mut Reader<'_>) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let mut result = None;
        let succeeded = self.database().read_on_replica(route, callers, &mut |connection| {
            let mut reader = Reader::new(connection, self, credentials);
            reader.is_on_replica = true;
            result.insert(work(&mut reader)).is_ok()
        });
        if succeeded && let Some(result) = result {
            return result;
        }
        self.read(credentials, work)
    }

    /// Runs `work` in one transaction, which is committed if it returns `Ok` and rolled back otherwise. Blocks.
    ///
    /// # Errors
    /// Errors of `work`; [`Error::Unavailable`] if the database is unreachable or all connections stay busy.
    pub fn transact<T, E: From<Error>>(
        &self,
        credentials: &Credentials,
        work: impl FnOnce(&mut Tx<'_>) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        self.in_transaction(credentials, |mut tx| {
            let result = work(&mut tx).and_then(|value| {
                tx.close()?;
                Ok(value)
            });
            (result, std::mem::take(&mut tx.after))
        })
    }

    /// Runs work in one transaction, and writes its last rows. Also returns the work to do after the commit.
    pub(crate) fn in_transaction<T, E: From<Error>>(
        &self,
        credentials: &Credentials,
        work: impl FnOnce(Tx<'_>) -> (std::result::Result<T, E>, AfterCommit),
    ) -> std::result::Result<T, E> {
        let (mut work, mut result, mut after) = (Some(work), None, AfterCommit::default());
        let committed = self.database().transact(&mut |connection| {
            let Some(work) = work.take() else { return false };
            let (answer, follows) = work(Tx::new(connection, self, credentials));
            after = follows;
            result.insert(answer).is_ok()
        })?;
        if committed {
            self.follow(&after);
        }
        result.unwrap_or_else(|| Err(not_run().into()))
    }

    /// Runs `prepare` without a transaction and then `commit` in a transaction, on the same connection: lookups,
    /// authorization and rows stored in advance need no lock. `prepare` may run twice, as in [`Storage::read`]. Blocks.
    ///
    /// # Errors
    /// Errors of `prepare` and `commit`; [`Error::Unavailable`] if the database is unreachable or all connections stay
    /// busy.
    pub fn write<P, T, E: From<Error>>(
        &self,
        credentials: &Credentials,
        prepare: impl Fn(&mut Reader<'_>) -> std::result::Result<P, E>,
        commit: impl FnOnce(&mut Tx<'_>, P) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        // Both closures use this value, one after the other.
        let prepared = std::cell::RefCell::new(None);
        let (mut commit, mut result, mut after) = (Some(commit), None, AfterCommit::default());
        let mut preparing = |connection: &mut PgConnection| {
            let mut reader = Reader::new(connection, self, credentials);
            let answer = prepare(&mut reader);
            prepared.borrow_mut().insert((answer, reader.known())).0.is_ok()
        };
        let mut committing = |connection: &mut PgConnection| {
            let (Some(commit), Some((Ok(value), known))) = (commit.take(), prepared.take()) else {
                return false;
            };
            let mut tx = Tx::new(connection, self, credentials);
            tx.know(known);
            let answer = commit(&mut tx, value).and_then(|value| {
                tx.close()?;
                Ok(value)
            });
            after = std::mem::take(&mut tx.after);
            result.insert(answer).is_ok()
        };
        if self.database().write(&mut preparing, &mut committing)? {
            self.follow(&after);
        }
        let refused = || prepared.take().and_then(|(answer, _)| answer.err());
        result.unwrap_or_else(|| Err(refused().unwrap_or_else(|| not_run().into())))
    }

    /// Does the work on this node that follows a committed transaction.
    fn follow(&self, after: &AfterCommit) {
        if after.has_due_job {
            self.wake_jobs();
        }
        self.search_node().note_moved_heads(&after.moved_heads);
        if after.has_changed_specs {
            self.search_node().note_changed_specs();
        }
    }
}
