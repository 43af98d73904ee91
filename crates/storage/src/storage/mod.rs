//! Handle of all state.

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

/// Database of the deployment, and memory bounds.
#[derive(Clone, Debug)]
pub struct Options {
    /// libpq URL or connection string.
    pub database_url: String,
    /// URLs of standbys that serve reads, each of a single server.
    pub read_urls: Vec<String>,
    /// Maximum number of connections to the primary, and to each standby. At most this many threads should use the
    /// storage at once.
    pub connections: u32,
    /// Maximum wait for a connection, after which a request is refused.
    pub connection_wait: Duration,
    /// Duration from which a statement is logged; `None` disables the log.
    pub slow_statement: Option<Duration>,
    /// Memory budget of the caches.
    pub caches: CacheBudget,
    /// Location and resources of the search index of this node.
    pub search: quire_search::Options,
}

impl Options {
    /// Returns the default options of a database: three connections per core, and the default cache budget.
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

/// All state of a deployment: its database, its file bytes, and their caches. Cheap to clone.
#[derive(Clone)]
pub struct Storage(Arc<Inner>);

pub(crate) struct Inner {
    database: Database,
    /// Uses of tokens by reads on replicas.
    token_uses: Arc<TokenUses>,
    pub(crate) files: FileStore,
    pub(crate) caches: Caches,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn IdGenerator>,
    pub(crate) analyzer: Arc<dyn DocumentAnalyzer>,
    turns: Turns<HeadKey>,
    groups: Groups,
    /// Notified when this process has committed a job that is due.
    due_jobs: watch::Sender<()>,
    /// Master keys, once they are set.
    master_keys: OnceLock<MasterKeys>,
    search: Arc<SearchNode>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.search.close();
    }
}

impl Storage {
    /// Creates the storage without connecting to the database: connections are opened on demand.
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

    /// Returns the counter of the statements sent so far.
    #[must_use]
    pub fn statements(&self) -> &StatementCounter {
        self.0.database.statements()
    }

    /// Returns the store of file bytes.
    #[must_use]
    pub fn files(&self) -> &FileStore {
        &self.0.files
    }

    /// Returns the clock of all timestamps.
    #[must_use]
    pub fn clock(&self) -> &dyn Clock {
        &*self.0.clock
    }

    /// Returns the generator of new ids.
    #[must_use]
    pub fn ids(&self) -> &dyn IdGenerator {
        &*self.0.ids
    }

    /// Returns a receiver that is notified when a due job was committed, so that a worker need not poll the queue. It
    /// covers only jobs of this process; jobs of other processes are found by polling.
    #[must_use]
    pub fn due_jobs(&self) -> watch::Receiver<()> {
        self.0.due_jobs.subscribe()
    }

    /// Returns the master keys, which unwrap the keys in the database.
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

    /// Frees displaced entries, and returns the sizes of the caches.
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

    /// Waits for the caller's turn to write to a head in this process, for [`Storage::write`].
    pub async fn turn(&self, head: HeadKey) -> Turn {
        self.0.turns.take(head).await
    }

    pub(crate) fn groups(&self) -> &Groups {
        &self.0.groups
    }

    /// Wakes the worker for a due job.
    pub(crate) fn wake_jobs(&self) {
        self.0.due_jobs.send_replace(());
    }

    /// Returns the connections to the database.
    pub(crate) fn database(&self) -> &Database {
        &self.0.database
    }

    /// Returns the uses of tokens by reads on replicas.
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

    /// Returns the numbers of reads that were eligible for replicas.
    #[must_use]
    pub fn read_counts(&self) -> ReadCounts {
        self.replicas().map(Replicas::counts).unwrap_or_default()
    }

    /// Records that a caller has seen everything committed up to a position, so that its reads in the next seconds see
    /// it, too.
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

    /// Checks that the database responds and has the schema of this binary. Blocks.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if it does not respond or has another schema.
    pub fn check_ready(&self) -> Result<()> {
        self.0.database.check_ready(&crate::MIGRATIONS)
    }
}
