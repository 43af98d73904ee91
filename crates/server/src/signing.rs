//! Signed URLs, which need no token: file downloads.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use quire_storage::operations::keys;
use sha2::Sha256;

/// Signs and verifies with the deployment's key. A signed URL gives access to its target, like a share link.
#[derive(Clone)]
pub struct UrlSigner {
    key: [u8; 32],
}

impl UrlSigner {
    /// Creates a signer with the deployment's key.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self { key }
    }

    /// Returns the signature of `what`.
    #[must_use]
    pub fn sign(&self, what: &str) -> String {
        URL_SAFE_NO_PAD.encode(self.mac(what).finalize().into_bytes())
    }

    /// Returns whether `signature` is the signature of `what`. Compares in constant time.
    #[must_use]
    pub fn verify(&self, what: &str, signature: &str) -> bool {
        URL_SAFE_NO_PAD
            .decode(signature)
            .is_ok_and(|signature| self.mac(what).verify_slice(&signature).is_ok())
    }

    fn mac(&self, what: &str) -> Hmac<Sha256> {
        let mut mac = keys::mac(&self.key);
        mac.update(what.as_bytes());
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::UrlSigner;

    #[test]
    fn only_the_signed_text_verifies() {
        let signer = UrlSigner::new([7; 32]);
        let signature = signer.sign("spaces/a/files/b");
        assert!(signer.verify("spaces/a/files/b", &signature));
        assert!(!signer.verify("spaces/a/files/c", &signature));
        assert!(!signer.verify("spaces/a/files/b", "AAAA"));
        assert!(!UrlSigner::new([8; 32]).verify("spaces/a/files/b", &signature));
    }
}
