//! Comments from creation to deletion.

use std::time::Duration;

use actix_web::test::TestRequest;
use quire_domain::Role;
use serde_json::json;

use super::fixture::{Fixture, markdown};

#[actix_web::test]
async fn a_comment_is_posted_with_all_its_fields() {
    let fixture = Fixture::new().await;
    let author = fixture.role(Role::Comment);
    for (index, resource) in fixture.resources.iter().enumerate() {
        let posted = author.post(resource, markdown("Is *this* right?")).await.expect(201);
        let id = posted.text("/id");
        assert_eq!(posted.header("location"), posted.text("/urls/location"));
        assert!(posted.text("/urls/location").ends_with(&format!("{resource}/{id}")));
        let head = fixture.admin.get(&format!("/v1/spaces/{}", fixture.space)).await.text("/revision");
        let mut expected = json!({
            "object": "comment",
            "id": id,
            "postedBy": posted.at("/postedBy"),
            "postedAt": posted.at("/postedAt"),
            "reactions": [],
            "replies": 0,
            "repliers": [],
            "body": {"markdown": "Is *this* right?"},
            "target": {"space": fixture.space, "revision": head},
            "urls": {"location": posted.text("/urls/location")},
            "permissions": {"view": true, "edit": true, "reply": true, "delete": true},
            "status": "open",
        });
        if index == 1 {
            expected["target"]["changeRequest"] = json!(fixture.change_request);
        }
        assert_eq!(posted.json, expected);
        assert_eq!(posted.text("/postedBy/id"), author.user().to_string());
        let path = format!("{resource}/{id}");
        let read = author.get(&path).await.expect(200);
        assert_eq!((&read.json, read.header("etag")), (&posted.json, posted.header("etag")));
        let unchanged = TestRequest::get().uri(&path).insert_header(("If-None-Match", read.header("etag")));
        assert!(author.send(unchanged).await.expect(304).bytes.is_empty());
        let other = fixture.role(Role::Read).get(&path).await.expect(200);
        assert_eq!(
            other.at("/permissions"),
            &json!({"view": true, "edit": false, "reply": false, "delete": false})
        );
    }
    assert_eq!(fixture.open().await, (1, 1));
}

#[actix_web::test]
async fn bodies_are_read_in_either_format() {
    let fixture = Fixture::new().await;
    for resource in &fixture.resources {
        let posted = fixture.admin.post(resource, markdown("a  \nb __c__")).await.expect(201);
        let path = format!("{resource}/{}", posted.text("/id"));
        let document = fixture.admin.get(&format!("{path}?format=document")).await.expect(200);
        assert_eq!(document.at("/body/document/object"), &json!("document"));
        assert_eq!(document.at("/body").get("markdown"), None);
        // A document is returned unchanged, and also as Markdown.
        let body = json!({"body": {"document": document.at("/body/document")}});
        let again = fixture.admin.post(&format!("{resource}?format=document"), body).await.expect(201);
        assert_eq!(again.at("/body"), document.at("/body"));
        let again = format!("{resource}/{}", again.text("/id"));
        assert!(fixture.admin.get(&again).await.expect(200).text("/body/markdown").contains("b **c**"));
        let list = fixture.admin.get(&format!("{resource}?format=document")).await.expect(200);
        assert_eq!(list.at("/items/0/body"), list.at("/items/1/body"));
        let verbatim = fixture.admin.get(&path).await.expect(200);
        assert_eq!(verbatim.text("/body/markdown"), "a  \nb __c__");
    }
}

#[actix_web::test]
async fn a_comment_is_resolved_and_opened_again() {
    let fixture = Fixture::new().await;
    let (author, resolver) = (fixture.role(Role::Comment), fixture.role(Role::Comment));
    for resource in &fixture.resources {
        let before = fixture.open().await;
        let path =
            format!("{resource}/{}", author.post(resource, markdown("?")).await.expect(201).text("/id"));
        fixture.app.clock.advance(Duration::from_secs(1));
        let resolved = resolver.put(&path, json!({"resolved": true})).await.expect(200);
        assert_eq!(resolved.text("/status"), "resolved");
        assert_eq!(resolved.text("/resolvedBy/id"), resolver.user().to_string());
        assert_ne!(resolved.at("/resolvedAt"), resolved.at("/postedAt"));
        assert_eq!(resolved.json.get("editedAt"), None);
        assert_eq!(fixture.open().await, before);
        fixture.app.clock.advance(Duration::from_secs(1));
        let twice = author.put(&path, json!({"resolved": true})).await.expect(200);
        assert_eq!(twice.at("/resolvedAt"), resolved.at("/resolvedAt"));
        assert_eq!(twice.at("/resolvedBy"), resolved.at("/resolvedBy"));
        assert_eq!(author.get(&path).await.expect(200).json, twice.json);
        let open = author.put(&path, json!({"resolved": false})).await.expect(200);
        assert_eq!(open.text("/status"), "open");
        assert_eq!((open.json.get("resolvedAt"), open.json.get("resolvedBy")), (None, None));
        let _ = author.put(&path, json!({"resolved": false})).await.expect(200);
        assert_ne!(fixture.open().await, before);
    }
    assert_eq!(fixture.open().await, (1, 1));
}

#[actix_web::test]
async fn only_edits_of_the_body_count_as_edits() {
    let fixture = Fixture::new().await;
    for resource in &fixture.resources {
        let posted = fixture.admin.post(resource, markdown("old")).await.expect(201);
        let path = format!("{resource}/{}", posted.text("/id"));
        for other in [json!({}), json!({"resolved": true}), json!({"addedReactions": ["🚀"]})] {
            let changed = fixture.admin.put(&path, other).await.expect(200);
            assert_eq!(changed.json.get("editedAt"), None);
        }
        fixture.app.clock.advance(Duration::from_secs(1));
        let edited = fixture.admin.put(&path, markdown("new")).await.expect(200);
        assert_eq!(edited.text("/body/markdown"), "new");
        assert_ne!(edited.at("/editedAt"), edited.at("/postedAt"));
        assert_eq!(edited.text("/status"), "resolved");
        let document = fixture.admin.get(&format!("{path}?format=document")).await.expect(200);
        assert!(document.at("/body").to_string().contains("new"));
    }
}

#[actix_web::test]
async fn a_deleted_comment_is_gone_with_its_replies_and_reactions() {
    let fixture = Fixture::new().await;
    let author = fixture.role(Role::Comment);
    for resource in &fixture.resources {
        for resolved in [false, true] {
            let path =
                format!("{resource}/{}", author.post(resource, markdown("?")).await.expect(201).text("/id"));
            let reply = author.post(&format!("{path}/replies"), markdown("!")).await.expect(201);
            let changes = json!({"resolved": resolved, "addedReactions": ["🚀"]});
            let _ = author.put(&path, changes).await.expect(200);
            let answer = author.delete(&path).await.expect(204);
            assert!(answer.bytes.is_empty());
            let gone = author.get(&path).await.expect(404);
            for path in [format!("{path}/replies"), format!("{path}/replies/{}", reply.text("/id"))] {
                assert_eq!(author.get(&path).await.expect(404).bytes, gone.bytes);
            }
            let _ = author.delete(&path).await.expect(404);
            let _ = author.put(&path, json!({"resolved": true})).await.expect(404);
            let _ = author.post(&format!("{path}/replies"), markdown("!")).await.expect(404);
        }
    }
    assert_eq!(fixture.open().await, (0, 0));
    let list = author.get(fixture.of_space()).await.expect(200);
    assert_eq!((list.at("/count"), list.at("/items")), (&json!(0), &json!([])));
}

#[actix_web::test]
async fn a_comment_belongs_to_one_parent_only() {
    let fixture = Fixture::new().await;
    let [of_space, of_change_request] = &fixture.resources;
    let admin = &fixture.admin;
    let other = admin
        .post(&format!("/v1/spaces/{}/change-requests", fixture.space), json!({}))
        .await
        .expect(201)
        .text("/id");
    let of_other = format!("/v1/spaces/{}/change-requests/{other}/comments", fixture.space);
    let by_number = format!("/v1/spaces/{}/change-requests/1/comments", fixture.space);
    let on_space = admin.post(of_space, markdown("a")).await.expect(201).text("/id");
    let on_change_request = admin.post(&by_number, markdown("b")).await.expect(201);
    assert_eq!(on_change_request.text("/target/changeRequest"), fixture.change_request);
    assert!(on_change_request.text("/urls/location").contains(of_change_request.as_str()));
    let on_change_request = on_change_request.text("/id");
    let absent = admin.get(&format!("{of_space}/0190a5d2-7c1e-7000-8000-000000000001")).await.expect(404);
    for (resource, id) in [
        (of_change_request, &on_space),
        (&of_other, &on_space),
        (&of_space.clone(), &on_change_request),
        (&of_other, &on_change_request),
        (&by_number.replace("/1/", "/2/"), &on_change_request),
        (&by_number.replace("/1/", "/3/"), &on_change_request),
        (of_space, &"nonsense".to_owned()),
    ] {
        let path = format!("{resource}/{id}");
        assert_eq!(admin.get(&path).await.expect(404).bytes, absent.bytes, "{path}");
        let _ = admin.put(&path, json!({"resolved": true})).await.expect(404);
        let _ = admin.delete(&path).await.expect(404);
        let _ = admin.get(&format!("{path}/replies")).await.expect(404);
        let _ = admin.post(&format!("{path}/replies"), markdown("!")).await.expect(404);
    }
    let _ = admin.get(&format!("{by_number}/{on_change_request}")).await.expect(200);
    for (resource, count) in [(of_space, 1), (of_change_request, 1), (&by_number, 1), (&of_other, 0)] {
        assert_eq!(admin.get(resource).await.expect(200).at("/count"), &json!(count));
    }
    assert_eq!(fixture.open().await, (1, 1));
}

#[actix_web::test]
async fn archived_and_merged_change_requests_are_still_discussed() {
    let fixture = Fixture::new().await;
    let path = format!("/v1/spaces/{}/change-requests/{}", fixture.space, fixture.change_request);
    let admin = &fixture.admin;
    let _ = admin.patch(&path, json!({"status": "archived"})).await.expect(200);
    let _ = admin.post(fixture.of_change_request(), markdown("archived")).await.expect(201);
    let _ = admin.patch(&path, json!({"status": "open"})).await.expect(200);
    let _ = admin.post_empty(&format!("{path}/merge")).await.expect(200);
    let posted = admin.post(fixture.of_change_request(), markdown("merged")).await.expect(201);
    let comment = format!("{}/{}", fixture.of_change_request(), posted.text("/id"));
    let _ = admin.put(&comment, json!({"resolved": true})).await.expect(200);
    assert_eq!(fixture.open().await, (0, 1));
}

#[actix_web::test]
async fn a_change_happens_only_to_what_the_caller_has_seen() {
    let fixture = Fixture::new().await;
    for resource in &fixture.resources {
        let posted = fixture.admin.post(resource, markdown("a")).await.expect(201);
        let path = format!("{resource}/{}", posted.text("/id"));
        let put = async |path: &str, tag: &str, text: &str| {
            let request = TestRequest::put().uri(path).insert_header(("If-Match", tag));
            fixture.admin.send(request.set_json(markdown(text))).await
        };
        let seen = posted.header("etag").to_owned();
        let changed = put(&path, &seen, "b").await.expect(200);
        let stale = put(&path, &seen, "c").await.expect(412);
        assert_eq!(stale.reason(), "precondition-failed");
        assert_eq!(fixture.admin.get(&path).await.expect(200).text("/body/markdown"), "b");
        let _ = put(&path, changed.header("etag"), "d").await.expect(200);
        let _ = put(&path, "*", "e").await.expect(200);
        // Each format is a representation with its own entity tag.
        let document = format!("{path}?format=document");
        let seen = fixture.admin.get(&document).await.expect(200).header("etag").to_owned();
        let _ = put(&document, &seen, "f").await.expect(200);
        let reply = fixture.admin.post(&format!("{path}/replies"), markdown("x")).await.expect(201);
        let path = format!("{path}/replies/{}", reply.text("/id"));
        let _ = put(&path, reply.header("etag"), "y").await.expect(200);
        let _ = put(&path, reply.header("etag"), "z").await.expect(412);
        assert_eq!(fixture.admin.get(&path).await.expect(200).text("/body/markdown"), "y");
    }
}
