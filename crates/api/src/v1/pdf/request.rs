//! `GET …/pdf`

use actix_web::HttpResponse;
use quire_domain::ids::PageId;
use quire_storage::pdf::PdfPages;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use crate::api::ApiData;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Path, Query};
use crate::present::PdfAddress;
use crate::v1::content::path::ContentPath;

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

/// Starts rendering a PDF of the content, unless it exists, and returns its URL immediately.
pub async fn request_pdf(
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
