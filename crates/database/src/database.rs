//! Execution of work on connections and in transactions.
//!
//! Each request has its own closures. The surrounding code (connections, retries, commit) takes them as trait objects,
//! so that it is compiled once instead of once per closure.

use std::sync::Arc;
use std::time::Duration;

use diesel::PgConnection;
use diesel::connection::{AnsiTransactionManager, SimpleConnection as _, TransactionManager as _};

use crate::credentials::Credentials;
use crate::migrations::{Migrations, Status};
use crate::optimistic::InTransaction;
use crate::pool::{Manager, PoolOptions, Pooled, StatementCounter};
use crate::replicas::{OnPrimary, OnReplica, ReadRoute, Replicas, Server, watch};
use crate::{Error, Result};

/// Database servers and the bounds of their connections.
#[derive(Clone, Debug)]
pub struct Options {
    /// libpq URL or connection string.
    pub url: String,
    /// URLs of standbys that serve reads, each of a single server.
    pub read_urls: Vec<String>,
    /// Maximum number of connections to the primary, and to each standby. At most this many threads should use the
    /// database at once.
    pub connections: u32,
    /// Maximum wait for a connection, after which work is refused.
    pub connection_wait: Duration,
    /// Duration from which a statement is logged; `None` disables the log.
    pub slow_statement: Option<Duration>,
}

impl Options {
    /// Returns the default options of a database, with three connections per core.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            url: url.into(),
            read_urls: Vec::new(),
            connections: u32::try_from(cores.saturating_mul(3)).unwrap_or(u32::MAX),
            connection_wait: Duration::from_secs(5),
            slow_statement: None,
        }
    }
}

/// Connections to a database and its standbys.
pub struct Database {
    pool: r2d2::Pool<Manager>,
    /// Standbys that serve reads, if configured.
    replicas: Option<Arc<Replicas>>,
    /// Maximum wait for a connection.
    connection_wait: Duration,
    statements: StatementCounter,
}

/// Work on a connection. Returns whether it succeeded.
type Work<'w> = dyn FnMut(&mut PgConnection) -> bool + 'w;

impl Database {
    /// Creates the database without connecting to it: connections are opened on demand. `on_primary` is called only if
    /// there are replicas.
    #[must_use]
    pub fn new(options: &Options, on_primary: OnPrimary) -> Self {
        let statements = StatementCounter::default();
        let pools = PoolOptions {
            size: options.connections,
            statements: statements.clone(),
            slow: options.slow_statement,
        };
        let pool = crate::pool::open(&options.url, &pools);
        let replicas = Replicas::open(&options.read_urls, &pools, on_primary).map(Arc::new);
        if let Some(replicas) = &replicas
            && let Err(error) = watch(Arc::downgrade(replicas), options.url.clone())
        {
            log::error!("replicas are not used, since the primary's position can't be followed: {error}");
        }
        Self { pool, replicas, connection_wait: options.connection_wait, statements }
    }

    /// Returns the counter of the statements sent so far.
    #[must_use]
    pub fn statements(&self) -> &StatementCounter {
        &self.statements
    }

    /// Returns the replicas that serve reads, if configured.
    #[must_use]
    pub fn replicas(&self) -> Option<&Replicas> {
        self.replicas.as_deref()
    }

    /// Returns the numbers of open and of idle connections to the primary.
    #[must_use]
    pub fn connections(&self) -> (u32, u32) {
        let state = self.pool.state();
        (state.connections, state.idle_connections)
    }

    /// Checks that the database responds and that its schema matches these migrations. Blocks.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if it does not respond or its schema differs.
    pub fn check_ready(&self, migrations: &Migrations<'_>) -> Result<()> {
        let mut pooled = self.checkout()?;
        match migrations.status_of(&mut pooled.connection) {
            Ok(Status::Current) => Ok(()),
            Ok(other) => Err(Error::Unavailable(anyhow::anyhow!("the schema is {other:?}"))),
            Err(error) => {
                probe_broken(&mut pooled);
                Err(Error::Unavailable(error.into()))
            }
        }
    }

    #[expect(clippy::disallowed_methods, reason = "this is the one door to the database")]
    fn checkout(&self) -> Result<r2d2::PooledConnection<Manager>> {
        self.pool.get_timeout(self.connection_wait).map_err(|error| Error::Unavailable(error.into()))
    }

    /// Runs work on a connection without a transaction: each statement sees the data committed when it starts. Work
    /// that failed because its connection was dead runs once more on another connection. Blocks.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the database is unreachable or all connections stay busy.
    pub fn read(&self, work: &mut Work<'_>) -> Result<()> {
        for attempt in 0..2 {
            let mut pooled = self.checkout()?;
            if work(&mut pooled.connection) || !probe_broken(&mut pooled) {
                return Ok(());
            }
            log::warn!("a database connection was lost (attempt {attempt})");
        }
        Err(lost_twice())
    }

    /// Runs work like [`Database::read`], but on a replica, if one has all that was committed until a second ago and
    /// all that the callers have seen. Returns whether the work succeeded there, and notes the server in the route of
    /// the request. If it did not succeed, the caller must repeat the work on the primary: only the primary reports
    /// errors.
    pub fn read_on_replica(&self, route: &ReadRoute, callers: &[Credentials], work: &mut Work<'_>) -> bool {
        let Some(replicas) = &self.replicas else { return false };
        if let Some(OnReplica { mut pooled, server }) = replicas.connection(route, callers.iter()) {
            if work(&mut pooled.connection) {
                route.note(server);
                return true;
            }
            probe_broken(&mut pooled);
        }
        route.note(Server::Primary);
        false
    }

    /// Runs work in one transaction, which is committed if the work succeeds and rolled back otherwise. Returns whether
    /// it was committed. Blocks.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the database is unreachable or all connections stay busy, and errors of COMMIT.
    pub fn transact(&self, work: &mut Work<'_>) -> Result<bool> {
        let mut pooled = self.begin()?;
        self.finish(&mut pooled, work)
    }

    /// Runs `prepare` without a transaction and then `commit` in a transaction, on the same connection. `prepare` may
    /// run twice, as in [`Database::read`]. If it fails, no transaction is begun. Returns whether the transaction was
    /// committed. Blocks.
    ///
    /// # Errors
    /// See [`Database::transact`].
    pub fn write(&self, prepare: &mut Work<'_>, commit: &mut Work<'_>) -> Result<bool> {
        match self.begin_prepared(prepare)? {
            Some(mut pooled) => self.finish(&mut pooled, commit),
            None => Ok(false),
        }
    }

    /// Returns a connection in a new transaction. A dead connection is replaced once, because no work has been done on
    /// it.
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

    /// Runs `prepare` and begins a transaction on the same connection. Returns `None` if `prepare` failed.
    fn begin_prepared(&self, prepare: &mut Work<'_>) -> Result<Option<r2d2::PooledConnection<Manager>>> {
        let mut attempts: usize = 0;
        loop {
            let mut pooled = self.checkout()?;
            let succeeded = prepare(&mut pooled.connection);
            attempts = attempts.saturating_add(1);
            if succeeded {
                match AnsiTransactionManager::begin_transaction(&mut pooled.connection) {
                    Ok(()) => return Ok(Some(pooled)),
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
                return Err(lost_twice());
            }
            log::warn!("a database connection was lost");
        }
    }

    /// Runs work in an open transaction. Commits it if the work succeeds, and rolls it back otherwise.
    fn finish(&self, pooled: &mut Pooled, work: &mut Work<'_>) -> Result<bool> {
        let open = InTransaction::enter();
        let succeeded = work(&mut pooled.connection);
        drop(open);
        if succeeded {
            return match AnsiTransactionManager::commit_transaction(&mut pooled.connection) {
                Ok(()) => {
                    if let Some(replicas) = &self.replicas {
                        replicas.note_commit(pooled);
                    }
                    Ok(true)
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
        Ok(false)
    }
}

fn lost_twice() -> Error {
    Error::Unavailable(anyhow::anyhow!("two connections were lost in a row"))
}

/// Returns the error for work that was not run although a connection was available. This never occurs.
#[must_use]
pub fn not_run() -> Error {
    Error::Internal("work on a connection was not run", anyhow::anyhow!("no result"))
}

/// Returns whether the connection is dead, in which case the pool drops it. Called after a failure outside of a
/// transaction.
///
/// Most failures are refusals (not found, forbidden), which pay one round trip for this check. Successes pay nothing.
fn probe_broken(pooled: &mut Pooled) -> bool {
    pooled.broken = pooled.connection.batch_execute("SELECT 1").is_err();
    pooled.broken
}
