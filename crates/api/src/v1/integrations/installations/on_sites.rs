//! Installations of integrations on sites.

use quire_domain::integrations::{SiteInstallation, SiteInstallationCreate, SiteInstallationUpdate};
use quire_storage::operations::integrations::{InstallationRecord, Installed, SiteInstallationRecord};
use quire_storage::sites::SiteRecord;

use super::below;
use super::below::{InstallationTarget, unknown};
use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const ALL: Resource = Tag::Integrations.at(
        "/v1/integrations/{integrationName}/installations/{installationId}/sites",
        Some(Object::Installation),
    );
    const ONE: Resource = Tag::Integrations.at(
        "/v1/integrations/{integrationName}/installations/{installationId}/sites/{siteId}",
        Some(Object::Site),
    );
    let manage = Needs(Action::ManageSites);
    vec![
        Route::get(
            ALL,
            Needs(Action::ListIntegrations),
            "List an installation's sites",
            list_integration_installation_sites,
        )
        .query::<PageQuery>()
        .lists::<SiteInstallation>(),
        Route::post(ALL, manage, "Install an integration on a site", install_integration_on_site)
            .body::<SiteInstallationCreate>()
            .answers::<SiteInstallation>(201),
        Route::get(
            ONE,
            Needs(Action::ViewOrganizationContent),
            "Get an installation on a site",
            get_integration_site_installation,
        )
        .answers::<SiteInstallation>(200),
        Route::patch(ONE, manage, "Update an installation on a site", update_integration_site_installation)
            .body::<SiteInstallationUpdate>()
            .answers::<SiteInstallation>(200),
        Route::delete(ONE, manage, "Uninstall an integration from a site", uninstall_integration_from_site)
            .answers_nothing(),
    ]
}

impl InstallationTarget for SiteRecord {
    type Wire = SiteInstallation;

    const LIST: Action = Action::ListIntegrations;
    const VIEW: Action = Action::ViewOrganizationContent;
    const MANAGE: Action = Action::ManageSites;

    /// Looks up the installation first, because it determines the organization of the sites.
    fn find(
        reader: &mut Reader<'_>,
        (name, id, site): &below::Path<Self>,
        action: Action,
    ) -> ApiResult<(Installed, Authorized<Self>)> {
        let installation = reader.installation(name, *id)?.authorize(Action::ListIntegrations)?;
        let site = reader.site(installation.organization.id, *site)?.authorize(action)?;
        Ok((installation, site))
    }

    fn present(
        urls: &Urls,
        installation: &InstallationRecord,
        record: SiteInstallationRecord,
    ) -> SiteInstallation {
        present::site_installation(urls, installation, record)
    }
}

async fn list_integration_installation_sites(
    Caller(caller): Caller,
    Path(path): Path<(String, InstallationId)>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    below::list::<SiteRecord>(caller, path, &query, &request, state).await
}

async fn install_integration_on_site(
    Caller(caller): Caller,
    Path((name, id)): Path<(String, InstallationId)>,
    Json(SiteInstallationCreate { site_id: site }): Json<SiteInstallationCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let unknown = unknown("siteId", "does not exist in this organization");
    let on_site = state
        .transact(caller, move |tx| {
            let installation = tx.installation(&name, id)?.authorize(Action::ManageSites)?;
            let site = tx.site(installation.organization.id, site).map_err(&unknown)?;
            let site = tx.lock_site(site.authorize(Action::ManageSites)?).map_err(&unknown)?;
            let on_site = tx.install_on_site(&installation, &site)?;
            Ok(present::site_installation(&urls, &installation.item, on_site))
        })
        .await?;
    respond::created(&on_site.urls.location, &on_site)
}

async fn get_integration_site_installation(
    Caller(caller): Caller,
    Path(path): Path<(String, InstallationId, SiteId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    below::get::<SiteRecord>(caller, path, &request, state).await
}

async fn update_integration_site_installation(
    Caller(caller): Caller,
    Path(path): Path<(String, InstallationId, SiteId)>,
    OptionalJson(body): OptionalJson<SiteInstallationUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let SiteInstallationUpdate { external_ids, configuration } = body;
    let external_ids = external_ids.into_text()?;
    below::update::<SiteRecord>(caller, path, configuration, external_ids, if_match, state).await
}

async fn uninstall_integration_from_site(
    Caller(caller): Caller,
    Path(path): Path<(String, InstallationId, SiteId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    below::uninstall::<SiteRecord>(caller, path, state).await
}
