//! Purges of cache tags at renderers of sites.

use std::time::Duration;

use quire_importer::fetch::header::{HeaderMap, HeaderName, HeaderValue};
use quire_storage::sites::renderers::LeasedRenderer;
use quire_storage::{Result, SystemTx};
use serde_json::json;

use crate::Services;
use crate::outbox::{self, Outbox, hmac, post};
use crate::runner::{read, transact};

/// Lease on a renderer. Longer than an attempt.
const LEASE: Duration = Duration::from_secs(60);
/// Interval of polls while no tags are due.
const POLL: Duration = Duration::from_secs(1);
/// Pause after a database error.
const RECOVERY: Duration = Duration::from_secs(5);
/// Path of the purge endpoint below the URL of a renderer.
const PATH: &str = "~gitbook/revalidate";

/// Outbox of cache tags to purge.
pub(crate) struct Purges;

impl Outbox for Purges {
    type Receiver = LeasedRenderer;

    const AT_ONCE: u16 = 8;
    const RECEIVERS: &'static str = "renderers";

    fn lease(tx: &mut SystemTx<'_>, limit: u16) -> Result<Vec<LeasedRenderer>> {
        tx.lease_renderers(limit, LEASE)
    }

    fn name(renderer: &LeasedRenderer) -> String {
        format!("the renderer of site {}", renderer.site)
    }

    /// Sends the due tags of one renderer.
    async fn send(services: &Services, renderer: LeasedRenderer) -> anyhow::Result<()> {
        let storage = &services.storage;
        let leased = renderer.clone();
        let due = read(storage, move |reader| reader.due_purges(&leased)).await?;
        let body = serde_json::to_vec(&json!({ "tags": due.tags }))?;
        let mut headers = HeaderMap::new();
        let signature = HeaderValue::try_from(hmac(&renderer.secret, &[&body])?)?;
        headers.insert(HeaderName::from_static("x-gitbook-signature"), signature);
        let address = format!("{}/{PATH}", renderer.url.trim_end_matches('/'));
        let attempt = post(services, "renderer", &address, headers, body).await;
        transact(storage, move |tx| tx.sent_purges(&renderer, &due, &attempt)).await?;
        Ok(())
    }
}

/// Sends as long as the node runs.
pub(crate) async fn run(services: &Services) {
    let wait = async |has_failed| tokio::time::sleep(if has_failed { RECOVERY } else { POLL }).await;
    outbox::run::<Purges>(services, wait).await;
}

/// Sends all due tags once, and returns the number of renderers.
pub async fn purge_due(services: &Services) -> Result<usize> {
    outbox::send_due::<Purges>(services).await
}
