//! Visitor tokens, signed with the visitor key of an organization.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quire_domain::clock::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{UNSIGNED, sign, verify};
use crate::error::ApiResult;

/// Returns the text form of a visitor key. The HMAC secret is this text, as for `jwt.sign({}, key)` of other libraries.
#[must_use]
pub fn visitor_key_text(key: &[u8; 32]) -> String {
    STANDARD.encode(key)
}

/// Signs the claims as a visitor token.
///
/// # Errors
/// Claims that cannot be written as JSON.
pub fn sign_for_visitor<T: Serialize>(key: &[u8; 32], claims: &T) -> ApiResult<String> {
    sign(visitor_key_text(key).as_bytes(), claims)
}

/// Returns the claims of a visitor token, like [`verify`]. Until 1.0 it also accepts tokens signed with the decoded
/// bytes of the key, which earlier versions required.
///
/// # Errors
/// See [`verify`].
pub fn verify_visitor(
    key: Option<&[u8; 32]>,
    token: &str,
    now: Timestamp,
) -> Result<Map<String, Value>, &'static str> {
    let Some(key) = key else { return verify(None, token, now) };
    match verify(Some(visitor_key_text(key).as_bytes()), token, now) {
        Err(UNSIGNED) => verify(Some(key), token, now),
        judged => judged,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_visitor_token_is_signed_over_the_text_of_the_key() {
        let now = Timestamp::from_millis(1_800_000_000_000).unwrap();
        let key = [7; 32];
        let claims = json!({"sub": "eve", "exp": 1_800_000_060});
        let token = sign_for_visitor(&key, &claims).unwrap();
        assert_eq!(token, sign(visitor_key_text(&key).as_bytes(), &claims).unwrap());
        for accepted in [token, sign(&key, &claims).unwrap()] {
            assert_eq!(verify_visitor(Some(&key), &accepted, now).map(Value::Object), Ok(claims.clone()));
            assert_eq!(verify_visitor(Some(&[8; 32]), &accepted, now), Err(UNSIGNED));
            assert_eq!(verify_visitor(None, &accepted, now), Err(UNSIGNED));
        }
        let late = sign_for_visitor(&key, &json!({"exp": 1})).unwrap();
        assert_eq!(verify_visitor(Some(&key), &late, now), Err("has expired"));
    }
}
