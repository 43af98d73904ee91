//! The handle on all state.

mod cache_budget;
pub mod door;
mod execute;
pub(crate) mod system;

use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use quire_database::optimistic::debug_assert_outside_transaction;
use quire_database::{Credentials, Database, LogPosition, ReadCounts, Replicas, StatementCounter, Turns};
use quire_domain::clock::{Clock, IdGenerator};
use tokio::sync::watch;

use crate::content::files::FileStore;
use crate::content::search::SearchNode;
use crate::content::store::{CacheSizes, Caches, DocumentAnalyzer, HeadKey, Turn};
use crate::group_commit::Groups;
use crate::lookup::TokenUses;
use crate::operations::keys::MasterKeys;
use crate::{Error, Result};

pub use cache_budget::CacheBudget;

/// Database of the state, and bounds on its use of memory.
#[derive(Clone, Debug)]
pub struct Options {
    /// A libpq URL or connection string.
    pub database_url: String,
    /// URLs of standbys that serve reads, each of one server.
    pub read_urls: Vec<String>,
    /// The largest number of connections, also to each standby. No more threads than this should use the storage at
    /// once.
    pub connections: u32,
    /// Time that a request waits for a connection before it is refused.
    pub connection_wait: Duration,
    /// Duration from which a statement is logged; `None` logs none.
    pub slow_statement: Option<Duration>,
    /// Bytes that caches take in memory.
    pub caches: CacheBudget,
    /// Location and resources of the search index of this node.
    pub search: quire_search::Options,
}

impl Options {
    /// The defaults for a database: three connections a core, and the default budget of caches.
    #[must_use]
    pub fn new(database_url: impl Into<String>) -> Self {
        let database = quire_database::Options::new(database_url);
        Self {
            database_url: database.url,
            read_urls: database.read_urls,
            connections: database.connections,
            connection_wait: database.connection_wait,
            slow_statement: database.slow_statement,
            caches: CacheBudget::default(),
            search: quire_search::Options::default(),
        }
    }
}

/// All state of a deployment: its database, its file bytes, and what is cached of them. Cheap to clone.
#[derive(Clone)]
pub struct Storage(Arc<Inner>);

pub(crate) struct Inner {
    database: Database,
    /// Uses of tokens that reads on replicas found.
    token_uses: Arc<TokenUses>,
    pub(crate) files: FileStore,
    pub(crate) caches: Caches,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn IdGenerator>,
    pub(crate) analyzer: Arc<dyn DocumentAnalyzer>,
    turns: Turns<HeadKey>,
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
        let token_uses = Arc::new(TokenUses::default());
        let noted = Arc::clone(&token_uses);
        let database = quire_database::Options {
            url: options.database_url.clone(),
            read_urls: options.read_urls.clone(),
            connections: options.connections,
            connection_wait: options.connection_wait,
            slow_statement: options.slow_statement,
        };
        let database = Database::new(&database, Box::new(move |primary| noted.write(primary)));
        let caches = Caches::new(options.caches);
        let due_jobs = watch::Sender::new(());
        let (turns, groups) = (Turns::default(), Groups::default());
        let master_keys = OnceLock::new();
        let search = Arc::new(SearchNode::new(options.search.clone(), options.caches.overlays()));
        Self(Arc::new(Inner {
            database,
            token_uses,
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

    /// Returns the number of statements that were sent so far.
    #[must_use]
    pub fn statements(&self) -> &StatementCounter {
        self.0.database.statements()
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

    /// Tells when a job that is due was committed, so that a worker need not look at the queue to find out. Only of
    /// jobs that this process writes: those of others are found by looking.
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

    /// Returns the sizes of the caches, after what they displaced was freed.
    #[must_use]
    pub fn cache_sizes(&self) -> CacheSizes {
        let [search_overlays, search_scores] = self.search_node().cache_sizes();
        CacheSizes { search_overlays, search_scores, ..self.0.caches.sizes() }
    }

    pub(crate) fn caches(&self) -> &Caches {
        &self.0.caches
    }

    /// Returns the analyzer, for use outside of transactions.
    pub(crate) fn analyzer(&self) -> &dyn DocumentAnalyzer {
        debug_assert_outside_transaction();
        &*self.0.analyzer
    }

    /// Waits until it is the caller's turn to write to a head in this process: for [`Storage::write`].
    pub async fn turn(&self, head: HeadKey) -> Turn {
        self.0.turns.take(head).await
    }

    pub(crate) fn groups(&self) -> &Groups {
        &self.0.groups
    }

    /// Wakes the worker for a job that is due.
    pub(crate) fn wake_jobs(&self) {
        self.0.due_jobs.send_replace(());
    }

    /// Returns the connections to the database.
    pub(crate) fn database(&self) -> &Database {
        &self.0.database
    }

    /// Returns the uses of tokens that reads on replicas found.
    pub(crate) fn token_uses(&self) -> &TokenUses {
        &self.0.token_uses
    }

    fn replicas(&self) -> Option<&Replicas> {
        self.0.database.replicas()
    }

    /// Returns whether replicas serve reads.
    #[must_use]
    pub fn has_replicas(&self) -> bool {
        self.replicas().is_some()
    }

    /// Returns the numbers of reads that could be done on replicas.
    #[must_use]
    pub fn read_counts(&self) -> ReadCounts {
        self.replicas().map(Replicas::counts).unwrap_or_default()
    }

    /// Notes that a caller has seen what is committed up to a position, so that its reads for the next seconds do, too.
    pub fn note_seen(&self, caller: &Credentials, position: LogPosition) {
        if let Some(replicas) = self.replicas() {
            replicas.note_seen(caller, position);
        }
    }

    /// Returns whether a caller has seen a position in the last seconds.
    #[must_use]
    pub fn has_seen(&self, caller: &Credentials) -> bool {
        self.replicas().is_some_and(|replicas| replicas.has_seen(caller))
    }

    /// Returns the position after the last COMMIT of this process; `None` without replicas or before the first.
    #[must_use]
    pub fn committed(&self) -> Option<LogPosition> {
        let committed = self.replicas().map(Replicas::committed);
        committed.filter(|position| *position > LogPosition::default())
    }

    /// Returns the numbers of open and of idle connections to the primary.
    #[must_use]
    pub fn connections(&self) -> (u32, u32) {
        self.0.database.connections()
    }

    /// Asks whether the database answers and its schema is this binary's. Blocks.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when it doesn't or isn't.
    pub fn check_ready(&self) -> Result<()> {
        self.0.database.check_ready(&crate::MIGRATIONS)
    }
}
