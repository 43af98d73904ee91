//! OpenID Connect provider.
#![allow(clippy::indexing_slicing, reason = "a request that lacks a parameter fails the test")]

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Result, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use openidconnect::core::{CoreJwsSigningAlgorithm, CoreRsaPrivateSigningKey};
use openidconnect::{JsonWebKeyId, PrivateSigningKey as _};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use url::{Url, form_urlencoded};

/// Private key, which signs only tokens of tests.
const KEY: &str = include_str!("oidc_provider.pem");

/// Provider on a free port of this machine that signs in every user. It checks the client, the code and its verifier.
#[derive(Debug)]
pub struct OidcProvider {
    /// URL of the provider.
    pub issuer: String,
    shared: Arc<Mutex<Shared>>,
}

/// State of the provider.
#[derive(Debug, Default)]
struct Shared {
    issuer: String,
    /// Claims of the next tokens. Null removes a default claim.
    claims: Map<String, Value>,
    /// Claims of the user info response.
    user_info: Map<String, Value>,
    signs_wrong: bool,
    /// Nonce and code challenge by code.
    codes: HashMap<String, (String, String)>,
}

impl OidcProvider {
    /// Client id that the provider accepts.
    pub const CLIENT_ID: &'static str = "quire";
    /// Client secret that the provider accepts.
    pub const CLIENT_SECRET: &'static str = "client: secret";

    /// Starts a provider. It runs until the process ends.
    ///
    /// # Panics
    /// If the machine has no free port.
    #[must_use]
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("the machine has a free port");
        let address = listener.local_addr().expect("the port is known");
        let issuer = format!("http://{address}");
        let shared = Arc::new(Mutex::new(Shared {
            issuer: issuer.clone(),
            user_info: object(&json!({"sub": "grace"})),
            ..Shared::default()
        }));
        let of_thread = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that disconnects early has received all that the test expects.
                let _ = converse(stream, &of_thread);
            }
        });
        Self { issuer, shared }
    }

    /// Returns the address of the provider, which a guard must allow.
    #[must_use]
    pub fn address(&self) -> &str {
        self.issuer.trim_start_matches("http://")
    }

    /// Sets claims of the next tokens. They override valid defaults; null removes one.
    pub fn set_claims(&self, claims: &Value) {
        self.lock().claims = object(claims);
    }

    /// Sets the claims of the user info response.
    pub fn set_user_info(&self, claims: &Value) {
        self.lock().user_info = object(claims);
    }

    /// Makes the signatures of the next tokens invalid or valid.
    pub fn set_signs_wrong(&self, signs_wrong: bool) {
        self.lock().signs_wrong = signs_wrong;
    }

    /// Signs in at an authorization URL, and returns the query that the browser brings back.
    ///
    /// # Panics
    /// If the URL is not an authorization request.
    #[must_use]
    pub fn visit(&self, url: &str) -> String {
        let url = Url::parse(url).expect("the page has a URL");
        let parameters: HashMap<_, _> = url.query_pairs().into_owned().collect();
        assert_eq!(url.path(), "/authorize");
        assert_eq!(parameters["client_id"], Self::CLIENT_ID);
        assert_eq!(parameters["response_type"], "code");
        assert_eq!(parameters["code_challenge_method"], "S256");
        assert!(parameters["scope"].split(' ').any(|scope| scope == "openid"));
        let mut shared = self.lock();
        let code = format!("code-{}", shared.codes.len());
        let kept = (parameters["nonce"].clone(), parameters["code_challenge"].clone());
        shared.codes.insert(code.clone(), kept);
        let pairs = [("code", code.as_str()), ("state", parameters["state"].as_str())];
        form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().expect("claims are an object")
}

/// Answers one request.
fn converse(stream: TcpStream, shared: &Mutex<Shared>) -> Result<()> {
    let mut answers = stream.try_clone()?;
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while reader.read_line(&mut head)? > 2 {}
    let header = |name: &str| {
        let lines = head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned()).next()
    };
    let length = header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let path = head.split(' ').nth(1).unwrap_or_default();
    let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
    let (status, answer) = match path {
        "/.well-known/openid-configuration" => ("200 OK", configuration(&shared.issuer)),
        "/keys" => ("200 OK", json!({"keys": [key().as_verification_key()]})),
        "/token" => shared.token(header("authorization").as_deref(), &body),
        "/userinfo" => ("200 OK", Value::Object(shared.user_info.clone())),
        _ => ("404 Not Found", json!({})),
    };
    let answer = answer.to_string();
    write!(
        answers,
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{answer}",
        answer.len()
    )
}

fn configuration(issuer: &str) -> Value {
    json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "userinfo_endpoint": format!("{issuer}/userinfo"),
        "jwks_uri": format!("{issuer}/keys"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256", "HS256", "none"],
    })
}

fn key() -> CoreRsaPrivateSigningKey {
    CoreRsaPrivateSigningKey::from_pem(KEY, Some(JsonWebKeyId::new("test".to_owned())))
        .expect("the key is one")
}

impl Shared {
    /// Exchanges a code, which works once.
    fn token(&mut self, authorization: Option<&str>, body: &[u8]) -> (&'static str, Value) {
        const REFUSED: &str = "400 Bad Request";
        let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        let (id, secret) = (encoded(OidcProvider::CLIENT_ID), encoded(OidcProvider::CLIENT_SECRET));
        if authorization != Some(&format!("Basic {}", STANDARD.encode(format!("{id}:{secret}")))) {
            return ("401 Unauthorized", json!({"error": "invalid_client"}));
        }
        let parameters: HashMap<_, _> = form_urlencoded::parse(body).into_owned().collect();
        let code = parameters.get("code").and_then(|code| self.codes.remove(code));
        let Some((nonce, challenge)) = code else { return (REFUSED, json!({"error": "invalid_grant"})) };
        let verifier = parameters.get("code_verifier").map_or(&[][..], |verifier| verifier.as_bytes());
        if URL_SAFE_NO_PAD.encode(Sha256::digest(verifier)) != challenge {
            return (REFUSED, json!({"error": "invalid_grant"}));
        }
        let token = json!({"access_token": "a", "token_type": "Bearer", "id_token": self.id_token(&nonce)});
        ("200 OK", token)
    }

    fn id_token(&self, nonce: &str) -> String {
        let mut claims = object(&json!({
            "iss": self.issuer, "aud": OidcProvider::CLIENT_ID, "sub": "grace", "nonce": nonce,
            "iat": 1_700_000_000_u64, "exp": 4_102_444_800_u64,
        }));
        for (name, value) in &self.claims {
            match value {
                Value::Null => claims.remove(name),
                value => claims.insert(name.clone(), value.clone()),
            };
        }
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed =
            format!("{}.{}", part(&json!({"alg": "RS256", "kid": "test"})), part(&Value::Object(claims)));
        let algorithm = CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256;
        let mut signature = key().sign(&algorithm, signed.as_bytes()).expect("the key signs");
        if let (true, Some(byte)) = (self.signs_wrong, signature.last_mut()) {
            *byte ^= 1;
        }
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}
