//! WebAuthn authenticator of a browser on `http://localhost:8080`, with one passkey.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// Base URL at which browsers offer passkeys.
pub const BASE: &str = "http://localhost:8080";

const PRESENT_AND_VERIFIED: u8 = 0x05;
const WITH_KEY: u8 = 0x40;

/// Starts an application at that base URL.
pub async fn app() -> TestApp {
    TestApp::start_at(BASE).await
}

pub struct Authenticator {
    key: SigningKey,
    id: Vec<u8>,
    counter: u32,
    /// User of the passkey, as the options of the registration name it.
    user: Value,
}

impl Authenticator {
    /// Creates an authenticator. Equal seeds create equal passkeys.
    pub fn new(seed: u8) -> Self {
        let key = SigningKey::from_slice(&[seed; 32]).unwrap();
        Self { key, id: vec![seed; 16], counter: 0, user: Value::Null }
    }

    /// Registers the passkey for a session, and returns its id.
    pub async fn register(&mut self, browser: &Caller, name: &str) -> String {
        let started = browser.post_empty("/v1/user/passkeys/start").await.expect(200);
        let body = json!({
            "challenge": started.at("/id"), "name": name, "credential": self.create(started.at("/publicKey")),
        });
        browser.post("/v1/user/passkeys", body).await.expect(201).text("/id")
    }

    /// Answers a challenge to register the passkey.
    pub fn create(&mut self, options: &Value) -> Value {
        self.user = options["user"]["id"].clone();
        let mut data = self.data(PRESENT_AND_VERIFIED | WITH_KEY);
        data.extend([0; 16]);
        data.extend(u16::try_from(self.id.len()).unwrap().to_be_bytes());
        data.extend(&self.id);
        // COSE key: EC2, ES256, P-256, then the coordinates after the byte of the uncompressed form.
        let point = self.key.verifying_key().to_sec1_point(false);
        let (x, y) = point.as_bytes()[1..].split_at(32);
        data.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 32]);
        data.extend(x);
        data.extend([0x22, 0x58, 32]);
        data.extend(y);
        let mut object = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
        object.push(u8::try_from(data.len()).unwrap());
        object.extend(data);
        let client = client_data("webauthn.create", options);
        self.answer(&json!({
            "attestationObject": encode(&object), "clientDataJSON": encode(&client), "transports": ["internal"],
        }))
    }

    /// Answers a challenge to sign in.
    pub fn get(&mut self, options: &Value) -> Value {
        self.counter += 1;
        let data = self.data(PRESENT_AND_VERIFIED);
        let client = client_data("webauthn.get", options);
        let signed = [data.as_slice(), &Sha256::digest(&client)].concat();
        let signature: Signature = self.key.sign(&signed);
        self.answer(&json!({
            "authenticatorData": encode(&data), "clientDataJSON": encode(&client),
            "signature": encode(signature.to_der().as_bytes()), "userHandle": self.user,
        }))
    }

    fn data(&self, flags: u8) -> Vec<u8> {
        let mut data = Sha256::digest(b"localhost").to_vec();
        data.push(flags);
        data.extend(self.counter.to_be_bytes());
        data
    }

    fn answer(&self, response: &Value) -> Value {
        let id = encode(&self.id);
        json!({
            "id": id, "rawId": id, "type": "public-key", "response": response, "clientExtensionResults": {},
            "authenticatorAttachment": "platform",
        })
    }
}

fn client_data(kind: &str, options: &Value) -> Vec<u8> {
    json!({"type": kind, "challenge": options["challenge"], "origin": BASE}).to_string().into_bytes()
}

fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
