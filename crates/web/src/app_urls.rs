//! Redirects from addresses of resources in the app (`urls.app`) to the published pages about them.
//!
//! The lookup ignores tokens: it finds only public and unlisted sites, and does not distinguish unpublished from
//! missing resources.

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{CollectionId, OrganizationId, SiteId, SpaceId};
use quire_server::ApiResult;
use quire_storage::Reader;
use quire_storage::lookup::Credentials;
use quire_storage::sites::published::{SiteAddress, SiteKey};

use crate::site::{Loader, Visit, query, redirected, segments};
use crate::state::WebData;

/// Resource that an address names.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Resource {
    /// Space, and the path of a page in it.
    Space(SpaceId, Vec<String>),
    Collection(CollectionId),
    Organization(OrganizationId),
    Site(OrganizationId, SiteId),
    Integration(String),
}

/// Returns a redirect from `/s/{spaceId}/…` to the published page: for a space, a page, a change request or a revision.
pub(crate) async fn space(request: &HttpRequest, web: &WebData) -> ApiResult<Option<HttpResponse>> {
    let path = segments(parameter(request, "pagePath"));
    let resource =
        path.and_then(|path| Some(Resource::Space(parameter(request, "spaceId").parse().ok()?, path)));
    redirect_to_published(request, web, resource).await
}

/// Returns a redirect from `/c/{collectionId}` to the published page.
pub(crate) async fn collection(request: &HttpRequest, web: &WebData) -> ApiResult<Option<HttpResponse>> {
    let resource = parameter(request, "collectionId").parse().ok().map(Resource::Collection);
    redirect_to_published(request, web, resource).await
}

/// Returns a redirect from `/o/{organizationId}/…` to the published page: for an organization or one of its resources.
pub(crate) async fn organization(request: &HttpRequest, web: &WebData) -> ApiResult<Option<HttpResponse>> {
    let path = segments(parameter(request, "rest")).unwrap_or_default();
    let organization = parameter(request, "organizationId").parse().ok();
    let resource = organization.map(|organization| match path.as_slice() {
        [kind, site, ..] if kind == "sites" => match site.parse() {
            Ok(site) => Resource::Site(organization, site),
            Err(_) => Resource::Organization(organization),
        },
        _ => Resource::Organization(organization),
    });
    redirect_to_published(request, web, resource).await
}

/// Returns a redirect from `/integrations/{integrationName}` to the published page.
pub(crate) async fn integration(request: &HttpRequest, web: &WebData) -> ApiResult<Option<HttpResponse>> {
    let name = parameter(request, "integrationName").to_owned();
    redirect_to_published(request, web, Some(Resource::Integration(name))).await
}

fn parameter<'r>(request: &'r HttpRequest, name: &str) -> &'r str {
    request.match_info().get(name).unwrap_or_default()
}

async fn redirect_to_published(
    request: &HttpRequest,
    web: &WebData,
    resource: Option<Resource>,
) -> ApiResult<Option<HttpResponse>> {
    let Some(resource) = resource else { return Ok(None) };
    let shared = web.clone();
    let look = move |reader: &mut Reader<'_>| Published { web: &shared }.url(reader, &resource);
    let url = web.state.read(Credentials::ANONYMOUS, look).await?;
    Ok(url.map(|url| redirected(&format!("{url}{}", query(request)))))
}

/// Lookup of published pages about resources.
struct Published<'a> {
    web: &'a WebData,
}

impl Published<'_> {
    /// Returns the URL of the page about a resource.
    fn url(&self, reader: &mut Reader<'_>, resource: &Resource) -> ApiResult<Option<String>> {
        match resource {
            Resource::Space(space, path) => self.page(reader, *space, path),
            Resource::Collection(collection) => match reader.public_space_of_collection(*collection)? {
                Some(space) => self.page(reader, space, &[]),
                None => Ok(None),
            },
            Resource::Site(organization, site) => self.site(reader, *organization, *site),
            Resource::Organization(organization) => self.front(reader, *organization),
            Resource::Integration(name) => match reader.owner_of_open_integration(name)? {
                Some(owner) => self.front(reader, owner),
                None => Ok(None),
            },
        }
    }

    fn front(&self, reader: &mut Reader<'_>, organization: OrganizationId) -> ApiResult<Option<String>> {
        match reader.front_site(organization)? {
            Some(site) => self.site(reader, organization, site),
            None => Ok(None),
        }
    }

    fn site(
        &self,
        reader: &mut Reader<'_>,
        organization: OrganizationId,
        site: SiteId,
    ) -> ApiResult<Option<String>> {
        let key = SiteKey { address: SiteAddress::Id(organization, site), share_key: None };
        let site = reader.find_site(&key)?.and_then(|found| found.open(false));
        Ok(site.map(|site| self.web.state.urls.at_address(&site.site.address())))
    }

    /// Returns the URL of a page on the first site that shows it. Change requests and revisions are not published, so
    /// the page in the current content is used instead.
    fn page(&self, reader: &mut Reader<'_>, space: SpaceId, path: &[String]) -> ApiResult<Option<String>> {
        let keys = reader.open_sites_of_space(space)?;
        for found in reader.find_sites(&keys)?.into_iter().flatten() {
            let Some(site) = found.open(false) else { continue };
            let visit = Visit::of_anybody(site, &self.web.state.urls);
            let Some(place) = visit.site.spaces.iter().find(|place| place.space == space) else { continue };
            let mut at = |path: &[String]| {
                let (expansions, signer) = (&self.web.expansions, &self.web.state.signer);
                Loader { reader: &mut *reader, visit: &visit, expansions, signer }.site_path_at(place, path)
            };
            let mut found = at(path)?;
            if let (None, Some(rest)) = (&found, path_in_content(path)) {
                found = match at(rest)? {
                    Some(page) => Some(page),
                    None => at(&[])?,
                };
            }
            if let Some(site_path) = found {
                return Ok(Some(visit.url(&site_path)));
            }
        }
        Ok(None)
    }
}

/// Returns the path of a page within a change request or revision: `~/changes/12/install`,
/// `~/history/{revision}/install`, or a former form of these, which may also be the path of a page of the space.
fn path_in_content(path: &[String]) -> Option<&[String]> {
    let names: Vec<&str> = path.iter().take(2).map(String::as_str).collect();
    let before = match names.as_slice() {
        ["~", "changes" | "history"] => 3,
        ["change-requests" | "revisions", _] => 2,
        _ => return None,
    };
    Some(path.get(before..).unwrap_or_default())
}
