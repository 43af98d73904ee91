//! Search index of a node.

mod directory;
mod files;
mod held;
mod merges;
mod queue;
mod snapshot;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread;

use quire_domain::ids::{PageId, SpaceId};
use tantivy::indexer::NoMergePolicy;
use tantivy::{IndexReader, IndexWriter, ReloadPolicy};

use self::directory::Directory;
pub use self::held::IndexedVersion;
use self::held::read_held;
use self::merges::Merges;
use self::queue::{Queue, Queued};
pub use self::snapshot::Snapshot;
use crate::document::{document, state_document};
use crate::language::Language;
use crate::page::Page;
use crate::ranking::ScoreCache;
use crate::schema::FIELDS;
use crate::segment::{Indexed, Segments};
use crate::space_map::SpaceMap;
use crate::{Error, Result};

/// Location and resources of the index.
#[derive(Clone, Debug)]
pub struct Options {
    /// Directory; `None` keeps the index in memory.
    pub directory: Option<PathBuf>,
    /// Memory for pages that are being indexed, in bytes.
    pub heap_bytes: usize,
    /// Number of indexing threads.
    pub threads: usize,
    /// Maximum bytes of the index on disk; beyond it, no further spaces are indexed. `None` for no bound.
    pub disk_bytes: Option<u64>,
    /// Memory for cached scores of frequent words, in bytes.
    pub score_bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { directory: None, heap_bytes: 32 << 20, threads: 1, disk_bytes: None, score_bytes: 8 << 20 }
    }
}

/// Search index of a node. Searches don't wait for writes.
pub struct Index {
    options: Options,
    directory: Directory,
    current: RwLock<Snapshot>,
    /// Locked during changes of the index.
    engine: Mutex<Engine>,
}

/// Part of the index that writes.
struct Engine {
    index: tantivy::Index,
    reader: IndexReader,
    writer: Option<IndexWriter<Queued>>,
    queue: Queue,
    merges: Merges,
}

impl Index {
    /// Opens the index, or creates an empty one if it is missing, damaged or has another version.
    ///
    /// # Errors
    /// When the directory can't be written.
    pub fn open(options: Options) -> Result<Self> {
        let (directory, index) = Directory::open(options.directory.as_deref())?;
        let (engine, snapshot) = Engine::new(index, ScoreCache::new(options.score_bytes))?;
        Ok(Self { options, directory, current: RwLock::new(snapshot), engine: Mutex::new(engine) })
    }

    /// Returns the current content of the index.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Starts a change of the index; other changes wait until it ends. Searches see the change once it is committed.
    pub fn update(&self) -> Result<Update<'_>> {
        let mut engine = self.engine();
        if engine.writer.is_none() {
            let threads = self.options.threads.max(1);
            let writer = engine.index.writer_with_num_threads(threads, self.options.heap_bytes)?;
            writer.set_merge_policy(Box::new(NoMergePolicy));
            engine.writer = Some(writer);
        }
        let held = SpaceMap::clone(&self.snapshot().held);
        Ok(Update { index: self, engine, held, is_committed: false })
    }

    /// Releases the memory and threads for changes, unless segments are being merged. The next change acquires them
    /// again. Returns whether they were released.
    #[must_use]
    pub fn rest(&self) -> bool {
        let mut engine = self.engine();
        if engine.merges.are_running() {
            return false;
        }
        engine.close_writer();
        true
    }

    /// Releases the memory and threads for changes, and cancels merges.
    pub fn cancel(&self) {
        self.engine().close_writer();
    }

    /// Verifies the checksums of the files. Returns whether the index is readable and undamaged.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let index = self.engine().index.clone();
        index.validate_checksum().is_ok_and(|damaged| damaged.is_empty())
    }

    /// Replaces the index with an empty one, for a damaged index. Existing snapshots keep their content.
    ///
    /// # Errors
    /// When the engine fails even in memory.
    pub fn reset(&self) -> Result<()> {
        let mut engine = self.engine();
        engine.close_writer();
        let (made, snapshot) = Engine::new(self.directory.remake()?, self.snapshot().scores)?;
        *engine = made;
        self.show(snapshot);
        Ok(())
    }

    fn engine(&self) -> MutexGuard<'_, Engine> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&self, snapshot: Snapshot) {
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = snapshot;
    }

    /// Returns the size of the index in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.snapshot().index.searcher.space_usage().map_or(0, |usage| usage.total().get_bytes())
    }

    /// Returns the memory of the cached scores of frequent words in bytes.
    #[must_use]
    pub fn score_bytes(&self) -> u64 {
        self.snapshot().scores.bytes()
    }

    /// Returns the maximum size of the index on disk in bytes.
    #[must_use]
    pub fn disk_bytes(&self) -> Option<u64> {
        self.options.disk_bytes
    }

    /// Returns whether a rebuild was requested ([`request_rebuild`]), and clears the request.
    #[must_use]
    pub fn takes_rebuild(&self) -> bool {
        self.directory.takes_rebuild()
    }
}

impl Engine {
    fn new(index: tantivy::Index, scores: ScoreCache) -> Result<(Self, Snapshot)> {
        let reader: IndexReader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let searcher = reader.searcher();
        let held = Arc::new(read_held(&searcher)?);
        let indexed = Indexed::new(searcher, &Segments::default())?;
        let engine = Self { index, reader, writer: None, queue: Queue::default(), merges: Merges::default() };
        Ok((engine, Snapshot { index: indexed, scores, held }))
    }

    fn close_writer(&mut self) {
        self.merges = Merges::default();
        drop(self.writer.take());
    }
}

/// Change of the index. Operations after the last [`Update::checkpoint`] have no effect without [`Update::commit`].
pub struct Update<'i> {
    index: &'i Index,
    engine: MutexGuard<'i, Engine>,
    held: SpaceMap<IndexedVersion>,
    is_committed: bool,
}

impl Update<'_> {
    /// Removes pages.
    pub fn remove(&mut self, space: SpaceId, pages: impl IntoIterator<Item = PageId>) -> Result<()> {
        let writer = self.writer()?;
        for page in pages {
            writer.delete_term(FIELDS.key_term(space, page));
        }
        Ok(())
    }

    /// Adds pages. The index must not contain them.
    pub fn add(&mut self, space: SpaceId, language: Language, pages: &[Page<'_>]) -> Result<()> {
        let queue = self.engine.queue.clone();
        let writer = self.writer()?;
        for page in pages {
            // Even a thread of low priority may keep its processor for some milliseconds when other threads wake up.
            thread::yield_now();
            writer.add_document(queue.add(page.text_bytes(), document(space, page, language)))?;
        }
        Ok(())
    }

    /// Removes a space with all its pages.
    pub fn remove_space(&mut self, space: SpaceId) -> Result<()> {
        let writer = self.writer()?;
        writer.delete_term(FIELDS.space_term(space));
        writer.delete_term(FIELDS.state_term(space));
        self.held.remove(&space);
        Ok(())
    }

    /// Records the version of a space that the index holds after this change. The change must have removed all pages
    /// that differ from the version.
    pub fn hold(&mut self, space: SpaceId, held: IndexedVersion) -> Result<()> {
        let queue = self.engine.queue.clone();
        let writer = self.writer()?;
        writer.delete_term(FIELDS.state_term(space));
        writer.add_document(queue.add(0, state_document(space, held)))?;
        self.held.insert(space, held);
        Ok(())
    }

    /// Removes all spaces.
    pub fn clear(&mut self) -> Result<()> {
        self.writer()?.delete_all_documents()?;
        self.held.clear();
        Ok(())
    }

    /// Makes the change visible to searches.
    ///
    /// # Errors
    /// If the engine fails. The change may then have no effect.
    pub fn commit(mut self) -> Result<()> {
        self.checkpoint()?;
        self.is_committed = true;
        Ok(())
    }

    /// Makes the changes so far visible to searches, and continues.
    ///
    /// # Errors
    /// If the engine fails. The change may then have no effect.
    pub fn checkpoint(&mut self) -> Result<()> {
        self.writer()?.commit()?;
        self.engine.reader.reload()?;
        let held = Arc::new(self.held.clone());
        let before = self.index.snapshot();
        let index = Indexed::new(self.engine.reader.searcher(), &before.index.segments)?;
        self.index.show(Snapshot { index, scores: before.scores, held });
        let Engine { writer, merges, .. } = &mut *self.engine;
        writer.as_mut().map_or(Ok(()), |writer| merges.start(writer))
    }

    fn writer(&mut self) -> Result<&mut IndexWriter<Queued>> {
        let stopped = || tantivy::TantivyError::SystemError("the writer was closed".to_owned());
        self.engine.writer.as_mut().ok_or_else(|| Error::Engine(stopped()))
    }
}

impl Drop for Update<'_> {
    fn drop(&mut self) {
        if !self.is_committed {
            // Dropping a writer discards its uncommitted changes.
            self.engine.close_writer();
        }
    }
}

/// Asks the process that owns the index in `directory` to rebuild it.
///
/// # Errors
/// When the directory can't be written.
pub fn request_rebuild(directory: &std::path::Path) -> Result<()> {
    directory::request_rebuild(directory)
}
