//! `POST /v1/invites/{inviteId}/accept`

use actix_web::HttpResponse;
use quire_domain::ids::InviteId;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, Path};
use crate::state::State;
use crate::{present, respond};

/// Lets the caller in by an invite, and answers the organization.
pub async fn handle(
    Caller(caller): Caller,
    Path(invite): Path<InviteId>,
    state: State,
) -> ApiResult<HttpResponse> {
    let organization = state
        .transact(caller, move |tx| {
            let organization = tx.accept_invite(invite)?;
            Ok(tx.organization(organization)?.authorize(Action::ViewOrganization)?.into_inner())
        })
        .await?;
    respond::changed(&present::organization(&state.urls, organization)?)
}
