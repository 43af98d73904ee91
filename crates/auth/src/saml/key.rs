//! Keys with which providers encrypt assertions.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rcgen::{CertificateParams, DnType, KeyPair, KeyUsagePurpose, PKCS_RSA_SHA256, date_time_ymd};
use rsa::RsaPrivateKey;
use rsa::pkcs8::{EncodePrivateKey as _, LineEnding};

/// Key size in bits.
const BITS: usize = 2048;

/// Private key in PEM (PKCS#8). `Debug` does not print it.
#[derive(Clone, PartialEq, Eq)]
pub struct DecryptionKey(String);

impl DecryptionKey {
    /// Wraps a key that [`EncryptionPair::generate`] generated.
    #[must_use]
    pub fn from_pem(pem: String) -> Self {
        Self(pem)
    }

    /// Returns the key in PEM.
    #[must_use]
    pub fn as_pem(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for DecryptionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DecryptionKey(…)")
    }
}

/// RSA key pair for encrypted assertions. It signs only its own certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncryptionPair {
    /// Private key.
    pub private: DecryptionKey,
    /// Self-signed certificate of the public key in PEM. Providers use only the key in it.
    pub certificate: String,
}

/// Failure to generate a key pair.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a key pair cannot be made: {0}")]
pub struct KeyError(String);

impl EncryptionPair {
    /// Generates a key pair. This takes from 100 ms to seconds of CPU time.
    ///
    /// # Errors
    /// [`KeyError`].
    pub fn generate() -> Result<Self, KeyError> {
        let key = RsaPrivateKey::new(&mut rsa::rand_core::OsRng, BITS).map_err(failed)?;
        let der = key.to_pkcs8_der().map_err(failed)?;
        let private = key.to_pkcs8_pem(LineEnding::LF).map_err(failed)?;
        let signer = KeyPair::from_pkcs8_der_and_sign_algo(&der.as_bytes().into(), &PKCS_RSA_SHA256)
            .map_err(failed)?;
        let mut parameters = CertificateParams::default();
        // Some providers refuse expired certificates, and the key is never replaced.
        parameters.not_before = date_time_ymd(2020, 1, 1);
        parameters.not_after = date_time_ymd(2090, 1, 1);
        parameters.distinguished_name.remove(DnType::CommonName);
        parameters.distinguished_name.push(DnType::CommonName, "Quire");
        parameters.key_usages = vec![KeyUsagePurpose::KeyEncipherment];
        let certificate = parameters.self_signed(&signer).map_err(failed)?;
        let private = DecryptionKey(private.as_str().to_owned());
        Ok(Self { private, certificate: pem(certificate.der()) })
    }
}

/// Encodes a certificate as PEM (RFC 7468).
fn pem(der: &[u8]) -> String {
    let digits = STANDARD.encode(der);
    let mut text = "-----BEGIN CERTIFICATE-----\n".to_owned();
    let mut rest = digits.as_str();
    while !rest.is_empty() {
        let (line, after) = rest.split_at(rest.len().min(64));
        text.push_str(line);
        text.push('\n');
        rest = after;
    }
    text.push_str("-----END CERTIFICATE-----\n");
    text
}

fn failed(error: impl fmt::Display) -> KeyError {
    KeyError(error.to_string())
}
