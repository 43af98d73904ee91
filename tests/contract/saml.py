"""Signs in to a server with pysaml2 as the SAML provider, which signs with xmlsec1: the response, the assertion, or both.
It encrypts assertions for the certificate in the metadata of the service. Reads QUIRE_BASE_URL, and the organization and token of QUIRE_WALK."""

import datetime
import functools
import json
import os
import pathlib
import re
import sys
import tempfile
from urllib.parse import parse_qs, urlsplit

import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT, entity
from saml2.config import IdPConfig
from saml2.saml import NAMEID_FORMAT_EMAILADDRESS, NAMEID_FORMAT_PERSISTENT, NameID
from saml2.server import Server
from saml2.sigver import get_xmlsec_binary, pre_encryption_part
from saml2.xmldsig import DIGEST_SHA256, DIGEST_SHA512, SIG_RSA_SHA256, SIG_RSA_SHA512

PROVIDER = "https://id.example.com/metadata"
SIGN_IN = "https://id.example.com/sso"
# Triple DES is the default of pysaml2.
ENCRYPTION = {
    "aes-256": "http://www.w3.org/2001/04/xmlenc#aes256-cbc",
    "aes-128": "http://www.w3.org/2009/xmlenc11#aes128-gcm",
}


def key_and_certificate(folder: pathlib.Path) -> str:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "id.example.com")])
    now = datetime.datetime.now(datetime.timezone.utc)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = builder.serial_number(1).not_valid_before(now - datetime.timedelta(days=1))
    certificate = builder.not_valid_after(now + datetime.timedelta(days=1)).sign(key, hashes.SHA256())
    pem = serialization.Encoding.PEM
    plain = serialization.NoEncryption()
    (folder / "key.pem").write_bytes(key.private_bytes(pem, serialization.PrivateFormat.TraditionalOpenSSL, plain))
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(pem))
    return certificate.public_bytes(pem).decode()


def provider(folder: pathlib.Path, metadata: str) -> Server:
    (folder / "service.xml").write_text(metadata, encoding="utf-8")
    config = IdPConfig()
    config.load({
        "entityid": PROVIDER,
        "xmlsec_binary": get_xmlsec_binary(),
        "key_file": str(folder / "key.pem"),
        "cert_file": str(folder / "certificate.pem"),
        "metadata": {"local": [str(folder / "service.xml")]},
        "service": {"idp": {
            "endpoints": {"single_sign_on_service": [(SIGN_IN, BINDING_HTTP_REDIRECT)]},
            "policy": {"default": {"lifetime": {"minutes": 5}, "attribute_restrictions": None}},
        }},
    })
    return Server(config=config)


def encrypt_with(server: Server, key_type: str) -> None:
    entity.pre_encryption_part = functools.partial(pre_encryption_part, msg_enc=ENCRYPTION[key_type])
    server.sec.encrypt_assertion = functools.partial(type(server.sec).encrypt_assertion, server.sec, key_type=key_type)


def sign_in(
    server: Server, service: dict, name_id: NameID, identity: dict, encryption: str | None = None,
    problem: str | None = None, **signing,
) -> dict:
    """Signs in with a new browser and returns its user, or checks the problem that there has to be."""
    browser = requests.Session()
    started = browser.get(service["startURL"], allow_redirects=False, timeout=30)
    assert started.status_code == 303, started.text
    location = started.headers["Location"]
    assert location.startswith(SIGN_IN), location
    query = parse_qs(urlsplit(location).query)
    received = server.parse_authn_request(query["SAMLRequest"][0], BINDING_HTTP_REDIRECT)
    assert received.message.requested_authn_context is None
    answer = server.response_args(received.message)
    if encryption:
        encrypt_with(server, encryption)
    response = server.create_authn_response(
        identity, name_id=name_id, authn={"class_ref": "urn:oasis:names:tc:SAML:2.0:ac:classes:Password"},
        encrypt_assertion=bool(encryption), encrypted_advice_attributes=False, **signing, **answer,
    )
    assert ("EncryptedAssertion" in str(response)) == bool(encryption), response
    form = server.apply_binding(
        BINDING_HTTP_POST, str(response), answer["destination"], relay_state=query["RelayState"][0], response=True,
    )["data"]
    fields = dict(re.findall(r'name="(SAMLResponse|RelayState)" value="([^"]*)"', form))
    assert len(fields) == 2, form
    # The page of the provider sends no cookies.
    headers = {"Origin": "https://id.example.com", "Sec-Fetch-Site": "cross-site"}
    posted = requests.post(answer["destination"], data=fields, headers=headers, allow_redirects=False, timeout=30)
    if problem:
        assert f"problem={problem}" in posted.headers["Location"], posted.headers
        return {}
    assert posted.status_code == 303 and "/callback?" in posted.headers["Location"], posted.headers
    ended = browser.get(posted.headers["Location"], allow_redirects=False, timeout=30)
    assert ended.status_code == 303 and "failed" not in ended.headers["Location"], ended.headers
    again = requests.post(answer["destination"], data=fields, headers=headers, allow_redirects=False, timeout=30)
    assert "problem=state" in again.headers["Location"], again.headers
    user = browser.get(f"{os.environ['QUIRE_BASE_URL']}/v1/user", timeout=30)
    user.raise_for_status()
    return user.json()


def main() -> int:
    base = os.environ["QUIRE_BASE_URL"]
    walk = json.loads(os.environ["QUIRE_WALK"])
    headers = {"Authorization": f"Bearer {walk['token']}"}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        body = {
            "label": "pysaml2", "entityID": PROVIDER, "ssoURL": SIGN_IN, "certificate": key_and_certificate(folder),
            "defaultRole": "read",
        }
        made = requests.post(f"{base}/v1/orgs/{walk['organization']}/saml", headers=headers, json=body, timeout=30)
        made.raise_for_status()
        service = made.json()["service"]
        metadata = requests.get(service["entityID"], timeout=30)
        metadata.raise_for_status()
        server = provider(folder, metadata.text)
        grace = {"mail": "grace@example.com", "displayName": "Grace Hopper"}
        persistent = NameID(format=NAMEID_FORMAT_PERSISTENT, text="7f3a")
        strong = {"sign_alg": SIG_RSA_SHA512, "digest_alg": DIGEST_SHA512}
        usual = {"sign_alg": SIG_RSA_SHA256, "digest_alg": DIGEST_SHA256}
        people = [
            sign_in(server, service, persistent, grace, sign_response=True, sign_assertion=False, **usual),
            sign_in(server, service, persistent, grace, sign_response=False, sign_assertion=True, **usual),
            sign_in(server, service, persistent, grace, sign_response=True, sign_assertion=True, **strong),
            sign_in(server, service, persistent, grace, "aes-256", sign_response=True, sign_assertion=False, **usual),
            sign_in(server, service, persistent, grace, "aes-128", sign_response=True, sign_assertion=True, **strong),
        ]
        sign_in(
            server, service, persistent, grace, "aes-128", "encrypted", sign_response=False, sign_assertion=True, **usual,
        )
        assert len({user["id"] for user in people}) == 1, people
        assert people[0]["email"] == "grace@example.com" and people[0]["displayName"] == "Grace Hopper", people[0]
        pat = NameID(format=NAMEID_FORMAT_EMAILADDRESS, text="pat@example.com")
        other = sign_in(server, service, pat, {}, sign_response=True, sign_assertion=True, **usual)
        assert other["email"] == "pat@example.com" and other["id"] != people[0]["id"], other
    print(f"{len(people) + 1} sign-ins")
    return 0


if __name__ == "__main__":
    sys.exit(main())
