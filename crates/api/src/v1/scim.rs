//! Access of identity providers with SCIM.

use quire_domain::scim::{Scim, ScimToken, ScimTokenCreate};
use quire_server::second_factor::require_recent_proof;

use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const SCIM: Resource = Tag::Sso.at("/v1/orgs/{organizationId}/scim", Some(Object::Organization));
    let inspect = Needs(Action::InspectOrganization);
    let administer = Needs(Action::AdministerOrganization);
    vec![
        Route::get(SCIM, inspect, "Get an organization's SCIM access", get_scim).answers::<Scim>(200),
        Route::post(SCIM, administer, "Create an organization's SCIM token", create_scim_token)
            .body::<ScimTokenCreate>()
            .answers::<ScimToken>(201),
        Route::delete(SCIM, administer, "Delete an organization's SCIM token", delete_scim_token)
            .answers_nothing(),
    ]
}

async fn get_scim(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let token = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::InspectOrganization)?;
            Ok(reader.scim_token(&organization)?)
        })
        .await?;
    respond::ok(&request, &present::scim(&state.urls, id, token))
}

async fn create_scim_token(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    OptionalJson(ScimTokenCreate { default_role }): OptionalJson<ScimTokenCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let issued = state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            require_recent_proof(tx)?;
            Ok(tx.create_scim_token(&organization, default_role)?)
        })
        .await?;
    let scim = present::scim(&state.urls, id, Some(issued.record));
    let location = scim.urls.location.clone();
    respond::created(&location, &ScimToken { scim, token: issued.token })
}

async fn delete_scim_token(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            require_recent_proof(tx)?;
            Ok(tx.delete_scim_token(&organization)?)
        })
        .await?;
    Ok(respond::no_content())
}
