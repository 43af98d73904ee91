//! Permissions on comments.

use quire_domain::Role;
use serde_json::{Value, json};

use super::fixture::{Fixture, markdown};

#[actix_web::test]
async fn each_role_may_do_what_it_says() {
    let fixture = Fixture::new().await;
    let author = fixture.role(Role::Comment);
    for resource in &fixture.resources {
        for role in Role::ALL {
            let caller = fixture.role(role);
            let (comments, administers) = (role >= Role::Comment, role == Role::Admin);
            let comment =
                format!("{resource}/{}", author.post(resource, markdown("?")).await.expect(201).text("/id"));
            let replies = format!("{comment}/replies");
            let reply =
                format!("{replies}/{}", author.post(&replies, markdown("!")).await.expect(201).text("/id"));
            for path in [resource, &comment, &replies, &reply] {
                let _ = caller.get(path).await.expect(200);
            }
            let status = |allowed: bool, good: u16| if allowed { good } else { 403 };
            let _ = caller.post(resource, markdown("?")).await.expect(status(comments, 201));
            let _ = caller.post(&replies, markdown("!")).await.expect(status(comments, 201));
            for path in [&comment, &reply] {
                let reaction = json!({"addedReactions": ["🚀"]});
                let _ = caller.put(path, reaction.clone()).await.expect(status(comments, 200));
                let _ = caller.put(path, json!({})).await.expect(status(comments, 200));
                let _ = caller.put(path, json!({"resolved": true})).await.expect(status(comments, 200));
                let _ = caller.put(path, markdown("mine")).await.expect(status(administers, 200));
                let mut both = reaction;
                both["body"] = json!({"markdown": "mine"});
                let _ = caller.put(path, both).await.expect(status(administers, 200));
                let seen = caller.get(path).await.expect(200);
                assert_eq!(
                    seen.at("/permissions"),
                    &json!({"view": true, "edit": administers, "reply": comments, "delete": administers})
                );
            }
            let _ = caller.delete(&reply).await.expect(status(administers, 204));
            let _ = caller.delete(&comment).await.expect(status(administers, 204));
        }
    }
}

#[actix_web::test]
async fn authors_keep_their_words_when_their_role_falls() {
    let fixture = Fixture::new().await;
    let author = fixture.role(Role::Comment);
    let comment = author.post(fixture.of_space(), markdown("?")).await.expect(201);
    let comment = format!("{}/{}", fixture.of_space(), comment.text("/id"));
    let reply = author.post(&format!("{comment}/replies"), markdown("!")).await.expect(201).text("/id");
    let reply = format!("{comment}/replies/{reply}");
    fixture.execute(&format!("UPDATE content_grants SET role = 1 WHERE user_id = '{}'", author.user()));
    let seen = author.get(&comment).await.expect(200);
    assert_eq!(seen.at("/permissions"), &json!({"view": true, "edit": true, "reply": false, "delete": true}));
    for path in [&comment, &reply] {
        let _ = author.put(path, markdown("still mine")).await.expect(200);
        let _ = author.put(path, json!({"addedReactions": ["🚀"]})).await.expect(403);
        let reader = fixture.app.read_only(&author);
        let _ = reader.get(path).await.expect(200);
        let _ = reader.put(path, markdown("not with this token")).await.expect(403);
        let _ = reader.delete(path).await.expect(403);
    }
    let _ = author.delete(&reply).await.expect(204);
    let _ = author.delete(&comment).await.expect(204);
}

#[actix_web::test]
async fn anonymous_callers_and_strangers_see_nothing() {
    let fixture = Fixture::new().await;
    let (anonymous, stranger) = (fixture.app.anonymous(), fixture.app.stranger());
    let guest = fixture.app.on_space(&fixture.space, None);
    for resource in &fixture.resources {
        let comment = format!(
            "{resource}/{}",
            fixture.admin.post(resource, markdown("?")).await.expect(201).text("/id")
        );
        let replies = format!("{comment}/replies");
        let reply = fixture.admin.post(&replies, markdown("!")).await.expect(201).text("/id");
        let reply = format!("{replies}/{reply}");
        let absent = stranger.get("/v1/spaces/nonsense").await.expect(404);
        for path in [resource, &comment, &replies, &reply] {
            let _ = anonymous.get(path).await.expect(401);
            for hidden in [&stranger, &guest] {
                assert_eq!(hidden.get(path).await.expect(404).bytes, absent.bytes);
            }
        }
        for path in [resource, &replies] {
            let _ = anonymous.post(path, markdown("?")).await.expect(401);
            assert_eq!(stranger.post(path, markdown("?")).await.expect(404).bytes, absent.bytes);
        }
        for path in [&comment, &reply] {
            let _ = anonymous.put(path, json!({"resolved": true})).await.expect(401);
            let _ = anonymous.delete(path).await.expect(401);
            let _ = stranger.put(path, json!({"resolved": true})).await.expect(404);
            let _ = stranger.delete(path).await.expect(404);
        }
    }
    assert_eq!(fixture.open().await, (1, 1));
}

#[actix_web::test]
async fn a_removed_user_leaves_its_words() {
    let fixture = Fixture::new().await;
    let author = fixture.role(Role::Comment);
    let resource = fixture.of_space();
    let comment =
        format!("{resource}/{}", author.post(resource, markdown("?")).await.expect(201).text("/id"));
    let changes = json!({"resolved": true, "addedReactions": ["🚀"]});
    let _ = author.put(&comment, changes).await.expect(200);
    fixture.execute(&format!("DELETE FROM users WHERE id = '{}'", author.user()));
    let seen = fixture.admin.get(&comment).await.expect(200);
    assert_eq!(seen.text("/status"), "resolved");
    assert_eq!(seen.at("/postedBy"), seen.at("/resolvedBy"));
    assert_eq!(seen.at("/reactions"), &Value::Array(Vec::new()));
    let reopened = fixture.admin.put(&comment, json!({"resolved": false})).await.expect(200);
    assert_eq!(reopened.text("/status"), "open");
}
