//! `GET /saml/{samlProviderId}/login`

use quire_domain::sign_in::{SignInProblem, VisitPurpose, VisitQuery};
use quire_server::{own_path, session_cookie, sign_in};
use quire_storage::people::saml::random_state;

use super::{PROTOCOL, Visit, service};
use crate::prelude::*;
use crate::visits::{failed, see_other, session_for};

/// Sends a browser to a provider. Failures are shown on a page.
pub(super) async fn start(
    Path(id): Path<SamlProviderId>,
    Query(query): Query<VisitQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let provider =
        state.read(Credentials::ANONYMOUS, move |reader| Ok(reader.usable_saml_provider(id)?)).await?;
    sign_in::count_start(&state, &request)?;
    let session = match query.purpose {
        VisitPurpose::SignIn => None,
        VisitPurpose::Connect | VisitPurpose::Test => {
            let organization = provider.organization;
            let may_test = move |reader: &mut Reader<'_>| {
                reader.saml_provider(organization, id)?.authorize(Action::AdministerOrganization)?;
                Ok(())
            };
            match session_for(&state, &request, id, &query, may_test).await? {
                Some(session) => Some(session),
                None => return Ok(failed(&state, id, SignInProblem::Session)),
            }
        }
    };
    let Some(service) = service(&state, &provider, None) else {
        return Ok(failed(&state, id, SignInProblem::Provider));
    };
    let (url, pending) = match service.start(random_state()) {
        Ok(started) => started,
        Err(failure) => {
            log::warn!("a sign-in with the provider {id} cannot start: {failure}");
            return Ok(failed(&state, id, SignInProblem::Provider));
        }
    };
    let relay_state = pending.relay_state.clone();
    let begin = move |tx: &mut Tx<'_>| {
        Ok(tx.begin_saml_sign_in(&provider, &pending.relay_state, &pending.request_id)?)
    };
    state.transact(Credentials::ANONYMOUS, begin).await?;
    let next = query.next.filter(|next| own_path::is_own(next)).unwrap_or_default();
    let started_at = state.storage.clock().now();
    let visit =
        Visit { provider: id, purpose: query.purpose, next, session, started_at, pending: relay_state };
    let mut response = see_other(&url);
    session_cookie::add(&mut response, &visit.cookie(&PROTOCOL, &state).map_err(ApiError::internal)?);
    Ok(response)
}
