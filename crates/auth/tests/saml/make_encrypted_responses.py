#!/usr/bin/env python3
"""Makes the responses with encrypted assertions that the tests of the crate read, right ones and hostile ones.

    pip install signxml==5.2.0 && crates/auth/tests/saml/make_encrypted_responses.py

Run by hand when a response is added. It makes new keys; that of the service is kept, because the tests decrypt with it.
The name of a file starts with the outcome that the tests expect.
"""

import base64
import os
import pathlib

from cryptography.hazmat.primitives import hashes, padding as blocks, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from lxml import etree

from building import NS, OTHER, OWN, SAML, assertion_of, at, response, sign, text

FOLDER = pathlib.Path(__file__).parent / "encrypted"
ENC = "http://www.w3.org/2001/04/xmlenc#"
ENC11 = "http://www.w3.org/2009/xmlenc11#"
DS = NS["ds"]
SERVICE_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
STRANGER = rsa.generate_private_key(public_exponent=65537, key_size=2048)
SHA1, SHA256 = hashes.SHA1(), hashes.SHA256()
DIGESTS = {"sha1": f"{DS}sha1", "sha256": f"{ENC}sha256", "sha512": f"{ENC}sha512"}
MGF1P, OAEP, PKCS1 = f"{ENC}rsa-oaep-mgf1p", f"{ENC11}rsa-oaep", f"{ENC}rsa-1_5"
GCM, GCM128, CBC, CBC128 = f"{ENC11}aes256-gcm", f"{ENC11}aes128-gcm", f"{ENC}aes256-cbc", f"{ENC}aes128-cbc"
ALL = {}


def add(outcome, name, root):
    key = (outcome, name)
    assert key not in ALL, key
    ALL[key] = root if isinstance(root, str) else text(root)


def encode(data):
    return base64.b64encode(data).decode()


def encrypted_data(plain, data=GCM, transport=MGF1P, digest=None, mask=None, key=None, alter=None, kind=f"{ENC}Element",
                   more_of_key=""):
    """Returns an EncryptedData element. `alter` changes the ciphertext."""
    secret = os.urandom(16 if "128" in data else 32)
    if data.endswith("gcm"):
        nonce = os.urandom(12)
        cipher = nonce + AESGCM(secret).encrypt(nonce, plain, None)
    else:
        padder, vector = blocks.PKCS7(128).padder(), os.urandom(16)
        padded = padder.update(plain) + padder.finalize()
        encryptor = Cipher(algorithms.AES(secret), modes.CBC(vector)).encryptor()
        cipher = vector + encryptor.update(padded) + encryptor.finalize()
    if alter:
        cipher = alter(cipher)
    public = (key or SERVICE_KEY).public_key()
    parts = ""
    if transport == PKCS1:
        wrapped = public.encrypt(secret, padding.PKCS1v15())
    else:
        of_digest = getattr(hashes, (digest or "sha1").upper())()
        # rsa-oaep-mgf1p masks with SHA-1 whatever the digest is.
        of_mask = getattr(hashes, (mask or ("sha1" if transport == MGF1P else digest or "sha1")).upper())()
        wrapped = public.encrypt(secret, padding.OAEP(padding.MGF1(of_mask), of_digest, None))
        if digest:
            parts += f'<ds:DigestMethod Algorithm="{DIGESTS[digest]}"/>'
        if mask:
            parts += f'<xenc11:MGF xmlns:xenc11="{ENC11}" Algorithm="{ENC11}mgf1{mask}"/>'
    return (
        f'<xenc:EncryptedData xmlns:xenc="{ENC}" xmlns:ds="{DS}" Type="{kind}">'
        f'<xenc:EncryptionMethod Algorithm="{data}"/><ds:KeyInfo><xenc:EncryptedKey>'
        f'<xenc:EncryptionMethod Algorithm="{transport}">{parts}{more_of_key}</xenc:EncryptionMethod>'
        f"<xenc:CipherData><xenc:CipherValue>{encode(wrapped)}</xenc:CipherValue></xenc:CipherData>"
        f"</xenc:EncryptedKey></ds:KeyInfo>"
        f"<xenc:CipherData><xenc:CipherValue>{encode(cipher)}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData>"
    )


def plain_of(assertion):
    return text(assertion).encode()


def with_encrypted(root, plain=None, change=lambda xml: xml, **options):
    """Returns the response with its assertion encrypted, or with another text in its place."""
    assertion = assertion_of(root)
    data = change(encrypted_data(plain if plain is not None else plain_of(assertion), **options))
    element = etree.fromstring(f'<EncryptedAssertion xmlns="{SAML}">{data}</EncryptedAssertion>')
    root.replace(assertion, element)
    return etree.fromstring(etree.tostring(root))


def encrypted(given=None, **options):
    return sign(with_encrypted(response(**(given or {})), **options))


# What providers send.
add("accepted", "gcm-256", encrypted())
add("accepted", "gcm-128", encrypted(data=GCM128))
add("accepted", "cbc-256", encrypted(data=CBC))
add("accepted", "cbc-128", encrypted(data=CBC128))
add("accepted", "digest-sha256", encrypted(digest="sha256"))
add("accepted", "digest-sha256-mask-sha256", encrypted(transport=OAEP, digest="sha256", mask="sha256"))
add("accepted", "digest-sha512-mask-sha1", encrypted(transport=OAEP, digest="sha512", mask="sha1"))
SIGNED = response()
SIGNED.replace(assertion_of(SIGNED), sign(assertion_of(SIGNED)))
add("accepted", "both-signed", sign(with_encrypted(etree.fromstring(etree.tostring(SIGNED)))))
# Namespaces that are declared far away.
FAR = text(with_encrypted(response()))
FAR = FAR.replace(f' xmlns:xenc="{ENC}"', "").replace(f' xmlns:ds="{DS}"', "")
FAR = FAR.replace("<p:Response ", f'<p:Response xmlns:xenc="{ENC}" xmlns:ds="{DS}" ', 1)
add("accepted", "namespaces-at-the-root", sign(etree.fromstring(FAR)))
PREFIXED = text(assertion_of(response()))
add("accepted", "indented", sign(with_encrypted(response(), change=lambda xml: xml.replace("><", ">\n<"))))

# Only the provider chooses what is decrypted.
add("encrypted-unsigned", "no-signature", with_encrypted(response()))
add("encrypted-unsigned", "assertion-signed-only", with_encrypted(etree.fromstring(etree.tostring(SIGNED))))
add("signature", "of-another-key", sign(with_encrypted(response()), who=OTHER))
RIGHT = text(encrypted())


def altered(xml, number):
    """Returns the response with another last byte in one of its cipher values."""
    parts = xml.split("</xenc:CipherValue>")
    value = base64.b64decode(parts[number].rsplit(">", 1)[1])
    value = value[:-1] + bytes([value[-1] ^ 1])
    head = parts[number].rsplit(">", 1)[0]
    parts[number] = f"{head}>{encode(value)}"
    return "</xenc:CipherValue>".join(parts)


add("signature", "altered-key", altered(RIGHT, 0))
add("signature", "altered-ciphertext", altered(RIGHT, 1))
add("request", "of-another-request", encrypted({"request": "_other"}))
add("request", "of-no-request", encrypted({"request": None, "confirmed_request": ""}))

# What the provider has signed, but cannot be decrypted.
add("decryption", "for-another-key", encrypted(key=STRANGER))
add("decryption", "altered-before-the-signature", encrypted(alter=lambda cipher: cipher[:-1] + bytes([cipher[-1] ^ 1])))
add("decryption", "short-ciphertext", encrypted(alter=lambda cipher: cipher[:8]))
add("decryption", "short-ciphertext-cbc", encrypted(data=CBC, alter=lambda cipher: cipher[:16]))
add("decryption", "uneven-ciphertext-cbc", encrypted(data=CBC, alter=lambda cipher: cipher[:-3]))

# Algorithms and shapes.
add("encryption", "pkcs1", encrypted(transport=PKCS1))
add("encryption", "triple-des", encrypted(change=lambda xml: xml.replace(GCM, f"{ENC}tripledes-cbc")))
add("encryption", "key-wrap", encrypted(change=lambda xml: xml.replace(MGF1P, f"{ENC}kw-aes256")))
add("encryption", "digest-md5", encrypted(more_of_key=(
    '<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#md5"/>')))
add("encryption", "two-digests", encrypted(digest="sha256", more_of_key=(
    f'<ds:DigestMethod Algorithm="{DIGESTS["sha256"]}"/>')))
add("encryption", "label", encrypted(more_of_key="<xenc:OAEPparams>AAAA</xenc:OAEPparams>"))
add("encryption", "type-content", encrypted(kind=f"{ENC}Content"))
add("encryption", "cipher-reference", encrypted(change=lambda xml: xml[:xml.rindex("<xenc:CipherValue>")] + (
    '<xenc:CipherReference URI="#_r"/></xenc:CipherData></xenc:EncryptedData>')))
KEY_START, KEY_END = "<xenc:EncryptedKey>", "</xenc:EncryptedKey>"


def two_keys(xml):
    key = xml[xml.index(KEY_START):xml.index(KEY_END) + len(KEY_END)]
    return xml.replace(key, key + key)


add("encryption", "two-keys", encrypted(change=two_keys))
add("encryption", "no-key", encrypted(
    change=lambda xml: xml[:xml.index(KEY_START)] + xml[xml.index(KEY_END) + len(KEY_END):]))
add("encryption", "key-by-name", encrypted(
    change=lambda xml: xml.replace(KEY_START, "<ds:KeyName>a</ds:KeyName>" + KEY_START)))
add("encryption", "two-data", encrypted(change=lambda xml: xml + xml))
add("encryption", "data-in-the-key", encrypted(
    change=lambda xml: xml.replace(KEY_END, f"<ds:KeyInfo>{xml}</ds:KeyInfo>{KEY_END}")))
NOTHING = response()
NOTHING.replace(assertion_of(NOTHING), etree.fromstring(f'<EncryptedAssertion xmlns="{SAML}"/>'))
add("encryption", "nothing", sign(NOTHING))

# More than one assertion.
TWO = with_encrypted(response())
TWO.append(etree.fromstring(text(TWO.find("a:EncryptedAssertion", NS))))
add("assertion", "two-encrypted", sign(TWO))
BOTH = with_encrypted(response())
BOTH.append(assertion_of(response(assertion="_b", name="admin@example.com")))
add("assertion", "encrypted-and-plain", sign(BOTH))
INNER = with_encrypted(response())
INNER.find("p:Status", NS).append(assertion_of(response(assertion="_b", name="admin@example.com")))
add("assertion", "plain-in-the-status", sign(INNER))
DEEP = with_encrypted(response())
DEEP.find("p:Status", NS).append(DEEP.find("a:EncryptedAssertion", NS))
add("assertion", "encrypted-in-the-status", sign(DEEP))

# What comes out of the decryption is checked as what comes in.
FORGED = plain_of(assertion_of(response(assertion="_b", name="admin@example.com")))
RIGHT_TEXT = plain_of(assertion_of(response()))
add("assertion", "two-in-one", encrypted(plain=RIGHT_TEXT + FORGED))
add("assertion", "none-in-it", encrypted(plain=b"<x/>"))
add("assertion", "text-in-it", encrypted(plain=b"alice@example.com"))
add("assertion", "forged-in-the-advice", encrypted(
    plain=RIGHT_TEXT.replace(b"<Subject>", b"<Advice>" + FORGED + b"</Advice><Subject>", 1)))
add("markup", "document-type", encrypted(plain=b"<!DOCTYPE a>" + RIGHT_TEXT))
add("markup", "external-entity", encrypted(
    plain=b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + RIGHT_TEXT.replace(b">alice@", b">&x;alice@")))
add("markup", "comment-in-the-name", encrypted(
    plain=RIGHT_TEXT.replace(b">alice@example.com</NameID>", b">admin@example.com<!-- -->.evil</NameID>")))
add("malformed", "broken", encrypted(plain=RIGHT_TEXT.replace(b"</Assertion>", b"")))
add("malformed", "out-of-the-response", encrypted(plain=RIGHT_TEXT + b"</p:Response><p:Response>"))
add("decryption", "no-utf-8", encrypted(plain=RIGHT_TEXT.replace(b"alice", b"\xff\xfe")))
add("size", "depth", encrypted(plain=RIGHT_TEXT.replace(b"<Subject>", b"<x>" * 40 + b"</x>" * 40 + b"<Subject>")))
add("size", "nodes", encrypted(plain=RIGHT_TEXT.replace(b"<Subject>", b"<x/>" * 5000 + b"<Subject>")))
add("size", "bytes", encrypted(plain=RIGHT_TEXT + b" " * 200_000))
NESTED = with_encrypted(response())
add("encrypted", "twice", encrypted(plain=text(NESTED.find("a:EncryptedAssertion", NS)).encode()))
add("id", "that-of-the-response", encrypted({"assertion": "_r"}))
add("signature", "assertion-of-another-key", sign(with_encrypted(
    response(), plain=plain_of(sign(assertion_of(response()), who=OTHER)))))
CHANGED = plain_of(sign(assertion_of(response()))).replace(b"alice@example.com", b"admin@example.com")
add("signature", "assertion-changed-after-its-signature", encrypted(plain=CHANGED))
add("name", "encrypted-id", encrypted(
    plain=RIGHT_TEXT.replace(b"<NameID", b"<EncryptedID><NameID").replace(b"</NameID>", b"</NameID></EncryptedID>")))

# Conditions.
add("audience", "other-service", encrypted({"audience": "https://other.example.com"}))
add("recipient", "other-recipient", encrypted({"recipient": "https://other.example.com/acs"}))
add("recipient", "other-destination", encrypted({"destination": "https://other.example.com/acs"}))
add("issuer", "of-the-assertion", encrypted({"assertion_issuer": "https://evil.example.com"}))
add("request", "other-in-the-confirmation", encrypted({"confirmed_request": "_other"}))
add("expired", "conditions", encrypted({"until": at(-1.1)}))
add("denied", "by-the-provider", encrypted({"status": "Responder"}))
add("transient", "name", encrypted({"format": "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"}))

for old in FOLDER.glob("*"):
    old.unlink()
FOLDER.mkdir(exist_ok=True)
(FOLDER / "provider.pem").write_text(OWN[1])
(FOLDER / "service.key.pem").write_bytes(SERVICE_KEY.private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
for (outcome, name), content in ALL.items():
    (FOLDER / f"{outcome}.{name}.xml").write_text(content + "\n", encoding="utf-8")
accepted = sum(outcome == "accepted" for outcome, _ in ALL)
print(f"{accepted} accepted, {len(ALL) - accepted} refused")
