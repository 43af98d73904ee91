#!/usr/bin/env python3
"""Makes the responses of SAML providers that the tests of the crate read, right ones and hostile ones.

    pip install signxml==5.2.0 && crates/auth/tests/saml/make_responses.py

Run by hand when a response is added: it makes a new key, certificate and signatures for all of them. The key is
discarded. The name of a file starts with the outcome that the tests expect.
"""

import copy
import pathlib

from lxml import etree
from signxml.algorithms import DigestAlgorithm, SignatureMethod

from building import (
    CURVE, DS, INCLUSIVE, NS, OTHER, OWN, PROTOCOL, SAML, SERVICE, assertion_of, at, response, sign, signature_of,
    signed_assertion, text,
)

FOLDER = pathlib.Path(__file__).parent / "responses"


def forged(element):
    """Returns a copy for the administrator, without a signature and with another ID."""
    text = etree.tostring(element).decode().replace("alice@", "admin@")
    text = text.replace('ID="_a"', 'ID="_evil"').replace('ID="_r"', 'ID="_evil_response"')
    copied = etree.fromstring(text)
    for signature in copied.findall(".//ds:Signature", NS):
        signature.getparent().remove(signature)
    return copied


ALL = {}


def add(outcome, name, content):
    assert (outcome, name) not in ALL, name
    ALL[(outcome, name)] = content if isinstance(content, (str, bytes)) else text(content)


def changed(outcome, name, content, old, new):
    """Adds a signed response that was changed afterwards."""
    before = content if isinstance(content, str) else text(content)
    assert old in before, (name, old)
    add(outcome, name, before.replace(old, new, 1))


RIGHT = signed_assertion(response())
WHOLE = sign(response())

# Right responses.
add("accepted", "assertion-signed", RIGHT)
add("accepted", "response-signed", WHOLE)
add("accepted", "both-signed", sign(signed_assertion(response())))
add("accepted", "with-certificate", signed_assertion(response(), with_certificate=True))
indented = response()
etree.indent(indented)
add("accepted", "indented", signed_assertion(indented))
add("accepted", "sha512", signed_assertion(response(), method=SignatureMethod.RSA_SHA512, digest=DigestAlgorithm.SHA512))
add("accepted", "declaration", '<?xml version="1.0" encoding="UTF-8"?>\n' + text(RIGHT))
add("accepted", "clock-behind", signed_assertion(response(not_before=at(0.9), issued=at(0.9))))
add("accepted", "clock-ahead", signed_assertion(response(until=at(-0.9), confirmed_until=at(-0.9))))

# Nothing is signed, or not by the provider.
add("unsigned", "nothing", response())
changed("unsigned", "signature-removed", RIGHT, text(signature_of(assertion_of(RIGHT))).replace(
    f' xmlns="{SAML}"', "").replace(f' xmlns:p="{PROTOCOL}"', ""), "")
add("signature", "other-key", signed_assertion(response(), who=OTHER))
add("signature", "other-key-with-its-certificate", signed_assertion(response(), who=OTHER, with_certificate=True))
add("signature", "other-key-of-the-response", sign(response(), who=OTHER))
add("signature", "one-of-two-by-another-key", sign(signed_assertion(response()), who=OTHER))
add("signature", "name-changed", text(RIGHT).replace("alice@", "admin@"))
changed("signature", "name-changed-in-the-signed-response", WHOLE, ">alice@", ">admin@")
changed("signature", "attribute-changed", RIGHT, "<AttributeValue>alice@", "<AttributeValue>admin@")
changed("signature", "audience-changed", signed_assertion(response(audience="https://other.example.com")),
        "https://other.example.com", SERVICE)
changed("signature", "time-changed", signed_assertion(response(until=at(-60))), at(-60), at(60))
value = signature_of(assertion_of(RIGHT)).find("ds:SignatureValue", NS).text
changed("signature", "value-changed", RIGHT, value[:8], value[1:8] + value[:1])
changed("signature", "value-empty", RIGHT, value, "")
digest = signature_of(assertion_of(RIGHT)).find(".//ds:DigestValue", NS).text
changed("signature", "digest-changed", RIGHT, digest, digest[1:-1] + digest[0] + digest[-1])

# Algorithms.
add("algorithm", "sha1", signed_assertion(response(), method=SignatureMethod.RSA_SHA1, digest=DigestAlgorithm.SHA1))
add("algorithm", "sha1-digest", signed_assertion(response(), digest=DigestAlgorithm.SHA1))
add("algorithm", "hmac-with-the-certificate", signed_assertion(
    response(), method=SignatureMethod.HMAC_SHA256, key=OWN[1].encode()))
add("algorithm", "ecdsa", signed_assertion(response(), who=CURVE, method=SignatureMethod.ECDSA_SHA256))
add("algorithm", "inclusive-canonicalization", signed_assertion(response(), c14n=INCLUSIVE))
changed("algorithm", "xpath", RIGHT, "http://www.w3.org/2000/09/xmldsig#enveloped-signature",
        "http://www.w3.org/TR/1999/REC-xpath-19991116")
changed("algorithm", "xslt", RIGHT, "http://www.w3.org/2000/09/xmldsig#enveloped-signature",
        "http://www.w3.org/TR/1999/REC-xslt-19991116")
add("algorithm", "no-transforms", text(RIGHT).replace("ds:Transforms>", "ds:Other>"))

# Wrapped signatures: the eight classes of Somorovsky et al., "On Breaking SAML".
evil = forged(WHOLE)
wrapped = copy.deepcopy(signature_of(WHOLE))
etree.SubElement(wrapped, f"{{{DS}}}Object").append(copy.deepcopy(WHOLE))
evil.insert(1, wrapped)
add("response", "wrapping-1", evil)
evil, inner = forged(WHOLE), copy.deepcopy(WHOLE)
signature = signature_of(inner)
inner.remove(signature)
evil.insert(1, inner)
evil.insert(1, signature)
add("response", "wrapping-2", evil)


def wrapping(name, build, outcome="assertion"):
    root = copy.deepcopy(RIGHT)
    original = assertion_of(root)
    build(root, original, forged(original))
    add(outcome, name, root)


def third(root, original, evil):
    root.insert(root.index(original), evil)


def fourth(root, original, evil):
    root.replace(original, evil)
    evil.append(original)


def fifth(root, original, evil):
    evil.insert(1, signature_of(original))
    root.insert(root.index(original), evil)


def sixth(root, original, evil):
    signature = signature_of(original)
    original.remove(signature)
    root.replace(original, evil)
    signature.append(original)
    evil.insert(1, signature)


def seventh(root, original, evil):
    extensions = etree.Element(f"{{{PROTOCOL}}}Extensions")
    extensions.append(evil)
    root.insert(1, extensions)


def eighth(root, original, evil):
    signature = signature_of(original)
    original.remove(signature)
    root.replace(original, evil)
    etree.SubElement(signature, f"{{{DS}}}Object").append(original)
    evil.insert(1, signature)


for number, build in enumerate((third, fourth, fifth, sixth, seventh, eighth), start=3):
    wrapping(f"wrapping-{number}", build)


def in_detail(root, original, evil):
    etree.SubElement(root.find("p:Status", NS), f"{{{PROTOCOL}}}StatusDetail").append(evil)


def in_advice(root, original, evil):
    etree.SubElement(original, f"{{{SAML}}}Advice").append(evil)


def of_another_namespace(root, original, evil):
    evil = etree.fromstring(text(evil).replace(SAML, "urn:example:other"))
    root.insert(root.index(original), evil)


def same_id(root, original, evil):
    evil.set("ID", "_a")
    root.insert(root.index(original), evil)


def second_after(root, original, evil):
    root.append(evil)


wrapping("forged-in-the-status", in_detail)
wrapping("forged-in-the-advice", in_advice)
wrapping("forged-of-another-namespace", of_another_namespace)
wrapping("forged-with-the-same-id", same_id)
wrapping("forged-after-the-signed-one", second_after)
two = response()
two.append(copy.deepcopy(assertion_of(response(assertion="_b", name="bob@example.com"))))
add("assertion", "two-signed-ones", sign(two))
none = response()
none.remove(assertion_of(none))
add("assertion", "none", sign(none))


# A signature that is right, but of something else.
def moved(name, build, outcome):
    root = copy.deepcopy(RIGHT)
    original = assertion_of(root)
    signature = signature_of(original)
    original.remove(signature)
    build(root, original, signature)
    add(outcome, name, root)


moved("signature-moved-to-the-response", lambda root, original, signature: root.insert(1, signature), "reference")
moved("signature-in-the-status",
      lambda root, original, signature: root.find("p:Status", NS).append(signature), "place")
moved("signature-in-the-subject",
      lambda root, original, signature: original.find("a:Subject", NS).append(signature), "place")


def twice(root, original, signature):
    original.insert(1, signature)
    original.insert(1, copy.deepcopy(signature))


moved("two-signatures-of-the-assertion", twice, "place")
changed("reference", "empty", RIGHT, 'URI="#_a"', 'URI=""')
changed("reference", "file", RIGHT, 'URI="#_a"', 'URI="file:///etc/passwd"')
changed("reference", "xpointer", RIGHT, 'URI="#_a"', 'URI="#xpointer(id(\'_a\'))"')
changed("reference", "to-the-response", RIGHT, 'URI="#_a"', 'URI="#_r"')
reference = text(signature_of(assertion_of(RIGHT)).find(".//ds:Reference", NS))
reference = reference[reference.index(">"):]
changed("reference", "two", RIGHT, "</ds:SignedInfo>",
        f'<ds:Reference URI="#_r"{reference}</ds:SignedInfo>')

# IDs that a reader may take for the one of the assertion.
changed("id", "repeated", RIGHT, "<p:Status>", '<p:Status ID="_a">')
changed("id", "repeated-as-a-character-reference", RIGHT, "<p:Status>", '<p:Status ID="&#95;a">')
changed("id", "other-case", RIGHT, "<p:Status>", '<p:Status Id="_a">')
changed("id", "of-xml", RIGHT, "<p:Status>", '<p:Status xml:id="_a">')
changed("id", "of-saml-1", RIGHT, "<p:Status>", '<p:Status AssertionID="_a">')

# Markup that readers treat differently.
COMMENTED = signed_assertion(response(name="admin@example.com.evil.example"))
add("markup", "comment-in-the-name", text(COMMENTED).replace(
    ">admin@example.com.evil.example</NameID>", ">admin@example.com<!-- -->.evil.example</NameID>"))
changed("markup", "section-in-the-name", RIGHT, ">alice@example.com</NameID>",
        "><![CDATA[alice@example.com]]></NameID>")
changed("markup", "instruction-in-the-name", RIGHT, ">alice@example.com</NameID>", ">alice@<?x?>example.com</NameID>")
changed("markup", "comment-before-the-root", RIGHT, "<p:Response", "<!-- --><p:Response")
changed("markup", "document-type", RIGHT, "<p:Response", "<!DOCTYPE p:Response><p:Response")
add("markup", "external-entity", '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + text(RIGHT).replace(
    ">alice@", ">&x;alice@"))
add("markup", "entity-expansion", '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    + text(RIGHT).replace(">alice@", ">&b;alice@"))
add("markup", "attribute-default", '<!DOCTYPE r [<!ATTLIST Assertion ID ID #IMPLIED>]>' + text(RIGHT))
changed("name", "element-in-the-name", RIGHT, ">alice@example.com</NameID>", ">admin@<b>alice</b></NameID>")
changed("name", "two-names", RIGHT, "<NameID", "<NameID>admin@example.com</NameID><NameID")
changed("malformed", "two-roots", RIGHT, "</p:Response>", "</p:Response><p:Response/>")
changed("malformed", "truncated", RIGHT, "</p:Response>", "")
changed("malformed", "unknown-entity", RIGHT, ">alice@", ">&admin;@")
add("malformed", "other-encoding", '<?xml version="1.0" encoding="UTF-16"?>' + text(RIGHT))
changed("size", "depth", RIGHT, "<p:Status>", "<p:Extensions>" * 40 + "</p:Extensions>" * 40 + "<p:Status>")
encrypted = response()
encrypted.replace(assertion_of(encrypted), etree.Element(f"{{{SAML}}}EncryptedAssertion"))
add("encryption", "empty", sign(encrypted))

# Right signatures, wrong contents.
add("audience", "other-service", signed_assertion(response(audience="https://other.example.com")))
add("audience", "longer", signed_assertion(response(audience=SERVICE + "/")))
add("audience", "none", signed_assertion(response(audience=None)))
add("audience", "one-of-two-restrictions", signed_assertion(response(audiences="".join(
    f"<AudienceRestriction><Audience>{audience}</Audience></AudienceRestriction>"
    for audience in (SERVICE, "https://other.example.com")))))
add("issuer", "other-provider", signed_assertion(response(issuer="https://evil.example.com")))
add("issuer", "other-provider-of-the-assertion", signed_assertion(
    response(assertion_issuer="https://evil.example.com")))
add("recipient", "other-destination", sign(response(destination="https://other.example.com/acs")))
add("recipient", "other-recipient", signed_assertion(response(recipient="https://other.example.com/acs")))
add("recipient", "none", signed_assertion(response(recipient=None)))
add("request", "other", signed_assertion(response(request="_other")))
add("request", "none", signed_assertion(response(request=None, confirmed_request="")))
add("request", "other-in-the-confirmation", signed_assertion(response(confirmed_request="_other")))
add("expired", "conditions", signed_assertion(response(until=at(-1.1))))
add("expired", "confirmation", signed_assertion(response(confirmed_until=at(-1.1))))
add("expired", "session", signed_assertion(response(session_until=at(-1.1))))
add("expired", "not-yet", signed_assertion(response(not_before=at(1.1))))
add("denied", "by-the-provider", sign(response(status="Responder")))
refused = response(status="Requester")
refused.remove(assertion_of(refused))
add("denied", "without-an-assertion", refused)
add("transient", "name", signed_assertion(response(format="urn:oasis:names:tc:SAML:2.0:nameid-format:transient")))
add("invalid", "holder-of-key", signed_assertion(response(method="holder-of-key")))
add("invalid", "unknown-condition", signed_assertion(response(conditions=(
    f'<Conditions><AudienceRestriction><Audience>{SERVICE}</Audience></AudienceRestriction>'
    '<Condition xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="other"/></Conditions>'))))

for old in FOLDER.glob("*"):
    old.unlink()
FOLDER.mkdir(exist_ok=True)
(FOLDER / "provider.pem").write_text(OWN[1])
for (outcome, name), content in ALL.items():
    (FOLDER / f"{outcome}.{name}.xml").write_text(content + "\n", encoding="utf-8")
accepted = sum(outcome == "accepted" for outcome, _ in ALL)
print(f"{accepted} accepted, {len(ALL) - accepted} refused")
