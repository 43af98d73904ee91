//! `GET /v1/orgs/{organizationId}/sites/{siteId}/redirect`

use actix_web::{HttpRequest, HttpResponse};
use quire_content::redirects::{RedirectTarget, follow};
use quire_domain::bounded::IntoText as _;
use quire_domain::sites::{FoundRedirect, RedirectQuery};
use quire_storage::Reader;

use super::SitePath;
use super::destination::root;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Path, Query, Reading};
use crate::respond;
use crate::state::State;
use crate::visitors::readable_site;

/// Returns the redirect of a path with the URL that it leads to.
pub async fn get_site_redirect_by_source(
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
        Ok(FoundRedirect { redirect: found.redirect, target })
    };
    let found = state.read(credentials, look).await?;
    respond::ok(&request, &found)
}
