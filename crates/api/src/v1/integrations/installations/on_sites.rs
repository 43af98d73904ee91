//! `GET|POST /v1/integrations/{integrationName}/installations/{installationId}/sites`,
//! `GET|PATCH|DELETE /v1/integrations/{integrationName}/installations/{installationId}/sites/{siteId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::bounded::IntoText as _;
use quire_domain::ids::{InstallationId, SiteId};
use quire_domain::integrations::{SiteInstallationCreate, SiteInstallationUpdate};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_storage::Reader;
use quire_storage::integrations::InstallationRecord;
use quire_storage::lookup::{Authorized, InOrganization, SiteRecord};

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Json, OptionalJson, Path, Query};
use crate::listing::Listing;
use crate::preconditions::IfMatch;
use crate::state::State;
use crate::{present, respond};

type Installed = Authorized<InOrganization<InstallationRecord>>;

/// The sites that an integration is installed on, newest first.
pub async fn list_integration_installation_sites(
    Caller(caller): Caller,
    Path((name, id)): Path<(String, InstallationId)>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<SiteId>::new(format!("sites of {id}"), &query)?;
    let (after, limit) = list.position();
    let (installation, slice) = state
        .read(caller, move |reader| {
            let installation = reader.installation(&name, id)?.authorize(Action::ListIntegrations)?;
            let slice = reader.sites_of_installation(&installation, after, limit)?;
            Ok((installation, slice))
        })
        .await?;
    list.respond(
        &request,
        slice,
        |on_site| on_site.place,
        |on_site| Ok(present::site_installation(&state.urls, &installation.item, on_site)),
    )
}

/// Installs an integration that the organization has on one of its sites.
pub async fn install_integration_on_site(
    Caller(caller): Caller,
    Path((name, id)): Path<(String, InstallationId)>,
    Json(SiteInstallationCreate { site_id: site }): Json<SiteInstallationCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let on_site = state
        .transact(caller, move |tx| {
            let installation = tx.installation(&name, id)?.authorize(Action::ManageSites)?;
            let site = tx.site(installation.organization.id, site).map_err(unknown_site)?;
            let site = tx.lock_site(site.authorize(Action::ManageSites)?).map_err(unknown_site)?;
            let on_site = tx.install_on_site(&installation, &site)?;
            Ok(present::site_installation(&urls, &installation.item, on_site))
        })
        .await?;
    respond::created(&on_site.urls.location, &on_site)
}

/// The installation on a site.
pub async fn get_integration_site_installation(
    Caller(caller): Caller,
    Path((name, id, site)): Path<(String, InstallationId, SiteId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (installation, on_site) = state
        .read(caller, move |reader| {
            let (installation, site) = find(reader, &name, id, site, Action::ViewOrganizationContent)?;
            let on_site = reader.installation_on_site(&installation, &site)?;
            Ok((installation, on_site))
        })
        .await?;
    respond::ok(&request, &present::site_installation(&state.urls, &installation.item, on_site))
}

/// Configures the installation on a site.
pub async fn update_integration_site_installation(
    Caller(caller): Caller,
    Path((name, id, site)): Path<(String, InstallationId, SiteId)>,
    OptionalJson(body): OptionalJson<SiteInstallationUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let SiteInstallationUpdate { external_ids, configuration } = body;
    let external_ids = external_ids.into_text()?;
    let urls = state.urls.clone();
    let on_site = state
        .transact(caller, move |tx| {
            let (installation, site) = find(tx, &name, id, site, Action::ManageSites)?;
            let before = tx.lock_installation_on_site(&installation, &site)?;
            if_match.check(&present::site_installation(&urls, &installation.item, before.clone()))?;
            let fresh = tx.update_on_site(&installation, &before, configuration, external_ids)?;
            Ok(present::site_installation(&urls, &installation.item, fresh))
        })
        .await?;
    respond::changed(&on_site)
}

/// Takes an integration from a site.
pub async fn uninstall_integration_from_site(
    Caller(caller): Caller,
    Path((name, id, site)): Path<(String, InstallationId, SiteId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let (installation, site) = find(tx, &name, id, site, Action::ManageSites)?;
            Ok(tx.uninstall_from_site(&installation, &site)?)
        })
        .await?;
    Ok(respond::no_content())
}

/// The installation first: it says whose sites are meant.
fn find(
    reader: &mut Reader<'_>,
    name: &str,
    id: InstallationId,
    site: SiteId,
    action: Action,
) -> ApiResult<(Installed, Authorized<SiteRecord>)> {
    let installation = reader.installation(name, id)?.authorize(Action::ListIntegrations)?;
    let site = reader.site(installation.organization.id, site)?.authorize(action)?;
    Ok((installation, site))
}

/// A site that isn't there is the body's fault, not the path's.
fn unknown_site(error: quire_storage::Error) -> ApiError {
    match error {
        quire_storage::Error::NotFound => {
            ApiError::invalid_field("siteId", "there is no such site in this organization")
        }
        error => error.into(),
    }
}
