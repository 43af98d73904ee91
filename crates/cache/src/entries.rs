//! moka's cache with keys and values of any type.

use std::any::Any;
use std::hash::{Hash, Hasher};
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
    fn run_pending_tasks(&self);
    fn weighted_size(&self) -> u64;
}

/// An [`AnyCache`] that is created with its first entry: without entries, it already takes 30 kB, for queues of reads and
/// writes.
pub(crate) struct LazyCache(LazyLock<AnyCache, Box<dyn FnOnce() -> AnyCache + Send>>);

impl LazyCache {
    /// Returns the cache that `create` will create.
    pub(crate) fn new(create: impl FnOnce() -> AnyCache + Send + 'static) -> Self {
        Self(LazyLock::new(Box::new(create)))
    }

    /// Returns the cache, if it has been created.
    fn created(&self) -> Option<&AnyCache> {
        LazyLock::get(&self.0)
    }
}

impl Entries for LazyCache {
    fn get(&self, key: &dyn AnyKey) -> Option<Arc<Entry>> {
        self.created()?.get(key)
    }

    fn get_with(&self, key: Box<dyn AnyKey>, make: &dyn Fn() -> Arc<Entry>) -> Arc<Entry> {
        self.0.get_with(key, make)
    }

    fn insert(&self, key: Box<dyn AnyKey>, entry: Arc<Entry>) {
        self.0.insert(key, entry);
    }

    fn invalidate(&self, key: &dyn AnyKey) {
        if let Some(cache) = self.created() {
            cache.invalidate(key);
        }
    }

    fn run_pending_tasks(&self) {
        if let Some(cache) = self.created() {
            cache.run_pending_tasks();
        }
    }

    fn weighted_size(&self) -> u64 {
        self.created().map_or(0, AnyCache::weighted_size)
    }
}
