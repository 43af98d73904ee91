//! `POST /v1/spaces/{spaceId}/content/import` and `POST /v1/spaces/{spaceId}/content/page/{pageId}/import`

use actix_web::HttpResponse;
use quire_content::imports::Destination;
use quire_domain::ids::{PageId, SpaceId};
use quire_storage::lookup::ContentSelector;

use super::body::ImportBody;
use super::import::import;
use crate::api::ApiData;
use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::preconditions::IfMatch;
use crate::preferences::Prefer;

/// Imports content at the root of a space's main content.
pub async fn import_content(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    body: ImportBody,
    if_match: IfMatch,
    prefer: Prefer,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let destination = Destination { space, selector: ContentSelector::Space, page: None };
    import(api, caller, destination, body, if_match, prefer).await
}

/// Imports content into a page of a space's main content.
pub async fn import_content_in_page_by_id(
    Caller(caller): Caller,
    Path((space, page)): Path<(SpaceId, PageId)>,
    body: ImportBody,
    if_match: IfMatch,
    prefer: Prefer,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let destination = Destination { space, selector: ContentSelector::Space, page: Some(page) };
    import(api, caller, destination, body, if_match, prefer).await
}
