//! Responses, with one function for each kind.

use std::{fmt, io};

use actix_web::body::{BodyStream, BoxBody, MessageBody};
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, ResponseError as _};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures_util::stream;
use quire_domain::error::Reason;
use quire_domain::ids::RevisionId;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::error::{ApiError, ApiResult};
use crate::response_cache::{AnswerKey, Answers};
use crate::state::State;

/// Responds with 200, a resource and its entity tag; 304 if the caller has the resource.
///
/// # Errors
/// A resource that cannot be serialized.
pub fn ok<T: Serialize>(request: &HttpRequest, resource: &T) -> ApiResult<HttpResponse> {
    let body = serde_json::to_vec(resource).map_err(ApiError::internal)?;
    let tag = tag_of(&body);
    if caller_has(request, &tag) { not_modified(&tag) } else { json(&tag, body) }
}

/// Serialized resource with its entity tag. It is serialized on the thread that read it, off the event loop.
#[derive(Clone, Debug)]
pub struct Written {
    tag: String,
    body: Bytes,
}

impl Written {
    /// Serializes a resource as JSON.
    ///
    /// # Errors
    /// A resource that cannot be serialized.
    pub fn new<T: Serialize>(resource: &T) -> ApiResult<Self> {
        let body = serde_json::to_vec(resource).map_err(ApiError::internal)?;
        Ok(Self { tag: tag_of(&body), body: body.into() })
    }

    /// Responds with 200 and the resource; 304 if the caller has it.
    ///
    /// # Errors
    /// Never.
    pub fn respond(self, request: &HttpRequest) -> ApiResult<HttpResponse> {
        if caller_has(request, &self.tag) { not_modified(&self.tag) } else { json(&self.tag, self.body) }
    }
}

/// Responds with 200 and a stored, immutable JSON text. Its id is the entity tag.
///
/// # Errors
/// Never.
pub fn ok_immutable(
    request: &HttpRequest,
    id: impl fmt::Display,
    json_text: &[u8],
) -> ApiResult<HttpResponse> {
    let tag = format!("\"{id}\"");
    if caller_has(request, &tag) {
        return not_modified(&tag);
    }
    json(&tag, Bytes::copy_from_slice(json_text))
}

/// Responds with 200 and a part of a revision. Its entity tag depends only on the revision and the request, so the
/// resource is built only if the caller does not have it.
///
/// # Errors
/// Errors of building or serializing the resource.
pub fn ok_of_revision<T: Serialize>(
    request: &HttpRequest,
    revision: RevisionId,
    resource: impl FnOnce() -> ApiResult<T>,
) -> ApiResult<HttpResponse> {
    let tag = revision_tag(request, revision);
    if caller_has(request, &tag) {
        return not_modified(&tag);
    }
    json(&tag, serde_json::to_vec(&resource()?).map_err(ApiError::internal)?)
}

/// Returns the entity tag for a read of a revision: the revision's id, a dot, and the hash of the request.
#[must_use]
pub fn revision_tag(request: &HttpRequest, revision: RevisionId) -> String {
    Conditional::of(request).tag(revision, "").to_string()
}

/// Inputs of the entity tag of a content read, with the tags that the caller has. Unlike the request, it can be sent to
/// the reading thread, so that nothing is loaded if the caller has the content.
#[derive(Clone, Debug)]
pub struct Conditional {
    variant: Sha256,
    known: Vec<String>,
}

impl Conditional {
    /// Reads the inputs of entity tags from a request.
    #[must_use]
    pub fn of(request: &HttpRequest) -> Self {
        // The JSON of content depends on the release, the base URL and the key that signs URLs.
        let state = request.app_data::<State>();
        let writing = state.map(|state| state.representation_version.as_str()).unwrap_or_default();
        let variant =
            Sha256::new().chain_update(writing).chain_update(request.uri().to_string()).chain_update([0]);
        Self { variant, known: known_tags(request).map(str::to_owned).collect() }
    }

    /// Adds a digest of the reader, for whom the response may differ; `None` for readers who all get the same response.
    #[must_use]
    pub fn read_as(self, reader: Option<&str>) -> Self {
        match reader {
            Some(reader) => Self { variant: self.variant.chain_update(reader).chain_update([0]), ..self },
            None => self,
        }
    }

    /// Returns the entity tag of a response that depends on a revision and on other versions.
    #[must_use]
    pub fn tag(&self, revision: RevisionId, versions: &str) -> ContentTag {
        let digest = self.variant.clone().chain_update(versions).finalize().into();
        ContentTag(AnswerKey { revision, digest })
    }

    /// Returns whether the caller has the response with this tag.
    #[must_use]
    pub fn has(&self, tag: &ContentTag) -> bool {
        let tag = tag.to_string();
        self.known.iter().any(|known| is_tag(known, &tag))
    }

    /// Returns the response if the tag is enough for it: 304, or 200 with a cached body. `*` does not prove that the
    /// part exists, so it needs a cached body.
    #[must_use]
    pub fn answer(&self, answers: &Answers, tag: &ContentTag) -> Option<ContentAnswer> {
        let text = tag.to_string();
        if self.known.iter().any(|known| known != "*" && is_tag(known, &text)) {
            return Some(ContentAnswer { tag: text, body: None });
        }
        let body = answers.get(&tag.0)?;
        let has = self.known.iter().any(|known| known == "*");
        Some(ContentAnswer { tag: text, body: (!has).then_some(ContentBody::Whole(body)) })
    }
}

/// Identity of a part of content: its entity tag, and the key of its cached body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContentTag(AnswerKey);

/// Value of the `ETag` header.
impl fmt::Display for ContentTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(AnswerKey { revision, digest }) = self;
        let variant = digest.first_chunk::<6>().map(|head| URL_SAFE_NO_PAD.encode(head)).unwrap_or_default();
        write!(f, "\"{revision}.{variant}\"")
    }
}

/// Response to a read of content.
pub struct ContentAnswer {
    tag: String,
    /// `None` if the caller has the body.
    body: Option<ContentBody>,
}

/// Parts of a body. Each is produced after the client has received the previous ones.
pub type Parts = Box<dyn Iterator<Item = ApiResult<Bytes>> + Send>;

enum ContentBody {
    Whole(Bytes),
    InParts(Parts),
}

impl ContentAnswer {
    /// Responds with 304.
    #[must_use]
    pub fn not_modified(tag: &ContentTag) -> Self {
        Self { tag: tag.to_string(), body: None }
    }

    /// Responds with 200 and a part of a revision together with data that changes independently. The entity tag
    /// contains the revision and a hash of the whole resource, which is not cached.
    ///
    /// # Errors
    /// A resource that cannot be serialized.
    pub fn next_to_revision<T: Serialize>(
        conditional: &Conditional,
        revision: RevisionId,
        resource: &T,
    ) -> ApiResult<Self> {
        let body = serde_json::to_vec(resource).map_err(ApiError::internal)?;
        let tag = format!("\"{revision}.{}\"", tag_of(&body).trim_matches('"'));
        let has = conditional.known.iter().any(|known| is_tag(known, &tag));
        Ok(Self { tag, body: (!has).then(|| ContentBody::Whole(body.into())) })
    }

    /// Responds with 200 and a new resource, whose body is cached.
    ///
    /// # Errors
    /// A resource that cannot be serialized.
    pub fn new<T: Serialize>(answers: &Answers, tag: &ContentTag, resource: &T) -> ApiResult<Self> {
        let body = serde_json::to_vec(resource).map_err(ApiError::internal)?;
        Ok(Self { tag: tag.to_string(), body: Some(ContentBody::Whole(answers.keep(tag.0, body))) })
    }

    /// Responds with 200 and a JSON resource that is too large to hold in memory. It is not cached.
    #[must_use]
    pub fn in_parts(tag: &ContentTag, parts: Parts) -> Self {
        Self { tag: tag.to_string(), body: Some(ContentBody::InParts(parts)) }
    }

    /// Returns the response.
    ///
    /// # Errors
    /// Never.
    pub fn respond(self) -> ApiResult<HttpResponse> {
        match self.body {
            Some(ContentBody::Whole(body)) => json(&self.tag, body),
            Some(ContentBody::InParts(parts)) => {
                let parts = parts.map(|part| part.map_err(|error| io::Error::other(error.to_string())));
                json(&self.tag, BoxBody::new(BodyStream::new(stream::iter(parts))))
            }
            None => not_modified(&self.tag),
        }
    }
}

/// Responds with 201, a new resource and its location.
///
/// # Errors
/// A resource that cannot be serialized.
pub fn created<T: Serialize>(location: &str, resource: &T) -> ApiResult<HttpResponse> {
    located(StatusCode::CREATED, location, serde_json::to_vec(resource).map_err(ApiError::internal)?)
}

/// Responds with 202, a resource that shows the progress, and its location.
///
/// # Errors
/// A resource that cannot be serialized.
pub fn accepted<T: Serialize>(location: &str, resource: &T) -> ApiResult<HttpResponse> {
    located(StatusCode::ACCEPTED, location, serde_json::to_vec(resource).map_err(ApiError::internal)?)
}

fn located(status: StatusCode, location: &str, body: Vec<u8>) -> ApiResult<HttpResponse> {
    let location = HeaderValue::from_str(location).map_err(ApiError::internal)?;
    Ok(HttpResponse::build(status)
        .insert_header((header::LOCATION, location))
        .insert_header((header::ETAG, tag_of(&body)))
        .content_type("application/json")
        .body(body))
}

/// Responds with 200 and a changed resource.
///
/// # Errors
/// A resource that cannot be serialized.
pub fn changed<T: Serialize>(resource: &T) -> ApiResult<HttpResponse> {
    let body = serde_json::to_vec(resource).map_err(ApiError::internal)?;
    json(&tag_of(&body), body)
}

/// Responds with 200 and the new revision, with the entity tag for `If-Match` of the next change.
///
/// # Errors
/// A resource that cannot be serialized.
pub fn changed_to_revision<T: Serialize>(
    request: &HttpRequest,
    revision: RevisionId,
    resource: &T,
) -> ApiResult<HttpResponse> {
    json(&revision_tag(request, revision), serde_json::to_vec(resource).map_err(ApiError::internal)?)
}

/// Responds with 204.
#[must_use]
pub fn no_content() -> HttpResponse {
    HttpResponse::NoContent().finish()
}

/// Returns a strong entity tag of a body.
#[must_use]
pub fn tag_of(body: &[u8]) -> String {
    let digest = Sha256::digest(body);
    let head = digest.first_chunk::<16>().map(|head| URL_SAFE_NO_PAD.encode(head)).unwrap_or_default();
    format!("\"{head}\"")
}

/// Responds with 405 and the allowed methods of the path.
#[must_use]
pub fn method_not_allowed(allowed: &str) -> HttpResponse {
    let mut response = ApiError::new(Reason::MethodNotAllowed).error_response();
    if let Ok(allowed) = HeaderValue::from_str(allowed) {
        response.headers_mut().insert(header::ALLOW, allowed);
    }
    response
}

fn json(tag: &str, body: impl MessageBody + 'static) -> ApiResult<HttpResponse> {
    Ok(HttpResponse::Ok()
        .insert_header((header::ETAG, tag))
        .insert_header((header::CACHE_CONTROL, "private, no-cache"))
        .content_type("application/json")
        .body(body))
}

/// Responds with 304.
///
/// # Errors
/// Never.
pub fn not_modified(tag: &str) -> ApiResult<HttpResponse> {
    Ok(HttpResponse::NotModified().insert_header((header::ETAG, tag)).finish())
}

/// Returns whether `If-None-Match` contains the tag. Weak tags match too, as RFC 9110 (13.1.2) requires, because
/// compressing proxies weaken tags.
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
