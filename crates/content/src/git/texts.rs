//! Texts of repositories that this node has read, so that a run fetches only those that changed since the last one.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use quire_cache::Cache;
use quire_domain::ids::SpaceId;
use quire_git::ObjectId;
use quire_importer::spool::Content;

/// Bytes of the texts of all spaces. They are on disk.
const MAX_BYTES: u64 = 256 << 20;

/// Weight of an entry without texts. Each has an open file.
const MIN_BYTES: usize = 1 << 20;

/// Time after which the texts of a space that is not synchronized are removed.
const IDLE: Duration = Duration::from_secs(24 * 3_600);

/// Texts of a repository.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    /// Texts by their object ids.
    pub(super) by_id: HashMap<ObjectId, Content>,
    /// The commit that was read last.
    pub(super) commit: Option<ObjectId>,
    /// All of its files, by their paths below the folder.
    pub(super) files: HashMap<String, ObjectId>,
    /// True if its pages are read by themselves, whatever the texts of others are.
    pub(super) reads_pages_alone: bool,
    /// Number of texts that were added since all of them were read.
    pub(super) recent: usize,
}

/// Texts by the space that they were read for. A space never sees those of another one, since the id of a text gives
/// no right to read it.
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
    /// Returns the texts that were read last for a space.
    pub(super) fn get(&self, space: SpaceId) -> Arc<Texts> {
        self.0.get(&space).unwrap_or_default()
    }

    /// Keeps the texts of a space in place of those before.
    pub(super) fn keep(&self, space: SpaceId, texts: Texts) {
        self.0.insert(space, Arc::new(texts));
    }
}
