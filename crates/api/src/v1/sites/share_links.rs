//! Share links of sites.

use quire_domain::sites::{ShareLink, ShareLinkCreate, ShareLinkUpdate};

use super::{SitePath, lock};
use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const SHARE_LINKS: Resource =
        Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/share-links", Some(Object::Site));
    const SHARE_LINK: Resource = Tag::Sites
        .at("/v1/orgs/{organizationId}/sites/{siteId}/share-links/{shareLinkId}", Some(Object::ShareLink));
    let read = Needs(Action::ViewShareLinks);
    let manage = Needs(Action::ManageSites);
    vec![
        Route::get(SHARE_LINKS, read, "List a site's share links", list_site_share_links)
            .query::<PageQuery>()
            .lists::<ShareLink>(),
        Route::post(SHARE_LINKS, manage, "Create a share link", create_site_share_link)
            .body::<ShareLinkCreate>()
            .answers::<ShareLink>(201),
        Route::get(SHARE_LINK, read, "Get a share link", get_site_share_link_by_id).answers::<ShareLink>(200),
        Route::patch(SHARE_LINK, manage, "Update a share link", update_site_share_link_by_id)
            .body::<ShareLinkUpdate>()
            .answers::<ShareLink>(200),
        Route::delete(SHARE_LINK, manage, "Delete a share link", delete_site_share_link_by_id)
            .answers_nothing(),
    ]
}

type LinkPath = (OrganizationId, SiteId, ShareLinkId);

async fn list_site_share_links(
    Caller(caller): Caller,
    Path((organization, id)): Path<SitePath>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<ShareLinkId>::new(format!("share links of {id}"), &query)?;
    let (after, limit) = list.position();
    let (site, slice) = state
        .read(caller, move |reader| {
            let site = reader.site(organization, id)?.authorize(Action::ViewShareLinks)?;
            let slice = reader.share_links_of(&site, after, limit)?;
            Ok((site, slice))
        })
        .await?;
    let view = SiteView::new(&state.urls, &site);
    list.respond(&request, slice, |link| link.id, |link| Ok(view.share_link(&link)))
}

async fn get_site_share_link_by_id(
    Caller(caller): Caller,
    Path((organization, id, link)): Path<LinkPath>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (site, link) = state
        .read(caller, move |reader| {
            let site = reader.site(organization, id)?.authorize(Action::ViewShareLinks)?;
            let link = reader.share_link(&site, link)?;
            Ok((site, link))
        })
        .await?;
    respond::ok(&request, &SiteView::new(&state.urls, &site).share_link(&link))
}

async fn create_site_share_link(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    OptionalJson(body): OptionalJson<ShareLinkCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let name = body.name.into_text()?;
    let (site, link) = state
        .transact(caller, move |tx| {
            let site = lock(tx, path)?;
            let link = tx.create_share_link(&site, name.as_deref())?;
            Ok((site, link))
        })
        .await?;
    let link = SiteView::new(&state.urls, &site).share_link(&link);
    respond::created(&link.urls.location, &link)
}

async fn update_site_share_link_by_id(
    Caller(caller): Caller,
    Path((organization, id, link)): Path<LinkPath>,
    OptionalJson(body): OptionalJson<ShareLinkUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let (site, link) = state
        .transact(caller, move |tx| {
            let site = lock(tx, (organization, id))?;
            let current = tx.share_link(&site, link)?;
            if_match.check(&SiteView::new(&urls, &site).share_link(&current))?;
            let link = tx.update_share_link(&site, link, body)?;
            Ok((site, link))
        })
        .await?;
    respond::changed(&SiteView::new(&state.urls, &site).share_link(&link))
}

async fn delete_site_share_link_by_id(
    Caller(caller): Caller,
    Path((organization, id, link)): Path<LinkPath>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let site = lock(tx, (organization, id))?;
            Ok(tx.delete_share_link(&site, link)?)
        })
        .await?;
    Ok(respond::no_content())
}
