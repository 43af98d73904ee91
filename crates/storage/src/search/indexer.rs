//! The thread that brings the index of this node up to date.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, Weak};
use std::time::{Duration, Instant};

use diesel::prelude::*;
use quire_domain::ids::SpaceId;
use quire_revision::{PageNode, Tree, TreeHash};
use quire_search::{Index, Page, Update};
use uuid::Uuid;

use super::SearchStatus;
use super::bound::Room;
use super::node::{SearchNode, URGENT_PAGES, Work, failed};
use super::pages::{Changed, SearchedSpace, engine_page};
use super::space::language_of;
use crate::lookup::Credentials;
use crate::schema::{organizations, revisions, spaces};
use crate::transaction::Reader;
use crate::{Error, Result, Storage};

/// Time that changes wait for others, so that they share a commit.
const DELAY: Duration = Duration::from_secs(2);
/// Time without work after which all spaces are compared with the index.
const SWEEP: Duration = Duration::from_secs(60);
/// Time without work after which memory and the threads of the engine's writer are given back.
const REST: Duration = Duration::from_secs(5);
/// Pages after which spaces are committed that others need not wait for.
const COMMITTED: usize = 5000;
/// Pages whose texts are in memory at once.
const BATCH: usize = 200;
/// Bytes of their documents.
const BATCH_BYTES: i64 = 4 << 20;

impl Storage {
    /// Keeps the index up to date, also of spaces that no one searches, until the storage is dropped.
    pub fn keep_search_index(&self) {
        self.search_node().keep();
        self.start_indexer(true);
    }

    /// Returns what the index of this node holds.
    #[must_use]
    pub fn search_status(&self) -> SearchStatus {
        self.search_node().status()
    }

    /// Asks for the index of some spaces to be brought up to date.
    pub(super) fn request_indexing(&self, spaces: impl IntoIterator<Item = SpaceId>, pages: u64) {
        self.search_node().request(spaces, pages);
        self.start_indexer(false);
    }

    /// Asks for the index of some spaces to be brought up to date without delay.
    pub(super) fn request_indexing_now(&self, spaces: impl IntoIterator<Item = SpaceId>) {
        self.request_indexing(spaces, URGENT_PAGES);
    }

    /// Stops keeping the index up to date and waits until nothing works on it, at most for one batch of pages. Searches
    /// still answer.
    pub fn stop_search_index(&self) {
        self.search_node().stop();
    }

    fn start_indexer(&self, sweeps: bool) {
        let node = self.search_node();
        let mut running = node.indexer.lock().unwrap_or_else(PoisonError::into_inner);
        if running.is_some() || node.is_closed() {
            return;
        }
        let indexer = Indexer { node: Arc::clone(node), storage: self.downgrade(), sweeps };
        match std::thread::Builder::new().name("search-index".to_owned()).spawn(move || indexer.run()) {
            Ok(started) => *running = Some(started),
            Err(error) => log::error!("the search index can't be kept up to date: {error}"),
        }
    }
}

/// The thread. It doesn't keep the storage alive.
struct Indexer {
    node: Arc<SearchNode>,
    storage: Weak<crate::storage::Inner>,
    sweeps: bool,
}

/// Niceness added for the thread and those of the engine that it starts. Linux then gives a request's thread about ten
/// times as much processor time under contention.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Lowers the priority of the calling thread. Elsewhere than on Linux niceness belongs to the process.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICENESS) {
        log::debug!("the priority of the search index can't be lowered: {error}");
    }
}

impl Indexer {
    fn run(self) {
        lower_priority();
        let mut is_all_due = self.sweeps;
        let mut attempted = Instant::now();
        let mut is_resting = true;
        let mut failures = 0;
        loop {
            let until_sweep =
                if is_all_due { Duration::ZERO } else { SWEEP.saturating_sub(attempted.elapsed()) };
            let patience = if is_resting { until_sweep } else { until_sweep.min(REST) };
            let Some(mut work) = self.node.take(patience, DELAY) else { return };
            let Some(storage) = Storage::upgrade(&self.storage) else { return };
            if is_all_due {
                work.spaces.clear();
            } else if work.is_empty() && attempted.elapsed() < SWEEP {
                is_resting = self.rest();
                continue;
            }
            attempted = Instant::now();
            match self.attempt(&storage, &work) {
                Ok(is_healed) => {
                    is_all_due = is_healed && self.sweeps;
                    is_resting = false;
                    failures = 0;
                }
                Err(cause) => {
                    log::warn!("the search index was not brought up to date: {cause}");
                    failures += 1;
                    is_all_due = self.sweeps;
                    self.recover(failures);
                }
            }
        }
    }

    /// Does the work and returns whether the index was damaged. The engine may panic at damaged files.
    fn attempt(&self, storage: &Storage, work: &Work) -> std::result::Result<bool, String> {
        let attempt = || {
            let is_healed = work.is_suspect && self.node.heal()?;
            if self.sweeps || !work.spaces.is_empty() {
                self.catch_up(storage, &work.spaces)?;
            }
            Ok(is_healed)
        };
        match catch_unwind(AssertUnwindSafe(attempt)) {
            Ok(done) => done.map_err(|error: Error| format!("{error:?}")),
            Err(_) => Err("the engine panicked".to_owned()),
        }
    }

    /// Gives back memory: that of large overlays, and that of the engine's writer with its threads. Returns false while it
    /// merges segments.
    fn rest(&self) -> bool {
        self.node.forget_large_overlays();
        self.node.index().is_ok_and(|index| index.rest())
    }

    /// Makes the index again if it is damaged. If not, the disk may be full or the database away: waits, longer after each
    /// failure.
    fn recover(&self, failures: u32) {
        if let Ok(index) = self.node.index() {
            index.cancel();
        }
        match self.node.heal() {
            Ok(true) => {}
            Ok(false) => self.node.pause(DELAY.saturating_mul(1 << failures.min(5)).min(SWEEP)),
            Err(error) => {
                log::error!("the search index can't be made again: {error:?}");
                self.node.pause(SWEEP);
            }
        }
    }

    /// Brings some spaces up to date; all if there are none.
    fn catch_up(&self, storage: &Storage, spaces: &HashSet<SpaceId>) -> Result<()> {
        let index = self.node.index()?;
        let all = HashSet::new();
        let spaces = if index.takes_rebuild() {
            self.clear(index)?;
            &all
        } else {
            spaces
        };
        storage.read(&Credentials::ANONYMOUS, |reader| {
            let heads = reader.heads_of(spaces)?;
            let mut gone: Vec<SpaceId> = spaces.iter().copied().collect();
            if spaces.is_empty() {
                gone = index.snapshot().spaces().collect();
            }
            let known: HashSet<SpaceId> = heads.iter().map(|head| head.id).collect();
            gone.retain(|space| !known.contains(space));
            self.bring_to(reader, index, &heads, &gone, !spaces.is_empty())
        })
    }

    fn clear(&self, index: &Index) -> Result<()> {
        let mut update = index.update().map_err(failed)?;
        update.clear().map_err(failed)?;
        update.commit().map_err(failed)?;
        self.node.progress.rebuilds.fetch_add(1, Ordering::Relaxed);
        log::info!("the search index is rebuilt");
        Ok(())
    }

    fn bring_to(
        &self,
        reader: &mut Reader<'_>,
        index: &Index,
        heads: &[SearchedSpace],
        gone: &[SpaceId],
        is_searched: bool,
    ) -> Result<()> {
        let snapshot = index.snapshot();
        let gone: Vec<SpaceId> =
            gone.iter().copied().filter(|space| snapshot.held(*space).is_some()).collect();
        let mut room = Room::of(index, &snapshot, &self.node.uses, is_searched);
        let mut behind: Vec<&SearchedSpace> =
            heads.iter().filter(|head| snapshot.held(head.id) != Some(head.held())).collect();
        behind.retain(|head| !room.leaves_out(head.id, &snapshot));
        if behind.is_empty() && gone.is_empty() && room.evicted().next().is_none() {
            return Ok(());
        }
        let mut update = index.update().map_err(failed)?;
        for space in &gone {
            update.remove_space(*space).map_err(failed)?;
        }
        for space in room.evicted() {
            update.remove_space(space).map_err(failed)?;
            log::info!("the search index has no room for space {space}");
        }
        let mut changed = gone;
        let mut pages = 0;
        for head in behind {
            if room.leaves_out(head.id, &snapshot) {
                continue;
            }
            if pages >= COMMITTED {
                pages = 0;
                self.commit(update, changed.drain(..))?;
                update = index.update().map_err(failed)?;
            }
            let held = snapshot.held(head.id).filter(|held| held.language == head.language);
            let held = reader.former_tree(head.id, held.map(|held| held.root))?;
            match self.bring_space(reader, &mut update, head, held, &mut room)? {
                Some(brought) => {
                    pages += brought;
                    changed.push(head.id);
                }
                // Changes without a commit are forgotten.
                None => return Ok(()),
            }
        }
        self.commit(update, changed.drain(..))
    }

    /// Commits an update that changes some spaces.
    fn commit(&self, update: Update<'_>, changed: impl Iterator<Item = SpaceId>) -> Result<()> {
        update.commit().map_err(failed)?;
        changed.for_each(|space| self.node.forget_outdated_overlay(space));
        self.node.progress.commits.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Brings a space from the tree that the index holds to its head. Returns the number of pages; `None` if the indexer has
    /// to end.
    fn bring_space(
        &self,
        reader: &mut Reader<'_>,
        update: &mut Update<'_>,
        head: &SearchedSpace,
        held: Option<Tree>,
        room: &mut Room,
    ) -> Result<Option<usize>> {
        let after = reader.tree_of(head.id, head.root)?;
        if held.is_none() {
            update.remove_space(head.id).map_err(failed)?;
        }
        let is_new = held.is_none();
        let changed = Changed::with_paths(&held.unwrap_or_else(Tree::empty), &after);
        let progress = &self.node.progress;
        let count = changed.count();
        if !room.take(count, is_new) {
            log::info!("the search index has no room for space {}", head.id);
            return Ok(Some(0));
        }
        progress.done.store(0, Ordering::Relaxed);
        progress.total.store(u64::try_from(count).unwrap_or(u64::MAX), Ordering::Relaxed);
        update.remove(head.id, changed.stale).map_err(failed)?;
        let fresh: Vec<Arc<PageNode>> = changed.fresh.into_values().collect();
        let mut left = fresh.as_slice();
        while !left.is_empty() {
            if self.node.is_closed() {
                return Ok(None);
            }
            let documents = left.iter().take(BATCH).filter_map(|page| page.document);
            let sections = reader.next_sections(head.id, documents, BATCH_BYTES)?;
            let is_read = |page: &PageNode| page.document.is_none_or(|id| sections.contains_key(&id));
            let read = left.iter().take(BATCH).take_while(|page| is_read(page)).count();
            // A document that the database lacks has no text.
            let (batch, rest) = left.split_at(read.max(1));
            let paths: Vec<String> =
                batch.iter().map(|page| after.path_of(page.id).unwrap_or_default()).collect();
            let pages = batch.iter().zip(&paths).map(|(page, path)| engine_page(page, path, &sections));
            let pages: Vec<Page<'_>> = pages.collect();
            update.add(head.id, head.language, &pages).map_err(failed)?;
            progress.done.fetch_add(u64::try_from(batch.len()).unwrap_or(0), Ordering::Relaxed);
            left = rest;
        }
        update.hold(head.id, head.held()).map_err(failed)?;
        Ok(Some(count))
    }
}

impl Reader<'_> {
    /// Returns the heads of some spaces, or of all if there are none.
    fn heads_of(&mut self, some: &HashSet<SpaceId>) -> Result<Vec<SearchedSpace>> {
        let heads = || {
            let head = revisions::space_id.eq(spaces::id).and(revisions::id.eq(spaces::head_revision));
            spaces::table
                .inner_join(organizations::table.on(organizations::id.eq(spaces::organization_id)))
                .inner_join(revisions::table.on(head))
                .select((spaces::id, revisions::root, organizations::search_language))
        };
        let rows: Vec<(Uuid, Vec<u8>, String)> = if some.is_empty() {
            heads().filter(spaces::deleted_at.is_null()).load(self.connection)?
        } else {
            let ids: Vec<Uuid> = some.iter().map(|space| *space.as_uuid()).collect();
            heads().filter(spaces::id.eq_any(ids)).load(self.connection)?
        };
        rows.into_iter().map(|(id, root, language)| searched_space(id, &root, &language)).collect()
    }
}

fn searched_space(id: Uuid, root: &[u8], language: &str) -> Result<SearchedSpace> {
    let root = root.try_into();
    let root = root.map_err(|error| Error::corrupt("a hash is cut", anyhow::Error::from(error)))?;
    Ok(SearchedSpace {
        id: SpaceId::from_uuid(id),
        root: TreeHash::from_bytes(root),
        language: language_of(language),
    })
}
