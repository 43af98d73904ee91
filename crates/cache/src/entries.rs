//! moka's cache with keys and values of any type.

use std::any::Any;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

/// A key of any type. Keys of different types are never equal.
pub(crate) trait AnyKey: Any + Send + Sync {
    fn equals(&self, other: &dyn AnyKey) -> bool;
    fn hash_into(&self, hasher: &mut dyn Hasher);
}

impl<K: Eq + Hash + Send + Sync + 'static> AnyKey for K {
    fn equals(&self, other: &dyn AnyKey) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<K>().is_some_and(|other| self == other)
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }
}

impl PartialEq for dyn AnyKey {
    fn eq(&self, other: &Self) -> bool {
        self.equals(other)
    }
}

impl Eq for dyn AnyKey {}

impl Hash for dyn AnyKey {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.hash_into(hasher);
    }
}

/// A value of any type, with its weight.
pub(crate) struct Entry<V: ?Sized = dyn Any + Send + Sync> {
    pub(crate) weight: u32,
    pub(crate) value: V,
}

impl Entry {
    /// Returns the value, if it has this type.
    pub(crate) fn value<V: Clone + 'static>(&self) -> Option<V> {
        self.value.downcast_ref().cloned()
    }
}

/// moka's cache with entries of any type.
pub(crate) type AnyCache = moka::sync::Cache<Box<dyn AnyKey>, Arc<Entry>>;

/// The operations of [`AnyCache`], whose code is compiled in this crate alone, since others only have a trait object.
/// Each crate that drops a cache of a known type would compile the code that drops it.
pub(crate) trait Entries: Send + Sync {
    fn get(&self, key: &dyn AnyKey) -> Option<Arc<Entry>>;
    fn get_with(&self, key: Box<dyn AnyKey>, make: &dyn Fn() -> Arc<Entry>) -> Arc<Entry>;
    fn insert(&self, key: Box<dyn AnyKey>, entry: Arc<Entry>);
    fn invalidate(&self, key: &dyn AnyKey);
    fn weighted_size(&self) -> u64;
}

/// An [`AnyCache`] that is created with its first entry: without entries, it already takes 30 kB, for queues of reads and
/// writes.
pub(crate) struct LazyCache {
    cache: LazyLock<AnyCache, Box<dyn FnOnce() -> AnyCache + Send>>,
    /// Weight of insertions from which displaced entries are freed.
    batch: u64,
    /// Weight inserted since they were freed.
    inserted: AtomicU64,
}

impl LazyCache {
    /// Returns the cache that `create` will create. It may exceed its bound by about the weight `batch`.
    pub(crate) fn new(batch: u64, create: impl FnOnce() -> AnyCache + Send + 'static) -> Self {
        Self { cache: LazyLock::new(Box::new(create)), batch, inserted: AtomicU64::new(0) }
    }

    /// Returns the cache, if it has been created.
    fn created(&self) -> Option<&AnyCache> {
        LazyLock::get(&self.cache)
    }

    /// Frees displaced entries once a batch was inserted. moka waits for 64 entries or 300 ms, whatever the entries weigh,
    /// and frees them some of these batches later. What the last ones displace would stay as long as the cache isn't used.
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
}

impl Entries for LazyCache {
    fn get(&self, key: &dyn AnyKey) -> Option<Arc<Entry>> {
        self.created()?.get(key)
    }

    fn get_with(&self, key: Box<dyn AnyKey>, make: &dyn Fn() -> Arc<Entry>) -> Arc<Entry> {
        let mut inserted = 0;
        let entry = self.cache.get_with(key, || {
            let made = make();
            inserted = made.weight;
            made
        });
        self.note_insertion(inserted);
        entry
    }

    fn insert(&self, key: Box<dyn AnyKey>, entry: Arc<Entry>) {
        let weight = entry.weight;
        self.cache.insert(key, entry);
        self.note_insertion(weight);
    }

    fn invalidate(&self, key: &dyn AnyKey) {
        if let Some(cache) = self.created() {
            cache.invalidate(key);
        }
    }

    fn weighted_size(&self) -> u64 {
        self.free_displaced();
        self.created().map_or(0, AnyCache::weighted_size)
    }
}
