//! SAML 2.0 sign-ins: the Web Browser SSO profile, started by this service. The request goes to the provider with the
//! redirect binding, and the response comes back with the POST binding.
//!
//! An encrypted assertion is decrypted after the signature of its response is verified, and is then checked like any
//! other.
//!
//! A response is parsed twice. [`outline`](outline::outline) refuses every shape that two parsers could read
//! differently. Then the library verifies the signature and all conditions. Both must find the same person.

mod claims;
mod decryption;
mod encryption;
mod key;
mod nodes;
pub mod outline;
mod refusal;

use std::time::SystemTime;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use saml_rs::error::SubjectConfirmationReason;
use saml_rs::{
    AcsEndpoint, AudienceValidationPolicy, BrowserInput, CertificatePem, ClockSkew, Credentials, EntityId,
    FormField, IdpConfig, IdpDescriptor, IdpValidationPolicy, MetadataTrustPolicy, NameIdCreationPolicy,
    PendingAuthnRequest, PendingSnapshot, PrivateKeyPem, RelayStateParam, ReplayCache, ReplayKey,
    ReplayPolicy, ResponseSignaturePolicy, Saml, SamlError, SamlValidationContext, Sp, SpConfig,
    SpValidationPolicy, SsoEndpoint, SsoResponse, SsoSession, StartSso, XmlEncryptionPolicy, XmlPolicy,
    XmlSignatureProfile,
};
use serde_json::{Map, Value};

use self::outline::{EncryptedOutline, Outline, RESPONSE_BYTES_MAX, Refusal, Shape};

pub use self::key::{DecryptionKey, EncryptionPair, KeyError};

/// Tolerated clock skew in milliseconds.
const SKEW: i64 = 60_000;

/// Format of a `NameID` that differs at each sign-in.
const TRANSIENT: &str = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient";

/// This service as a service provider of an identity provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceProvider {
    /// Entity id of this service.
    pub entity_id: String,
    /// URL that receives responses (assertion consumer service).
    pub acs_url: String,
    /// Identity provider.
    pub identity_provider: IdentityProvider,
    /// Key for encrypted assertions; `None` if the provider has not been given one.
    pub decryption_key: Option<DecryptionKey>,
}

/// Identity provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentityProvider {
    /// Entity id.
    pub entity_id: String,
    /// URL of the provider's sign-in page.
    pub sso_url: String,
    /// X.509 certificate of the provider's signing key: PEM, or base64 of DER.
    pub certificate: String,
}

/// Sign-in that waits for the response of the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// `ID` of the request. The response refers to it.
    pub request_id: String,
    /// Value that the provider returns with the response.
    pub relay_state: String,
}

/// Person identified by a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Identifier of the person at the provider (`NameID`).
    pub subject: String,
    /// E-mail address stated by the provider.
    pub email: Option<String>,
    /// Name of the person.
    pub name: Option<String>,
    /// `NameID` with its format, and all attributes by `Name` and by `FriendlyName`.
    pub claims: Map<String, Value>,
    /// Messages that must not be accepted again (replay protection).
    pub used: Vec<UsedMessage>,
}

/// Message that must not be accepted again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedMessage {
    /// Kind and `ID` of the message.
    pub key: String,
    /// Time after which the message is refused as expired.
    pub until: SystemTime,
}

/// Reason why a sign-in failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The configuration of the provider is not valid.
    #[error("the provider cannot be used: {0}")]
    Provider(String),
    /// The response has a shape that is not accepted.
    #[error(transparent)]
    Shape(#[from] Refusal),
    /// The provider refused the sign-in.
    #[error("the provider did not sign the person in: {0}")]
    Denied(String),
    /// The response was issued by another provider.
    #[error("the issuer is wrong: {0}")]
    Issuer(String),
    /// The assertion is for another service, or has no audience.
    #[error("the audience is wrong: {0}")]
    Audience(String),
    /// The response is for another URL.
    #[error("the recipient is wrong: {0}")]
    Recipient(String),
    /// The response answers another request, or no request.
    #[error("the request is another one: {0}")]
    Request(String),
    /// The response is not yet valid, or has expired.
    #[error("the time is wrong: {0}")]
    Expired(String),
    /// The assertion cannot be decrypted.
    #[error("the assertion cannot be decrypted: {0}")]
    Decryption(String),
    /// The signature is wrong, or was made with another key.
    #[error("the signature is wrong: {0}")]
    Signature(String),
    /// The `NameID` differs at each sign-in.
    #[error("the NameID is transient")]
    Transient,
    /// The response is not valid.
    #[error("the response is not valid: {0}")]
    Response(String),
}

/// Returns the metadata of this service: an XML document that providers import. `certificate` is the encryption
/// certificate in PEM.
///
/// # Errors
/// [`Failure::Provider`] for an entity id or URL that is not valid.
pub fn metadata(entity_id: &str, acs_url: &str, certificate: &str) -> Result<String, Failure> {
    let credentials = Credentials {
        encryption_certificate: Some(CertificatePem::new(certificate)),
        ..Credentials::default()
    };
    let service = service(entity_id, acs_url, credentials).map_err(invalid)?;
    Ok(service.metadata_xml().to_owned())
}

/// Returns whether a response refers to no request, because the sign-in was started at the provider. It verifies
/// nothing.
#[must_use]
pub fn is_unsolicited(response: &str) -> bool {
    decode(response).is_ok_and(|xml| xml.contains("Response") && !xml.contains("InResponseTo"))
}

impl ServiceProvider {
    /// Starts a sign-in. Returns the URL of the provider's sign-in page, and the state for [`ServiceProvider::finish`].
    /// The request names no authentication method, because the provider decides that.
    ///
    /// # Errors
    /// [`Failure::Provider`].
    pub fn start(&self, relay_state: String) -> Result<(String, Pending), Failure> {
        let started = self.request(&relay_state).map_err(invalid)?;
        let url = started.outbound.redirect_url().map_err(invalid)?.to_owned();
        let request_id = started.pending.request_id().as_str().to_owned();
        Ok((url, Pending { request_id, relay_state }))
    }

    /// Checks a response to a request. `response` is the form field `SAMLResponse`: base64 of XML.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn finish(&self, pending: &Pending, response: &str, now: SystemTime) -> Result<Identity, Failure> {
        let xml = decode(response)?;
        let (xml, outline, key) = match outline::shape(&xml)? {
            Shape::Open(outline) => (xml, outline, None),
            Shape::Encrypted(encrypted) => {
                let key = self.decryption_key.as_ref().ok_or(Refusal::Encrypted)?;
                let outline = self.open(pending, &encrypted, key)?;
                (encrypted.xml, outline, Some(key))
            }
        };
        let (session, used) = self.verify(pending, &xml, key, now)?;
        let Outline { assertion_id, name_id, friendly_names } = &outline;
        if session.assertion_id().as_str() != assertion_id || session.name_id().value() != name_id {
            return Err(Failure::Signature("two readers found different persons".to_owned()));
        }
        if session.verified_xml_signatures().is_empty() {
            return Err(Failure::Signature("no signature was verified".to_owned()));
        }
        claims::identity(&session, friendly_names, used)
    }

    fn request(&self, relay_state: &str) -> Result<saml_rs::Started<saml_rs::AuthnRequest>, SamlError> {
        let state = RelayStateParam::try_from_option(Some(relay_state))?;
        let options = StartSso::redirect().relay_state(state).apply_web_browser_sso_generation_rules();
        let service = service(&self.entity_id, &self.acs_url, Credentials::default())?;
        service.start_sso(&self.identity_provider.descriptor()?, options)
    }

    /// Decrypts the assertion of a response after the signature of the response is verified, and checks the decrypted
    /// response like one that arrived unencrypted.
    fn open(
        &self,
        pending: &Pending,
        encrypted: &EncryptedOutline,
        key: &DecryptionKey,
    ) -> Result<Outline, Failure> {
        if encrypted.in_response_to != pending.request_id {
            return Err(Failure::Request(encrypted.in_response_to.clone()));
        }
        let certificate = &self.identity_provider.certificate;
        decryption::verify(&encrypted.xml, certificate)?;
        let opened = decryption::decrypt(&encrypted.xml, key)?;
        let outline = outline::outline(&opened)?;
        if let Some(assertion) = outline::with_signature_of_assertion(&opened)? {
            decryption::verify(&assertion, certificate)?;
        }
        Ok(outline)
    }

    /// Verifies a response regardless of its shape. With a key, the library decrypts the assertion itself, so that its
    /// result comes from the signed document.
    fn verify(
        &self,
        pending: &Pending,
        xml: &str,
        key: Option<&DecryptionKey>,
        now: SystemTime,
    ) -> Result<(SsoSession, Vec<UsedMessage>), Failure> {
        let credentials = Credentials {
            decryption_key: key.map(|key| PrivateKeyPem::new(key.as_pem())),
            ..Credentials::default()
        };
        let service = service(&self.entity_id, &self.acs_url, credentials).map_err(invalid)?;
        let provider = self.identity_provider.descriptor().map_err(invalid)?;
        let state = RelayStateParam::try_from_option(Some(&*pending.relay_state)).map_err(invalid)?;
        let snapshot = PendingSnapshot::authn_request(
            &*pending.request_id,
            state,
            &*self.identity_provider.entity_id,
            "post",
            &*self.acs_url,
            "post",
        );
        let library_pending = PendingAuthnRequest::from_snapshot(snapshot).map_err(invalid)?;
        let fields = vec![
            FormField::new("SAMLResponse", STANDARD.encode(xml)),
            FormField::new("RelayState", &*pending.relay_state),
        ];
        let mut used = Used::default();
        let validation = SamlValidationContext::new(now, ReplayPolicy::RequireCache(&mut used))
            .with_clock_skew(ClockSkew::from_millis(-SKEW, SKEW));
        let input = BrowserInput::<SsoResponse>::post(fields);
        let session =
            service.finish_sso(&provider, &library_pending, input, validation).map_err(of_response)?;
        Ok((session, used.0))
    }
}

impl IdentityProvider {
    fn descriptor(&self) -> Result<IdpDescriptor, SamlError> {
        let credentials = Credentials {
            signing_certificate: Some(CertificatePem::new(&*self.certificate)),
            ..Credentials::default()
        };
        let config = IdpConfig::builder(EntityId::try_new(&*self.entity_id)?)
            .sso_endpoint(SsoEndpoint::redirect(&*self.sso_url)?)
            .credentials(credentials)
            .validation(IdpValidationPolicy::recommended())
            .build()?;
        let provider = Saml::idp(config)?;
        // The metadata needs no signature: an administrator has entered its values.
        let trust = MetadataTrustPolicy::UnsignedForCompatibility;
        IdpDescriptor::from_metadata_xml_for(
            EntityId::try_new(&*self.entity_id)?,
            provider.metadata_xml(),
            trust,
        )
    }
}

/// Returns this service. With a decryption key, it accepts only encrypted assertions in signed responses.
fn service(entity_id: &str, acs_url: &str, credentials: Credentials) -> Result<Saml<Sp>, SamlError> {
    let mut recommended = SpValidationPolicy::recommended();
    let mut xml = XmlPolicy::default();
    if credentials.decryption_key.is_some() {
        recommended.responses = ResponseSignaturePolicy::RequireSigned;
        xml.encryption = XmlEncryptionPolicy::encrypt_assertions()
            .with_insecure_software_rsa_key_transport_decryption_allowed();
    }
    // The recommended policy accepts SHA-1 and assertions for any audience.
    let validation = SpValidationPolicy {
        xml_signatures: XmlSignatureProfile::StrictRsaSha2,
        audience: AudienceValidationPolicy::Validate,
        name_id_creation: NameIdCreationPolicy::AllowCreate,
        ..recommended
    };
    let config = SpConfig::builder(EntityId::try_new(entity_id)?)
        .acs_endpoint(AcsEndpoint::post(acs_url)?)
        .credentials(credentials)
        .xml(xml)
        .validation(validation)
        .build()?;
    Saml::sp(config)
}

/// Keys of the messages of a response. The transaction of the sign-in checks whether they were used before.
#[derive(Default)]
struct Used(Vec<UsedMessage>);

impl ReplayCache for Used {
    fn check_and_store(&mut self, key: ReplayKey, expires_at: SystemTime) -> Result<(), SamlError> {
        let used = UsedMessage { key: key.cache_key(), until: expires_at };
        if self.0.iter().any(|found| found.key == used.key) {
            return Err(SamlError::ReplayDetected { key: used.key });
        }
        self.0.push(used);
        Ok(())
    }
}

/// Decodes the form field. Providers may break its lines.
fn decode(response: &str) -> Result<String, Failure> {
    let digits: Vec<u8> = response.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    if digits.len() / 4 * 3 > RESPONSE_BYTES_MAX.saturating_add(3) {
        return Err(Refusal::Size.into());
    }
    let bytes = STANDARD.decode(digits).map_err(|_| Refusal::Malformed)?;
    String::from_utf8(bytes).map_err(|_| Refusal::Malformed.into())
}

fn invalid(error: SamlError) -> Failure {
    Failure::Provider(error.to_string())
}

fn of_response(error: SamlError) -> Failure {
    let problem = error.to_string();
    match error {
        SamlError::StatusNotSuccess { .. } | SamlError::FailedStatus { .. } => Failure::Denied(problem),
        SamlError::IssuerMismatch { .. } | SamlError::UnmatchIssuer => Failure::Issuer(problem),
        SamlError::AudienceMismatch { .. } | SamlError::UnmatchAudience => Failure::Audience(problem),
        SamlError::DestinationMismatch { .. } | SamlError::UnmatchDestination => Failure::Recipient(problem),
        SamlError::InResponseToMismatch { .. }
        | SamlError::InvalidInResponseTo
        | SamlError::RelayStateMismatch { .. } => Failure::Request(problem),
        SamlError::TimeWindowInvalid { .. } | SamlError::ExpiredSession => Failure::Expired(problem),
        SamlError::SubjectConfirmationInvalid { reason } => match reason {
            SubjectConfirmationReason::RecipientMismatch => Failure::Recipient(problem),
            SubjectConfirmationReason::InResponseToMismatch => Failure::Request(problem),
            SubjectConfirmationReason::TimeWindowInvalid => Failure::Expired(problem),
            _ => Failure::Response(problem),
        },
        SamlError::SignatureMissing
        | SamlError::SignatureVerification { .. }
        | SamlError::ReferenceResolution { .. }
        | SamlError::SignedReferenceMismatch
        | SamlError::AssertionSignatureRequired
        | SamlError::AlgorithmUnsupported
        | SamlError::NoTrustedCertificate
        | SamlError::CertificateMismatch
        | SamlError::PotentialWrappingAttack
        | SamlError::FailedToVerifySignature
        | SamlError::UnmatchCertificate
        | SamlError::Crypto(_) => Failure::Signature(problem),
        _ => Failure::Response(problem),
    }
}
