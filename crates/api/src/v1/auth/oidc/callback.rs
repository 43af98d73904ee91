//! `GET /v1/auth/oidc/{oidcProviderId}/callback`

use std::time::{Duration, SystemTime};

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::bounds::OIDC_SUBJECT_MAX;
use quire_domain::clock::Timestamp;
use quire_domain::ids::OidcProviderId;
use quire_domain::policy::Action;
use quire_domain::sign_in::{OidcCallbackQuery, SignInProblem, VisitPurpose};
use quire_server::oidc::{Failure, Identity};
use quire_server::{session_cookie, sign_in};
use quire_storage::Tx;
use quire_storage::lookup::Credentials;
use quire_storage::oidc::{Person, UsableProvider};

use super::{PROTOCOL, Visit, client};
use crate::api::ApiData;
use crate::error::ApiResult;
use crate::extract::{Path, Query};
use crate::state::State;
use crate::visits::{self, failed, next, of_session, see};

/// Ends the visit of a browser to a provider: signs its user in, connects the identity, or keeps the claims of a test.
/// A page says what went wrong.
pub async fn sign_in_with_oidc(
    Path(id): Path<OidcProviderId>,
    Query(query): Query<OidcCallbackQuery>,
    request: HttpRequest,
    state: State,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let provider =
        state.read(Credentials::ANONYMOUS, move |reader| Ok(reader.usable_oidc_provider(id)?)).await?;
    let identified = identify(&state, &api, &request, &provider, query).await;
    let outcome = match identified {
        Err(problem) => Err(problem),
        Ok((visit, identity)) => match visit.purpose {
            VisitPurpose::SignIn => sign_in(&state, &request, provider, &visit, identity).await?,
            VisitPurpose::Connect => connect(&state, &request, provider, &visit, identity).await?,
            VisitPurpose::Test => keep(&state, &request, provider, &visit, identity).await?,
        },
    };
    let mut response = outcome.unwrap_or_else(|problem| failed(&state, id, problem));
    session_cookie::add(&mut response, &PROTOCOL.ended(&state));
    Ok(response)
}

/// Checks that the request ends a visit of this browser, and asks the provider who visited it.
async fn identify(
    state: &State,
    api: &ApiData,
    request: &HttpRequest,
    provider: &UsableProvider,
    query: OidcCallbackQuery,
) -> Result<(Visit, Identity), SignInProblem> {
    let now = state.storage.clock().now();
    let visit = Visit::of_request(&PROTOCOL, state, request, now).filter(|visit| {
        visit.provider == provider.id && query.state.as_deref() == Some(visit.pending.state.as_str())
    });
    let visit = visit.ok_or(SignInProblem::State)?;
    if query.iss.is_some_and(|issuer| issuer != provider.issuer) {
        return Err(SignInProblem::Issuer);
    }
    if query.error.is_some() {
        return Err(SignInProblem::Denied);
    }
    let code = query.code.ok_or(SignInProblem::Token)?;
    let exchange = client::exchange(&api.imports.fetcher);
    let finished =
        client::of(state, provider).finish(&exchange, &visit.pending, code, system_time(now)).await;
    let identity = finished.map_err(|failure| {
        log::warn!("a sign-in with the provider {} failed: {failure}", provider.id);
        problem_of(&failure)
    })?;
    let length = u64::try_from(identity.subject.chars().count()).unwrap_or(u64::MAX);
    if !(1..=OIDC_SUBJECT_MAX).contains(&length) || identity.subject.contains('\0') {
        return Err(SignInProblem::Token);
    }
    Ok((visit, identity))
}

fn system_time(time: Timestamp) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(time.millis()).unwrap_or(0))
}

fn problem_of(failure: &Failure) -> SignInProblem {
    match failure {
        Failure::Provider(_) => SignInProblem::Provider,
        Failure::Code(_) => SignInProblem::Code,
        Failure::Issuer(_) => SignInProblem::Issuer,
        Failure::Audience(_) => SignInProblem::Audience,
        Failure::Nonce => SignInProblem::Nonce,
        Failure::Expired => SignInProblem::Expired,
        Failure::Signature(_) => SignInProblem::Signature,
        Failure::Token(_) => SignInProblem::Token,
    }
}

async fn sign_in(
    state: &State,
    request: &HttpRequest,
    provider: UsableProvider,
    visit: &Visit,
    identity: Identity,
) -> ApiResult<Result<HttpResponse, SignInProblem>> {
    let (person, browser) = (person(identity), sign_in::browser(request));
    let sign_in = move |tx: &mut Tx<'_>| Ok(tx.sign_in_with_oidc(&provider, &person, &browser)?);
    let session = match state.transact(Credentials::ANONYMOUS, sign_in).await? {
        Ok(session) => session,
        Err(problem) => return Ok(Err(problem)),
    };
    let mut response = see(&next(state, &visit.next));
    session_cookie::add(&mut response, &session_cookie::start(&state.settings.base_url, &session.secret));
    Ok(Ok(response))
}

async fn connect(
    state: &State,
    request: &HttpRequest,
    provider: UsableProvider,
    visit: &Visit,
    identity: Identity,
) -> ApiResult<Result<HttpResponse, SignInProblem>> {
    let Some(caller) = session_cookie::credentials(request) else { return Ok(Err(SignInProblem::Session)) };
    let session = visit.session;
    let connect = move |tx: &mut Tx<'_>| {
        if session != Some(tx.actor()?.token) {
            return Ok(Err(SignInProblem::Session));
        }
        Ok(tx.connect_oidc(&provider, &identity.subject)?)
    };
    let connected = of_session(state.transact(caller, connect).await)?;
    Ok(connected.map(|()| see(&next(state, &visit.next))))
}

async fn keep(
    state: &State,
    request: &HttpRequest,
    provider: UsableProvider,
    visit: &Visit,
    identity: Identity,
) -> ApiResult<Result<HttpResponse, SignInProblem>> {
    let Some(caller) = session_cookie::credentials(request) else { return Ok(Err(SignInProblem::Session)) };
    let (organization, id, session) = (provider.organization, provider.id, visit.session);
    let keep = move |tx: &mut Tx<'_>| {
        if session != Some(tx.actor()?.token) {
            return Ok(Err(SignInProblem::Session));
        }
        let provider = tx.oidc_provider(organization, id)?.authorize(Action::AdministerOrganization)?;
        Ok(Ok(tx.keep_oidc_test(&provider, identity.claims)?))
    };
    let kept = of_session(state.transact(caller, keep).await)?;
    Ok(kept.map(|()| see(&state.urls.app(format_args!("o/{organization}/sign-in/{id}")))))
}

/// Returns the person of an identity, with the address only if the provider has verified it.
fn person(identity: Identity) -> Person {
    let Identity { subject, email, is_email_verified, name, claims: _ } = identity;
    visits::person(subject, email.filter(|_| is_email_verified), name)
}
