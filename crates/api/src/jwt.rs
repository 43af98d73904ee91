//! JSON Web Tokens that the service signs: RFC 7519 with HS256 (RFC 7518, 3.2). None is ever read, so there is nothing to verify.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use serde::Serialize;
use sha2::Sha256;

use crate::error::{ApiError, ApiResult};

/// The protected header: `{"typ":"JWT","alg":"HS256"}`.
const HEADER: &str = "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9";

/// The claims as a compact, signed token.
///
/// # Errors
/// When the claims can't be written as JSON.
pub fn sign<T: Serialize>(key: &[u8], claims: &T) -> ApiResult<String> {
    let claims = serde_json::to_vec(claims).map_err(ApiError::internal)?;
    let signed = format!("{HEADER}.{}", URL_SAFE_NO_PAD.encode(claims));
    let mut mac = Hmac::<Sha256>::new_from_slice(key).map_err(ApiError::internal)?;
    mac.update(signed.as_bytes());
    Ok(format!("{signed}.{}", URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes())))
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::*;

    #[derive(Serialize)]
    struct Claims {
        sub: &'static str,
        name: &'static str,
        iat: u64,
    }

    #[test]
    fn a_token_is_what_other_implementations_make() {
        let claims = Claims { sub: "1234567890", name: "John Doe", iat: 1_516_239_022 };
        // Made with Python's hmac, hashlib and base64 from the same header, claims and key.
        assert_eq!(
            sign(b"your-256-bit-secret", &claims).unwrap(),
            "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.wrJ__8Q_6BcB2ug9370TBuK5JoAjErqsQtYf7aLcFBk"
        );
    }
}
