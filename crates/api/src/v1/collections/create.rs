//! `POST /v1/orgs/{organizationId}/collections`

use actix_web::HttpResponse;
use quire_domain::bounded::IntoText as _;
use quire_domain::collections::{CollectionCreate, DEFAULT_TITLE};
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, OptionalJson, Path};
use crate::state::State;
use crate::v1::hierarchy::Destination;
use crate::{present, respond};

/// Creates a collection at the end of its parent or of the organization's root. It takes the parent's default level.
pub async fn create_collection(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    OptionalJson(CollectionCreate { title, parent }): OptionalJson<CollectionCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let title = title.into_text()?.unwrap_or_else(|| DEFAULT_TITLE.to_owned());
    let made = state
        .transact(caller, move |tx| {
            tx.organization(id)?.authorize(Action::ViewOrganization)?;
            let destination = Destination::find(tx, id, parent)?;
            Ok(tx.create_collection(destination.as_parent(), &title)?)
        })
        .await?;
    let collection = present::collection(&state.urls, &made.collection, made.role);
    respond::created(&collection.urls.location, &collection)
}
