//! Members of organizations.

use std::collections::BTreeSet;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use diesel::connection::SimpleConnection as _;
use hmac::{Hmac, KeyInit as _, Mac as _};
use quire_domain::Role;
use quire_domain::clock::Clock as _;
use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};

fn members(app: &TestApp) -> String {
    format!("/v1/orgs/{}/members", app.organization)
}

fn one(app: &TestApp, caller: &Caller) -> String {
    format!("{}/{}", members(app), caller.user())
}

/// Returns the ids on all pages of a list.
async fn walk(caller: &Caller, list: &str, limit: u16) -> Vec<String> {
    let (mut ids, mut page) = (Vec::new(), String::new());
    loop {
        let join = if list.contains('?') { '&' } else { '?' };
        let answer = caller.get(&format!("{list}{join}limit={limit}{page}")).await.expect(200);
        let items = answer.at("/items").as_array().unwrap();
        ids.extend(items.iter().map(|item| item["id"].as_str().unwrap().to_owned()));
        let Some(next) = answer.json.pointer("/next/page").and_then(Value::as_str) else { break };
        page = format!("&page={next}");
    }
    ids
}

fn ids(callers: &[&Caller]) -> Vec<String> {
    callers.iter().map(|caller| caller.user().to_string()).collect()
}

#[actix_web::test]
async fn members_are_listed_in_either_order_filtered_and_searched() {
    let app = TestApp::start().await;
    let mut people = Vec::new();
    for role in [Some(Role::Admin), Some(Role::Read), None, Some(Role::Read)] {
        app.clock.advance(Duration::from_secs(1));
        people.push(app.member_of(app.organization, role));
    }
    let [admin, reader, guest, other] = people.try_into().ok().unwrap();
    let list = members(&app);
    assert_eq!(walk(&admin, &list, 1).await, ids(&[&other, &guest, &reader, &admin]));
    assert_eq!(walk(&reader, &format!("{list}?order=asc"), 1).await, ids(&[&admin, &reader, &guest, &other]));
    assert_eq!(walk(&admin, &format!("{list}?role=read"), 1).await, ids(&[&other, &reader]));
    assert_eq!(walk(&admin, &format!("{list}?role=guest"), 1).await, ids(&[&guest]));
    guest.get(&list).await.expect(403);

    let rename = format!(
        "UPDATE users SET display_name = '100%_Ada', email = 'Ada.L@Example.com' WHERE id = '{}'",
        reader.user()
    );
    app.connection().batch_execute(&rename).unwrap();
    for (search, found) in
        [("0%25_aDA", 1), ("ada.l@EXAMPLE", 1), ("%25", 1), ("_", 1), ("0%25%25", 0), ("%5C", 0), ("user", 3)]
    {
        let answer = admin.get(&format!("{list}?search={search}")).await.expect(200);
        assert_eq!(answer.at("/count"), &json!(found), "{search}");
    }

    for (wait, member) in [(1, &other), (1, &reader), (1, &admin)] {
        app.clock.advance(Duration::from_secs(wait));
        member.post_empty(&format!("/v1/orgs/{}/ping", app.organization)).await.expect(200);
    }
    assert_eq!(walk(&admin, &format!("{list}?sort=lastSeenAt"), 1).await, ids(&[&admin, &reader, &other]));
    let oldest = format!("{list}?sort=lastSeenAt&order=asc");
    assert_eq!(walk(&admin, &oldest, 2).await, ids(&[&other, &reader, &admin]));
    let next = admin.get(&format!("{oldest}&limit=1")).await.expect(200).text("/next/page");
    let elsewhere = admin.get(&format!("{list}?page={next}")).await.expect(400);
    assert_eq!(elsewhere.fields(), ["page"]);
}

#[actix_web::test]
async fn a_member_has_every_field_and_guests_see_themselves_alone() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let guest = app.member_of(app.organization, None);
    let grant = json!({"users": [guest.user()], "role": "read"});
    admin.post(&format!("/v1/spaces/{space}/permissions"), grant).await.expect(204);
    let teams = format!("/v1/orgs/{}/teams", app.organization);
    let team = json!({"title": "Team", "members": [guest.user()]});
    let _ = admin.put(&teams, team).await.expect(201);
    admin.post(&format!("/v1/orgs/{}/sites", app.organization), json!({})).await.expect(201);
    let member = guest.get(&one(&app, &guest)).await.expect(200);
    assert_eq!(member.text("/object"), "member");
    assert_eq!((member.at("/id"), member.at("/user/id")), (&json!(guest.user()), &json!(guest.user())));
    assert_eq!(
        (member.at("/role"), member.at("/disabled"), member.at("/sso")),
        (&json!(null), &json!(false), &json!(false))
    );
    assert_eq!(member.at("/joinedAt"), &json!(app.clock.now()));
    assert_eq!(member.json.get("lastSeenAt"), None);
    assert_eq!(
        (member.at("/spaces"), member.at("/teams"), member.at("/sites")),
        (&json!(1), &json!(1), &json!(0))
    );
    guest.get(&one(&app, &admin)).await.expect(403);
    app.stranger().get(&one(&app, &guest)).await.expect(404);
    admin.get(&one(&app, &app.stranger())).await.expect(404);

    let sso = admin.post_empty(&format!("{}/sso", one(&app, &guest))).await.expect(200);
    assert_eq!(sso.at("/sso"), &json!(true));
    let changed = admin.patch(&one(&app, &guest), json!({"role": "edit"})).await.expect(200);
    assert_eq!((changed.at("/role"), changed.at("/sites")), (&json!("edit"), &json!(1)));
    assert_eq!(admin.patch(&one(&app, &guest), json!({})).await.expect(200).at("/role"), &json!("edit"));
    assert_eq!(
        admin.patch(&one(&app, &guest), json!({"role": null})).await.expect(200).at("/role"),
        &json!(null)
    );
}

#[actix_web::test]
async fn the_count_of_spaces_is_that_of_the_list_whatever_the_roles_come_from() {
    let app = TestApp::start().await;
    let (open, admin) = app.space().await;
    let spaces = format!("/v1/orgs/{}/spaces", app.organization);
    let mut closed = Vec::new();
    for _ in 0..4 {
        let id = admin.post(&spaces, json!({})).await.expect(201).text("/id");
        let _ = admin.patch(&format!("/v1/spaces/{id}"), json!({"defaultLevel": null})).await.expect(200);
        closed.push(id);
    }
    let collection = app.collection(app.organization);
    let update =
        format!("UPDATE spaces SET collection_id = '{collection}' WHERE id IN ('{open}', '{}')", closed[0]);
    app.connection().batch_execute(&update).unwrap();
    let people: Vec<Caller> =
        [Some(Role::Admin), Some(Role::Create), Some(Role::Read), None, None, Some(Role::Read)]
            .map(|role| app.member_of(app.organization, role))
            .into();
    let [_, creator, reader, guest, _, disabled] = people.as_slice() else { panic!("there are six") };
    let teams = format!("/v1/orgs/{}/teams", app.organization);
    let body = json!({"title": "T", "members": [guest.user(), reader.user(), disabled.user()]});
    let team = admin.put(&teams, body).await.expect(201).text("/id");
    let to = |users: Value, teams: Value| json!({"users": users, "teams": teams, "role": "comment"});
    for (space, body) in [
        (&closed[0], to(json!([guest.user()]), json!([team]))),
        (&closed[1], to(json!([reader.user()]), json!([team]))),
        (&closed[2], to(json!([creator.user()]), json!([team]))),
        (&open, to(json!([reader.user(), guest.user()]), json!([team]))),
    ] {
        admin.post(&format!("/v1/spaces/{space}/permissions"), body).await.expect(204);
    }
    let above = to(json!([guest.user(), creator.user()]), json!([team]));
    admin.post(&format!("/v1/collections/{collection}/permissions"), above).await.expect(204);
    let disable =
        format!("UPDATE organization_members SET disabled = true WHERE user_id = '{}'", disabled.user());
    app.connection().batch_execute(&disable).unwrap();

    let mut counts = Vec::new();
    for member in &people {
        let path = one(&app, member);
        let listed = admin.get(&format!("{path}/spaces")).await.expect(200);
        let shown = admin.get(&path).await.expect(200).at("/spaces").clone();
        assert_eq!(listed.at("/count"), &shown);
        counts.push(shown);
    }
    assert_eq!(counts, [5, 3, 4, 4, 0, 0].map(|count| json!(count)));
    let shown = admin.get(&format!("{teams}/{team}")).await.expect(200);
    assert_eq!((shown.at("/spaces"), shown.at("/members")), (&json!(4), &json!(4)));
}

#[actix_web::test]
async fn a_members_spaces_have_its_role_and_end_where_the_callers_end() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let spaces = format!("/v1/orgs/{}/spaces", app.organization);
    let hidden = admin.post(&spaces, json!({})).await.expect(201).text("/id");
    let _ = admin.patch(&format!("/v1/spaces/{hidden}"), json!({"defaultLevel": null})).await.expect(200);
    let (writer, reader) = (app.as_role(Role::Read), app.as_role(Role::Read));
    for space in [&space, &hidden] {
        let grant = json!({"users": [writer.user()], "role": "edit"});
        admin.post(&format!("/v1/spaces/{space}/permissions"), grant).await.expect(204);
    }
    let list = format!("{}/spaces", one(&app, &writer));
    let own = writer.get(&list).await.expect(200);
    assert_eq!(own.at("/count"), &json!(2));
    assert_eq!((own.text("/items/0/space/id"), own.text("/items/0/permission")), (hidden, "edit".to_owned()));
    let oldest = writer.get(&format!("{list}?order=asc&limit=1")).await.expect(200);
    assert_eq!(oldest.text("/items/0/space/id"), space);
    let next = oldest.text("/next/page");
    let second = writer.get(&format!("{list}?order=asc&limit=1&page={next}")).await.expect(200);
    assert_eq!(second.at("/items/0/space/object"), &json!("space"));
    let seen = reader.get(&list).await.expect(200);
    assert_eq!((seen.at("/count"), seen.text("/items/0/space/id")), (&json!(1), space));
    assert_eq!(seen.at("/items/0/space/permissions/edit"), &json!(false));
}

#[actix_web::test]
async fn who_leaves_leaves_nothing_behind() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let member = app.as_role(Role::Edit);
    let elsewhere = app.create_organization("Elsewhere");
    let join = |organization| app.system.transact(|tx| tx.put_member(organization, member.user(), None));
    join(elsewhere).unwrap();
    let grant = json!({"users": [member.user()], "role": "admin"});
    admin.post(&format!("/v1/spaces/{space}/permissions"), grant).await.expect(204);
    let teams = format!("/v1/orgs/{}/teams", app.organization);
    let team = json!({"title": "T", "members": [member.user()]});
    let team = admin.put(&teams, team).await.expect(201).text("/id");
    let token = |organizations: Value| json!({"label": "x", "organizations": organizations});
    let here = member.post("/v1/user/tokens", token(json!([app.organization]))).await.expect(201);
    let both = member.post("/v1/user/tokens", token(json!([elsewhere, app.organization]))).await.expect(201);

    app.read_only(&member).delete(&one(&app, &member)).await.expect(403);
    app.as_role(Role::Create).delete(&one(&app, &member)).await.expect(403);
    member.delete(&one(&app, &member)).await.expect(204);
    member.get(&format!("/v1/spaces/{space}")).await.expect(404);
    admin.delete(&one(&app, &member)).await.expect(404);
    assert_eq!(admin.get(&format!("{teams}/{team}")).await.expect(200).at("/members"), &json!(1));
    let users = admin.get(&format!("/v1/spaces/{space}/permissions/users")).await.expect(200);
    assert_eq!(users.at("/count"), &json!(0));
    member.with_token(&here.text("/token")).get("/v1/user").await.expect(401);
    let both = member.with_token(&both.text("/token"));
    both.get(&format!("/v1/orgs/{elsewhere}")).await.expect(200);
    // After rejoining, the old token has no more access than when its owner left.
    join(app.organization).unwrap();
    both.get(&format!("/v1/orgs/{}", app.organization)).await.expect(404);
}

#[actix_web::test]
async fn the_last_administrator_stays_one() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let path = one(&app, &admin);
    assert_eq!(admin.delete(&path).await.expect(409).reason(), "last-admin");
    for role in [json!("create"), json!(null)] {
        assert_eq!(admin.patch(&path, json!({"role": role})).await.expect(409).reason(), "last-admin");
    }
    admin.patch(&path, json!({"role": "admin"})).await.expect(200);
    let disabled = app.as_role(Role::Admin);
    let disable =
        format!("UPDATE organization_members SET disabled = true WHERE user_id = '{}'", disabled.user());
    app.connection().batch_execute(&disable).unwrap();
    admin.delete(&path).await.expect(409);
    admin.delete(&one(&app, &disabled)).await.expect(204);
    let other = app.as_role(Role::Admin);
    admin.delete(&path).await.expect(204);
    other.delete(&one(&app, &other)).await.expect(409);
}

#[actix_web::test]
async fn two_administrators_who_leave_at_once_do_not_both() {
    let app = TestApp::start().await;
    for _ in 0..10 {
        let organization = app.create_organization("Short");
        let [a, b] = std::array::from_fn(|_| app.member_of(organization, Some(Role::Admin)));
        let path = |caller: &Caller| format!("/v1/orgs/{organization}/members/{}", caller.user());
        let (of_a, of_b) = (path(&a), path(&b));
        let (left, right) =
            futures_util::future::join(a.delete(&of_a), b.patch(&of_b, json!({"role": "read"}))).await;
        let mut statuses = [left.status.as_u16(), right.status.as_u16()];
        statuses.sort_unstable();
        assert!(matches!(statuses, [204, 409] | [200, 409]), "{statuses:?}");
    }
}

#[actix_web::test]
async fn a_changed_member_honours_if_match() {
    let app = TestApp::start().await;
    let (admin, member) = (app.as_role(Role::Admin), app.as_role(Role::Read));
    let path = one(&app, &member);
    let tag = admin.get(&path).await.expect(200).header("etag").to_owned();
    let with = |tag: &str| {
        actix_web::test::TestRequest::patch()
            .uri(&path)
            .insert_header(("If-Match", tag.to_owned()))
            .set_json(json!({"role": "edit"}))
    };
    admin.send(with("\"other\"")).await.expect(412);
    admin.send(with(&tag)).await.expect(200);
    admin.send(with(&tag)).await.expect(412);
}

#[actix_web::test]
async fn a_ping_is_seen_and_answers_signed_claims() {
    let app = TestApp::start().await;
    let (admin, guest) = (app.as_role(Role::Admin), app.member_of(app.organization, None));
    let teams = format!("/v1/orgs/{}/teams", app.organization);
    let team =
        admin.put(&teams, json!({"title": "T", "members": [guest.user()]})).await.expect(201).text("/id");
    let ping = format!("/v1/orgs/{}/ping", app.organization);
    app.read_only(&guest).post_empty(&ping).await.expect(403);
    app.stranger().post_empty(&ping).await.expect(404);
    let claims = guest.post_empty(&ping).await.expect(200).text("/serviceVisitorClaims");
    let seen = admin.get(&one(&app, &guest)).await.expect(200);
    assert_eq!(seen.at("/lastSeenAt"), &json!(app.clock.now()));

    let key = app.system.transact(|tx| tx.visitor_key(app.organization)).unwrap();
    let (signed, signature) = claims.rsplit_once('.').unwrap();
    let mut mac =
        Hmac::<sha2::Sha256>::new_from_slice(quire_server::jwt::visitor_key_text(&key).as_bytes()).unwrap();
    mac.update(signed.as_bytes());
    mac.verify_slice(&URL_SAFE_NO_PAD.decode(signature).unwrap()).unwrap();
    let payload = URL_SAFE_NO_PAD.decode(signed.split_once('.').unwrap().1).unwrap();
    let payload: Value = serde_json::from_slice(&payload).unwrap();
    assert_eq!(payload["sub"], json!(guest.user()));
    assert_eq!((&payload["organization"], &payload["teams"]), (&json!(app.organization), &json!([team])));
    assert!(payload["email"].as_str().unwrap().ends_with("@example.com"));
    assert_eq!(payload["exp"].as_i64().unwrap() - payload["iat"].as_i64().unwrap(), 3_600);
    assert_eq!(payload["iat"], json!(app.clock.now().millis() / 1_000));
    let again = guest.post_empty(&ping).await.expect(200).text("/serviceVisitorClaims");
    assert_eq!(again, claims);
}

#[actix_web::test]
async fn ten_thousand_members_and_five_hundred_teams_stay_flat() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let costs = async || {
        let mut costs = Vec::new();
        let team_list = format!("/v1/orgs/{}/teams", app.organization);
        let own = format!("{}/teams", one(&app, &admin));
        let aggregate = format!("/v1/spaces/{space}/permissions/aggregate");
        for list in
            [members(&app), format!("{}?search=user&role=read", members(&app)), team_list, own, aggregate]
        {
            let before = app.statements();
            let answer = admin.get(&list).await.expect(200);
            costs.push(app.statements() - before);
            assert!(answer.at("/items").as_array().unwrap().len() <= 50);
        }
        costs
    };
    let few = costs().await;
    let fill = format!(
        "INSERT INTO users (id, email, display_name, created_at) \
           SELECT gen_random_uuid(), 'm' || n || '@many.example', 'User ' || n, now() FROM generate_series(1, 10000) n; \
         INSERT INTO organization_members (organization_id, user_id, role, joined_at) \
           SELECT '{organization}', id, 1, date_trunc('milliseconds', now()) FROM users WHERE email LIKE '%@many.example'; \
         INSERT INTO teams (organization_id, id, title, created_at) \
           SELECT '{organization}', gen_random_uuid(), 'Team ' || n, now() FROM generate_series(1, 500) n; \
         INSERT INTO team_members (organization_id, team_id, user_id, role) \
           SELECT t.organization_id, t.id, m.user_id, 'member' FROM teams t JOIN LATERAL \
             (SELECT user_id FROM organization_members WHERE organization_id = t.organization_id ORDER BY user_id LIMIT 20) m ON true; \
         INSERT INTO content_grants (organization_id, id, space_id, team_id, role, created_at) \
           SELECT organization_id, gen_random_uuid(), '{space}', id, 3, now() FROM teams; \
         ANALYZE",
        organization = app.organization
    );
    app.connection().batch_execute(&fill).unwrap();
    let started = std::time::Instant::now();
    assert_eq!(costs().await, few);
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    // All members joined in the same millisecond, so the list is ordered by their ids.
    let all = walk(&admin, &members(&app), 1000).await;
    assert_eq!(all.len(), 10_001);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 10_001);
}

#[actix_web::test]
async fn commenters_are_the_members_who_take_part() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let [first, replier, in_request, gone, silent] = std::array::from_fn(|_| app.as_role(Role::Create));
    let grant = json!({"users": [first.user(), replier.user(), in_request.user(), gone.user(), silent.user()], "role": "edit"});
    admin.post(&format!("/v1/spaces/{space}/permissions"), grant).await.expect(204);
    let text = json!({"body": {"markdown": "Hello."}});
    let comments = format!("/v1/spaces/{space}/comments");
    let comment = first.post(&comments, text.clone()).await.expect(201).text("/id");
    for author in [&replier, &first, &gone] {
        let _ = author.post(&format!("{comments}/{comment}/replies"), text.clone()).await.expect(201);
    }
    let requests = format!("/v1/spaces/{space}/change-requests");
    let request = in_request.post(&requests, json!({})).await.expect(201).text("/id");
    let _ = in_request.post(&format!("{requests}/{request}/comments"), text).await.expect(201);
    let list = format!("/v1/spaces/{space}/commenters");
    assert_eq!(admin.get(&list).await.expect(200).at("/count"), &json!(4));
    gone.delete(&one(&app, &gone)).await.expect(204);
    let mut expected = ids(&[&first, &replier, &in_request]);
    expected.sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!(walk(&silent, &list, 1).await, expected);
    let answer = silent.get(&list).await.expect(200);
    assert_eq!(
        (answer.at("/items/0/object"), answer.at("/items/0/role")),
        (&json!("member"), &json!("create"))
    );
    app.stranger().get(&list).await.expect(404);
}
