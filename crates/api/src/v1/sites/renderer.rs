//! Renderers of sites.

use quire_domain::sites::{SiteRenderer, SiteRendererPut};
use quire_storage::sites::renderers::RendererSettings;
use url::Url;

use super::{SitePath, lock};
use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const RENDERER: Resource =
        Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/renderer", Some(Object::Site));
    let manage = Needs(Action::ManageSites);
    vec![
        Route::get(RENDERER, Needs(Action::ViewShareLinks), "Get a site's renderer", get_site_renderer)
            .answers::<SiteRenderer>(200),
        Route::put(RENDERER, manage, "Set a site's renderer", put_site_renderer)
            .operation("updateSiteRenderer")
            .body::<SiteRendererPut>()
            .answers::<SiteRenderer>(200),
        Route::delete(RENDERER, manage, "Remove a site's renderer", delete_site_renderer).answers_nothing(),
    ]
}

async fn get_site_renderer(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let renderer = state
        .read(caller, move |reader| {
            let site = reader.site(path.0, path.1)?.authorize(Action::ViewShareLinks)?;
            Ok(reader.renderer(&site)?)
        })
        .await?;
    respond::ok(&request, &present::site_renderer(&state.urls, path, renderer))
}

async fn put_site_renderer(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    Json(SiteRendererPut { url, secret }): Json<SiteRendererPut>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let (url, secret) = (url.into_text()?, secret.into_text()?);
    let parsed = Url::parse(&url).map_err(ApiError::internal)?;
    if parsed.query().is_some() || parsed.fragment().is_some() {
        return Err(ApiError::invalid_field("url", "must not have a query or a fragment"));
    }
    let base = Url::parse(state.urls.base()).map_err(ApiError::internal)?;
    let default_host = base.host_str().unwrap_or_default().to_owned();
    let urls = state.urls.clone();
    let renderer = state
        .transact(caller, move |tx| {
            let site = lock(tx, path)?;
            match tx.renderer(&site) {
                Ok(current) => {
                    if_match.check(&present::site_renderer(&urls, path, current))?;
                }
                Err(quire_storage::Error::NotFound) => if_match.check_absent()?,
                Err(error) => return Err(error.into()),
            }
            tx.put_renderer(&site, RendererSettings { url, secret, default_host })?;
            Ok(tx.renderer(&site)?)
        })
        .await?;
    respond::changed(&present::site_renderer(&state.urls, path, renderer))
}

async fn delete_site_renderer(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let site = lock(tx, path)?;
            Ok(tx.delete_renderer(&site)?)
        })
        .await?;
    Ok(respond::no_content())
}
