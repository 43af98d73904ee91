//! Inboxes: entries, their receivers, and their lifetime.

use std::time::Duration;

use actix_web::test::TestRequest;
use quire_domain::Role;
use quire_domain::ids::SpaceId;
use quire_importer::fetch::FetchConfig;
use quire_server::Settings;
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::store::ContentSelector;
use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};

const INBOX: &str = "/v1/user/inbox";
const READ: &str = "/v1/user/inbox/read";
const DAY: Duration = Duration::from_secs(86_400);

async fn start() -> TestApp {
    let settings = Settings { rate_limit: 0, ..Settings::default() };
    TestApp::start_with(settings, FetchConfig::default()).await
}

async fn inbox(caller: &Caller) -> Vec<Value> {
    caller.get(INBOX).await.expect(200).at("/items").as_array().unwrap().clone()
}

async fn unread(caller: &Caller) -> u64 {
    caller.get(&format!("{INBOX}?unread=true")).await.expect(200).at("/count").as_u64().unwrap()
}

/// Returns the types of the entries, newest first.
async fn types(caller: &Caller) -> Vec<String> {
    inbox(caller).await.iter().map(|entry| entry["type"].as_str().unwrap().to_owned()).collect()
}

fn mentioning(users: &[&Caller]) -> Value {
    let mentions = users.iter().map(|user| format!("[them](/users/{} \"mention\")", user.user()));
    json!({"body": {"markdown": format!("Look, {}.", mentions.collect::<Vec<_>>().join(" and "))}})
}

#[actix_web::test]
async fn those_whom_a_comment_mentions_are_told_on_every_node() {
    let app = start().await;
    let (space, admin) = app.space().await;
    let [ben, clo] = [Role::Read, Role::Comment].map(|role| app.on_space(&space, Some(role)));
    let (outsider, stranger) = (app.member_of(app.organization, None), app.stranger());
    let comments = format!("/v1/spaces/{space}/comments");
    let body = mentioning(&[&ben, &ben, &admin, &outsider, &stranger]);
    let comment = admin.post(&comments, body).await.expect(201).text("/id");

    let entries = inbox(&app.on_another_node(&ben).await).await;
    let [entry] = entries.as_slice() else { panic!("{entries:?}") };
    assert_eq!((&entry["object"], &entry["type"]), (&json!("inbox-entry"), &json!("mention")));
    assert_eq!(entry["actor"]["id"], json!(admin.user()));
    assert_eq!((&entry["space"]["id"], &entry["comment"]), (&json!(space), &json!(comment)));
    assert_eq!(entry["organization"], json!(app.organization));
    assert!(entry["excerpt"].as_str().unwrap().starts_with("Look, "));
    assert!(entry["urls"]["app"].as_str().unwrap().ends_with(&format!("/s/{space}#comment-{comment}")));
    assert!(entry.get("readAt").is_none() && entry.get("commentReply").is_none());
    for other in [&admin, &clo, &outsider, &stranger] {
        assert_eq!(inbox(other).await.len(), 0);
    }

    // An edit notifies only users that the old text did not mention.
    let path = format!("{comments}/{comment}");
    let _ = admin.put(&path, mentioning(&[&ben, &clo])).await.expect(200);
    assert_eq!((types(&ben).await.len(), types(&clo).await), (1, vec!["mention".to_owned()]));
    let _ = admin.delete(&path).await.expect(204);
    assert_eq!((inbox(&ben).await.len(), inbox(&clo).await.len()), (0, 0));
}

#[actix_web::test]
async fn those_who_take_part_in_a_thread_are_told_of_replies() {
    let app = start().await;
    let (space, admin) = app.space().await;
    let [ben, clo] = [(); 2].map(|()| app.on_space(&space, Some(Role::Comment)));
    let id: SpaceId = space.parse().unwrap();
    let request = app.create_change_request(&admin, id);
    let comments = format!("/v1/spaces/{space}/change-requests/{request}/comments");
    let hello = json!({"body": {"markdown": "Hello."}});
    let comment = ben.post(&comments, hello.clone()).await.expect(201).text("/id");
    let replies = format!("{comments}/{comment}/replies");
    let _ = clo.post(&replies, hello.clone()).await.expect(201);
    assert_eq!(types(&ben).await, ["reply"]);
    let reply = admin.post(&replies, mentioning(&[&clo])).await.expect(201).text("/id");
    assert_eq!(types(&ben).await, ["reply", "reply"]);
    // A user gets one entry per reply, even if it is both a reply and a mention.
    let entries = inbox(&clo).await;
    let [entry] = entries.as_slice() else { panic!("{entries:?}") };
    assert_eq!((&entry["type"], &entry["commentReply"]), (&json!("mention"), &json!(reply)));
    assert_eq!(entry["changeRequest"]["id"], json!(request));
    let app_url = format!("/~/changes/{}#comment-{comment}", entry["changeRequest"]["number"]);
    assert!(entry["urls"]["app"].as_str().unwrap().ends_with(&app_url));
    assert_eq!(inbox(&admin).await.len(), 0);
    let _ = admin.delete(&format!("{replies}/{reply}")).await.expect(204);
    assert_eq!((types(&ben).await.len(), inbox(&clo).await.len()), (1, 0));
}

#[actix_web::test]
async fn reviewers_and_members_of_teams_are_told_once_of_a_request() {
    let app = start().await;
    let (space, admin) = app.space().await;
    let [ben, clo] = [(); 2].map(|()| app.on_space(&space, Some(Role::Review)));
    let outsider = app.member_of(app.organization, None);
    let members = json!([ben.user(), clo.user(), admin.user(), outsider.user()]);
    let team = json!({"title": "Writers", "members": members});
    let team = admin.put(&format!("/v1/orgs/{}/teams", app.organization), team).await.expect(201).text("/id");
    let request = app.create_change_request(&admin, space.parse().unwrap());
    let reviewers = format!("/v1/spaces/{space}/change-requests/{request}/requested-reviewers");
    let asked = json!({"users": [ben.user()], "teams": [team]});
    let _ = admin.post(&reviewers, asked.clone()).await.expect(200);
    assert_eq!(
        (types(&ben).await, types(&clo).await),
        (vec!["review-request".to_owned()], vec!["review-request".to_owned()])
    );
    for other in [&admin, &outsider] {
        assert_eq!(inbox(other).await.len(), 0);
    }
    let _ = admin.post(&reviewers, asked).await.expect(200);
    assert_eq!((inbox(&ben).await.len(), inbox(&clo).await.len()), (1, 1), "an earlier request is kept");
}

#[actix_web::test]
async fn authors_are_told_once_of_conflicts_that_a_merge_makes() {
    let app = start().await;
    let (space, admin) = app.space().await;
    let id: SpaceId = space.parse().unwrap();
    let [ben, clo] = [(); 2].map(|()| app.on_space(&space, Some(Role::Edit)));
    let (_, page) =
        app.edit(&admin, id, ContentSelector::Space, |content| content.page(None, "Home", "Welcome."));
    let write = |caller: &Caller, text: &'static str| {
        let request = app.create_change_request(caller, id);
        let selector = ContentSelector::ChangeRequest(ChangeRequestKey::Id(request));
        app.edit(caller, id, selector, |content| content.write(page, text));
        request
    };
    let of_ben = write(&ben, "Welcome, Ben.");
    let _ = app.create_change_request(&clo, id);
    let of_admin = [write(&admin, "Welcome, all."), write(&admin, "Welcome, everyone.")];
    app.merge(&admin, id, of_admin[0]);
    app.run_jobs().await;
    let entries = inbox(&ben).await;
    let [entry] = entries.as_slice() else { panic!("{entries:?}") };
    assert_eq!((&entry["type"], &entry["changeRequest"]["id"]), (&json!("conflict"), &json!(of_ben)));
    assert_eq!(entry["actor"]["id"], json!(admin.user()));
    assert!(entry["urls"]["app"].as_str().unwrap().ends_with("/~conflicts"));
    assert_eq!((inbox(&admin).await.len(), inbox(&clo).await.len()), (0, 0));

    // Another merge with the same merge base causes no further entry.
    let more = app.create_change_request(&admin, id);
    app.merge(&admin, id, more);
    app.run_jobs().await;
    assert_eq!(inbox(&ben).await.len(), 1);
}

#[actix_web::test]
async fn an_import_that_has_ended_is_told_to_its_user() {
    let app = start().await;
    let (space, admin) = app.space().await;
    let request = TestRequest::post().uri(&format!("/v1/spaces/{space}/content/import"));
    let request = request.insert_header(("Prefer", "respond-async"));
    let body = json!({"url": "http://127.0.0.1/x.zip", "source": "zip"});
    let import = admin.send(request.set_json(body)).await.expect(202).text("/id");
    assert_eq!(inbox(&admin).await.len(), 0);
    app.run_jobs().await;
    let entries = inbox(&admin).await;
    let [entry] = entries.as_slice() else { panic!("{entries:?}") };
    assert_eq!(entry["type"], "import");
    assert_eq!(entry["import"], json!({"id": import, "status": "failed"}));
    assert!(entry.get("actor").is_none());
    assert!(entry["urls"]["app"].as_str().unwrap().ends_with(&format!("/s/{space}/~/imports/{import}")));
}

#[actix_web::test]
async fn entries_are_read_one_by_one_or_all() {
    let app = start().await;
    let (space, admin) = app.space().await;
    let [ben, clo] = [(); 2].map(|()| app.on_space(&space, Some(Role::Comment)));
    let comments = format!("/v1/spaces/{space}/comments");
    for _ in 0..3 {
        let _ = admin.post(&comments, mentioning(&[&ben, &clo])).await.expect(201);
    }
    let entries = inbox(&ben).await;
    let ids: Vec<&Value> = entries.iter().map(|entry| &entry["id"]).collect();
    assert!(ids.is_sorted_by(|newer, older| newer.as_str() > older.as_str()));
    let _ = ben.post(READ, json!({"entries": [ids[1]]})).await.expect(204);
    assert_eq!((unread(&ben).await, unread(&clo).await), (2, 3));
    let [_, read, _] = inbox(&ben).await.try_into().unwrap();
    let first = read["readAt"].clone();
    assert!(first.is_string());
    // Unknown ids and entries that are already read have no effect.
    app.clock.advance(DAY);
    let nothing = "01890000-0000-7000-8000-000000000000";
    let _ = ben.post(READ, json!({"entries": [ids[1], nothing]})).await.expect(204);
    let [_, read, _] = inbox(&ben).await.try_into().unwrap();
    assert_eq!((&read["readAt"], unread(&ben).await), (&first, 2));
    let _ = ben.post(READ, json!({})).await.expect(204);
    assert_eq!((unread(&ben).await, unread(&clo).await, inbox(&ben).await.len()), (0, 3, 3));
    for wrong in [json!({"entries": []}), json!({"entries": vec![nothing; 101]}), json!({"entries": null})] {
        assert_eq!(ben.post(READ, wrong).await.expect(400).fields(), ["entries"]);
    }
    let _ = app.read_only(&clo).post(READ, json!({})).await.expect(403);
    assert_eq!(unread(&clo).await, 3);
}

#[actix_web::test]
async fn entries_about_what_a_user_may_no_longer_see_are_hidden() {
    let app = start().await;
    let (space, admin) = app.space().await;
    let ben = app.member_of(app.organization, None);
    app.grant(&ben, &space, Role::Comment);
    let comments = format!("/v1/spaces/{space}/comments");
    let _ = admin.post(&comments, mentioning(&[&ben])).await.expect(201);
    assert_eq!(unread(&ben).await, 1);

    // A token for other organizations neither sees nor marks the entry.
    let elsewhere = app.create_organization("Elsewhere");
    app.join(&ben, elsewhere, Some(Role::Read));
    let token = json!({"label": "ci", "organizations": [elsewhere]});
    let token = ben.post("/v1/user/tokens", token).await.expect(201).text("/token");
    let limited = ben.with_token(&token);
    assert_eq!(inbox(&limited).await.len(), 0);
    let _ = limited.post(READ, json!({})).await.expect(204);
    assert_eq!(unread(&ben).await, 1);

    let grant = format!("/v1/spaces/{space}/permissions/users/{}", ben.user());
    let _ = admin.delete(&grant).await.expect(204);
    assert_eq!((inbox(&ben).await.len(), unread(&ben).await), (0, 0));
    let _ = admin.post(&comments, mentioning(&[&ben])).await.expect(201);
    app.grant(&ben, &space, Role::Read);
    assert_eq!(unread(&ben).await, 1, "an entry of the time without access is not written");
    let _ = admin.delete(&format!("/v1/spaces/{space}")).await.expect(204);
    assert_eq!(inbox(&ben).await.len(), 0);
}

#[actix_web::test]
async fn old_entries_are_removed_and_lists_take_as_many_statements_for_any_number() {
    let app = start().await;
    let (space, admin) = app.space().await;
    let ben = app.on_space(&space, Some(Role::Read));
    let comments = format!("/v1/spaces/{space}/comments");
    let _ = admin.post(&comments, mentioning(&[&ben])).await.expect(201);
    let _ = inbox(&ben).await;
    let before = app.statements();
    let _ = inbox(&ben).await;
    let one = app.statements() - before;
    for _ in 0..9 {
        let _ = admin.post(&comments, mentioning(&[&ben])).await.expect(201);
    }
    let before = app.statements();
    assert_eq!(inbox(&ben).await.len(), 10);
    assert_eq!((one, app.statements() - before), (3, 3));
    app.clock.advance(60 * DAY);
    let _ = admin.post(&comments, mentioning(&[&ben])).await.expect(201);
    app.clock.advance(31 * DAY);
    quire_worker::jobs::sweep_inbox::run(&app.system).await.unwrap();
    assert_eq!(inbox(&ben).await.len(), 1);
}
