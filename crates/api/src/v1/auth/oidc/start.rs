//! `GET /v1/auth/oidc/{oidcProviderId}/start`

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::ids::OidcProviderId;
use quire_domain::policy::Action;
use quire_domain::sign_in::{SignInProblem, VisitPurpose, VisitQuery};
use quire_server::{own_path, session_cookie, sign_in};
use quire_storage::Reader;
use quire_storage::lookup::Credentials;

use super::{PROTOCOL, Visit, client};
use crate::api::ApiData;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Path, Query};
use crate::state::State;
use crate::visits::{failed, see, session_for};

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
        VisitPurpose::Connect | VisitPurpose::Test => {
            let organization = provider.organization;
            let may_test = move |reader: &mut Reader<'_>| {
                reader.oidc_provider(organization, id)?.authorize(Action::AdministerOrganization)?;
                Ok(())
            };
            match session_for(&state, &request, id, &query, may_test).await? {
                Some(session) => Some(session),
                None => return Ok(failed(&state, id, SignInProblem::Session)),
            }
        }
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
