//! `GET /v1/orgs/{organizationId}/titles`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;
use quire_domain::search::{TitleList, TitleQuery};
use quire_server::{when_indexed, with_progress};
use quire_storage::Reader;
use quire_storage::search::Searched;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::state::State;
use crate::{present, respond};

/// Pages of an answer.
const MOST: u16 = 20;

/// Lists the pages of an organization whose titles match, best match first.
pub async fn search_titles(
    Caller(caller): Caller,
    Path(organization): Path<OrganizationId>,
    Query(TitleQuery { query }): Query<TitleQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let query = query.into_text()?;
    let Searched { found, progress } = when_indexed(|| async {
        let query = query.clone();
        let search = move |reader: &mut Reader<'_>| {
            let organization = reader.organization(organization)?.authorize(Action::ViewOrganization)?;
            Ok(reader.titles_in_organization(&organization, &query, MOST)?)
        };
        state.search(caller, search).await
    })
    .await?;
    let items = found.into_iter().map(|found| present::title_hit(&state.urls, found)).collect();
    with_progress(respond::ok(&request, &TitleList { items })?, progress)
}
