//! Visit of a browser to a provider.

use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::http::header;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use quire_domain::clock::Timestamp;
use quire_domain::ids::{OidcProviderId, TokenId};
use quire_domain::sign_in::OidcPurpose;
use quire_server::oidc::Pending;
use serde::{Deserialize, Serialize};

use crate::state::State;

/// Longest visit.
const LIFE: Duration = Duration::from_secs(10 * 60);
/// Prefix of what is signed, so that no other signature of the deployment is accepted.
const SIGNED: &str = "visit to an OpenID Connect provider ";

/// Cookie of a browser while it visits a provider.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Visit {
    /// Provider.
    pub(super) provider: OidcProviderId,
    /// Purpose.
    pub(super) purpose: OidcPurpose,
    /// Page that follows, on this service.
    pub(super) next: String,
    /// Session that started the visit, if it is not for a sign-in.
    pub(super) session: Option<TokenId>,
    /// Start.
    pub(super) started_at: Timestamp,
    /// Secrets of the sign-in.
    pub(super) pending: Pending,
}

impl Visit {
    /// Returns the visit in the cookie of a request, unless it has ended or the cookie was not made here.
    pub(super) fn of_request(state: &State, request: &HttpRequest, now: Timestamp) -> Option<Self> {
        let name = name(state);
        let values = request.headers().get_all(header::COOKIE).filter_map(|value| value.to_str().ok());
        let pairs = values.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.filter(|(found, _)| *found == name).find_map(|(_, value)| Self::read(state, value, now))
    }

    fn read(state: &State, value: &str, now: Timestamp) -> Option<Self> {
        let (encoded, signature) = value.split_once('.')?;
        if !state.signer.verify(&format!("{SIGNED}{encoded}"), signature) {
            return None;
        }
        let visit: Self = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(encoded).ok()?).ok()?;
        let age = now.millis().saturating_sub(visit.started_at.millis());
        let longest = i64::try_from(LIFE.as_millis()).unwrap_or(i64::MAX);
        (age <= longest).then_some(visit)
    }

    /// Returns the value of `Set-Cookie` that keeps the visit.
    pub(super) fn cookie(&self, state: &State) -> Result<String, serde_json::Error> {
        let encoded = URL_SAFE_NO_PAD.encode(serde_json::to_vec(self)?);
        let signature = state.signer.sign(&format!("{SIGNED}{encoded}"));
        Ok(set_cookie(state, &format!("{encoded}.{signature}"), LIFE.as_secs()))
    }
}

/// Returns the value of `Set-Cookie` that ends a visit.
pub(super) fn ended(state: &State) -> String {
    set_cookie(state, "", 0)
}

/// Browsers send the cookie when the provider sends them back, as this is a navigation with GET.
fn set_cookie(state: &State, value: &str, seconds: u64) -> String {
    let secure = if is_https(state) { "; Secure" } else { "" };
    format!("{}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}", name(state))
}

fn name(state: &State) -> &'static str {
    if is_https(state) { "__Host-quire-oidc" } else { "quire-oidc" }
}

fn is_https(state: &State) -> bool {
    state.settings.base_url.starts_with("https://")
}
