//! Deliveries to webhooks.

use std::time::Duration;

use quire_importer::fetch::header::{HeaderMap, HeaderName, HeaderValue};
use quire_storage::operations::outbox::Attempt;
use quire_storage::operations::webhooks::{DueDelivery, LeasedWebhook};
use quire_storage::{Result, SystemTx};
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::Services;
use crate::outbox::{self, Outbox, hmac, post};
use crate::runner::{read, transact};

/// Lease on a webhook, extended after each attempt. Longer than an attempt, yet short enough for another node to take
/// over soon.
const LEASE: Duration = Duration::from_secs(14);
/// Maximum time for one webhook, so that other webhooks get their turn.
const TURN: Duration = Duration::from_secs(30);
/// Events read at once.
const BATCH: u16 = 20;

/// Deliveries to webhooks.
pub(crate) struct Deliveries;

impl Outbox for Deliveries {
    type Receiver = LeasedWebhook;

    const AT_ONCE: u16 = 16;
    const RECEIVERS: &'static str = "webhooks";

    fn lease(tx: &mut SystemTx<'_>, limit: u16) -> Result<Vec<LeasedWebhook>> {
        tx.lease_webhooks(limit, LEASE)
    }

    fn name(webhook: &LeasedWebhook) -> String {
        format!("webhook {}", webhook.id)
    }

    /// Delivers to one webhook until nothing is due or its turn is over.
    async fn send(services: &Services, mut webhook: LeasedWebhook) -> anyhow::Result<()> {
        let storage = &services.storage;
        let end = Instant::now() + TURN;
        'turn: loop {
            let leased = webhook.clone();
            let due = read(storage, move |reader| reader.due_deliveries(&leased, BATCH)).await?;
            if due.is_empty() {
                break;
            }
            for delivery in due {
                let attempt = attempt(services, &webhook, &delivery).await?;
                let leased = webhook.clone();
                let extended = transact(storage, move |tx| {
                    tx.attempted(&leased, &delivery, &attempt)?;
                    tx.extend_webhook(&leased, LEASE)
                });
                let Some(extended) = extended.await? else { return Ok(()) };
                webhook = extended;
                if Instant::now() >= end {
                    break 'turn;
                }
            }
        }
        transact(storage, move |tx| tx.release_webhook(&webhook)).await?;
        Ok(())
    }
}

/// Delivers as long as the node runs. The poll wakes it.
pub(crate) async fn run(services: &Services, polled: &Notify) {
    outbox::run::<Deliveries>(services, async |_| polled.notified().await).await;
}

/// Delivers all due events once. Returns the number of webhooks.
pub async fn deliver_due(services: &Services) -> Result<usize> {
    outbox::send_due::<Deliveries>(services).await
}

/// Sends one event.
async fn attempt(
    services: &Services,
    webhook: &LeasedWebhook,
    delivery: &DueDelivery,
) -> anyhow::Result<Attempt> {
    let body = serde_json::to_vec(&delivery.payload)?;
    let time = services.storage.clock().now().millis().div_euclid(1_000);
    let mut headers = HeaderMap::new();
    for (name, value) in [
        ("x-quire-event", delivery.kind.clone()),
        ("x-quire-delivery", delivery.id.to_string()),
        ("x-quire-signature", signature(&webhook.secret, time, &body)?),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::try_from(value)?);
    }
    Ok(post(services, "receiver", &webhook.url, headers, body).await)
}

/// Returns the value of the signature header.
fn signature(secret: &str, time: i64, body: &[u8]) -> anyhow::Result<String> {
    let hmac = hmac(secret, &[format!("{time}.").as_bytes(), body])?;
    Ok(format!("t={time},v1={hmac}"))
}

#[cfg(test)]
mod tests {
    use super::signature;

    #[test]
    fn the_signature_is_that_of_time_and_body() {
        // Made with: printf '1700000000.{}' | openssl dgst -sha256 -hmac secret
        assert_eq!(
            signature("secret", 1_700_000_000, b"{}").unwrap(),
            "t=1700000000,v1=b8569b78799ff9e3cbff0fc2d63a33a2b57f3282abd07c37ae5e8e7d79a5f163"
        );
    }
}
