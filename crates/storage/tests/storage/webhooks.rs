//! Webhook deliveries are due at the same time on all nodes, regardless of their clocks.

use std::time::Duration;

use quire_domain::Role;
use quire_domain::policy::Action;
use quire_domain::texts;
use quire_domain::webhooks::{EventKind, WebhookCreate};
use quire_storage::lookup::Credentials;
use quire_storage::operations::outbox::Attempt;
use quire_storage::operations::webhooks::{DueDelivery, LeasedWebhook};
use quire_storage::{Error, Storage, SystemStorage};
use quire_test_support::TestStore;

use crate::jobs::node_with_wrong_clock;

const LEASE: Duration = Duration::from_secs(60);

/// Creates a webhook and a test delivery to it.
fn ping(on: &Storage, store: &TestStore, credentials: &Credentials) {
    let pinged = on.transact(credentials, |tx| {
        let organization = tx.organization(store.organization)?.authorize(Action::AdministerOrganization)?;
        let url = texts::Url::new("https://receiver.example").unwrap();
        let new = WebhookCreate { url, description: None, events: vec![EventKind::Ping], active: None };
        let (webhook, _) = tx.create_webhook(&organization, new)?;
        let webhook = tx.webhook(&organization, webhook.id)?;
        tx.ping_webhook(&webhook).map(drop)
    });
    assert!(matches!(pinged, Ok::<(), Error>(())));
}

/// Leases the webhook and returns its due deliveries; `None` if there is nothing to lease.
fn take(on: &SystemStorage) -> Option<(LeasedWebhook, Vec<DueDelivery>)> {
    let webhook = on.transact(|tx| tx.lease_webhooks(8, LEASE)).unwrap().pop()?;
    let due = on.read(|reader| reader.due_deliveries(&webhook, 8)).unwrap();
    Some((webhook, due))
}

#[test]
fn nodes_whose_clocks_differ_agree_on_what_is_due() {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    let (late, early) = (node_with_wrong_clock(&store, -3_600_000), node_with_wrong_clock(&store, 3_600_000));
    ping(&early, &store, &admin.credentials);
    assert!(late.read(|reader| reader.due_work([&[], &[]])).unwrap().deliveries);
    let (webhook, due) = take(&late).expect("an event of an early clock is due");
    assert_eq!(due.len(), 1);
    assert!(take(&early).is_none(), "the lease has not ended");
    let failure = Attempt { status: Some(503), error: Some("a failure".to_owned()), again: true };
    late.transact(|tx| {
        tx.attempted(&webhook, &due[0], &failure)?;
        tx.release_webhook(&webhook)
    })
    .unwrap();
    assert!(take(&early).is_none(), "the pause is over only by this clock");
    store.execute("UPDATE webhook_deliveries SET next_attempt_at = now()");
    let (webhook, due) = take(&late).expect("the pause has ended");
    assert_eq!(due[0].tries(), 1);
    let refused = Attempt { status: Some(410), error: Some("gone".to_owned()), again: false };
    late.transact(|tx| tx.attempted(&webhook, &due[0], &refused)).unwrap();
    let failed = "webhook_deliveries WHERE state = 'failed' AND attempts = 2 AND last_status = 410";
    assert_eq!(store.count(failed), 1, "after a permanent failure no attempt follows");
}
