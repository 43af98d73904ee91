//! HS256 (RFC 7518, 3.2) for `jsonwebtoken`. Its own providers depend on libraries for algorithms that are not accepted
//! here.

use hmac::{Hmac, KeyInit, Mac};
use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{ErrorKind, Result};
use jsonwebtoken::signature::{Error, Signer, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey};
use sha2::Sha256;

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: signer,
    verifier_factory: verifier,
    // Only needed for keys in JSON form, which are not used here.
    key_utils: KeyUtils::new_unimplemented(),
};

/// Installs HS256 as the only algorithm to sign and verify tokens in this process.
pub(super) fn install() {
    // Fails if it is already installed.
    let _ = PROVIDER.install_default();
}

/// HMAC state with the key, before any message.
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
