//! `POST /v1/spaces/{spaceId}/content/computed/revision`

use actix_web::{HttpRequest, HttpResponse};
use quire_content::computed::{Computed, PagePosition};
use quire_domain::computed::{ComputedRevision, ComputedRevisionRequest};
use quire_domain::ids::SpaceId;
use quire_revision::Tree;

use super::pages_of;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Json, Path, Reading};
use crate::present::{ContentView, Viewed};
use crate::respond;
use crate::state::State;

/// Returns pages computed from an OpenAPI specification. Equal source, version and seed give equal pages.
pub async fn get_computed_revision(
    caller: Reading,
    Path(space): Path<SpaceId>,
    Json(body): Json<ComputedRevisionRequest>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let seed = body.seed.into_text()?;
    let (content, tree, computed) = state
        .read(caller.credentials(), move |reader| {
            let (content, pages) = pages_of(reader, (&caller, space), body.source.clone(), &seed)?;
            let (mut tree, mut computed) = (Tree::empty(), Computed::default());
            computed.put(&mut tree, pages, PagePosition::default()).map_err(ApiError::internal)?;
            Ok((content, tree, computed))
        })
        .await?;
    let view = ContentView::new(&state.urls, &state.signer, Viewed::Space(content.space.id), &tree)
        .on_site(content.space.site.as_ref());
    let pages = view.with_computed(&computed).pages();
    // A specification consists of text: it has no files and no reusable contents.
    respond::ok(&request, &ComputedRevision { pages, files: Vec::new(), reusable_contents: Vec::new() })
}
