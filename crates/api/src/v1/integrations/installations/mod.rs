//! Installations of integrations on organizations, and below them on spaces and sites.

mod below;
pub mod on_sites;
pub mod on_spaces;

use quire_domain::integrations::{
    Installation, InstallationCreate, InstallationUpdate, InstalledIntegration,
};

use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const ALL: Resource =
        Tag::Integrations.at("/v1/integrations/{integrationName}/installations", Some(Object::Integration));
    const ONE: Resource = Tag::Integrations
        .at("/v1/integrations/{integrationName}/installations/{installationId}", Some(Object::Installation));
    let view = Needs(Action::ListIntegrations);
    let administer = Needs(Action::AdministerOrganization);
    vec![
        Route::get(
            Tag::Integrations.at("/v1/orgs/{organizationId}/installations", None),
            view,
            "List an organization's installations",
            list_organization_installations,
        )
        .query::<PageQuery>()
        .lists::<InstalledIntegration>(),
        Route::post(ALL, administer, "Install an integration", install_integration)
            .body::<InstallationCreate>()
            .answers::<Installation>(201),
        Route::get(ONE, view, "Get an installation", get_integration_installation_by_id)
            .answers::<Installation>(200),
        Route::patch(ONE, administer, "Update an installation", update_integration_installation)
            .body::<InstallationUpdate>()
            .answers::<Installation>(200),
        Route::delete(ONE, administer, "Uninstall an integration", uninstall_integration).answers_nothing(),
    ]
}

async fn list_organization_installations(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<InstallationId>::new(format!("installations on {id}"), &query)?;
    let (after, limit) = list.position();
    let (slice, may_change) = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::ListIntegrations)?;
            let may_change = organization.actor().token_allows(Action::AdministerOrganization);
            Ok((reader.installations_of(&organization, after, limit)?, may_change))
        })
        .await?;
    list.respond(
        &request,
        slice,
        |(_, installation)| installation.id,
        |(integration, installation)| {
            Ok(InstalledIntegration {
                integration: present::integration(&state.urls, integration, may_change)?,
                installation: present::installation(&state.urls, id, installation),
            })
        },
    )
}

async fn install_integration(
    Caller(caller): Caller,
    Path(name): Path<String>,
    Json(InstallationCreate { organization: id }): Json<InstallationCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let installation = state
        .transact(caller, move |tx| {
            let integration = tx.integration(&name)?.authorize(Action::ViewOrganization)?;
            let organization = tx.organization(id).map_err(unknown_organization)?;
            let organization = organization.authorize(Action::AdministerOrganization)?;
            if !integration.may_be_installed_on(id) {
                return Err(ApiError::invalid_field(
                    "organization",
                    "the integration is private to another organization",
                ));
            }
            Ok(tx.install_integration(&integration, &organization)?)
        })
        .await?;
    let installation = present::installation(&state.urls, id, installation);
    respond::created(&installation.urls.location, &installation)
}

fn unknown_organization(error: quire_storage::Error) -> ApiError {
    match error {
        quire_storage::Error::NotFound => ApiError::invalid_field("organization", "does not exist"),
        error => error.into(),
    }
}

async fn get_integration_installation_by_id(
    Caller(caller): Caller,
    Path((name, id)): Path<(String, InstallationId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let found = state
        .read(caller, move |reader| {
            Ok(reader.installation(&name, id)?.authorize(Action::ListIntegrations)?)
        })
        .await?;
    respond::ok(&request, &present::found_installation(&state.urls, &found))
}

async fn update_integration_installation(
    Caller(caller): Caller,
    Path((name, id)): Path<(String, InstallationId)>,
    OptionalJson(update): OptionalJson<InstallationUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let installation = state
        .transact(caller, move |tx| {
            let found = tx.installation(&name, id)?.authorize(Action::AdministerOrganization)?;
            let installation = tx.lock_installation(found)?;
            if_match.check(&present::found_installation(&urls, &installation))?;
            let fresh = tx.update_installation(&installation, update)?;
            Ok(present::installation(&urls, installation.organization.id, fresh))
        })
        .await?;
    respond::changed(&installation)
}

async fn uninstall_integration(
    Caller(caller): Caller,
    Path((name, id)): Path<(String, InstallationId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let installation = tx.installation(&name, id)?.authorize(Action::AdministerOrganization)?;
            Ok(tx.uninstall_integration(&installation)?)
        })
        .await?;
    Ok(respond::no_content())
}
