//! PDFs of content.

use quire_domain::clock::Timestamp;
use quire_server::files;
use quire_storage::content::files::StoredBlob;
use quire_storage::operations::pdf::{PdfPages, PdfRecord, PdfState};
use tokio::time::Instant;

use crate::pdf_poll::POLL;
use crate::prelude::*;
use crate::present::{FileAddress, PdfAddress};
use crate::v1::content::path::ContentPath;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get(
            Tag::Spaces.at("/v1/spaces/{spaceId}/pdf", Some(Object::Space)),
            Needs(Action::ViewSpace),
            "Create a PDF of a space",
            request_pdf,
        )
        .operation("getSpacePDF")
        .query::<PdfQuery>()
        .answers::<Pdf>(200)
        .audited(),
        Route::get(
            Tag::ChangeRequests.at(
                "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/pdf",
                Some(Object::ChangeRequest),
            ),
            Needs(Action::ViewSpace),
            "Create a PDF of a change request",
            request_pdf,
        )
        .operation("getChangeRequestPDF")
        .query::<PdfQuery>()
        .answers::<Pdf>(200)
        .audited(),
        Route::get(
            Tag::Spaces.at("/v1/spaces/{spaceId}/pdf/{pdfId}", None),
            Public,
            "Download a PDF",
            download_pdf,
        )
        .query::<PdfAddressQuery>()
        .answers_media("application/pdf")
        .reads_may_conflict(),
    ]
}

/// Query parameters of a PDF.
#[derive(Clone, Copy, Debug, Default, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct PdfQuery {
    /// Set to `true` to exclude the subpages of `page`. Requires `page`.
    #[param(default = false)]
    pub only: bool,
    /// Id of the page to start with. Default: all pages.
    #[param(value_type = String, required = false)]
    pub page: Option<PageId>,
}

/// Location of a PDF.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Pdf {
    /// URL of the PDF. It works without a token for one hour.
    #[schema(format = "uri", max_length = 2048)]
    pub url: String,
}

async fn request_pdf(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    Query(PdfQuery { only, page }): Query<PdfQuery>,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let state = &api.state;
    if only && page.is_none() {
        return Err(ApiError::invalid_query("page", "is required with `only`"));
    }
    let expansions = api.expansions_if(true);
    let address = state
        .transact(caller, move |tx| {
            let (content, tree, _) = path.expanded(tx, expansions.as_ref())?;
            if page.is_some_and(|page| tree.page(page).is_none()) {
                return Err(ApiError::invalid_query("page", "is not a page of this content"));
            }
            let requested = tx.request_pdf(&content, PdfPages { page, only })?;
            Ok(PdfAddress { space: content.space.id, pdf: requested.id, expires_at: requested.expires_at })
        })
        .await?;
    Ok(HttpResponse::Ok().json(Pdf { url: address.url(&state.urls, &state.signer) }))
}

/// Query parameters of a PDF URL.
#[derive(Debug, Deserialize, Validate, IntoParams)]
pub struct PdfAddressQuery {
    /// Expiry of the URL in milliseconds since 1970-01-01T00:00:00Z.
    #[param(value_type = String)]
    expires: Option<String>,
    /// Signature of the URL.
    token: Option<String>,
}

async fn download_pdf(
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
            .with_message("The PDF is not ready. Retry after the time in `Retry-After`.")),
    }
}

fn address(space: SpaceId, pdf: PdfId, query: &PdfAddressQuery) -> Option<PdfAddress> {
    let millis = query.expires.as_deref()?.parse().ok()?;
    Some(PdfAddress { space, pdf, expires_at: Timestamp::from_millis(millis).ok()? })
}

/// Returns the PDF once it is rendered, or pending at the end of the wait. No connection is held while waiting, and
/// concurrent requests share their polls.
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
