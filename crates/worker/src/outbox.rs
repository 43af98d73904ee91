//! Outboxes: leases receivers, then signs, sends and records their due rows.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt as _, StreamExt as _};
use hmac::{Hmac, KeyInit, Mac};
use quire_importer::fetch::FetchError;
use quire_importer::fetch::header::HeaderMap;
use quire_storage::operations::outbox::Attempt;
use quire_storage::{Result, SystemStorage, SystemTx};
use sha2::Sha256;

use crate::Services;
use crate::runner::{message_of, transact};

/// Time limit of a request to a receiver.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Outbox with rows per receiver.
pub(crate) trait Outbox: 'static {
    /// Receiver that this node sends to while it holds the lease.
    type Receiver: Send + 'static;

    /// Maximum number of receivers that one node sends to concurrently.
    const AT_ONCE: u16;

    /// Noun for the receivers in log messages.
    const RECEIVERS: &'static str;

    /// Leases receivers with due rows.
    fn lease(tx: &mut SystemTx<'_>, limit: u16) -> Result<Vec<Self::Receiver>>;

    /// Returns the name of a receiver for log messages.
    fn name(receiver: &Self::Receiver) -> String;

    /// Sends the due rows of a receiver. After an error the lease expires, and the rows are sent again.
    async fn send(services: &Services, receiver: Self::Receiver) -> anyhow::Result<()>;
}

/// Sends as long as the node runs. `wait` returns when more rows may be due. Its argument is true after a database
/// error.
pub(crate) async fn run<O: Outbox>(services: &Services, wait: impl AsyncFn(bool)) {
    let mut turns = FuturesUnordered::new();
    loop {
        let leased = lease::<O>(&services.storage, turns.len()).await;
        let has_failed = leased.is_err();
        match leased {
            Ok(receivers) => {
                turns.extend(receivers.into_iter().map(|receiver| turn::<O>(services, receiver)));
            }
            Err(error) => log::error!("{} can't be leased: {error}", O::RECEIVERS),
        }
        tokio::select! {
            Some(()) = turns.next(), if !turns.is_empty() => {}
            () = wait(has_failed) => {}
        }
    }
}

/// Sends all due rows once. Returns the number of receivers.
pub(crate) async fn send_due<O: Outbox>(services: &Services) -> Result<usize> {
    let receivers = lease::<O>(&services.storage, 0).await?;
    let turns: FuturesUnordered<_> =
        receivers.into_iter().map(|receiver| turn::<O>(services, receiver)).collect();
    Ok(turns.count().await)
}

async fn lease<O: Outbox>(storage: &SystemStorage, busy: usize) -> Result<Vec<O::Receiver>> {
    match O::AT_ONCE.saturating_sub(u16::try_from(busy).unwrap_or(u16::MAX)) {
        0 => Ok(Vec::new()),
        free => transact(storage, move |tx| O::lease(tx, free)).await,
    }
}

async fn turn<O: Outbox>(services: &Services, receiver: O::Receiver) {
    let name = O::name(&receiver);
    match AssertUnwindSafe(O::send(services, receiver)).catch_unwind().await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => log::error!("sending to {name} stopped: {error:#}"),
        Err(panic) => log::error!("sending to {name} panicked: {}", message_of(&*panic)),
    }
}

/// Posts a body to a receiver. `kind` names the receiver in errors.
pub(crate) async fn post(
    services: &Services,
    kind: &str,
    url: &str,
    headers: HeaderMap,
    body: Vec<u8>,
) -> Attempt {
    match services.fetcher.post(url, headers, Bytes::from(body), TIMEOUT).await {
        Ok(status) if (200..300).contains(&status) => {
            Attempt { status: Some(status), error: None, again: false }
        }
        Ok(status) => Attempt {
            status: Some(status),
            error: Some(format!("the {kind} answered with status {status}")),
            again: matches!(status, 408 | 425 | 429 | 500..),
        },
        Err(error) => Attempt { status: None, error: Some(sentence(&error)), again: may_pass(&error) },
    }
}

/// Returns the HMAC-SHA-256 of concatenated parts in hexadecimal.
pub(crate) fn hmac(secret: &str, parts: &[&[u8]]) -> anyhow::Result<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes())?;
    for part in parts {
        mac.update(part);
    }
    Ok(mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Returns whether a retry may succeed. Refusals by the guard and invalid URLs are final.
fn may_pass(error: &FetchError) -> bool {
    !matches!(error, FetchError::InvalidUrl { .. } | FetchError::Refused { .. })
}

/// Returns the messages of an error and its causes as one line.
fn sentence(error: &FetchError) -> String {
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
    use super::hmac;

    #[test]
    fn the_hmac_is_that_of_all_parts() {
        // Made with: printf '{"tags":["space:1"]}' | openssl dgst -sha256 -hmac secret
        let expected = "3f980644188414db86bf2a04a4d2bb945e8aa7f27cfcd856af7c57eb20335162";
        assert_eq!(hmac("secret", &[br#"{"tags":["space:1"]}"#]).unwrap(), expected);
        assert_eq!(hmac("secret", &[br#"{"tags":"#, br#"["space:1"]}"#]).unwrap(), expected);
    }
}
