//! `GET /v1/spaces/{spaceId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_content::reading::Expressions as _;
use quire_domain::bounded::IntoText as _;
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;
use quire_domain::sites::ShareKeyQuery;
use quire_storage::lookup::Credentials;

use crate::error::ApiResult;
use crate::extract::{Path, Query, Reading, Visiting};
use crate::state::State;
use crate::visitors::{Claims, ReadableSpace, readable_space};
use crate::{present, respond};

/// Returns a space. Administrators see a deleted one until it is purged; the key of a share link opens it to anyone,
/// and a published site to its visitors.
pub async fn get_space_by_id(
    Visiting(caller): Visiting,
    Path(id): Path<SpaceId>,
    Query(query): Query<ShareKeyQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let share_key = query.share_key.into_text()?;
    if let (Some(key), Reading::User(credentials)) = (share_key, &caller) {
        return shared(*credentials, id, key, &request, &state).await;
    }
    let space = match readable_space(&state, &caller, id).await? {
        ReadableSpace::User(space) => present::space(&state.urls, &space, space.role()),
        ReadableSpace::Visitor(shared) => present::visited_space(&state.urls, &shared),
    };
    respond::ok(&request, &space)
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
            let evaluator = Claims::default().evaluator();
            if let Some(shared) = reader.shared_space(id, &key, |condition| evaluator.holds(condition))? {
                return Ok(present::shared_space(&urls, &shared, &key));
            }
            let space = reader.space(id)?.authorize_even_deleted(Action::ViewSpace)?;
            Ok(present::space(&urls, &space, space.role()))
        })
        .await?;
    respond::ok(request, &space)
}
