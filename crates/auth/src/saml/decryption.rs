//! Decryption of assertions.
//!
//! An attacker who can submit ciphertexts and measure the time until they are refused can recover plaintexts encrypted
//! for an RSA key (RUSTSEC-2023-0071) or in CBC mode. So an assertion is decrypted only within a response that is
//! signed by the provider as a whole and answers a pending request.

use saml_rs::crypto::keys::load_private_key;
use saml_rs::crypto::{AssertionDecryptionOptions, decrypt_assertion, verify_signature};

use super::{DecryptionKey, Failure, of_response};

/// Verifies the only signature of a document.
pub(super) fn verify(xml: &str, certificate: &str) -> Result<(), Failure> {
    match verify_signature(xml, &[certificate.to_owned()]).map_err(of_response)? {
        (true, Some(_)) => Ok(()),
        _ => Err(Failure::Signature("it was made by another key, or of another text".to_owned())),
    }
}

/// Returns a verified response with its assertion decrypted.
pub(super) fn decrypt(xml: &str, key: &DecryptionKey) -> Result<String, Failure> {
    let mut options = AssertionDecryptionOptions::default();
    // Only ciphertexts signed by the provider get here, so the timing side channel is not exploitable.
    options.allow_insecure_software_rsa_key_transport_decryption = true;
    let failed = |error: saml_rs::SamlError| Failure::Decryption(error.to_string());
    let key = load_private_key(key.as_pem(), None).map_err(failed)?;
    let (response, _) = decrypt_assertion(xml, &key, options).map_err(failed)?;
    Ok(response)
}
