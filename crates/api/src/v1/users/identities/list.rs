//! `GET /v1/user/identities`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::sign_in::OwnIdentities;
use quire_server::sign_in::connection_url;

use crate::error::ApiResult;
use crate::extract::Caller;
use crate::state::State;
use crate::{present, respond};

/// Lists the providers of the caller's organizations, and which of them identify the caller.
pub async fn list_identities(
    Caller(caller): Caller,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let (account, providers) =
        state.read(caller, |reader| Ok((reader.own_account()?, reader.own_providers()?))).await?;
    let session = account.proven_at.map(|_| account.actor.token);
    let items = providers.into_iter().map(|provider| {
        let url = session.map(|session| connection_url(&state, session, &provider, None));
        present::own_identity(provider, url)
    });
    respond::ok(&request, &OwnIdentities { items: items.collect() })
}
