//! Teams and their members.

use quire_domain::Role;
use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};

fn teams(app: &TestApp) -> String {
    format!("/v1/orgs/{}/teams", app.organization)
}

async fn address(caller: &Caller) -> String {
    caller.get("/v1/user").await.expect(200).text("/email")
}

async fn make(app: &TestApp, admin: &Caller, title: &str, members: &[&Caller]) -> String {
    let members: Vec<String> = members.iter().map(|member| member.user().to_string()).collect();
    let body = json!({"title": title, "members": members});
    let id = admin.put(&teams(app), body).await.expect(201).text("/id");
    format!("{}/{id}", teams(app))
}

/// Returns the members of a team with their roles.
async fn inside(caller: &Caller, team: &str) -> Vec<(String, String)> {
    let list = caller.get(&format!("{team}/members?limit=1000")).await.expect(200);
    let items = list.at("/items").as_array().unwrap();
    let mut inside: Vec<_> = items
        .iter()
        .map(|item| {
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            (text(&item["organization"]["id"]), text(&item["team"]["role"]))
        })
        .collect();
    inside.sort_unstable();
    inside
}

fn sorted<const N: usize>(expected: [(&Caller, &str); N]) -> Vec<(String, String)> {
    let mut expected: Vec<_> =
        expected.map(|(caller, role)| (caller.user().to_string(), role.to_owned())).into();
    expected.sort_unstable();
    expected
}

#[actix_web::test]
async fn a_team_is_made_read_renamed_and_deleted() {
    let app = TestApp::start().await;
    let (admin, member) = (app.as_role(Role::Admin), app.as_role(Role::Read));
    let body = json!({"title": "Writers", "members": [member.user(), admin.user(), member.user()]});
    let made = admin.put(&teams(&app), body).await.expect(201);
    let path = format!("{}/{}", teams(&app), made.text("/id"));
    assert!(made.header("location").ends_with(&path));
    assert_eq!(made.text("/object"), "team");
    assert_eq!(
        (made.text("/title"), made.at("/members"), made.at("/spaces")),
        ("Writers".to_owned(), &json!(2), &json!(0))
    );
    assert_eq!(made.at("/permissions"), &json!({"admin": true, "view": true}));
    assert_eq!(admin.get(&path).await.expect(200).json, made.json);
    assert_eq!(inside(&member, &path).await, sorted([(&admin, "owner"), (&member, "member")]));
    assert_eq!(member.get(&path).await.expect(200).at("/permissions/admin"), &json!(false));
    let own = format!("/v1/orgs/{}", app.organization);
    assert_eq!(admin.get(&own).await.expect(200).at("/permissions/ownTeam"), &json!(true));
    assert_eq!(member.get(&own).await.expect(200).at("/permissions/ownTeam"), &json!(false));
    assert_eq!(admin.patch(&path, json!({"title": "Editors"})).await.expect(200).text("/title"), "Editors");
    member.patch(&path, json!({"title": "Mine"})).await.expect(403);
    admin.delete(&path).await.expect(204);
    for gone in
        [admin.get(&path).await, admin.delete(&path).await, admin.patch(&path, json!({"title": "x"})).await]
    {
        gone.expect(404);
    }
}

#[actix_web::test]
async fn wrong_teams_are_refused_with_what_is_wrong() {
    let app = TestApp::start().await;
    let (admin, stranger) = (app.as_role(Role::Admin), app.stranger());
    for (body, fields) in [
        (json!({}), vec!["title"]),
        (json!({"title": ""}), vec!["title"]),
        (json!({"title": "a".repeat(65)}), vec!["title"]),
        (json!({"title": "T", "members": ["x"]}), vec!["members[0]"]),
        (json!({"title": "T", "members": [admin.user(), stranger.user()]}), vec!["members[1]"]),
    ] {
        assert_eq!(admin.put(&teams(&app), body.clone()).await.expect(400).fields(), fields, "{body}");
    }
    assert_eq!(admin.get(&teams(&app)).await.expect(200).at("/count"), &json!(0));
    let team = make(&app, &admin, "T", &[]).await;
    let members = format!("{team}/members");
    let unknown = stranger.user().to_string();
    for (body, field) in [
        (json!({"add": [admin.user(), unknown]}), "add[1]".to_owned()),
        (json!({"add": [address(&admin).await, address(&stranger).await]}), "add[1]".to_owned()),
        (json!({"add": ["eve@example.net"]}), "add[0]".to_owned()),
        (json!({"add": ["x"]}), "add[0]".to_owned()),
        (json!({"remove": [admin.user(), "a@b@c"]}), "remove[1]".to_owned()),
        (json!({"remove": [1]}), "remove[0]".to_owned()),
        (json!({"memberships": {unknown.clone(): {"role": "owner"}}}), format!("memberships.{unknown}")),
        (json!({"memberships": {unknown.clone(): {"role": "boss"}}}), format!("memberships.{unknown}.role")),
    ] {
        assert_eq!(admin.put(&members, body.clone()).await.expect(400).fields(), [field], "{body}");
    }
    let no_id = admin.put(&members, json!({"memberships": {"x": {"role": "owner"}}})).await.expect(400);
    assert!(no_id.fields()[0].starts_with("memberships"), "{:?}", no_id.fields());
    admin.put(&format!("{members}/{unknown}"), json!({})).await.expect(404);
    assert_eq!(inside(&admin, &team).await.len(), 1);
}

#[actix_web::test]
async fn teams_are_filtered_by_who_manages_them_and_by_title() {
    let app = TestApp::start().await;
    let (admin, owner, member) = (app.as_role(Role::Admin), app.as_role(Role::Read), app.as_role(Role::Read));
    let first = make(&app, &admin, "100% Writers", &[&member]).await;
    make(&app, &admin, "Editors", &[&member]).await;
    make(&app, &admin, "Readers", &[]).await;
    admin.put(&format!("{first}/members/{}", owner.user()), json!({"role": "owner"})).await.expect(204);
    let titles = async |caller: &Caller, query: &str| {
        let (mut titles, mut page) = (Vec::new(), String::new());
        loop {
            let list = caller.get(&format!("{}?limit=1{query}{page}", teams(&app))).await.expect(200);
            titles.extend(list.at("/items").as_array().unwrap().iter().map(|team| team["title"].clone()));
            let Some(next) = list.json.pointer("/next/page").and_then(Value::as_str) else { break };
            page = format!("&page={next}");
        }
        titles
    };
    assert_eq!(titles(&member, "").await, ["Readers", "Editors", "100% Writers"]);
    assert_eq!(titles(&member, "&title=eDiT").await, ["Editors"]);
    assert_eq!(titles(&member, "&title=%25").await, ["100% Writers"]);
    assert_eq!(titles(&member, &format!("&owner={}", owner.user())).await, ["100% Writers"]);
    assert_eq!(titles(&member, &format!("&owner={}", admin.user())).await.len(), 3);
    assert_eq!(titles(&member, &format!("&owner={}", member.user())).await.len(), 0);
    app.member_of(app.organization, None).get(&teams(&app)).await.expect(403);

    let of_member = format!("/v1/orgs/{}/members/{}/teams", app.organization, member.user());
    let list = owner.get(&of_member).await.expect(200);
    assert_eq!(list.at("/count"), &json!(2));
    assert_eq!(
        (list.text("/items/0/team/title"), list.text("/items/0/member/role")),
        ("Editors".to_owned(), "member".to_owned())
    );
    assert_eq!(owner.get(&format!("{of_member}?title=WRIT")).await.expect(200).at("/count"), &json!(1));
    let of_owner = format!("/v1/orgs/{}/members/{}/teams", app.organization, owner.user());
    let list = owner.get(&of_owner).await.expect(200);
    assert_eq!(list.text("/items/0/member/role"), "owner");
    assert_eq!(list.at("/items/0/team/permissions/admin"), &json!(true));
}

#[actix_web::test]
async fn owners_manage_their_team_and_no_other() {
    let app = TestApp::start().await;
    let (admin, owner, new) = (app.as_role(Role::Admin), app.as_role(Role::Read), app.as_role(Role::Read));
    let team = make(&app, &admin, "Own", &[&owner]).await;
    let other = make(&app, &admin, "Other", &[&owner]).await;
    let members = format!("{team}/members");
    owner.put(&members, json!({"add": [new.user()]})).await.expect(403);
    admin
        .put(&members, json!({"memberships": {owner.user().to_string(): {"role": "owner"}}}))
        .await
        .expect(204);
    owner.put(&members, json!({"add": [new.user(), owner.user()]})).await.expect(204);
    assert_eq!(inside(&owner, &team).await, sorted([(&admin, "owner"), (&owner, "owner"), (&new, "member")]));
    owner.patch(&team, json!({"title": "Renamed"})).await.expect(200);
    let both = json!({"add": [new.user()], "remove": [new.user(), admin.user()]});
    owner.put(&members, both).await.expect(204);
    assert_eq!(inside(&owner, &team).await, sorted([(&owner, "owner")]));
    owner.put(&format!("{members}/{}", new.user()), json!({})).await.expect(204);
    owner.put(&format!("{members}/{}", new.user()), json!({"role": "owner"})).await.expect(204);
    owner.put(&format!("{members}/{}", new.user()), json!({})).await.expect(204);
    assert_eq!(inside(&owner, &team).await, sorted([(&owner, "owner"), (&new, "owner")]));
    owner.delete(&format!("{members}/{}", new.user())).await.expect(204);
    owner.delete(&format!("{members}/{}", new.user())).await.expect(404);
    app.read_only(&owner).patch(&team, json!({"title": "x"})).await.expect(403);
    for refused in [
        owner.patch(&other, json!({"title": "x"})).await,
        owner.delete(&other).await,
        owner.put(&teams(&app), json!({"title": "x"})).await,
    ] {
        refused.expect(403);
    }
    owner.delete(&team).await.expect(204);
}

#[actix_web::test]
async fn members_are_named_by_their_addresses() {
    let app = TestApp::start().await;
    let (admin, one, two) = (app.as_role(Role::Admin), app.as_role(Role::Read), app.as_role(Role::Read));
    let team = make(&app, &admin, "T", &[]).await;
    let members = format!("{team}/members");
    let addresses = [address(&one).await.to_uppercase(), address(&two).await];
    admin.put(&members, json!({"add": [addresses[0], two.user(), addresses[1]]})).await.expect(204);
    assert_eq!(inside(&admin, &team).await, sorted([(&admin, "owner"), (&one, "member"), (&two, "member")]));
    // Addresses of users who are not members are ignored, as are their ids.
    let remove = json!({"remove": [addresses[0], "eve@example.net", address(&app.stranger()).await]});
    admin.put(&members, remove).await.expect(204);
    assert_eq!(inside(&admin, &team).await, sorted([(&admin, "owner"), (&two, "member")]));
}

#[actix_web::test]
async fn a_member_of_a_team_has_both_records() {
    let app = TestApp::start().await;
    let (admin, member) = (app.as_role(Role::Admin), app.as_role(Role::Comment));
    let team = make(&app, &admin, "T", &[&member]).await;
    let (mut seen, mut page) = (Vec::new(), String::new());
    loop {
        let list = member.get(&format!("{team}/members?limit=1{page}")).await.expect(200);
        assert_eq!(
            (list.at("/count"), list.at("/items/0/organization/object")),
            (&json!(2), &json!("member"))
        );
        assert_eq!(list.at("/items/0/permissions/view"), &json!(true));
        assert_eq!(list.at("/items/0/organization/teams"), &json!(1));
        seen.push(list.text("/items/0/organization/id"));
        let Some(next) = list.json.pointer("/next/page").and_then(Value::as_str) else { break };
        page = format!("&page={next}");
    }
    seen.sort_unstable();
    let mut expected = vec![admin.user().to_string(), member.user().to_string()];
    expected.sort_unstable();
    assert_eq!(seen, expected);
}

#[actix_web::test]
async fn what_a_team_has_its_members_have_until_they_leave_it() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let guest = app.member_of(app.organization, None);
    let team = make(&app, &admin, "T", &[&guest]).await;
    let id = team.rsplit('/').next().unwrap();
    let grant = json!({"teams": [id], "role": "review"});
    admin.post(&format!("/v1/spaces/{space}/permissions"), grant).await.expect(204);
    let path = format!("/v1/spaces/{space}");
    assert_eq!(guest.get(&path).await.expect(200).at("/permissions/merge"), &json!(true));
    admin.delete(&format!("{team}/members/{}", guest.user())).await.expect(204);
    guest.get(&path).await.expect(404);
    admin.put(&format!("{team}/members/{}", guest.user()), json!({})).await.expect(204);
    guest.get(&path).await.expect(200);
    admin.delete(&team).await.expect(204);
    guest.get(&path).await.expect(404);
}

#[actix_web::test]
async fn people_who_join_and_leave_at_once_never_break_a_team() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    for _ in 0..5 {
        let member = app.as_role(Role::Read);
        let team = make(&app, &admin, "T", &[]).await;
        let members = format!("{team}/members");
        let add = json!({"add": [member.user()]});
        let leaving = format!("/v1/orgs/{}/members/{}", app.organization, member.user());
        let (added, left, dropped) = futures_util::future::join3(
            admin.put(&members, add),
            member.delete(&leaving),
            admin.delete(&team),
        )
        .await;
        assert!(matches!(added.status.as_u16(), 204 | 400 | 404), "{}", added.status);
        assert_eq!((left.status.as_u16(), dropped.status.as_u16()), (204, 204));
    }
}

#[actix_web::test]
async fn a_title_is_of_one_team_of_the_organization() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let teams = teams(&app);
    let make = async |title: &str| admin.put(&teams, json!({"title": title})).await;
    let first = make("Writers").await.expect(201).text("/id");
    let second = make("Editors").await.expect(201).text("/id");
    let refused = make("Writers").await.expect(409);
    assert_eq!(
        (refused.text("/error/reason"), refused.text("/error/details/0/field")),
        ("name-taken".to_owned(), "title".to_owned())
    );
    let rename = async |team: &str, title: &str| {
        admin.patch(&format!("{teams}/{team}"), json!({"title": title})).await
    };
    rename(&second, "Writers").await.expect(409);
    rename(&first, "Writers").await.expect(200);
    rename(&first, "Authors").await.expect(200);
    rename(&second, "Writers").await.expect(200);

    let (left, right) = tokio::join!(make("Both"), make("Both"));
    let mut statuses = [left.status, right.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409]);
}
