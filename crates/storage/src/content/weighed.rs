//! A cache that is bounded by the memory of its values.

use std::hash::Hash;

use moka::sync::Cache;

/// Bytes of a value from which on the values that it drives out are freed at once. The cache frees them in batches, and
/// a large value makes a batch worth its while.
const LARGE: u32 = 256 << 10;
/// About how many bytes the cache takes for an entry, in addition to the value.
const ENTRY: u32 = 256;

/// The largest value that a cache keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Largest {
    /// An eighth of its bytes, so that one value doesn't drive out many others.
    Eighth,
    /// Any. A value larger than the cache is kept alone.
    Whole,
}

/// Immutable values in memory, up to a number of bytes.
pub(crate) struct WeighedCache<K, V> {
    cache: Cache<K, V>,
    weight: fn(&V) -> usize,
    /// Weight of the largest value that is kept.
    heaviest: u32,
    largest: Largest,
}

impl<K: Eq + Hash + Send + Sync + 'static, V: Clone + Send + Sync + 'static> WeighedCache<K, V> {
    /// A cache of values of these bytes together.
    pub(super) fn new((bytes, largest): (u64, Largest), weight: fn(&V) -> usize) -> Self {
        let heaviest = match largest {
            Largest::Eighth => bytes.div_euclid(8),
            Largest::Whole => bytes,
        };
        let heaviest = u32::try_from(heaviest).unwrap_or(u32::MAX);
        let weigher = move |_: &K, value: &V| entry_weight(weight(value)).min(heaviest);
        let cache = Cache::builder().max_capacity(bytes).weigher(weigher).build();
        Self { cache, weight, heaviest, largest }
    }

    /// The weight of all values.
    pub(super) fn weight(&self) -> u64 {
        self.cache.run_pending_tasks();
        self.cache.weighted_size()
    }

    pub(crate) fn get(&self, key: &K) -> Option<V> {
        self.cache.get(key)
    }

    /// Keeps a value, unless it is too large for the cache.
    pub(crate) fn insert(&self, key: K, value: V) {
        let weight = entry_weight((self.weight)(&value));
        if weight > self.heaviest && self.largest == Largest::Eighth {
            return;
        }
        self.cache.insert(key, value);
        if weight >= LARGE {
            self.cache.run_pending_tasks();
        }
    }

    /// Returns the value of a key, made if it is not there.
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

    fn cache(bytes: u64, largest: Largest) -> WeighedCache<u32, Arc<[u8]>> {
        WeighedCache::new((bytes, largest), |value| value.len())
    }

    fn value(bytes: usize) -> Arc<[u8]> {
        vec![0; bytes].into()
    }

    #[test]
    fn a_value_that_is_too_large_is_not_kept() {
        let cache = cache(8 << 20, Largest::Eighth);
        cache.insert(1, value((1 << 20) - 256));
        cache.insert(2, value(1 << 20));
        assert_eq!((cache.get(&1).is_some(), cache.get(&2).is_some()), (true, false));
        assert_eq!(cache.get_or_make(2, || value(2 << 20)).len(), 2 << 20);
    }

    #[test]
    fn a_value_larger_than_the_cache_is_kept_alone() {
        let cache = cache(1 << 20, Largest::Whole);
        cache.insert(1, value(1_000));
        cache.insert(2, value(2 << 20));
        // An entry that is asked for more often than those that it drives out is kept.
        for _ in 0..4 {
            let _ = cache.get_or_make(2, || value(2 << 20));
        }
        assert_eq!((cache.get(&1).is_some(), cache.get(&2).is_some()), (false, true));
    }

    #[test]
    fn large_values_that_are_driven_out_are_freed_at_once() {
        let cache = cache(4 << 20, Largest::Whole);
        let values: Vec<Arc<[u8]>> = (0..40).map(|_| value(1 << 20)).collect();
        for (key, value) in (0..).zip(&values) {
            cache.insert(key, Arc::clone(value));
        }
        let kept = values.iter().filter(|value| Arc::strong_count(value) > 1).count();
        assert!(kept <= 4, "{kept}");
    }
}
