//! Whether the process lives, and whether it can work.

use actix_web::HttpResponse;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiResult;
use crate::state::State;

/// How a node is.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// `ok`.
    status: &'static str,
}

/// 200 as long as the process answers.
pub async fn get_health() -> HttpResponse {
    HttpResponse::Ok().json(Health { status: "ok" })
}

/// 200 when the database answers and its schema is this binary's; 503 otherwise.
pub async fn get_readiness(state: State) -> ApiResult<HttpResponse> {
    state.ready().await?;
    Ok(HttpResponse::Ok().json(Health { status: "ok" }))
}
