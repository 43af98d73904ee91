//! Stored form of a response.

use actix_web::HttpResponse;
use actix_web::body::{BoxBody, MessageBody as _};
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use quire_storage::operations::idempotency::{AnswerSeal, NamedRequest};
use serde::{Deserialize, Serialize};

use crate::error::{ApiError, ApiResult};
use crate::preferences::PREFERENCE_APPLIED;

/// Maximum size of a stored body in bytes.
pub(super) const BODY_MAX: usize = 1 << 20;

/// Stored headers. Others belong to the connection or to the request.
const KEPT_HEADERS: [HeaderName; 5] =
    [header::CONTENT_TYPE, header::LOCATION, header::ETAG, header::CACHE_CONTROL, PREFERENCE_APPLIED];

/// First line of a stored response, before its body.
#[derive(Serialize, Deserialize)]
struct Head {
    status: u16,
    headers: Vec<(String, String)>,
}

/// Returns the response and its encrypted form. Streams and bodies that are too large have none.
pub(super) fn seal(
    seal: &AnswerSeal,
    request: &NamedRequest,
    response: HttpResponse,
) -> (HttpResponse, Option<Vec<u8>>) {
    let (response, body) = response.into_parts();
    let bytes = match body.try_into_bytes() {
        Ok(bytes) => bytes,
        Err(stream) => return (response.set_body(stream), None),
    };
    let sealed = (bytes.len() <= BODY_MAX).then(|| {
        let headers = KEPT_HEADERS.into_iter().filter_map(|name| {
            let value = response.headers().get(&name)?.to_str().ok()?;
            Some((name.as_str().to_owned(), value.to_owned()))
        });
        let head = Head { status: response.status().as_u16(), headers: headers.collect() };
        let mut kept = serde_json::to_vec(&head).map_err(anyhow::Error::from)?;
        kept.push(b'\n');
        kept.extend_from_slice(&bytes);
        Ok::<_, anyhow::Error>(seal.seal(request, &kept)?)
    });
    let sealed = sealed.transpose().unwrap_or_else(|error: anyhow::Error| {
        log::error!("a response could not be kept for its idempotency key: {error:#}");
        None
    });
    (response.set_body(BoxBody::new(bytes)), sealed)
}

/// Decrypts a stored response.
///
/// # Errors
/// A response that was encrypted with another key.
pub(super) fn open(seal: &AnswerSeal, request: &NamedRequest, sealed: &[u8]) -> ApiResult<HttpResponse> {
    let kept = seal.open(request, sealed)?;
    let end = kept.iter().position(|byte| *byte == b'\n').unwrap_or(kept.len());
    let (head, body) = kept.split_at(end);
    let Head { status, headers } = serde_json::from_slice(head).map_err(ApiError::internal)?;
    let status = StatusCode::from_u16(status).map_err(ApiError::internal)?;
    let mut response = HttpResponse::build(status);
    for (name, value) in headers {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(ApiError::internal)?;
        response.insert_header((name, HeaderValue::from_str(&value).map_err(ApiError::internal)?));
    }
    match body.get(1..).unwrap_or_default() {
        [] => Ok(response.finish()),
        body => Ok(response.body(body.to_vec())),
    }
}
