//! The service itself.

use crate::route::Access::Public;
use crate::route::Route;
use crate::service::{docs, health, metrics, version};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/healthz", "getHealth", Public, "Whether the process lives", health::live)
            .answers::<health::Health>(200),
        Route::get("/readyz", "getReadiness", Public, "Whether it can work", health::ready)
            .answers::<health::Health>(200),
        Route::get("/metrics", "getMetrics", Public, "Measurements for Prometheus", metrics::handle)
            .answers_media("text/plain; version=0.0.4"),
        Route::get("/v1", "getService", Public, "Returns the version of the service", version::handle)
            .answers::<version::ServiceVersion>(200),
        Route::get("/v1/openapi.json", "getOpenApiDocument", Public, "This document", docs::document)
            .answers_media("application/json"),
    ]
}
