//! SAML identity provider.

use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::DeflateDecoder;
use openidconnect::PrivateSigningKey as _;
use openidconnect::core::{CoreJwsSigningAlgorithm, CoreRsaPrivateSigningKey};
use quire_domain::clock::Timestamp;
use saml_rs::constants::{data_encryption_algorithm, key_encryption_algorithm, signature_algorithm};
use saml_rs::crypto::keys::load_private_key;
use saml_rs::crypto::{construct_saml_signature, encrypt_assertion};
use sha2::{Digest as _, Sha256};
use url::Url;

/// Private key, which signs only messages of tests.
const KEY: &str = include_str!("oidc_provider.pem");

/// Provider that signs in every user. It has no server: tests read its requests and send its responses.
#[derive(Clone, Copy, Debug)]
pub struct SamlProvider;

/// Request that a browser brings to the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SamlRequest {
    /// XML of the message.
    pub xml: String,
    /// `ID` of the message.
    pub id: String,
    /// Entity id of the service.
    pub service: String,
    /// URL of the service for the response.
    pub acs_url: String,
    /// State that the response must return.
    pub relay_state: String,
}

/// User in a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SamlPerson {
    /// `NameID`.
    pub name_id: String,
    /// Last part of the URN of the name id's format.
    pub format: &'static str,
    /// Attributes. A name with `=` has the form `Name=FriendlyName`.
    pub attributes: Vec<(&'static str, String)>,
}

impl SamlProvider {
    /// Entity id.
    pub const ENTITY_ID: &'static str = "https://id.example.com/metadata";
    /// URL of the sign-in page.
    pub const SSO_URL: &'static str = "https://id.example.com/sso?tenant=1";
    /// Certificate of the key.
    pub const CERTIFICATE: &'static str = include_str!("saml_provider.pem");

    /// Reads the request in the URL that the browser was redirected to.
    ///
    /// # Panics
    /// If there is no request in the URL.
    #[must_use]
    pub fn request(url: &str) -> SamlRequest {
        assert!(url.starts_with(Self::SSO_URL), "{url}");
        let url = Url::parse(url).expect("the URL is one");
        let parameter = |name: &str| {
            let found = url.query_pairs().find(|(key, _)| key == name);
            found.map(|(_, value)| value.into_owned()).unwrap_or_else(|| panic!("{url} has no {name}"))
        };
        let compressed = STANDARD.decode(parameter("SAMLRequest")).expect("the request is base64");
        let mut xml = String::new();
        DeflateDecoder::new(&*compressed).read_to_string(&mut xml).expect("the request is compressed");
        let attribute = |name: &str| between(&xml, &format!(" {name}=\""), "\"");
        SamlRequest {
            id: attribute("ID"),
            acs_url: attribute("AssertionConsumerServiceURL"),
            service: between(&xml, "<saml:Issuer>", "</saml:Issuer>"),
            relay_state: parameter("RelayState"),
            xml,
        }
    }

    /// Returns the field `SAMLResponse` of the response to a request, with a signed assertion.
    #[must_use]
    pub fn response(request: &SamlRequest, person: &SamlPerson, now: Timestamp) -> String {
        let until = Timestamp::from_millis(now.millis() + 300_000).expect("the time is within the range");
        let (issued, until) = (now.to_string(), until.to_string());
        let id = format!("_a{}{}", request.id, person.name_id.len());
        let SamlRequest { id: request_id, service, acs_url, .. } = request;
        let SamlPerson { name_id, format, attributes } = person;
        let version = if *format == "emailAddress" { "1.1" } else { "2.0" };
        let attributes: String = attributes
            .iter()
            .map(|(name, value)| {
                // Attributes in the order of the canonical form.
                let names = match name.split_once('=') {
                    Some((name, friendly)) => format!("FriendlyName=\"{friendly}\" Name=\"{name}\""),
                    None => format!("Name=\"{name}\""),
                };
                format!("<Attribute {names}><AttributeValue>{value}</AttributeValue></Attribute>")
            })
            .collect();
        // The assertion is written in its canonical form (Exclusive XML Canonicalization 1.0), so its bytes can be
        // signed directly.
        let head = format!(
            "<Assertion xmlns=\"urn:oasis:names:tc:SAML:2.0:assertion\" ID=\"{id}\" IssueInstant=\"{issued}\" \
             Version=\"2.0\"><Issuer>{}</Issuer>",
            Self::ENTITY_ID
        );
        let rest = format!(
            "<Subject><NameID Format=\"urn:oasis:names:tc:SAML:{version}:nameid-format:{format}\">{name_id}</NameID>\
             <SubjectConfirmation Method=\"urn:oasis:names:tc:SAML:2.0:cm:bearer\"><SubjectConfirmationData \
             InResponseTo=\"{request_id}\" NotOnOrAfter=\"{until}\" Recipient=\"{acs_url}\">\
             </SubjectConfirmationData></SubjectConfirmation></Subject><Conditions NotOnOrAfter=\"{until}\">\
             <AudienceRestriction><Audience>{service}</Audience></AudienceRestriction></Conditions>\
             <AuthnStatement AuthnInstant=\"{issued}\"><AuthnContext><AuthnContextClassRef>\
             urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified</AuthnContextClassRef></AuthnContext>\
             </AuthnStatement><AttributeStatement>{attributes}</AttributeStatement></Assertion>"
        );
        let signature = signature(&id, &format!("{head}{rest}"));
        let xml = format!(
            "<p:Response xmlns:p=\"urn:oasis:names:tc:SAML:2.0:protocol\" Destination=\"{acs_url}\" ID=\"_r{id}\" \
             InResponseTo=\"{request_id}\" IssueInstant=\"{issued}\" Version=\"2.0\">\
             <Issuer xmlns=\"urn:oasis:names:tc:SAML:2.0:assertion\">{}</Issuer>\
             <p:Status><p:StatusCode Value=\"urn:oasis:names:tc:SAML:2.0:status:Success\"/></p:Status>\
             {head}{signature}{rest}</p:Response>",
            Self::ENTITY_ID
        );
        STANDARD.encode(xml)
    }

    /// Returns a response that is signed as a whole, with its assertion encrypted for a certificate.
    ///
    /// # Panics
    /// If the certificate is invalid.
    #[must_use]
    pub fn encrypted_response(
        request: &SamlRequest,
        person: &SamlPerson,
        now: Timestamp,
        certificate: &str,
    ) -> String {
        let response = STANDARD.decode(Self::response(request, person, now)).expect("it is base64");
        let xml = String::from_utf8(response).expect("it is text");
        let encrypted = encrypt_assertion(
            &xml,
            certificate,
            data_encryption_algorithm::AES_256,
            key_encryption_algorithm::RSA_OAEP_MGF1P,
            "saml",
        );
        let key = load_private_key(KEY, None).expect("the key is one");
        let signed = construct_saml_signature(
            &encrypted.expect("the assertion is encrypted"),
            true,
            &key,
            Self::CERTIFICATE,
            signature_algorithm::RSA_SHA256,
            &[],
            None,
        );
        STANDARD.encode(signed.expect("the key signs"))
    }
}

fn signature(id: &str, signed: &str) -> String {
    const DS: &str = "http://www.w3.org/2000/09/xmldsig#";
    const EXCLUSIVE: &str = "http://www.w3.org/2001/10/xml-exc-c14n#";
    let digest = STANDARD.encode(Sha256::digest(signed.as_bytes()));
    let info = format!(
        "<ds:SignedInfo xmlns:ds=\"{DS}\"><ds:CanonicalizationMethod Algorithm=\"{EXCLUSIVE}\">\
         </ds:CanonicalizationMethod><ds:SignatureMethod \
         Algorithm=\"http://www.w3.org/2001/04/xmldsig-more#rsa-sha256\"></ds:SignatureMethod>\
         <ds:Reference URI=\"#{id}\"><ds:Transforms><ds:Transform \
         Algorithm=\"{DS}enveloped-signature\"></ds:Transform><ds:Transform Algorithm=\"{EXCLUSIVE}\">\
         </ds:Transform></ds:Transforms><ds:DigestMethod Algorithm=\"http://www.w3.org/2001/04/xmlenc#sha256\">\
         </ds:DigestMethod><ds:DigestValue>{digest}</ds:DigestValue></ds:Reference></ds:SignedInfo>"
    );
    let key = CoreRsaPrivateSigningKey::from_pem(KEY, None).expect("the key is one");
    let algorithm = CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256;
    let value = STANDARD.encode(key.sign(&algorithm, info.as_bytes()).expect("the key signs"));
    format!(
        "<ds:Signature xmlns:ds=\"{DS}\">{info}<ds:SignatureValue>{value}</ds:SignatureValue></ds:Signature>"
    )
}

fn between(text: &str, start: &str, end: &str) -> String {
    let rest = text.split_once(start).unwrap_or_else(|| panic!("{text} has no {start}")).1;
    rest.split(end).next().unwrap_or_default().to_owned()
}
