//! Answers: one function for each kind.

use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, ResponseError as _};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use quire_domain::error::Reason;
use quire_domain::ids::RevisionId;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::error::{ApiError, ApiResult};
use crate::state::State;

/// 200 with a resource and its entity tag; 304 when the caller has it already.
///
/// # Errors
/// When the resource can't be written as JSON.
pub fn ok<T: Serialize>(request: &HttpRequest, resource: &T) -> ApiResult<HttpResponse> {
    let body = serde_json::to_vec(resource).map_err(ApiError::internal)?;
    let tag = tag_of(&body);
    if caller_has(request, &tag) { not_modified(&tag) } else { json(&tag, body) }
}

/// 200 with a part of a revision, whose entity tag follows from the revision and the request alone: the resource is only made
/// when the caller doesn't have it.
///
/// # Errors
/// When the resource can't be made or written as JSON.
pub fn ok_of_revision<T: Serialize>(
    request: &HttpRequest,
    revision: RevisionId,
    resource: impl FnOnce() -> ApiResult<T>,
) -> ApiResult<HttpResponse> {
    ok_of_content(request, revision, "", resource)
}

/// The same for a part that follows from something beside the revision, too, which `versions` name: what computed pages are
/// computed from.
///
/// # Errors
/// When the resource can't be made or written as JSON.
pub fn ok_of_content<T: Serialize>(
    request: &HttpRequest,
    revision: RevisionId,
    versions: &str,
    resource: impl FnOnce() -> ApiResult<T>,
) -> ApiResult<HttpResponse> {
    let tag = content_tag(request, revision, versions);
    if caller_has(request, &tag) {
        return not_modified(&tag);
    }
    json(&tag, serde_json::to_vec(&resource()?).map_err(ApiError::internal)?)
}

/// 200 with a resource under an entity tag that the caller doesn't have.
///
/// # Errors
/// When the resource can't be written as JSON.
pub fn ok_tagged<T: Serialize>(tag: &str, resource: &T) -> ApiResult<HttpResponse> {
    json(tag, serde_json::to_vec(resource).map_err(ApiError::internal)?)
}

/// 200 with a part of a revision together with something that changes beside it: the entity tag names the revision, and follows
/// from the whole resource.
///
/// # Errors
/// When the resource can't be written as JSON.
pub fn ok_beside_revision<T: Serialize>(
    request: &HttpRequest,
    revision: RevisionId,
    resource: &T,
) -> ApiResult<HttpResponse> {
    let body = serde_json::to_vec(resource).map_err(ApiError::internal)?;
    let tag = format!("\"{revision}.{}\"", tag_of(&body).trim_matches('"'));
    if caller_has(request, &tag) { not_modified(&tag) } else { json(&tag, body) }
}

/// The entity tag of what a request asks of a revision: the revision's id, a point, and the request's own hash.
#[must_use]
pub fn revision_tag(request: &HttpRequest, revision: RevisionId) -> String {
    content_tag(request, revision, "")
}

fn content_tag(request: &HttpRequest, revision: RevisionId, versions: &str) -> String {
    Conditional::of(request).tag(revision, versions)
}

/// A read of content with the entity tags that the caller has. Unlike the request, it can be sent to the thread that
/// reads, so that nothing is loaded for a caller who has it.
#[derive(Clone, Debug)]
pub struct Conditional {
    variant: Sha256,
    known: Vec<String>,
}

impl Conditional {
    /// Takes what entity tags depend on from a request.
    #[must_use]
    pub fn of(request: &HttpRequest) -> Self {
        // The written form of content depends on the release, the base URL and the key that signs the addresses in it.
        let state = request.app_data::<State>();
        let writing = state.map(|state| state.writing.as_str()).unwrap_or_default();
        let variant =
            Sha256::new().chain_update(writing).chain_update(request.uri().to_string()).chain_update([0]);
        Self { variant, known: known_tags(request).map(str::to_owned).collect() }
    }

    /// Returns the entity tag of the answer from a revision, and from something else that `versions` names.
    #[must_use]
    pub fn tag(&self, revision: RevisionId, versions: &str) -> String {
        let digest = self.variant.clone().chain_update(versions).finalize();
        let variant = digest.first_chunk::<6>().map(|head| URL_SAFE_NO_PAD.encode(head)).unwrap_or_default();
        format!("\"{revision}.{variant}\"")
    }

    /// Returns whether the caller has the answer with this tag.
    #[must_use]
    pub fn has(&self, tag: &str) -> bool {
        self.known.iter().any(|known| is_tag(known, tag))
    }
}

/// 201 with a new resource and where it is.
///
/// # Errors
/// When the resource can't be written as JSON.
pub fn created<T: Serialize>(location: &str, resource: &T) -> ApiResult<HttpResponse> {
    let body = serde_json::to_vec(resource).map_err(ApiError::internal)?;
    let location = HeaderValue::from_str(location).map_err(ApiError::internal)?;
    Ok(HttpResponse::Created()
        .insert_header((header::LOCATION, location))
        .insert_header((header::ETAG, tag_of(&body)))
        .content_type("application/json")
        .body(body))
}

/// 202 with a resource that shows how far the work is, and where that is.
///
/// # Errors
/// When the resource can't be written as JSON.
pub fn accepted<T: Serialize>(location: &str, resource: &T) -> ApiResult<HttpResponse> {
    let body = serde_json::to_vec(resource).map_err(ApiError::internal)?;
    let location = HeaderValue::from_str(location).map_err(ApiError::internal)?;
    Ok(HttpResponse::Accepted()
        .insert_header((header::LOCATION, location))
        .insert_header((header::ETAG, tag_of(&body)))
        .content_type("application/json")
        .body(body))
}

/// 200 with a resource that was changed.
///
/// # Errors
/// When the resource can't be written as JSON.
pub fn changed<T: Serialize>(resource: &T) -> ApiResult<HttpResponse> {
    let body = serde_json::to_vec(resource).map_err(ApiError::internal)?;
    json(&tag_of(&body), body)
}

/// 200 with the revision that a change made, under the entity tag that `If-Match` of the next change can name.
///
/// # Errors
/// When the resource can't be written as JSON.
pub fn changed_to_revision<T: Serialize>(
    request: &HttpRequest,
    revision: RevisionId,
    resource: &T,
) -> ApiResult<HttpResponse> {
    json(&revision_tag(request, revision), serde_json::to_vec(resource).map_err(ApiError::internal)?)
}

/// 204.
#[must_use]
pub fn no_content() -> HttpResponse {
    HttpResponse::NoContent().finish()
}

/// A strong entity tag of a body.
#[must_use]
pub fn tag_of(body: &[u8]) -> String {
    let digest = Sha256::digest(body);
    let head = digest.first_chunk::<16>().map(|head| URL_SAFE_NO_PAD.encode(head)).unwrap_or_default();
    format!("\"{head}\"")
}

/// 405 with the methods that the path allows.
#[must_use]
pub fn method_not_allowed(allowed: &str) -> HttpResponse {
    let mut response = ApiError::new(Reason::MethodNotAllowed).error_response();
    if let Ok(allowed) = HeaderValue::from_str(allowed) {
        response.headers_mut().insert(header::ALLOW, allowed);
    }
    response
}

fn json(tag: &str, body: Vec<u8>) -> ApiResult<HttpResponse> {
    Ok(HttpResponse::Ok()
        .insert_header((header::ETAG, tag))
        .insert_header((header::CACHE_CONTROL, "private, no-cache"))
        .content_type("application/json")
        .body(body))
}

/// 304.
///
/// # Errors
/// Never.
pub fn not_modified(tag: &str) -> ApiResult<HttpResponse> {
    Ok(HttpResponse::NotModified().insert_header((header::ETAG, tag)).finish())
}

/// Whether `If-None-Match` names the tag. Weak forms of it match, too, as RFC 9110 (13.1.2) asks: proxies that compress make them.
#[must_use]
pub fn caller_has(request: &HttpRequest, tag: &str) -> bool {
    known_tags(request).any(|known| is_tag(known, tag))
}

fn known_tags(request: &HttpRequest) -> impl Iterator<Item = &str> {
    let values = request.headers().get_all(header::IF_NONE_MATCH).filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}

fn is_tag(known: &str, tag: &str) -> bool {
    known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag
}
