//! What `/metrics` shows, in the text format of Prometheus.

use std::time::Duration;

use actix_web::http::Method;
use prometheus::core::{Collector, Desc};
use prometheus::proto::MetricFamily;
use prometheus::{
    Encoder, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, Opts, Registry, TextEncoder,
};
use quire_storage::StatementCounter;

/// The measurements of a node.
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    seconds: HistogramVec,
}

impl Metrics {
    /// Metrics of requests, initially zero, and the current value of `statements`.
    ///
    /// # Errors
    /// Never in practice: when two metrics have one name.
    pub fn new(statements: StatementCounter) -> prometheus::Result<Self> {
        let registry = Registry::new();
        let requests = IntCounterVec::new(
            Opts::new("quire_http_requests_total", "Requests answered."),
            &["method", "route", "status"],
        )?;
        let seconds = HistogramVec::new(
            HistogramOpts::new("quire_http_request_seconds", "How long requests took."),
            &["method", "route"],
        )?;
        registry.register(Box::new(requests.clone()))?;
        registry.register(Box::new(seconds.clone()))?;
        registry.register(Box::new(Statements::new(statements)?))?;
        Ok(Self { registry, requests, seconds })
    }

    /// Notes an answered request by its route's pattern and its method, if that is a known one: there are as many series as routes, whatever
    /// callers send.
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

    /// The text that a Prometheus server reads.
    ///
    /// # Errors
    /// When the text can't be written.
    pub fn render(&self) -> prometheus::Result<Vec<u8>> {
        let mut text = Vec::new();
        TextEncoder::new().encode(&self.registry.gather(), &mut text)?;
        Ok(text)
    }
}

/// Exports a counter that the storage keeps.
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
        // A new counter per scrape: adding the difference to a shared one would count it twice in concurrent scrapes.
        let Ok(counter) = IntCounter::with_opts(self.options.clone()) else { return Vec::new() };
        counter.inc_by(self.statements.get());
        counter.collect()
    }
}
