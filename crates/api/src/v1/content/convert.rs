//! `POST /v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/convert`

use std::time::{Duration, Instant};

use actix_web::{HttpRequest, HttpResponse};
use quire_content::edits::{Converted, convert};
use quire_domain::content::{Conversion, ConversionRequest};
use quire_domain::error::Reason;
use quire_domain::policy::Action;
use quire_revision::PageType;

use super::page::Item;
use super::path::ContentPath;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Json, Path};
use crate::respond;
use crate::state::State;

/// Time that the Markdown of a request may take to be read.
const READING_TIME: Duration = Duration::from_secs(5);

/// Returns the content of a request as Markdown, and the document that the page would have with it.
pub async fn convert_page_content(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    Path(Item { page_id }): Path<Item>,
    Json(ConversionRequest { document }): Json<ConversionRequest>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let tree = state
        .read(caller, move |reader| {
            let content = reader.content(path.space(), path.selector())?.authorize(Action::EditContent)?;
            let tree = reader.tree(&content)?;
            let page = tree.page(page_id).filter(|page| page.page_type() == PageType::Document);
            page.ok_or_else(ApiError::not_found)?;
            Ok(tree)
        })
        .await?;
    let deadline = Instant::now() + READING_TIME;
    let converted = state
        .compute(move |_| {
            let Converted { markdown, document } =
                convert(&tree, page_id, document, &|| Instant::now() > deadline)
                    .map_err(|fields| ApiError::new(Reason::InvalidBody).with_details(fields))?;
            Ok(Conversion { markdown, document: document.to_canonical_json().into() })
        })
        .await?;
    respond::ok(&request, &converted)
}
