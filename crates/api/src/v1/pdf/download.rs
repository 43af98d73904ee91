//! `GET /v1/spaces/{spaceId}/pdf/{pdfId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::clock::Timestamp;
use quire_domain::error::Reason;
use quire_domain::ids::{PdfId, SpaceId};
use quire_server::files;
use quire_storage::files::StoredBlob;
use quire_storage::lookup::Credentials;
use quire_storage::pdf::{PdfRecord, PdfState};
use serde::Deserialize;
use tokio::time::Instant;
use utoipa::IntoParams;
use validator::Validate;

use crate::api::{Api, ApiData};
use crate::error::{ApiError, ApiResult};
use crate::extract::{Path, Query};
use crate::pdf_poll::POLL;
use crate::present::{FileAddress, PdfAddress};

/// Query parameters of a PDF URL.
#[derive(Debug, Deserialize, Validate, IntoParams)]
pub struct PdfAddressQuery {
    /// Expiry of the URL in milliseconds since 1970-01-01T00:00:00Z.
    #[param(value_type = String)]
    expires: Option<String>,
    /// Signature of the URL.
    token: Option<String>,
}

/// Returns the bytes of a PDF, and waits while it is rendered. The signed URL is the permission, until it expires.
pub async fn download_pdf(
    Path((space, pdf)): Path<(SpaceId, PdfId)>,
    Query(query): Query<PdfAddressQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let state = &api.state;
    let address = address(space, pdf, &query).ok_or_else(ApiError::not_found)?;
    let is_signed = query.token.is_some_and(|token| address.is_signed_by(&state.signer, &token));
    if !is_signed || address.expires_at <= state.storage.clock().now() {
        return Err(ApiError::not_found());
    }
    let record = made(&api, space, pdf).await?;
    match record.state {
        PdfState::Ready { blob, size } => {
            let name = format!("{}.pdf", record.title);
            let file = FileAddress { space, blob, name, content_type: "application/pdf".to_owned() };
            files::respond(&request, state, &file, StoredBlob { size, stored_in: space }).await
        }
        PdfState::Failed => Err(ApiError::new(Reason::PdfFailed)),
        PdfState::NotInstalled => Err(ApiError::new(Reason::Unavailable)
            .with_message("The PDF renderer is not installed. Request the PDF again later.")),
        PdfState::Waiting => Err(ApiError::new(Reason::Unavailable)
            .with_message("The PDF is not finished. Retry after `Retry-After`.")),
    }
}

fn address(space: SpaceId, pdf: PdfId, query: &PdfAddressQuery) -> Option<PdfAddress> {
    let millis = query.expires.as_deref()?.parse().ok()?;
    Some(PdfAddress { space, pdf, expires_at: Timestamp::from_millis(millis).ok()? })
}

/// Returns the PDF once it is rendered or the wait is over. No connection is held while waiting, and concurrent
/// requests share their polls.
async fn made(api: &Api, space: SpaceId, pdf: PdfId) -> ApiResult<PdfRecord> {
    let poll = || async {
        let record =
            api.state.read(Credentials::ANONYMOUS, move |reader| Ok(reader.pdf(space, pdf)?)).await?;
        record.ok_or_else(ApiError::not_found)
    };
    let deadline = Instant::now() + api.settings.pdf_wait;
    let mut record = poll().await?;
    while record.state == PdfState::Waiting && Instant::now() < deadline {
        tokio::time::sleep_until(deadline.min(Instant::now() + POLL)).await;
        if let Some(seen) = api.pdfs.poll(pdf, poll).await? {
            record = seen;
        }
    }
    Ok(record)
}
