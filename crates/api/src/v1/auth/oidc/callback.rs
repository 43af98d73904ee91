//! `GET /v1/auth/oidc/{oidcProviderId}/callback`

use std::time::{Duration, SystemTime};

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::bounds::{DISPLAY_NAME_MAX, OIDC_SUBJECT_MAX};
use quire_domain::clock::Timestamp;
use quire_domain::ids::OidcProviderId;
use quire_domain::policy::Action;
use quire_domain::sign_in::{OidcCallbackQuery, OidcProblem, OidcPurpose};
use quire_domain::texts::{DisplayName, Email};
use quire_server::oidc::{Failure, Identity};
use quire_server::urls::base_path;
use quire_server::{session_cookie, sign_in};
use quire_storage::Tx;
use quire_storage::lookup::Credentials;
use quire_storage::oidc::{Person, UsableProvider};

use super::visit::{self, Visit};
use super::{client, failed, see};
use crate::api::ApiData;
use crate::error::ApiResult;
use crate::extract::{Path, Query};
use crate::state::State;

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
            OidcPurpose::SignIn => sign_in(&state, &request, provider, &visit, identity).await?,
            OidcPurpose::Connect => connect(&state, &request, provider, &visit, identity).await?,
            OidcPurpose::Test => keep(&state, &request, provider, &visit, identity).await?,
        },
    };
    let mut response = outcome.unwrap_or_else(|problem| failed(&state, id, problem));
    session_cookie::add(&mut response, &visit::ended(&state));
    Ok(response)
}

/// Checks that the request ends a visit of this browser, and asks the provider who visited it.
async fn identify(
    state: &State,
    api: &ApiData,
    request: &HttpRequest,
    provider: &UsableProvider,
    query: OidcCallbackQuery,
) -> Result<(Visit, Identity), OidcProblem> {
    let now = state.storage.clock().now();
    let visit = Visit::of_request(state, request, now).filter(|visit| {
        visit.provider == provider.id && query.state.as_deref() == Some(visit.pending.state.as_str())
    });
    let visit = visit.ok_or(OidcProblem::State)?;
    if query.iss.is_some_and(|issuer| issuer != provider.issuer) {
        return Err(OidcProblem::Issuer);
    }
    if query.error.is_some() {
        return Err(OidcProblem::Denied);
    }
    let code = query.code.ok_or(OidcProblem::Token)?;
    let exchange = client::exchange(&api.imports.fetcher);
    let finished =
        client::of(state, provider).finish(&exchange, &visit.pending, code, system_time(now)).await;
    let identity = finished.map_err(|failure| {
        log::warn!("a sign-in with the provider {} failed: {failure}", provider.id);
        problem_of(&failure)
    })?;
    let length = u64::try_from(identity.subject.chars().count()).unwrap_or(u64::MAX);
    if !(1..=OIDC_SUBJECT_MAX).contains(&length) || identity.subject.contains('\0') {
        return Err(OidcProblem::Token);
    }
    Ok((visit, identity))
}

fn system_time(time: Timestamp) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(time.millis()).unwrap_or(0))
}

fn problem_of(failure: &Failure) -> OidcProblem {
    match failure {
        Failure::Provider(_) => OidcProblem::Provider,
        Failure::Code(_) => OidcProblem::Code,
        Failure::Issuer(_) => OidcProblem::Issuer,
        Failure::Audience(_) => OidcProblem::Audience,
        Failure::Nonce => OidcProblem::Nonce,
        Failure::Expired => OidcProblem::Expired,
        Failure::Signature(_) => OidcProblem::Signature,
        Failure::Token(_) => OidcProblem::Token,
    }
}

async fn sign_in(
    state: &State,
    request: &HttpRequest,
    provider: UsableProvider,
    visit: &Visit,
    identity: Identity,
) -> ApiResult<Result<HttpResponse, OidcProblem>> {
    let (person, browser) = (person(identity), sign_in::browser(request));
    let sign_in = move |tx: &mut Tx<'_>| Ok(tx.sign_in_with_oidc(&provider, &person, &browser)?);
    let session = match state.transact(Credentials::ANONYMOUS, sign_in).await? {
        Ok(session) => session,
        Err(problem) => return Ok(Err(problem)),
    };
    let mut response = see(&next(state, visit));
    session_cookie::add(&mut response, &session_cookie::start(&state.settings.base_url, &session.secret));
    Ok(Ok(response))
}

async fn connect(
    state: &State,
    request: &HttpRequest,
    provider: UsableProvider,
    visit: &Visit,
    identity: Identity,
) -> ApiResult<Result<HttpResponse, OidcProblem>> {
    let Some(caller) = session_cookie::credentials(request) else { return Ok(Err(OidcProblem::Session)) };
    let session = visit.session;
    let connect = move |tx: &mut Tx<'_>| {
        if session != Some(tx.actor()?.token) {
            return Ok(Err(OidcProblem::Session));
        }
        Ok(tx.connect_oidc(&provider, &identity.subject)?)
    };
    let connected = of_session(state.transact(caller, connect).await)?;
    Ok(connected.map(|()| see(&next(state, visit))))
}

async fn keep(
    state: &State,
    request: &HttpRequest,
    provider: UsableProvider,
    visit: &Visit,
    identity: Identity,
) -> ApiResult<Result<HttpResponse, OidcProblem>> {
    let Some(caller) = session_cookie::credentials(request) else { return Ok(Err(OidcProblem::Session)) };
    let (organization, id, session) = (provider.organization, provider.id, visit.session);
    let keep = move |tx: &mut Tx<'_>| {
        if session != Some(tx.actor()?.token) {
            return Ok(Err(OidcProblem::Session));
        }
        let provider = tx.oidc_provider(organization, id)?.authorize(Action::AdministerOrganization)?;
        Ok(Ok(tx.keep_oidc_test(&provider, identity.claims)?))
    };
    let kept = of_session(state.transact(caller, keep).await)?;
    Ok(kept.map(|()| see(&state.urls.app(format_args!("o/{organization}/sign-in/{id}")))))
}

/// Converts the refusal of a session to a problem.
fn of_session(result: ApiResult<Result<(), OidcProblem>>) -> ApiResult<Result<(), OidcProblem>> {
    match result {
        Err(error) if error.reason().status() < 500 => Ok(Err(OidcProblem::Session)),
        result => result,
    }
}

fn next(state: &State, visit: &Visit) -> String {
    match visit.next.as_str() {
        "" => format!("{}/", base_path(state.urls.base())),
        next => next.to_owned(),
    }
}

/// Returns what an account is made from. Without a name, it is called by the local part of the address.
fn person(identity: Identity) -> Person {
    let Identity { subject, email, is_email_verified, name, claims: _ } = identity;
    let email = email.and_then(|email| Email::new(email).ok()?.into_text().ok());
    let verified_email = email.filter(|_| is_email_verified);
    let local_part =
        verified_email.as_deref().and_then(|email| email.split('@').next()).map(ToOwned::to_owned);
    let names = [name, local_part].into_iter().flatten();
    let display_name = names.filter_map(display_name).next().unwrap_or_else(|| "Member".to_owned());
    Person { subject, verified_email, display_name }
}

/// Returns the start of a name that an account may have.
fn display_name(name: String) -> Option<String> {
    let longest = usize::try_from(DISPLAY_NAME_MAX).unwrap_or(usize::MAX);
    let cut: String = name.trim().chars().filter(|character| !character.is_control()).take(longest).collect();
    DisplayName::new(cut.trim()).ok()?.into_text().ok()
}
