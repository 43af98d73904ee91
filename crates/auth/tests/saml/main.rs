//! Responses of SAML providers, right ones and hostile ones. `make_responses.py` makes them.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic: that is how it fails")]

mod encrypted;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quire_auth::saml::outline::Refusal;
use quire_auth::saml::{self, Failure, Identity, IdentityProvider, Pending, ServiceProvider};
use serde_json::json;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/saml/responses");

/// Time at which the responses were made: 2026-11-29, 12:00 UTC.
fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_953_600)
}

fn service() -> ServiceProvider {
    ServiceProvider {
        entity_id: "https://docs.example.com/saml/1/metadata".to_owned(),
        acs_url: "https://docs.example.com/saml/1/acs".to_owned(),
        identity_provider: IdentityProvider {
            entity_id: "https://id.example.com/metadata".to_owned(),
            sso_url: "https://id.example.com/sso?tenant=1".to_owned(),
            certificate: fs::read_to_string(Path::new(FOLDER).join("provider.pem")).unwrap(),
        },
        decryption_key: None,
    }
}

fn pending() -> Pending {
    Pending { request_id: "_request".to_owned(), relay_state: "state".to_owned() }
}

fn finish(xml: &str) -> Result<Identity, Failure> {
    service().finish(&pending(), &STANDARD.encode(xml), now())
}

fn responses() -> BTreeMap<(String, String), String> {
    responses_in(Path::new(FOLDER))
}

/// Returns the responses of a folder by expected outcome and name.
fn responses_in(folder: &Path) -> BTreeMap<(String, String), String> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let responses = files.filter(|path| path.extension().is_some_and(|extension| extension == "xml"));
    responses
        .map(|path| {
            let stem = path.file_stem().unwrap().to_str().unwrap();
            let (outcome, name) = stem.split_once('.').unwrap();
            ((outcome.to_owned(), name.to_owned()), fs::read_to_string(&path).unwrap())
        })
        .collect()
}

/// Returns the outcome as the names of files have it.
fn outcome(result: &Result<Identity, Failure>) -> &'static str {
    match result {
        Ok(_) => "accepted",
        Err(Failure::Provider(_)) => "provider",
        Err(Failure::Denied(_) | Failure::Shape(Refusal::Denied)) => "denied",
        Err(Failure::Issuer(_)) => "issuer",
        Err(Failure::Audience(_)) => "audience",
        Err(Failure::Recipient(_)) => "recipient",
        Err(Failure::Request(_)) => "request",
        Err(Failure::Expired(_)) => "expired",
        Err(Failure::Decryption(_)) => "decryption",
        Err(Failure::Signature(_)) => "signature",
        Err(Failure::Transient) => "transient",
        Err(Failure::Response(_)) => "invalid",
        Err(Failure::Shape(refusal)) => match refusal {
            Refusal::Size => "size",
            Refusal::Malformed => "malformed",
            Refusal::Markup => "markup",
            Refusal::Response => "response",
            Refusal::Denied => "denied",
            Refusal::Encrypted => "encrypted",
            Refusal::EncryptedUnsigned => "encrypted-unsigned",
            Refusal::Encryption => "encryption",
            Refusal::Assertion => "assertion",
            Refusal::NameId => "name",
            Refusal::Id => "id",
            Refusal::Unsigned => "unsigned",
            Refusal::Place => "place",
            Refusal::Reference => "reference",
            Refusal::Algorithm => "algorithm",
        },
    }
}

#[test]
fn each_response_is_refused_for_the_reason_in_its_name() {
    let responses = responses();
    let mut wrong = Vec::new();
    for ((expected, name), xml) in &responses {
        let result = finish(xml);
        if outcome(&result) != expected {
            let found = result.map(|identity| identity.subject);
            wrong.push(format!("{expected}.{name}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let accepted = responses.keys().filter(|(outcome, _)| outcome == "accepted").count();
    assert!(accepted >= 8 && responses.len() - accepted >= 53, "{accepted} of {}", responses.len());
}

#[test]
fn the_person_of_a_response_is_read() {
    let responses = responses();
    for ((_, name), xml) in responses.iter().filter(|((outcome, _), _)| outcome == "accepted") {
        let identity = finish(xml).unwrap();
        assert_eq!(identity.subject, "alice@example.com", "{name}");
        assert_eq!(identity.email.as_deref(), Some("alice@example.com"), "{name}");
        assert_eq!(identity.name.as_deref(), Some("Alice Ångström"), "{name}");
        let keys: Vec<&str> = identity.used.iter().map(|used| used.key.as_str()).collect();
        assert_eq!(keys, ["response_id:_r", "assertion_id:_a"], "{name}");
        assert!(identity.used.iter().all(|used| used.until > now()), "{name}");
        let claims = json!({
            "NameID": "alice@example.com",
            "NameID Format": "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
            "email": "alice@example.com",
            "displayName": "Alice Ångström",
        });
        assert_eq!(serde_json::Value::Object(identity.claims), claims, "{name}");
    }
}

#[test]
fn a_response_answers_its_request_only_and_for_a_while() {
    let xml = &responses()[&("accepted".to_owned(), "both-signed".to_owned())];
    let encoded = STANDARD.encode(xml);
    let other = Pending { request_id: "_other".to_owned(), ..pending() };
    assert_eq!(outcome(&service().finish(&other, &encoded, now())), "request");
    for (seconds, expected) in [(0, "accepted"), (359, "accepted"), (361, "expired")] {
        let later = now() + Duration::from_secs(seconds);
        assert_eq!(outcome(&service().finish(&pending(), &encoded, later)), expected, "{seconds} s later");
    }
    let broken: String =
        encoded.as_bytes().chunks(76).map(|line| format!("{}\r\n", str::from_utf8(line).unwrap())).collect();
    assert_eq!(outcome(&service().finish(&pending(), &broken, now())), "accepted");
    for text in ["", "%", "AAAA", "gICA", &"A".repeat(400_000)] {
        assert!(service().finish(&pending(), text, now()).is_err());
    }
}

#[test]
fn providers_differ_by_certificate_and_entity_id() {
    let xml = STANDARD.encode(&responses()[&("accepted".to_owned(), "assertion-signed".to_owned())]);
    let mut bare = service();
    let lines = bare.identity_provider.certificate.lines().filter(|line| !line.starts_with("-----"));
    bare.identity_provider.certificate = lines.collect();
    assert_eq!(outcome(&bare.finish(&pending(), &xml, now())), "accepted");
    let mut other = service();
    other.identity_provider.entity_id = "https://id.example.com/other".to_owned();
    assert_eq!(outcome(&other.finish(&pending(), &xml, now())), "issuer");
    let mut unusable = service();
    unusable.identity_provider.certificate = "AAAA".to_owned();
    assert!(unusable.finish(&pending(), &xml, now()).is_err());
}

#[test]
fn a_request_asks_for_no_method_of_authentication() {
    let (url, pending) = service().start("a state".to_owned()).unwrap();
    assert!(url.starts_with("https://id.example.com/sso?tenant=1&SAMLRequest="), "{url}");
    assert!(url.contains("&RelayState=a%20state") || url.contains("&RelayState=a+state"), "{url}");
    assert!(pending.request_id.starts_with('_') && pending.request_id.len() > 30, "{}", pending.request_id);
    assert_ne!(service().start("a state".to_owned()).unwrap().1.request_id, pending.request_id);
    let metadata = saml::metadata(&service().entity_id, &service().acs_url, "AAAA").unwrap();
    assert!(metadata.contains("entityID=\"https://docs.example.com/saml/1/metadata\""), "{metadata}");
    assert!(metadata.contains("Location=\"https://docs.example.com/saml/1/acs\""), "{metadata}");
    assert!(!metadata.contains("AuthnRequestsSigned=\"true\""), "{metadata}");
    assert!(saml::metadata("", "x", "AAAA").is_err());
}
