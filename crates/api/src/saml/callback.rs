//! `GET /saml/{samlProviderId}/callback`

use quire_domain::sign_in::{SamlCallbackQuery, SignInProblem, VisitPurpose};
use quire_server::{last_sign_in, session_cookie, sign_in};
use quire_storage::people::saml::{StoredPerson, UsableSamlProvider};

use super::{PROTOCOL, Visit};
use crate::prelude::*;
use crate::visits::{self, failed, next, of_session, see_other};

/// Ends the visit of a browser to a provider: signs the user in, connects the identity, or stores the claims of a test.
/// Failures are shown on a page.
pub(super) async fn sign_in_with_saml(
    Path(id): Path<SamlProviderId>,
    Query(query): Query<SamlCallbackQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let provider =
        state.read(Credentials::ANONYMOUS, move |reader| Ok(reader.usable_saml_provider(id)?)).await?;
    let now = state.storage.clock().now();
    let visit = Visit::of_request(&PROTOCOL, &state, &request, now)
        .filter(|visit| visit.provider == id && visit.pending == query.state);
    let outcome = match visit {
        None => Err(SignInProblem::State),
        Some(visit) => match visit.purpose {
            VisitPurpose::SignIn => sign_in(&state, &request, provider, visit).await?,
            VisitPurpose::Connect => connect(&state, &request, provider, visit).await?,
            VisitPurpose::Test => keep(&state, &request, provider, visit).await?,
        },
    };
    let mut response = outcome.unwrap_or_else(|problem| failed(&state, id, problem));
    session_cookie::add(&mut response, &PROTOCOL.ended(&state));
    Ok(response)
}

async fn sign_in(
    state: &State,
    request: &HttpRequest,
    provider: UsableSamlProvider,
    visit: Visit,
) -> ApiResult<Result<HttpResponse, SignInProblem>> {
    let (browser, relay_state) = (sign_in::browser(request), visit.pending);
    let way = visit.provider.to_string();
    let sign_in = move |tx: &mut Tx<'_>| {
        let Some(person) = tx.take_saml_sign_in(&provider, &relay_state)? else {
            return Ok(Err(SignInProblem::State));
        };
        let StoredPerson { subject, email, name, claims } = person;
        let person = visits::person(subject, email, name, false, claims);
        Ok(tx.sign_in_with_saml(&provider, &person, &browser)?)
    };
    let session = match state.transact(Credentials::ANONYMOUS, sign_in).await? {
        Ok(session) => session,
        Err(problem) => return Ok(Err(problem)),
    };
    let mut response = see_other(&next(state, &visit.next));
    session_cookie::add(&mut response, &session_cookie::start(&state.settings.base_url, &session.secret));
    last_sign_in::remember(state, &mut response, &way);
    Ok(Ok(response))
}

async fn connect(
    state: &State,
    request: &HttpRequest,
    provider: UsableSamlProvider,
    visit: Visit,
) -> ApiResult<Result<HttpResponse, SignInProblem>> {
    let Some(caller) = session_cookie::credentials(request) else { return Ok(Err(SignInProblem::Session)) };
    let (session, relay_state) = (visit.session, visit.pending);
    let connect = move |tx: &mut Tx<'_>| {
        if session != Some(tx.own_actor()?.token) {
            return Ok(Err(SignInProblem::Session));
        }
        match tx.take_saml_sign_in(&provider, &relay_state)? {
            Some(person) => Ok(tx.connect_saml(&provider, &person.subject)?),
            None => Ok(Err(SignInProblem::State)),
        }
    };
    let connected = of_session(state.transact(caller, connect).await)?;
    Ok(connected.map(|()| see_other(&next(state, &visit.next))))
}

async fn keep(
    state: &State,
    request: &HttpRequest,
    provider: UsableSamlProvider,
    visit: Visit,
) -> ApiResult<Result<HttpResponse, SignInProblem>> {
    let Some(caller) = session_cookie::credentials(request) else { return Ok(Err(SignInProblem::Session)) };
    let (organization, id) = (provider.organization, provider.id);
    let (session, relay_state) = (visit.session, visit.pending);
    let keep = move |tx: &mut Tx<'_>| {
        if session != Some(tx.own_actor()?.token) {
            return Ok(Err(SignInProblem::Session));
        }
        let found = tx.saml_provider(organization, id)?.authorize(Action::AdministerOrganization)?;
        match tx.take_saml_sign_in(&provider, &relay_state)? {
            Some(person) => Ok(Ok(tx.keep_saml_test(&found, person.claims)?)),
            None => Ok(Err(SignInProblem::State)),
        }
    };
    let kept = of_session(state.transact(caller, keep).await)?;
    Ok(kept.map(|()| see_other(&state.urls.app(format_args!("o/{organization}/sign-in/saml/{id}")))))
}
