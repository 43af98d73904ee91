//! `GET /v1/spaces/{spaceId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::bounded::IntoText as _;
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;
use quire_domain::sites::ShareKeyQuery;
use quire_storage::lookup::{Credentials, SpaceKey};

use crate::error::ApiResult;
use crate::extract::{Path, Query, Visitor};
use crate::state::State;
use crate::{present, respond};

/// Returns a space. Administrators see a deleted one until it is purged; the key of a share link opens it to anyone.
pub async fn get_space_by_id(
    Visitor(caller): Visitor,
    Path(id): Path<SpaceId>,
    Query(query): Query<ShareKeyQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    if let Some(key) = query.share_key.into_text()? {
        return shared(caller, id, key, &request, &state).await;
    }
    let found = state.space(SpaceKey { credentials: caller, space: id }).await?;
    let space = found.authorize_even_deleted(Action::ViewSpace)?;
    respond::ok(&request, &present::space(&state.urls, &space, space.role()))
}

/// Returns the space as the key of a share link shows it, or as the caller sees it if the key is not valid.
async fn shared(
    caller: Credentials,
    id: SpaceId,
    key: String,
    request: &HttpRequest,
    state: &State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let space = state
        .read(caller, move |reader| {
            if let Some(shared) = reader.shared_space(id, &key)? {
                return Ok(present::shared_space(&urls, &shared, &key));
            }
            let space = reader.space(id)?.authorize_even_deleted(Action::ViewSpace)?;
            Ok(present::space(&urls, &space, space.role()))
        })
        .await?;
    respond::ok(request, &space)
}
