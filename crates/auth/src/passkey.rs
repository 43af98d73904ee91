//! Passkeys (WebAuthn): registration and sign-in ceremonies. The caller keeps the state of a ceremony between its two
//! steps, for a single use and at most [`LIFE`].

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use webauthn_rs::prelude::{
    DiscoverableAuthentication, Passkey, PasskeyRegistration, PublicKeyCredential,
    RegisterPublicKeyCredential, Url, Uuid, Webauthn, WebauthnBuilder, WebauthnError,
};

/// Maximum size of an authenticator's response in bytes. Without attestation, responses have about 1 kB.
pub const ANSWER_MAX: usize = 16 * 1024;
/// Maximum size of a credential id in bytes, from the specification.
pub const CREDENTIAL_ID_MAX: usize = 1023;
/// Maximum time between the two steps of a ceremony. Browsers get it as their timeout.
pub const LIFE: Duration = Duration::from_secs(5 * 60);

/// Name of the service that authenticators show.
const NAME: &str = "Quire";

/// Error of a ceremony.
#[derive(Debug, thiserror::Error)]
pub enum PasskeyError {
    /// Response or credential id that is too long.
    #[error("the answer of the authenticator is too long")]
    TooLong,
    /// Response that does not have the form of the browser API.
    #[error("the answer of the authenticator cannot be read")]
    Malformed(#[source] serde_json::Error),
    /// Response with another challenge, origin or key, or without user verification.
    #[error("the answer of the authenticator is not accepted")]
    Refused(#[source] WebauthnError),
    /// State or key that cannot be encoded, or that no ceremony returned.
    #[error("the state of the ceremony is invalid")]
    State(#[source] serde_json::Error),
}

/// First step of a ceremony.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ceremony {
    /// Options for `navigator.credentials`: the JSON form of its member `publicKey`.
    pub options: Value,
    /// State for the second step. Clients must not learn or change it.
    pub state: String,
}

/// Registered passkey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisteredKey {
    /// Credential id.
    pub id: Vec<u8>,
    /// Public key with its signature counter, to be stored. It is not secret.
    pub key: String,
}

/// Response of an authenticator to a sign-in. It proves nothing until [`RelyingParty::finish_sign_in`] accepts it.
#[derive(Clone, Debug)]
pub struct Assertion(PublicKeyCredential);

impl Assertion {
    /// Parses a response from its JSON form.
    ///
    /// # Errors
    /// [`PasskeyError::TooLong`] and [`PasskeyError::Malformed`].
    pub fn read(answer: &[u8]) -> Result<Self, PasskeyError> {
        let credential: PublicKeyCredential = read(answer)?;
        check_id(&credential.raw_id)?;
        Ok(Self(credential))
    }

    /// Returns the credential id, with which the caller looks up the key.
    #[must_use]
    pub fn credential_id(&self) -> &[u8] {
        self.0.get_credential_id()
    }

    /// Returns whether the response may come from this user. It returns `true` if the response names no user:
    /// authenticators that store no user handle send none.
    #[must_use]
    pub fn names(&self, user: Uuid) -> bool {
        self.0.get_user_unique_id().is_none_or(|handle| handle == user.as_bytes().as_slice())
    }
}

/// Deployment as a WebAuthn relying party, identified by the host name and the origin of its public URL.
#[derive(Clone, Debug)]
pub struct RelyingParty(Webauthn);

impl RelyingParty {
    /// Returns the relying party of a public URL. Returns `None` if browsers support no passkeys there: the URL has no
    /// host name, or uses plain HTTP with a host other than `localhost`.
    #[must_use]
    pub fn of(base_url: &str) -> Option<Self> {
        let url = Url::parse(base_url).ok()?;
        let host = url.domain()?;
        if url.scheme() != "https" && host != "localhost" {
            return None;
        }
        let origin = Url::parse(&url.origin().ascii_serialization()).ok()?;
        let builder = WebauthnBuilder::new(host, &origin).ok()?;
        builder.rp_name(NAME).timeout(LIFE).build().ok().map(Self)
    }

    /// Starts a registration. `name` is the account name. An authenticator that holds one of the credentials `known`
    /// creates no other. The authenticator stores the user handle, so that the passkey can sign in without an account
    /// name.
    ///
    /// # Errors
    /// [`PasskeyError::Refused`] for an empty name.
    pub fn start_registration(
        &self,
        user: Uuid,
        name: &str,
        display_name: &str,
        known: &[Vec<u8>],
    ) -> Result<Ceremony, PasskeyError> {
        let (challenge, state) = self
            .0
            .start_passkey_registration(user, name, display_name, Some(known.to_vec()))
            .map_err(PasskeyError::Refused)?;
        let mut options = serde_json::to_value(challenge.public_key).map_err(PasskeyError::State)?;
        if let Some(selection) = options.get_mut("authenticatorSelection").and_then(Value::as_object_mut) {
            selection.insert("residentKey".to_owned(), json!("required"));
            selection.insert("requireResidentKey".to_owned(), json!(true));
        }
        Ok(Ceremony { options, state: serde_json::to_string(&state).map_err(PasskeyError::State)? })
    }

    /// Finishes a registration and returns the passkey that the authenticator created.
    ///
    /// # Errors
    /// All of [`PasskeyError`].
    pub fn finish_registration(&self, state: &str, answer: &[u8]) -> Result<RegisteredKey, PasskeyError> {
        let answer: RegisterPublicKeyCredential = read(answer)?;
        check_id(&answer.raw_id)?;
        let state: PasskeyRegistration = serde_json::from_str(state).map_err(PasskeyError::State)?;
        let key = self.0.finish_passkey_registration(&answer, &state).map_err(PasskeyError::Refused)?;
        let id = key.cred_id().to_vec();
        check_id(&id)?;
        Ok(RegisteredKey { id, key: serde_json::to_string(&key).map_err(PasskeyError::State)? })
    }

    /// Starts a sign-in. If `allowed` is empty, authenticators offer their discoverable credentials.
    ///
    /// # Errors
    /// [`PasskeyError::State`].
    pub fn start_sign_in(&self, allowed: &[Vec<u8>]) -> Result<Ceremony, PasskeyError> {
        let (challenge, state) = self.0.start_discoverable_authentication().map_err(PasskeyError::Refused)?;
        let allowed: Vec<_> =
            allowed.iter().map(|id| json!({"type": "public-key", "id": encode(id)})).collect();
        // `mediation` is left out, because a button starts the sign-in, not the autofill of a field.
        let mut options = serde_json::to_value(challenge.public_key).map_err(PasskeyError::State)?;
        if let Some(options) = options.as_object_mut() {
            options.insert("allowCredentials".to_owned(), Value::Array(allowed));
        }
        Ok(Ceremony { options, state: serde_json::to_string(&state).map_err(PasskeyError::State)? })
    }

    /// Verifies a response with the stored key of its credential. Returns the key with the new counter, to be stored.
    ///
    /// # Errors
    /// [`PasskeyError::Refused`], also for a counter that was used before; [`PasskeyError::State`].
    pub fn finish_sign_in(
        &self,
        state: &str,
        assertion: &Assertion,
        key: &str,
    ) -> Result<String, PasskeyError> {
        let state: DiscoverableAuthentication = serde_json::from_str(state).map_err(PasskeyError::State)?;
        let mut key: Passkey = serde_json::from_str(key).map_err(PasskeyError::State)?;
        let result = self
            .0
            .finish_discoverable_authentication_v2(&assertion.0, state, &key)
            .map_err(PasskeyError::Refused)?;
        key.update_credential(&result);
        serde_json::to_string(&key).map_err(PasskeyError::State)
    }
}

fn read<T: DeserializeOwned>(answer: &[u8]) -> Result<T, PasskeyError> {
    if answer.len() > ANSWER_MAX {
        return Err(PasskeyError::TooLong);
    }
    serde_json::from_slice(answer).map_err(PasskeyError::Malformed)
}

fn check_id(id: &[u8]) -> Result<(), PasskeyError> {
    if id.len() > CREDENTIAL_ID_MAX { Err(PasskeyError::TooLong) } else { Ok(()) }
}

/// Encodes bytes as in the JSON forms of the browser API (base64url).
fn encode(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use p256::ecdsa::signature::Signer as _;
    use p256::ecdsa::{Signature, SigningKey};
    use sha2::{Digest as _, Sha256};

    use super::*;

    const BASE: &str = "https://docs.example.com/quire";
    const ORIGIN: &str = "https://docs.example.com";
    const USER: Uuid = Uuid::from_u128(7);
    const PRESENT: u8 = 0x01;
    const VERIFIED: u8 = 0x04;
    const WITH_KEY: u8 = 0x40;

    /// Authenticator with one key.
    struct Authenticator {
        key: SigningKey,
        id: Vec<u8>,
        counter: u32,
        flags: u8,
        origin: &'static str,
    }

    impl Authenticator {
        fn new() -> Self {
            let key = SigningKey::from_slice(&[7; 32]).unwrap();
            Self { key, id: vec![9; 16], counter: 1, flags: PRESENT | VERIFIED, origin: ORIGIN }
        }

        fn client_data(&self, kind: &str, options: &Value) -> String {
            json!({"type": kind, "challenge": options["challenge"], "origin": self.origin}).to_string()
        }

        fn data(&self, flags: u8) -> Vec<u8> {
            let mut data = Sha256::digest(b"docs.example.com").to_vec();
            data.push(flags);
            data.extend(self.counter.to_be_bytes());
            data
        }

        fn register(&self, options: &Value) -> Vec<u8> {
            let mut data = self.data(self.flags | WITH_KEY);
            data.extend([0; 16]);
            data.extend(u16::try_from(self.id.len()).unwrap().to_be_bytes());
            data.extend(&self.id);
            // COSE key (EC2, ES256, P-256), followed by the coordinates. The uncompressed form starts with one byte
            // before them.
            let point = self.key.verifying_key().to_sec1_point(false);
            let (x, y) = point.as_bytes()[1..].split_at(32);
            data.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 32]);
            data.extend(x);
            data.extend([0x22, 0x58, 32]);
            data.extend(y);
            let mut object = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
            object.push(u8::try_from(data.len()).unwrap());
            object.extend(data);
            let client = self.client_data("webauthn.create", options);
            let response =
                json!({"attestationObject": encode(&object), "clientDataJSON": encode(client.as_bytes())});
            self.answer(&response)
        }

        fn sign_in(&mut self, options: &Value) -> Vec<u8> {
            self.counter += 1;
            let data = self.data(self.flags);
            let client = self.client_data("webauthn.get", options);
            let signed = [data.as_slice(), &Sha256::digest(client.as_bytes())].concat();
            let signature: Signature = self.key.sign(&signed);
            let response = json!({
                "authenticatorData": encode(&data), "clientDataJSON": encode(client.as_bytes()),
                "signature": encode(signature.to_der().as_bytes()), "userHandle": encode(USER.as_bytes()),
            });
            self.answer(&response)
        }

        fn answer(&self, response: &Value) -> Vec<u8> {
            let id = encode(&self.id);
            let answer = json!({
                "id": id, "rawId": id, "type": "public-key", "response": response,
                "clientExtensionResults": {},
            });
            answer.to_string().into_bytes()
        }
    }

    fn registered(
        party: &RelyingParty,
        authenticator: &Authenticator,
    ) -> Result<RegisteredKey, PasskeyError> {
        let started = party.start_registration(USER, "ada@example.com", "Ada", &[]).unwrap();
        party.finish_registration(&started.state, &authenticator.register(&started.options))
    }

    #[test]
    fn a_passkey_signs_in_with_a_counter_that_grows() {
        let party = RelyingParty::of(BASE).unwrap();
        let mut authenticator = Authenticator::new();
        let new = registered(&party, &authenticator).unwrap();
        assert_eq!(new.id, authenticator.id);
        let started = party.start_sign_in(&[]).unwrap();
        assert_eq!(started.options["userVerification"], "required");
        let answer = Assertion::read(&authenticator.sign_in(&started.options)).unwrap();
        assert_eq!(answer.credential_id(), new.id);
        assert!(answer.names(USER) && !answer.names(Uuid::from_u128(8)));
        let key = party.finish_sign_in(&started.state, &answer, &new.key).unwrap();
        assert_ne!(key, new.key);
        // A cloned authenticator has the old counter.
        let again = party.finish_sign_in(&started.state, &answer, &key);
        assert!(matches!(again, Err(PasskeyError::Refused(_))), "{again:?}");
        // A response to one challenge is refused in another ceremony.
        let other = party.start_sign_in(&[]).unwrap();
        let replayed = party.finish_sign_in(&other.state, &answer, &new.key);
        assert!(matches!(replayed, Err(PasskeyError::Refused(_))), "{replayed:?}");
    }

    #[test]
    fn options_name_the_deployment_and_the_credentials() {
        let party = RelyingParty::of(BASE).unwrap();
        let known = vec![vec![9; 16]];
        let options = party.start_registration(USER, "ada@example.com", "Ada", &known).unwrap().options;
        assert_eq!(options["rp"], json!({"id": "docs.example.com", "name": NAME}));
        assert_eq!(options["excludeCredentials"][0]["id"], encode(&known[0]));
        assert_eq!(options["authenticatorSelection"]["residentKey"], "required");
        assert_eq!(options["authenticatorSelection"]["userVerification"], "required");
        assert_eq!(options["timeout"], 300_000);
        let options = party.start_sign_in(&known).unwrap().options;
        assert_eq!(options["allowCredentials"], json!([{"type": "public-key", "id": encode(&known[0])}]));
        assert_eq!(options["rpId"], "docs.example.com");
    }

    #[test]
    fn answers_of_other_sites_and_without_verification_are_refused() {
        let party = RelyingParty::of(BASE).unwrap();
        let elsewhere = Authenticator { origin: "https://evil.example", ..Authenticator::new() };
        let unverified = Authenticator { flags: PRESENT, ..Authenticator::new() };
        for mut refused in [elsewhere, unverified] {
            let new = registered(&party, &refused);
            assert!(matches!(new, Err(PasskeyError::Refused(_))), "{new:?}");
            let key = registered(&party, &Authenticator::new()).unwrap().key;
            let started = party.start_sign_in(&[]).unwrap();
            let answer = Assertion::read(&refused.sign_in(&started.options)).unwrap();
            let signed_in = party.finish_sign_in(&started.state, &answer, &key);
            assert!(matches!(signed_in, Err(PasskeyError::Refused(_))), "{signed_in:?}");
        }
        let other = Authenticator { key: SigningKey::from_slice(&[8; 32]).unwrap(), ..Authenticator::new() };
        let key = registered(&party, &other).unwrap().key;
        let started = party.start_sign_in(&[]).unwrap();
        let answer = Assertion::read(&Authenticator::new().sign_in(&started.options)).unwrap();
        assert!(party.finish_sign_in(&started.state, &answer, &key).is_err());
    }

    #[test]
    fn answers_have_bounds_and_a_form() {
        let party = RelyingParty::of(BASE).unwrap();
        let long = Assertion::read(&vec![b' '; ANSWER_MAX + 1]);
        assert!(matches!(long, Err(PasskeyError::TooLong)));
        let nested = "[".repeat(10_000);
        for malformed in ["", "{}", "null", "[]", nested.as_str()] {
            let answer = Assertion::read(malformed.as_bytes());
            assert!(matches!(answer, Err(PasskeyError::Malformed(_))), "{malformed:.9}");
        }
        let mut long = Authenticator { id: vec![9; CREDENTIAL_ID_MAX + 1], ..Authenticator::new() };
        let started = party.start_sign_in(&[]).unwrap();
        assert!(matches!(Assertion::read(&long.sign_in(&started.options)), Err(PasskeyError::TooLong)));
    }

    #[test]
    fn addresses_without_a_host_name_have_no_passkeys() {
        for base in ["https://192.0.2.1", "http://[::1]:8080", "http://docs.example.com", "docs.example.com"]
        {
            assert!(RelyingParty::of(base).is_none(), "{base}");
        }
        for base in [BASE, "http://localhost:8080", "https://example.com:8443/"] {
            assert!(RelyingParty::of(base).is_some(), "{base}");
        }
    }
}
