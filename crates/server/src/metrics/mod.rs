//! Metrics in the text format of Prometheus.

mod caches;

use std::time::Duration;

use actix_web::http::Method;
use prometheus::core::{Collector, Desc};
use prometheus::proto::MetricFamily;
use prometheus::{
    Encoder, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, Opts, Registry, TextEncoder,
};
use quire_storage::Storage;
use quire_storage::content::search::SearchStatus;

use self::caches::CacheBytes;

/// Metrics of a node.
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    seconds: HistogramVec,
    search: Vec<IntGauge>,
    caches: CacheBytes,
}

/// Names and descriptions of the search metrics, in the order of [`Metrics::note_search`].
const SEARCH: [(&str, &str); 7] = [
    ("quire_search_pages", "Pages in the search index."),
    ("quire_search_spaces", "Spaces in the search index."),
    ("quire_search_bytes", "Size of the search index in bytes."),
    ("quire_search_waiting_spaces", "Spaces whose pages changed since they were indexed."),
    ("quire_search_lag_seconds", "Seconds since the first of these changes was noticed."),
    ("quire_search_rebuilds", "Rebuilds of the search index since the start."),
    ("quire_search_commits", "Commits of the search index since the start."),
];

impl Metrics {
    /// Creates the request metrics, initially zero, and exports the counters of the storage.
    ///
    /// # Errors
    /// Two metrics with the same name.
    pub fn new(storage: &Storage) -> prometheus::Result<Self> {
        let registry = Registry::new();
        let requests = IntCounterVec::new(
            Opts::new("quire_http_requests_total", "Number of requests answered."),
            &["method", "route", "status"],
        )?;
        let seconds = HistogramVec::new(
            HistogramOpts::new("quire_http_request_seconds", "Duration of requests in seconds."),
            &["method", "route"],
        )?;
        registry.register(Box::new(requests.clone()))?;
        registry.register(Box::new(seconds.clone()))?;
        for kept in kept(storage)? {
            registry.register(Box::new(kept))?;
        }
        let (caches, stored) = (CacheBytes::new()?, storage.clone());
        caches.add(move || stored.cache_sizes().by_name().to_vec());
        registry.register(Box::new(caches.clone()))?;
        let gauge = |(name, help)| IntGauge::new(name, help);
        let search: Vec<IntGauge> = SEARCH.into_iter().map(gauge).collect::<prometheus::Result<_>>()?;
        for gauge in &search {
            registry.register(Box::new(gauge.clone()))?;
        }
        Ok(Self { registry, requests, seconds, search, caches })
    }

    /// Exports the size of caches in bytes, by name.
    pub fn export_caches(&self, sizes: impl Fn() -> Vec<(&'static str, u64)> + Send + Sync + 'static) {
        self.caches.add(sizes);
    }

    /// Records an answered request by route pattern and method. Unknown methods share one label, so callers cannot
    /// create series.
    pub fn record(&self, method: &Method, route: &str, status: u16, elapsed: Duration) {
        let known = [
            Method::GET,
            Method::HEAD,
            Method::POST,
            Method::PUT,
            Method::PATCH,
            Method::DELETE,
            Method::OPTIONS,
        ];
        let method = if known.contains(method) { method.as_str() } else { "other" };
        self.requests.with_label_values(&[method, route, &status.to_string()]).inc();
        self.seconds.with_label_values(&[method, route]).observe(elapsed.as_secs_f64());
    }

    /// Records the status of the search index.
    pub fn note_search(&self, status: SearchStatus) {
        let SearchStatus { pages, spaces, bytes, waiting_spaces, lag_seconds, rebuilds, commits } = status;
        let values = [pages, spaces, bytes, waiting_spaces, lag_seconds, rebuilds, commits];
        for (gauge, value) in self.search.iter().zip(values) {
            gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
        }
    }

    /// Returns the metrics in the text format of Prometheus.
    ///
    /// # Errors
    /// A failure to write the text.
    pub fn render(&self) -> prometheus::Result<Vec<u8>> {
        let mut text = Vec::new();
        TextEncoder::new().encode(&self.registry.gather(), &mut text)?;
        Ok(text)
    }
}

/// Exported value that the storage maintains.
struct StorageMetric {
    options: Opts,
    described: IntCounter,
    is_counter: bool,
    value: Box<dyn Fn() -> u64 + Send + Sync>,
}

impl StorageMetric {
    fn counter(
        name: &str,
        help: &str,
        value: impl Fn() -> u64 + Send + Sync + 'static,
    ) -> prometheus::Result<Self> {
        let options = Opts::new(name, help);
        let described = IntCounter::with_opts(options.clone())?;
        Ok(Self { options, described, is_counter: true, value: Box::new(value) })
    }

    fn gauge(
        name: &str,
        help: &str,
        value: impl Fn() -> u64 + Send + Sync + 'static,
    ) -> prometheus::Result<Self> {
        Ok(Self { is_counter: false, ..Self::counter(name, help, value)? })
    }
}

impl Collector for StorageMetric {
    fn desc(&self) -> Vec<&Desc> {
        self.described.desc()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        let (options, value) = (self.options.clone(), (self.value)());
        if !self.is_counter {
            let Ok(gauge) = IntGauge::with_opts(options) else { return Vec::new() };
            gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
            return gauge.collect();
        }
        // A new counter for each scrape, because adding the difference to a shared one would count it twice in
        // concurrent scrapes.
        let Ok(counter) = IntCounter::with_opts(options) else { return Vec::new() };
        counter.inc_by(value);
        counter.collect()
    }
}

/// Returns the values that the storage maintains. They hold the storage's counters, or a clone of the storage, which
/// the state holds as well.
fn kept(storage: &Storage) -> prometheus::Result<[StorageMetric; 6]> {
    let statements = storage.statements();
    let (sent, slow) = (statements.clone(), statements.clone());
    let [open, idle, replica, primary] = [(); 4].map(|()| storage.clone());
    Ok([
        StorageMetric::counter(
            "quire_sql_statements_total",
            "SQL statements sent, apart from BEGIN, COMMIT and ROLLBACK.",
            move || sent.get(),
        )?,
        StorageMetric::counter(
            "quire_sql_slow_statements_total",
            "SQL statements that took longer than QUIRE_SLOW_STATEMENT.",
            move || slow.slow(),
        )?,
        StorageMetric::gauge("quire_database_connections", "Open connections to the primary.", move || {
            open.connections().0.into()
        })?,
        StorageMetric::gauge(
            "quire_database_connections_idle",
            "Idle connections to the primary.",
            move || idle.connections().1.into(),
        )?,
        StorageMetric::counter("quire_replica_reads_total", "Reads on replicas.", move || {
            replica.read_counts().replica
        })?,
        StorageMetric::counter(
            "quire_replica_misses_total",
            "Reads that were done on the primary because no replica was up to date.",
            move || primary.read_counts().primary,
        )?,
    ])
}
