//! OpenID Connect providers of organizations.

use quire_domain::oidc::{OidcProvider, OidcProviderCreate, OidcProviderUpdate, is_issuer};
use quire_server::second_factor::require_recent_proof;

use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const ALL: Resource = Tag::Sso.at("/v1/orgs/{organizationId}/oidc", Some(Object::Organization));
    const ONE: Resource =
        Tag::Sso.at("/v1/orgs/{organizationId}/oidc/{oidcProviderId}", Some(Object::OidcProvider));
    let inspect = Needs(Action::InspectOrganization);
    let administer = Needs(Action::AdministerOrganization);
    vec![
        Route::get(ALL, inspect, "List an organization's OpenID Connect providers", list_oidc_providers)
            .query::<PageQuery>()
            .lists::<OidcProvider>(),
        Route::post(ALL, administer, "Create an OpenID Connect provider", create_oidc_provider)
            .body::<OidcProviderCreate>()
            .answers::<OidcProvider>(201),
        Route::get(ONE, inspect, "Get an OpenID Connect provider", get_oidc_provider_by_id)
            .answers::<OidcProvider>(200),
        Route::patch(ONE, administer, "Update an OpenID Connect provider", update_oidc_provider_by_id)
            .body::<OidcProviderUpdate>()
            .answers::<OidcProvider>(200),
        Route::delete(ONE, administer, "Delete an OpenID Connect provider", delete_oidc_provider_by_id)
            .answers_nothing(),
    ]
}

/// Refuses a URL that cannot identify a provider.
///
/// # Errors
/// 400 that names the field.
pub(super) fn check(url: &str) -> ApiResult<()> {
    match is_issuer(url) {
        true => Ok(()),
        false => Err(ApiError::invalid_field("issuer", "must be an HTTPS URL without query and fragment")),
    }
}

async fn list_oidc_providers(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<OidcProviderId>::new(format!("OpenID Connect providers of {id}"), &query)?;
    let (after, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::InspectOrganization)?;
            Ok(reader.oidc_providers_of(&organization, after, limit)?)
        })
        .await?;
    list.respond(
        &request,
        slice,
        |provider| provider.id,
        |provider| Ok(present::oidc_provider(&state.urls, id, provider)),
    )
}

async fn create_oidc_provider(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Json(body): Json<OidcProviderCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let checked = check(&body.issuer.clone().into_text()?);
    let urls = state.urls.clone();
    let provider = state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            require_recent_proof(tx)?;
            checked?;
            let provider = tx.create_oidc_provider(&organization, body)?;
            Ok(present::oidc_provider(&urls, id, provider))
        })
        .await?;
    respond::created(&provider.urls.location, &provider)
}

async fn get_oidc_provider_by_id(
    Caller(caller): Caller,
    Path((organization, id)): Path<(OrganizationId, OidcProviderId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let provider = state
        .read(caller, move |reader| {
            let found = reader.oidc_provider(organization, id)?;
            Ok(found.authorize(Action::InspectOrganization)?)
        })
        .await?;
    respond::ok(&request, &present::oidc_provider(&state.urls, organization, provider.item.clone()))
}

async fn update_oidc_provider_by_id(
    Caller(caller): Caller,
    Path((organization, id)): Path<(OrganizationId, OidcProviderId)>,
    OptionalJson(body): OptionalJson<OidcProviderUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let checked = match &body.issuer {
        Some(issuer) => check(issuer.as_text()?),
        None => Ok(()),
    };
    let urls = state.urls.clone();
    let provider = state
        .transact(caller, move |tx| {
            let found = tx.oidc_provider(organization, id)?.authorize(Action::AdministerOrganization)?;
            require_recent_proof(tx)?;
            let provider = tx.lock_oidc_provider(found)?;
            if_match.check(&present::oidc_provider(&urls, organization, provider.item.clone()))?;
            checked?;
            let fresh = tx.update_oidc_provider(&provider, body)?;
            Ok(present::oidc_provider(&urls, organization, fresh))
        })
        .await?;
    respond::changed(&provider)
}

async fn delete_oidc_provider_by_id(
    Caller(caller): Caller,
    Path((organization, id)): Path<(OrganizationId, OidcProviderId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let provider = tx.oidc_provider(organization, id)?.authorize(Action::AdministerOrganization)?;
            require_recent_proof(tx)?;
            Ok(tx.delete_oidc_provider(&provider)?)
        })
        .await?;
    Ok(respond::no_content())
}
