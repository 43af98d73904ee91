//! Custom fields and their values.

use actix_web::test::TestRequest;
use futures_util::future::join_all;
use quire_domain::Role;
use quire_storage::content::store::ContentSelector;
use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};

fn definitions(app: &TestApp) -> String {
    format!("/v1/orgs/{}/custom-fields", app.organization)
}

/// Creates a field of each type in an organization.
async fn each_type(app: &TestApp, admin: &Caller) {
    for (name, field_type) in [("owner", "text"), ("cost", "number"), ("live", "boolean"), ("topics", "tags")]
    {
        admin.post(&definitions(app), json!({"name": name, "type": field_type})).await.expect(201);
    }
    for (name, field_type) in [("status", "select:single"), ("regions", "select:multi")] {
        let body = json!({"name": name, "type": field_type, "options": ["a", "b", "c"]});
        admin.post(&definitions(app), body).await.expect(201);
    }
}

/// Returns the values of a space by field name.
async fn values(caller: &Caller, space: &str) -> Value {
    let fields = caller.get(&format!("/v1/spaces/{space}/custom-fields")).await.expect(200).json;
    let set = fields.as_array().unwrap().iter().filter(|field| field.get("value").is_some());
    set.map(|field| (field["customField"]["name"].as_str().unwrap().to_owned(), field["value"].clone()))
        .collect()
}

#[actix_web::test]
async fn a_field_is_made_read_changed_listed_and_deleted() {
    let app = TestApp::start().await;
    let (admin, reader) = (app.as_role(Role::Admin), app.as_role(Role::Read));
    let body = json!({
        "name": "status", "type": "select:single", "title": "Status", "description": "State of the work",
        "placeholder": "Choose", "options": ["draft", "done"],
    });
    let made = admin.post(&definitions(&app), body).await.expect(201);
    let location = made.text("/urls/location");
    assert_eq!(made.header("location"), location);
    assert!(location.ends_with(&format!("{}/status", definitions(&app))), "{location}");
    let now = app.state.storage.clock().now().to_string();
    let expected = json!({
        "id": made.text("/id"), "name": "status", "title": "Status", "description": "State of the work",
        "type": "select:single", "placeholder": "Choose", "options": ["draft", "done"], "createdAt": now,
        "updatedAt": now, "urls": {"location": location}, "permissions": {"view": true, "edit": true},
    });
    assert_eq!(made.json, expected);
    let path = format!("{}/status", definitions(&app));
    let read = reader.get(&path).await.expect(200);
    assert_eq!(read.at("/permissions"), &json!({"view": true, "edit": false}));
    let seen = admin.get(&path).await.expect(200);
    let change = json!({"title": "State", "options": ["draft", "done", "old"]});
    let changed = admin.patch(&path, change.clone()).await.expect(200);
    assert_eq!(
        (changed.text("/title"), changed.text("/description")),
        ("State".into(), "State of the work".into())
    );
    assert_eq!(changed.at("/options"), &json!(["draft", "done", "old"]));
    let stale = actix_web::test::TestRequest::patch()
        .uri(&path)
        .insert_header(("If-Match", seen.header("etag")))
        .set_json(json!({"title": "Late"}));
    admin.send(stale).await.expect(412);
    let plain = admin.post(&definitions(&app), json!({"name": "plain", "type": "text"})).await.expect(201);
    assert_eq!((plain.text("/title"), plain.text("/description")), ("plain".into(), String::new()));
    assert_eq!(plain.json.get("options"), None);
    let list = reader.get(&definitions(&app)).await.expect(200);
    assert_eq!((list.at("/count"), list.text("/items/0/name")), (&json!(2), "plain".into()));
    admin.delete(&path).await.expect(204);
    admin.delete(&path).await.expect(404);
    reader.get(&path).await.expect(404);
}

#[actix_web::test]
async fn wrong_fields_are_named() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    each_type(&app, &admin).await;
    let bodies = [
        (json!({"name": "a", "type": "text", "options": ["x"]}), "options"),
        (json!({"name": "a", "type": "select:multi"}), "options"),
        (json!({"name": "a", "type": "select:multi", "options": ["x", "x"]}), "options"),
        (json!({"name": "A", "type": "text"}), "name"),
        (json!({"name": "a", "type": "date"}), "type"),
    ];
    for (body, field) in bodies {
        let refused = admin.post(&definitions(&app), body).await.expect(400);
        assert_eq!(refused.fields(), [field]);
    }
    let taken = admin.post(&definitions(&app), json!({"name": "owner", "type": "tags"})).await.expect(409);
    assert_eq!(taken.reason(), "name-taken");
    let refused =
        admin.patch(&format!("{}/owner", definitions(&app)), json!({"options": ["x"]})).await.expect(400);
    assert_eq!(refused.fields(), ["options"]);
}

#[actix_web::test]
async fn values_of_each_type_are_set_read_and_unset() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    each_type(&app, &admin).await;
    let path = format!("/v1/spaces/{space}/custom-fields");
    let editor = app.on_space(&space, Some(Role::Edit));
    assert_eq!(values(&editor, &space).await, json!({}));
    let set = json!({
        "owner": {"value": "Ada"}, "cost": {"value": 12.5}, "live": {"value": false}, "topics": {"value": ["x", "y"]},
        "status": {"value": "b"}, "regions": {"value": ["c", "a"]},
    });
    let answer = editor.patch(&path, json!({"values": set})).await.expect(204);
    assert!(answer.bytes.is_empty());
    let expected = json!({"owner": "Ada", "cost": 12.5, "live": false, "topics": ["x", "y"], "status": "b", "regions": ["c", "a"]});
    assert_eq!(values(&editor, &space).await, expected);
    let all = app.on_space(&space, Some(Role::Read)).get(&path).await.expect(200);
    assert_eq!(all.text("/0/customField/name"), "regions");
    assert_eq!(all.at("/0/customField/permissions"), &json!({"view": true, "edit": false}));
    editor
        .patch(&path, json!({"values": {"owner": {"value": null}, "cost": {"value": 3}}}))
        .await
        .expect(204);
    let left = values(&editor, &space).await;
    assert_eq!((left.get("owner"), left["cost"].clone()), (None, json!(3)));
}

#[actix_web::test]
async fn values_are_set_all_or_none() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    each_type(&app, &admin).await;
    let path = format!("/v1/spaces/{space}/custom-fields");
    let wrong = json!({
        "owner": {"value": "Ada"}, "cost": {"value": "much"}, "nothing": {"value": 1}, "status": {"value": "z"},
        "topics": {"value": ["x", "x"]},
    });
    let refused = admin.patch(&path, json!({"values": wrong})).await.expect(400);
    assert_eq!(
        refused.fields(),
        ["values.cost.value", "values.nothing", "values.status.value", "values.topics.value"]
    );
    assert_eq!(values(&admin, &space).await, json!({}));
    let shapes = [
        (json!({"values": {}}), "values"),
        (json!({"values": {"owner": {}}}), "values.owner.value"),
        (json!({"values": {"owner": "Ada"}}), "values.owner"),
        (json!({"values": {"owner": {"value": {"a": 1}}}}), "values.owner.value"),
        (json!({}), "values"),
    ];
    for (body, field) in shapes {
        let refused = admin.patch(&path, body.clone()).await.expect(400);
        assert_eq!(refused.fields(), [field], "{body}");
    }
}

#[actix_web::test]
async fn what_is_in_use_stays_and_what_is_deleted_goes() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    each_type(&app, &admin).await;
    let path = format!("/v1/spaces/{space}/custom-fields");
    let set = json!({"status": {"value": "b"}, "regions": {"value": ["a", "c"]}});
    admin.patch(&path, json!({"values": set})).await.expect(204);
    for (name, options) in [("status", json!(["a"])), ("regions", json!(["a", "b"]))] {
        let field = format!("{}/{name}", definitions(&app));
        let refused = admin.patch(&field, json!({"options": options})).await.expect(409);
        assert_eq!(refused.reason(), "option-in-use");
    }
    admin.patch(&format!("{}/status", definitions(&app)), json!({"options": ["b", "d"]})).await.expect(200);
    admin.delete(&format!("{}/status", definitions(&app))).await.expect(204);
    assert_eq!(values(&admin, &space).await, json!({"regions": ["a", "c"]}));
    let again = json!({"name": "status", "type": "text"});
    admin.post(&definitions(&app), again).await.expect(201);
    assert_eq!(values(&admin, &space).await, json!({"regions": ["a", "c"]}));
}

#[actix_web::test]
async fn a_change_of_values_is_listed_with_the_next_revision() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    each_type(&app, &admin).await;
    let path = format!("/v1/spaces/{space}/custom-fields");
    let id = space.parse().unwrap();
    let edit = |title: &'static str| {
        app.edit(&admin, id, ContentSelector::Space, |content| content.page(None, title, "Text.")).0
    };
    let changes = async |revision| {
        let path = format!("/v1/spaces/{space}/revisions/{revision}/changes");
        admin.get(&path).await.expect(200)
    };
    let first = edit("One");
    for value in ["Ada", "Bob"] {
        admin.patch(&path, json!({"values": {"owner": {"value": value}}})).await.expect(204);
    }
    admin.patch(&path, json!({"values": {"cost": {"value": 1}}})).await.expect(204);
    admin.patch(&path, json!({"values": {"cost": {"value": null}}})).await.expect(204);
    let second = edit("Two");
    admin
        .patch(&path, json!({"values": {"owner": {"value": null}, "live": {"value": true}}}))
        .await
        .expect(204);
    let third = edit("Three");
    assert!(!String::from_utf8_lossy(&changes(first).await.bytes).contains("custom_fields_edited"));
    let listed = changes(second).await;
    assert_eq!(listed.text("/changes/0/type"), "page_created");
    let edited =
        json!({"type": "custom_fields_edited", "customFields": {"after": {"owner": {"value": "Bob"}}}});
    assert_eq!(listed.at("/changes/1"), &edited);
    let edited = json!({
        "type": "custom_fields_edited",
        "customFields": {"before": {"owner": {"value": "Bob"}}, "after": {"live": {"value": true}}},
    });
    assert_eq!(changes(third).await.at("/changes/1"), &edited);
    let limited =
        admin.get(&format!("/v1/spaces/{space}/revisions/{third}/changes?limit=1")).await.expect(200);
    assert_eq!(limited.at("/more"), &json!(1));
    // Neither a change request nor its revisions change values.
    let request = app.create_change_request(&admin, id);
    let selector = ContentSelector::ChangeRequest(
        quire_storage::content::change_requests::ChangeRequestKey::Id(request),
    );
    admin.patch(&path, json!({"values": {"owner": {"value": "Cy"}}})).await.expect(204);
    let copy = app.edit(&admin, id, selector, |content| content.page(None, "Four", "Text.")).0;
    assert!(!String::from_utf8_lossy(&changes(copy).await.bytes).contains("custom_fields_edited"));
    admin.delete(&format!("{}/owner", definitions(&app))).await.expect(204);
    let listed = changes(edit("Five")).await;
    assert_eq!(
        listed.at("/changes").as_array().unwrap().len(),
        1,
        "set and deleted under one revision: {}",
        listed.json
    );
}

#[actix_web::test]
async fn roles_decide() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    each_type(&app, &admin).await;
    let path = format!("/v1/spaces/{space}/custom-fields");
    let body = json!({"values": {"owner": {"value": "Ada"}}});
    for role in [Role::Read, Role::Comment] {
        app.on_space(&space, Some(role)).patch(&path, body.clone()).await.expect(403);
    }
    app.on_space(&space, Some(Role::Edit)).patch(&path, body.clone()).await.expect(204);
    app.stranger().patch(&path, body.clone()).await.expect(404);
    app.stranger().get(&path).await.expect(404);
    app.anonymous().get(&path).await.expect(401);
    let guest = app.member_of(app.organization, None);
    guest.get(&definitions(&app)).await.expect(403);
    guest.get(&format!("{}/owner", definitions(&app))).await.expect(403);
    guest.get(&format!("{}/absent", definitions(&app))).await.expect(403);
    let creator = app.as_role(Role::Create);
    creator.post(&definitions(&app), json!({"name": "x", "type": "text"})).await.expect(403);
    creator.delete(&format!("{}/owner", definitions(&app))).await.expect(403);
}

#[actix_web::test]
async fn a_list_is_walked_and_costs_the_same_however_long() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    admin.post(&definitions(&app), json!({"name": "first", "type": "text"})).await.expect(201);
    let space_fields = format!("/v1/spaces/{space}/custom-fields");
    let costs = async || {
        let before = app.statements();
        admin.get(&definitions(&app)).await.expect(200);
        admin.get(&space_fields).await.expect(200);
        app.statements() - before
    };
    let one = costs().await;
    each_type(&app, &admin).await;
    assert_eq!(costs().await, one);
    let mut seen = Vec::new();
    let mut path = format!("{}?limit=1", definitions(&app));
    loop {
        let page = admin.get(&path).await.expect(200);
        assert_eq!(page.at("/count"), &json!(7));
        seen.push(page.text("/items/0/name"));
        let Some(next) = page.json.pointer("/next/page") else { break };
        path = format!("{}?limit=1&page={}", definitions(&app), next.as_str().unwrap());
    }
    assert_eq!(seen, ["regions", "status", "topics", "live", "cost", "owner", "first"]);
}

#[actix_web::test]
async fn callers_who_collide_leave_one_truth() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let body = json!({"name": "status", "type": "select:single", "options": ["a", "b"]});
    let all = definitions(&app);
    let made = join_all((0..4).map(|_| admin.post(&all, body.clone()))).await;
    assert_eq!(made.iter().filter(|answer| answer.status == 201).count(), 1);
    assert!(made.iter().all(|answer| matches!(answer.status.as_u16(), 201 | 409)));
    let path = format!("/v1/spaces/{space}/custom-fields");
    let field = format!("{}/status", definitions(&app));
    let (set, narrowed) = futures_util::future::join(
        admin.patch(&path, json!({"values": {"status": {"value": "b"}}})),
        admin.patch(&field, json!({"options": ["a"]})),
    )
    .await;
    let in_use = values(&admin, &space).await == json!({"status": "b"});
    let expected = if in_use { (204, 409) } else { (400, 200) };
    assert_eq!((set.status.as_u16(), narrowed.status.as_u16()), expected);
}

#[actix_web::test]
async fn a_duplicate_has_the_values_and_a_space_that_is_transferred_leaves_them() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    each_type(&app, &admin).await;
    let path = format!("/v1/spaces/{space}");
    admin
        .patch(&format!("{path}/custom-fields"), json!({"values": {"owner": {"value": "Ada"}}}))
        .await
        .expect(204);
    let copy = admin.post(&format!("{path}/duplicate"), json!({})).await.expect(201).text("/id");
    assert_eq!(values(&admin, &copy).await, json!({"owner": "Ada"}));

    let elsewhere = admin.post("/v1/orgs", json!({"title": "Elsewhere"})).await.expect(201).text("/id");
    let _ = admin.post(&format!("{path}/transfer"), json!({"organization": elsewhere})).await.expect(200);
    assert_eq!(values(&admin, &space).await, json!({}));
    assert_eq!(values(&admin, &copy).await, json!({"owner": "Ada"}));
}

#[actix_web::test]
async fn of_two_who_have_seen_the_same_values_one_sets_them() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    admin.post(&definitions(&app), json!({"name": "owner", "type": "text"})).await.expect(201);
    let path = format!("/v1/spaces/{space}/custom-fields");
    let seen = admin.get(&path).await.expect(200);
    let set = |value: &str| {
        let request = TestRequest::patch().uri(&path).insert_header(("If-Match", seen.header("etag")));
        admin.send(request.set_json(json!({"values": {"owner": {"value": value}}})))
    };
    let lock = format!("SELECT 1 FROM spaces WHERE id = '{space}' FOR UPDATE");
    let answers = app.while_locked(&lock, 2, join_all(["Ada", "Eve"].map(set))).await;
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 412]);
}
