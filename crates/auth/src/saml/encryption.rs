//! Required shape of an encrypted assertion, checked before its decryption.

use roxmltree::Node;

use super::nodes::{DSIG, XENC, children, only};
use super::refusal::Refusal;

const XENC11: &str = "http://www.w3.org/2009/xmlenc11#";
/// Type of encrypted data that holds an element.
const ELEMENT: &str = "http://www.w3.org/2001/04/xmlenc#Element";
/// Algorithms of the assertion. CBC is the default of common providers.
const DATA: [&str; 6] = [
    "http://www.w3.org/2009/xmlenc11#aes128-gcm",
    "http://www.w3.org/2009/xmlenc11#aes192-gcm",
    "http://www.w3.org/2009/xmlenc11#aes256-gcm",
    "http://www.w3.org/2001/04/xmlenc#aes128-cbc",
    "http://www.w3.org/2001/04/xmlenc#aes192-cbc",
    "http://www.w3.org/2001/04/xmlenc#aes256-cbc",
];
/// Algorithms of the content key: RSA-OAEP, never PKCS#1 v1.5 padding.
const KEY: [&str; 2] =
    ["http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p", "http://www.w3.org/2009/xmlenc11#rsa-oaep"];
const KEY_DIGESTS: [&str; 4] = [
    "http://www.w3.org/2000/09/xmldsig#sha1",
    "http://www.w3.org/2001/04/xmlenc#sha256",
    "http://www.w3.org/2001/04/xmldsig-more#sha384",
    "http://www.w3.org/2001/04/xmlenc#sha512",
];
const KEY_MASKS: [&str; 4] = [
    "http://www.w3.org/2009/xmlenc11#mgf1sha1",
    "http://www.w3.org/2009/xmlenc11#mgf1sha256",
    "http://www.w3.org/2009/xmlenc11#mgf1sha384",
    "http://www.w3.org/2009/xmlenc11#mgf1sha512",
];

/// Checks the shape of an `EncryptedAssertion` and returns its `EncryptedData`.
pub(super) fn check<'a, 'input>(encrypted: Node<'a, 'input>) -> Result<Node<'a, 'input>, Refusal> {
    let data = only(encrypted.children().filter(Node::is_element));
    let data = data.filter(|data| data.has_tag_name((XENC, "EncryptedData"))).ok_or(Refusal::Encryption)?;
    let named = |name| data.document().descendants().filter(move |node| node.tag_name().name() == name);
    if only(named("EncryptedData")).is_none() || data.attribute("Type").is_some_and(|kind| kind != ELEMENT) {
        return Err(Refusal::Encryption);
    }
    check_parts(data, &["EncryptionMethod", "KeyInfo", "CipherData"], &[])?;
    check_method(data, &DATA, false)?;
    check_cipher(data)?;
    let info = only(children(data, DSIG, "KeyInfo")).ok_or(Refusal::Encryption)?;
    let key = only(info.children().filter(Node::is_element));
    let key = key.filter(|key| key.has_tag_name((XENC, "EncryptedKey"))).ok_or(Refusal::Encryption)?;
    if only(named("EncryptedKey")).is_none() {
        return Err(Refusal::Encryption);
    }
    check_parts(key, &["EncryptionMethod", "CipherData"], &["KeyInfo", "ReferenceList", "CarriedKeyName"])?;
    check_method(key, &KEY, true)?;
    check_cipher(key)?;
    Ok(data)
}

/// Checks that an element has each needed part once, and no unknown parts.
fn check_parts(parent: Node<'_, '_>, needed: &[&str], optional: &[&str]) -> Result<(), Refusal> {
    let mut seen = Vec::new();
    for part in parent.children().filter(Node::is_element) {
        let (name, namespace) = (part.tag_name().name(), part.tag_name().namespace());
        let expected = if name == "KeyInfo" { DSIG } else { XENC };
        let is_known = needed.contains(&name) || optional.contains(&name);
        if !is_known || namespace != Some(expected) || seen.contains(&name) {
            return Err(Refusal::Encryption);
        }
        seen.push(name);
    }
    if needed.iter().all(|name| seen.contains(name)) { Ok(()) } else { Err(Refusal::Encryption) }
}

fn check_method(parent: Node<'_, '_>, accepted: &[&str], is_of_key: bool) -> Result<(), Refusal> {
    let method = only(children(parent, XENC, "EncryptionMethod")).ok_or(Refusal::Encryption)?;
    let algorithm = |node: Node<'_, '_>, accepted: &[&str]| {
        node.attribute("Algorithm").is_some_and(|algorithm| accepted.contains(&algorithm))
    };
    let (mut digests, mut masks) = (0_u8, 0_u8);
    for part in method.children().filter(Node::is_element) {
        let count = if part.has_tag_name((DSIG, "DigestMethod")) && algorithm(part, &KEY_DIGESTS) {
            &mut digests
        } else if part.has_tag_name((XENC11, "MGF")) && algorithm(part, &KEY_MASKS) {
            &mut masks
        } else {
            return Err(Refusal::Encryption);
        };
        *count = count.saturating_add(1);
    }
    let has_parts = digests > 0 || masks > 0;
    let is_right = algorithm(method, accepted) && digests <= 1 && masks <= 1 && (is_of_key || !has_parts);
    if is_right { Ok(()) } else { Err(Refusal::Encryption) }
}

/// Checks that the ciphertext is in the document, not referenced by a URI.
fn check_cipher(parent: Node<'_, '_>) -> Result<(), Refusal> {
    let data = only(children(parent, XENC, "CipherData")).ok_or(Refusal::Encryption)?;
    let value = only(data.children().filter(Node::is_element));
    let value = value.filter(|value| value.has_tag_name((XENC, "CipherValue"))).ok_or(Refusal::Encryption)?;
    if value.children().all(|node| node.is_text()) { Ok(()) } else { Err(Refusal::Encryption) }
}

/// Returns the document with all namespaces in scope of its `EncryptedData` declared on that element, because the
/// library parses the element alone. Signatures stay valid: canonical XML emits a declaration where the namespace is
/// first used.
pub(super) fn self_contained(xml: &str, data: Node<'_, '_>) -> Option<String> {
    let start = data.range().start;
    let (before, element) = (xml.get(..start)?, xml.get(start..)?);
    let tag = element.split('>').next()?;
    let name = tag.split(|c: char| c.is_ascii_whitespace() || c == '/').next()?;
    let declared =
        |attribute: &str| tag.split_ascii_whitespace().any(|part| part.split('=').next() == Some(attribute));
    let mut declarations = String::new();
    for namespace in data.namespaces().filter(|found| [XENC, XENC11, DSIG].contains(&found.uri())) {
        let attribute = match namespace.name() {
            Some(prefix) => format!("xmlns:{prefix}"),
            None => "xmlns".to_owned(),
        };
        if !declared(&attribute) {
            declarations.push_str(&format!(" {attribute}=\"{}\"", namespace.uri()));
        }
    }
    Some(format!("{before}{name}{declarations}{}", element.strip_prefix(name)?))
}
