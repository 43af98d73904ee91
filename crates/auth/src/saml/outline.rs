//! Required shape of a response, checked before its signature is verified.
//!
//! Signature wrapping attacks need documents that two parsers read differently, or that have more than one candidate
//! for the signed element. Such documents have no legitimate use, so all of them are refused.

use std::collections::HashSet;

use roxmltree::{Document, Node, ParsingOptions};

use super::encryption;
use super::nodes::{DSIG, XENC, children, only};

pub use super::refusal::Refusal;

const ASSERTION: &str = "urn:oasis:names:tc:SAML:2.0:assertion";
const PROTOCOL: &str = "urn:oasis:names:tc:SAML:2.0:protocol";
const SUCCESS: &str = "urn:oasis:names:tc:SAML:2.0:status:Success";
const EXCLUSIVE: &str = "http://www.w3.org/2001/10/xml-exc-c14n#";
const SIGNATURES: [&str; 3] = [
    "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
    "http://www.w3.org/2001/04/xmldsig-more#rsa-sha384",
    "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
];
const DIGESTS: [&str; 3] = [
    "http://www.w3.org/2001/04/xmlenc#sha256",
    "http://www.w3.org/2001/04/xmldsig-more#sha384",
    "http://www.w3.org/2001/04/xmlenc#sha512",
];
const TRANSFORMS: [&str; 2] = ["http://www.w3.org/2000/09/xmldsig#enveloped-signature", EXCLUSIVE];

/// Maximum size of a response in bytes.
pub const RESPONSE_BYTES_MAX: usize = 256 << 10;
/// Maximum number of nodes: elements and texts.
const NODES_MAX: u32 = 4096;
/// Maximum depth of elements.
const DEPTH_MAX: usize = 32;

/// Assertion as found by the first parser, to be compared with the verified assertion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// `ID` of the assertion.
    pub assertion_id: String,
    /// Complete `NameID` of the subject.
    pub name_id: String,
    /// `FriendlyName` of attributes that have one, by `Name`. Only attributes of the verified assertion use them.
    pub friendly_names: Vec<(String, String)>,
}

/// Shape of a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Response with a plaintext assertion.
    Open(Outline),
    /// Response with an encrypted assertion.
    Encrypted(EncryptedOutline),
}

/// Response with an encrypted assertion. The signature covers the whole response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncryptedOutline {
    /// `ID` of the request that the response claims to answer.
    pub in_response_to: String,
    /// Document in which the encrypted element declares all namespaces in scope.
    pub xml: String,
}

/// Checks the shape of a response whose assertion is not encrypted. It does not verify signatures.
///
/// # Errors
/// [`Refusal`].
pub fn outline(xml: &str) -> Result<Outline, Refusal> {
    match shape(xml)? {
        Shape::Open(outline) => Ok(outline),
        Shape::Encrypted(_) => Err(Refusal::Encrypted),
    }
}

/// Checks the shape of a response. It does not verify signatures.
///
/// # Errors
/// [`Refusal`].
pub fn shape(xml: &str) -> Result<Shape, Refusal> {
    let document = parse(xml)?;
    let root = document.root_element();
    if !root.has_tag_name((PROTOCOL, "Response")) || named(&document, "Response").count() != 1 {
        return Err(Refusal::Response);
    }
    if named(&document, "EncryptedAssertion").next().is_some() {
        return encrypted(xml, &document).map(Shape::Encrypted);
    }
    if named(&document, "Assertion").next().is_none() && is_denial(root) {
        return Err(Refusal::Denied);
    }
    let assertion = only(named(&document, "Assertion"))
        .filter(|node| node.has_tag_name((ASSERTION, "Assertion")) && node.parent() == Some(root))
        .ok_or(Refusal::Assertion)?;
    let name_id = name_id(assertion)?;
    check_ids(&document)?;
    check_signatures(&document, &[root, assertion])?;
    let assertion_id = assertion.attribute("ID").ok_or(Refusal::Id)?.to_owned();
    Ok(Shape::Open(Outline { assertion_id, name_id, friendly_names: friendly_names(assertion) }))
}

/// Returns a response without its own signature if its assertion has a signature too.
pub(super) fn with_signature_of_assertion(xml: &str) -> Result<Option<String>, Refusal> {
    let document = parse(xml)?;
    let root = document.root_element();
    let assertions = children(root, ASSERTION, "Assertion");
    if !assertions.flat_map(|assertion| children(assertion, DSIG, "Signature")).any(|_| true) {
        return Ok(None);
    }
    let signature = only(children(root, DSIG, "Signature")).ok_or(Refusal::EncryptedUnsigned)?.range();
    let parts = xml.get(..signature.start).zip(xml.get(signature.end..));
    parts.map(|(before, after)| Some(format!("{before}{after}"))).ok_or(Refusal::Malformed)
}

fn encrypted(xml: &str, document: &Document<'_>) -> Result<EncryptedOutline, Refusal> {
    let root = document.root_element();
    let assertion = only(named(document, "EncryptedAssertion"))
        .filter(|node| node.has_tag_name((ASSERTION, "EncryptedAssertion")) && node.parent() == Some(root))
        .filter(|_| named(document, "Assertion").next().is_none())
        .ok_or(Refusal::Assertion)?;
    let data = encryption::check(assertion)?;
    check_ids(document)?;
    check_signatures(document, &[root]).map_err(|refusal| match refusal {
        Refusal::Unsigned => Refusal::EncryptedUnsigned,
        refusal => refusal,
    })?;
    let in_response_to = root.attribute("InResponseTo").unwrap_or_default().to_owned();
    let xml = encryption::self_contained(xml, data).ok_or(Refusal::Malformed)?;
    Ok(EncryptedOutline { in_response_to, xml })
}

/// Parses a document without constructs that parsers treat differently.
fn parse(xml: &str) -> Result<Document<'_>, Refusal> {
    if xml.len() > RESPONSE_BYTES_MAX {
        return Err(Refusal::Size);
    }
    // Neither text nor attribute values contain `<`, so these are CDATA sections, declarations, comments or processing
    // instructions.
    if xml.contains("<!") || xml.strip_prefix("<?xml ").unwrap_or(xml).contains("<?") {
        return Err(Refusal::Markup);
    }
    if depth(xml) > DEPTH_MAX {
        return Err(Refusal::Size);
    }
    let options = ParsingOptions { nodes_limit: NODES_MAX, ..ParsingOptions::default() };
    let document = Document::parse_with_options(xml, options).map_err(|error| match error {
        roxmltree::Error::NodesLimitReached => Refusal::Size,
        _ => Refusal::Malformed,
    })?;
    if declares_other_encoding(xml) {
        return Err(Refusal::Malformed);
    }
    Ok(document)
}

/// Returns an upper bound of the depth of elements, which bounds the recursion of the parsers. Comments, CDATA sections
/// and processing instructions were refused before.
fn depth(xml: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for tag in xml.split('<').skip(1) {
        if tag.starts_with('/') {
            depth = depth.saturating_sub(1);
            continue;
        }
        // If the text contains another `>`, the `/>` may be part of an attribute value.
        let is_empty =
            tag.split_once('>').is_some_and(|(tag, text)| tag.ends_with('/') && !text.contains('>'));
        if !is_empty && !tag.starts_with('?') {
            depth = depth.saturating_add(1);
            deepest = deepest.max(depth);
        }
    }
    deepest
}

/// Returns whether the XML declaration names another encoding than UTF-8. Parsers handle that case differently.
fn declares_other_encoding(xml: &str) -> bool {
    let declaration = xml.strip_prefix("<?xml ").and_then(|rest| rest.split_once("?>"));
    let named = declaration.and_then(|(declaration, _)| declaration.split_once("encoding"));
    named.is_some_and(|(_, value)| {
        let value = value.trim_start().strip_prefix('=').unwrap_or(value).trim_start();
        let name = value.trim_start_matches(['"', '\'']).split(['"', '\'']).next();
        !name.is_some_and(|name| name.eq_ignore_ascii_case("utf-8"))
    })
}

/// Returns whether a response has a status other than success.
fn is_denial(response: Node<'_, '_>) -> bool {
    let status = only(children(response, PROTOCOL, "Status"));
    let code = status.and_then(|status| only(children(status, PROTOCOL, "StatusCode")));
    code.and_then(|code| code.attribute("Value")).is_some_and(|code| code != SUCCESS)
}

/// Returns the elements with a name, in any namespace.
fn named<'a, 'input>(
    document: &'a Document<'input>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'input>> {
    document.descendants().filter(move |node| node.is_element() && node.tag_name().name() == name)
}

fn name_id(assertion: Node<'_, '_>) -> Result<String, Refusal> {
    let subject = only(children(assertion, ASSERTION, "Subject")).ok_or(Refusal::NameId)?;
    let name = only(children(subject, ASSERTION, "NameID")).ok_or(Refusal::NameId)?;
    if name.children().any(|node| !node.is_text()) {
        return Err(Refusal::NameId);
    }
    name.text().map(ToOwned::to_owned).ok_or(Refusal::NameId)
}

fn friendly_names(assertion: Node<'_, '_>) -> Vec<(String, String)> {
    let statements = children(assertion, ASSERTION, "AttributeStatement");
    let attributes = statements.flat_map(|statement| children(statement, ASSERTION, "Attribute"));
    let names = |attribute: Node<'_, '_>| {
        let (name, friendly) = (attribute.attribute("Name")?, attribute.attribute("FriendlyName")?);
        Some((name.to_owned(), friendly.to_owned()))
    };
    attributes.filter_map(names).collect()
}

/// Checks that SAML elements use `ID` for ids. Other attributes that a parser may treat as an id are refused, except
/// `Id` in signatures and encrypted data, which no reference targets.
fn check_ids(document: &Document<'_>) -> Result<(), Refusal> {
    let mut ids = HashSet::new();
    for node in document.descendants() {
        for attribute in node.attributes() {
            let (name, namespace) = (attribute.name(), attribute.namespace());
            if !name.eq_ignore_ascii_case("id") && !name.eq_ignore_ascii_case("assertionid") {
                continue;
            }
            let is_of_xml = [Some(DSIG), Some(XENC)].contains(&node.tag_name().namespace());
            let own = if is_of_xml { "Id" } else { "ID" };
            if namespace.is_some() || name != own || !ids.insert(attribute.value()) {
                return Err(Refusal::Id);
            }
        }
    }
    Ok(())
}

/// Checks that each signature belongs to one of the given elements.
fn check_signatures(document: &Document<'_>, signed: &[Node<'_, '_>]) -> Result<(), Refusal> {
    let mut parents = Vec::new();
    for signature in named(document, "Signature") {
        let parent = signature.parent_element().filter(|parent| signed.contains(parent));
        let parent = parent.filter(|parent| !parents.contains(parent)).ok_or(Refusal::Misplaced)?;
        parents.push(parent);
        check_signature(signature, parent.attribute("ID").ok_or(Refusal::Id)?)?;
    }
    if parents.is_empty() { Err(Refusal::Unsigned) } else { Ok(()) }
}

fn check_signature(signature: Node<'_, '_>, id: &str) -> Result<(), Refusal> {
    let parts = signature.children().filter(Node::is_element);
    let is_known = |node: Node<'_, '_>| {
        ["SignedInfo", "SignatureValue", "KeyInfo"].into_iter().any(|name| node.has_tag_name((DSIG, name)))
    };
    if signature.tag_name().namespace() != Some(DSIG) || !parts.clone().all(is_known) {
        return Err(Refusal::Reference);
    }
    let info = only(children(signature, DSIG, "SignedInfo")).ok_or(Refusal::Reference)?;
    only(children(signature, DSIG, "SignatureValue")).ok_or(Refusal::Reference)?;
    let references = signature.descendants().filter(|node| node.tag_name().name() == "Reference");
    let reference = only(references).filter(|node| node.parent() == Some(info)).ok_or(Refusal::Reference)?;
    if reference.attribute("URI").and_then(|uri| uri.strip_prefix('#')) != Some(id) {
        return Err(Refusal::Reference);
    }
    check_algorithm(info, "CanonicalizationMethod", &[EXCLUSIVE])?;
    check_algorithm(info, "SignatureMethod", &SIGNATURES)?;
    check_algorithm(reference, "DigestMethod", &DIGESTS)?;
    let transforms = only(children(reference, DSIG, "Transforms")).ok_or(Refusal::Algorithm)?;
    let algorithms = transforms.children().filter(Node::is_element).map(|node| node.attribute("Algorithm"));
    if algorithms.eq(TRANSFORMS.map(Some)) { Ok(()) } else { Err(Refusal::Algorithm) }
}

fn check_algorithm(parent: Node<'_, '_>, name: &'static str, accepted: &[&str]) -> Result<(), Refusal> {
    let method = only(children(parent, DSIG, name)).and_then(|node| node.attribute("Algorithm"));
    method.filter(|method| accepted.contains(method)).map(drop).ok_or(Refusal::Algorithm)
}

#[cfg(test)]
mod tests {
    use super::{Refusal, outline};

    const SIGNATURE: &str = "<ds:Signature xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\"><ds:SignedInfo>\
        <ds:CanonicalizationMethod Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"/>\
        <ds:SignatureMethod Algorithm=\"http://www.w3.org/2001/04/xmldsig-more#rsa-sha256\"/>\
        <ds:Reference URI=\"#_a\"><ds:Transforms>\
        <ds:Transform Algorithm=\"http://www.w3.org/2000/09/xmldsig#enveloped-signature\"/>\
        <ds:Transform Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"/></ds:Transforms>\
        <ds:DigestMethod Algorithm=\"http://www.w3.org/2001/04/xmlenc#sha256\"/>\
        <ds:DigestValue>AAAA</ds:DigestValue></ds:Reference></ds:SignedInfo>\
        <ds:SignatureValue>AAAA</ds:SignatureValue></ds:Signature>";

    fn response() -> String {
        format!(
            "<p:Response xmlns:p=\"urn:oasis:names:tc:SAML:2.0:protocol\" ID=\"_r\" Version=\"2.0\">\
             <p:Status/><Assertion xmlns=\"urn:oasis:names:tc:SAML:2.0:assertion\" ID=\"_a\">{SIGNATURE}\
             <Subject><NameID>alice@example.com</NameID></Subject></Assertion></p:Response>"
        )
    }

    #[test]
    fn usual_responses_are_accepted() {
        let both = SIGNATURE.replace("#_a", "#_r");
        let unsigned = response().replace(SIGNATURE, "");
        let accepted = [
            response(),
            format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", response()),
            response().replace("<p:Status/>", &format!("{both}<p:Status/>")),
            unsigned.replace("<p:Status/>", &format!("{both}<p:Status/>")),
            response().replace("xmldsig-more#rsa-sha256", "xmldsig-more#rsa-sha512"),
            response().replace("xmlenc#sha256", "xmlenc#sha512"),
            response().replace("</ds:Signature>", "<ds:KeyInfo Id=\"k\"/></ds:Signature>"),
            response().replace("><", ">\n  <"),
        ];
        for xml in accepted {
            let outline = outline(&xml).unwrap_or_else(|refusal| panic!("{refusal}: {xml}"));
            assert_eq!(outline.assertion_id, "_a");
            assert_eq!(outline.name_id, "alice@example.com");
        }
        let quoted = format!("<?xml version='1.0' encoding = 'utf-8' standalone='yes'?>{}", response());
        assert!(outline(&quoted).is_ok());
        let attributes = "<AttributeStatement><Attribute Name=\"urn:oid:1\" FriendlyName=\"groups\"/>\
                          <Attribute Name=\"mail\"/></AttributeStatement></Assertion>";
        let friendly = outline(&response().replace("</Assertion>", attributes)).unwrap().friendly_names;
        assert_eq!(friendly, [("urn:oid:1".to_owned(), "groups".to_owned())]);
        let escaped = response().replace("alice@", "a&amp;b@");
        assert_eq!(outline(&escaped).unwrap().name_id, "a&b@example.com");
    }

    #[test]
    fn hostile_responses_are_refused() {
        let other = SIGNATURE.replace("#_a", "#_r");
        let forged = "<Assertion xmlns=\"urn:oasis:names:tc:SAML:2.0:assertion\" ID=\"_b\"><Subject>\
                      <NameID>admin</NameID></Subject></Assertion>";
        let foreign = forged.replace("urn:oasis:names:tc:SAML:2.0:assertion", "urn:other");
        let deep = format!("{}{}", "<x>".repeat(20_000), "</x>".repeat(20_000));
        let hidden = format!("{}{}", "<x a=\"/>\">".repeat(500), "</x>".repeat(500));
        let long = " ".repeat(super::RESPONSE_BYTES_MAX);
        let (many, moved) = ("<x/>".repeat(5000), format!("<p:Status>{SIGNATURE}</p:Status>"));
        let whole = response();
        let denial = "<p:Response xmlns:p=\"urn:oasis:names:tc:SAML:2.0:protocol\" ID=\"_r\"><p:Status>\
                      <p:StatusCode Value=\"urn:oasis:names:tc:SAML:2.0:status:Responder\"/></p:Status></p:Response>";
        let object = format!("<ds:Object>{forged}</ds:Object></ds:Signature>");
        let table: [(&str, &str, Refusal); 57] = [
            ("<p:Status/>", &long, Refusal::Size),
            ("<p:Status/>", &deep, Refusal::Size),
            ("<p:Status/>", &many, Refusal::Size),
            ("<p:Status/>", &hidden, Refusal::Size),
            ("</p:Response>", "", Refusal::Malformed),
            ("</p:Response>", "</p:Response><p:Response/>", Refusal::Malformed),
            ("alice@", "&entity;@", Refusal::Malformed),
            ("xmlns:p=", "xmlns:q=", Refusal::Malformed),
            ("<p:Response ", "<?xml version=\"1.0\" encoding=\"UTF-16\"?><p:Response ", Refusal::Malformed),
            ("<p:Response ", "<?xml version=\"1.0\" encoding='UTF-7'?><p:Response ", Refusal::Malformed),
            ("<p:Response ", "<!DOCTYPE r><p:Response ", Refusal::Markup),
            ("<p:Response ", "<!DOCTYPE r SYSTEM \"file:///etc/passwd\"><p:Response ", Refusal::Markup),
            ("<p:Response ", "<!DOCTYPE r [<!ENTITY a \"b\">]><p:Response ", Refusal::Markup),
            ("<p:Response ", "<!-- --><p:Response ", Refusal::Markup),
            ("example.com<", "example.com<!-- -->.evil.com<", Refusal::Markup),
            ("alice@", "<![CDATA[admin]]>@", Refusal::Markup),
            ("alice@", "<?x?>alice@", Refusal::Markup),
            ("<p:Status/>", "<?x </p:Status></p:Status>?><p:Status/>", Refusal::Markup),
            ("<p:Response ", "<?xml-stylesheet href=\"a\"?><?x?><p:Response ", Refusal::Markup),
            ("<p:Response ", "<?x?><p:Response ", Refusal::Markup),
            ("SAML:2.0:protocol", "SAML:1.0:protocol", Refusal::Response),
            ("<p:Status/>", "<p:Response/>", Refusal::Response),
            (
                "<p:Status/>",
                "<p:Extensions><Response xmlns=\"urn:other\"/></p:Extensions>",
                Refusal::Response,
            ),
            (&whole, denial, Refusal::Denied),
            ("<p:Status/>", "<p:EncryptedAssertion/>", Refusal::Assertion),
            ("<p:Status/>", forged, Refusal::Assertion),
            ("</p:Response>", &format!("{forged}</p:Response>"), Refusal::Assertion),
            ("<p:Status/>", &format!("<p:Extensions>{forged}</p:Extensions>"), Refusal::Assertion),
            (
                "<p:Status/>",
                &format!("<p:Status><p:StatusDetail>{forged}</p:StatusDetail></p:Status>"),
                Refusal::Assertion,
            ),
            ("<Subject>", &format!("<Advice>{forged}</Advice><Subject>"), Refusal::Assertion),
            ("</ds:Signature>", &object, Refusal::Assertion),
            ("<p:Status/>", &foreign, Refusal::Assertion),
            ("SAML:2.0:assertion", "SAML:1.0:assertion", Refusal::Assertion),
            ("</NameID>", "</NameID><NameID>admin</NameID>", Refusal::NameId),
            ("</Subject>", "</Subject><Subject><NameID>admin</NameID></Subject>", Refusal::NameId),
            ("alice@", "<b>admin</b>@", Refusal::NameId),
            ("alice@example.com", "", Refusal::NameId),
            ("<p:Status/>", "<p:Status ID=\"_a\"/>", Refusal::Id),
            ("<p:Status/>", "<p:Status Id=\"_a\"/>", Refusal::Id),
            ("<p:Status/>", "<p:Status xml:id=\"_a\"/>", Refusal::Id),
            ("<p:Status/>", "<p:Status AssertionID=\"_a\"/>", Refusal::Id),
            ("<p:Status/>", "<p:Status ID=\"&#95;a\"/>", Refusal::Id),
            (SIGNATURE, "", Refusal::Unsigned),
            ("<p:Status/>", &moved, Refusal::Misplaced),
            ("<Subject>", &format!("{SIGNATURE}<Subject>"), Refusal::Misplaced),
            ("URI=\"#_a\"", "URI=\"\"", Refusal::Reference),
            ("URI=\"#_a\"", "URI=\"file:///etc/passwd\"", Refusal::Reference),
            (SIGNATURE, &other, Refusal::Reference),
            ("</ds:SignedInfo>", "<ds:Reference URI=\"#_a\"/></ds:SignedInfo>", Refusal::Reference),
            ("rsa-sha256", "hmac-sha256", Refusal::Algorithm),
            (
                "http://www.w3.org/2001/04/xmlenc#sha256",
                "http://www.w3.org/2000/09/xmldsig#sha1",
                Refusal::Algorithm,
            ),
            ("xmldsig#enveloped-signature", "TR/1999/REC-xpath-19991116", Refusal::Algorithm),
            ("rsa-sha256", "ecdsa-sha256", Refusal::Algorithm),
            (
                "CanonicalizationMethod Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#",
                "CanonicalizationMethod Algorithm=\"http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
                Refusal::Algorithm,
            ),
            ("<ds:SignatureValue>AAAA</ds:SignatureValue>", "", Refusal::Reference),
            ("ID=\"_a\"", "", Refusal::Id),
            ("xmldsig#enveloped-signature", "TR/1999/REC-xslt-19991116", Refusal::Algorithm),
        ];
        for (from, to, refusal) in table {
            let xml = response().replacen(from, to, 1);
            assert_ne!(xml, response(), "{from}");
            let shown: String = to.chars().take(80).collect();
            assert_eq!(outline(&xml), Err(refusal), "{from} → {shown}");
        }
    }
}
