//! `Idempotency-Key`: a repeated request takes effect once.

use std::time::Duration;

use actix_web::test::TestRequest;
use diesel::connection::SimpleConnection as _;
use futures_util::FutureExt as _;
use futures_util::future::{join, join_all};
use quire_domain::Role;
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::{Value, json};

const KEY: &str = "Idempotency-Key";

fn request(path: &str, key: &str, body: Value) -> TestRequest {
    TestRequest::post().uri(path).insert_header((KEY, key)).set_json(body)
}

async fn post(caller: &Caller, path: &str, key: &str, body: Value) -> Answer {
    caller.send(request(path, key, body)).await
}

fn spaces(app: &TestApp) -> String {
    format!("/v1/orgs/{}/spaces", app.organization)
}

/// Returns a form with one file. Clients choose a new boundary for each request.
fn form(path: &str, key: &str, boundary: &str, content: &str) -> TestRequest {
    let body = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n{content}\r\n--{boundary}--\r\n"
    );
    let content_type = format!("multipart/form-data; boundary={boundary}");
    let request = TestRequest::post().uri(path).insert_header((KEY, key));
    request.insert_header(("Content-Type", content_type)).set_payload(body)
}

#[actix_web::test]
async fn a_repeated_request_gets_the_first_answer_from_each_node() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let elsewhere = app.on_another_node(&admin).await;
    let body = json!({"title": "Once"});
    let first = post(&admin, &spaces(&app), "a", body.clone()).await.expect(201);
    assert_eq!(first.header("idempotency-replayed"), "");
    for caller in [&admin, &elsewhere] {
        let again = post(caller, &spaces(&app), "a", body.clone()).await.expect(201);
        assert_eq!((&again.bytes, again.header("idempotency-replayed")), (&first.bytes, "true"));
        for name in ["location", "etag", "content-type"] {
            assert_eq!(again.header(name), first.header(name), "{name}");
        }
    }
    assert_eq!(app.count("spaces"), 1);
    // Another key is another request, as is the same key of another user.
    post(&admin, &spaces(&app), "b", body.clone()).await.expect(201);
    post(&app.as_role(Role::Admin), &spaces(&app), "a", body).await.expect(201);
    assert_eq!(app.count("spaces"), 3);
}

#[actix_web::test]
async fn a_key_belongs_to_one_request() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    post(&admin, &spaces(&app), "a", json!({"title": "Once"})).await.expect(201);
    let collections = format!("/v1/orgs/{}/collections", app.organization);
    for (path, body) in [
        (spaces(&app), json!({"title": "Twice"})),
        (spaces(&app), json!({"title": "Once", "emoji": "1f600", "more": "x".repeat(5_000)})),
        (format!("{}?a=b", spaces(&app)), json!({"title": "Once"})),
        (collections, json!({"title": "Once"})),
    ] {
        let refused = post(&admin, &path, "a", body).await.expect(400);
        assert_eq!(refused.reason(), "idempotency-key-reused", "{path}");
    }
    assert_eq!((app.count("spaces"), app.count("collections")), (1, 0));
}

#[actix_web::test]
async fn a_key_has_bounds() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    for key in ["", " ", "a b", "ä", &"k".repeat(256)] {
        let refused = post(&admin, &spaces(&app), key, json!({})).await.expect(400);
        assert_eq!((refused.reason().as_str(), refused.fields()), ("invalid-header", vec![KEY.to_owned()]));
    }
    let twice = request(&spaces(&app), "a", json!({})).append_header((KEY, "b"));
    admin.send(twice).await.expect(400);
    post(&app.anonymous(), &spaces(&app), "", json!({})).await.expect(401);
    post(&admin, &spaces(&app), &"k".repeat(255), json!({})).await.expect(201);
    assert_eq!(app.count("spaces"), 1);
}

#[actix_web::test]
async fn a_refused_request_keeps_no_answer() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    post(&admin, &spaces(&app), "a", json!({"title": 7})).await.expect(400);
    let reader = app.as_role(Role::Read);
    post(&reader, &spaces(&app), "a", json!({})).await.expect(403);
    assert_eq!(app.count("idempotency_keys"), 0);
    post(&admin, &spaces(&app), "a", json!({"title": "Once"})).await.expect(201);
}

#[actix_web::test]
async fn a_request_without_a_key_has_no_further_statement() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    admin.post(&spaces(&app), json!({})).await.expect(201);
    let before = app.statements();
    admin.post(&spaces(&app), json!({})).await.expect(201);
    let plain = app.statements() - before;
    let before = app.statements();
    post(&admin, &spaces(&app), "a", json!({})).await.expect(201);
    let more = app.statements() - before - plain;
    assert_eq!(more, 5, "the token, the key, its lock, the roles and the answer");
    assert_eq!(app.count("idempotency_keys"), 1);
}

#[actix_web::test]
async fn while_the_first_runs_a_repetition_is_refused() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let elsewhere = app.on_another_node(&admin).await;
    let mut holder = app.connection();
    holder.batch_execute("BEGIN; LOCK TABLE spaces IN SHARE ROW EXCLUSIVE MODE").unwrap();
    let (path, body) = (spaces(&app), json!({"title": "Once"}));
    let meanwhile = async {
        app.store.until_waiting(1).await;
        for caller in [&admin, &elsewhere] {
            let refused = post(caller, &path, "a", body.clone()).await.expect(409);
            assert_eq!(
                (refused.reason().as_str(), refused.header("retry-after")),
                ("idempotency-key-in-use", "1")
            );
        }
        holder.batch_execute("COMMIT").unwrap();
    };
    let (first, ()) = join(post(&admin, &path, "a", body.clone()), meanwhile).await;
    let first = first.expect(201);
    assert_eq!(post(&elsewhere, &path, "a", body.clone()).await.expect(201).bytes, first.bytes);
    assert_eq!(app.count("spaces"), 1);
}

#[actix_web::test]
async fn of_many_at_once_one_has_an_effect() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let elsewhere = app.on_another_node(&admin).await;
    let space = app.create_space(&admin, "Comments");
    let path = format!("/v1/spaces/{space}/comments");
    let body = json!({"body": {"markdown": "Once"}});
    let all = (0..12).map(|n| post(if n % 2 == 0 { &admin } else { &elsewhere }, &path, "a", body.clone()));
    for answer in join_all(all).await {
        assert!(answer.status == 201 || answer.reason() == "idempotency-key-in-use", "{:?}", answer.json);
    }
    let kept = post(&admin, &path, "a", body.clone()).await.expect(201);
    assert_eq!(post(&elsewhere, &path, "a", body).await.expect(201).bytes, kept.bytes);
    assert_eq!((app.count("comments"), app.count("idempotency_keys")), (1, 1));
    let space = admin.get(&format!("/v1/spaces/{space}")).await.expect(200);
    assert_eq!(*space.at("/comments"), json!(1));
}

/// Polls a request this many times and drops it, as when its node or connection is lost. Returns whether it had a
/// response before.
async fn abandoned(answer: impl Future<Output = Answer>, polls: usize) -> bool {
    let mut answer = Box::pin(answer);
    for _ in 0..polls {
        if answer.as_mut().now_or_never().is_some() {
            return true;
        }
        actix_web::rt::time::sleep(Duration::from_micros(500)).await;
    }
    false
}

#[actix_web::test]
async fn wherever_a_request_is_lost_its_repetition_has_the_effect_once() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let space = app.create_space(&admin, "Content");
    let proposal = app.create_change_request(&admin, space);
    // A plain transaction, a group commit, and a write that waits for its turn.
    let content = json!({"changes": [{"operation": "insert_page", "title": "Once", "document": {"markdown": "# Text"}}]});
    let requests = [
        (spaces(&app), json!({"title": "Once"}), "spaces WHERE title = 'Once'"),
        (
            format!("/v1/spaces/{space}/content"),
            content.clone(),
            "revisions WHERE change_request_id IS NULL AND type = 'edits'",
        ),
        (
            format!("/v1/spaces/{space}/change-requests/{proposal}/content"),
            content,
            "revisions WHERE change_request_id IS NOT NULL AND type = 'edits'",
        ),
    ];
    for (path, body, made) in &requests {
        let before = app.count(made);
        let (mut polls, mut was_answered, mut sent) = (1, false, 0);
        while !was_answered {
            let key = format!("{polls}{path}");
            was_answered = abandoned(post(&admin, path, &key, body.clone()), polls).await;
            // The transaction of the dropped request may still be running.
            loop {
                let again = post(&admin, path, &key, body.clone()).await;
                if again.status != 409 {
                    assert!(again.status.is_success(), "{:?}", again.json);
                    break;
                }
                assert_eq!(again.reason(), "idempotency-key-in-use");
            }
            (polls, sent) = (polls + 1, sent + 1);
        }
        assert!(sent > 2, "it was lost at several places");
        assert_eq!(app.count(made) - before, sent, "{path}");
    }
}

#[actix_web::test]
async fn forms_are_compared_without_their_boundary() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let space = app.create_space(&admin, "Files");
    let path = format!("/v1/spaces/{space}/content/files");
    let first = admin.send(form(&path, "a", "one", "text")).await.expect(201);
    let again = admin.send(form(&path, "a", "another", "text")).await.expect(201);
    assert_eq!((&again.bytes, again.header("location")), (&first.bytes, first.header("location")));
    let other = admin.send(form(&path, "a", "one", "another text")).await.expect(400);
    assert_eq!(other.reason(), "idempotency-key-reused");
}

#[actix_web::test]
async fn secrets_that_are_shown_once_are_sealed() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let body = json!({"label": "Token"});
    let first = post(&admin, "/v1/user/tokens", "a", body.clone()).await.expect(201);
    let again = post(&admin, "/v1/user/tokens", "a", body.clone()).await.expect(201);
    let token = first.text("/token");
    assert_eq!(again.text("/token"), token);
    let visible = format!("idempotency_keys WHERE position('{token}' IN encode(answer, 'escape')) > 0");
    assert_eq!((app.count("idempotency_keys"), app.count(&visible)), (1, 0));
    // A token with limits does not get the response to a stronger token.
    let limited = json!({"label": "Limited", "organizations": [app.organization]});
    let limited = admin.post("/v1/user/tokens", limited).await.expect(201).text("/token");
    let refused = post(&admin.with_token(&limited), "/v1/user/tokens", "a", body.clone()).await.expect(400);
    assert_eq!(refused.reason(), "idempotency-key-reused");
    assert_eq!(
        post(&admin.with_token(&token), "/v1/user/tokens", "a", body).await.expect(201).bytes,
        first.bytes
    );
}

#[actix_web::test]
async fn an_answer_that_is_too_large_is_not_kept() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let space = app.create_space(&admin, "Large");
    let path = format!("/v1/spaces/{space}/content");
    let page = |n: usize| json!({"operation": "insert_page", "title": format!("{n} {}", "x".repeat(500)), "document": {"markdown": "Text"}});
    for _ in 0..17 {
        let changes: Vec<Value> = (0..50).map(page).collect();
        admin.post(&path, json!({"changes": changes})).await.expect(200);
    }
    let whole = || {
        let changes = json!({"changes": [page(1)]});
        request(&path, "a", changes).insert_header(("Prefer", "return=representation"))
    };
    let first = admin.send(whole()).await.expect(200);
    assert!(first.bytes.len() > 1 << 20, "{}", first.bytes.len());
    assert_eq!(admin.send(whole()).await.expect(409).reason(), "answer-not-kept");
}

#[actix_web::test]
async fn answers_are_kept_for_a_day() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let body = json!({"title": "Once"});
    app.schedule_jobs();
    post(&admin, &spaces(&app), "a", body.clone()).await.expect(201);
    post(&admin, &spaces(&app), "b", body.clone()).await.expect(201);
    app.clock.advance(Duration::from_secs(24 * 3_600 - 1));
    post(&admin, &spaces(&app), "a", body.clone()).await.expect(201);
    assert_eq!(app.count("spaces"), 2);
    app.clock.advance(Duration::from_secs(1));
    post(&admin, &spaces(&app), "a", body.clone()).await.expect(201);
    assert_eq!(app.count("spaces"), 3);
    app.run_jobs().await;
    assert_eq!(app.count("idempotency_keys"), 1, "`b` has expired, and `a` is new");
}

/// Repeats requests after the rights of their users have changed.
#[actix_web::test]
async fn an_answer_is_sent_again_while_the_user_has_the_rights_of_then() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let organization = format!("/v1/orgs/{}", app.organization);
    let body = json!({"title": "Once"});
    let member = |user: &Caller| format!("{organization}/members/{}", user.user());
    // Users who are then demoted, promoted, disabled and removed.
    let demoted = app.as_role(Role::Create);
    let raised = app.as_role(Role::Create);
    let [disabled, removed] = [app.as_role(Role::Create), app.as_role(Role::Create)];
    for user in [&demoted, &raised, &disabled, &removed] {
        post(user, &spaces(&app), "a", body.clone()).await.expect(201);
    }
    let _ = admin.patch(&member(&demoted), json!({"role": "read"})).await.expect(200);
    let _ = admin.patch(&member(&raised), json!({"role": "admin"})).await.expect(200);
    app.store.execute(&format!(
        "UPDATE organization_members SET disabled = true WHERE user_id = '{}'",
        disabled.user()
    ));
    let _ = admin.delete(&member(&removed)).await.expect(204);
    for (user, status, replayed) in
        [(&demoted, 403, ""), (&raised, 201, "true"), (&disabled, 404, ""), (&removed, 404, "")]
    {
        let again = post(user, &spaces(&app), "a", body.clone()).await.expect(status);
        assert_eq!(again.header("idempotency-replayed"), replayed);
    }
    // Removed users get the response to a new request.
    let repeated = post(&removed, &spaces(&app), "a", body.clone()).await;
    let new = post(&removed, &spaces(&app), "b", body.clone()).await;
    assert_eq!((repeated.status, repeated.at("/error/reason")), (new.status, new.at("/error/reason")));
    // With the rights restored, they get the stored response.
    let _ = admin.patch(&member(&demoted), json!({"role": "create"})).await.expect(200);
    post(&demoted, &spaces(&app), "a", body).await.expect(201);
}

#[actix_web::test]
async fn the_rights_are_those_on_what_the_request_was_about() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let guest = app.member_of(app.organization, None);
    let space = app.create_space(&admin, "Guide");
    app.store.execute(&format!("UPDATE spaces SET default_level = NULL WHERE id = '{space}'"));
    app.store.grant(guest.user(), &space.to_string(), Role::Comment);
    let comments = format!("/v1/spaces/{space}/comments");
    let body = json!({"body": {"markdown": "Hello"}});
    let first = post(&guest, &comments, "a", body.clone()).await.expect(201);
    let again = post(&guest, &comments, "a", body.clone()).await.expect(201);
    assert_eq!(again.bytes, first.bytes);
    app.store.execute(&format!(
        "UPDATE content_grants SET role = 1 WHERE space_id = '{space}' AND user_id = '{}'",
        guest.user()
    ));
    post(&guest, &comments, "a", body.clone()).await.expect(403);
    app.store.execute(&format!(
        "DELETE FROM content_grants WHERE space_id = '{space}' AND user_id = '{}'",
        guest.user()
    ));
    post(&guest, &comments, "a", body).await.expect(404);
    // A role on a resource that the user has deleted does not count.
    let collections = format!("/v1/orgs/{}/collections", app.organization);
    let collection = admin.post(&collections, json!({"title": "Short"})).await.expect(201).text("/id");
    let delete =
        || TestRequest::delete().uri(&format!("/v1/collections/{collection}")).insert_header((KEY, "c"));
    let _ = admin.send(delete()).await.expect(204);
    assert_eq!(admin.send(delete()).await.expect(204).header("idempotency-replayed"), "true");
    let leaver = app.as_role(Role::Read);
    let path = format!("/v1/orgs/{}/members/{}", app.organization, leaver.user());
    let leave = || TestRequest::delete().uri(&path).insert_header((KEY, "d"));
    let _ = leaver.send(leave()).await.expect(204);
    assert_eq!(leaver.send(leave()).await.expect(204).header("idempotency-replayed"), "true");
}
