//! The handle on all state.

use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use diesel::connection::{AnsiTransactionManager, SimpleConnection, TransactionManager};
use quire_domain::clock::{Clock, IdGenerator};
use tokio::sync::watch;

use crate::cache_budget::CacheBudget;
use crate::content::{CacheSizes, Caches, DocumentAnalyzer};
use crate::drafts::{InTransaction, debug_assert_outside_transaction};
use crate::files::FileStore;
use crate::group_commit::Groups;
use crate::keys::MasterKeys;
use crate::lookup::Credentials;
use crate::pool::{Manager, Pooled, StatementCounter};
use crate::search::SearchNode;
use crate::transaction::{Reader, Tx};
use crate::turns::{HeadKey, Turn, Turns};
use crate::{Error, Result};

/// How to reach the state and how much to keep of it in memory.
#[derive(Clone, Debug)]
pub struct Options {
    /// A libpq URL or connection string.
    pub database_url: String,
    /// The largest number of connections. No more threads than this should use the storage at once.
    pub connections: u32,
    /// How long a request waits for a connection before it is told to come back.
    pub connection_wait: Duration,
    /// Bytes that caches take in memory.
    pub caches: CacheBudget,
    /// Location and resources of the search index of this node.
    pub search: quire_search::Options,
}

impl Options {
    /// The defaults for a database: three connections a core, and the default budget of caches.
    #[must_use]
    pub fn new(database_url: impl Into<String>) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            database_url: database_url.into(),
            connections: u32::try_from(cores.saturating_mul(3)).unwrap_or(u32::MAX),
            connection_wait: Duration::from_secs(5),
            caches: CacheBudget::default(),
            search: quire_search::Options::default(),
        }
    }
}

/// All state of a deployment: its database, its file bytes, and what is cached of them. Cheap to clone.
#[derive(Clone)]
pub struct Storage(Arc<Inner>);

pub(crate) struct Inner {
    pool: r2d2::Pool<Manager>,
    statements: StatementCounter,
    pub(crate) files: FileStore,
    pub(crate) caches: Caches,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn IdGenerator>,
    pub(crate) analyzer: Arc<dyn DocumentAnalyzer>,
    turns: Turns,
    groups: Groups,
    /// Changes when a job that is due was committed by this process.
    due_jobs: watch::Sender<()>,
    /// The master keys, once they are given.
    master_keys: OnceLock<MasterKeys>,
    search: Arc<SearchNode>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.search.close();
    }
}

impl Storage {
    /// Opens the storage without touching the database: connections are made when they are needed.
    #[must_use]
    pub fn new(
        options: &Options,
        files: FileStore,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdGenerator>,
        analyzer: Arc<dyn DocumentAnalyzer>,
    ) -> Self {
        let statements = StatementCounter::default();
        let pool = crate::pool::open(
            &options.database_url,
            options.connections,
            options.connection_wait,
            statements.clone(),
        );
        let caches = Caches::new(options.caches);
        let due_jobs = watch::Sender::new(());
        let (turns, groups) = (Turns::default(), Groups::default());
        let master_keys = OnceLock::new();
        let search = Arc::new(SearchNode::new(options.search.clone(), options.caches.searched_texts()));
        Self(Arc::new(Inner {
            pool,
            statements,
            files,
            caches,
            clock,
            ids,
            analyzer,
            turns,
            groups,
            due_jobs,
            master_keys,
            search,
        }))
    }

    /// How many statements were sent so far.
    #[must_use]
    pub fn statements(&self) -> &StatementCounter {
        &self.0.statements
    }

    /// The file bytes.
    #[must_use]
    pub fn files(&self) -> &FileStore {
        &self.0.files
    }

    /// The clock that every time stamp comes from.
    #[must_use]
    pub fn clock(&self) -> &dyn Clock {
        &*self.0.clock
    }

    /// The source of new ids.
    #[must_use]
    pub fn ids(&self) -> &dyn IdGenerator {
        &*self.0.ids
    }

    /// Tells when a job that is due was committed, so that a worker need not look at the queue to find out. Only of jobs that this
    /// process writes: those of others are found by looking.
    #[must_use]
    pub fn due_jobs(&self) -> watch::Receiver<()> {
        self.0.due_jobs.subscribe()
    }

    /// The master keys that open the keys in the database.
    pub(crate) fn master_keys(&self) -> Result<&MasterKeys> {
        let locked = || {
            Error::Internal("the keys in the database are locked", anyhow::anyhow!("no master key was given"))
        };
        self.0.master_keys.get().ok_or_else(locked)
    }

    pub(crate) fn set_master_keys(&self, keys: MasterKeys) -> Result<()> {
        self.0.master_keys.set(keys).map_err(|keys| {
            Error::Internal("the keys in the database are unlocked already", anyhow::anyhow!("{keys:?}"))
        })
    }

    pub(crate) fn search_node(&self) -> &Arc<SearchNode> {
        &self.0.search
    }

    pub(crate) fn downgrade(&self) -> Weak<Inner> {
        Arc::downgrade(&self.0)
    }

    pub(crate) fn upgrade(inner: &Weak<Inner>) -> Option<Self> {
        inner.upgrade().map(Self)
    }

    /// The sizes of the caches.
    #[must_use]
    pub fn cache_sizes(&self) -> CacheSizes {
        self.0.caches.sizes()
    }

    pub(crate) fn caches(&self) -> &Caches {
        &self.0.caches
    }

    /// Returns the analyzer, for use outside of transactions.
    pub(crate) fn analyzer(&self) -> &dyn DocumentAnalyzer {
        debug_assert_outside_transaction();
        &*self.0.analyzer
    }

    /// Runs `work` on a connection without a transaction: each statement sees what is committed when it runs. Blocks.
    ///
    /// `work` runs a second time when the first found the connection dead, so it must do nothing but read.
    ///
    /// # Errors
    /// What `work` says; [`Error::Unavailable`] when the database is away or every connection stays busy.
    pub fn read<T, E: From<Error>>(
        &self,
        credentials: &Credentials,
        work: impl Fn(&mut Reader<'_>) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        self.read_with(credentials, |mut reader| work(&mut reader))
    }

    /// As [`Storage::read`], with a reader of one's own.
    pub(crate) fn read_with<T, E: From<Error>>(
        &self,
        credentials: &Credentials,
        work: impl Fn(Reader<'_>) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        for attempt in 0..2 {
            let mut pooled = self.checkout()?;
            let result = work(Reader::new(&mut pooled.connection, self, credentials));
            if result.is_ok() || !probe_broken(&mut pooled) {
                return result;
            }
            log::warn!("a database connection was lost (attempt {attempt})");
        }
        Err(Error::Unavailable(anyhow::anyhow!("two connections were lost in a row")).into())
    }

    /// Runs `work` in one transaction, committed when it is `Ok` and rolled back otherwise. Blocks.
    ///
    /// # Errors
    /// What `work` says; [`Error::Unavailable`] when the database is away or every connection stays busy.
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
            (result, tx.has_due_job)
        })
    }

    /// As [`Storage::transact`], with a transaction of one's own, which `work` closes. It also returns whether it wrote a job that is due.
    pub(crate) fn transact_with<T, E: From<Error>>(
        &self,
        credentials: &Credentials,
        work: impl FnOnce(Tx<'_>) -> (std::result::Result<T, E>, bool),
    ) -> std::result::Result<T, E> {
        let mut pooled = self.begin()?;
        let open = InTransaction::enter();
        let (result, has_due_job) = work(Tx::new(&mut pooled.connection, self, credentials));
        drop(open);
        self.end(&mut pooled, result, has_due_job)
    }

    /// Waits until it is the caller's turn to write to a head in this process: for [`Storage::write`].
    pub async fn turn(&self, head: HeadKey) -> Turn {
        self.0.turns.take(head).await
    }

    pub(crate) fn groups(&self) -> &Groups {
        &self.0.groups
    }

    /// Runs `prepare` without a transaction and then `commit` in one, on the same connection: what `prepare` looked up, authorized and
    /// stored ahead needs no lock. It may run twice, as in [`Storage::read`]. Blocks.
    ///
    /// # Errors
    /// What `prepare` and `commit` say; [`Error::Unavailable`] when the database is away or every connection stays busy.
    pub fn write<P, T, E: From<Error>>(
        &self,
        credentials: &Credentials,
        prepare: impl Fn(&mut Reader<'_>) -> std::result::Result<P, E>,
        commit: impl FnOnce(&mut Tx<'_>, P) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let mut attempts: usize = 0;
        let (mut pooled, known, prepared) = loop {
            let mut pooled = self.checkout()?;
            let mut reader = Reader::new(&mut pooled.connection, self, credentials);
            let result = prepare(&mut reader);
            let known = reader.known();
            attempts = attempts.saturating_add(1);
            match result {
                Ok(prepared) => match AnsiTransactionManager::begin_transaction(&mut pooled.connection) {
                    Ok(()) => break (pooled, known, prepared),
                    Err(error) => {
                        pooled.broken = true;
                        if attempts == 2 {
                            return Err(Error::Unavailable(error.into()).into());
                        }
                    }
                },
                Err(error) => {
                    if !probe_broken(&mut pooled) || attempts == 2 {
                        return Err(error);
                    }
                }
            }
            log::warn!("a database connection was lost");
        };
        let open = InTransaction::enter();
        let mut tx = Tx::new(&mut pooled.connection, self, credentials);
        tx.know(known);
        let result = commit(&mut tx, prepared).and_then(|value| {
            tx.close()?;
            Ok(value)
        });
        let has_due_job = tx.has_due_job;
        drop(open);
        self.end(&mut pooled, result, has_due_job)
    }

    /// Commits a transaction whose work succeeded, and rolls it back otherwise.
    fn end<T, E: From<Error>>(
        &self,
        pooled: &mut Pooled,
        result: std::result::Result<T, E>,
        has_due_job: bool,
    ) -> std::result::Result<T, E> {
        match result {
            Ok(value) => match AnsiTransactionManager::commit_transaction(&mut pooled.connection) {
                Ok(()) => {
                    if has_due_job {
                        self.0.due_jobs.send_replace(());
                    }
                    Ok(value)
                }
                Err(error) => {
                    let lost = probe_broken(pooled);
                    Err(if lost { Error::Unavailable(error.into()) } else { error.into() }.into())
                }
            },
            Err(error) => {
                let rolled_back = AnsiTransactionManager::rollback_transaction(&mut pooled.connection);
                if rolled_back.is_err() || probe_broken(pooled) {
                    pooled.broken = true;
                    let lost = anyhow::anyhow!("the connection was lost in a transaction");
                    return Err(Error::Unavailable(lost).into());
                }
                Err(error)
            }
        }
    }

    /// Asks whether the database answers and its schema is this binary's. Blocks.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when it doesn't or isn't.
    pub fn check_ready(&self) -> Result<()> {
        let mut pooled = self.checkout()?;
        match crate::migrations::status_of(&mut pooled.connection) {
            Ok(crate::migrations::Status::Current) => Ok(()),
            Ok(other) => Err(Error::Unavailable(anyhow::anyhow!("the schema is {other:?}"))),
            Err(error) => {
                probe_broken(&mut pooled);
                Err(Error::Unavailable(error.into()))
            }
        }
    }

    /// A connection in a new transaction. A dead one is replaced once; nothing was done on it yet.
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

    #[expect(clippy::disallowed_methods, reason = "this is the one door to the database")]
    fn checkout(&self) -> Result<r2d2::PooledConnection<Manager>> {
        self.0.pool.get().map_err(|error| Error::Unavailable(error.into()))
    }
}

/// Whether the connection is dead, asked after a failure outside of a transaction; the pool then drops it.
///
/// Most failures are answers to the caller (not found, refused), for which one cheap round trip is spent here; none is spent
/// when all goes well.
fn probe_broken(pooled: &mut Pooled) -> bool {
    pooled.broken = pooled.connection.batch_execute("SELECT 1").is_err();
    pooled.broken
}
