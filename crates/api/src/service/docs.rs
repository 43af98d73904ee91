//! The OpenAPI document, and a page to read and try it. The binary serves both.

use std::io::{self, Read as _};

use actix_web::http::Method;
use actix_web::http::header::Header as _;
use actix_web::web::{self, Bytes};
use flate2::read::GzDecoder;
use quire_server::routing::{BoxedHandler, Ending, Endpoint};

use crate::prelude::*;

/// Content security policy. The page loads only its own files and connects only to its own origin. Its style sheet
/// embeds images as `data:` URLs; the hash is of the style element in its logo.
const POLICY: &str = "default-src 'none'; script-src 'self'; \
                      style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='; \
                      img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// Files of Swagger UI, compressed, in the order of their names.
const FILES: [(&str, &[u8]); 7] = include!(concat!(env!("OUT_DIR"), "/page.rs"));
/// Script that opens the document in the page.
const INITIALIZER: (&str, &str) = ("swagger-initializer.js", include_str!("initializer.js"));

/// `GET /v1/openapi.json`
pub async fn get_open_api_document(api: ApiData) -> ApiResult<HttpResponse> {
    Ok(HttpResponse::Ok().content_type("application/json").body(api.openapi.bytes()?))
}

/// Returns the routes of the page at `/docs`, for all methods: a missing file is 404 for every method.
pub fn endpoints() -> [Endpoint; 2] {
    let endpoint = |path, ending, handler| Endpoint { path, ending, method: None, recording: None, handler };
    [
        endpoint("/docs", Ending::Exact, BoxedHandler::new(to_page)),
        endpoint("/docs/{file}", Ending::Rest, BoxedHandler::new(file)),
    ]
}

async fn to_page(request: HttpRequest) -> HttpResponse {
    if !reads(&request) {
        return not_read();
    }
    HttpResponse::build(StatusCode::TEMPORARY_REDIRECT).insert_header((header::LOCATION, "./docs/")).finish()
}

/// Returns a file of the page; `index.html` for an empty name.
async fn file(request: HttpRequest, name: web::Path<String>) -> ApiResult<HttpResponse> {
    let name = if name.is_empty() { "index.html" } else { name.as_str() };
    let compressed = FILES.iter().find(|(file, _)| *file == name).map(|(_, bytes)| *bytes);
    if compressed.is_none() && name != INITIALIZER.0 {
        return Err(ApiError::not_found());
    }
    if !reads(&request) {
        return Ok(not_read());
    }
    let mut response = HttpResponse::Ok();
    response
        .content_type(content_type(name))
        .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((header::X_FRAME_OPTIONS, "DENY"));
    let Some(compressed) = compressed else { return Ok(response.body(INITIALIZER.1)) };
    response.insert_header((header::VARY, "Accept-Encoding"));
    if accepts_gzip(&request) {
        response.insert_header(header::ContentEncoding::Gzip);
        return Ok(response.body(Bytes::from_static(compressed)));
    }
    Ok(response.body(decompressed(compressed).map_err(ApiError::internal)?))
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.') {
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "png")) => "image/png",
        _ => "text/html; charset=utf-8",
    }
}

fn accepts_gzip(request: &HttpRequest) -> bool {
    let accepted = header::AcceptEncoding::parse(request);
    let found = accepted.ok().and_then(|accepted| accepted.negotiate([header::Encoding::gzip()].iter()));
    found == Some(header::Encoding::gzip())
}

fn decompressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut plain = Vec::new();
    GzDecoder::new(bytes).read_to_end(&mut plain)?;
    Ok(plain)
}

fn reads(request: &HttpRequest) -> bool {
    matches!(*request.method(), Method::GET | Method::HEAD)
}

fn not_read() -> HttpResponse {
    respond::method_not_allowed("GET, HEAD")
}
