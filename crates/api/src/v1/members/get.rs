//! `GET /v1/orgs/{organizationId}/members/{userId}`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{OrganizationId, UserId};
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Returns a member of an organization. Guests see only themselves.
pub async fn get_member_in_organization_by_id(
    Caller(caller): Caller,
    Path((organization, user)): Path<(OrganizationId, UserId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let member = state
        .read(caller, move |reader| {
            let organization =
                reader.organization(organization)?.authorize_about(user, Action::ViewMember)?;
            Ok(reader.member(&organization, user)?)
        })
        .await?;
    respond::ok(&request, &present::member(&state.urls, &member))
}
