//! `GET /v1/spaces/{spaceId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::bounded::IntoText as _;
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;
use quire_domain::sites::ShareKeyQuery;

use crate::error::ApiResult;
use crate::extract::{Path, Query, Visitor};
use crate::state::State;
use crate::{present, respond};

/// A space. Its admins see it for as long as it can be restored; the key of a share link opens it to anybody.
pub async fn get_space_by_id(
    Visitor(caller): Visitor,
    Path(id): Path<SpaceId>,
    Query(query): Query<ShareKeyQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (key, urls) = (query.share_key.into_text()?, state.urls.clone());
    let space = state
        .read(caller, move |reader| {
            if let Some(key) = &key
                && let Some(shared) = reader.shared_space(id, key)?
            {
                return Ok(present::shared_space(&urls, &shared, key));
            }
            let space = reader.space(id)?.authorize_even_deleted(Action::ViewSpace)?;
            Ok(present::space(&urls, &space, space.role()))
        })
        .await?;
    respond::ok(&request, &space)
}
