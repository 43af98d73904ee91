//! `…/sites/{siteId}/redirects` and `…/redirects/{siteRedirectId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_content::redirects::canonical_path;
use quire_domain::bounded::IntoText as _;
use quire_domain::ids::{OrganizationId, SiteId, SiteRedirectId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::sites::{RedirectFilter, SiteRedirectCreate, SiteRedirectUpdate};
use quire_storage::Reader;
use quire_storage::sites::RedirectValues;

use super::destination::{checked, written};
use super::{SitePath, lock, read};
use crate::error::ApiResult;
use crate::extract::{Caller, Json, OptionalJson, Path, Query, Reading};
use crate::listing::Listing;
use crate::preconditions::IfMatch;
use crate::respond;
use crate::state::State;
use crate::visitors::readable_site;

type RedirectPath = (OrganizationId, SiteId, SiteRedirectId);

/// Lists the redirects of a site, newest first.
pub async fn list_site_redirects(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    Query(RedirectFilter { draft, search }): Query<RedirectFilter>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let search = search.into_text()?.unwrap_or_default();
    let name = format!("redirects of {} draft {draft} {search:?}", path.1);
    let list = Listing::<SiteRedirectId>::new(name, &query)?;
    let (after, limit) = list.position();
    let look = move |reader: &mut Reader<'_>| {
        let site = read(reader, path)?;
        Ok(reader.redirects_of(&site, draft, &search, after, limit)?)
    };
    let slice = state.read(caller, look).await?;
    list.respond(&request, slice, |redirect| redirect.id, Ok)
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
        let (site, _) = readable_site(reader, &Reading::User(caller), path)?;
        checked(reader, &site, destination.clone())
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
        let (site, _) = readable_site(reader, &Reading::User(caller), path)?;
        checked(reader, &site, destination).map(Some)
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
