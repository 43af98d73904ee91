//! JSON Web Tokens of visitors, signed with HS256 (RFC 7519; RFC 7515, 5; RFC 7518, 3.2) by this service or by an
//! organization's services with the same key. No other algorithm is accepted, regardless of the header of the token.

mod hs256;
mod visitors;

use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use quire_domain::bounds::VISITOR_TOKEN_SECONDS_MAX;
use quire_domain::clock::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};

pub use self::visitors::{sign_for_visitor, verify_visitor, visitor_key_text};
use crate::error::{ApiError, ApiResult};

/// Returns the claims as a signed token in compact form.
///
/// # Errors
/// Claims that cannot be written as JSON.
pub fn sign<T: Serialize>(key: &[u8], claims: &T) -> ApiResult<String> {
    hs256::install();
    let key = EncodingKey::from_secret(key);
    jsonwebtoken::encode(&Header::new(Algorithm::HS256), claims, &key).map_err(ApiError::internal)
}

const FOREIGN: &str = "must be signed with HS256";
const UNSIGNED: &str = "is not signed with the organization's visitor key";

/// Tolerated clock skew of the signer, in seconds.
const CLOCK_SKEW: f64 = 60.0;

/// Returns the claims of a token with a valid signature that is valid at `now`. It must have an expiry (`exp`) at most
/// one day after its creation (`iat`), if present, and after now. `nbf` is checked as well.
///
/// # Errors
/// The problem, as the end of a sentence that starts with "The visitor token". Without a valid signature it reveals
/// nothing about the claims.
pub fn verify(key: Option<&[u8]>, token: &str, now: Timestamp) -> Result<Map<String, Value>, &'static str> {
    const MALFORMED: &str = "is not a JSON Web Token";
    let header = jsonwebtoken::decode_header(token).map_err(|error| match error.kind() {
        ErrorKind::InvalidToken | ErrorKind::Base64(_) => MALFORMED,
        _ => FOREIGN,
    })?;
    if header.alg != Algorithm::HS256 || header.crit.is_some() {
        return Err(FOREIGN);
    }
    hs256::install();
    let key = DecodingKey::from_secret(key.ok_or(UNSIGNED)?);
    let decoded = jsonwebtoken::decode(token, &key, &validation()).map_err(|error| match error.kind() {
        ErrorKind::InvalidSignature => UNSIGNED,
        _ => MALFORMED,
    })?;
    let claims: Map<String, Value> = decoded.claims;
    check_times(&claims, seconds_of(now))?;
    Ok(claims)
}

/// Validates only the signature. [`check_times`] compares times with the clock of the request and bounds the lifetime.
fn validation() -> Validation {
    let mut validation = Validation::new(Algorithm::HS256);
    validation.required_spec_claims.clear();
    validation.validate_exp = false;
    validation.validate_aud = false;
    validation
}

fn check_times(claims: &Map<String, Value>, now: f64) -> Result<(), &'static str> {
    let end = moment(claims, "exp")?.ok_or("must have an expiry (`exp`)")?;
    let (made, start) = (moment(claims, "iat")?, moment(claims, "nbf")?);
    if end <= now {
        return Err("has expired");
    }
    if start.is_some_and(|start| start > now) {
        return Err("is not valid yet (`nbf`)");
    }
    if made.is_some_and(|made| made > now + CLOCK_SKEW) {
        return Err("was issued in the future (`iat`)");
    }
    let longest = f64::from(VISITOR_TOKEN_SECONDS_MAX);
    if end > made.unwrap_or(now).min(now) + longest + CLOCK_SKEW {
        return Err("must expire within 24 hours");
    }
    Ok(())
}

/// Returns a claim with a NumericDate (RFC 7519, 2): seconds since 1970, possibly with a fraction.
fn moment(claims: &Map<String, Value>, name: &str) -> Result<Option<f64>, &'static str> {
    const NO_MOMENT: &str = "has an `exp`, `iat` or `nbf` that is not a valid time";
    let Some(claim) = claims.get(name) else { return Ok(None) };
    let seconds = claim.as_f64().filter(|seconds| seconds.is_finite() && *seconds >= 0.0);
    seconds.map(Some).ok_or(NO_MOMENT)
}

/// Returns a time as a NumericDate. An `f64` represents whole seconds exactly beyond the year 9999.
fn seconds_of(time: Timestamp) -> f64 {
    Value::from(time.millis().div_euclid(1_000)).as_f64().unwrap_or(f64::MAX)
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use serde::Serialize;
    use serde_json::json;

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
        // Computed with Python's hmac, hashlib and base64 from the same header, claims and key.
        assert_eq!(
            sign(b"your-256-bit-secret", &claims).unwrap(),
            "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.wrJ__8Q_6BcB2ug9370TBuK5JoAjErqsQtYf7aLcFBk"
        );
    }

    #[test]
    fn a_token_holds_for_a_day_at_most() {
        const DAY: i64 = 86_400;
        let key = b"your-256-bit-secret".as_slice();
        let now = 1_800_000_000;
        let judged = |claims: Value| {
            verify(Some(key), &sign(key, &claims).unwrap(), Timestamp::from_millis(now * 1_000).unwrap())
                .err()
        };
        for good in [
            json!({"exp": now + 1}),
            json!({"exp": now + DAY}),
            json!({"exp": now + DAY, "iat": now + 30}),
            json!({"exp": now + 10, "iat": now - DAY + 10, "nbf": now - DAY}),
        ] {
            assert_eq!(judged(good.clone()), None, "{good}");
        }
        let long = Some("must expire within 24 hours");
        for endless in [
            json!({"exp": 1e308}),
            json!({"exp": u64::MAX}),
            json!({"exp": now + DAY + 61}),
            json!({"exp": now + 10, "iat": now - DAY - 60}),
            json!({"exp": now + 10, "iat": 0}),
        ] {
            assert_eq!(judged(endless.clone()), long, "{endless}");
        }
        assert_eq!(
            judged(json!({"exp": now + 90, "iat": now + 61})),
            Some("was issued in the future (`iat`)")
        );
        for odd in [
            json!({"exp": "1e9"}),
            json!({"exp": -1}),
            json!({"exp": null}),
            json!({"exp": now + 1, "iat": "now"}),
            json!({"exp": now + 1, "nbf": -1e300}),
        ] {
            assert_eq!(
                judged(odd.clone()),
                Some("has an `exp`, `iat` or `nbf` that is not a valid time"),
                "{odd}"
            );
        }
    }

    #[test]
    fn only_what_was_signed_so_and_holds_now_is_believed() {
        let key = b"your-256-bit-secret".as_slice();
        let at = |seconds: i64| Timestamp::from_millis(seconds * 1_000).unwrap();
        let claims = json!({"plan": "pro", "nbf": 100, "exp": 200.5});
        let token = sign(key, &claims).unwrap();
        assert_eq!(verify(Some(key), &token, at(200)).map(Value::Object), Ok(claims.clone()));
        assert_eq!(verify(Some(key), &token, at(201)), Err("has expired"));
        assert_eq!(verify(Some(key), &token, at(99)), Err("is not valid yet (`nbf`)"));
        let unsigned = "is not signed with the organization's visitor key";
        assert_eq!(verify(Some(b"another"), &token, at(150)), Err(unsigned));
        assert_eq!(verify(None, &token, at(150)), Err(unsigned));
        let endless = sign(key, &json!({"plan": "pro"})).unwrap();
        assert!(verify(Some(key), &endless, at(150)).unwrap_err().contains("`exp`"));
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let (_, payload) = signed.split_once('.').unwrap();
        for header in [
            json!({"alg": "none"}),
            json!({"alg": "HS512"}),
            json!({"alg": "HS256", "crit": ["b64"]}),
            json!({}),
        ] {
            let header = URL_SAFE_NO_PAD.encode(header.to_string());
            for signature in [signature, ""] {
                let forged = format!("{header}.{payload}.{signature}");
                assert_eq!(verify(Some(key), &forged, at(150)), Err("must be signed with HS256"));
            }
        }
        for (from, to) in [(".", "."), ("", "x"), (".", "")] {
            let broken = if from == to { signed.to_owned() } else { token.replacen(from, to, 1) };
            assert!(verify(Some(key), &broken, at(150)).is_err(), "{broken}");
        }
        // Token without an expiry, signed by another implementation.
        let foreign = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c";
        assert!(verify(Some(key), foreign, at(150)).unwrap_err().contains("`exp`"));
    }
}
