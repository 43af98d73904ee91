//! HS256 (RFC 7518, 3.2) for `jsonwebtoken`, whose own providers bring a library for algorithms that are not accepted.

use hmac::{Hmac, KeyInit, Mac};
use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{ErrorKind, Result};
use jsonwebtoken::signature::{Error, Signer, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey};
use sha2::Sha256;

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: signer,
    verifier_factory: verifier,
    // For keys as JSON, which nothing here reads.
    key_utils: KeyUtils::new_unimplemented(),
};

/// Makes this process sign and verify tokens with HS256, and with no other algorithm.
pub(super) fn install() {
    // Fails from the second time on, when it is installed.
    let _ = PROVIDER.install_default();
}

/// Keyed hash, without a message yet.
struct Hs256(Hmac<Sha256>);

fn signer(algorithm: &Algorithm, key: &EncodingKey) -> Result<Box<dyn JwtSigner>> {
    Ok(Box::new(hs256(*algorithm, key.as_bytes())?))
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
    Ok(Box::new(hs256(*algorithm, key.try_get_as_bytes()?)?))
}

fn hs256(algorithm: Algorithm, secret: &[u8]) -> Result<Hs256> {
    if algorithm != Algorithm::HS256 {
        return Err(ErrorKind::InvalidAlgorithm.into());
    }
    Hmac::new_from_slice(secret).map(Hs256).map_err(|_| ErrorKind::InvalidKeyFormat.into())
}

impl Hs256 {
    fn of(&self, message: &[u8]) -> Hmac<Sha256> {
        self.0.clone().chain_update(message)
    }
}

impl Signer<Vec<u8>> for Hs256 {
    fn try_sign(&self, message: &[u8]) -> std::result::Result<Vec<u8>, Error> {
        Ok(self.of(message).finalize().into_bytes().to_vec())
    }
}

impl Verifier<Vec<u8>> for Hs256 {
    /// Compares in constant time.
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> std::result::Result<(), Error> {
        self.of(message).verify_slice(signature).map_err(Error::from_source)
    }
}

impl JwtSigner for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

impl JwtVerifier for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}
