//! `GET|POST /v1/integrations/{integrationName}/installations/{installationId}/sites`,
//! `GET|PATCH|DELETE /v1/integrations/{integrationName}/installations/{installationId}/sites/{siteId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::bounded::IntoText as _;
use quire_domain::ids::{InstallationId, SiteId};
use quire_domain::integrations::{SiteInstallation, SiteInstallationCreate, SiteInstallationUpdate};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_storage::Reader;
use quire_storage::integrations::{InstallationRecord, Installed, SiteInstallationRecord};
use quire_storage::lookup::{Authorized, SiteRecord};

use super::below::{self, Resource, unknown};
use crate::error::ApiResult;
use crate::extract::{Caller, Json, OptionalJson, Path, Query};
use crate::preconditions::IfMatch;
use crate::state::State;
use crate::urls::Urls;
use crate::{present, respond};

impl Resource for SiteRecord {
    type Wire = SiteInstallation;

    const LIST: Action = Action::ListIntegrations;
    const VIEW: Action = Action::ViewOrganizationContent;
    const MANAGE: Action = Action::ManageSites;

    /// The installation first, because it determines the organization of the sites.
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

/// Lists the sites that an integration is installed on, newest first.
pub async fn list_integration_installation_sites(
    Caller(caller): Caller,
    Path(path): Path<(String, InstallationId)>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    below::list::<SiteRecord>(caller, path, &query, &request, state).await
}

/// Installs an integration of the organization on one of its sites.
pub async fn install_integration_on_site(
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

/// Returns the installation on a site.
pub async fn get_integration_site_installation(
    Caller(caller): Caller,
    Path(path): Path<(String, InstallationId, SiteId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    below::get::<SiteRecord>(caller, path, &request, state).await
}

/// Updates the installation on a site.
pub async fn update_integration_site_installation(
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

/// Uninstalls an integration from a site.
pub async fn uninstall_integration_from_site(
    Caller(caller): Caller,
    Path(path): Path<(String, InstallationId, SiteId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    below::uninstall::<SiteRecord>(caller, path, state).await
}
