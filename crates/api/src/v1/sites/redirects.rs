//! Redirects of sites.

use quire_content::redirects::{RedirectTarget, canonical_path, follow};
use quire_domain::sites::{
    FoundRedirect, RedirectFilter, RedirectQuery, SiteRedirect, SiteRedirectCreate, SiteRedirectPut,
    SiteRedirectResults, SiteRedirectUpdate, SiteRedirectsPut,
};
use quire_storage::sites::published::PublishedSite;
use quire_storage::sites::{RedirectChange, RedirectKey, RedirectValues};

use super::destination::{Unfit, checked, root, written};
use super::{SitePath, lock, read};
use crate::prelude::*;
use crate::visitors::{managed_site, readable_site};

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const REDIRECTS: Resource =
        Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/redirects", Some(Object::Site));
    const REDIRECT: Resource = Tag::Sites.at(
        "/v1/orgs/{organizationId}/sites/{siteId}/redirects/{siteRedirectId}",
        Some(Object::SiteRedirect),
    );
    let view = Needs(Action::ViewOrganizationContent);
    let manage = Needs(Action::ManageSites);
    vec![
        Route::get(REDIRECTS, view, "List a site's redirects", list_site_redirects)
            .query::<RedirectFilter>()
            .query::<PageQuery>()
            .lists::<SiteRedirect>(),
        Route::post(REDIRECTS, manage, "Create a redirect", create_site_redirect)
            .body::<SiteRedirectCreate>()
            .answers::<SiteRedirect>(201),
        Route::put(REDIRECTS, manage, "Change several redirects", bulk_upsert_site_redirects)
            .body::<SiteRedirectsPut>()
            .answers::<SiteRedirectResults>(200),
        Route::get(REDIRECT, view, "Get a redirect", get_site_redirect_by_id).answers::<SiteRedirect>(200),
        Route::patch(REDIRECT, manage, "Update a redirect", update_site_redirect_by_id)
            .body::<SiteRedirectUpdate>()
            .answers::<SiteRedirect>(200),
        Route::delete(REDIRECT, manage, "Delete a redirect", delete_site_redirect_by_id).answers_nothing(),
        Route::get(
            Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/redirect", None),
            SignedIn,
            "Find a redirect by its source",
            get_site_redirect_by_source,
        )
        .query::<RedirectQuery>()
        .answers::<FoundRedirect>(200)
        .for_visitors(),
    ]
}

type RedirectPath = (OrganizationId, SiteId, SiteRedirectId);

async fn list_site_redirects(
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
    list.respond(
        &request,
        slice,
        |redirect| RedirectKey::from(redirect),
        |redirect| Ok(SiteRedirect::from(redirect)),
    )
}

async fn create_site_redirect(
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
    respond::created(&state.urls.api(location), &SiteRedirect::from(redirect))
}

async fn bulk_upsert_site_redirects(
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

/// Returns a change with the stored form of its destination.
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

async fn get_site_redirect_by_id(
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
    respond::ok(&request, &SiteRedirect::from(redirect))
}

async fn update_site_redirect_by_id(
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
            let current = SiteRedirect::from(tx.redirect(&site, redirect)?);
            if_match.check(&current)?;
            let current = current.facts;
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
    respond::changed(&SiteRedirect::from(redirect))
}

async fn delete_site_redirect_by_id(
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

async fn get_site_redirect_by_source(
    caller: Reading,
    Path(path): Path<SitePath>,
    Query(RedirectQuery { source, share_key }): Query<RedirectQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (source, share_key) = (source.into_text()?, share_key.into_text()?);
    let (urls, credentials) = (state.urls.clone(), caller.credentials());
    let look = move |reader: &mut Reader<'_>| {
        let (site, _) = readable_site(reader, &caller, path)?;
        let found = follow(reader, &site, &source)?.ok_or_else(ApiError::not_found)?;
        let target = match found.target {
            RedirectTarget::SitePath(path) => format!("{}{path}", root(&urls, &site, share_key.as_deref())),
            RedirectTarget::Url(url) => url,
        };
        Ok(FoundRedirect { redirect: found.redirect.into(), target })
    };
    let found = state.read(credentials, look).await?;
    respond::ok(&request, &found)
}
