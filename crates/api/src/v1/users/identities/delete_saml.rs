//! `DELETE /v1/user/saml-identities/{samlProviderId}`

use actix_web::HttpResponse;
use quire_domain::error::Reason;
use quire_domain::ids::SamlProviderId;
use quire_domain::policy::OwnAction;
use quire_server::second_factor::require_recent_proof;

use crate::error::{ApiError, ApiResult};
use crate::extract::{Caller, Path};
use crate::respond;
use crate::state::State;

/// Disconnects the caller from a SAML provider, which then signs the caller in no more.
pub async fn delete_saml_identity(
    Caller(caller): Caller,
    Path(provider): Path<SamlProviderId>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            if !tx.own_account()?.limits.allow_own(OwnAction::ChangeUser) {
                return Err(ApiError::new(Reason::Forbidden));
            }
            require_recent_proof(tx)?;
            Ok(tx.disconnect_saml(provider)?)
        })
        .await?;
    Ok(respond::no_content())
}
