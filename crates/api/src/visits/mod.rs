//! Visits of browsers to identity providers, between the request that starts a sign-in and the one that ends it.

mod visit;

use quire_domain::bounds::DISPLAY_NAME_MAX;
use quire_domain::sign_in::{SignInProblem, VisitPurpose, VisitQuery};
use quire_domain::texts::{DisplayName, Email};
use quire_server::{session_cookie, sign_in};
use quire_storage::people::oidc::Person;

use crate::prelude::*;
use crate::urls::base_path;

pub(crate) use visit::{Protocol, Visit};

/// Redirects a browser.
pub(crate) fn see(url: &str) -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, url))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .finish()
}

/// Redirects a browser to the page that says what failed.
pub(crate) fn failed(state: &State, provider: impl Display, problem: SignInProblem) -> HttpResponse {
    let path = format!("~/sign-in/failed?problem={}&provider={provider}", problem.as_str());
    see(&state.urls.app(path))
}

/// Returns the page that follows a sign-in: the one that was asked for, or the first.
pub(crate) fn next(state: &State, path: &str) -> String {
    match path {
        "" => format!("{}/", base_path(state.urls.base())),
        path => path.to_owned(),
    }
}

/// Converts the refusal of a session to a problem.
pub(crate) fn of_session(
    result: ApiResult<Result<(), SignInProblem>>,
) -> ApiResult<Result<(), SignInProblem>> {
    match result {
        Err(error) if error.reason().status() < 500 => Ok(Err(SignInProblem::Session)),
        result => result,
    }
}

/// Returns a person with the first part of the name that an account may have. Without a name, it is called by the local
/// part of the address.
pub(crate) fn person(
    subject: String,
    verified_email: Option<String>,
    name: Option<String>,
    has_second_factor: bool,
) -> Person {
    let verified_email = verified_email.and_then(|email| Email::new(email).ok()?.into_text().ok());
    let local_part =
        verified_email.as_deref().and_then(|email| email.split('@').next()).map(ToOwned::to_owned);
    let names = [name, local_part].into_iter().flatten();
    let display_name = names.filter_map(display_name).next().unwrap_or_else(|| "Member".to_owned());
    Person { subject, verified_email, has_second_factor, display_name }
}

/// Returns the start of a name that an account may have.
fn display_name(name: String) -> Option<String> {
    let longest = usize::try_from(DISPLAY_NAME_MAX).unwrap_or(usize::MAX);
    let cut: String = name.trim().chars().filter(|character| !character.is_control()).take(longest).collect();
    DisplayName::new(cut.trim()).ok()?.into_text().ok()
}

/// Returns the session of a request that may visit a provider for the purpose of the query. `may_test` refuses callers
/// who must not test the provider.
pub(crate) async fn session_for(
    state: &State,
    request: &HttpRequest,
    provider: impl Display,
    query: &VisitQuery,
    may_test: impl Fn(&mut Reader<'_>) -> ApiResult<()> + Send + 'static,
) -> ApiResult<Option<TokenId>> {
    let Some(caller) = session_cookie::credentials(request) else { return Ok(None) };
    let is_test = query.purpose == VisitPurpose::Test;
    let found = state
        .read(caller, move |reader| {
            if is_test {
                may_test(reader)?;
            }
            Ok(reader.own_actor()?.token)
        })
        .await;
    let session = match found {
        Ok(session) => session,
        Err(error) if error.reason().status() < 500 => return Ok(None),
        Err(error) => return Err(error),
    };
    let is_signed = || {
        let signature = query.signature.as_deref();
        signature
            .is_some_and(|signature| state.signer.verify(&sign_in::connection(session, &provider), signature))
    };
    Ok((is_test || is_signed()).then_some(session))
}
