//! Spaces and organizations.

use quire_domain::Role;
use quire_test_support::TestApp;
use serde_json::json;

#[actix_web::test]
async fn a_space_is_made_read_changed_and_listed() {
    let app = TestApp::start().await;
    let (creator, reader) = (app.as_role(Role::Create), app.as_role(Role::Read));
    let spaces = format!("/v1/orgs/{}/spaces", app.organization);
    let made = creator.post(&spaces, json!({"title": "Guide", "emoji": "📘"})).await.expect(201);
    let id = made.text("/id");
    assert_eq!(made.header("location"), made.text("/urls/location"));
    assert_eq!((made.text("/title"), made.text("/emoji")), ("Guide".to_owned(), "📘".to_owned()));
    let path = format!("/v1/spaces/{id}");
    let read = reader.get(&path).await.expect(200);
    assert_eq!(read.at("/permissions/edit"), &json!(false));
    assert_eq!(read.at("/permissions/view"), &json!(true));
    reader.patch(&path, json!({"title": "Mine"})).await.expect(403);
    let admin = app.as_role(Role::Admin);
    let changed = admin.patch(&path, json!({"title": "Handbook", "editMode": "locked"})).await.expect(200);
    assert_eq!(
        (changed.text("/title"), changed.text("/editMode")),
        ("Handbook".to_owned(), "locked".to_owned())
    );
    let list = reader.get(&spaces).await.expect(200);
    assert_eq!(list.at("/count"), &json!(1));
    assert_eq!(list.text("/items/0/title"), "Handbook");
    assert_eq!(list.json.get("next"), None);
}

#[actix_web::test]
async fn a_space_is_made_with_its_edit_mode_and_language() {
    let app = TestApp::start().await;
    let creator = app.as_role(Role::Create);
    let spaces = format!("/v1/orgs/{}/spaces", app.organization);
    let body = json!({"editMode": "locked", "language": "de"});
    let made = creator.post(&spaces, body).await.expect(201);
    assert_eq!((made.text("/editMode"), made.text("/language")), ("locked".to_owned(), "de".to_owned()));
    for (body, field) in [
        (json!({"editMode": "frozen"}), "editMode"),
        (json!({"editMode": null}), "editMode"),
        (json!({"language": "xx"}), "language"),
    ] {
        assert_eq!(creator.post(&spaces, body).await.expect(400).fields(), [field]);
    }
}

#[actix_web::test]
async fn what_is_not_visible_answers_like_what_does_not_exist() {
    let app = TestApp::start().await;
    let spaces = format!("/v1/orgs/{}/spaces", app.organization);
    let made = app.as_role(Role::Create).post(&spaces, json!({})).await.expect(201);
    let stranger = app.stranger();
    let hidden = stranger.get(&format!("/v1/spaces/{}", made.text("/id"))).await.expect(404);
    let absent = stranger.get("/v1/spaces/0190a5d2-7c1e-7000-8000-000000000001").await.expect(404);
    let impossible = stranger.get("/v1/spaces/nonsense").await.expect(404);
    assert_eq!(hidden.bytes, absent.bytes);
    assert_eq!(hidden.bytes, impossible.bytes);
    app.anonymous().get("/v1/spaces/nonsense").await.expect(401);
    let unknown = stranger.with_token(&format!("qr_{}", "a".repeat(43)));
    for path in ["/v1/spaces/nonsense", "/v1/orgs?limit=0", &format!("/v1/spaces/{}", made.text("/id"))] {
        let refused = unknown.get(path).await.expect(401);
        assert_eq!(refused.header("www-authenticate"), "Bearer");
    }
}

#[actix_web::test]
async fn a_space_costs_one_statement_and_a_list_the_same_for_any_length() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Create);
    let spaces = format!("/v1/orgs/{}/spaces", app.organization);
    let id = admin.post(&spaces, json!({})).await.expect(201).text("/id");
    let count = async |path: &str| {
        let before = app.statements();
        admin.get(path).await.expect(200);
        app.statements() - before
    };
    assert_eq!(count(&format!("/v1/spaces/{id}")).await, 1);
    let one = count(&spaces).await;
    for _ in 0..100 {
        admin.post(&spaces, json!({})).await.expect(201);
    }
    let all = format!("{spaces}?limit=100");
    assert_eq!((one, count(&all).await), (3, 3));
}

#[actix_web::test]
async fn an_icon_replaces_the_emoji() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let path = format!("/v1/spaces/{space}");
    let icon = "https://example.com/icon.png";
    let set = admin.patch(&path, json!({"icon": icon})).await.expect(200);
    assert_eq!((set.text("/urls/icon"), set.text("/emoji")), (icon.to_owned(), "📄".to_owned()));
    assert_eq!(admin.get(&path).await.expect(200).json, set.json);
    let copy = admin.post_empty(&format!("{path}/duplicate")).await.expect(201);
    assert_eq!(copy.text("/urls/icon"), icon);
    assert_eq!(admin.patch(&path, json!({"title": "Named"})).await.expect(200).text("/urls/icon"), icon);
    let emoji = admin.patch(&path, json!({"emoji": "📘"})).await.expect(200);
    assert_eq!((emoji.text("/emoji"), emoji.json.pointer("/urls/icon")), ("📘".to_owned(), None));
    admin.patch(&path, json!({"icon": icon, "emoji": null})).await.expect(200);
    let cleared = admin.patch(&path, json!({"icon": null, "emoji": null})).await.expect(200);
    assert_eq!((cleared.text("/emoji"), cleared.json.pointer("/urls/icon")), ("📄".to_owned(), None));
    for body in [json!({"icon": icon, "emoji": "📘"}), json!({"icon": "x"}), json!({"icon": 1})] {
        assert_eq!(admin.patch(&path, body.clone()).await.expect(400).fields(), ["icon"], "{body}");
    }
}

#[actix_web::test]
async fn a_space_has_a_language() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let path = format!("/v1/spaces/{space}");
    assert_eq!(admin.get(&path).await.expect(200).json.get("language"), None);
    let set = admin.patch(&path, json!({"language": "pt-br"})).await.expect(200);
    assert_eq!(set.text("/language"), "pt-br");
    assert_eq!(admin.patch(&path, json!({"title": "Guia"})).await.expect(200).text("/language"), "pt-br");
    let copy = admin.post_empty(&format!("{path}/duplicate")).await.expect(201);
    assert_eq!(copy.text("/language"), "pt-br");
    assert_eq!(admin.patch(&path, json!({"language": "xx"})).await.expect(400).fields(), ["language"]);
    let cleared = admin.patch(&path, json!({"language": null})).await.expect(200);
    assert_eq!(cleared.json.get("language"), None);
}
