//! Bounds of a cache.

use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use moka::policy::EvictionPolicy;

use crate::entries::{Entries, Moka};
use crate::{Cache, Weigher};

/// Fraction of the capacity (1/16) whose insertion triggers the release of displaced entries.
const BATCH_PART: u64 = 16;

/// Builder of a [`Cache`]. By default, the number of entries is unbounded, and each entry has the weight 1.
#[must_use]
pub struct CacheBuilder<K, V> {
    capacity: Option<u64>,
    policy: EvictionPolicy,
    idle: Option<Duration>,
    live: Option<Duration>,
    weigher: Arc<Weigher<K, V>>,
}

impl<K, V> Default for CacheBuilder<K, V> {
    fn default() -> Self {
        Self {
            capacity: None,
            policy: EvictionPolicy::default(),
            idle: None,
            live: None,
            weigher: Arc::new(|_, _| 1),
        }
    }
}

impl<K, V> CacheBuilder<K, V>
where
    K: Eq + Hash + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    /// Bounds the total weight of the entries. A cache may exceed the bound by a sixteenth, and by displaced entries
    /// that are not freed yet.
    pub fn max_capacity(mut self, weight: u64) -> Self {
        self.capacity = Some(weight);
        self
    }

    /// Sets which entries a full cache displaces. By default, these are the least frequently used ones.
    pub fn eviction_policy(mut self, policy: EvictionPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// Sets the weight of an entry.
    pub fn weigher(mut self, weigher: impl Fn(&K, &V) -> u32 + Send + Sync + 'static) -> Self {
        self.weigher = Arc::new(weigher);
        self
    }

    /// Removes an entry this long after it was last read or inserted.
    pub fn time_to_idle(mut self, duration: Duration) -> Self {
        self.idle = Some(duration);
        self
    }

    /// Removes an entry this long after it was inserted.
    pub fn time_to_live(mut self, duration: Duration) -> Self {
        self.live = Some(duration);
        self
    }

    /// Returns the cache. It allocates memory with its first entry.
    #[must_use]
    pub fn build(self) -> Cache<K, V> {
        let Self { capacity, policy, idle, live, weigher } = self;
        let batch = capacity.map_or(u64::MAX, |weight| weight.div_euclid(BATCH_PART));
        let create = move || {
            let mut builder = Moka::builder().eviction_policy(policy).weigher(|_, entry| entry.weight);
            if let Some(weight) = capacity {
                builder = builder.max_capacity(weight);
            }
            if let Some(duration) = idle {
                builder = builder.time_to_idle(duration);
            }
            if let Some(duration) = live {
                builder = builder.time_to_live(duration);
            }
            builder.build()
        };
        Cache { entries: Arc::new(Entries::new(batch, create)), weigher }
    }
}
