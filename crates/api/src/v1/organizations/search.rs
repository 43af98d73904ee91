//! `GET /v1/orgs/{organizationId}/search`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::OrganizationId;
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;
use quire_domain::search::SearchQuery;
use quire_server::{when_indexed, with_progress};
use quire_storage::Reader;
use quire_storage::search::{Searched, SpaceSearchKey};

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the spaces of an organization with matching pages, best match first.
pub async fn search_organization_content(
    Caller(caller): Caller,
    Path(organization): Path<OrganizationId>,
    Query(SearchQuery { query }): Query<SearchQuery>,
    Query(page): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let query = query.into_text()?;
    let list = Listing::<SpaceSearchKey>::new(format!("search of {organization} for {query}"), &page)?;
    let (after, limit) = list.position();
    let (written, progress) = when_indexed(|| async {
        let (query, list, urls) = (query.clone(), list.clone(), state.urls.clone());
        let search = move |reader: &mut Reader<'_>| {
            let organization = reader.organization(organization)?.authorize(Action::ViewOrganization)?;
            let Searched { found, progress } =
                reader.search_organization(&organization, &query, after, limit)?;
            let written =
                list.write(found, |hit| hit.key, |hit| Ok(present::space_search_hit(&urls, hit)))?;
            Ok((written, progress))
        };
        state.search(caller, search).await
    })
    .await?;
    with_progress(written.respond(&request)?, progress)
}
