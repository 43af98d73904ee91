//! `GET /v1/spaces/{spaceId}/deleted-pages`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::content::DeletedPage;
use quire_domain::ids::SpaceId;
use quire_domain::list::PageQuery;
use quire_domain::object::DeletedPageTag;
use quire_domain::policy::Action;
use quire_storage::content::{self, DeletedPageKey};
use quire_storage::lookup::ContentSelector;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the 1000 pages that were deleted last from the current content of a space and are not back, last deleted
/// first.
pub async fn list_deleted_pages(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<DeletedPageKey>::new(format!("deleted pages of {space}"), &query)?;
    let (after, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let content = reader.content(space, ContentSelector::Space)?.authorize(Action::ViewSpace)?;
            let tree = reader.tree(&content)?;
            Ok(reader.deleted_pages(&content, &tree, after, limit)?)
        })
        .await?;
    list.respond(&request, slice, content::DeletedPage::key, |page| {
        Ok(DeletedPage {
            object: DeletedPageTag::Tag,
            id: page.id,
            title: page.title,
            revision: page.revision,
            deleted_at: page.deleted_at,
            deleted_by: page.deleted_by.map(|user| present::user(&state.urls, &user)),
        })
    })
}
