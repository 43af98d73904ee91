"""Responses and signatures of SAML providers, right ones and others, as the scripts next to this one make them."""

import copy
import datetime
import warnings

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID
from lxml import etree
from signxml import XMLSigner, methods
from signxml.algorithms import CanonicalizationMethod, DigestAlgorithm, SignatureMethod

warnings.simplefilter("ignore")
SAML = "urn:oasis:names:tc:SAML:2.0:assertion"
PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol"
DS = "http://www.w3.org/2000/09/xmldsig#"
NS = {"p": PROTOCOL, "a": SAML, "ds": DS}
ACS = "https://docs.example.com/saml/1/acs"
SERVICE = "https://docs.example.com/saml/1/metadata"
PROVIDER = "https://id.example.com/metadata"
EMAIL_FORMAT = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"
EXCLUSIVE = CanonicalizationMethod.EXCLUSIVE_XML_CANONICALIZATION_1_0
INCLUSIVE = CanonicalizationMethod.CANONICAL_XML_1_0
NOW = datetime.datetime(2026, 11, 29, 12, 0, tzinfo=datetime.timezone.utc)


def at(minutes):
    return (NOW + datetime.timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")


def identity(key):
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "id.example.com")])
    start = datetime.datetime(2020, 1, 1)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = builder.serial_number(1).not_valid_before(start).not_valid_after(start.replace(year=2120))
    certificate = builder.sign(key, hashes.SHA256())
    return key, certificate.public_bytes(serialization.Encoding.PEM).decode()


OWN = identity(rsa.generate_private_key(public_exponent=65537, key_size=2048))
OTHER = identity(rsa.generate_private_key(public_exponent=65537, key_size=2048))
CURVE = identity(ec.generate_private_key(ec.SECP256R1()))


class Signer(XMLSigner):
    """Signs with every algorithm, also with those that must not be accepted."""

    def check_deprecated_methods(self):
        pass


def response(**given):
    values = {
        "name": "alice@example.com", "format": EMAIL_FORMAT, "request": "_request", "issuer": PROVIDER,
        "assertion_issuer": None, "destination": ACS, "recipient": ACS, "audience": SERVICE, "confirmed_request": None,
        "status": "Success", "not_before": at(-1), "until": at(5), "confirmed_until": at(5), "session_until": at(480),
        "method": "bearer", "issued": at(0), "id": "_r", "assertion": "_a", "audiences": None, "conditions": None,
        **given,
    }
    if values["assertion_issuer"] is None:
        values["assertion_issuer"] = values["issuer"]
    if values["confirmed_request"] is None:
        values["confirmed_request"] = values["request"]
    optional = {
        "request_attribute": "InResponseTo", "confirmed_attribute": "InResponseTo", "destination_attribute":
        "Destination", "recipient_attribute": "Recipient",
    }
    sources = ("request", "confirmed_request", "destination", "recipient")
    for (key, attribute), source in zip(optional.items(), sources):
        values[key] = f' {attribute}="{values[source]}"' if values[source] else ""
    if values["audiences"] is None:
        values["audiences"] = "".join(
            f"<AudienceRestriction><Audience>{audience}</Audience></AudienceRestriction>"
            for audience in [values["audience"]] if audience
        )
    if values["conditions"] is None:
        values["conditions"] = (
            '<Conditions NotBefore="{not_before}" NotOnOrAfter="{until}">{audiences}</Conditions>'.format(**values)
        )
    text = """<p:Response xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" ID="{id}" Version="2.0"\
 IssueInstant="{issued}"{destination_attribute}{request_attribute}>\
<Issuer xmlns="urn:oasis:names:tc:SAML:2.0:assertion">{issuer}</Issuer>\
<p:Status><p:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:{status}"/></p:Status>\
<Assertion xmlns="urn:oasis:names:tc:SAML:2.0:assertion" ID="{assertion}" Version="2.0" IssueInstant="{issued}">\
<Issuer>{assertion_issuer}</Issuer><Subject><NameID Format="{format}">{name}</NameID>\
<SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:{method}">\
<SubjectConfirmationData NotOnOrAfter="{confirmed_until}"{recipient_attribute}{confirmed_attribute}/>\
</SubjectConfirmation></Subject>{conditions}\
<AuthnStatement AuthnInstant="{issued}" SessionIndex="_s" SessionNotOnOrAfter="{session_until}"><AuthnContext>\
<AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</AuthnContextClassRef></AuthnContext>\
</AuthnStatement><AttributeStatement><Attribute Name="email"><AttributeValue>{name}</AttributeValue></Attribute>\
<Attribute Name="displayName"><AttributeValue>Alice Ångström</AttributeValue></Attribute></AttributeStatement>\
</Assertion></p:Response>"""
    return etree.fromstring(text.format(**values))


def sign(element, who=OWN, method=SignatureMethod.RSA_SHA256, digest=DigestAlgorithm.SHA256, c14n=EXCLUSIVE,
         key=None, reference=None, with_certificate=False):
    """Returns a signed copy, with the signature where the schema wants it."""
    element = etree.fromstring(etree.tostring(element))
    place = etree.Element(f"{{{DS}}}Signature", nsmap={"ds": DS})
    place.set("Id", "placeholder")
    element.insert(1, place)
    signer = Signer(method=methods.enveloped, signature_algorithm=method, digest_algorithm=digest,
                    c14n_algorithm=c14n)
    signer.namespaces = {"ds": DS}
    signed = signer.sign(element, key=key or who[0], cert=None if key else who[1],
                         reference_uri=reference or element.get("ID"))
    signed = etree.fromstring(etree.tostring(signed))
    if not with_certificate:
        for info in signed.findall(f"{{{DS}}}Signature/{{{DS}}}KeyInfo"):
            info.getparent().remove(info)
    return signed


def assertion_of(root):
    return root.find("a:Assertion", NS)


def signed_assertion(root, **options):
    """Signs the assertion of a response."""
    root = copy.deepcopy(root)
    old = assertion_of(root)
    root.replace(old, sign(old, **options))
    return etree.fromstring(etree.tostring(root))


def signature_of(element):
    return element.find("ds:Signature", NS)


def text(element):
    return etree.tostring(element, encoding="unicode")
