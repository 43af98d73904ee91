//! Operational endpoints: health, metrics, the OpenAPI document and its page.

pub mod docs;
pub mod document;
pub mod health;
pub mod metrics;
pub mod version;

use crate::route::Access::Public;
use crate::route::{Route, Tag};

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get(Tag::Service.at("/healthz", None), Public, "Check liveness", health::get_health)
            .answers::<health::Health>(200),
        Route::get(Tag::Service.at("/readyz", None), Public, "Check readiness", health::get_readiness)
            .answers::<health::Health>(200),
        Route::get(Tag::Service.at("/metrics", None), Public, "Get Prometheus metrics", metrics::get_metrics)
            .answers_media("text/plain; version=0.0.4"),
        Route::get(Tag::Service.at("/v1", None), Public, "Get the service version", version::get_service)
            .answers::<version::ServiceVersion>(200),
        Route::get(
            Tag::OpenApiSpecs.at("/v1/openapi.json", None),
            Public,
            "Get the OpenAPI document",
            docs::get_open_api_document,
        )
        .answers_media("application/json"),
    ]
}
