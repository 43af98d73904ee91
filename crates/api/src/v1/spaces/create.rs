//! `POST /v1/orgs/{organizationId}/spaces`

use actix_web::HttpResponse;
use quire_domain::bounded::IntoText as _;
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;
use quire_domain::spaces::{DEFAULT_EMOJI, DEFAULT_TITLE, SpaceCreate};

use crate::error::ApiResult;
use crate::extract::{Caller, OptionalJson, Path};
use crate::state::State;
use crate::v1::hierarchy::Destination;
use crate::{present, respond};

/// Creates a space with one empty revision, at the end of its parent or of the organization's root.
pub async fn create_space(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    OptionalJson(body): OptionalJson<SpaceCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let SpaceCreate { title, emoji, private: _, parent } = body;
    let title = title.into_text()?.unwrap_or_else(|| DEFAULT_TITLE.to_owned());
    let emoji = emoji.into_text()?.unwrap_or_else(|| DEFAULT_EMOJI.to_owned());
    let space = state
        .transact(caller, move |tx| {
            tx.organization(id)?.authorize(Action::ViewOrganization)?;
            let destination = Destination::find(tx, id, parent)?;
            let space = tx.create_space(destination.as_parent(), &title, &emoji)?;
            Ok(tx.space(space)?.authorize(Action::ViewSpace)?)
        })
        .await?;
    let space = present::space(&state.urls, &space, space.role());
    respond::created(&space.urls.location, &space)
}
