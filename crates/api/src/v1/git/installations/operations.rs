//! `GET /v1/git/installations/{gitInstallationId}/operations`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::GitInstallationId;
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path, Query};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the synchronizations of a connection that changed something or failed, newest first.
pub async fn list_git_sync_operations(
    Caller(caller): Caller,
    Path(id): Path<GitInstallationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::new(format!("synchronizations of {id}"), &query)?;
    let (after, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let installation = reader.git_installation(id)?.authorize(Action::ViewImports)?;
            Ok(reader.git_operations(&installation, after, limit)?)
        })
        .await?;
    list.respond(&request, slice, |record| record.id, |record| Ok(present::git_operation(record)))
}
