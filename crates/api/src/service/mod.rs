//! Operational endpoints: health, metrics, the OpenAPI document and its page.

pub mod docs;

use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get(Tag::Service.at("/healthz", None), Public, "Check liveness", get_health)
            .answers::<Health>(200),
        Route::get(Tag::Service.at("/readyz", None), Public, "Check readiness", get_readiness)
            .answers::<Health>(200),
        Route::get(Tag::Service.at("/metrics", None), Public, "Get Prometheus metrics", get_metrics)
            .answers_media("text/plain; version=0.0.4"),
        Route::get(Tag::Service.at("/v1", None), Public, "Get the service version", get_service)
            .answers::<ServiceVersion>(200),
        Route::get(
            Tag::OpenApiSpecs.at("/v1/openapi.json", None),
            Public,
            "Get the OpenAPI document",
            docs::get_open_api_document,
        )
        .answers_media("application/json"),
    ]
}

/// Health of a node.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// `ok`.
    status: &'static str,
}

/// Returns 200 while the process answers.
pub async fn get_health() -> HttpResponse {
    HttpResponse::Ok().json(Health { status: "ok" })
}

/// Returns 200 if the database answers and has the schema of this binary, 503 otherwise.
pub async fn get_readiness(state: State) -> ApiResult<HttpResponse> {
    state.ready().await?;
    Ok(HttpResponse::Ok().json(Health { status: "ok" }))
}

/// Version of the service.
#[derive(Serialize, ToSchema)]
pub struct ServiceVersion<'a> {
    /// Version of the release, as in the OpenAPI document.
    version: &'a str,
    /// Commit that the service was built from, as described by Git; `unknown` for a build without Git.
    build: &'a str,
}

/// Returns the version. Equal on all nodes, unless they run different builds.
pub async fn get_service(state: State) -> HttpResponse {
    let build = &state.settings.build;
    HttpResponse::Ok().json(ServiceVersion { version: env!("CARGO_PKG_VERSION"), build })
}

/// Returns the metrics in the text format of Prometheus.
pub async fn get_metrics(state: State) -> ApiResult<HttpResponse> {
    state.metrics.note_search(state.storage.search_status());
    let text = state.metrics.render().map_err(ApiError::internal)?;
    Ok(HttpResponse::Ok().content_type("text/plain; version=0.0.4").body(text))
}
