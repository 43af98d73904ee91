//! Changing what stands on a site.

use quire_storage::Tx;
use quire_storage::lookup::Credentials;
use quire_storage::sites::LockedSite;

use crate::error::ApiResult;
use crate::present::SiteView;
use crate::state::State;
use crate::v1::sites::{SitePath, lock};

/// Changes something on a site that nobody else changes meanwhile; the view shows it as it is before and after.
///
/// # Errors
/// Who may not manage the site, and what `change` says.
pub(super) async fn on_locked_site<T: Send + 'static>(
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
