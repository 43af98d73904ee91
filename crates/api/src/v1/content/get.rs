//! `GET …/content`, `GET /v1/spaces/{spaceId}/revisions/{revisionId}`

use actix_web::{HttpRequest, HttpResponse};

use super::path::ContentPath;
use super::query::ContentQuery;
use crate::api::ApiData;
use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::{present, respond};

/// A revision with all its pages, files and reusable contents.
pub async fn get_content(
    Caller(caller): Caller,
    Path(place): Path<ContentPath>,
    Query(query): Query<ContentQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let state = &api.state;
    let expansions = api.expansions_if(query.computed);
    let (content, tree, computed, merged_from) = state
        .read(caller, move |reader| {
            let (content, tree, computed) = place.expanded(reader, expansions.as_ref())?;
            let merged_from = reader.merged_from(&content)?;
            Ok((content, tree, computed, merged_from))
        })
        .await?;
    let view = place.view(state, &content, &tree).with_git(query.metadata).with_computed(&computed);
    let revision = &content.revision;
    match merged_from {
        None => {
            // Where it is published changes although the revision does not.
            let versions = format!("{} {:?}", computed.versions(), view.site());
            let resource = || Ok(present::revision(&view, revision, None));
            respond::ok_of_content(&request, revision.id, &versions, resource)
        }
        // What is said of the change request changes although the revision does not.
        Some(record) => {
            let merged_from = present::change_request(&state.urls, &record, content.space.head);
            let resource = present::revision(&view, revision, Some(merged_from));
            respond::ok_beside_revision(&request, revision.id, &resource)
        }
    }
}
