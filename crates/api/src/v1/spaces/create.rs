//! `POST /v1/orgs/{organizationId}/spaces`

use actix_web::HttpResponse;
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;
use quire_domain::spaces::{DEFAULT_EMOJI, DEFAULT_TITLE, SpaceCreate};
use quire_storage::spaces::Place;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, OptionalJson, Path};
use crate::state::State;
use crate::{present, respond};

/// A new space with one empty revision, at the end of the collection it is made in or of the organization's root.
pub async fn handle(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    OptionalJson(body): OptionalJson<SpaceCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let SpaceCreate { title, emoji, private: _, parent } = body;
    let title = title.unwrap_or_else(|| DEFAULT_TITLE.to_owned());
    let emoji = emoji.unwrap_or_else(|| DEFAULT_EMOJI.to_owned());
    let space = state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?;
            let space = match parent {
                None => {
                    let organization = organization.authorize(Action::CreateContent)?;
                    tx.create_space(Place::Root(&organization), &title, &emoji)?
                }
                Some(parent) => {
                    organization.authorize(Action::ViewOrganization)?;
                    let collection = tx.collection(parent).map_err(unknown_parent)?;
                    let collection = collection.authorize(Action::CreateContent).map_err(unknown_parent)?;
                    if collection.organization != id {
                        return Err(unknown_parent(quire_storage::Error::NotFound));
                    }
                    tx.create_space(Place::Collection(&collection), &title, &emoji)?
                }
            };
            Ok(tx.space(space)?.authorize(Action::ViewSpace)?)
        })
        .await?;
    let space = present::space(&state.urls, &space, space.role());
    respond::created(&space.urls.location, &space)
}

/// A parent that isn't there is the body's fault, not the path's.
fn unknown_parent(error: quire_storage::Error) -> ApiError {
    match error {
        quire_storage::Error::NotFound => ApiError::invalid_field("parent", "there is no such collection"),
        error => error.into(),
    }
}
