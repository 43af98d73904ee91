//! A cache that is bounded by the memory of its values.

use std::hash::Hash;

use moka::sync::Cache;

/// Bytes of a value from which on the values that it drives out are freed at once. The cache frees them in batches, and
/// a large value makes a batch worth its while.
const LARGE: u32 = 256 << 10;
/// About how many bytes the cache takes for an entry, in addition to the value.
const ENTRY: u32 = 256;

/// Immutable values in memory, up to a number of bytes.
pub(crate) struct WeighedCache<K, V> {
    cache: Cache<K, V>,
    weight: fn(&V) -> usize,
    /// Weight of a value that is not kept, because it would drive out too many others.
    too_heavy: u64,
}

impl<K: Eq + Hash + Send + Sync + 'static, V: Clone + Send + Sync + 'static> WeighedCache<K, V> {
    /// A cache of values of `bytes` together, each of them at most one `parts`-th of that.
    pub(super) fn new(bytes: u64, parts: u64, weight: fn(&V) -> usize) -> Self {
        let weigher = move |_: &K, value: &V| entry_weight(weight(value));
        let cache = Cache::builder().max_capacity(bytes).weigher(weigher).build();
        Self { cache, weight, too_heavy: bytes.div_euclid(parts.max(1)) }
    }

    pub(crate) fn get(&self, key: &K) -> Option<V> {
        self.cache.get(key)
    }

    /// Keeps a value, unless it is too large for the cache.
    pub(crate) fn insert(&self, key: K, value: V) {
        let weight = entry_weight((self.weight)(&value));
        if u64::from(weight) > self.too_heavy {
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

    fn cache(bytes: u64, parts: u64) -> WeighedCache<u32, Arc<[u8]>> {
        WeighedCache::new(bytes, parts, |value| value.len())
    }

    fn value(bytes: usize) -> Arc<[u8]> {
        vec![0; bytes].into()
    }

    #[test]
    fn a_value_that_is_too_large_is_not_kept() {
        let cache = cache(8 << 20, 8);
        cache.insert(1, value((1 << 20) - 256));
        cache.insert(2, value(1 << 20));
        assert_eq!((cache.get(&1).is_some(), cache.get(&2).is_some()), (true, false));
        assert_eq!(cache.get_or_make(2, || value(2 << 20)).len(), 2 << 20);
    }

    #[test]
    fn large_values_that_are_driven_out_are_freed_at_once() {
        let cache = cache(4 << 20, 2);
        let values: Vec<Arc<[u8]>> = (0..40).map(|_| value(1 << 20)).collect();
        for (key, value) in (0..).zip(&values) {
            cache.insert(key, Arc::clone(value));
        }
        let kept = values.iter().filter(|value| Arc::strong_count(value) > 1).count();
        assert!(kept <= 4, "{kept}");
    }
}
