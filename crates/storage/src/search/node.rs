//! The index of this node and the spaces that it must catch up with.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use moka::sync::Cache;
use quire_domain::ids::{DocumentId, SpaceId};
use quire_search::{Index, Language, Options, Overlay};

use super::texts::SearchedText;
use crate::content::{Largest, WeighedCache};
use crate::{Error, Result};

/// Overlays that are kept for the searches to come.
const OVERLAYS: u64 = 256;
/// Time that an overlay is kept without a search.
const OVERLAY_IDLE: Duration = Duration::from_secs(60);
/// Pages in which spaces differ from the index before it is brought up to date at once.
const URGENT_PAGES: u64 = 200;

/// Names an overlay: the space, the tree that it brings the index to, and the tree that the index holds.
pub(super) type OverlayKey = (SpaceId, [u8; 32], Option<[u8; 32]>, Language);

/// The index of this node, opened when it is first needed.
pub(crate) struct SearchNode {
    options: Options,
    index: OnceLock<Arc<Index>>,
    /// Held while the index is opened, so that it is opened once.
    opening: Mutex<()>,
    pub(super) overlays: Cache<OverlayKey, Arc<Overlay>>,
    /// Texts of documents by the languages of searches.
    pub(super) texts: WeighedCache<(DocumentId, Language), Arc<SearchedText>>,
    queue: Mutex<Queue>,
    wake: Condvar,
    pub(super) has_indexer: AtomicBool,
    pub(super) progress: Progress,
}

/// Spaces whose index is behind.
#[derive(Default)]
struct Queue {
    spaces: HashSet<SpaceId>,
    /// The pages that differ, roughly.
    pages: u64,
    since: Option<Instant>,
    is_closed: bool,
}

/// Progress of the indexer.
#[derive(Default)]
pub(super) struct Progress {
    pub(super) done: AtomicU64,
    pub(super) total: AtomicU64,
    pub(super) rebuilds: AtomicU64,
    pub(super) commits: AtomicU64,
}

/// The state of the index of this node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchStatus {
    /// Pages in the index.
    pub pages: u64,
    /// Spaces in the index.
    pub spaces: u64,
    /// Bytes of the index.
    pub bytes: u64,
    /// Spaces whose index is known to be behind.
    pub waiting_spaces: u64,
    /// Seconds for which the first of them has been waiting.
    pub lag_seconds: u64,
    /// Rebuilds since the process started.
    pub rebuilds: u64,
    /// Commits since the process started.
    pub commits: u64,
}

impl SearchNode {
    /// An index in the given place, with this memory for the texts that answers show.
    pub(crate) fn new(options: Options, text_bytes: u64) -> Self {
        Self {
            options,
            index: OnceLock::new(),
            opening: Mutex::new(()),
            overlays: Cache::builder().max_capacity(OVERLAYS).time_to_idle(OVERLAY_IDLE).build(),
            texts: WeighedCache::new((text_bytes, Largest::Eighth), |text| text.bytes()),
            queue: Mutex::default(),
            wake: Condvar::new(),
            has_indexer: AtomicBool::new(false),
            progress: Progress::default(),
        }
    }

    /// Returns the index. One in memory replaces a directory that can't be used.
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

    /// Asks the indexer to bring spaces up to date, which differ by about so many pages.
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

    /// Waits up to `patience` for work, and then until it is urgent or `delay` old. Returns the spaces; none at the end of
    /// `patience`, `None` once the storage closes.
    pub(super) fn take(&self, patience: Duration, delay: Duration) -> Option<HashSet<SpaceId>> {
        let idle = Instant::now();
        let mut queue = self.queue();
        loop {
            let wait = match queue.since {
                _ if queue.is_closed => return None,
                Some(_) if queue.pages >= URGENT_PAGES => Duration::ZERO,
                Some(since) => delay.saturating_sub(since.elapsed()),
                None => patience.saturating_sub(idle.elapsed()),
            };
            if wait.is_zero() {
                queue.pages = 0;
                queue.since = None;
                return Some(std::mem::take(&mut queue.spaces));
            }
            queue = self.wake.wait_timeout(queue, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Ends the indexer.
    pub(crate) fn close(&self) {
        self.queue().is_closed = true;
        self.wake.notify_all();
    }

    /// Returns the error of a search that has to wait for the indexer.
    pub(super) fn behind(&self) -> Error {
        let [done, total] =
            [&self.progress.done, &self.progress.total].map(|count| count.load(Ordering::Relaxed));
        Error::Indexing { done, total }
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
