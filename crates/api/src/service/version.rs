//! `GET /v1`, also as `GET /v1/`

use actix_web::HttpResponse;
use serde::Serialize;
use utoipa::ToSchema;

use crate::state::State;

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
