//! Signing in with OpenID Connect.
//!
//! A browser visits the provider between two requests. The state of the first request is in a signed cookie that is
//! valid for ten minutes.

use std::time::SystemTime;

use quire_domain::bounds::OIDC_SUBJECT_MAX;
use quire_domain::clock::Timestamp;
use quire_domain::sign_in::{
    OidcCallbackQuery, SignInProblem, SignInProviders, SignInProvidersQuery, VisitPurpose, VisitQuery,
};
use quire_importer::fetch::Fetcher;
use quire_server::oidc::http::{Request, Response};
use quire_server::oidc::{Client, ExchangeError, Exchanged, Failure, Identity, Pending};
use quire_server::{last_sign_in, own_path, session_cookie, sign_in};
use quire_storage::people::oidc::{Person, UsableProvider};

use crate::prelude::*;
use crate::visits;
use crate::visits::{Protocol, failed, next, of_session, see_other, session_for};

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get(
            Tag::User.at("/v1/auth/providers", None),
            Public,
            "List the providers that sign people in",
            list_sign_in_providers,
        )
        .query::<SignInProvidersQuery>()
        .answers::<SignInProviders>(200),
        Route::get(
            Tag::User.at("/v1/auth/oidc/{oidcProviderId}/start", None),
            Public,
            "Send a browser to a provider",
            start_oidc_sign_in,
        )
        .query::<VisitQuery>()
        .redirects(),
        Route::get(
            Tag::User.at("/v1/auth/oidc/{oidcProviderId}/callback", Some(Object::OidcProvider)),
            Public,
            "Sign in with OpenID Connect",
            sign_in_with_oidc,
        )
        .query::<OidcCallbackQuery>()
        .redirects()
        .audited(),
    ]
}

/// Cookie of a visit.
const PROTOCOL: Protocol = Protocol {
    cookie: "quire-oidc",
    secure_cookie: "__Host-quire-oidc",
    signed: "visit to an OpenID Connect provider ",
};

/// Visit of a browser to a provider.
type Visit = visits::Visit<OidcProviderId, Pending>;

/// Time limit of one request to a provider.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum size of a response of a provider, in bytes.
const BYTES_MAX: u64 = 256 << 10;

/// Returns the client of a provider.
pub(super) fn of(state: &State, provider: &UsableProvider) -> Client {
    Client {
        issuer: provider.issuer.clone(),
        client_id: provider.client_id.clone(),
        client_secret: provider.client_secret.clone(),
        redirect_url: state.urls.oidc_callback(provider.id),
    }
}

/// Returns a function that sends requests.
pub(super) fn exchange(fetcher: &Fetcher) -> impl Fn(Request<Vec<u8>>) -> Exchanged + use<> {
    let fetcher = fetcher.clone();
    move |request| {
        let fetcher = fetcher.clone();
        Box::pin(async move {
            let answer: Result<Response<Vec<u8>>, _> = fetcher.exchange(request, TIMEOUT, BYTES_MAX).await;
            answer.map_err(|error| ExchangeError(error.to_string()))
        })
    }
}

async fn list_sign_in_providers(
    Query(query): Query<SignInProvidersQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let domain = query.email_domain.into_text()?;
    let listed = state
        .read(Credentials::ANONYMOUS, move |reader| Ok(reader.sign_in_providers(domain.as_deref())?))
        .await?;
    let items = listed.into_iter().map(|provider| present::sign_in_provider(&state.urls, provider)).collect();
    respond::ok(&request, &SignInProviders { items })
}

async fn start_oidc_sign_in(
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
    let exchange = exchange(&api.imports.fetcher);
    let (url, pending) = match of(&state, &provider).start(&exchange).await {
        Ok(started) => started,
        Err(failure) => {
            log::warn!("a sign-in with the provider {id} cannot start: {failure}");
            return Ok(failed(&state, id, SignInProblem::Provider));
        }
    };
    let started_at = state.storage.clock().now();
    let visit = Visit { provider: id, purpose: query.purpose, next, session, started_at, pending };
    let mut response = see_other(&url);
    session_cookie::add(&mut response, &visit.cookie(&PROTOCOL, &state).map_err(ApiError::internal)?);
    Ok(response)
}

async fn sign_in_with_oidc(
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

/// Checks that the request ends a visit of this browser, and asks the provider for the user's identity.
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
    let exchange = exchange(&api.imports.fetcher);
    let finished = of(state, provider).finish(&exchange, &visit.pending, code, system_time(now)).await;
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
    let mut response = see_other(&next(state, &visit.next));
    session_cookie::add(&mut response, &session_cookie::start(&state.settings.base_url, &session.secret));
    last_sign_in::remember(state, &mut response, &visit.provider.to_string());
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
        if session != Some(tx.own_actor()?.token) {
            return Ok(Err(SignInProblem::Session));
        }
        Ok(tx.connect_oidc(&provider, &identity.subject)?)
    };
    let connected = of_session(state.transact(caller, connect).await)?;
    Ok(connected.map(|()| see_other(&next(state, &visit.next))))
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
        if session != Some(tx.own_actor()?.token) {
            return Ok(Err(SignInProblem::Session));
        }
        let provider = tx.oidc_provider(organization, id)?.authorize(Action::AdministerOrganization)?;
        Ok(Ok(tx.keep_oidc_test(&provider, identity.claims)?))
    };
    let kept = of_session(state.transact(caller, keep).await)?;
    Ok(kept.map(|()| see_other(&state.urls.app(format_args!("o/{organization}/sign-in/{id}")))))
}

/// Returns the person of an identity, with the e-mail address only if the provider has verified it.
fn person(identity: Identity) -> Person {
    let has_second_factor = identity.has_second_factor();
    let Identity { subject, email, is_email_verified, name, claims } = identity;
    visits::person(subject, email.filter(|_| is_email_verified), name, has_second_factor, claims)
}
