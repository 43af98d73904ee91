//! `GET /v1/spaces/{spaceId}/change-requests/{changeRequestId}/diff/{pageId}`,
//! `GET /v1/spaces/{spaceId}/revisions/{revisionId}/compare/{otherRevisionId}/{pageId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_content::differences::PageVersions;
use quire_domain::ids::{PageId, RevisionId};
use quire_domain::policy::Action;
use quire_domain::revisions::PageDifference;
use quire_storage::lookup::ContentSelector;
use serde::Deserialize;

use super::path::ContentPath;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Path parameters: a page, and the revision that another one is compared with.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Compared {
    page_id: PageId,
    other_revision_id: Option<RevisionId>,
}

/// Returns the difference of a page between two revisions, or between a change request and the revision that it is
/// based on.
pub async fn get_page_difference(
    Caller(caller): Caller,
    Path(path): Path<ContentPath>,
    Path(Compared { page_id, other_revision_id }): Path<Compared>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let versions = state
        .read(caller, move |reader| {
            let (content, tree) = reader.content_with_tree(path.space(), path.selector())?;
            let trees = match other_revision_id {
                None => [reader.tree_before(&content)?, tree],
                Some(other) => {
                    let other = reader.content(path.space(), ContentSelector::Revision(other))?;
                    [tree, reader.tree(&other.authorize(Action::ViewSpace)?)?]
                }
            };
            let [before, after] = &trees;
            let versions = PageVersions::load(reader, &content, [before, after], &[page_id])?;
            versions.into_iter().next().ok_or_else(ApiError::not_found)
        })
        .await?;
    let difference = state
        .compute(move |_| Ok(PageDifference::new(versions.page, versions.ids, versions.compare()?)))
        .await?;
    respond::ok(&request, &difference)
}
