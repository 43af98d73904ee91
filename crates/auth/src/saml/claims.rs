//! Person in a verified response.

use saml_rs::{NameIdFormat, SsoSession};
use serde_json::{Map, Value};

use super::{Failure, Identity, TRANSIENT, UsedMessage};

/// Format of a `NameID` that is an e-mail address.
const EMAIL_FORMAT: &str = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";

/// Attributes with the e-mail address: plain names, names of the X.500 profile, and the name of Microsoft Entra ID.
const EMAIL: [&str; 7] = [
    "email",
    "mail",
    "emailAddress",
    "emailaddress",
    "urn:oid:0.9.2342.19200300.100.1.3",
    "urn:oid:1.2.840.113549.1.9.1",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
];
/// Attributes with the name of the person.
const NAME: [&str; 5] = [
    "displayName",
    "name",
    "urn:oid:2.16.840.1.113730.3.1.241",
    "http://schemas.microsoft.com/identity/claims/displayname",
    "urn:oid:2.5.4.3",
];
/// Attributes with the given name, for providers that send no name.
const GIVEN_NAMES: [&str; 4] = [
    "givenName",
    "firstName",
    "urn:oid:2.5.4.42",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname",
];
/// Attributes with the family name.
const FAMILY: [&str; 5] = [
    "surname",
    "lastName",
    "sn",
    "urn:oid:2.5.4.4",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname",
];

/// Returns the person of a verified response.
pub(super) fn identity(
    session: &SsoSession,
    friendly_names: &[(String, String)],
    used: Vec<UsedMessage>,
) -> Result<Identity, Failure> {
    let format = session.name_id().format().map(NameIdFormat::as_uri);
    if format == Some(TRANSIENT) {
        return Err(Failure::Transient);
    }
    let subject = session.name_id().value().to_owned();
    let first = |names: &[&str]| {
        let found = names.iter().find_map(|name| session.attributes().get(name)?.values().first());
        found.map(|value| value.as_str().to_owned()).filter(|value| !value.trim().is_empty())
    };
    let parts = || {
        let parts: Vec<String> = [first(&GIVEN_NAMES), first(&FAMILY)].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    };
    Ok(Identity {
        email: first(&EMAIL).or_else(|| (format == Some(EMAIL_FORMAT)).then(|| subject.clone())),
        name: first(&NAME).or_else(parts),
        claims: claims(session, format, friendly_names),
        subject,
        used,
    })
}

/// Returns the attributes by name: a text, or a list of several texts. Attributes with the same name are merged into
/// one list. The values are also under the attribute's `FriendlyName`, unless another attribute has that name.
fn claims(
    session: &SsoSession,
    format: Option<&str>,
    friendly_names: &[(String, String)],
) -> Map<String, Value> {
    let mut claims = Map::new();
    claims.insert("NameID".to_owned(), session.name_id().value().into());
    claims.insert("NameID Format".to_owned(), format.map_or(Value::Null, Value::from));
    for attribute in session.attributes().as_slice() {
        for value in attribute.values() {
            let value = Value::from(value.as_str());
            match claims.get_mut(attribute.name()) {
                None => drop(claims.insert(attribute.name().to_owned(), value)),
                Some(Value::Array(values)) => values.push(value),
                Some(first) => *first = Value::Array(vec![first.take(), value]),
            }
        }
    }
    for (name, friendly_name) in friendly_names {
        if let Some(value) = claims.get(name).filter(|_| !claims.contains_key(friendly_name)).cloned() {
            claims.insert(friendly_name.clone(), value);
        }
    }
    claims
}
