//! Translation settings, SAML providers and login options.

use diesel::connection::SimpleConnection as _;
use quire_domain::Role;
use quire_test_support::TestApp;
use serde_json::{Value, json};

const CERTIFICATE: &str = include_str!("fixtures/identity-provider.pem");

fn of(app: &TestApp, part: &str) -> String {
    format!("/v1/orgs/{}/{part}", app.organization)
}

/// Inserts a team with one member and no grants, without the API.
fn team(app: &TestApp, owner: quire_domain::ids::UserId) -> String {
    let id = uuid::Uuid::new_v4().to_string();
    let sql = format!(
        "INSERT INTO teams (organization_id, id, title, created_at) VALUES ('{0}', '{id}', 'Writers', '2026-01-01T00:00:00Z'); \
         INSERT INTO team_members (organization_id, team_id, user_id, role) VALUES ('{0}', '{id}', '{owner}', 'owner')",
        app.organization
    );
    app.connection().batch_execute(&sql).unwrap();
    id
}

#[actix_web::test]
async fn translation_settings_live() {
    let app = TestApp::start().await;
    let (creator, reader) = (app.as_role(Role::Create), app.as_role(Role::Read));
    let made = creator.post(&of(&app, "translations"), json!({"title": "Web"})).await.expect(201);
    let id = made.text("/id");
    let now = app.state.storage.clock().now().to_string();
    let location = made.text("/urls/location");
    assert_eq!(made.header("location"), location);
    assert_eq!(
        made.json,
        json!({
            "object": "translation-settings", "id": id, "title": "Web", "languages": [], "createdAt": now, "updatedAt": now,
            "permissions": {"view": true, "edit": true}, "urls": {"location": location},
        })
    );
    let path = of(&app, &format!("translations/{id}"));
    let changed = creator.put(&path, json!({"title": "Docs", "languages": ["fr", "de"]})).await.expect(200);
    assert_eq!((changed.text("/title"), changed.at("/languages")), ("Docs".into(), &json!(["fr", "de"])));
    let kept = creator.put(&path, json!({"title": "Guides"})).await.expect(200);
    assert_eq!(kept.at("/languages"), &json!(["fr", "de"]));
    assert_eq!(reader.get(&path).await.expect(200).at("/permissions"), &json!({"view": true, "edit": false}));
    reader.put(&path, json!({"title": "Mine"})).await.expect(403);
    let list = reader.get(&of(&app, "translations")).await.expect(200);
    assert_eq!((list.at("/count"), list.text("/items/0/title")), (&json!(1), "Guides".into()));
    creator.delete(&path).await.expect(204);
    creator.delete(&path).await.expect(404);
}

#[actix_web::test]
async fn translation_settings_refuse_what_is_no_language() {
    let app = TestApp::start().await;
    let creator = app.as_role(Role::Create);
    let bodies = [
        (json!({"title": "Web", "languages": ["fr", "fr"]}), "languages"),
        (json!({"title": "Web", "languages": ["xx"]}), "languages[0]"),
        (json!({"title": ""}), "title"),
        (json!({"languages": ["fr"]}), "title"),
    ];
    for (body, field) in bodies {
        let refused = creator.post(&of(&app, "translations"), body).await.expect(400);
        assert_eq!(refused.fields(), [field]);
    }
}

#[actix_web::test]
async fn a_saml_provider_is_pending_until_it_says_all() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let made = admin.post(&of(&app, "saml"), json!({"label": "Acme"})).await.expect(201);
    let id = made.text("/id");
    let base = app.state.urls.base().to_owned();
    let path = of(&app, &format!("saml/{id}"));
    assert_eq!(
        made.json,
        json!({
            "object": "saml-provider", "id": id, "label": "Acme", "defaultRole": null, "claimRules": [], "status": "pending",
            "createdAt": app.state.storage.clock().now().to_string(),
            "service": {
                "acsURL": format!("{base}/saml/{id}/acs"), "startURL": format!("{base}/saml/{id}/login"),
                "entityID": format!("{base}/saml/{id}/metadata"),
            },
            "urls": {"location": format!("{base}{path}")},
        })
    );
    let member = app.member_of(app.organization, None);
    assert_eq!(member.get(&of(&app, "sso")).await.expect(200).json, json!({"items": []}));
    let team = team(&app, admin.user());
    let rest = json!({
        "entityID": "https://idp.example.com", "ssoURL": "https://idp.example.com/login", "certificate": CERTIFICATE,
        "defaultTeam": team, "defaultRole": "comment",
    });
    let changed = admin.patch(&path, rest).await.expect(200);
    assert_eq!(
        (changed.text("/status"), changed.text("/certificate")),
        ("active".into(), CERTIFICATE.into())
    );
    assert_eq!(changed.text("/defaultRole"), "comment");
    let expected = json!({
        "object": "team", "id": team, "title": "Writers", "members": 1, "spaces": 0,
        "createdAt": "2026-01-01T00:00:00.000Z", "permissions": {"admin": true, "view": true},
    });
    assert_eq!(changed.at("/defaultTeam"), &expected);
    assert_eq!(admin.get(&path).await.expect(200).json, changed.json);
    assert_eq!(admin.get(&of(&app, "saml")).await.expect(200).at("/items/0"), &changed.json);
    let logins = member.get(&of(&app, "sso")).await.expect(200);
    let login = json!({"id": id, "label": "Acme", "startURL": changed.text("/service/startURL")});
    assert_eq!(logins.json, json!({"items": [login]}));
    let cleared = admin.patch(&path, json!({"defaultTeam": null, "defaultRole": null})).await.expect(200);
    assert_eq!((cleared.json.get("defaultTeam"), cleared.at("/defaultRole")), (None, &Value::Null));
    admin.delete(&path).await.expect(204);
    admin.get(&path).await.expect(404);
}

#[actix_web::test]
async fn wrong_parts_of_a_saml_provider_are_named() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let elsewhere = team(&app, admin.user()).replace(|c: char| c.is_ascii_digit(), "a");
    let bare: String = CERTIFICATE.lines().filter(|line| !line.starts_with('-')).collect();
    let path = of(&app, "saml");
    admin.post(&path, json!({"label": "Acme", "certificate": bare})).await.expect(201);
    let bodies = [
        (json!({"label": "a".repeat(31)}), "label"),
        (json!({"label": "A", "certificate": "no certificate"}), "certificate"),
        (json!({"label": "A", "certificate": CERTIFICATE.replace("MII", "MIX")}), "certificate"),
        (json!({"label": "A", "ssoURL": "ftp://idp.example.com"}), "ssoURL"),
        (json!({"label": "A", "ssoURL": "login"}), "ssoURL"),
        (json!({"label": "A", "entityID": "a".repeat(1025)}), "entityID"),
        (json!({"label": "A", "defaultTeam": elsewhere}), "defaultTeam"),
        (json!({"label": "A", "defaultRole": "owner"}), "defaultRole"),
    ];
    for (body, field) in bodies {
        let refused = admin.post(&path, body.clone()).await.expect(400);
        assert_eq!(refused.fields(), [field], "{body}");
    }
    assert_eq!(admin.get(&path).await.expect(200).at("/count"), &json!(1), "nothing half-written");
}

#[actix_web::test]
async fn a_default_team_that_goes_leaves_the_provider() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let team = team(&app, admin.user());
    let made = admin.post(&of(&app, "saml"), json!({"label": "A", "defaultTeam": team})).await.expect(201);
    app.connection().batch_execute(&format!("DELETE FROM teams WHERE id = '{team}'")).unwrap();
    let left = admin.get(&of(&app, &format!("saml/{}", made.text("/id")))).await.expect(200);
    assert_eq!(left.json.get("defaultTeam"), None);
}

#[actix_web::test]
async fn a_default_team_has_the_counts_that_it_has_by_itself() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let team = team(&app, admin.user());
    let collection = app.collection(app.organization);
    let grant = json!({"teams": [team], "role": "edit"});
    let _ = admin.post(&format!("/v1/collections/{collection}/permissions"), grant).await.expect(204);
    // The collection has two spaces, one of which is deleted.
    for deleted in [false, true] {
        let space =
            admin.post(&of(&app, "spaces"), json!({"parent": collection})).await.expect(201).text("/id");
        if deleted {
            let _ = admin.delete(&format!("/v1/spaces/{space}")).await.expect(204);
        }
    }
    let made = admin.post(&of(&app, "saml"), json!({"label": "A", "defaultTeam": team})).await.expect(201);
    let itself = admin.get(&of(&app, &format!("teams/{team}"))).await.expect(200);
    assert_eq!((made.at("/defaultTeam"), itself.at("/spaces")), (&itself.json, &json!(1)));
}

#[actix_web::test]
async fn only_admins_see_saml_providers() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let made = admin.post(&of(&app, "saml"), json!({"label": "A"})).await.expect(201);
    let path = of(&app, &format!("saml/{}", made.text("/id")));
    let absent = of(&app, "saml/0190a5d2-7c1e-7000-8000-000000000001");
    let creator = app.as_role(Role::Create);
    for path in [&path, &absent] {
        // A caller who may not see any settings gets 403.
        creator.get(path).await.expect(403);
    }
    creator.get(&of(&app, "saml")).await.expect(403);
    app.stranger().get(&path).await.expect(404);
    app.stranger().get(&of(&app, "sso")).await.expect(404);
    app.anonymous().get(&of(&app, "sso")).await.expect(401);
}

#[actix_web::test]
async fn lists_are_walked_and_cost_the_same_however_long() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    for (part, key) in [("saml", "label"), ("translations", "title")] {
        let path = of(&app, part);
        admin.post(&path, json!({key: "0"})).await.expect(201);
        let cost = async || {
            let before = app.statements();
            admin.get(&path).await.expect(200);
            app.statements() - before
        };
        let one = cost().await;
        for name in ["1", "2", "3"] {
            admin.post(&path, json!({key: name})).await.expect(201);
        }
        assert_eq!(cost().await, one, "{part}");
        let (mut seen, mut next) = (Vec::new(), String::new());
        loop {
            let page = admin.get(&format!("{path}?limit=1{next}")).await.expect(200);
            seen.push(page.text(&format!("/items/0/{key}")));
            let Some(cursor) = page.json.pointer("/next/page") else { break };
            next = format!("&page={}", cursor.as_str().unwrap());
        }
        assert_eq!(seen, ["3", "2", "1", "0"], "{part}");
    }
}
