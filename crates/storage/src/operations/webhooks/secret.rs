//! Webhook secrets, derived from a deployment key, so that the database alone does not reveal them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::Mac as _;
use quire_domain::ids::WebhookId;
use quire_domain::webhooks::SECRET_PREFIX;

use crate::Result;
use crate::operations::keys;
use crate::transaction::Tx;

/// Deployment key from which the secrets are derived.
pub(super) const KEY: &str = "webhooks";

/// Returns the secret of a webhook. `version` counts its rotations.
pub(super) fn secret(key: &[u8; 32], webhook: WebhookId, version: i32) -> String {
    let mut mac = keys::mac(key);
    mac.update(format!("webhook {webhook} {version}").as_bytes());
    format!("{SECRET_PREFIX}{}", URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()))
}

impl Tx<'_> {
    /// Returns the secret that signs the deliveries to a webhook.
    pub(super) fn webhook_secret(&mut self, webhook: WebhookId, version: i32) -> Result<String> {
        Ok(secret(&self.deployment_key(KEY)?, webhook, version))
    }
}

#[cfg(test)]
mod tests {
    use super::secret;

    #[test]
    fn each_webhook_and_rotation_has_a_secret_of_its_own() {
        let id = "0190a5d2-7c1e-7000-8000-000000000001".parse().unwrap();
        let other = "0190a5d2-7c1e-7000-8000-000000000002".parse().unwrap();
        let first = secret(&[7; 32], id, 1);
        assert!(first.starts_with("whsec_") && first.len() == 6 + 43, "{first}");
        for another in [secret(&[7; 32], id, 2), secret(&[7; 32], other, 1), secret(&[8; 32], id, 1)] {
            assert_ne!(first, another);
        }
    }
}
