//! Operational endpoints.

use crate::route::Access::Public;
use crate::route::{Route, Tag};
use crate::service::{docs, health, metrics, version};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(
            Tag::Service.at("/healthz", None),
            "getHealth",
            Public,
            "Check liveness",
            health::get_health,
        )
        .answers::<health::Health>(200),
        Route::get(
            Tag::Service.at("/readyz", None),
            "getReadiness",
            Public,
            "Check readiness",
            health::get_readiness,
        )
        .answers::<health::Health>(200),
        Route::get(
            Tag::Service.at("/metrics", None),
            "getMetrics",
            Public,
            "Get Prometheus metrics",
            metrics::get_metrics,
        )
        .answers_media("text/plain; version=0.0.4"),
        Route::get(
            Tag::Service.at("/v1", None),
            "getService",
            Public,
            "Get the service version",
            version::get_service,
        )
        .answers::<version::ServiceVersion>(200),
        Route::get(
            Tag::OpenApiSpecs.at("/v1/openapi.json", None),
            "getOpenApiDocument",
            Public,
            "Get the OpenAPI document",
            docs::get_open_api_document,
        )
        .answers_media("application/json"),
    ]
}
