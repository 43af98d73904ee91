//! Webhook deliveries: leased, signed, sent and recorded.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt as _, StreamExt as _};
use hmac::{Hmac, KeyInit, Mac};
use quire_importer::fetch::FetchError;
use quire_importer::fetch::header::{HeaderMap, HeaderName, HeaderValue};
use quire_storage::operations::webhooks::{Attempt, DueDelivery, LeasedWebhook};
use quire_storage::{Result, SystemStorage};
use sha2::Sha256;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::Services;
use crate::runner::{message_of, read, transact};

/// Webhooks that one node delivers to concurrently.
pub(crate) const AT_ONCE: usize = 16;
/// Lease on a webhook, which is extended after each attempt. Longer than an attempt, and short, so that another node
/// takes over soon.
const LEASE: Duration = Duration::from_secs(14);
/// Maximum duration of a webhook's turn, so that others are served.
const TURN: Duration = Duration::from_secs(30);
/// Timeout of a receiver.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Events read at once.
const BATCH: u16 = 20;

/// Delivers as long as the node runs, woken by the poll.
pub(crate) async fn run(services: &Services, polled: &Notify) {
    let mut turns = FuturesUnordered::new();
    loop {
        let free = AT_ONCE.saturating_sub(turns.len());
        match lease(&services.storage, free).await {
            Ok(webhooks) => turns.extend(webhooks.into_iter().map(|webhook| turn(services, webhook))),
            Err(error) => log::error!("webhooks can't be leased: {error}"),
        }
        tokio::select! {
            Some(()) = turns.next(), if !turns.is_empty() => {}
            () = polled.notified() => {}
        }
    }
}

/// Delivers everything that is due, once, and returns the number of webhooks.
///
/// # Errors
/// If the database fails.
pub async fn deliver_due(services: &Services) -> Result<usize> {
    let webhooks = lease(&services.storage, AT_ONCE).await?;
    let turns: FuturesUnordered<_> = webhooks.into_iter().map(|webhook| turn(services, webhook)).collect();
    Ok(turns.count().await)
}

async fn lease(storage: &SystemStorage, free: usize) -> Result<Vec<LeasedWebhook>> {
    match u16::try_from(free).unwrap_or(u16::MAX) {
        0 => Ok(Vec::new()),
        free => transact(storage, move |tx| tx.lease_webhooks(free, LEASE)).await,
    }
}

/// Delivers to one webhook until nothing is due or its turn is over.
async fn turn(services: &Services, webhook: LeasedWebhook) {
    // The lease expires, and due deliveries are retried.
    match AssertUnwindSafe(deliver(services, &webhook)).catch_unwind().await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => log::error!("deliveries to webhook {} stopped: {error:#}", webhook.id),
        Err(panic) => log::error!("deliveries to webhook {} panicked: {}", webhook.id, message_of(&*panic)),
    }
}

async fn deliver(services: &Services, webhook: &LeasedWebhook) -> anyhow::Result<()> {
    let storage = &services.storage;
    let mut webhook = webhook.clone();
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
    let sent = services.fetcher.post(&webhook.url, headers, Bytes::from(body), TIMEOUT).await;
    Ok(match sent {
        Ok(status) if (200..300).contains(&status) => {
            Attempt { status: Some(status), error: None, again: false }
        }
        Ok(status) => Attempt {
            status: Some(status),
            error: Some(format!("the receiver answered with status {status}")),
            again: matches!(status, 408 | 425 | 429 | 500..),
        },
        Err(error) => Attempt { status: None, error: Some(sentence(&error)), again: may_pass(&error) },
    })
}

/// Returns the value of the signature header.
fn signature(secret: &str, time: i64, body: &[u8]) -> anyhow::Result<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes())?;
    mac.update(format!("{time}.").as_bytes());
    mac.update(body);
    let hex: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("t={time},v1={hex}"))
}

/// Returns whether a retry may succeed. Refusals by the guard and invalid URLs are final.
fn may_pass(error: &FetchError) -> bool {
    !matches!(error, FetchError::InvalidUrl { .. } | FetchError::Refused { .. })
}

/// An error with its causes.
pub(crate) fn sentence(error: &FetchError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
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
