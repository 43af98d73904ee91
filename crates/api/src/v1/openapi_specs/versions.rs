//! `GET /v1/orgs/{organizationId}/openapi/{specSlug}/versions`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::OpenApiSpecVersionId;
use quire_domain::list::PageQuery;

use super::path::SpecPath;
use crate::error::ApiResult;
use crate::extract::{Path, Query, Reading};
use crate::listing::Listing;
use crate::present;
use crate::state::State;

/// Lists the stored versions of a specification, newest first.
pub async fn list_open_api_spec_versions(
    caller: Reading,
    Path(path): Path<SpecPath>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<OpenApiSpecVersionId>::new(format!("versions of {path:?}"), &query)?;
    let (after, limit) = list.position();
    let (spec, slice) = state
        .read(caller.credentials(), move |reader| {
            let spec = path.readable(reader, &caller)?;
            let slice = reader.openapi_spec_versions(&spec, after, limit)?;
            Ok((spec, slice))
        })
        .await?;
    list.respond(
        &request,
        slice,
        |(id, _)| *id,
        |version| Ok(present::openapi_spec_version(&state.urls, &spec, version)),
    )
}
