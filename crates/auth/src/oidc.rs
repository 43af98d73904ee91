//! OpenID Connect sign-ins: the authorization code flow with PKCE (OpenID Connect Core 1.0, 3.1; RFC 7636). The caller
//! sends the requests, so that they pass its outbound request guard.

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use openidconnect::core::{
    CoreAuthenticationFlow, CoreClient, CoreClientAuthMethod, CoreGenderClaim, CoreIdTokenVerifier,
    CoreJwsSigningAlgorithm, CoreProviderMetadata,
};
use openidconnect::{
    AdditionalClaims, AuthType, AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret,
    CsrfToken, DiscoveryError, EndpointMaybeSet, EndpointNotSet, EndpointSet, HttpRequest, HttpResponse,
    IssuerUrl, LocalizedClaim, Nonce, OAuth2TokenResponse as _, PkceCodeChallenge, PkceCodeVerifier,
    RedirectUrl, RequestTokenError, Scope, TokenResponse as _, UserInfoClaims,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Types of requests and responses.
pub use openidconnect::http;

/// Tolerated clock skew.
const SKEW: Duration = Duration::from_secs(60);

/// Accepted signature algorithms: all that verify with a public key of the provider.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

/// Client of a provider whose configuration was fetched.
type Configured = CoreClient<
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// Future response of a request.
pub type Exchanged = Pin<Box<dyn Future<Output = Result<HttpResponse, ExchangeError>>>>;
/// Sends a request and returns the response, without following redirects.
pub type Exchange<'a> = &'a dyn Fn(HttpRequest) -> Exchanged;

/// Failure to send a request or to receive its response.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ExchangeError(pub String);

/// This service as a client (relying party) of a provider.
#[derive(Clone)]
pub struct Client {
    /// URL of the provider.
    pub issuer: String,
    /// Client id.
    pub client_id: String,
    /// Client secret.
    pub client_secret: String,
    /// URL to which the provider redirects browsers after the sign-in.
    pub redirect_url: String,
}

/// Sign-in that waits for the provider to redirect the browser back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// Value that the provider returns with the authorization code.
    pub state: String,
    /// Value that the provider writes into the ID token.
    pub nonce: String,
    /// PKCE code verifier.
    pub verifier: String,
}

/// Person identified by a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Identifier of the person at the provider (`sub`).
    pub subject: String,
    /// E-mail address, verified or not.
    pub email: Option<String>,
    /// `true` if the provider has verified the e-mail address.
    pub is_email_verified: bool,
    /// Name of the person.
    pub name: Option<String>,
    /// All claims of the ID token and of the UserInfo response.
    pub claims: Map<String, Value>,
}

impl Identity {
    /// Returns whether the provider states that it verified several factors: `mfa` is among the authentication methods
    /// (`amr`, RFC 8176).
    #[must_use]
    pub fn has_second_factor(&self) -> bool {
        let methods = self.claims.get("amr").and_then(Value::as_array);
        methods.is_some_and(|methods| methods.iter().any(|method| method == "mfa"))
    }
}

/// Claims of a UserInfo response that the standard does not define, such as groups.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct OtherClaims {
    #[serde(flatten)]
    claims: Map<String, Value>,
}

impl AdditionalClaims for OtherClaims {}

/// Reason why a sign-in failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The provider does not respond, or its configuration is not valid.
    #[error("the provider cannot be used: {0}")]
    Provider(String),
    /// The provider refuses the authorization code.
    #[error("the code is not accepted: {0}")]
    Code(String),
    /// The token was issued by another provider.
    #[error("the issuer is wrong: {0}")]
    Issuer(String),
    /// The token is for another client.
    #[error("the audience is wrong: {0}")]
    Audience(String),
    /// The token belongs to another sign-in.
    #[error("the nonce is wrong")]
    Nonce,
    /// The token has expired.
    #[error("the token has expired")]
    Expired,
    /// The signature is wrong, or its algorithm or key is not accepted.
    #[error("the signature is wrong: {0}")]
    Signature(String),
    /// The token is missing or malformed.
    #[error("the token is not valid: {0}")]
    Token(String),
}

impl Client {
    /// Starts a sign-in. Returns the URL of the provider's sign-in page, and the state for [`Client::finish`].
    ///
    /// # Errors
    /// [`Failure::Provider`].
    pub async fn start(&self, exchange: Exchange<'_>) -> Result<(String, Pending), Failure> {
        let client = self.configured(exchange).await?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let request = client.authorize_url(
            CoreAuthenticationFlow::AuthorizationCode,
            CsrfToken::new_random,
            Nonce::new_random,
        );
        let request = ["email", "profile"]
            .into_iter()
            .fold(request, |request, scope| request.add_scope(Scope::new(scope.to_owned())));
        let (url, state, nonce) = request.set_pkce_challenge(challenge).url();
        let pending = Pending {
            state: state.into_secret(),
            nonce: nonce.secret().clone(),
            verifier: verifier.into_secret(),
        };
        Ok((url.into(), pending))
    }

    /// Exchanges the authorization code for an ID token and verifies it.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn finish(
        &self,
        exchange: Exchange<'_>,
        pending: &Pending,
        code: String,
        now: SystemTime,
    ) -> Result<Identity, Failure> {
        let client = self.configured(exchange).await?;
        let request = client
            .exchange_code(AuthorizationCode::new(code))
            .map_err(|error| Failure::Provider(error.to_string()))?
            .set_pkce_verifier(PkceCodeVerifier::new(pending.verifier.clone()));
        let response = request.request_async(&exchange).await.map_err(of_token_request)?;
        let token = response.id_token().ok_or_else(|| Failure::Token("it is missing".to_owned()))?;
        let at = now.checked_sub(SKEW).unwrap_or(now);
        let verifier: CoreIdTokenVerifier<'_> =
            client.id_token_verifier().set_allowed_algs(ALGORITHMS).set_time_fn(move || at.into());
        let nonce = Nonce::new(pending.nonce.clone());
        let claims = token.claims(&verifier, &nonce).map_err(of_claims)?;
        // The library does not check the authorized party (`azp`).
        if let Some(party) = claims.authorized_party()
            && party.as_str() != self.client_id
        {
            return Err(Failure::Audience(format!("the authorized party is {}", party.as_str())));
        }
        let mut identity = Identity {
            subject: claims.subject().to_string(),
            email: claims.email().map(|email| email.to_string()),
            is_email_verified: claims.email_verified() == Some(true),
            name: name(claims.name(), claims.preferred_username().map(|name| name.as_str())),
            claims: payload(&token.to_string())?,
        };
        // Providers may return the claims of scopes only from the UserInfo endpoint (OpenID Connect Core 1.0, 5.4).
        if identity.email.is_none() && client.user_info_url().is_some() {
            let asked = client
                .user_info(response.access_token().clone(), Some(claims.subject().clone()))
                .map_err(|error| Failure::Provider(error.to_string()))?;
            let answer: UserInfoClaims<OtherClaims, CoreGenderClaim> =
                asked.request_async(&exchange).await.map_err(|error| Failure::Provider(chain(&error)))?;
            identity.complete(&answer);
        }
        Ok(identity)
    }

    async fn configured(&self, exchange: Exchange<'_>) -> Result<Configured, Failure> {
        let invalid = |error: &dyn std::error::Error| Failure::Provider(chain(error));
        let issuer = IssuerUrl::new(self.issuer.clone()).map_err(|error| invalid(&error))?;
        let metadata = CoreProviderMetadata::discover_async(issuer, &exchange).await.map_err(of_discovery)?;
        let methods = metadata.token_endpoint_auth_methods_supported();
        // Without a list of methods, the default is HTTP Basic (OpenID Connect Discovery 1.0, 3).
        let takes_header =
            methods.is_none_or(|methods| methods.contains(&CoreClientAuthMethod::ClientSecretBasic));
        let redirect = RedirectUrl::new(self.redirect_url.clone()).map_err(|error| invalid(&error))?;
        let secret = ClientSecret::new(self.client_secret.clone());
        let client =
            CoreClient::from_provider_metadata(metadata, ClientId::new(self.client_id.clone()), Some(secret));
        let auth_type = if takes_header { AuthType::BasicAuth } else { AuthType::RequestBody };
        Ok(client.set_auth_type(auth_type).set_redirect_uri(redirect))
    }
}

impl Identity {
    /// Adds claims that the ID token lacks.
    fn complete(&mut self, answer: &UserInfoClaims<OtherClaims, CoreGenderClaim>) {
        self.email = answer.email().map(|email| email.to_string());
        self.is_email_verified = answer.email_verified() == Some(true);
        if self.name.is_none() {
            self.name = name(answer.name(), answer.preferred_username().map(|name| name.as_str()));
        }
        if let Ok(Value::Object(claims)) = serde_json::to_value(answer) {
            for (name, value) in claims {
                self.claims.entry(name).or_insert(value);
            }
        }
    }
}

/// Returns the name without a language tag, else the first name, else the account name.
fn name(names: Option<&LocalizedClaim<openidconnect::EndUserName>>, account: Option<&str>) -> Option<String> {
    let localized = names.and_then(|names| {
        let name = names.get(None).or_else(|| names.iter().next().map(|(_, name)| name));
        name.map(|name| name.to_string())
    });
    localized.or_else(|| account.map(ToOwned::to_owned))
}

/// Returns the claims of a token whose signature has been verified.
fn payload(token: &str) -> Result<Map<String, Value>, Failure> {
    let malformed = || Failure::Token("its claims cannot be read".to_owned());
    let payload = token.split('.').nth(1).ok_or_else(malformed)?;
    let bytes = URL_SAFE_NO_PAD.decode(payload).map_err(|_| malformed())?;
    serde_json::from_slice(&bytes).map_err(|_| malformed())
}

fn of_discovery(error: DiscoveryError<ExchangeError>) -> Failure {
    Failure::Provider(chain(&error))
}

fn of_token_request<T>(error: RequestTokenError<ExchangeError, T>) -> Failure
where
    T: openidconnect::ErrorResponse + 'static,
{
    match &error {
        RequestTokenError::ServerResponse(_) => Failure::Code(error.to_string()),
        RequestTokenError::Request(_) => Failure::Provider(chain(&error)),
        RequestTokenError::Parse(source, _) => Failure::Token(source.to_string()),
        RequestTokenError::Other(problem) => Failure::Token(problem.clone()),
    }
}

fn of_claims(error: ClaimsVerificationError) -> Failure {
    match error {
        ClaimsVerificationError::Expired(_) => Failure::Expired,
        ClaimsVerificationError::InvalidIssuer(problem) => Failure::Issuer(problem),
        ClaimsVerificationError::InvalidAudience(problem) => Failure::Audience(problem),
        ClaimsVerificationError::InvalidNonce(_) => Failure::Nonce,
        ClaimsVerificationError::SignatureVerification(problem) => Failure::Signature(problem.to_string()),
        other => Failure::Token(other.to_string()),
    }
}

/// Returns an error message with its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
