//! `GET /v1/orgs/{organizationId}/sites`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::bounded::IntoText as _;
use quire_domain::ids::{OrganizationId, SiteId};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::sites::SiteListQuery;
use quire_storage::lookup::SiteRecord;
use quire_storage::sites::SiteFilter;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::present::SiteView;
use crate::state::State;
use crate::{present, respond};

/// Lists the sites of an organization, newest first.
pub async fn list_sites(
    Caller(caller): Caller,
    Path(organization): Path<OrganizationId>,
    Query(query): Query<SiteListQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let SiteListQuery { page, limit, space, title, published, types } = query;
    let filter = SiteFilter { space, title: title.into_text()?, published, types };
    let list = format!("sites of {organization} with {filter:?}");
    let after: Option<SiteId> = present::cursor(&list, page.as_deref())?;
    let limit = PageQuery { page: None, limit }.limit();
    let (role, slice) = state
        .read(caller, move |reader| {
            let organization =
                reader.organization(organization)?.authorize(Action::ViewOrganizationContent)?;
            Ok((organization.role(), reader.sites_of(&organization, &filter, after, limit)?))
        })
        .await?;
    let show = |site: SiteRecord| Ok(SiteView::new(&state.urls, &site).seen_by(role).site());
    let list = present::list(&list, slice, |site| site.id, show)?;
    respond::ok(&request, &list)
}
