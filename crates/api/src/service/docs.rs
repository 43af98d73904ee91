//! The OpenAPI document and a page to read and try it, all served by the binary.

use actix_web::{HttpResponse, web};
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::error::{ApiError, ApiResult};
use crate::openapi;

/// The OpenAPI document.
pub async fn document() -> ApiResult<HttpResponse> {
    let document = openapi::document_json().map_err(ApiError::internal)?;
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
