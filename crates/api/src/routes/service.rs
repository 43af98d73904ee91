//! The service itself.

use super::get;
use crate::route::Access::Public;
use crate::route::Route;
use crate::service::{docs, health, metrics, version};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get("/healthz", "getHealth", Public, "Whether the process lives", health::live)
            .answers::<health::Health>(200),
        get("/readyz", "getReadiness", Public, "Whether it can work", health::ready)
            .answers::<health::Health>(200),
        get("/metrics", "getMetrics", Public, "Measurements for Prometheus", metrics::handle)
            .answers_media("text/plain; version=0.0.4"),
        get("/v1", "getService", Public, "Returns the version of the service", version::handle)
            .answers::<version::ServiceVersion>(200),
        get("/v1/openapi.json", "getOpenApiDocument", Public, "This document", docs::document)
            .answers_media("application/json"),
    ]
}
