//! SAML providers and their login options.

mod certificate;

use quire_domain::bounds::SAML_PROVIDERS_MAX;
use quire_domain::saml::{SamlProvider, SamlProviderCreate, SamlProviderUpdate, SsoLogins};
use quire_server::second_factor::require_recent_proof;

use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const ALL: Resource = Tag::Sso.at("/v1/orgs/{organizationId}/saml", Some(Object::Organization));
    const ONE: Resource =
        Tag::Sso.at("/v1/orgs/{organizationId}/saml/{samlProviderId}", Some(Object::SamlProvider));
    let inspect = Needs(Action::InspectOrganization);
    let administer = Needs(Action::AdministerOrganization);
    vec![
        Route::get(
            ALL,
            inspect,
            "List an organization's SAML providers",
            list_saml_providers_in_organization_by_id,
        )
        .query::<PageQuery>()
        .lists::<SamlProvider>(),
        Route::post(ALL, administer, "Create a SAML provider", create_organization_saml_provider)
            .body::<SamlProviderCreate>()
            .answers::<SamlProvider>(201),
        Route::get(ONE, inspect, "Get a SAML provider", get_organization_saml_provider_by_id)
            .answers::<SamlProvider>(200),
        Route::delete(ONE, administer, "Delete a SAML provider", delete_organization_saml_provider)
            .answers_nothing(),
        Route::patch(ONE, administer, "Update a SAML provider", update_organization_saml_provider)
            .body::<SamlProviderUpdate>()
            .answers::<SamlProvider>(200),
        Route::get(
            Tag::Sso.at("/v1/orgs/{organizationId}/sso", None),
            Needs(Action::ViewOrganization),
            "List an organization's login options",
            list_sso_provider_logins_in_organization,
        )
        .answers::<SsoLogins>(200),
    ]
}

async fn list_saml_providers_in_organization_by_id(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<SamlProviderId>::new(format!("SAML providers of {id}"), &query)?;
    let (after, limit) = list.position();
    let (organization, slice) = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::InspectOrganization)?;
            let slice = reader.saml_providers_of(&organization, after, limit)?;
            Ok((organization, slice))
        })
        .await?;
    list.respond(
        &request,
        slice,
        |provider| provider.id,
        |provider| Ok(present::saml_provider(&state.urls, &organization, id, provider)),
    )
}

async fn create_organization_saml_provider(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Json(body): Json<SamlProviderCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let checked = body.certificate.clone().into_text()?.as_deref().map_or(Ok(()), certificate::check);
    let urls = state.urls.clone();
    let provider = state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            require_recent_proof(tx)?;
            checked?;
            let provider = tx.create_saml_provider(&organization, body)?;
            Ok(present::saml_provider(&urls, &organization, id, provider))
        })
        .await?;
    respond::created(&provider.urls.location, &provider)
}

async fn get_organization_saml_provider_by_id(
    Caller(caller): Caller,
    Path((organization, id)): Path<(OrganizationId, SamlProviderId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let provider = state
        .read(caller, move |reader| {
            let found = reader.saml_provider(organization, id)?;
            Ok(found.authorize(Action::InspectOrganization)?)
        })
        .await?;
    respond::ok(&request, &present::found_saml_provider(&state.urls, &provider))
}

async fn update_organization_saml_provider(
    Caller(caller): Caller,
    Path((organization, id)): Path<(OrganizationId, SamlProviderId)>,
    OptionalJson(body): OptionalJson<SamlProviderUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let checked = match &body.certificate {
        Some(certificate) => certificate::check(certificate.as_text()?),
        None => Ok(()),
    };
    let urls = state.urls.clone();
    let provider = state
        .transact(caller, move |tx| {
            let found = tx.saml_provider(organization, id)?.authorize(Action::AdministerOrganization)?;
            require_recent_proof(tx)?;
            let provider = tx.lock_saml_provider(found)?;
            if_match.check(&present::found_saml_provider(&urls, &provider))?;
            checked?;
            let fresh = tx.update_saml_provider(&provider, body)?;
            Ok(present::saml_provider(&urls, &provider, organization, fresh))
        })
        .await?;
    respond::changed(&provider)
}

async fn delete_organization_saml_provider(
    Caller(caller): Caller,
    Path((organization, id)): Path<(OrganizationId, SamlProviderId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let provider = tx.saml_provider(organization, id)?.authorize(Action::AdministerOrganization)?;
            require_recent_proof(tx)?;
            Ok(tx.delete_saml_provider(&provider)?)
        })
        .await?;
    Ok(respond::no_content())
}

async fn list_sso_provider_logins_in_organization(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let all = u16::try_from(SAML_PROVIDERS_MAX).unwrap_or(u16::MAX);
    let providers = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ViewOrganization)?;
            Ok(reader.saml_providers_of(&organization, None, all)?)
        })
        .await?;
    let active = providers.items.into_iter().filter(|provider| provider.is_complete());
    let items = active.map(|provider| present::sso_login(&state.urls, provider)).collect();
    respond::ok(&request, &SsoLogins { items })
}
