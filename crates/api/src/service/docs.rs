//! The OpenAPI document and a page to read and try it, all served by the binary.

use actix_web::HttpResponse;
use actix_web::web::{self, Bytes};
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::app::base_path;
use crate::error::{ApiError, ApiResult};
use crate::openapi;
use crate::state::State;

/// The OpenAPI document, which is made at the first request.
pub async fn document(state: State) -> ApiResult<HttpResponse> {
    let document = match state.openapi.get() {
        Some(document) => document.clone(),
        None => {
            let made = openapi::document_json(&base_path(&state.settings.base_url));
            let made = made.map_err(ApiError::internal)?;
            state.openapi.get_or_init(|| Bytes::from(made)).clone()
        }
    };
    Ok(HttpResponse::Ok().content_type("application/json").body(document))
}

/// Mounts the page at `/docs`. It finds the document by a relative address, so it works below any base path.
pub fn mount(config: &mut web::ServiceConfig) {
    let page = SwaggerUi::new("/docs/{tail:.*}").config(Config::from("../v1/openapi.json"));
    config.service(
        web::redirect("/docs", "./docs/").using_status_code(actix_web::http::StatusCode::TEMPORARY_REDIRECT),
    );
    config.service(page);
}
