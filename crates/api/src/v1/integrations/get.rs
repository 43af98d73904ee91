//! `GET /v1/integrations/{integrationName}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Returns an integration by name. Only members of the owner see a private one.
pub async fn get_integration_by_name(
    Caller(caller): Caller,
    Path(name): Path<String>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let found = state
        .read(caller, move |reader| Ok(reader.integration(&name)?.authorize(Action::ViewOrganization)?))
        .await?;
    let may_change = found.actor().token_allows(Action::AdministerOrganization);
    respond::ok(&request, &present::integration(&state.urls, found.into_inner(), may_change)?)
}
