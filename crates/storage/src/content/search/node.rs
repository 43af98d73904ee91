//! Index of this node and the queue of spaces to update.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use quire_domain::ids::SpaceId;
use quire_revision::TreeHash;
use quire_search::{Index, IndexedVersion, Language, Options, Overlay, Query, Ranking, Scope, Snapshot};

use super::bound::Uses;
use super::roots::Roots;
use super::searched::SearchedSpace;
use crate::content::store::{Admission, WeighedCache};
use crate::{Error, Result};

/// Number of differing pages from which the index is updated immediately.
pub(super) const URGENT_PAGES: u64 = 200;

/// Most recent overlay of a space.
#[derive(Clone)]
pub(super) struct KeptOverlay {
    /// State of the index for which the overlay was made.
    pub(super) before: Option<IndexedVersion>,
    /// Root of the space's tree for which the overlay was made.
    pub(super) root: TreeHash,
    /// Language of the space.
    pub(super) language: Language,
    pub(super) overlay: Arc<Overlay>,
    /// Number of pages of the tree.
    pub(super) pages: u64,
    /// Number of pages that neither the index nor the overlay has.
    pub(super) missing: u64,
}

/// Index of this node, opened on first use.
pub(crate) struct SearchNode {
    options: Options,
    index: OnceLock<Arc<Index>>,
    /// Locked while the index is opened, so that it is opened once.
    opening: Mutex<()>,
    /// Cached overlays, used until the index has their pages.
    overlays: WeighedCache<SpaceId, KeptOverlay>,
    /// Roots of the heads of spaces.
    pub(super) roots: Roots,
    queue: Mutex<Queue>,
    wake: Condvar,
    /// Thread that updates the index, once started.
    pub(super) indexer: Mutex<Option<JoinHandle<()>>>,
    pub(super) progress: Progress,
    pub(super) uses: Uses,
}

/// Spaces whose index is outdated.
#[derive(Default)]
struct Queue {
    spaces: HashSet<SpaceId>,
    /// `true` if all spaces have to be compared with the index.
    is_all: bool,
    /// Approximate number of differing pages.
    pages: u64,
    since: Option<Instant>,
    /// `true` if the index may be damaged, after an error of the engine.
    is_suspect: bool,
    /// Time until which the indexer pauses, after a failed attempt.
    paused_until: Option<Instant>,
    is_closed: bool,
    /// `true` if the index is kept up to date without searches.
    is_kept: bool,
}

/// Work for the indexer.
pub(super) struct Work {
    pub(super) spaces: HashSet<SpaceId>,
    /// `true` if all spaces have to be compared with the index.
    pub(super) is_all: bool,
    /// `true` if the index has to be checked first.
    pub(super) is_suspect: bool,
}

impl Work {
    pub(super) fn is_empty(&self) -> bool {
        self.spaces.is_empty() && !self.is_all && !self.is_suspect
    }
}

/// Progress of the indexer.
#[derive(Default)]
pub(super) struct Progress {
    pub(super) done: AtomicU64,
    pub(super) total: AtomicU64,
    pub(super) rebuilds: AtomicU64,
    pub(super) commits: AtomicU64,
}

/// Status of this node's index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchStatus {
    /// Number of indexed pages.
    pub pages: u64,
    /// Number of indexed spaces.
    pub spaces: u64,
    /// Size of the index in bytes.
    pub bytes: u64,
    /// Number of spaces whose index is known to be outdated.
    pub waiting_spaces: u64,
    /// Seconds since the first of these spaces was queued.
    pub lag_seconds: u64,
    /// Number of rebuilds since the start of the process.
    pub rebuilds: u64,
    /// Number of commits since the start of the process.
    pub commits: u64,
}

impl SearchNode {
    /// Creates the state for an index in a folder or in memory. `overlay_bytes` is the memory for overlays.
    pub(crate) fn new(options: Options, overlay_bytes: u64) -> Self {
        Self {
            options,
            index: OnceLock::new(),
            opening: Mutex::new(()),
            overlays: WeighedCache::new((overlay_bytes, Admission::Recent), |kept| kept.overlay.bytes()),
            roots: Roots::default(),
            queue: Mutex::default(),
            wake: Condvar::new(),
            indexer: Mutex::default(),
            progress: Progress::default(),
            uses: Uses::default(),
        }
    }

    /// Returns whether the disk space of the index is bounded.
    pub(super) fn is_bounded(&self) -> bool {
        self.options.disk_bytes.is_some()
    }

    /// Returns the index. If its directory cannot be used, the index is in memory.
    pub(super) fn index(&self) -> Result<&Arc<Index>> {
        if let Some(index) = self.index.get() {
            return Ok(index);
        }
        let _opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = self.index.get() {
            return Ok(index);
        }
        let opened = Index::open(self.options.clone()).or_else(|error| {
            log::error!("the search index is kept in memory: {error}");
            Index::open(Options { directory: None, ..self.options.clone() })
        });
        let index = Arc::new(opened.map_err(failed)?);
        Ok(self.index.get_or_init(|| index))
    }

    /// Ranks the pages that match a query. If the engine fails, or panics on damaged files, the search has to wait
    /// until the indexer has rebuilt the index.
    pub(super) fn search(&self, snapshot: &Snapshot, query: &Query, scopes: &[Scope]) -> Result<Ranking> {
        self.guarded(|| snapshot.search(query, scopes))
    }

    /// Runs a part of a search in the engine, and handles its errors and panics.
    pub(super) fn guarded<T>(&self, search: impl FnOnce() -> quire_search::Result<T>) -> Result<T> {
        let cause = match catch_unwind(AssertUnwindSafe(search)) {
            Ok(Ok(found)) => return Ok(found),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "the engine panicked".to_owned(),
        };
        log::error!("a search failed, so the index is checked: {cause}");
        self.suspect();
        Err(self.behind())
    }

    /// Returns the cached overlay that updates a space from its indexed state to its head.
    pub(super) fn overlay(&self, space: &SearchedSpace, held: Option<IndexedVersion>) -> Option<KeptOverlay> {
        let kept = self.overlays.get(&space.id)?;
        let is_of_head = kept.root == space.root && kept.language == space.language;
        (is_of_head && kept.before == held).then_some(kept)
    }

    /// Caches an overlay, unless the index got its pages in the meantime.
    pub(super) fn keep_overlay(&self, space: SpaceId, kept: KeptOverlay) {
        self.overlays.insert(space, kept);
        // This check follows the insertion: a commit that it misses is followed by the indexer's own check, which then
        // finds the overlay.
        self.forget_outdated_overlay(space);
    }

    /// Removes the overlay of a space if the index no longer has the state for which it was made.
    pub(super) fn forget_outdated_overlay(&self, space: SpaceId) {
        let held = self.index.get().and_then(|index| index.snapshot().held(space));
        if self.overlays.get(&space).is_some_and(|kept| kept.before != held) {
            self.overlays.remove(&space);
        }
    }

    /// Removes overlays that exceed an eighth of the cache, such as those of spaces that do not fit into the index.
    pub(super) fn forget_large_overlays(&self) {
        self.overlays.remove_heavy();
    }

    /// Requests a check of the index.
    fn suspect(&self) {
        let mut queue = self.queue();
        queue.is_suspect = true;
        queue.since.get_or_insert_with(Instant::now);
        self.wake.notify_all();
    }

    /// Rebuilds the index if it is damaged. Returns whether it was.
    pub(super) fn rebuild_if_damaged(&self) -> Result<bool> {
        let index = self.index()?;
        if index.is_sound() {
            return Ok(false);
        }
        log::error!("the search index is damaged and is rebuilt");
        index.reset().map_err(failed)?;
        self.progress.rebuilds.fetch_add(1, Ordering::Relaxed);
        Ok(true)
    }

    /// Pauses the indexer for some time after a failure.
    pub(super) fn pause(&self, time: Duration) {
        self.queue().paused_until = Instant::now().checked_add(time);
    }

    /// Requests an update of spaces. `pages` is the approximate number of differing pages.
    pub(super) fn request(&self, spaces: impl IntoIterator<Item = SpaceId>, pages: u64) {
        let mut queue = self.queue();
        let known = queue.spaces.len();
        queue.spaces.extend(spaces);
        if queue.spaces.len() > known || pages >= URGENT_PAGES {
            queue.pages = queue.pages.saturating_add(pages);
            queue.since.get_or_insert_with(Instant::now);
            self.wake.notify_all();
        }
    }

    /// Makes the indexer update spaces whenever their heads move.
    pub(super) fn keep(&self) {
        self.queue().is_kept = true;
    }

    /// Notifies the indexer that heads moved on this node, if it keeps the index up to date. An index with a bound on
    /// its disk space holds only searched spaces, so it waits for searches.
    pub(crate) fn note_moved_heads(&self, spaces: &[SpaceId]) {
        if !spaces.is_empty() && !self.is_bounded() && self.queue().is_kept {
            self.request(spaces.iter().copied(), 1);
        }
    }

    /// Notifies the indexer that specifications changed on this node, if it keeps the index up to date: any space may
    /// have pages that are computed from them.
    pub(crate) fn note_changed_specs(&self) {
        let mut queue = self.queue();
        if queue.is_kept {
            queue.is_all = true;
            queue.since.get_or_insert_with(Instant::now);
            self.wake.notify_all();
        }
    }

    /// Waits up to `patience` for work, and then until it is urgent or `delay` old. Returns work without spaces after
    /// `patience`, and `None` once the storage closes.
    pub(super) fn take(&self, patience: Duration, delay: Duration) -> Option<Work> {
        let idle = Instant::now();
        let mut queue = self.queue();
        loop {
            let wait = match queue.since {
                _ if queue.is_closed => return None,
                Some(_) if queue.pages >= URGENT_PAGES || queue.is_suspect => Duration::ZERO,
                Some(since) => delay.saturating_sub(since.elapsed()),
                None => patience.saturating_sub(idle.elapsed()),
            };
            let paused = queue.paused_until.map(|until| until.saturating_duration_since(Instant::now()));
            let wait = wait.max(paused.unwrap_or_default());
            if wait.is_zero() {
                queue.pages = 0;
                queue.since = None;
                queue.paused_until = None;
                let is_suspect = std::mem::take(&mut queue.is_suspect);
                let is_all = std::mem::take(&mut queue.is_all);
                return Some(Work { spaces: std::mem::take(&mut queue.spaces), is_all, is_suspect });
            }
            queue = self.wake.wait_timeout(queue, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Makes the indexer stop soon.
    pub(crate) fn close(&self) {
        self.queue().is_closed = true;
        self.wake.notify_all();
    }

    /// Returns whether the indexer has to stop.
    pub(super) fn is_closed(&self) -> bool {
        self.queue().is_closed
    }

    /// Stops the indexer and waits for it.
    pub(super) fn stop(&self) {
        self.close();
        let indexer = self.indexer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if indexer.is_some_and(|indexer| indexer.join().is_err()) {
            log::error!("the thread of the search index panicked");
        }
    }

    /// Returns the error of a search that has to wait for the indexer.
    pub(super) fn behind(&self) -> Error {
        let [done, total] =
            [&self.progress.done, &self.progress.total].map(|count| count.load(Ordering::Relaxed));
        Error::Indexing { done, total }
    }

    /// Returns the memory of overlays and of scores in bytes.
    pub(crate) fn cache_sizes(&self) -> [u64; 2] {
        [self.overlays.weight(), self.index.get().map_or(0, |index| index.score_bytes())]
    }

    pub(super) fn status(&self) -> SearchStatus {
        let (waiting_spaces, lag_seconds) = {
            let queue = self.queue();
            (queue.spaces.len(), queue.since.map_or(0, |since| since.elapsed().as_secs()))
        };
        let waiting_spaces = u64::try_from(waiting_spaces).unwrap_or(u64::MAX);
        let rebuilds = self.progress.rebuilds.load(Ordering::Relaxed);
        let commits = self.progress.commits.load(Ordering::Relaxed);
        let status =
            SearchStatus { waiting_spaces, lag_seconds, rebuilds, commits, ..SearchStatus::default() };
        let Some(index) = self.index.get() else { return status };
        let snapshot = index.snapshot();
        let spaces = u64::try_from(snapshot.spaces().count()).unwrap_or(u64::MAX);
        SearchStatus { pages: snapshot.pages(), spaces, bytes: index.bytes(), ..status }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Converts an error of the engine.
pub(super) fn failed(error: quire_search::Error) -> Error {
    Error::Internal("the search index failed", error.into())
}
