//! `GET /v1`, also as `GET /v1/`

use actix_web::HttpResponse;
use serde::Serialize;
use utoipa::ToSchema;

use crate::state::State;

/// The version of the service.
#[derive(Serialize, ToSchema)]
pub struct ServiceVersion<'a> {
    /// Version of the release, as in the OpenAPI document.
    version: &'a str,
    /// Commit that the service was built from, as git describes it; `unknown` for a build without git.
    build: &'a str,
}

/// The same on every node of a deployment, unless nodes run different builds.
pub async fn get_service(state: State) -> HttpResponse {
    let build = &state.settings.build;
    HttpResponse::Ok().json(ServiceVersion { version: env!("CARGO_PKG_VERSION"), build })
}
