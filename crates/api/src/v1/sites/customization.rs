//! `GET` and `PUT /v1/orgs/{organizationId}/sites/{siteId}/customization`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::sites::customization::Customization;

use super::{SitePath, WithConditions, lock, read};
use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, OptionalJson, Path};
use crate::preconditions::IfMatch;
use crate::state::State;
use crate::{present, respond};

/// Returns the customization of a site.
pub async fn get_site_customization_by_id(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let site = state.read(caller, move |reader| read(reader, path)).await?;
    respond::ok(&request, &present::customization(&site)?)
}

/// Replaces the customization of a site. Absent settings have their defaults.
pub async fn update_site_customization_by_id(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    OptionalJson(WithConditions(body)): OptionalJson<WithConditions<Customization>>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let stored = state
        .transact(caller, move |tx| {
            let site = lock(tx, path)?;
            if_match.check_with(|| present::customization(&site))?;
            let settings = Customization { updated_at: Some(tx.now()), ..body };
            tx.put_customization(&site, &serde_json::to_value(&settings).map_err(ApiError::internal)?)?;
            Ok(settings)
        })
        .await?;
    respond::changed(&stored)
}
