//! Signatures of webhooks from Git servers.

use actix_web::http::header::HeaderMap;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use quire_domain::clock::Timestamp;
use quire_domain::ids::GitInstallationId;
use quire_domain::webhooks::SECRET_PREFIX;
use sha2::Sha256;

use crate::error::{ApiError, ApiResult};
use crate::state::ServerState;

/// Maximum age of a delivery that has a timestamp, in milliseconds.
const MAX_AGE: u64 = 300_000;

/// Delivery of a webhook.
#[derive(Clone, Copy, Debug)]
pub struct HookDelivery<'a> {
    /// Headers.
    pub headers: &'a HeaderMap,
    /// Secret in the URL, for servers that do not sign deliveries.
    pub token: Option<&'a str>,
    /// Body as it was sent.
    pub body: &'a [u8],
    /// Time of arrival.
    pub now: Timestamp,
}

impl ServerState {
    /// Counts a delivery of the webhook of a connected repository.
    ///
    /// # Errors
    /// 429 above ten per minute.
    pub fn count_hook(&self, id: GitInstallationId) -> ApiResult<()> {
        self.rate_limits.count_hook(id).map_or(Ok(()), |wait| Err(ApiError::rate_limited(wait)))
    }
}

impl HookDelivery<'_> {
    /// Returns whether the delivery is authenticated by a secret. Only the first supported form of signature counts. It
    /// is compared in constant time.
    ///
    /// Forgejo also sends the signature header of Gitea, and both also send that of GitHub.
    #[must_use]
    pub fn is_made_with(&self, secret: &str) -> bool {
        let Ok(mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else { return false };
        let is_signed = |hex: &str| {
            let Some(signature) = from_hex(hex) else { return false };
            mac.clone().chain_update(self.body).verify_slice(&signature).is_ok()
        };
        // Both sides are hashed with the secret, which hides their lengths and the position of the first difference.
        let is_secret = |token: &str| {
            let expected = mac.clone().chain_update(secret.as_bytes()).finalize().into_bytes();
            mac.clone().chain_update(token.as_bytes()).verify_slice(&expected).is_ok()
        };
        if let Some(hex) = self.header("x-forgejo-signature").or_else(|| self.header("x-gitea-signature")) {
            return is_signed(hex);
        }
        if let Some(signature) = self.header("x-hub-signature-256").or_else(|| self.header("x-hub-signature"))
        {
            return signature.strip_prefix("sha256=").is_some_and(is_signed);
        }
        if let Some(signatures) = self.header("webhook-signature") {
            return self.is_standard(secret, signatures);
        }
        self.header("x-gitlab-token").or(self.token).is_some_and(is_secret)
    }

    /// Returns whether one of the signatures matches the id, time and body, as defined by Standard Webhooks.
    fn is_standard(&self, secret: &str, signatures: &str) -> bool {
        let key = STANDARD.decode(secret.strip_prefix(SECRET_PREFIX).unwrap_or(secret));
        let (Ok(key), Some(id), Some(time)) =
            (key, self.header("webhook-id"), self.header("webhook-timestamp"))
        else {
            return false;
        };
        let sent_at = time.parse::<i64>().ok().and_then(|seconds| seconds.checked_mul(1_000));
        let Some(sent_at) = sent_at else { return false };
        if self.now.millis().abs_diff(sent_at) > MAX_AGE {
            return false;
        }
        let Ok(mac) = Hmac::<Sha256>::new_from_slice(&key) else { return false };
        let mac = mac.chain_update(format!("{id}.{time}.").as_bytes()).chain_update(self.body);
        signatures.split(' ').filter_map(|signature| signature.strip_prefix("v1,")).any(|signature| {
            STANDARD.decode(signature).is_ok_and(|signature| mac.clone().verify_slice(&signature).is_ok())
        })
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    text.as_bytes()
        .chunks(2)
        .map(|digits| {
            u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok().filter(|_| digits.len() == 2)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    const SECRET: &str = "whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0";
    const BODY: &[u8] = br#"{"ref":"refs/heads/main"}"#;
    // Computed with Python's hmac, hashlib and base64 from the secret, and from its key.
    const HEX: &str = "107d30cc9195de0563fe434539ac03a506ba31549de5a352d498cbaaf8ae1437";
    const STANDARD_SIGNATURE: &str = "KaRXIY7uvfUeNz2W7P/olk84RhlKzTgBfs7LbKfdQa8=";
    const TIME: i64 = 1_700_000_000;

    fn accepts(headers: &[(&str, &str)], token: Option<&str>, body: &[u8], now: i64) -> bool {
        let mut sent = HeaderMap::new();
        for (name, value) in headers {
            sent.append(name.parse::<HeaderName>().unwrap(), HeaderValue::from_str(value).unwrap());
        }
        let now = Timestamp::from_millis(now * 1_000).unwrap();
        HookDelivery { headers: &sent, token, body, now }.is_made_with(SECRET)
    }

    #[test]
    fn each_host_signs_in_its_form() {
        let sha256 = format!("sha256={HEX}");
        for name in ["X-Hub-Signature-256", "X-Hub-Signature"] {
            assert!(accepts(&[(name, &sha256)], None, BODY, TIME), "{name}");
            assert!(!accepts(&[(name, HEX)], None, BODY, TIME), "{name} without the name of the hash");
            assert!(!accepts(&[(name, &sha256)], None, b"{}", TIME), "{name} of another body");
        }
        for name in ["X-Gitea-Signature", "X-Forgejo-Signature"] {
            assert!(accepts(&[(name, HEX)], None, BODY, TIME), "{name}");
            assert!(!accepts(&[(name, &HEX[2..])], None, BODY, TIME), "{name} that was cut");
            assert!(!accepts(&[(name, "zz")], None, BODY, TIME), "{name} that is not hexadecimal");
        }
        assert!(accepts(&[("X-Gitlab-Token", SECRET)], None, BODY, TIME));
        assert!(!accepts(&[("X-Gitlab-Token", "other")], None, BODY, TIME));
        assert!(accepts(&[], Some(SECRET), BODY, TIME));
        assert!(!accepts(&[], Some(""), BODY, TIME));
        assert!(!accepts(&[], None, BODY, TIME));
    }

    #[test]
    fn the_form_that_is_there_decides() {
        let wrong = [("X-Forgejo-Signature", "00"), ("X-Gitea-Signature", HEX)];
        assert!(!accepts(&wrong, None, BODY, TIME));
        assert!(!accepts(&[("X-Hub-Signature-256", "sha256=00")], Some(SECRET), BODY, TIME));
    }

    #[test]
    fn a_signature_with_a_time_is_valid_for_five_minutes() {
        let time = TIME.to_string();
        let signatures = format!("v1,AAAA v1,{STANDARD_SIGNATURE}");
        let headers = [
            ("webhook-id", "msg_1"),
            ("webhook-timestamp", time.as_str()),
            ("webhook-signature", signatures.as_str()),
        ];
        assert!(accepts(&headers, None, BODY, TIME));
        assert!(accepts(&headers, None, BODY, TIME + 300));
        assert!(!accepts(&headers, None, BODY, TIME + 301));
        assert!(!accepts(&headers, None, BODY, TIME - 301));
        assert!(!accepts(&headers[1..], None, BODY, TIME), "the id is signed, too");
        assert!(!accepts(&headers, None, b"{}", TIME));
    }
}
