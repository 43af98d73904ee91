//! `GET /v1/orgs/{organizationId}/sites/{siteId}/spaces/git/installations`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::git_installations::SiteGitInstallations;
use quire_domain::ids::{OrganizationId, SiteId};
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Lists the connections of the spaces that a site shows.
pub async fn list_site_git_sync_installations(
    Caller(caller): Caller,
    Path((organization, site)): Path<(OrganizationId, SiteId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let items = state
        .read(caller, move |reader| {
            let site = reader.site(organization, site)?.authorize(Action::ViewOrganizationContent)?;
            let found = reader.git_installations_of_site(&site)?;
            Ok(found.iter().map(|found| present::listed_git_installation(&urls, found)).collect())
        })
        .await?;
    respond::ok(&request, &SiteGitInstallations { items })
}
