//! `POST /v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/import` and
//! `POST /v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/import`

use actix_web::HttpResponse;
use quire_content::imports::Destination;
use quire_domain::ids::{PageId, SpaceId};
use quire_storage::lookup::{ChangeRequestKey, ContentSelector};

use super::body::ImportBody;
use super::import::import;
use crate::api::ApiData;
use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::preconditions::IfMatch;
use crate::preferences::Prefer;

/// Imports content at the root of a change request.
pub async fn import_content_in_change_request(
    Caller(caller): Caller,
    Path((space, key)): Path<(SpaceId, ChangeRequestKey)>,
    body: ImportBody,
    if_match: IfMatch,
    prefer: Prefer,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let destination = Destination { space, selector: ContentSelector::ChangeRequest(key), page: None };
    import(api, caller, destination, body, if_match, prefer).await
}

/// Imports content into a page of a change request.
pub async fn import_content_in_change_request_page_by_id(
    Caller(caller): Caller,
    Path((space, key, page)): Path<(SpaceId, ChangeRequestKey, PageId)>,
    body: ImportBody,
    if_match: IfMatch,
    prefer: Prefer,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let destination = Destination { space, selector: ContentSelector::ChangeRequest(key), page: Some(page) };
    import(api, caller, destination, body, if_match, prefer).await
}
