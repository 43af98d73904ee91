//! `POST /v1/orgs/{organizationId}/members/{userId}/sso`

use actix_web::HttpResponse;
use quire_domain::ids::{OrganizationId, UserId};
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Allows a member to log in with single sign-on.
pub async fn set_user_as_sso_member_for_organization(
    Caller(caller): Caller,
    Path((organization, user)): Path<(OrganizationId, UserId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    let member = state
        .transact(caller, move |tx| {
            let organization = tx.organization(organization)?.authorize(Action::AdministerOrganization)?;
            let member = tx.member(&organization, user)?;
            tx.set_member_sso(&organization, &member)?;
            Ok(tx.member(&organization, user)?)
        })
        .await?;
    respond::changed(&present::member(&state.urls, &member))
}
