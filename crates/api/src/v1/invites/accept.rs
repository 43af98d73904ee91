//! `POST /v1/invites/{inviteId}/accept`

use actix_web::HttpResponse;
use quire_domain::bounded::IntoText as _;
use quire_domain::ids::InviteId;
use quire_domain::invites::InviteAccept;
use quire_domain::policy::Action;

use crate::error::ApiResult;
use crate::extract::{Caller, OptionalJson, Path};
use crate::state::State;
use crate::{present, respond};

/// Accepts an invite link or an e-mail invite, and returns the organization.
pub async fn join_organization_with_invite(
    Caller(caller): Caller,
    Path(invite): Path<InviteId>,
    OptionalJson(InviteAccept { secret }): OptionalJson<InviteAccept>,
    state: State,
) -> ApiResult<HttpResponse> {
    let secret = secret.into_text()?;
    let organization = state
        .transact(caller, move |tx| {
            let organization = tx.accept_invite(invite, secret.as_deref())?;
            Ok(tx.organization(organization)?.authorize(Action::ViewOrganization)?.into_inner())
        })
        .await?;
    respond::changed(&present::organization(&state.urls, organization)?)
}
