//! Visits of browsers to identity providers, between the request that starts a sign-in and the request that ends it.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use quire_domain::bounds::DISPLAY_NAME_MAX;
use quire_domain::clock::Timestamp;
use quire_domain::sign_in::{SignInProblem, VisitPurpose, VisitQuery};
use quire_domain::texts::{DisplayName, Email};
use quire_server::{session_cookie, sign_in};
use quire_storage::people::oidc::Person;
use serde::de::DeserializeOwned;

use crate::prelude::*;
use crate::urls::base_path;

/// Redirects a browser.
pub(crate) fn see_other(url: &str) -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, url))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .finish()
}

/// Redirects a browser to the page that explains a failed sign-in.
pub(crate) fn failed(state: &State, provider: impl Display, problem: SignInProblem) -> HttpResponse {
    let path = format!("~/sign-in/failed?problem={}&provider={provider}", problem.as_str());
    see_other(&state.urls.app(path))
}

/// Returns the page after a sign-in: the requested page, or the start page.
pub(crate) fn next(state: &State, path: &str) -> String {
    match path {
        "" => format!("{}/", base_path(state.urls.base())),
        path => path.to_owned(),
    }
}

/// Converts the refusal of a session to a sign-in problem.
pub(crate) fn of_session(
    result: ApiResult<Result<(), SignInProblem>>,
) -> ApiResult<Result<(), SignInProblem>> {
    match result {
        Err(error) if error.reason().status() < 500 => Ok(Err(SignInProblem::Session)),
        result => result,
    }
}

/// Returns a person. The display name is the name, cut to the allowed length, or else the local part of the address.
pub(crate) fn person(
    subject: String,
    verified_email: Option<String>,
    name: Option<String>,
    has_second_factor: bool,
    claims: Map<String, Value>,
) -> Person {
    let verified_email = verified_email.and_then(|email| Email::new(email).ok()?.into_text().ok());
    let local_part =
        verified_email.as_deref().and_then(|email| email.split('@').next()).map(ToOwned::to_owned);
    let names = [name, local_part].into_iter().flatten();
    let display_name = names.filter_map(display_name).next().unwrap_or_else(|| "Member".to_owned());
    Person { subject, verified_email, has_second_factor, display_name, claims }
}

/// Returns a display name cut to the allowed length; `None` if it is not valid.
fn display_name(name: String) -> Option<String> {
    let longest = usize::try_from(DISPLAY_NAME_MAX).unwrap_or(usize::MAX);
    let cut: String = name.trim().chars().filter(|character| !character.is_control()).take(longest).collect();
    DisplayName::new(cut.trim()).ok()?.into_text().ok()
}

/// Returns the session of a request that may visit a provider for the purpose in the query. `may_test` refuses callers
/// who may not test the provider.
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

/// Maximum duration of a visit.
const LIFE: Duration = Duration::from_secs(10 * 60);

/// Protocol of a provider. Each protocol has a cookie of its own.
#[derive(Debug)]
pub(crate) struct Protocol {
    /// Name of the cookie.
    pub(crate) cookie: &'static str,
    /// Name of the cookie over HTTPS.
    pub(crate) secure_cookie: &'static str,
    /// Prefix of the signed text, so that no other signature of the deployment is accepted.
    pub(crate) signed: &'static str,
}

/// Visit of a browser to a provider with this type of id. `Pending` holds the secrets of the sign-in.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Visit<Id, Pending> {
    /// Provider.
    pub(crate) provider: Id,
    /// Purpose.
    pub(crate) purpose: VisitPurpose,
    /// Path of the page after the visit, on this service.
    pub(crate) next: String,
    /// Session that started the visit. `None` for a sign-in.
    pub(crate) session: Option<TokenId>,
    /// Start.
    pub(crate) started_at: Timestamp,
    /// Secrets of the sign-in.
    pub(crate) pending: Pending,
}

impl<Id, Pending> Visit<Id, Pending>
where
    Id: Serialize + DeserializeOwned,
    Pending: Serialize + DeserializeOwned,
{
    /// Returns the visit in the cookie of a request; `None` if it has ended or the cookie has no valid signature.
    pub(crate) fn of_request(
        protocol: &Protocol,
        state: &State,
        request: &HttpRequest,
        now: Timestamp,
    ) -> Option<Self> {
        let name = protocol.name(state);
        let values = request.headers().get_all(header::COOKIE).filter_map(|value| value.to_str().ok());
        let pairs = values.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs
            .filter(|(found, _)| *found == name)
            .find_map(|(_, value)| Self::read(protocol, state, value, now))
    }

    fn read(protocol: &Protocol, state: &State, value: &str, now: Timestamp) -> Option<Self> {
        let (encoded, signature) = value.split_once('.')?;
        if !state.signer.verify(&format!("{}{encoded}", protocol.signed), signature) {
            return None;
        }
        let visit: Self = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(encoded).ok()?).ok()?;
        let age = now.millis().saturating_sub(visit.started_at.millis());
        let longest = i64::try_from(LIFE.as_millis()).unwrap_or(i64::MAX);
        (age <= longest).then_some(visit)
    }

    /// Returns the value of `Set-Cookie` that keeps the visit.
    pub(crate) fn cookie(&self, protocol: &Protocol, state: &State) -> Result<String, serde_json::Error> {
        let encoded = URL_SAFE_NO_PAD.encode(serde_json::to_vec(self)?);
        let signature = state.signer.sign(&format!("{}{encoded}", protocol.signed));
        Ok(protocol.set_cookie(state, &format!("{encoded}.{signature}"), LIFE.as_secs()))
    }
}

impl Protocol {
    /// Returns the value of `Set-Cookie` that ends a visit.
    pub(crate) fn ended(&self, state: &State) -> String {
        self.set_cookie(state, "", 0)
    }

    /// Returns a `Set-Cookie` value. Browsers send the cookie when a redirect brings them back, because that is a
    /// top-level navigation with GET.
    fn set_cookie(&self, state: &State, value: &str, seconds: u64) -> String {
        let secure = if is_https(state) { "; Secure" } else { "" };
        format!("{}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}", self.name(state))
    }

    fn name(&self, state: &State) -> &'static str {
        if is_https(state) { self.secure_cookie } else { self.cookie }
    }
}

fn is_https(state: &State) -> bool {
    state.settings.base_url.starts_with("https://")
}
