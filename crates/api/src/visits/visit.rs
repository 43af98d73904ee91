//! Cookie of a browser while it visits a provider.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use quire_domain::clock::Timestamp;
use quire_domain::sign_in::VisitPurpose;
use serde::de::DeserializeOwned;

use crate::prelude::*;

/// Longest visit.
const LIFE: Duration = Duration::from_secs(10 * 60);

/// Protocol of a provider, with a cookie of its own.
#[derive(Debug)]
pub(crate) struct Protocol {
    /// Name of the cookie.
    pub(crate) cookie: &'static str,
    /// Name of the cookie over HTTPS.
    pub(crate) secure_cookie: &'static str,
    /// Prefix of what is signed, so that no other signature of the deployment is accepted.
    pub(crate) signed: &'static str,
}

/// Visit of a browser to a provider with this type of id, for a sign-in with these secrets.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Visit<Id, Pending> {
    /// Provider.
    pub(crate) provider: Id,
    /// Purpose.
    pub(crate) purpose: VisitPurpose,
    /// Page that follows, on this service.
    pub(crate) next: String,
    /// Session that started the visit, if it is not for a sign-in.
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
    /// Returns the visit in the cookie of a request, unless it has ended or the cookie was not made here.
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

    /// Browsers send the cookie when a redirect brings them back, as this is a navigation with GET.
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
