//! Grants of roles on spaces and collections.

use diesel::connection::SimpleConnection as _;
use quire_domain::Role;
use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};

const UNKNOWN: &str = "0197f1d0-0000-7000-8000-0000000000ff";

async fn team(app: &TestApp, admin: &Caller, members: &[&Caller]) -> String {
    let members: Vec<String> = members.iter().map(|member| member.user().to_string()).collect();
    let teams = format!("/v1/orgs/{}/teams", app.organization);
    let count = admin.get(&teams).await.expect(200).at("/count").clone();
    let team = json!({"title": format!("Team {count}"), "members": members});
    admin.put(&teams, team).await.expect(201).text("/id")
}

fn put_into(app: &TestApp, space: &str, collection: &str) {
    let update = format!("UPDATE spaces SET collection_id = '{collection}' WHERE id = '{space}'");
    app.connection().batch_execute(&update).unwrap();
}

#[actix_web::test]
async fn users_and_teams_are_granted_roles_that_count_at_once() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let path = format!("/v1/spaces/{space}");
    let permissions = format!("{path}/permissions");
    let (guest, other) = (app.member_of(app.organization, None), app.member_of(app.organization, None));
    let team = team(&app, &admin, &[&other]).await;
    guest.get(&path).await.expect(404);
    other.get(&path).await.expect(404);

    let body = json!({"users": [guest.user(), guest.user()], "teams": [team], "role": "comment"});
    let answer = admin.post(&permissions, body).await.expect(204);
    assert!(answer.bytes.is_empty());
    for caller in [&guest, &other] {
        assert_eq!(caller.get(&path).await.expect(200).at("/permissions/comment"), &json!(true));
    }
    let users = admin.get(&format!("{permissions}/users")).await.expect(200);
    assert_eq!(users.at("/count"), &json!(1));
    let user = users.at("/items/0");
    assert_eq!((&user["permission"], &user["user"]["id"]), (&json!("comment"), &json!(guest.user())));
    assert_eq!(user["user"]["object"], "user");
    let teams = admin.get(&format!("{permissions}/teams")).await.expect(200);
    let listed = teams.at("/items/0");
    assert_eq!((&listed["permission"], &listed["team"]["id"]), (&json!("comment"), &json!(team)));
    assert_eq!((&listed["team"]["members"], &listed["team"]["spaces"]), (&json!(2), &json!(1)));
    assert_eq!(listed["team"]["permissions"], json!({"admin": true, "view": true}));

    let of_user = format!("{permissions}/users/{}", guest.user());
    admin.patch(&of_user, json!({"role": "edit"})).await.expect(204);
    admin.patch(&of_user, json!({})).await.expect(204);
    assert_eq!(guest.get(&path).await.expect(200).at("/permissions/edit"), &json!(true));
    admin.patch(&of_user, json!({"role": null})).await.expect(204);
    guest.get(&path).await.expect(404);
    for refused in
        [admin.patch(&of_user, json!({"role": "edit"})).await, admin.patch(&of_user, json!({})).await]
    {
        refused.expect(404);
    }
    admin.delete(&of_user).await.expect(404);
    admin.delete(&format!("{permissions}/teams/{team}")).await.expect(204);
    other.get(&path).await.expect(404);
    let all = json!({"users": [guest.user()], "role": "read"});
    admin.post(&permissions, all).await.expect(204);
    admin.post(&permissions, json!({"users": [guest.user()], "role": null})).await.expect(204);
    guest.get(&path).await.expect(404);
}

#[actix_web::test]
async fn users_outside_of_the_organization_are_named_and_no_grant_is_made() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let permissions = format!("/v1/spaces/{space}/permissions");
    let (member, stranger) = (app.as_role(Role::Read), app.stranger());
    let elsewhere = app.create_organization("Elsewhere");
    let foreign = app.member_of(elsewhere, Some(Role::Admin));
    let teams = format!("/v1/orgs/{elsewhere}/teams");
    let foreign_team = foreign.put(&teams, json!({"title": "T"})).await.expect(201).text("/id");
    let body = json!({
        "users": [member.user(), stranger.user(), foreign.user(), UNKNOWN], "teams": [foreign_team], "role": "edit"
    });
    let refused = admin.post(&permissions, body).await.expect(400);
    assert_eq!(refused.fields(), ["users[1]", "users[2]", "users[3]", "teams[0]"]);
    for body in
        [json!({"role": "edit"}), json!({"users": [], "role": "edit"}), json!({"users": [member.user()]})]
    {
        admin.post(&permissions, body).await.expect(400);
    }
    assert_eq!(admin.get(&format!("{permissions}/users")).await.expect(200).at("/count"), &json!(0));
}

#[actix_web::test]
async fn a_collection_grants_on_what_it_holds_unless_the_space_says_else() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let collection = app.collection(app.organization);
    put_into(&app, &space, &collection);
    let guest = app.member_of(app.organization, None);
    let (path, above) = (format!("/v1/spaces/{space}"), format!("/v1/collections/{collection}/permissions"));
    let grant = |role: &str| json!({"users": [guest.user()], "role": role});
    admin.post(&above, grant("edit")).await.expect(204);
    assert_eq!(guest.get(&path).await.expect(200).at("/permissions/edit"), &json!(true));
    admin.post(&format!("{path}/permissions"), grant("read")).await.expect(204);
    assert_eq!(guest.get(&path).await.expect(200).at("/permissions/edit"), &json!(false));
    admin.delete(&format!("{path}/permissions/users/{}", guest.user())).await.expect(204);
    assert_eq!(guest.get(&path).await.expect(200).at("/permissions/edit"), &json!(true));
    let listed = admin.get(&format!("{above}/users")).await.expect(200);
    assert_eq!(listed.at("/items/0/permission"), &json!("edit"));
    // An administrator of the collection needs no role in the organization.
    admin.post(&above, grant("admin")).await.expect(204);
    let other = app.member_of(app.organization, None);
    guest.post(&above, json!({"users": [other.user()], "role": "read"})).await.expect(204);
    assert_eq!(guest.get(&format!("{above}/aggregate")).await.expect(200).at("/count"), &json!(3));
}

#[actix_web::test]
async fn everyone_with_a_role_is_listed_wherever_it_comes_from() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let collection = app.collection(app.organization);
    put_into(&app, &space, &collection);
    let permissions = format!("/v1/spaces/{space}/permissions");
    let editor = app.as_role(Role::Edit);
    let [by_grant, by_team, by_collection, nothing, disabled] =
        std::array::from_fn(|_| app.member_of(app.organization, None));
    let team = team(&app, &admin, &[&by_team]).await;
    let body = json!({"users": [by_grant.user(), disabled.user()], "teams": [team], "role": "comment"});
    admin.post(&permissions, body).await.expect(204);
    let above = json!({"users": [by_collection.user()], "role": "review"});
    admin.post(&format!("/v1/collections/{collection}/permissions"), above).await.expect(204);
    let disable =
        format!("UPDATE organization_members SET disabled = true WHERE user_id = '{}'", disabled.user());
    app.connection().batch_execute(&disable).unwrap();

    let mut found = std::collections::BTreeMap::new();
    let mut page = String::new();
    loop {
        let list = admin.get(&format!("{permissions}/aggregate?limit=1{page}")).await.expect(200);
        assert_eq!(list.at("/count"), &json!(5));
        let item = list.at("/items/0").clone();
        let before =
            found.insert(item["user"]["id"].as_str().unwrap().to_owned(), item["permission"].clone());
        assert_eq!(before, None);
        let Some(next) = list.json.pointer("/next/page").and_then(Value::as_str) else { break };
        page = format!("&page={next}");
    }
    let expected = [
        (&admin, "admin"),
        (&editor, "edit"),
        (&by_grant, "comment"),
        (&by_team, "comment"),
        (&by_collection, "review"),
    ];
    let expected = expected.map(|(caller, role)| (caller.user().to_string(), json!(role)));
    assert_eq!(found, expected.into_iter().collect());
    assert!(!found.contains_key(&nothing.user().to_string()));
    let comments = admin.get(&format!("{permissions}/aggregate?role=comment")).await.expect(200);
    assert_eq!(comments.at("/count"), &json!(2));
    // The `create` role on the space permits listing grants; weaker roles do not.
    editor.get(&format!("{permissions}/aggregate")).await.expect(403);
    app.on_space(&space, Some(Role::Create)).get(&format!("{permissions}/teams")).await.expect(200);
}

#[actix_web::test]
async fn lists_of_grants_walk_once_and_cost_the_same_for_any_length() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let permissions = format!("/v1/spaces/{space}/permissions");
    let mut counts = Vec::new();
    for round in 0..2 {
        let users: Vec<_> = (0..1 + round * 20).map(|_| app.as_role(Role::Read).user()).collect();
        let mut teams = Vec::new();
        for _ in 0..1 + round * 5 {
            teams.push(team(&app, &admin, &[]).await);
        }
        admin.post(&permissions, json!({"users": users, "teams": teams, "role": "edit"})).await.expect(204);
        let mut costs = Vec::new();
        for list in ["users", "teams", "aggregate"] {
            let before = app.statements();
            admin.get(&format!("{permissions}/{list}")).await.expect(200);
            costs.push(app.statements() - before);
        }
        counts.push(costs);
    }
    assert_eq!(counts[0], counts[1]);
    for (list, total) in [("users", 22), ("teams", 7)] {
        let mut seen = std::collections::BTreeSet::new();
        let mut page = String::new();
        loop {
            let answer = admin.get(&format!("{permissions}/{list}?limit=5{page}")).await.expect(200);
            assert_eq!(answer.at("/count"), &json!(total));
            for item in answer.at("/items").as_array().unwrap() {
                let holder = item.get("user").or_else(|| item.get("team")).unwrap();
                assert!(seen.insert(holder["id"].as_str().unwrap().to_owned()));
            }
            let Some(next) = answer.json.pointer("/next/page").and_then(Value::as_str) else { break };
            page = format!("&page={next}");
        }
        assert_eq!(seen.len(), total);
    }
}
