//! `GET …/pdf`

use actix_web::HttpResponse;
use quire_domain::ids::PageId;
use quire_storage::pdfs::PdfPages;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use crate::api::ApiData;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Path, Query};
use crate::present::PdfAddress;
use crate::v1::content::path::ContentPath;

/// Which pages to show.
#[derive(Clone, Copy, Debug, Default, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct PdfQuery {
    /// Whether to leave out the pages below `page`.
    #[param(default = false)]
    pub only: bool,
    /// The page to begin with; all pages without it.
    #[param(value_type = String, required = false)]
    pub page: Option<PageId>,
}

/// Where a PDF is.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Pdf {
    /// Its address, which works without a token for an hour.
    #[schema(format = "uri", max_length = 2048)]
    pub url: String,
}

/// Has a PDF made of what the caller may read, unless it is there, and answers at once where it will be.
pub async fn request_pdf(
    Caller(caller): Caller,
    Path(place): Path<ContentPath>,
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
            let (content, tree, _) = place.expanded(tx, expansions.as_ref())?;
            if page.is_some_and(|page| tree.page(page).is_none()) {
                return Err(ApiError::invalid_query("page", "is not a page of this content"));
            }
            let requested = tx.request_pdf(&content, PdfPages { page, only })?;
            Ok(PdfAddress { space: content.space.id, pdf: requested.id, expires_at: requested.expires_at })
        })
        .await?;
    Ok(HttpResponse::Ok().json(Pdf { url: address.url(&state.urls, &state.signer) }))
}
