//! Cache of repository texts on this node, so that a run fetches only texts that changed since the last one.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use quire_cache::Cache;
use quire_domain::ids::SpaceId;
use quire_git::ObjectId;
use quire_importer::spool::Content;

/// Maximum number of bytes of the texts of all spaces. They are on disk.
const MAX_BYTES: u64 = 256 << 20;

/// Minimum weight of an entry. Each entry has an open file.
const MIN_BYTES: usize = 1 << 20;

/// Time after which the texts of an idle space are removed.
const IDLE: Duration = Duration::from_secs(24 * 3_600);

/// Texts of a repository.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    /// Texts by object id.
    pub(super) by_id: HashMap<ObjectId, Content>,
    /// Commit that was read last.
    pub(super) commit: Option<ObjectId>,
    /// Object ids of all its files by path below the folder.
    pub(super) files: HashMap<String, ObjectId>,
    /// True if each page depends on its own text only.
    pub(super) reads_pages_alone: bool,
    /// Number of texts added since all texts were read.
    pub(super) recent: usize,
}

/// Cache of texts by space. Spaces do not share texts, because knowing the id of a text gives no right to read it.
#[derive(Clone, Debug)]
pub(super) struct TextCache(Cache<SpaceId, Arc<Texts>>);

impl Default for TextCache {
    fn default() -> Self {
        let weight = |_: &SpaceId, texts: &Arc<Texts>| {
            let bytes: usize = texts.by_id.values().map(Content::len).sum();
            u32::try_from(bytes.max(MIN_BYTES)).unwrap_or(u32::MAX)
        };
        Self(Cache::builder().max_capacity(MAX_BYTES).weigher(weight).time_to_idle(IDLE).build())
    }
}

impl TextCache {
    /// Returns the cached texts of a space.
    pub(super) fn get(&self, space: SpaceId) -> Arc<Texts> {
        self.0.get(&space).unwrap_or_default()
    }

    /// Replaces the cached texts of a space.
    pub(super) fn keep(&self, space: SpaceId, texts: Texts) {
        self.0.insert(space, Arc::new(texts));
    }
}
