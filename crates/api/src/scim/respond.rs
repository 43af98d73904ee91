//! Responses.

use quire_domain::scim::LIST_SCHEMA;

use super::query::{Projection, Window};
use super::{ScimError, ScimResult};
use crate::prelude::*;

/// Media type of bodies (RFC 7644, 3.1).
pub(super) const MEDIA_TYPE: &str = "application/scim+json";

/// Responds with a document.
pub(super) fn document(status: StatusCode, document: &Value) -> HttpResponse {
    HttpResponse::build(status)
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .content_type(MEDIA_TYPE)
        .body(document.to_string())
}

/// Responds with a resource.
pub(super) fn resource(
    status: StatusCode,
    resource: &impl Serialize,
    projection: &Projection,
) -> ScimResult<HttpResponse> {
    let written = projection.apply(written(resource)?);
    let mut response = document(status, &written);
    let location = written.pointer("/meta/location").and_then(Value::as_str);
    if let Some(location) = location.filter(|_| status == StatusCode::CREATED) {
        let location = header::HeaderValue::from_str(location).map_err(ApiError::internal)?;
        response.headers_mut().insert(header::LOCATION, location);
    }
    Ok(response)
}

/// Responds with a page of a list.
pub(super) fn list(items: &[Value], total: u64, window: Window) -> HttpResponse {
    let document_of_list = json!({
        "schemas": [LIST_SCHEMA],
        "totalResults": total,
        "startIndex": window.start,
        "itemsPerPage": items.len(),
        "Resources": items,
    });
    document(StatusCode::OK, &document_of_list)
}

/// Serializes a resource.
pub(super) fn written(resource: &impl Serialize) -> ScimResult<Value> {
    serde_json::to_value(resource).map_err(|error| ScimError::Api(ApiError::internal(error)))
}
