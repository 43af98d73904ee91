//! `…/sites/{siteId}/redirects` and `…/redirects/{siteRedirectId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_content::redirects::canonical_path;
use quire_domain::bounded::IntoText as _;
use quire_domain::ids::{OrganizationId, SiteId, SiteRedirectId};
use quire_domain::list::PageQuery;
use quire_domain::patch::Patch;
use quire_domain::policy::Action;
use quire_domain::sites::{
    RedirectFilter, SiteRedirectCreate, SiteRedirectPut, SiteRedirectResults, SiteRedirectUpdate,
    SiteRedirectsPut,
};
use quire_storage::Reader;
use quire_storage::published::PublishedSite;
use quire_storage::sites::{RedirectChange, RedirectKey, RedirectValues};

use super::destination::{Unfit, checked, written};
use super::{SitePath, lock, read};
use crate::error::ApiResult;
use crate::extract::{Caller, Json, OptionalJson, Path, Query};
use crate::listing::Listing;
use crate::preconditions::IfMatch;
use crate::respond;
use crate::state::State;
use crate::visitors::managed_site;

type RedirectPath = (OrganizationId, SiteId, SiteRedirectId);

/// Lists the redirects of a site.
pub async fn list_site_redirects(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    Query(RedirectFilter { draft, search, order_by }): Query<RedirectFilter>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let search = search.into_text()?.unwrap_or_default();
    let name = format!("redirects of {} draft {draft} by {} {search:?}", path.1, order_by.as_str());
    let list = Listing::<RedirectKey>::new(name, &query)?;
    let (after, limit) = list.position();
    let look = move |reader: &mut Reader<'_>| {
        let site = read(reader, path)?;
        Ok(reader.redirects_of(&site, (draft, &search, order_by), after.as_ref(), limit)?)
    };
    let slice = state.read(caller, look).await?;
    list.respond(&request, slice, |redirect| RedirectKey::from(redirect), Ok)
}

/// Creates a redirect.
pub async fn create_site_redirect(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    Json(body): Json<SiteRedirectCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let SiteRedirectCreate { source, destination, draft, capture_wildcard, permanent } = body;
    let source = canonical_path(&source.into_text()?);
    let check = move |reader: &mut Reader<'_>| {
        reader.site(path.0, path.1)?.authorize(Action::ManageSites)?;
        let site = managed_site(reader, path)?;
        checked(reader, &site, destination.clone()).map_err(Unfit::refusal)
    };
    let destination = written(&state.read(caller, check).await?)?;
    let values = RedirectValues { source, draft, capture_wildcard, permanent, destination };
    let redirect = state
        .transact(caller, move |tx| {
            let site = lock(tx, path)?;
            Ok(tx.create_redirect(&site, &values)?)
        })
        .await?;
    let location = format!("orgs/{}/sites/{}/redirects/{}", path.0, path.1, redirect.id);
    respond::created(&state.urls.api(location), &redirect)
}

/// Creates, updates, deletes and publishes redirects. Each change has a result of its own.
pub async fn bulk_upsert_site_redirects(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    Json(SiteRedirectsPut { redirects }): Json<SiteRedirectsPut>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let check = move |reader: &mut Reader<'_>| {
        reader.site(path.0, path.1)?.authorize(Action::ManageSites)?;
        let site = managed_site(reader, path)?;
        redirects
            .iter()
            .map(|redirect| change(reader, &site, redirect.clone()))
            .collect::<ApiResult<Vec<_>>>()
    };
    let changes = state.read(caller, check).await?;
    let results = state
        .transact(caller, move |tx| {
            let site = lock(tx, path)?;
            if_match.check_untagged()?;
            Ok(tx.put_redirects(&site, &changes)?)
        })
        .await?;
    respond::changed(&SiteRedirectResults { results })
}

/// Returns a change with its destination as it is stored.
fn change(
    reader: &mut Reader<'_>,
    site: &PublishedSite,
    redirect: SiteRedirectPut,
) -> ApiResult<RedirectChange> {
    let SiteRedirectPut { source, intent, destination, capture_wildcard, permanent } = redirect;
    let destination = match destination.0 {
        Patch::Keep => Ok(Patch::Keep),
        Patch::Clear => Ok(Patch::Clear),
        Patch::Set(input) => match checked(reader, site, input) {
            Ok(destination) => Ok(Patch::Set(written(&destination)?)),
            Err(unfit) => Err(unfit.sentence()?),
        },
    };
    let source = canonical_path(&source.into_text()?);
    Ok(RedirectChange { source, intent, destination, capture_wildcard, permanent })
}

/// Returns a redirect.
pub async fn get_site_redirect_by_id(
    Caller(caller): Caller,
    Path((organization, id, redirect)): Path<RedirectPath>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let look = move |reader: &mut Reader<'_>| {
        let site = read(reader, (organization, id))?;
        Ok(reader.redirect(&site, redirect)?)
    };
    let redirect = state.read(caller, look).await?;
    respond::ok(&request, &redirect)
}

/// Updates a redirect.
pub async fn update_site_redirect_by_id(
    Caller(caller): Caller,
    Path((organization, id, redirect)): Path<RedirectPath>,
    OptionalJson(body): OptionalJson<SiteRedirectUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let path = (organization, id);
    let SiteRedirectUpdate { source, destination, draft, capture_wildcard, permanent } = body;
    let source = source.into_text()?.map(|source| canonical_path(&source));
    let check = move |reader: &mut Reader<'_>| {
        reader.site(organization, id)?.authorize(Action::ManageSites)?;
        let Some(destination) = destination.clone() else { return Ok(None) };
        let site = managed_site(reader, path)?;
        checked(reader, &site, destination).map(Some).map_err(Unfit::refusal)
    };
    let destination = state.read(caller, check).await?;
    let redirect = state
        .transact(caller, move |tx| {
            let site = lock(tx, path)?;
            let current = tx.redirect(&site, redirect)?;
            if_match.check(&current)?;
            let values = RedirectValues {
                source: source.unwrap_or(current.source),
                draft: draft.unwrap_or(current.draft),
                capture_wildcard: capture_wildcard.unwrap_or(current.capture_wildcard),
                permanent: permanent.unwrap_or(current.permanent),
                destination: written(destination.as_ref().unwrap_or(&current.destination))?,
            };
            Ok(tx.update_redirect(&site, redirect, &values)?)
        })
        .await?;
    respond::changed(&redirect)
}

/// Deletes a redirect.
pub async fn delete_site_redirect_by_id(
    Caller(caller): Caller,
    Path((organization, id, redirect)): Path<RedirectPath>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let site = lock(tx, (organization, id))?;
            Ok(tx.delete_redirect(&site, redirect)?)
        })
        .await?;
    Ok(respond::no_content())
}
