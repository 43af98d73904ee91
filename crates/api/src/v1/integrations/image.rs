//! `GET /v1/integrations/{integrationName}/images/{imageHash}`

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};
use quire_storage::lookup::Credentials;

use crate::error::{ApiError, ApiResult};
use crate::extract::Path;
use crate::respond;
use crate::state::State;

/// Returns an image of an integration. Its URL contains a hash of the bytes, which cannot be guessed, so it needs no
/// token and browsers can show it. The image never changes.
pub async fn get_integration_image(
    Path((name, hash)): Path<(String, String)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let tag = format!("\"{}\"", respond::tag_of(hash.as_bytes()).trim_matches('"'));
    let image = state
        .read(Credentials::ANONYMOUS, move |reader| Ok(reader.integration_image(&name, &hash)?))
        .await?
        .ok_or_else(ApiError::not_found)?;
    if respond::caller_has(&request, &tag) {
        return respond::not_modified(&tag);
    }
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, image.media_type))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox"))
        .insert_header((header::CACHE_CONTROL, "public, max-age=3600, immutable"))
        .insert_header((header::ETAG, tag))
        .body(image.bytes))
}
