//! Metrics of a node.

use actix_web::HttpResponse;

use crate::error::{ApiError, ApiResult};
use crate::state::State;

/// Returns the metrics in the text format of Prometheus.
pub async fn get_metrics(state: State) -> ApiResult<HttpResponse> {
    state.metrics.note_search(state.storage.search_status());
    let text = state.metrics.render().map_err(ApiError::internal)?;
    Ok(HttpResponse::Ok().content_type("text/plain; version=0.0.4").body(text))
}
