//! Cache tags for renderers of sites: leased, signed, sent and recorded.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt as _, StreamExt as _};
use hmac::{Hmac, KeyInit, Mac};
use quire_importer::fetch::header::{HeaderMap, HeaderName, HeaderValue};
use quire_storage::sites::renderers::{LeasedRenderer, PurgeAttempt};
use quire_storage::{Result, SystemStorage};
use serde_json::json;
use sha2::Sha256;

use crate::Services;
use crate::deliveries::sentence;
use crate::runner::{message_of, read, transact};

/// Renderers that one node sends to concurrently.
pub(crate) const AT_ONCE: usize = 8;
/// Lease on a renderer, longer than an attempt.
const LEASE: Duration = Duration::from_secs(60);
/// Timeout of a renderer.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Pause of a node without due tags.
const POLL: Duration = Duration::from_secs(1);
/// Pause after a database error.
const RECOVERY: Duration = Duration::from_secs(5);
/// Path below the URL of a renderer.
const PATH: &str = "~gitbook/revalidate";

/// Sends as long as the node runs.
pub(crate) async fn run(services: &Services) {
    let mut turns = FuturesUnordered::new();
    loop {
        let free = AT_ONCE.saturating_sub(turns.len());
        let mut wait = POLL;
        match lease(&services.storage, free).await {
            Ok(renderers) => turns.extend(renderers.into_iter().map(|renderer| turn(services, renderer))),
            Err(error) => {
                log::error!("renderers can't be leased: {error}");
                wait = RECOVERY;
            }
        }
        tokio::select! {
            Some(()) = turns.next(), if !turns.is_empty() => {}
            () = tokio::time::sleep(wait) => {}
        }
    }
}

/// Sends all due tags once, and returns the number of renderers.
///
/// # Errors
/// If the database fails.
pub async fn purge_due(services: &Services) -> Result<usize> {
    let renderers = lease(&services.storage, AT_ONCE).await?;
    let turns: FuturesUnordered<_> = renderers.into_iter().map(|renderer| turn(services, renderer)).collect();
    Ok(turns.count().await)
}

async fn lease(storage: &SystemStorage, free: usize) -> Result<Vec<LeasedRenderer>> {
    match u16::try_from(free).unwrap_or(u16::MAX) {
        0 => Ok(Vec::new()),
        free => transact(storage, move |tx| tx.lease_renderers(free, LEASE)).await,
    }
}

/// Sends the due tags of one renderer.
async fn turn(services: &Services, renderer: LeasedRenderer) {
    let site = renderer.site;
    // The lease expires, and the tags are sent again.
    match AssertUnwindSafe(send(services, renderer)).catch_unwind().await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => log::error!("the renderer of site {site} is not up to date: {error:#}"),
        Err(panic) => log::error!("the purge of site {site} panicked: {}", message_of(&*panic)),
    }
}

async fn send(services: &Services, renderer: LeasedRenderer) -> anyhow::Result<()> {
    let storage = &services.storage;
    let leased = renderer.clone();
    let due = read(storage, move |reader| reader.due_purges(&leased)).await?;
    let body = serde_json::to_vec(&json!({ "tags": due.tags }))?;
    let mut headers = HeaderMap::new();
    let signature = HeaderValue::try_from(signature(&renderer.secret, &body)?)?;
    headers.insert(HeaderName::from_static("x-gitbook-signature"), signature);
    let address = format!("{}/{PATH}", renderer.url.trim_end_matches('/'));
    let sent = services.fetcher.post(&address, headers, Bytes::from(body), TIMEOUT).await;
    let attempt = match sent {
        Ok(status) if (200..300).contains(&status) => PurgeAttempt { status: Some(status), error: None },
        Ok(status) => PurgeAttempt {
            status: Some(status),
            error: Some(format!("the renderer answered with status {status}")),
        },
        Err(error) => PurgeAttempt { status: None, error: Some(sentence(&error)) },
    };
    transact(storage, move |tx| tx.sent_purges(&renderer, &due, &attempt)).await?;
    Ok(())
}

/// Returns the signature of a body, in hexadecimal digits.
fn signature(secret: &str, body: &[u8]) -> anyhow::Result<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes())?;
    mac.update(body);
    Ok(mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::signature;

    #[test]
    fn the_signature_is_that_of_the_body() {
        // Made with: printf '{"tags":["space:1"]}' | openssl dgst -sha256 -hmac secret
        assert_eq!(
            signature("secret", br#"{"tags":["space:1"]}"#).unwrap(),
            "3f980644188414db86bf2a04a4d2bb945e8aa7f27cfcd856af7c57eb20335162"
        );
    }
}
