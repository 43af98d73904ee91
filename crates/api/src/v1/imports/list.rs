//! `GET /v1/spaces/{spaceId}/imports`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::SpaceId;
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the background imports of a space, newest first.
pub async fn list_imports(
    Caller(caller): Caller,
    Path(space): Path<SpaceId>,
    Query(page): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::new(format!("imports of {space}"), &page)?;
    let (below, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let space = reader.space(space)?.authorize(Action::ViewImports)?;
            Ok(reader.imports(&space, below, limit)?)
        })
        .await?;
    list.respond(&request, slice, |record| record.id, |record| Ok(present::import(&state.urls, record)))
}
