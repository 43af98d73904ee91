//! moka's cache, created with its first entry.

use std::hash::Hash;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Value with its weight.
#[derive(Clone)]
pub(crate) struct Weighed<V> {
    pub(crate) weight: u32,
    pub(crate) value: V,
}

/// Cache of moka.
pub(crate) type Moka<K, V> = moka::sync::Cache<K, Weighed<V>>;

/// Function that creates the cache.
type Create<K, V> = Box<dyn FnOnce() -> Moka<K, V> + Send>;

/// Cache that is created with its first entry: even an empty moka cache takes 30 kB for its read and write queues.
pub(crate) struct Entries<K, V> {
    cache: LazyLock<Moka<K, V>, Create<K, V>>,
    /// Inserted weight after which displaced entries are freed.
    batch: u64,
    /// Weight inserted since displaced entries were last freed.
    inserted: AtomicU64,
}

impl<K, V> Entries<K, V>
where
    K: Eq + Hash + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    /// Returns a cache that `create` creates with the first entry. It may exceed its bound by about the weight `batch`.
    pub(crate) fn new(batch: u64, create: impl FnOnce() -> Moka<K, V> + Send + 'static) -> Self {
        Self { cache: LazyLock::new(Box::new(create)), batch, inserted: AtomicU64::new(0) }
    }

    /// Returns the cache if it has been created.
    fn created(&self) -> Option<&Moka<K, V>> {
        LazyLock::get(&self.cache)
    }

    /// Frees displaced entries after each batch. moka itself frees them after 64 insertions or 300 ms, regardless of
    /// their weight, and keeps the last ones until the cache is used again.
    fn note_insertion(&self, weight: u32) {
        let weight = u64::from(weight);
        if self.inserted.fetch_add(weight, Ordering::Relaxed).saturating_add(weight) > self.batch {
            self.free_displaced();
        }
    }

    fn free_displaced(&self) {
        if let Some(cache) = self.created() {
            self.inserted.store(0, Ordering::Relaxed);
            cache.run_pending_tasks();
        }
    }

    pub(crate) fn get(&self, key: &K) -> Option<V> {
        Some(self.created()?.get(key)?.value)
    }

    pub(crate) fn get_with(&self, key: K, make: impl FnOnce() -> Weighed<V>) -> V {
        let mut inserted = 0;
        let entry = self.cache.get_with(key, || {
            let made = make();
            inserted = made.weight;
            made
        });
        self.note_insertion(inserted);
        entry.value
    }

    pub(crate) fn insert(&self, key: K, entry: Weighed<V>) {
        let weight = entry.weight;
        self.cache.insert(key, entry);
        self.note_insertion(weight);
    }

    /// Removes an entry. moka must have counted its weight before: it would take a replacement that it has not counted
    /// yet for the counted value, and leave their difference in the total weight.
    pub(crate) fn invalidate(&self, key: &K) {
        self.free_displaced();
        if let Some(cache) = self.created() {
            cache.invalidate(key);
        }
    }

    pub(crate) fn weighted_size(&self) -> u64 {
        self.free_displaced();
        self.created().map_or(0, Moka::weighted_size)
    }
}
