//! Responses with encrypted assertions. `make_encrypted_responses.py` makes them.

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quire_auth::saml::{self, DecryptionKey, EncryptionPair, Failure, Identity, ServiceProvider};

use super::{now, outcome, pending, responses_in, service};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/saml/encrypted")
}

fn text(name: &str) -> String {
    fs::read_to_string(folder().join(name)).unwrap()
}

fn decrypting() -> ServiceProvider {
    let mut service = service();
    service.identity_provider.certificate = text("provider.pem");
    service.decryption_key = Some(DecryptionKey::from_pem(text("service.key.pem")));
    service
}

fn finish(service: &ServiceProvider, xml: &str) -> Result<Identity, Failure> {
    service.finish(&pending(), &STANDARD.encode(xml), now())
}

#[test]
fn each_encrypted_response_is_refused_for_the_reason_in_its_name() {
    let responses = responses_in(&folder());
    let mut wrong = Vec::new();
    for ((expected, name), xml) in &responses {
        let result = finish(&decrypting(), xml);
        if outcome(&result) != expected {
            wrong.push(format!("{expected}.{name}: {:?}", result.map(|identity| identity.subject)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let accepted = responses.keys().filter(|(outcome, _)| outcome == "accepted").count();
    assert!(accepted >= 10 && responses.len() - accepted >= 50, "{accepted} of {}", responses.len());
}

#[test]
fn the_person_of_an_encrypted_response_is_read() {
    for ((_, name), xml) in responses_in(&folder()).iter().filter(|((outcome, _), _)| outcome == "accepted") {
        let identity = finish(&decrypting(), xml).unwrap();
        assert_eq!(identity.subject, "alice@example.com", "{name}");
        assert_eq!(identity.name.as_deref(), Some("Alice Ångström"), "{name}");
        let keys: Vec<&str> = identity.used.iter().map(|used| used.key.as_str()).collect();
        assert_eq!(keys, ["response_id:_r", "assertion_id:_a"], "{name}");
    }
}

#[test]
fn without_a_key_nothing_is_decrypted() {
    let mut service = decrypting();
    let xml = text("accepted.gcm-256.xml");
    service.decryption_key = None;
    assert_eq!(outcome(&finish(&service, &xml)), "encrypted");
    // A key is no reason to refuse assertions that are not encrypted.
    let mut open = super::service();
    open.decryption_key = decrypting().decryption_key;
    let plain = super::responses().remove(&("accepted".to_owned(), "assertion-signed".to_owned())).unwrap();
    assert_eq!(outcome(&finish(&open, &plain)), "accepted");
}

#[test]
fn a_made_key_has_a_certificate_for_the_metadata() {
    let EncryptionPair { private, certificate } = EncryptionPair::generate().unwrap();
    assert!(private.as_pem().starts_with("-----BEGIN PRIVATE KEY-----"));
    assert!(!format!("{private:?}").contains("PRIVATE"));
    let lines: Vec<&str> = certificate.lines().collect();
    assert_eq!(
        (lines[0], lines[lines.len() - 1]),
        ("-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----")
    );
    assert!(lines.iter().all(|line| line.len() <= 64), "{certificate}");
    let metadata = saml::metadata(
        "https://docs.example.com/saml/1/metadata",
        "https://docs.example.com/acs",
        &certificate,
    );
    let metadata = metadata.unwrap();
    let digits: String = lines[1..lines.len() - 1].concat();
    assert!(metadata.contains("<KeyDescriptor use=\"encryption\">"), "{metadata}");
    assert!(metadata.contains(&format!("<ds:X509Certificate>{digits}</ds:X509Certificate>")), "{metadata}");
    assert_ne!(EncryptionPair::generate().unwrap().certificate, certificate);
    let mut service = decrypting();
    service.decryption_key = Some(private);
    assert_eq!(outcome(&finish(&service, &text("accepted.gcm-256.xml"))), "decryption");
}
