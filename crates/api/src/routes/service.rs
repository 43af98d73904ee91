//! The service itself.

use crate::route::Access::Public;
use crate::route::{Route, Tag};
use crate::service::{docs, health, metrics, version};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(
            Tag::Service.at("/healthz", None),
            "getHealth",
            Public,
            "Whether the process lives",
            health::live,
        )
        .answers::<health::Health>(200),
        Route::get(
            Tag::Service.at("/readyz", None),
            "getReadiness",
            Public,
            "Whether it can work",
            health::ready,
        )
        .answers::<health::Health>(200),
        Route::get(
            Tag::Service.at("/metrics", None),
            "getMetrics",
            Public,
            "Measurements for Prometheus",
            metrics::handle,
        )
        .answers_media("text/plain; version=0.0.4"),
        Route::get(
            Tag::Service.at("/v1", None),
            "getService",
            Public,
            "Returns the version of the service",
            version::handle,
        )
        .answers::<version::ServiceVersion>(200),
        Route::get(
            Tag::OpenApiSpecs.at("/v1/openapi.json", None),
            "getOpenApiDocument",
            Public,
            "This document",
            docs::document,
        )
        .answers_media("application/json"),
    ]
}
