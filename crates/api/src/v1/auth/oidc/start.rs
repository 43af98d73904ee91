//! `GET /v1/auth/oidc/{oidcProviderId}/start`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::{OidcProviderId, TokenId};
use quire_domain::policy::Action;
use quire_domain::sign_in::{SignInProblem, VisitPurpose, VisitQuery};
use quire_server::{own_path, session_cookie, sign_in};
use quire_storage::lookup::Credentials;
use quire_storage::oidc::UsableProvider;

use super::{PROTOCOL, Visit, client};
use crate::api::ApiData;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Path, Query};
use crate::state::State;
use crate::visits::{failed, see};

/// Sends a browser to a provider. A page says what went wrong.
pub async fn start_oidc_sign_in(
    Path(id): Path<OidcProviderId>,
    Query(query): Query<VisitQuery>,
    request: HttpRequest,
    state: State,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let provider =
        state.read(Credentials::ANONYMOUS, move |reader| Ok(reader.usable_oidc_provider(id)?)).await?;
    sign_in::count_start(&state, &request)?;
    let session = match query.purpose {
        VisitPurpose::SignIn => None,
        purpose => match session_for(&state, &request, &provider, purpose, query.signature.as_deref()).await?
        {
            Some(session) => Some(session),
            None => return Ok(failed(&state, id, SignInProblem::Session)),
        },
    };
    let next = query.next.filter(|next| own_path::is_own(next)).unwrap_or_default();
    let exchange = client::exchange(&api.imports.fetcher);
    let (url, pending) = match client::of(&state, &provider).start(&exchange).await {
        Ok(started) => started,
        Err(failure) => {
            log::warn!("a sign-in with the provider {id} cannot start: {failure}");
            return Ok(failed(&state, id, SignInProblem::Provider));
        }
    };
    let started_at = state.storage.clock().now();
    let visit = Visit { provider: id, purpose: query.purpose, next, session, started_at, pending };
    let mut response = see(&url);
    session_cookie::add(&mut response, &visit.cookie(&PROTOCOL, &state).map_err(ApiError::internal)?);
    Ok(response)
}

/// Returns the session of a request that may visit a provider for this purpose.
async fn session_for(
    state: &State,
    request: &HttpRequest,
    provider: &UsableProvider,
    purpose: VisitPurpose,
    signature: Option<&str>,
) -> ApiResult<Option<TokenId>> {
    let Some(caller) = session_cookie::credentials(request) else { return Ok(None) };
    let (organization, id) = (provider.organization, provider.id);
    let found = state
        .read(caller, move |reader| {
            if purpose == VisitPurpose::Test {
                reader.oidc_provider(organization, id)?.authorize(Action::AdministerOrganization)?;
            }
            Ok(reader.actor()?.token)
        })
        .await;
    let session = match found {
        Ok(session) => session,
        Err(error) if error.reason().status() < 500 => return Ok(None),
        Err(error) => return Err(error),
    };
    let is_signed = || {
        signature.is_some_and(|signature| state.signer.verify(&sign_in::connection(session, id), signature))
    };
    Ok((purpose == VisitPurpose::Test || is_signed()).then_some(session))
}
