//! The index of a node.

mod directory;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use quire_domain::ids::{PageId, SpaceId};
use tantivy::{IndexReader, IndexWriter, ReloadPolicy, Searcher, TantivyDocument};

use self::directory::Directory;
use crate::document::{Page, document, state_document};
use crate::language::Language;
use crate::overlay::Scope;
use crate::query::Query;
use crate::ranking::{Ranking, id, search};
use crate::schema::{FIELDS, names};
use crate::{Error, Result};

/// Location and resources of the index.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder; `None` keeps the index in memory.
    pub directory: Option<PathBuf>,
    /// Memory for pages that are being indexed, in bytes.
    pub heap_bytes: usize,
    /// Threads that index.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { directory: None, heap_bytes: 32 << 20, threads: 1 }
    }
}

/// The version of a space that the index holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// The hash of the tree.
    pub root: [u8; 32],
    /// The language that its words are stemmed in.
    pub language: Language,
}

/// The index of a node. Searches don't wait for writes.
pub struct Index {
    options: Options,
    directory: Directory,
    index: tantivy::Index,
    reader: IndexReader,
    current: RwLock<Snapshot>,
    writer: Mutex<Option<IndexWriter>>,
}

/// The content of the index at one moment.
#[derive(Clone)]
pub struct Snapshot {
    searcher: Searcher,
    held: Arc<HashMap<SpaceId, Held>>,
}

impl Index {
    /// Opens the index, or makes an empty one if it is missing, damaged or was written by another version.
    ///
    /// # Errors
    /// When the directory can't be written.
    pub fn open(options: Options) -> Result<Self> {
        let (directory, index) = Directory::open(options.directory.as_deref())?;
        let reader: IndexReader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let searcher = reader.searcher();
        let held = Arc::new(read_held(&searcher)?);
        let current = RwLock::new(Snapshot { searcher, held });
        Ok(Self { options, directory, index, reader, current, writer: Mutex::new(None) })
    }

    /// Returns what the index holds now.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Begins a change of the index; others wait until it ends. Searches see it once it is committed.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn update(&self) -> Result<Update<'_>> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if writer.is_none() {
            let threads = self.options.threads.max(1);
            *writer = Some(self.index.writer_with_num_threads(threads, self.options.heap_bytes)?);
        }
        let held = HashMap::clone(&self.snapshot().held);
        Ok(Update { index: self, writer, held, is_committed: false })
    }

    /// Gives back the memory and threads of changes, which the next one takes again.
    pub fn rest(&self) {
        drop(self.writer.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// Returns the bytes of the index.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.snapshot().searcher.space_usage().map_or(0, |usage| usage.total().get_bytes())
    }

    /// Returns true once after a rebuild was requested ([`request_rebuild`]).
    #[must_use]
    pub fn takes_rebuild(&self) -> bool {
        self.directory.takes_rebuild()
    }
}

impl Snapshot {
    /// Returns the version of a space that the index holds.
    #[must_use]
    pub fn held(&self, space: SpaceId) -> Option<Held> {
        self.held.get(&space).copied()
    }

    /// Returns the spaces that the index holds.
    pub fn spaces(&self) -> impl Iterator<Item = SpaceId> + '_ {
        self.held.keys().copied()
    }

    /// Returns the number of pages in the index.
    #[must_use]
    pub fn pages(&self) -> u64 {
        let held = u64::try_from(self.held.len()).unwrap_or(u64::MAX);
        self.searcher.num_docs().saturating_sub(held)
    }

    /// Ranks the pages of some spaces that a query finds.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn search(&self, query: &Query, scopes: &[Scope]) -> Result<Ranking> {
        search(&self.searcher, query, scopes)
    }
}

/// A change of the index. Without [`Update::commit`] it has no effect.
pub struct Update<'i> {
    index: &'i Index,
    writer: MutexGuard<'i, Option<IndexWriter>>,
    held: HashMap<SpaceId, Held>,
    is_committed: bool,
}

impl Update<'_> {
    /// Removes pages.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn remove(&mut self, space: SpaceId, pages: impl IntoIterator<Item = PageId>) -> Result<()> {
        let writer = self.writer()?;
        for page in pages {
            writer.delete_term(FIELDS.key_term(space, page));
        }
        Ok(())
    }

    /// Adds pages, which the index must not have.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn add(&mut self, space: SpaceId, language: Language, pages: &[Page<'_>]) -> Result<()> {
        let writer = self.writer()?;
        for page in pages {
            writer.add_document(document(space, page, language))?;
        }
        Ok(())
    }

    /// Removes a space with all of its pages.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn remove_space(&mut self, space: SpaceId) -> Result<()> {
        let writer = self.writer()?;
        writer.delete_term(FIELDS.space_term(space));
        writer.delete_term(FIELDS.state_term(space));
        self.held.remove(&space);
        Ok(())
    }

    /// Notes which version of a space the index holds with this change.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn hold(&mut self, space: SpaceId, held: Held) -> Result<()> {
        let writer = self.writer()?;
        writer.delete_term(FIELDS.state_term(space));
        writer.add_document(state_document(space, held.root, held.language))?;
        self.held.insert(space, held);
        Ok(())
    }

    /// Removes everything.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn clear(&mut self) -> Result<()> {
        self.writer()?.delete_all_documents()?;
        self.held.clear();
        Ok(())
    }

    /// Makes the change visible to searches.
    ///
    /// # Errors
    /// When the engine fails; the change has no effect then.
    pub fn commit(mut self) -> Result<()> {
        self.writer()?.commit()?;
        self.index.reader.reload()?;
        let held = Arc::new(std::mem::take(&mut self.held));
        let snapshot = Snapshot { searcher: self.index.reader.searcher(), held };
        *self.index.current.write().unwrap_or_else(PoisonError::into_inner) = snapshot;
        self.is_committed = true;
        Ok(())
    }

    fn writer(&mut self) -> Result<&mut IndexWriter<TantivyDocument>> {
        let stopped = || tantivy::TantivyError::SystemError("the writer was closed".to_owned());
        self.writer.as_mut().ok_or_else(|| Error::Engine(stopped()))
    }
}

impl Drop for Update<'_> {
    fn drop(&mut self) {
        if !self.is_committed {
            // A writer that is dropped forgets what it did not commit.
            drop(self.writer.take());
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

/// Reads the versions of spaces out of the index.
fn read_held(searcher: &Searcher) -> Result<HashMap<SpaceId, Held>> {
    let mut held = HashMap::new();
    for segment in searcher.segment_readers() {
        let column = |name| segment.fast_fields().column_opt::<u64>(name);
        let [space_high, space_low] = names::SPACE.map(column);
        let [a, b, c, d] = names::ROOT.map(column);
        let columns = (space_high?, space_low?, a?, b?, c?, d?, column(names::LANGUAGE)?);
        let (Some(high), Some(low), Some(a), Some(b), Some(c), Some(d), Some(languages)) = columns else {
            continue;
        };
        let (spaces, roots) = ([high, low], [a, b, c, d]);
        for doc in segment.doc_ids_alive() {
            let Some(language) = languages.first(doc).and_then(Language::from_code) else { continue };
            let parts = roots.each_ref().map(|root| root.first(doc).unwrap_or(0).to_be_bytes());
            let mut root = [0; 32];
            root.iter_mut().zip(parts.as_flattened()).for_each(|(byte, part)| *byte = *part);
            held.insert(SpaceId::from_uuid(id(&spaces, doc)), Held { root, language });
        }
    }
    Ok(held)
}
