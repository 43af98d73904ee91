#![doc = include_str!("../README.md")]

mod builder;
mod entries;

use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

pub use builder::CacheBuilder;
use entries::{Entries, Weighed};
pub use moka::policy::EvictionPolicy;

/// Function that returns the weight of an entry.
type Weigher<K, V> = dyn Fn(&K, &V) -> u32 + Send + Sync;

/// In-memory cache. Clones share their entries.
///
/// A lookup clones the value, so large values belong in an [`Arc`].
pub struct Cache<K, V> {
    entries: Arc<Entries<K, V>>,
    weigher: Arc<Weigher<K, V>>,
}

impl<K, V> Cache<K, V>
where
    K: Eq + Hash + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    /// Creates a cache of at most `entries` entries.
    #[must_use]
    pub fn new(entries: u64) -> Self {
        Self::builder().max_capacity(entries).build()
    }

    /// Returns a builder for a cache with other bounds.
    pub fn builder() -> CacheBuilder<K, V> {
        CacheBuilder::default()
    }

    /// Returns the value of a key.
    #[must_use]
    pub fn get(&self, key: &K) -> Option<V> {
        self.entries.get(key)
    }

    /// Returns the value of a key, computing and inserting it if it is absent. Concurrent calls with the same key
    /// compute it once.
    pub fn get_with(&self, key: K, make: impl FnOnce() -> V) -> V
    where
        K: Clone,
    {
        self.entries.get_with(key.clone(), || self.weighed(&key, make()))
    }

    /// Inserts a value, replacing the previous value of the key.
    pub fn insert(&self, key: K, value: V) {
        let entry = self.weighed(&key, value);
        self.entries.insert(key, entry);
    }

    /// Removes the value of a key.
    pub fn invalidate(&self, key: &K) {
        self.entries.invalidate(key);
    }

    /// Frees displaced, removed and expired entries, and returns the total weight of the entries. Without this call,
    /// the cache frees them once a sixteenth of its capacity was inserted.
    #[must_use]
    pub fn weighted_size(&self) -> u64 {
        self.entries.weighted_size()
    }

    fn weighed(&self, key: &K, value: V) -> Weighed<V> {
        Weighed { weight: (self.weigher)(key, &value), value }
    }
}

impl<K, V> Clone for Cache<K, V> {
    fn clone(&self) -> Self {
        Self { entries: Arc::clone(&self.entries), weigher: Arc::clone(&self.weigher) }
    }
}

impl<K, V> fmt::Debug for Cache<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cache").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_value_is_found_by_an_equal_key_until_it_is_removed() {
        let cache = Cache::new(10);
        cache.insert("one".to_owned(), 1);
        cache.insert("two".to_owned(), 2);
        cache.insert("two".to_owned(), 3);
        let values = || ["one", "two", "three"].map(|key| cache.get(&key.to_owned()));
        assert_eq!(values(), [Some(1), Some(3), None]);
        cache.clone().invalidate(&"one".to_owned());
        assert_eq!(values(), [None, Some(3), None]);
    }

    #[test]
    fn a_cache_without_entries_has_no_value_and_no_weight() {
        let cache = Cache::<u8, u8>::new(10);
        assert_eq!(cache.get(&1), None);
        cache.invalidate(&1);
        assert_eq!(cache.weighted_size(), 0);
    }

    #[test]
    fn a_value_is_made_once() {
        let (cache, made) = (Cache::new(10), AtomicU32::new(0));
        let get = |key: u8| cache.get_with(key, || (key, made.fetch_add(1, Ordering::Relaxed)));
        assert_eq!([get(7), get(7), get(8), get(7)], [(7, 0), (7, 0), (8, 1), (7, 0)]);
    }

    #[test]
    fn entries_have_the_weight_that_the_weigher_returns() {
        let weigher = |key: &u32, value: &&str| key + u32::try_from(value.len()).unwrap();
        let cache = Cache::builder().max_capacity(1_000).weigher(weigher).build();
        cache.insert(100, "text");
        cache.get_with(200, || "longer");
        assert_eq!(cache.weighted_size(), 100 + 4 + 200 + 6);
    }

    #[test]
    fn a_removed_entry_leaves_no_weight() {
        for weights in [[60, 100], [100, 60]] {
            let cache = Cache::builder().max_capacity(1_000).weigher(|_: &u8, weight: &u32| *weight).build();
            cache.insert(1, 10);
            for weight in weights {
                cache.insert(2, weight);
                assert_eq!(cache.weighted_size(), 10 + u64::from(weight));
            }
            cache.insert(2, 30);
            cache.invalidate(&2);
            assert_eq!(cache.weighted_size(), 10);
        }
    }

    #[test]
    fn entries_expire_by_age_and_by_idle_time() {
        let kept = |builder: CacheBuilder<u8, u8>| {
            let cache = builder.max_capacity(10).build();
            cache.insert(1, 1);
            cache.get(&1).is_some()
        };
        let (none, hour) = (Duration::ZERO, Duration::from_secs(3_600));
        assert!(kept(Cache::builder().time_to_live(hour).time_to_idle(hour)));
        assert!(!kept(Cache::builder().time_to_live(none)));
        assert!(!kept(Cache::builder().time_to_idle(none)));
    }

    #[test]
    fn entries_that_exceed_the_capacity_are_displaced() {
        let cache = Cache::builder()
            .max_capacity(100)
            .eviction_policy(EvictionPolicy::lru())
            .weigher(|_: &u32, weight: &u32| *weight)
            .build();
        for key in 0..10 {
            cache.insert(key, 30);
            let _ = cache.weighted_size();
        }
        let kept: Vec<u32> = (0..10).filter(|key| cache.get(key).is_some()).collect();
        assert_eq!(kept, [7, 8, 9]);
    }
}
