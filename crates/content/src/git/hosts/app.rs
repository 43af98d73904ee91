//! GitHub App of the deployment. It provides tokens for the repositories of its installations instead of stored tokens.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use quire_domain::clock::Timestamp;
use quire_domain::error::{Reason, Refusal};
use quire_domain::ids::OrganizationId;
use quire_git::{Account, Address};
use quire_importer::fetch::{Fetcher, Method};
use quire_storage::content::git_installations::GitAppInstallation;
use rsa::pkcs1::DecodeRsaPrivateKey as _;
use rsa::pkcs8::DecodePrivateKey as _;
use rsa::{Pkcs1v15Sign, RsaPrivateKey};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use url::Url;

use super::{GITHUB, HostError, TIMEOUT, json_of, send};
use crate::error::Error;
use crate::git::run::RunError;

/// User name for a token of an installation.
const USER: &str = "x-access-token";

/// Lifetime of the app's own token, and tolerance for a clock that is ahead of GitHub's, in seconds. GitHub accepts ten
/// minutes in total.
const PROOF_SECONDS: i64 = 300;
const SKEW_SECONDS: i64 = 60;

/// Remaining lifetime below which a token is not used. A run takes at most half an hour.
const MARGIN: Duration = Duration::from_secs(31 * 60);

/// Maximum number of cached tokens. Expired ones are removed first.
const MOST_TOKENS: usize = 1_000;

/// DER prefix of a SHA-256 hash in a signature (RFC 8017, 9.2, note 1).
const SHA256_PREFIX: [u8; 19] = [
    0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00,
    0x04, 0x20,
];

/// GitHub App of the deployment. `Debug` does not show its key.
#[derive(Clone)]
pub struct GithubApp(Arc<App>);

struct App {
    /// App id or client id.
    id: String,
    key: RsaPrivateKey,
    /// URL of the API.
    api: Address,
    installations: Vec<GitAppInstallation>,
    tokens: Mutex<HashMap<Scope, Token>>,
}

/// Scope of a token: an installation, and the name of its only repository, if limited to one.
type Scope = (i64, Option<String>);

struct Token {
    secret: String,
    ends_at: Timestamp,
}

/// Reason why an app is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GithubAppError {
    /// The id is not the id of an app.
    #[error("it must be the number or the client id of a GitHub App")]
    Id,
    /// The key cannot be read.
    #[error("it must be an RSA private key in PEM")]
    Key,
    /// The URL of the API is invalid.
    #[error("it must be a URL such as https://github.example.com/api/v3")]
    Api,
}

/// Reason why there is no token.
#[derive(Debug, thiserror::Error)]
pub(in crate::git) enum TokenError {
    /// The deployment no longer has an app.
    #[error("This server has no GitHub App.")]
    NoApp,
    /// The operator assigned the installation to other organizations.
    #[error(
        "The operator of this server has not assigned this installation of the GitHub App to the organization."
    )]
    OtherOrganization,
    /// The repository is not on the host of the app.
    #[error("The repository is on another host than the GitHub App.")]
    OtherHost,
    /// GitHub rejects the app's id or key.
    #[error("GitHub did not accept the App of this server. The server's operator must check its id and key.")]
    Unaccepted,
    /// The installation was removed, or has no access to the repository.
    #[error(
        "The GitHub App has no access to the repository: it was uninstalled, suspended, or limited to other \
         repositories."
    )]
    NoAccess,
    /// The request to GitHub failed.
    #[error("A token of the GitHub App cannot be fetched: {0}.")]
    Host(HostError),
}

impl From<TokenError> for Error {
    fn from(error: TokenError) -> Self {
        Refusal::new(Reason::FetchFailed).with_message(error.to_string()).into()
    }
}

impl From<TokenError> for RunError {
    fn from(error: TokenError) -> Self {
        Self::Content(error.into())
    }
}

impl fmt::Debug for GithubApp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GithubApp({})", self.0.id)
    }
}

impl GithubApp {
    /// URL of the API of github.com.
    pub const API: &str = GITHUB.1;

    /// Returns an app by its app id or client id, its private key in PEM, and the URL of the GitHub API. Connections
    /// may use only these `installations`.
    ///
    /// # Errors
    /// [`GithubAppError`]. Its message contains none of the values.
    pub fn new(
        id: &str,
        key: &str,
        api: &str,
        installations: Vec<GitAppInstallation>,
    ) -> Result<Self, GithubAppError> {
        if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte)) {
            return Err(GithubAppError::Id);
        }
        // GitHub creates keys in PKCS #1.
        let key =
            RsaPrivateKey::from_pkcs1_pem(key).or_else(|_| RsaPrivateKey::from_pkcs8_pem(key).map_err(drop));
        let key = key.map_err(|_| GithubAppError::Key)?;
        let api = Address::parse(api).ok().filter(|api| !api.has_account()).ok_or(GithubAppError::Api)?;
        let tokens = Mutex::default();
        Ok(Self(Arc::new(App { id: id.to_owned(), key, api, installations, tokens })))
    }

    /// Returns the installations that an organization may use.
    pub fn installations_of(&self, organization: OrganizationId) -> impl Iterator<Item = i64> {
        let of_it = self.0.installations.iter().filter(move |found| found.organization == organization);
        of_it.map(|found| found.id)
    }

    /// Returns the origin (scheme and host) of repositories.
    #[must_use]
    pub fn origin(&self) -> String {
        match self.0.api.origin() {
            origin if GITHUB.1.starts_with(&origin) => format!("https://{}", GITHUB.0),
            origin => origin,
        }
    }

    /// Returns the user name and a token for a repository. Without a repository, the token is for all repositories of
    /// the installation. A token is cached until shortly before it expires.
    pub(in crate::git) async fn account(
        &self,
        fetcher: &Fetcher,
        now: Timestamp,
        installation: GitAppInstallation,
        url: &str,
    ) -> Result<(String, String), TokenError> {
        if !self.0.installations.contains(&installation) {
            return Err(TokenError::OtherOrganization);
        }
        let address = Address::parse(url).ok().filter(|address| address.origin() == self.origin());
        let address = address.ok_or(TokenError::OtherHost)?;
        let name = address.name().rsplit('/').next().filter(|name| !name.is_empty()).map(str::to_owned);
        let scope = (installation.id, name);
        if let Some(kept) = self.kept(&scope, now) {
            return Ok((USER.to_owned(), kept));
        }
        let fetched = tokio::time::timeout(TIMEOUT, self.fetch(fetcher, now, &scope)).await;
        let token = fetched.unwrap_or(Err(TokenError::Host(HostError::TimedOut)))?;
        let secret = token.secret.clone();
        self.keep(scope, token, now);
        Ok((USER.to_owned(), secret))
    }

    fn kept(&self, scope: &Scope, now: Timestamp) -> Option<String> {
        let tokens = self.0.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.get(scope).filter(|token| token.lasts(now)).map(|token| token.secret.clone())
    }

    fn keep(&self, scope: Scope, token: Token, now: Timestamp) {
        let mut tokens = self.0.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        if tokens.len() >= MOST_TOKENS {
            tokens.retain(|_, token| token.lasts(now));
        }
        if tokens.len() < MOST_TOKENS {
            tokens.insert(scope, token);
        }
    }

    async fn fetch(
        &self,
        fetcher: &Fetcher,
        now: Timestamp,
        (id, name): &Scope,
    ) -> Result<Token, TokenError> {
        let path = ["app", "installations", &id.to_string(), "access_tokens"];
        let url = below(self.0.api.url(), &path).ok_or(TokenError::OtherHost)?;
        let proof = Account { username: String::new(), password: self.proof(now)? };
        let api = self.0.api.clone().with_account(proof);
        let body = match name {
            Some(name) => json!({ "repositories": [name] }),
            None => json!({}),
        };
        let (_, answer) =
            send(fetcher, Method::POST, &url, &api, Some(&body)).await.map_err(|error| match error {
                HostError::Status(401) => TokenError::Unaccepted,
                HostError::Status(403 | 404 | 422) => TokenError::NoAccess,
                error => TokenError::Host(error),
            })?;
        let answer = json_of(&answer).map_err(TokenError::Host)?;
        Token::read(&answer).ok_or(TokenError::Host(HostError::Answer("the answer has no token")))
    }

    /// Returns a token that identifies the app itself, signed with RS256 (RFC 7515; RFC 7518, 3.3).
    fn proof(&self, now: Timestamp) -> Result<String, TokenError> {
        let seconds = now.millis().div_euclid(1_000);
        let claims = json!({
            "iat": seconds.saturating_sub(SKEW_SECONDS), "exp": seconds.saturating_add(PROOF_SECONDS), "iss": self.0.id,
        });
        let encoded = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", encoded(&json!({"alg": "RS256", "typ": "JWT"})), encoded(&claims));
        let scheme = Pkcs1v15Sign { hash_len: Some(32), prefix: SHA256_PREFIX.into() };
        let hash = Sha256::digest(signed.as_bytes());
        // Blinding protects the key against timing attacks.
        let signature = self.0.key.sign_with_rng(&mut rsa::rand_core::OsRng, scheme, &hash);
        let signature = signature.map_err(|_| TokenError::Unaccepted)?;
        Ok(format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature)))
    }
}

impl Token {
    fn read(answer: &Value) -> Option<Self> {
        let secret = answer.get("token")?.as_str()?.to_owned();
        let ends_at = serde_json::from_value(answer.get("expires_at")?.clone()).ok()?;
        Some(Self { secret, ends_at })
    }

    fn lasts(&self, now: Timestamp) -> bool {
        self.ends_at.since(now) > MARGIN
    }
}

fn below(url: &Url, path: &[&str]) -> Option<Url> {
    let mut url = url.clone();
    url.path_segments_mut().ok()?.pop_if_empty().extend(path);
    Some(url)
}

#[cfg(test)]
mod tests {
    use rsa::traits::PublicKeyParts as _;

    use super::*;

    /// Key for tests in the form that GitHub creates.
    const KEY: &str = include_str!("../../../../test-support/src/oidc_provider.pem");

    fn app(api: &str) -> Result<GithubApp, GithubAppError> {
        GithubApp::new("Iv1.0a1b", KEY, api, Vec::new())
    }

    #[test]
    fn the_app_proves_itself_with_its_key() {
        let app = app(GithubApp::API).unwrap();
        let now = Timestamp::from_millis(1_795_824_000_500).unwrap();
        let proof = app.proof(now).unwrap();
        let (signed, signature) = proof.rsplit_once('.').unwrap();
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
        assert_eq!(signature.len(), app.0.key.size());
        let scheme = Pkcs1v15Sign { hash_len: Some(32), prefix: SHA256_PREFIX.into() };
        app.0.key.to_public_key().verify(scheme, &Sha256::digest(signed), &signature).unwrap();
        let parts = signed.split('.').map(|part| URL_SAFE_NO_PAD.decode(part).unwrap());
        let parts: Vec<Value> = parts.map(|part| serde_json::from_slice(&part).unwrap()).collect();
        assert_eq!(
            parts,
            [
                json!({"alg": "RS256", "typ": "JWT"}),
                json!({"iat": 1_795_823_940, "exp": 1_795_824_300, "iss": "Iv1.0a1b"}),
            ]
        );
        assert_eq!(format!("{app:?}"), "GithubApp(Iv1.0a1b)");
    }

    #[test]
    fn repositories_are_on_the_host_of_the_interface() {
        assert_eq!(app(GithubApp::API).unwrap().origin(), "https://github.com");
        assert_eq!(app("https://api.github.com").unwrap().origin(), "https://github.com");
        assert_eq!(
            app("https://git.example.org:8443/api/v3").unwrap().origin(),
            "https://git.example.org:8443"
        );
    }

    #[test]
    fn unusable_settings_are_refused() {
        let refused = |id: &str, key: &str, api: &str| GithubApp::new(id, key, api, Vec::new()).unwrap_err();
        assert_eq!(refused("", KEY, GithubApp::API), GithubAppError::Id);
        assert_eq!(refused("1/2", KEY, GithubApp::API), GithubAppError::Id);
        assert_eq!(refused("1", "hunter2", GithubApp::API), GithubAppError::Key);
        assert_eq!(refused("1", KEY, "git.example.org"), GithubAppError::Api);
        assert_eq!(refused("1", KEY, "https://token@git.example.org"), GithubAppError::Api);
    }
}
