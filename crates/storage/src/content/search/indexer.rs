//! Thread that updates the index of this node.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, Weak};
use std::time::{Duration, Instant};

use diesel::prelude::*;
use quire_domain::ids::{OrganizationId, PageId, SpaceId};
use quire_revision::{PageNode, Tree, TreeHash};
use quire_search::{Context, Index, IndexedVersion, Page, Snapshot, Update};
use uuid::Uuid;

use super::SearchStatus;
use super::bound::DiskBudget;
use super::node::{SearchNode, URGENT_PAGES, Work, failed};
use super::pages::{Changed, ancestors_of, engine_page};
use super::searched::SearchedSpace;
use super::space::language_of;
use crate::content::openapi_specs::ReadableSpecs;
use crate::lookup::Credentials;
use crate::schema::{organizations, revisions, spaces};
use crate::transaction::Reader;
use crate::{Error, Result, Storage};

/// Time between commits, so that changes share commits.
const DELAY: Duration = Duration::from_secs(2);
/// Time that the first change after a pause waits for others, which then share its commit.
const PROMPT: Duration = Duration::from_millis(200);
/// Idle time after which all spaces are compared with the index.
const SWEEP: Duration = Duration::from_secs(60);
/// Idle time after which memory and the threads of the engine's writer are released.
const REST: Duration = Duration::from_secs(5);
/// Maximum number of pages per commit while no search waits.
const COMMITTED: usize = 5000;
/// Maximum number of pages whose texts are in memory.
const BATCH: usize = 200;
/// Number of pages of one space after which they become searchable before the space is complete.
const PARTIAL: usize = 2000;
/// Maximum size of the documents of a batch in bytes.
const BATCH_BYTES: i64 = 4 << 20;

impl Storage {
    /// Keeps the index up to date, even for spaces that are never searched, until the storage is dropped.
    pub fn keep_search_index(&self) {
        self.search_node().keep();
        self.start_indexer(true);
    }

    /// Returns the status of this node's index.
    #[must_use]
    pub fn search_status(&self) -> SearchStatus {
        self.search_node().status()
    }

    /// Requests an update of the index for some spaces.
    pub(super) fn request_indexing(&self, spaces: impl IntoIterator<Item = SpaceId>, pages: u64) {
        self.search_node().request(spaces, pages);
        self.start_indexer(false);
    }

    /// Requests an immediate update of the index for some spaces.
    pub(super) fn request_indexing_now(&self, spaces: impl IntoIterator<Item = SpaceId>) {
        self.request_indexing(spaces, URGENT_PAGES);
    }

    /// Stops the updates of the index, and waits for the current batch of pages. Searches continue to work.
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

/// State of the thread. It does not keep the storage alive.
struct Indexer {
    node: Arc<SearchNode>,
    storage: Weak<crate::storage::Inner>,
    sweeps: bool,
}

/// Current content of a space.
struct Head {
    space: SearchedSpace,
    organization: OrganizationId,
}

impl Head {
    /// Returns the specifications that the content shows to all of its readers.
    fn specs(&self) -> ReadableSpecs {
        ReadableSpecs::shown_by(self.space.id, self.organization)
    }
}

/// Indexed tree of a space, of which pages may be missing.
struct Former {
    tree: Tree,
    /// Indexed pages, if some of the tree are missing.
    present: Option<HashSet<PageId>>,
    /// Hash of the input of the indexed computed pages.
    computed: u64,
    /// Indexed computed pages.
    computed_pages: Vec<PageId>,
}

impl Former {
    fn new(snapshot: &Snapshot, space: SpaceId, held: IndexedVersion, tree: Tree) -> Self {
        let present = (held.missing > 0).then(|| snapshot.page_ids(space));
        let mut computed_pages = Vec::new();
        if held.computed != 0 {
            let is_computed = |page: &PageId| tree.page(*page).is_none();
            computed_pages.extend(snapshot.page_ids(space).into_iter().filter(is_computed));
        }
        Self { tree, present, computed: held.computed, computed_pages }
    }
}

/// Niceness of the thread and of the engine's threads. Under contention, Linux then gives a request's thread about ten
/// times as much CPU time.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Lowers the priority of the calling thread. Except on Linux, niceness applies to the whole process, so it is
/// unchanged.
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
            let delay = DELAY.saturating_sub(attempted.elapsed()).max(PROMPT);
            let Some(mut work) = self.node.take(patience, delay) else { return };
            let Some(storage) = Storage::upgrade(&self.storage) else { return };
            if is_all_due || work.is_all {
                work.is_all = true;
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
                    log::warn!("the search index could not be updated: {cause}");
                    failures += 1;
                    is_all_due = self.sweeps;
                    self.recover(failures);
                }
            }
        }
    }

    /// Does the work. Returns whether the index was damaged. The engine may panic on damaged files.
    fn attempt(&self, storage: &Storage, work: &Work) -> std::result::Result<bool, String> {
        let attempt = || {
            let is_healed = work.is_suspect && self.node.rebuild_if_damaged()?;
            if self.sweeps || work.is_all || !work.spaces.is_empty() {
                self.catch_up(storage, &work.spaces)?;
            }
            Ok(is_healed)
        };
        match catch_unwind(AssertUnwindSafe(attempt)) {
            Ok(done) => done.map_err(|error: Error| format!("{error:?}")),
            Err(_) => Err("the engine panicked".to_owned()),
        }
    }

    /// Releases memory: large overlays, and the engine's writer with its threads. Returns `false` while the writer
    /// merges segments.
    fn rest(&self) -> bool {
        self.node.forget_large_overlays();
        self.node.index().is_ok_and(|index| index.rest())
    }

    /// Rebuilds the index if it is damaged. Otherwise the disk may be full or the database unreachable: waits, longer
    /// after each failure.
    fn recover(&self, failures: u32) {
        if let Ok(index) = self.node.index() {
            index.cancel();
        }
        match self.node.rebuild_if_damaged() {
            Ok(true) => {}
            Ok(false) => self.node.pause(DELAY.saturating_mul(1 << failures.min(5)).min(SWEEP)),
            Err(error) => {
                log::error!("the search index can't be rebuilt: {error:?}");
                self.node.pause(SWEEP);
            }
        }
    }

    /// Updates some spaces, or all if `spaces` is empty.
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
            let known: HashSet<SpaceId> = heads.iter().map(|head| head.space.id).collect();
            gone.retain(|space| !known.contains(space));
            self.update_to(reader, index, &heads, &gone, !spaces.is_empty())
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

    fn update_to(
        &self,
        reader: &mut Reader<'_>,
        index: &Index,
        heads: &[Head],
        gone: &[SpaceId],
        is_searched: bool,
    ) -> Result<()> {
        let snapshot = index.snapshot();
        let gone: Vec<SpaceId> =
            gone.iter().copied().filter(|space| snapshot.held(*space).is_some()).collect();
        let mut budget = DiskBudget::of(index, &snapshot, &self.node.uses, is_searched);
        let mut behind = Vec::new();
        for head in heads.iter().filter(|head| !budget.leaves_out(head.space.id, &snapshot)) {
            if reader.is_behind(head, snapshot.held(head.space.id))? {
                behind.push(head);
            }
        }
        if behind.is_empty() && gone.is_empty() && budget.evicted().next().is_none() {
            return Ok(());
        }
        let mut update = index.update().map_err(failed)?;
        for space in &gone {
            update.remove_space(*space).map_err(failed)?;
        }
        for space in budget.evicted() {
            update.remove_space(space).map_err(failed)?;
            log::info!("the search index is full, so space {space} is not indexed");
        }
        let mut changed = gone;
        let mut pages = 0;
        for head in behind {
            let Head { space: SearchedSpace { id, language, .. }, .. } = *head;
            if budget.leaves_out(id, &snapshot) {
                continue;
            }
            if pages >= COMMITTED {
                pages = 0;
                self.commit(update, changed.drain(..))?;
                update = index.update().map_err(failed)?;
            }
            let held = snapshot.held(id).filter(|held| held.language == language);
            let tree = reader.former_tree(id, held.map(|held| held.root))?;
            let former = held.zip(tree).map(|(held, tree)| Former::new(&snapshot, id, held, tree));
            match self.update_space(reader, &mut update, head, former, &mut budget)? {
                Some(brought) => {
                    pages += brought;
                    changed.push(id);
                }
                // Uncommitted changes are discarded.
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

    /// Updates the index of a space to its head. Returns the number of pages; `None` if the indexer has to stop.
    fn update_space(
        &self,
        reader: &mut Reader<'_>,
        update: &mut Update<'_>,
        of: &Head,
        former: Option<Former>,
        budget: &mut DiskBudget,
    ) -> Result<Option<usize>> {
        let head = &of.space;
        let after = reader.tree_of(head.id, head.root)?;
        let is_new = former.is_none();
        if is_new {
            update.remove_space(head.id).map_err(failed)?;
        }
        let Former { tree, present, computed: former_state, computed_pages } = former.unwrap_or_else(|| {
            Former { tree: Tree::empty(), present: None, computed: 0, computed_pages: Vec::new() }
        });
        let mut changed = Changed::with_names(&tree, &after);
        if let Some(present) = present {
            changed.add_missing(&after, |page| present.contains(&page));
        }
        let progress = &self.node.progress;
        let count = changed.count();
        if !budget.take(count, is_new) {
            log::info!("the search index is full, so space {} is not indexed", head.id);
            return Ok(Some(0));
        }
        progress.done.store(0, Ordering::Relaxed);
        progress.total.store(u64::try_from(count).unwrap_or(u64::MAX), Ordering::Relaxed);
        let computed = reader.computed_state(of.specs(), &after)?;
        if computed != former_state {
            update.remove(head.id, computed_pages).map_err(failed)?;
            if !self.add_computed(reader, update, of, &after, budget)? {
                return Ok(None);
            }
        }
        update.remove(head.id, changed.stale).map_err(failed)?;
        let fresh: Vec<Arc<PageNode>> = changed.fresh.into_values().collect();
        let mut left = fresh.as_slice();
        let mut added = 0;
        let pages = u64::try_from(after.page_count()).unwrap_or(u64::MAX);
        let held = |left: &[_]| IndexedVersion {
            root: *head.root.as_bytes(),
            language: head.language,
            pages,
            missing: u64::try_from(left.len()).unwrap_or(u64::MAX),
            computed,
        };
        while !left.is_empty() {
            if self.node.is_closed() {
                return Ok(None);
            }
            let documents = left.iter().take(BATCH).filter_map(|page| page.document);
            let sections = reader.next_sections(head.id, documents, BATCH_BYTES)?;
            let is_read = |page: &PageNode| page.document.is_none_or(|id| sections.contains_key(&id));
            let read = left.iter().take(BATCH).take_while(|page| is_read(page)).count();
            // A document that is missing in the database has no text.
            let (batch, rest) = left.split_at(read.max(1));
            let paths: Vec<String> =
                batch.iter().map(|page| after.path_of(page.id).unwrap_or_default()).collect();
            let batched = batch.iter().zip(&paths).map(|(page, path)| {
                let description = page.description.as_deref().unwrap_or_default();
                let context = Context { description, ancestors: ancestors_of(&after, page) };
                engine_page(page, path, context, &sections)
            });
            let batched: Vec<Page<'_>> = batched.collect();
            update.add(head.id, head.language, &batched).map_err(failed)?;
            progress.done.fetch_add(u64::try_from(batch.len()).unwrap_or(0), Ordering::Relaxed);
            left = rest;
            added += batch.len();
            if added >= PARTIAL && !left.is_empty() {
                added = 0;
                update.hold(head.id, held(left)).map_err(failed)?;
                update.checkpoint().map_err(failed)?;
                self.node.forget_outdated_overlay(head.id);
            }
        }
        update.hold(head.id, held(left)).map_err(failed)?;
        Ok(Some(count))
    }

    /// Adds the computed pages of a space. Returns `false` if the indexer has to stop.
    fn add_computed(
        &self,
        reader: &mut Reader<'_>,
        update: &mut Update<'_>,
        head: &Head,
        tree: &Tree,
        budget: &mut DiskBudget,
    ) -> Result<bool> {
        let language = head.space.language;
        reader.each_computed_page((head.space.id, head.specs()), tree, |space, page| {
            budget.take(1, false);
            update.add(space, language, &[page]).map_err(failed)?;
            Ok(!self.node.is_closed())
        })
    }
}

impl Reader<'_> {
    /// Returns whether the index lacks pages of a space, or has outdated computed pages.
    fn is_behind(&mut self, head: &Head, held: Option<IndexedVersion>) -> Result<bool> {
        let Some(held) = held.filter(|held| head.space.is_in(Some(*held))) else { return Ok(true) };
        if held.computed == 0 {
            return Ok(false);
        }
        let tree = self.tree_of(head.space.id, head.space.root)?;
        Ok(self.computed_state(head.specs(), &tree)? != held.computed)
    }

    /// Returns the heads of some spaces, or of all if `some` is empty.
    fn heads_of(&mut self, some: &HashSet<SpaceId>) -> Result<Vec<Head>> {
        let heads = || {
            let head = revisions::space_id.eq(spaces::id).and(revisions::id.eq(spaces::head_revision));
            spaces::table
                .inner_join(organizations::table.on(organizations::id.eq(spaces::organization_id)))
                .inner_join(revisions::table.on(head))
                .select((
                    spaces::id,
                    spaces::organization_id,
                    revisions::root,
                    organizations::search_language,
                ))
        };
        let rows: Vec<(Uuid, Uuid, Vec<u8>, String)> = if some.is_empty() {
            heads().filter(spaces::deleted_at.is_null()).load(self.connection)?
        } else {
            let ids: Vec<_> = some.iter().copied().collect();
            heads().filter(spaces::id.eq_any(ids)).load(self.connection)?
        };
        let head = |(id, organization, root, language): (_, _, Vec<u8>, String)| {
            let space = searched_space(id, &root, &language)?;
            Ok(Head { space, organization: OrganizationId::from_uuid(organization) })
        };
        rows.into_iter().map(head).collect()
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
