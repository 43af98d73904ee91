//! Secrets encrypted at rest, so that a copy of the database alone reveals none.
//!
//! XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03) with a random nonce, which precedes the ciphertext. The owner of the
//! secret is associated data, so a sealed secret copied to another row does not open.

use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use rand::RngExt as _;

use crate::{Error, Result};

/// Size of a nonce in bytes.
const NONCE: usize = 24;

/// Encryption of secrets with one key.
#[derive(Clone)]
pub struct Seal(XChaCha20Poly1305);

impl Seal {
    /// Creates a seal from a key.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self(XChaCha20Poly1305::new(&key.into()))
    }

    /// Encrypts a secret of `owner`.
    ///
    /// # Errors
    /// [`Error::Internal`] if the secret is too long.
    pub fn seal(&self, owner: &str, secret: &[u8]) -> Result<Vec<u8>> {
        let nonce: [u8; NONCE] = rand::rng().random();
        let payload = Payload { msg: secret, aad: owner.as_bytes() };
        let sealed = self.0.encrypt(&XNonce::from(nonce), payload).map_err(|_| failed(owner))?;
        Ok(nonce.into_iter().chain(sealed).collect())
    }

    /// Decrypts a sealed secret.
    ///
    /// # Errors
    /// [`Error::Internal`] if it was sealed with another key or for another owner, or is damaged.
    pub fn open(&self, owner: &str, sealed: &[u8]) -> Result<Vec<u8>> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE>().ok_or_else(|| failed(owner))?;
        let payload = Payload { msg: sealed, aad: owner.as_bytes() };
        self.0.decrypt(&XNonce::from(*nonce), payload).map_err(|_| failed(owner))
    }
}

fn failed(owner: &str) -> Error {
    Error::Internal("a secret can't be sealed or opened", anyhow::anyhow!("of {owner}"))
}

#[cfg(test)]
mod tests {
    use super::Seal;

    #[test]
    fn only_the_owner_and_the_key_open_what_was_sealed() {
        let seal = Seal::new([7; 32]);
        let sealed = seal.seal("a", b"secret").unwrap();
        assert_eq!(seal.open("a", &sealed).unwrap(), b"secret");
        assert!(seal.open("b", &sealed).is_err());
        assert!(Seal::new([8; 32]).open("a", &sealed).is_err());
        assert!(seal.open("a", &sealed[..20]).is_err());
        let mut broken = sealed.clone();
        broken[30] ^= 1;
        assert!(seal.open("a", &broken).is_err());
        assert_ne!(seal.seal("a", b"secret").unwrap(), sealed, "no two are alike");
        assert!(!sealed.windows(6).any(|part| part == b"secret"));
    }
}
