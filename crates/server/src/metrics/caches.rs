//! Memory of caches.

use std::sync::{Arc, Mutex, PoisonError};

use prometheus::core::{Collector, Desc};
use prometheus::proto::MetricFamily;
use prometheus::{IntGaugeVec, Opts};

/// Function that returns the size of some caches in bytes, by name.
type Sizes = dyn Fn() -> Vec<(&'static str, u64)> + Send + Sync;

/// Size of each cache in bytes. Clones share the caches.
#[derive(Clone)]
pub(super) struct CacheBytes {
    gauges: IntGaugeVec,
    caches: Arc<Mutex<Vec<Box<Sizes>>>>,
}

impl CacheBytes {
    /// Creates the metric without caches.
    pub(super) fn new() -> prometheus::Result<Self> {
        let options = Opts::new("quire_cache_bytes", "Memory of the entries of a cache in bytes.");
        Ok(Self { gauges: IntGaugeVec::new(options, &["cache"])?, caches: Arc::default() })
    }

    /// Adds caches. Their names must be new to the metric.
    pub(super) fn add(&self, sizes: impl Fn() -> Vec<(&'static str, u64)> + Send + Sync + 'static) {
        self.caches.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(sizes));
    }
}

impl Collector for CacheBytes {
    fn desc(&self) -> Vec<&Desc> {
        self.gauges.desc()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        let caches = self.caches.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, bytes) in caches.iter().flat_map(|sizes| sizes()) {
            self.gauges.with_label_values(&[name]).set(i64::try_from(bytes).unwrap_or(i64::MAX));
        }
        self.gauges.collect()
    }
}
