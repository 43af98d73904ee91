//! Replies.

use std::time::Duration;

use quire_domain::{Clock as _, Role};
use serde_json::json;

use super::fixture::{Fixture, markdown};

#[actix_web::test]
async fn a_reply_is_posted_read_edited_and_deleted() {
    let fixture = Fixture::new().await;
    let (author, replier) = (fixture.role(Role::Comment), fixture.role(Role::Comment));
    for resource in &fixture.resources {
        let comment =
            format!("{resource}/{}", author.post(resource, markdown("?")).await.expect(201).text("/id"));
        let replies = format!("{comment}/replies");
        let posted = replier.post(&replies, markdown("*Yes.*")).await.expect(201);
        let id = posted.text("/id");
        assert_eq!(
            posted.json,
            json!({
                "object": "comment-reply",
                "id": id,
                "postedBy": posted.at("/postedBy"),
                "postedAt": posted.at("/postedAt"),
                "reactions": [],
                "body": {"markdown": "*Yes.*"},
                "urls": {"location": posted.header("location")},
                "permissions": {"view": true, "edit": true, "reply": true, "delete": true},
            })
        );
        assert_eq!(posted.text("/postedBy/id"), replier.user().to_string());
        let path = format!("{replies}/{id}");
        assert!(posted.header("location").ends_with(&path));
        assert_eq!(replier.get(&path).await.expect(200).json, posted.json);
        let document = replier.get(&format!("{path}?format=document")).await.expect(200);
        assert_eq!(document.at("/body/document/object"), &json!("document"));
        assert_eq!(author.get(&comment).await.expect(200).at("/replies"), &json!(1));
        fixture.app.clock.advance(Duration::from_secs(1));
        let reacted = author.put(&path, json!({"addedReactions": ["👍"]})).await.expect(200);
        assert_eq!((reacted.json.get("editedAt"), reacted.at("/reactions/0/count")), (None, &json!(1)));
        let edited = replier.put(&path, markdown("No.")).await.expect(200);
        assert_eq!(edited.text("/body/markdown"), "No.");
        assert_ne!(edited.at("/editedAt"), edited.at("/postedAt"));
        let _ = author.delete(&path).await.expect(403);
        let _ = replier.delete(&path).await.expect(204);
        let _ = replier.delete(&path).await.expect(404);
        let _ = replier.get(&path).await.expect(404);
        assert_eq!(author.get(&comment).await.expect(200).at("/replies"), &json!(0));
    }
}

#[actix_web::test]
async fn a_comment_names_those_who_replied_in_the_order_of_their_first_replies() {
    let fixture = Fixture::new().await;
    let (author, first, second) =
        (fixture.role(Role::Comment), fixture.role(Role::Comment), fixture.role(Role::Comment));
    for resource in &fixture.resources {
        let comment = author.post(resource, markdown("?")).await.expect(201);
        assert_eq!(comment.at("/repliers"), &json!([]));
        let path = format!("{resource}/{}", comment.text("/id"));
        let replies = format!("{path}/replies");
        let mut last = String::new();
        for by in [&first, &second, &first] {
            fixture.app.clock.advance(Duration::from_secs(1));
            last = by.post(&replies, markdown("!")).await.expect(201).text("/id");
        }
        let at = fixture.app.clock.now();
        let read = author.get(&path).await.expect(200);
        let repliers = read.at("/repliers").as_array().unwrap();
        let seen: Vec<_> = repliers.iter().map(|by| (&by["user"]["id"], &by["count"])).collect();
        let (one, two) = (json!(first.user()), json!(second.user()));
        assert_eq!(seen, [(&one, &json!(2)), (&two, &json!(1))]);
        assert_eq!(repliers[0]["updatedAt"], json!(at));
        let list = author.get(resource).await.expect(200);
        assert_eq!(list.at("/items/0/repliers"), read.at("/repliers"));
        // An edit counts as a contribution.
        fixture.app.clock.advance(Duration::from_secs(1));
        first.put(&format!("{replies}/{last}"), markdown("?")).await.expect(200);
        let edited = author.get(&path).await.expect(200);
        assert_eq!(edited.at("/repliers/0/updatedAt"), &json!(fixture.app.clock.now()));
        first.delete(&format!("{replies}/{last}")).await.expect(204);
        assert_eq!(author.get(&path).await.expect(200).at("/repliers/0/count"), &json!(1));
    }
}

#[actix_web::test]
async fn replies_are_listed_newest_first() {
    let fixture = Fixture::new().await;
    let admin = &fixture.admin;
    for resource in &fixture.resources {
        let mut threads = Vec::new();
        for _ in 0..2 {
            threads.push(format!(
                "{resource}/{}",
                admin.post(resource, markdown("?")).await.expect(201).text("/id")
            ));
        }
        let list = format!("{}/replies", threads[0]);
        let mut posted = Vec::new();
        for text in ["a", "b", "c"] {
            posted.insert(0, admin.post(&list, markdown(text)).await.expect(201).json);
            let _ = admin.post(&format!("{}/replies", threads[1]), markdown(text)).await.expect(201);
        }
        let all = admin.get(&list).await.expect(200);
        assert_eq!((all.at("/count"), all.json.get("next")), (&json!(3), None));
        assert_eq!(all.at("/items"), &json!(posted));
        let mut path = format!("{list}?limit=1");
        for reply in &posted {
            let page = admin.get(&path).await.expect(200);
            assert_eq!((page.at("/count"), page.at("/items")), (&json!(3), &json!([reply])));
            if reply != &posted[2] {
                path = format!("{list}?limit=1&page={}", page.text("/next/page"));
            } else {
                assert_eq!(page.json.get("next"), None);
            }
        }
        // A reply is found only below its own comment.
        let id = posted[0]["id"].as_str().unwrap();
        let _ = admin.get(&format!("{}/replies/{id}", threads[1])).await.expect(404);
        let _ = admin.delete(&format!("{}/replies/{id}", threads[1])).await.expect(404);
        assert_eq!(admin.get(&threads[1]).await.expect(200).at("/replies"), &json!(3));
    }
}

#[actix_web::test]
async fn a_reply_of_a_change_request_resolves_its_comment() {
    let fixture = Fixture::new().await;
    let admin = &fixture.admin;
    for (resource, resolves) in fixture.resources.iter().zip([false, true]) {
        let comment =
            format!("{resource}/{}", admin.post(resource, markdown("?")).await.expect(201).text("/id"));
        let reply = admin.post(&format!("{comment}/replies"), markdown("!")).await.expect(201).text("/id");
        let reply = format!("{comment}/replies/{reply}");
        let before = fixture.open().await;
        let changed = admin.put(&reply, json!({"resolved": true})).await.expect(200);
        assert_eq!(changed.json.get("status"), None);
        let status = admin.get(&comment).await.expect(200).text("/status");
        assert_eq!(status, if resolves { "resolved" } else { "open" });
        assert_eq!(fixture.open().await != before, resolves);
        let _ = admin.put(&reply, json!({"resolved": false})).await.expect(200);
        assert_eq!(admin.get(&comment).await.expect(200).text("/status"), "open");
        assert_eq!(fixture.open().await, before);
    }
}
