//! Changes of a site's structure.

use quire_storage::sites::LockedSite;

use crate::prelude::*;
use crate::v1::sites::{SitePath, lock};

/// Changes a locked site. The view presents the site before and after the change.
///
/// # Errors
/// 403 and 404 for callers who may not manage the site, and errors of `change`.
async fn on_locked_site<T: Send + 'static>(
    state: &State,
    caller: Credentials,
    path: SitePath,
    change: impl FnOnce(&mut Tx<'_>, &LockedSite, &SiteView<'_>) -> ApiResult<T> + Send + 'static,
) -> ApiResult<T> {
    let urls = state.urls.clone();
    state
        .transact(caller, move |tx| {
            let site = lock(tx, path)?;
            change(tx, &site, &SiteView::new(&urls, &site))
        })
        .await
}

/// Id of a part of a site: a section, a section group or a site space.
pub(super) trait Part: Copy + Display + Send + 'static {
    /// Wire form of the part.
    type Wire: Serialize + Send + 'static;

    /// Path segment of the parts below their site.
    const SEGMENT: &'static str;

    /// Returns the current wire form of the part.
    fn show(self, tx: &mut Tx<'_>, site: &LockedSite, view: &SiteView<'_>) -> ApiResult<Self::Wire>;
}

/// Path of a part.
pub(super) type PartPath<P> = (OrganizationId, SiteId, P);

/// Creates a part and responds with it and its location.
pub(super) async fn create<P: Part>(
    state: &State,
    caller: Credentials,
    path: SitePath,
    make: impl FnOnce(&mut Tx<'_>, &LockedSite) -> ApiResult<P> + Send + 'static,
) -> ApiResult<HttpResponse> {
    let (id, part) = on_locked_site(state, caller, path, move |tx, site, view| {
        let id = make(tx, site)?;
        Ok((id, id.show(tx, site, view)?))
    })
    .await?;
    let location = state.urls.api(format_args!("orgs/{}/sites/{}/{}/{id}", path.0, path.1, P::SEGMENT));
    respond::created(&location, &part)
}

/// Updates a part that matches the precondition, and responds with it.
pub(super) async fn update<P: Part>(
    state: &State,
    caller: Credentials,
    (organization, site, id): PartPath<P>,
    if_match: Option<IfMatch>,
    change: impl FnOnce(&mut Tx<'_>, &LockedSite, P) -> ApiResult<()> + Send + 'static,
) -> ApiResult<HttpResponse> {
    let part = on_locked_site(state, caller, (organization, site), move |tx, site, view| {
        if let Some(if_match) = if_match {
            if_match.check(&id.show(tx, site, view)?)?;
        }
        change(tx, site, id)?;
        id.show(tx, site, view)
    })
    .await?;
    respond::changed(&part)
}

/// Deletes a part of a site.
pub(super) async fn delete(
    state: &State,
    caller: Credentials,
    path: SitePath,
    delete: impl FnOnce(&mut Tx<'_>, &LockedSite) -> ApiResult<()> + Send + 'static,
) -> ApiResult<HttpResponse> {
    on_locked_site(state, caller, path, move |tx, site, _| delete(tx, site)).await?;
    Ok(respond::no_content())
}
