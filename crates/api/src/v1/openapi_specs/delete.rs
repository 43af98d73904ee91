//! `DELETE /v1/orgs/{organizationId}/openapi/{specSlug}`

use actix_web::HttpResponse;
use quire_domain::policy::Action;

use super::path::SpecPath;
use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Deletes a specification with all its versions. Its computed pages are replaced by their placeholders.
pub async fn delete_open_api_spec_by_slug(
    Caller(caller): Caller,
    Path(path): Path<SpecPath>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let spec = path.spec(tx, Action::CreateOpenApiSpec)?;
            Ok(tx.delete_openapi_spec(spec)?)
        })
        .await?;
    Ok(respond::no_content())
}
