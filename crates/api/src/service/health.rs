//! Liveness and readiness.

use actix_web::HttpResponse;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiResult;
use crate::state::State;

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
