//! Metrics in the text format of Prometheus.

use std::time::Duration;

use actix_web::http::Method;
use prometheus::core::{Collector, Desc};
use prometheus::proto::MetricFamily;
use prometheus::{
    Encoder, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, Opts, Registry, TextEncoder,
};
use quire_storage::StatementCounter;
use quire_storage::search::SearchStatus;

/// Metrics of a node.
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    seconds: HistogramVec,
    search: Vec<IntGauge>,
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
    /// Creates the metrics of requests, initially zero, and the export of `statements`.
    ///
    /// # Errors
    /// Two metrics with one name.
    pub fn new(statements: StatementCounter) -> prometheus::Result<Self> {
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
        registry.register(Box::new(Statements::new(statements)?))?;
        let gauge = |(name, help)| IntGauge::new(name, help);
        let search: Vec<IntGauge> = SEARCH.into_iter().map(gauge).collect::<prometheus::Result<_>>()?;
        for gauge in &search {
            registry.register(Box::new(gauge.clone()))?;
        }
        Ok(Self { registry, requests, seconds, search })
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

    /// Records the state of the search index.
    pub fn note_search(&self, status: SearchStatus) {
        let SearchStatus { pages, spaces, bytes, waiting_spaces, lag_seconds, rebuilds, commits } = status;
        let values = [pages, spaces, bytes, waiting_spaces, lag_seconds, rebuilds, commits];
        for (gauge, value) in self.search.iter().zip(values) {
            gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
        }
    }

    /// Returns the text that a Prometheus server reads.
    ///
    /// # Errors
    /// A failure to write the text.
    pub fn render(&self) -> prometheus::Result<Vec<u8>> {
        let mut text = Vec::new();
        TextEncoder::new().encode(&self.registry.gather(), &mut text)?;
        Ok(text)
    }
}

/// Export of a counter that the storage keeps.
struct Statements {
    options: Opts,
    described: IntCounter,
    statements: StatementCounter,
}

impl Statements {
    fn new(statements: StatementCounter) -> prometheus::Result<Self> {
        let options = Opts::new(
            "quire_sql_statements_total",
            "SQL statements sent, apart from BEGIN, COMMIT and ROLLBACK.",
        );
        Ok(Self { described: IntCounter::with_opts(options.clone())?, options, statements })
    }
}

impl Collector for Statements {
    fn desc(&self) -> Vec<&Desc> {
        self.described.desc()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        // A new counter for each scrape, because adding the difference to a shared one would count it twice in
        // concurrent scrapes.
        let Ok(counter) = IntCounter::with_opts(self.options.clone()) else { return Vec::new() };
        counter.inc_by(self.statements.get());
        counter.collect()
    }
}
