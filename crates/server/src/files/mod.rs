//! File downloads: signed URLs, ranges, headers that prevent scripts, and streaming in chunks.

mod address;
mod range;

use std::ops::Range;

use actix_web::body::SizedStream;
use actix_web::http::{Method, StatusCode, header};
use actix_web::mime::{self, Mime};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use futures_util::{StreamExt as _, stream};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use quire_domain::ids::SpaceId;
use quire_revision::BlobHash;
use quire_storage::content::files::{AddressHeaders, StoredBlob};
use quire_storage::lookup::Credentials;
use serde::Deserialize;
use validator::Validate;

pub use self::address::FileAddress;
use self::range::{RequestedRange, wanted};
use crate::error::{ApiError, ApiResult};
use crate::respond;
use crate::state::State;

/// Any editor can upload files, so a file opened in a browser must not run scripts or load resources.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
/// Browsers do not display PDFs in a sandbox, and run no script of a PDF in the origin of the page.
const PDF_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";
/// The bytes of a URL never change, but access to them ends with the space.
const CACHING: &str = "private, max-age=3600, immutable";
/// Characters that are not escaped in an extended parameter (RFC 8187, 3.2.1).
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Query parameters of a signed URL.
#[derive(Debug, Deserialize, Validate)]
pub struct SignedQuery {
    /// Media type of the response.
    #[serde(rename = "type")]
    pub content_type: Option<String>,
    /// Signature of the URL.
    pub token: Option<String>,
}

/// Responds with the bytes of a file at a signed URL, or a range of them. The signature is the permission.
///
/// # Errors
/// 404 for an invalid signature or a file that does not exist.
pub async fn respond_signed(
    (space, blob, name): (SpaceId, String, String),
    query: SignedQuery,
    request: &HttpRequest,
    state: &State,
) -> ApiResult<HttpResponse> {
    let blob: BlobHash = blob.parse().map_err(|_| ApiError::not_found())?;
    let (Some(content_type), Some(token)) = (query.content_type, query.token) else {
        return Err(ApiError::not_found());
    };
    let address = FileAddress { space, blob, name, content_type };
    if !address.is_signed_by(&state.signer, &token) {
        return Err(ApiError::not_found());
    }
    let stored = state
        .read(Credentials::ANONYMOUS, move |reader| Ok(reader.blob(space, blob)?))
        .await?
        .ok_or_else(ApiError::not_found)?;
    match redirect(request, state, &address, stored).await? {
        Some(redirect) => Ok(redirect),
        None => respond(request, state, &address, stored).await,
    }
}

/// Redirects the caller to the bucket of the file, if the operator enabled that.
async fn redirect(
    request: &HttpRequest,
    state: &State,
    address: &FileAddress,
    stored: StoredBlob,
) -> ApiResult<Option<HttpResponse>> {
    // The bucket's URL is signed for GET only. A 304 from here is cheaper than a redirect.
    if request.method() != Method::GET || respond::caller_has(request, &format!("\"{}\"", address.blob)) {
        return Ok(None);
    }
    let content_type: Mime = address.content_type.parse().unwrap_or(mime::APPLICATION_OCTET_STREAM);
    let headers = AddressHeaders {
        content_type: content_type.as_ref(),
        disposition: &disposition(&content_type, &address.name),
        caching: CACHING,
    };
    let url = state.storage.files().address(stored.stored_in, address.blob, &headers).await?;
    Ok(url.map(|url| {
        HttpResponse::TemporaryRedirect()
            .insert_header((header::LOCATION, url))
            .insert_header((header::CACHE_CONTROL, "private, max-age=60"))
            .finish()
    }))
}

/// Responds with a file or the requested range, or 304 if the caller has it.
///
/// # Errors
/// 503 if the store fails or lacks the bytes, detected before the head of the response is sent.
pub async fn respond(
    request: &HttpRequest,
    state: &State,
    address: &FileAddress,
    stored: StoredBlob,
) -> ApiResult<HttpResponse> {
    let StoredBlob { size, stored_in } = stored;
    let tag = format!("\"{}\"", address.blob);
    if respond::caller_has(request, &tag) {
        return respond::not_modified(&tag);
    }
    let (status, range) = match wanted(range_header(request, &tag), size) {
        RequestedRange::All => (StatusCode::OK, 0..size),
        RequestedRange::Part(range) => (StatusCode::PARTIAL_CONTENT, range),
        RequestedRange::Unsatisfiable => {
            return Ok(HttpResponse::RangeNotSatisfiable()
                .insert_header((header::CONTENT_RANGE, format!("bytes */{size}")))
                .finish());
        }
    };
    let content_type: Mime = address.content_type.parse().unwrap_or(mime::APPLICATION_OCTET_STREAM);
    let is_pdf = content_type.essence_str() == mime::APPLICATION_PDF.essence_str();
    let mut response = HttpResponse::build(status);
    response
        .insert_header((header::CONTENT_DISPOSITION, disposition(&content_type, &address.name)))
        .insert_header((header::CONTENT_TYPE, content_type.to_string()))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::CONTENT_SECURITY_POLICY, if is_pdf { PDF_POLICY } else { POLICY }))
        .insert_header((header::ACCEPT_RANGES, "bytes"))
        .insert_header((header::CACHE_CONTROL, CACHING))
        .insert_header((header::ETAG, tag))
        // Ranges count the file's own bytes, so the response must not be compressed.
        .insert_header((header::CONTENT_ENCODING, "identity"));
    if status == StatusCode::PARTIAL_CONTENT {
        let last = range.end.saturating_sub(1);
        response.insert_header((header::CONTENT_RANGE, format!("bytes {}-{last}/{size}", range.start)));
    }
    let length = range.end.saturating_sub(range.start);
    // HEAD has the same length, but an empty body.
    let sent = if request.method() == Method::HEAD { range.start..range.start } else { range };
    // Checked now, because the head of the response cannot be taken back once sent.
    if sent.is_empty() && !state.storage.files().contains(stored_in, address.blob).await? {
        return Err(missing());
    }
    // Fused, because the stream is polled again after its end if the requested part is empty.
    let mut chunks = Box::pin(chunks(state.clone(), stored_in, address.blob, sent).fuse());
    let first = chunks.next().await.transpose()?;
    Ok(response.body(SizedStream::new(length, stream::iter(first.map(Ok)).chain(chunks))))
}

/// Returns the `Range` header, unless `If-Range` names another version of the file.
fn range_header<'r>(request: &'r HttpRequest, tag: &str) -> Option<&'r str> {
    let text = |name| request.headers().get(name).and_then(|value: &header::HeaderValue| value.to_str().ok());
    text(header::IF_RANGE).is_none_or(|known| known == tag).then(|| text(header::RANGE))?
}

/// Returns `Content-Disposition`: images, audio, video and PDF are displayed inline, other types are downloaded.
fn disposition(content_type: &Mime, name: &str) -> String {
    let opens = matches!(content_type.type_(), mime::IMAGE | mime::AUDIO | mime::VIDEO)
        || content_type.essence_str() == mime::APPLICATION_PDF.essence_str();
    let kind = if opens { "inline" } else { "attachment" };
    let plain: String = name
        .chars()
        .map(|c| if matches!(c, ' '..='~') && !matches!(c, '"' | '\\' | '%') { c } else { '_' })
        .collect();
    format!("{kind}; filename=\"{plain}\"; filename*=UTF-8''{}", utf8_percent_encode(name, ESCAPED))
}

/// Streams the bytes of a range in chunks.
fn chunks(
    state: State,
    stored_in: SpaceId,
    blob: BlobHash,
    range: Range<u64>,
) -> impl futures_util::Stream<Item = Result<Bytes, ApiError>> {
    stream::unfold((state, range), move |(state, rest)| async move {
        if rest.is_empty() {
            return None;
        }
        let chunk = state.unread.of_chunk();
        let length = u64::try_from(chunk.length()).unwrap_or(u64::MAX);
        let end = rest.end.min(rest.start.saturating_add(length));
        let read = state.storage.files().get(stored_in, blob, Some(rest.start..end)).await;
        match read.map_err(ApiError::from).and_then(|bytes| bytes.ok_or_else(missing)) {
            Ok(bytes) => Some((Ok(chunk.holds(bytes)), (state, end..rest.end))),
            Err(error) => {
                log::error!("sending a file failed: {error:?}");
                Some((Err(error), (state, rest.end..rest.end)))
            }
        }
    })
}

fn missing() -> ApiError {
    ApiError::unavailable(anyhow::anyhow!("the bytes of a file are not in the store"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_in_headers() {
        assert_eq!(
            disposition(&mime::IMAGE_PNG, "plan \"a\".png"),
            "inline; filename=\"plan _a_.png\"; filename*=UTF-8''plan%20%22a%22.png"
        );
        assert_eq!(
            disposition(&mime::TEXT_HTML, "größe.html"),
            "attachment; filename=\"gr__e.html\"; filename*=UTF-8''gr%C3%B6%C3%9Fe.html"
        );
    }
}
