//! `GET /v1/spaces/{spaceId}/files/{blob}/{fileName}`

use std::ops::Range;

use actix_web::body::SizedStream;
use actix_web::http::{Method, StatusCode, header};
use actix_web::mime::{self, Mime};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use quire_domain::ids::SpaceId;
use quire_revision::BlobHash;
use quire_storage::files::StoredBlob;
use quire_storage::lookup::Credentials;
use serde::Deserialize;
use utoipa::IntoParams;
use validator::Validate;

use super::range::{Wanted, wanted};
use crate::error::{ApiError, ApiResult};
use crate::extract::{Path, Query};
use crate::present::FileAddress;
use crate::respond;
use crate::state::State;

/// How much of a file is in memory for one request.
const CHUNK: u64 = 1 << 20;
/// Files come from anyone who may edit: nothing in them runs, or loads anything, even when they are opened by
/// themselves.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
/// Browsers show no PDF in a sandbox, and run nothing of a PDF in the page's name without one.
const PDF_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";
/// Bytes never change; that they may be had can end with the space.
const CACHING: &str = "private, max-age=3600, immutable";
/// What stands for itself in an extended parameter (RFC 8187, 3.2.1).
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// What the address of a download says beside its path.
#[derive(Debug, Deserialize, Validate, IntoParams)]
pub struct DownloadQuery {
    /// The media type.
    #[serde(rename = "type")]
    #[param(value_type = String)]
    content_type: Option<String>,
    /// The signature.
    token: Option<String>,
}

/// The bytes of a file, or a part of them. The address is the permission: one that wasn't made by the service leads
/// nowhere.
pub async fn download_file(
    Path((space, blob, name)): Path<(SpaceId, String, String)>,
    Query(query): Query<DownloadQuery>,
    request: HttpRequest,
    state: State,
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
        .read(Credentials::NOBODY, move |reader| Ok(reader.blob(space, blob)?))
        .await?
        .ok_or_else(ApiError::not_found)?;
    respond(&request, &state, &address, stored)
}

/// Answers a file, or the part of it that is asked for, or that the caller has it.
pub(in crate::v1) fn respond(
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
        Wanted::All => (StatusCode::OK, 0..size),
        Wanted::Part(range) => (StatusCode::PARTIAL_CONTENT, range),
        Wanted::Unsatisfiable => {
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
        // Ranges count the file's own bytes, so nothing compresses them on the way.
        .insert_header((header::CONTENT_ENCODING, "identity"));
    if status == StatusCode::PARTIAL_CONTENT {
        let last = range.end.saturating_sub(1);
        response.insert_header((header::CONTENT_RANGE, format!("bytes {}-{last}/{size}", range.start)));
    }
    let length = range.end.saturating_sub(range.start);
    // The length is told all the same, but nothing is read for it.
    let sent = if request.method() == Method::HEAD { range.end..range.end } else { range };
    Ok(response.body(SizedStream::new(length, chunks(state.clone(), stored_in, address.blob, sent))))
}

/// The header, unless it only holds for another version of the file.
fn range_header<'r>(request: &'r HttpRequest, tag: &str) -> Option<&'r str> {
    let text = |name| request.headers().get(name).and_then(|value: &header::HeaderValue| value.to_str().ok());
    text(header::IF_RANGE).is_none_or(|known| known == tag).then(|| text(header::RANGE))?
}

/// Pictures, sound, films and PDF open in place, everything else is saved.
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

/// The bytes of a range, read piece by piece as they are sent.
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
        let end = rest.end.min(rest.start.saturating_add(CHUNK));
        let read = state.storage.files().get(stored_in, blob, Some(rest.start..end)).await;
        match read.map_err(ApiError::from).and_then(|bytes| bytes.ok_or_else(missing)) {
            Ok(bytes) => Some((Ok(bytes), (state, end..rest.end))),
            Err(error) => {
                log::error!("a file broke off: {error:?}");
                Some((Err(error), (state, rest.end..rest.end)))
            }
        }
    })
}

fn missing() -> ApiError {
    ApiError::internal(anyhow::anyhow!("the bytes of a file are not in the store"))
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
