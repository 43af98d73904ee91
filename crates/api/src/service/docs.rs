//! The OpenAPI document and a page to read and try it, all served by the binary.

use std::borrow::Cow;

use actix_web::http::{Method, StatusCode, header};
use actix_web::web::{self, Bytes};
use actix_web::{HttpRequest, HttpResponse};
use utoipa_swagger_ui::{Config, serve};

use crate::error::{ApiError, ApiResult};
use crate::state::State;
use crate::urls::base_path;
use crate::{openapi, respond};

/// The page loads its own files only and connects to its own origin only. Its style sheet embeds images as `data:`
/// URLs; the hash is that of the style element in its logo.
const POLICY: &str = "default-src 'none'; script-src 'self'; \
                      style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='; \
                      img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

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

/// Mounts the page at `/docs`. It finds the document by a relative URL, so it works below any base path. No external
/// validator is contacted.
pub fn mount(config: &mut web::ServiceConfig) {
    let page = Config::from("../v1/openapi.json").validator_url("none");
    config.service(web::resource("/docs").to(to_page));
    config.service(web::resource("/docs/{file:.*}").app_data(web::Data::new(page)).to(file));
}

async fn to_page(request: HttpRequest) -> HttpResponse {
    if !reads(&request) {
        return not_read();
    }
    HttpResponse::build(StatusCode::TEMPORARY_REDIRECT).insert_header((header::LOCATION, "./docs/")).finish()
}

/// A file of the page; `index.html` if the name is empty.
async fn file(
    request: HttpRequest,
    name: web::Path<String>,
    page: web::Data<Config<'static>>,
) -> ApiResult<HttpResponse> {
    let found = serve(&name, page.into_inner());
    let found = found.map_err(|error| ApiError::internal(anyhow::anyhow!("{error}")))?;
    let found = found.ok_or_else(ApiError::not_found)?;
    if !reads(&request) {
        return Ok(not_read());
    }
    let bytes = match found.bytes {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => bytes.into(),
    };
    Ok(HttpResponse::Ok()
        .content_type(found.content_type)
        .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((header::X_FRAME_OPTIONS, "DENY"))
        .body(bytes))
}

fn reads(request: &HttpRequest) -> bool {
    matches!(*request.method(), Method::GET | Method::HEAD)
}

fn not_read() -> HttpResponse {
    respond::method_not_allowed("GET, HEAD")
}
