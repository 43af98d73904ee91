//! Site renderers: one node at a time sends to each, regardless of the nodes' clocks.

use std::time::Duration;

use diesel::connection::SimpleConnection as _;
use quire_domain::Role;
use quire_domain::ids::SiteId;
use quire_domain::policy::Action;
use quire_domain::sites::{SiteType, SiteVisibility};
use quire_storage::operations::outbox::Attempt;
use quire_storage::sites::renderers::{LeasedRenderer, RendererSettings};
use quire_storage::{Error, SystemStorage};
use quire_test_support::TestStore;

use crate::jobs::node_with_wrong_clock;

const LEASE: Duration = Duration::from_secs(60);

/// Creates a site with a renderer that has tags to purge. Also returns the id of the site.
fn with_renderer() -> (TestStore, SiteId) {
    let store = TestStore::new();
    let admin = store.as_role(Role::Admin);
    let made = store.storage().transact(&admin.credentials, |tx| {
        let organization = tx.organization(store.organization)?.authorize(Action::ViewOrganization)?;
        let site = tx.create_site(&organization, SiteType::Basic, "Docs", "docs", SiteVisibility::Public)?;
        let site = tx.site(store.organization, site)?.authorize(Action::ManageSites)?;
        let site = tx.lock_site(site)?;
        let secret = Some("s3cret".to_owned());
        let (url, default_host) = ("https://renderer.example".to_owned(), "quire.example".to_owned());
        tx.put_renderer(&site, RendererSettings { url, secret, default_host })?;
        Ok::<_, Error>(site.id)
    });
    let site = made.unwrap();
    (store, site)
}

fn lease(on: &SystemStorage) -> Vec<LeasedRenderer> {
    on.transact(|tx| tx.lease_renderers(8, LEASE)).unwrap()
}

/// Writes the result of an attempt to send the due tags.
fn attempt(on: &SystemStorage, renderer: &LeasedRenderer, status: u16) {
    let due = on.read(|reader| reader.due_purges(renderer)).unwrap();
    let error = (status != 200).then(|| "a failure".to_owned());
    let attempt = Attempt { status: Some(status), error, again: true };
    on.transact(|tx| tx.sent_purges(renderer, &due, &attempt)).unwrap();
}

/// Deletes the site of the renderer.
fn delete_site(store: &TestStore, site: SiteId) {
    let admin = store.as_role(Role::Admin);
    let deleted = store.storage().transact(&admin.credentials, |tx| {
        let site = tx.site(store.organization, site)?.authorize(Action::ManageSites)?;
        let site = tx.lock_site(site)?;
        tx.delete_site(&site)
    });
    deleted.unwrap();
}

#[test]
fn nodes_whose_clocks_differ_agree_on_the_leases_of_renderers() {
    let (store, _) = with_renderer();
    let (right, early) = (node_with_wrong_clock(&store, 0), node_with_wrong_clock(&store, 3_600_000));
    assert!(early.clock().now() > right.clock().now());
    let leased = lease(&right);
    assert_eq!(leased.len(), 1);
    assert!(lease(&early).is_empty(), "the lease has not ended");
    attempt(&right, &leased[0], 503);
    assert!(lease(&early).is_empty(), "the pause is over only by this clock");
    store.execute("UPDATE site_renderers SET next_attempt_at = now()");
    let again = lease(&early);
    assert_eq!(again.len(), 1, "the lease and the pause have ended");
    // The former holder of the lease changes nothing.
    attempt(&right, &leased[0], 500);
    assert_eq!(store.count("site_renderers WHERE failures = 1 AND last_status = 503"), 1);
    assert!(store.count("site_purges") > 0);
    assert!(lease(&right).is_empty(), "the lease of the other node has not ended");
    attempt(&early, &again[0], 200);
    assert_eq!(store.count("site_renderers WHERE failures = 0 AND last_status = 200"), 1);
    assert_eq!(store.count("site_purges"), 0);
}

#[test]
fn an_attempt_that_began_before_its_site_was_deleted_does_not_delay_the_last_purge() {
    let (store, site) = with_renderer();
    let leased = lease(&store.system);
    delete_site(&store, site);
    attempt(&store.system, &leased[0], 503);
    assert_eq!(store.count("site_renderers WHERE failures = 0 AND last_status IS NULL"), 1);
    assert_eq!(lease(&store.system).len(), 1, "the last purge is due at once");
}

#[test]
fn the_renderer_of_a_deleted_site_is_removed_after_its_last_tag() {
    // One request has at most 500 tags.
    for (tags, requests) in [(1, 1), (500, 1), (501, 2)] {
        let (store, site) = with_renderer();
        delete_site(&store, site);
        store.execute(&format!(
            "DELETE FROM site_purges;
             INSERT INTO site_purges (organization_id, site_id, tag, id)
             SELECT organization_id, site_id, 'tag' || n, gen_random_uuid()
               FROM site_renderers, generate_series(1, {tags}) n"
        ));
        for request in 1..=requests {
            assert_eq!(store.count("site_renderers"), 1, "{tags} tags, request {request}");
            attempt(&store.system, &lease(&store.system)[0], 200);
        }
        assert_eq!((store.count("site_renderers"), store.count("site_purges")), (0, 0), "{tags} tags");
    }
}

#[test]
fn a_change_that_waits_for_the_removal_of_its_renderer_goes_on() {
    let (store, site) = with_renderer();
    let admin = store.as_role(Role::Admin);
    let mut remover = store.connection();
    remover.batch_execute("BEGIN; DELETE FROM site_renderers").unwrap();
    std::thread::scope(|scope| {
        let change = scope.spawn(|| {
            store.storage().transact(&admin.credentials, |tx| {
                let site = tx.site(store.organization, site)?.authorize(Action::ManageSites)?;
                tx.lock_site(site).map(drop)
            })
        });
        let waiting = "pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        while store.count(waiting) == 0 {
            assert!(!change.is_finished(), "the change did not wait");
            std::thread::yield_now();
        }
        remover.batch_execute("COMMIT").unwrap();
        assert!(matches!(change.join().unwrap(), Ok::<(), Error>(())));
    });
    assert_eq!(store.count("site_purges"), 0);
}
