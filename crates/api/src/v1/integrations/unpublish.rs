//! `DELETE /v1/integrations/{integrationName}`

use actix_web::HttpResponse;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Unpublishes an integration and deletes its installations. Allowed for administrators of the owner.
pub async fn unpublish_integration(
    Caller(caller): Caller,
    Path(name): Path<String>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let integration = tx.integration(&name)?.authorize(Action::AdministerOrganization)?;
            Ok(tx.unpublish_integration(&integration)?)
        })
        .await?;
    Ok(respond::no_content())
}
