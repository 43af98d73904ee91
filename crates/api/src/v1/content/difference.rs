//! `GET /v1/spaces/{spaceId}/change-requests/{changeRequestId}/diff/{pageId}`,
//! `GET /v1/spaces/{spaceId}/revisions/{revisionId}/compare/{otherRevisionId}/{pageId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_content::computed::Computed;
use quire_content::differences::PageVersions;
use quire_content::rendering::{Targets, resolve};
use quire_domain::ids::{PageId, RevisionId};
use quire_domain::policy::Action;
use quire_domain::revisions::{DifferenceArrangement, DifferenceFormat, DifferenceQuery, PageDifference};
use quire_render::{DifferenceView, Options, Resolved, render_difference};
use quire_storage::Storage;
use quire_storage::lookup::ContentSelector;
use serde::Deserialize;

use super::path::ContentPath;
use crate::api::ApiData;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Path, Query};
use crate::respond;

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
    Query(DifferenceQuery { format, view }): Query<DifferenceQuery>,
    request: HttpRequest,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let (state, shared) = (&api.state, api.clone());
    let (versions, resolved) = state
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
            let versions = versions.into_iter().next().ok_or_else(ApiError::not_found)?;
            let resolved = match format {
                DifferenceFormat::Json => Resolved::default(),
                DifferenceFormat::Html => {
                    let presented = path.view(&shared.state, &content, after);
                    let expansions = shared.expansions();
                    let targets = Targets::new(&presented, &expansions, path.space(), after);
                    let documents = versions.documents()?;
                    resolve(reader, caller, &content, targets, &Computed::default(), &documents.each_ref())?
                }
            };
            Ok((versions, resolved))
        })
        .await?;
    let highlighter = api.highlighter();
    let compare = move |_: &Storage| {
        let difference = versions.compare()?;
        let PageVersions { page, ids, .. } = versions;
        if format == DifferenceFormat::Json {
            return Ok(PageDifference::new(page, ids, difference));
        }
        let view = match view {
            DifferenceArrangement::Inline => DifferenceView::Inline,
            DifferenceArrangement::Split => DifferenceView::Split,
        };
        let options = Options { links_headings: false, ..Options::english(&highlighter) };
        let rendered = render_difference(&difference, view, &resolved, &options);
        Ok(PageDifference::of_html(page, ids, &difference, rendered.html))
    };
    let difference = state.compute(compare).await?;
    respond::ok(&request, &difference)
}
