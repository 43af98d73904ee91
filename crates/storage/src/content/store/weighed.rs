//! Cache bounded by the memory of its values.

use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use quire_cache::{Cache, EvictionPolicy};

/// Approximate overhead of an entry in bytes, besides the value.
const ENTRY: u32 = 256;

/// Number of heavy values that are kept regardless of their weight.
const KEPT: usize = 3;

/// Policy that decides which values a cache keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    /// The most frequently used values, each of at most an eighth of the bytes, so that one value does not displace
    /// many others. A full cache may refuse a new value.
    Popular,
    /// The most recently used values, regardless of their size. Values above an eighth of the bytes share one half of
    /// the cache, where the three most recently used are always kept.
    ///
    /// Suits values that newer ones replace: each edit makes another tree, and the next request needs that tree,
    /// however often the previous one was read.
    Recent,
}

/// Cache of immutable values, bounded in bytes.
pub(crate) struct WeighedCache<K, V> {
    cache: Cache<K, V>,
    weight: fn(&V) -> usize,
    /// Maximum weight of a value in the main cache.
    heaviest: u64,
    /// Heavier values, most recently used last.
    heavy: Mutex<Vec<(K, V)>>,
    /// Maximum total weight of the heavy values; 0 if none are kept.
    heavy_bytes: u64,
}

impl<K: Eq + Hash + Send + Sync + 'static, V: Clone + Send + Sync + 'static> WeighedCache<K, V> {
    /// Creates a cache for values of this total size in bytes.
    pub(crate) fn new((bytes, admission): (u64, Admission), weight: fn(&V) -> usize) -> Self {
        let (heavy_bytes, policy) = match admission {
            Admission::Popular => (0, EvictionPolicy::tiny_lfu()),
            Admission::Recent => (bytes.div_euclid(2), EvictionPolicy::lru()),
        };
        let weigher = move |_: &K, value: &V| entry_weight(weight(value));
        let cache = Cache::builder()
            .max_capacity(bytes.saturating_sub(heavy_bytes))
            .eviction_policy(policy)
            .weigher(weigher)
            .build();
        Self { cache, weight, heaviest: bytes.div_euclid(8), heavy: Mutex::default(), heavy_bytes }
    }

    /// Returns the total weight of all values.
    pub(crate) fn weight(&self) -> u64 {
        let heavy = self.heavy.lock().unwrap_or_else(PoisonError::into_inner);
        heavy
            .iter()
            .map(|(_, value)| self.weight_of(value))
            .sum::<u64>()
            .saturating_add(self.cache.weighted_size())
    }

    pub(crate) fn get(&self, key: &K) -> Option<V> {
        self.cache.get(key).or_else(|| self.heavy(key))
    }

    fn heavy(&self, key: &K) -> Option<V> {
        if self.heavy_bytes == 0 {
            return None;
        }
        let mut heavy = self.heavy.lock().unwrap_or_else(PoisonError::into_inner);
        let found = heavy.iter().position(|(other, _)| other == key)?;
        let used = heavy.remove(found);
        let value = used.1.clone();
        heavy.push(used);
        Some(value)
    }

    /// Inserts a value, unless it is too large for the cache. A value whose weight has changed must be inserted again.
    pub(crate) fn insert(&self, key: K, value: V) {
        let weight = self.weight_of(&value);
        if weight > self.heaviest {
            self.cache.invalidate(&key);
            return self.insert_heavy(key, value);
        }
        if self.heavy_bytes > 0 {
            self.free_heavy(|other| *other == key);
        }
        self.cache.insert(key, value);
    }

    /// Inserts a heavy value, if the cache keeps any.
    fn insert_heavy(&self, key: K, value: V) {
        if self.heavy_bytes == 0 {
            return;
        }
        let mut heavy = self.heavy.lock().unwrap_or_else(PoisonError::into_inner);
        heavy.retain(|(other, _)| *other != key);
        heavy.push((key, value));
        let mut left = self.heavy_bytes;
        let fitting = heavy.iter().rev().take_while(|(_, value)| {
            let weight = self.weight_of(value);
            let fits = weight <= left;
            left = left.saturating_sub(weight);
            fits
        });
        let kept = fitting.count().max(KEPT);
        let surplus = heavy.len().saturating_sub(kept);
        // Dropped after the lock is released.
        let freed: Vec<(K, V)> = heavy.drain(..surplus).collect();
        drop(heavy);
        drop(freed);
    }

    /// Removes the value of a key.
    pub(crate) fn remove(&self, key: &K) {
        self.cache.invalidate(key);
        self.free_heavy(|other| other == key);
    }

    /// Removes the values that take more than an eighth of the bytes.
    pub(crate) fn remove_heavy(&self) {
        self.free_heavy(|_| true);
    }

    fn free_heavy(&self, is_removed: impl Fn(&K) -> bool) {
        let mut heavy = self.heavy.lock().unwrap_or_else(PoisonError::into_inner);
        // Dropped after the lock is released.
        let freed: Vec<(K, V)> = heavy.extract_if(.., |(key, _)| is_removed(key)).collect();
        drop(heavy);
        drop(freed);
    }

    fn weight_of(&self, value: &V) -> u64 {
        u64::from(entry_weight((self.weight)(value)))
    }

    /// Returns the value of a key, computing and inserting it if it is absent.
    pub(crate) fn get_or_make(&self, key: K, make: impl FnOnce() -> V) -> V {
        self.get(&key).unwrap_or_else(|| {
            let value = make();
            self.insert(key, value.clone());
            value
        })
    }
}

fn entry_weight(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX).saturating_add(ENTRY)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn cache(bytes: u64, admission: Admission) -> WeighedCache<u32, Arc<[u8]>> {
        WeighedCache::new((bytes, admission), |value| value.len())
    }

    fn value(bytes: usize) -> Arc<[u8]> {
        vec![0; bytes].into()
    }

    #[test]
    fn a_value_that_is_too_large_is_not_kept() {
        let cache = cache(8 << 20, Admission::Popular);
        cache.insert(1, value((1 << 20) - 256));
        cache.insert(2, value(1 << 20));
        assert_eq!((cache.get(&1).is_some(), cache.get(&2).is_some()), (true, false));
        assert_eq!(cache.get_or_make(2, || value(2 << 20)).len(), 2 << 20);
    }

    #[test]
    fn heavy_values_share_a_half_and_the_last_three_are_kept_whatever_they_weigh() {
        let cache = cache(8 << 20, Admission::Recent);
        cache.insert(0, value(1_000));
        // Three of them fit into one half of the cache.
        for key in 1..=4 {
            cache.insert(key, value(5 << 18));
        }
        let kept = |keys: [u32; 3]| keys.map(|key| cache.get(&key).is_some());
        assert_eq!((kept([1, 3, 4]), cache.get(&2).is_some()), ([false, true, true], true));
        // The third value is the least recently used.
        for key in 5..=6 {
            cache.insert(key, value(20 << 20));
        }
        assert_eq!((kept([3, 4, 2]), kept([5, 6, 0])), ([false, false, true], [true; 3]));
    }

    #[test]
    fn values_are_removed_by_key_and_heavy_ones_together() {
        let cache = cache(8 << 20, Admission::Recent);
        let values: Vec<Arc<[u8]>> = [2 << 20, 2 << 20, 3 << 20, 1_000, 1_000].map(value).into();
        for (key, value) in (0..).zip(&values) {
            cache.insert(key, Arc::clone(value));
        }
        cache.remove(&1);
        cache.remove(&3);
        let kept = || [0, 1, 2, 3, 4].map(|key| cache.get(&key).is_some());
        assert_eq!(kept(), [true, false, true, false, true]);
        cache.remove_heavy();
        assert_eq!(kept(), [false, false, false, false, true]);
        assert_eq!(cache.weight(), 1_000 + u64::from(ENTRY));
        assert!(
            values.iter().take(3).all(|value| Arc::strong_count(value) == 1),
            "heavy ones are freed at once"
        );
    }

    #[test]
    fn a_new_value_is_kept_when_only_recent_use_counts() {
        for (admission, kept) in [(Admission::Recent, true), (Admission::Popular, false)] {
            let cache = cache(8 << 20, admission);
            for _ in 0..20 {
                for key in 0..4 {
                    cache.get_or_make(key, || value(1_000_000));
                    cache.get_or_make(key + 4, || value(1_000_000));
                }
            }
            cache.insert(9, value(1_000_000));
            cache.weight();
            assert_eq!(cache.get(&9).is_some(), kept, "{admission:?}");
        }
    }
}
