//! Renderers of sites: settings, and the cache tags of changes.

use hmac::{Hmac, KeyInit, Mac};
use quire_domain::Role;
use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::webhooks::{Received, app, receiver};

/// Published site with a space, whose renderer is at this URL.
struct Stage {
    app: TestApp,
    admin: Caller,
    space: String,
    site: String,
    id: String,
}

impl Stage {
    async fn set(url: &str) -> Self {
        let app = app().await;
        let (space, admin) = app.space().await;
        let sites = format!("/v1/orgs/{}/sites", app.organization);
        let id =
            admin.post(&sites, json!({"title": "Docs", "spaces": [space]})).await.expect(201).text("/id");
        let site = format!("{sites}/{id}");
        admin.post_empty(&format!("{site}/publish")).await.expect(200);
        admin.put(&format!("{site}/renderer"), json!({"url": url, "secret": "s3cret"})).await.expect(200);
        Self { app, admin, space, site, id }
    }

    async fn renderer(&self) -> Value {
        self.admin.get(&format!("{}/renderer", self.site)).await.expect(200).json
    }

    async fn write(&self, path: &str) {
        let body = json!({"changes": [{"operation": "insert_page", "title": "Setup", "document": {"markdown": "Run."}}]});
        self.admin.post(path, body).await.expect(200);
    }
}

/// Returns the tags of each request, in order.
fn tags(received: &Received) -> Vec<Vec<String>> {
    let tags = |body: &[u8]| serde_json::from_slice::<Value>(body).unwrap()["tags"].clone();
    received.lock().unwrap().iter().map(|(_, body)| serde_json::from_value(tags(body)).unwrap()).collect()
}

#[actix_web::test]
async fn a_renderer_is_set_shown_and_removed() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let sites = format!("/v1/orgs/{}/sites", app.organization);
    let id = admin.post(&sites, json!({"title": "Docs", "spaces": [space]})).await.expect(201).text("/id");
    let path = format!("{sites}/{id}/renderer");
    admin.get(&path).await.expect(404);
    admin.delete(&path).await.expect(404);
    for (body, field) in [
        (json!({"url": "https://r.example.com"}), "secret"),
        (json!({"url": "https://r.example.com", "secret": ""}), "secret"),
        (json!({"url": "https://r.example.com", "secret": null}), "secret"),
        (json!({"url": "https://r.example.com?a=b", "secret": "s"}), "url"),
        (json!({"url": "ftp://r.example.com", "secret": "s"}), "url"),
        (json!({"secret": "s"}), "url"),
    ] {
        assert_eq!(admin.put(&path, body.clone()).await.expect(400).fields(), [field], "{body}");
    }
    admin.get(&path).await.expect(404);
    let set = admin.put(&path, json!({"url": "https://r.example.com/docs", "secret": "s"})).await.expect(200);
    assert_eq!(set.at("/object"), "site-renderer");
    assert_eq!(set.at("/url"), "https://r.example.com/docs");
    assert_eq!(set.json.get("secret"), None);
    assert!(set.text("/urls/location").ends_with(&path));
    let shown = admin.get(&path).await.expect(200);
    assert_eq!(shown.at("/pending"), 2, "the structure of the site and its address");
    let moved = admin.put(&path, json!({"url": "https://r.example.com"})).await.expect(200);
    assert_eq!(moved.at("/url"), "https://r.example.com");
    app.as_role(Role::Edit).get(&path).await.expect(403);
    admin.delete(&path).await.expect(204);
    admin.get(&path).await.expect(404);
}

#[actix_web::test]
async fn changes_are_sent_as_signed_tags() {
    let (url, received) = receiver(&[200]);
    let stage = Stage::set(url.trim_end_matches("/hook")).await;
    let Stage { app, admin, space, site, id } = &stage;
    assert_eq!(app.purge_renderers().await, 1);
    assert_eq!(app.purge_renderers().await, 0, "nothing is due");

    stage.write(&format!("/v1/spaces/{space}/content")).await;
    stage.write(&format!("/v1/spaces/{space}/content")).await;
    app.purge_renderers().await;
    let requests = format!("/v1/spaces/{space}/change-requests");
    let request = admin.post(&requests, json!({"subject": "More"})).await.expect(201).text("/id");
    stage.write(&format!("{requests}/{request}/content")).await;
    app.purge_renderers().await;
    admin.post(&format!("{requests}/{request}/merge"), json!({})).await.expect(200);
    app.purge_renderers().await;
    admin.put(&format!("{site}/customization"), json!({"title": "Acme"})).await.expect(200);
    app.purge_renderers().await;
    admin.patch(&format!("/v1/spaces/{space}"), json!({"language": "de"})).await.expect(200);
    app.purge_renderers().await;
    admin.patch(site, json!({"hostname": "docs.acme.example"})).await.expect(200);
    app.purge_renderers().await;
    admin.patch(site, json!({"hostname": null})).await.expect(200);
    app.purge_renderers().await;

    let (of_space, of_site) = (format!("space:{space}"), format!("site:{id}"));
    let of_request = format!("{of_space}:change-request:{request}");
    let host = "url:127.0.0.1".to_owned();
    let own = "url:docs.acme.example".to_owned();
    let sent = tags(&received);
    assert_eq!(sent[0], [of_site.clone(), host.clone()]);
    assert_eq!(sent[1], std::slice::from_ref(&of_space), "once for several edits");
    assert_eq!(sent[2], [of_request]);
    assert!(sent[3].contains(&of_space), "{sent:?}");
    assert_eq!(sent[4], [of_site.clone(), host.clone()]);
    assert_eq!(sent[5], [of_site.clone(), of_space.clone(), host.clone()]);
    assert_eq!(sent[6], [of_site.clone(), host.clone(), own.clone()], "of both hosts");
    assert_eq!(sent[7], [of_site.clone(), host, own], "also of the former one");
    let received = received.lock().unwrap();
    for (headers, body) in received.iter() {
        let header = |name: &str| headers.iter().find(|(n, _)| n == name).unwrap().1.clone();
        let mut mac = Hmac::<Sha256>::new_from_slice(b"s3cret").unwrap();
        mac.update(body);
        let expected: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(header("x-gitbook-signature"), expected);
        assert_eq!(header("content-type"), "application/json");
    }
}

#[actix_web::test]
async fn a_failed_purge_is_repeated_with_what_has_changed_since() {
    let (url, received) = receiver(&[503, 200]);
    let stage = Stage::set(url.trim_end_matches("/hook")).await;
    let Stage { app, space, id, .. } = &stage;
    assert_eq!(app.purge_renderers().await, 1);
    let failed = stage.renderer().await;
    assert_eq!(
        (&failed["failures"], &failed["lastStatus"], &failed["pending"]),
        (&json!(1), &json!(503), &json!(2))
    );
    assert!(failed["lastError"].as_str().unwrap().contains("503"), "{failed}");
    assert!(failed.get("nextAttemptAt").is_some());
    stage.write(&format!("/v1/spaces/{space}/content")).await;
    assert_eq!(app.purge_renderers().await, 0, "not before the pause is over");
    app.clock.advance(std::time::Duration::from_secs(11));
    assert_eq!(app.purge_renderers().await, 1);
    let sent = tags(&received);
    assert_eq!(sent[1], [format!("site:{id}"), format!("space:{space}"), "url:127.0.0.1".to_owned()]);
    let done = stage.renderer().await;
    assert_eq!(
        (&done["failures"], &done["lastStatus"], &done["pending"]),
        (&json!(0), &json!(200), &json!(0))
    );
    assert_eq!(done.get("lastError"), None);
}

#[actix_web::test]
async fn other_sites_and_other_spaces_purge_nothing() {
    let (url, received) = receiver(&[200]);
    let stage = Stage::set(url.trim_end_matches("/hook")).await;
    let Stage { app, admin, .. } = &stage;
    app.purge_renderers().await;
    let spaces = format!("/v1/orgs/{}/spaces", app.organization);
    let other = admin.post(&spaces, json!({})).await.expect(201).text("/id");
    stage.write(&format!("/v1/spaces/{other}/content")).await;
    let sites = format!("/v1/orgs/{}/sites", app.organization);
    let second =
        admin.post(&sites, json!({"title": "Blog", "spaces": [other]})).await.expect(201).text("/id");
    admin.patch(&format!("{sites}/{second}"), json!({"title": "News"})).await.expect(200);
    assert_eq!(app.purge_renderers().await, 0);
    assert_eq!(tags(&received).len(), 1);
}

#[actix_web::test]
async fn the_renderer_of_a_deleted_site_is_sent_its_tags_once_more() {
    let (url, received) = receiver(&[200, 503, 200]);
    let stage = Stage::set(url.trim_end_matches("/hook")).await;
    let Stage { app, admin, site, id, .. } = &stage;
    admin.patch(site, json!({"hostname": "docs.acme.example"})).await.expect(200);
    app.purge_renderers().await;
    admin.delete(site).await.expect(204);
    admin.get(&format!("{site}/renderer")).await.expect(404);
    assert_eq!(app.purge_renderers().await, 1);
    assert_eq!(app.count("site_renderers"), 1, "the renderer did not answer");
    assert_eq!(app.purge_renderers().await, 0, "not before the pause is over");
    app.clock.advance(std::time::Duration::from_secs(11));
    assert_eq!(app.purge_renderers().await, 1);
    let expected = [format!("site:{id}"), "url:127.0.0.1".to_owned(), "url:docs.acme.example".to_owned()];
    let sent = tags(&received);
    assert_eq!(sent[1..], [expected.clone(), expected]);
    assert_eq!((app.count("site_renderers"), app.count("site_purges")), (0, 0));
    assert_eq!(app.purge_renderers().await, 0);
}

#[actix_web::test]
async fn a_renderer_that_stays_away_is_given_up_after_its_site() {
    let (url, received) = receiver(&[503]);
    let stage = Stage::set(url.trim_end_matches("/hook")).await;
    let Stage { app, admin, site, .. } = &stage;
    admin.delete(site).await.expect(204);
    for attempt in 1..=32 {
        assert_eq!(app.purge_renderers().await, 1, "attempt {attempt}");
        app.clock.advance(std::time::Duration::from_secs(3_601));
    }
    assert_eq!(tags(&received).len(), 32);
    assert_eq!((app.count("site_renderers"), app.count("site_purges")), (0, 0));
}

#[actix_web::test]
async fn the_renderer_of_a_deleted_site_gets_no_tags_of_the_organization() {
    let (url, _) = receiver(&[200]);
    let stage = Stage::set(url.trim_end_matches("/hook")).await;
    let Stage { app, admin, site, .. } = &stage;
    let specs = format!("/v1/orgs/{}/openapi", app.organization);
    let text = r#"{"openapi": "3.1.0", "info": {"title": "API", "version": "1"}, "paths": {}}"#;
    for slug in ["pets", "cars"] {
        admin.post(&specs, json!({"slug": slug, "source": {"text": text}})).await.expect(201);
    }
    app.run_jobs().await;
    app.purge_renderers().await;
    assert_eq!(app.count("site_purges"), 0);
    admin.delete(&format!("{specs}/pets")).await.expect(204);
    assert_eq!(app.count("site_purges WHERE tag LIKE '%:openapi:pets'"), 1);
    admin.delete(site).await.expect(204);
    admin.delete(&format!("{specs}/cars")).await.expect(204);
    assert_eq!(app.count("site_purges WHERE tag LIKE '%:openapi:cars'"), 0);
}

#[actix_web::test]
async fn a_site_without_a_renderer_is_deleted_without_a_trace() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let sites = format!("/v1/orgs/{}/sites", app.organization);
    let id = admin.post(&sites, json!({"title": "Docs"})).await.expect(201).text("/id");
    admin.delete(&format!("{sites}/{id}")).await.expect(204);
    assert_eq!((app.count("site_renderers"), app.count("site_purges")), (0, 0));
}
