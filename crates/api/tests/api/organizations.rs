//! Organizations.

use quire_domain::Role;
use quire_domain::ids::OrganizationId;
use quire_storage::people::organizations::AdminChanges;
use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};

fn administrate(app: &TestApp, organization: OrganizationId, changes: &AdminChanges) {
    let found = app.system.transact(|tx| tx.administrate_organization(organization, changes)).unwrap();
    assert!(found);
}

async fn limited(caller: &Caller, organization: OrganizationId) -> Caller {
    let body = json!({"label": "x", "organizations": [organization]});
    let token = caller.post("/v1/user/tokens", body).await.expect(201).text("/token");
    caller.with_token(&token)
}

#[actix_web::test]
async fn who_makes_an_organization_administrates_it() {
    let app = TestApp::start().await;
    let caller = app.stranger();
    let body = json!({
        "title": "Acme", "emailDomains": ["Acme.example", "acme.EXAMPLE"], "hostname": "acme", "type": "community",
        "useCase": "openSourceDocs", "communityType": "nonProfit", "defaultRole": null
    });
    let made = caller.post("/v1/orgs", body).await.expect(201);
    assert_eq!(made.header("location"), made.text("/urls/location"));
    for (key, value) in [
        ("object", json!("organization")),
        ("title", json!("Acme")),
        ("emailDomains", json!(["acme.example"])),
        ("hostname", json!("acme")),
        ("type", json!("community")),
        ("useCase", json!("openSourceDocs")),
        ("communityType", json!("nonProfit")),
        ("defaultRole", json!(null)),
        ("sso", json!(false)),
        ("ai", json!(false)),
        ("inviteLinks", json!(true)),
        ("plan", json!("free")),
        ("trial", json!({"status": "notapplicable", "count": 0})),
        ("mergeRules", json!({"type": "none"})),
    ] {
        assert_eq!(made.at(&format!("/{key}")), &value, "{key}");
    }
    let permissions = made.at("/permissions").as_object().unwrap();
    let denied: Vec<_> =
        permissions.iter().filter(|(_, may)| **may != json!(true)).map(|(key, _)| key).collect();
    assert_eq!(denied, ["ownTeam"]);
    let path = format!("/v1/orgs/{}", made.text("/id"));
    assert_eq!(caller.get(&path).await.expect(200).json, made.json);
    let member = caller.get(&format!("{path}/members/{}", caller.user())).await.expect(200);
    assert_eq!(member.at("/role"), &json!("admin"));
    app.stranger().get(&path).await.expect(404);
    assert_eq!(
        caller.post("/v1/orgs", json!({"title": "Ab"})).await.expect(201).at("/defaultRole"),
        &json!("read")
    );

    app.read_only(&caller).post("/v1/orgs", json!({"title": "Other"})).await.expect(403);
    let id = made.text("/id").parse().unwrap();
    limited(&caller, id).await.post("/v1/orgs", json!({"title": "Other"})).await.expect(403);
    app.anonymous().post("/v1/orgs", json!({"title": "Other"})).await.expect(401);
    let taken = caller.post("/v1/orgs", json!({"title": "Other", "hostname": "acme"})).await.expect(409);
    assert_eq!((taken.reason().as_str(), taken.fields()), ("name-taken", vec!["hostname".to_owned()]));
    assert_eq!(caller.get("/v1/orgs").await.expect(200).at("/count"), &json!(2));
}

#[actix_web::test]
async fn every_setting_is_changed_kept_and_cleared() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let path = format!("/v1/orgs/{}", app.organization);
    let site = admin.post(&format!("{path}/sites"), json!({})).await.expect(201).text("/id");
    let body = json!({
        "title": "Acme 2", "emailDomains": ["a.example"], "hostname": "acme-2", "defaultRole": "comment",
        "defaultContent": {"type": "site", "site": site}, "logo": "https://a.example/logo.png", "sso": true, "ai": true,
        "inviteLinks": false
    });
    let changed = admin.patch(&path, body.clone()).await.expect(200);
    for (key, value) in body.as_object().unwrap().iter().filter(|(key, _)| *key != "logo") {
        assert_eq!(changed.at(&format!("/{key}")), value, "{key}");
    }
    assert_eq!(changed.text("/urls/logo"), "https://a.example/logo.png");
    assert_eq!(admin.patch(&path, json!({})).await.expect(200).json, changed.json);
    let cleared = json!({"hostname": null, "defaultRole": null, "defaultContent": null, "logo": null, "emailDomains": []});
    let cleared = admin.patch(&path, cleared).await.expect(200);
    assert_eq!((cleared.json.get("hostname"), cleared.json.get("defaultContent")), (None, None));
    assert_eq!((cleared.at("/defaultRole"), cleared.at("/emailDomains")), (&json!(null), &json!([])));
    assert_eq!(cleared.at("/urls").get("logo"), None);
    assert_eq!((cleared.text("/title"), cleared.at("/sso")), ("Acme 2".to_owned(), &json!(true)));

    let tag = admin.get(&path).await.expect(200).header("etag").to_owned();
    let with = |tag: &str| {
        actix_web::test::TestRequest::patch()
            .uri(&path)
            .insert_header(("If-Match", tag.to_owned()))
            .set_json(json!({"title": "Acme 3"}))
    };
    admin.send(with(&tag)).await.expect(200);
    admin.send(with(&tag)).await.expect(412);
}

#[actix_web::test]
async fn wrong_settings_are_named() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let path = format!("/v1/orgs/{}", app.organization);
    for (body, field) in [
        (json!({"title": "A"}), "title"),
        (json!({"title": "a".repeat(256)}), "title"),
        (json!({"hostname": "ab"}), "hostname"),
        (json!({"hostname": "-acme"}), "hostname"),
        (json!({"hostname": "acme.example"}), "hostname"),
        (json!({"emailDomains": ["example"]}), "emailDomains"),
        (json!({"emailDomains": vec!["a.example"; 101]}), "emailDomains"),
        (json!({"defaultRole": "owner"}), "defaultRole"),
        (json!({"defaultContent": {"type": "site", "site": "x"}}), "defaultContent.site"),
        (json!({"logo": "javascript:alert(1)"}), "logo"),
        (json!({"inviteLinks": null}), "inviteLinks"),
    ] {
        let refused = admin.patch(&path, body.clone()).await.expect(400);
        assert!(
            refused.fields()[0].starts_with(field.split('.').next().unwrap()),
            "{body}: {:?}",
            refused.fields()
        );
    }
}

#[actix_web::test]
async fn of_two_who_want_a_hostname_at_once_one_gets_it() {
    let app = TestApp::start().await;
    let (a, b) = (app.stranger(), app.stranger());
    for round in 0..10 {
        let body = |title: &str| json!({"title": title, "hostname": format!("host-{round}")});
        let (left, right) =
            futures_util::future::join(a.post("/v1/orgs", body("Aa")), b.post("/v1/orgs", body("Bb"))).await;
        let mut statuses = [left.status.as_u16(), right.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 409]);
    }
}

#[actix_web::test]
async fn organizations_are_found_by_hostname_and_by_domain() {
    let app = TestApp::start().await;
    let founder = app.stranger();
    let body = json!({"title": "Acme", "hostname": "acme", "emailDomains": ["example.com", "other.example"]});
    let id = founder.post("/v1/orgs", body).await.expect(201).text("/id");
    let colleague = app.stranger();
    let record = colleague.get("/v1/subdomains/acme").await.expect(200);
    assert_eq!(
        record.json,
        json!({"object": "subdomain", "subdomain": "acme", "target": {"type": "organization", "organization": id}, "isActive": true})
    );
    for absent in ["other", "Acme", "a", "acme%00", "a%2Fb"] {
        colleague.get(&format!("/v1/subdomains/{absent}")).await.expect(404);
    }

    // All users of the tests have addresses in example.com.
    let found = colleague.get("/v1/email-domains/Example.com/orgs").await.expect(200);
    assert_eq!(found.json.as_object().unwrap().keys().collect::<Vec<_>>(), ["organizations"]);
    assert_eq!(found.text("/organizations/0/id"), id);
    let permissions = found.at("/organizations/0/permissions").as_object().unwrap();
    assert!(permissions.values().all(|may| may == &json!(false)), "{permissions:?}");
    assert_eq!(found.at("/organizations/0").get("billing"), None);
    let count = async |caller: &Caller, domain: &str| {
        let answer = caller.get(&format!("/v1/email-domains/{domain}/orgs")).await.expect(200);
        answer.at("/organizations").as_array().unwrap().len()
    };
    // Organizations with another domain are found only by their members.
    assert_eq!(count(&colleague, "other.example").await, 0);
    assert_eq!(count(&founder, "other.example").await, 1);
    assert_eq!(count(&founder, "unknown.example").await, 0);
    assert_eq!(count(&limited(&app.as_role(Role::Read), app.organization).await, "example.com").await, 0);
    colleague.get("/v1/email-domains/example/orgs").await.expect(404);
    app.anonymous().get("/v1/email-domains/example.com/orgs").await.expect(401);
}

#[actix_web::test]
async fn what_the_operator_sets_is_shown_to_whom_it_concerns() {
    let app = TestApp::start().await;
    let (admin, reader) = (app.as_role(Role::Admin), app.as_role(Role::Read));
    let billing = json!({"interval": "monthly", "endDate": null, "hasPaymentFailed": false, "isScheduledToCancel": true});
    let mut trial = json!({"status": "active", "endDate": "2027-01-01T00:00:00.000Z"});
    let migration = json!({"deadline": "2027-03-01T00:00:00.000Z", "discountPercent": 12.5, "discountEndDate": "2028-03-01T00:00:00.000Z"});
    let changes = AdminChanges {
        plan: Some("pro_2024".to_owned()),
        trial: Some(trial.clone()),
        billing: Some(Some(billing.clone())),
        billing_migration: Some(Some(migration.clone())),
        custom_hostname: Some(Some("docs.acme.example".to_owned())),
        ..AdminChanges::default()
    };
    administrate(&app, app.organization, &changes);
    // The operator has set no number of trials.
    trial["count"] = json!(1);
    let path = format!("/v1/orgs/{}", app.organization);
    let seen = admin.get(&path).await.expect(200);
    assert_eq!(
        (seen.text("/plan"), seen.text("/customHostname")),
        ("pro_2024".to_owned(), "docs.acme.example".to_owned())
    );
    assert_eq!((seen.at("/trial"), seen.at("/billing")), (&trial, &billing));
    assert_eq!(seen.at("/internal_billingMigration"), &migration);
    assert_eq!(seen.at("/internal_isOnNewTrial"), &json!(true));
    assert_eq!(seen.json.get("blocked"), None);
    let seen = reader.get(&path).await.expect(200);
    assert_eq!((seen.at("/trial"), seen.json.get("billing")), (&trial, None));
    assert_eq!(seen.json.get("internal_billingMigration"), None);
}

#[actix_web::test]
async fn a_blocked_organization_is_read_only() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let path = format!("/v1/orgs/{}", app.organization);
    let _ = admin.patch(&path, json!({"hostname": "acme"})).await.expect(200);
    let team = admin.put(&format!("{path}/teams"), json!({"title": "T"})).await.expect(201).text("/id");
    let invite =
        admin.post(&format!("{path}/link-invites"), json!({"role": "read"})).await.expect(201).text("/id");
    let blocked = |reason: Option<&str>| AdminChanges {
        blocked_reason: Some(reason.map(str::to_owned)),
        ..AdminChanges::default()
    };
    administrate(&app, app.organization, &blocked(Some("security")));
    assert_eq!(admin.get(&path).await.expect(200).at("/blocked"), &json!({"reason": "security"}));
    assert_eq!(admin.get("/v1/subdomains/acme").await.expect(200).at("/isActive"), &json!(false));
    let refused: [(Value, &str); 4] = [
        (json!({"title": "Other"}), ""),
        (json!({"title": "Other"}), "/spaces"),
        (json!({"emails": ["eve@example.com"]}), "/invites"),
        (json!({"title": "Other"}), "/teams"),
    ];
    for (body, below) in refused {
        let target = format!("{path}{below}");
        let answer = match below {
            "" => admin.patch(&target, body).await,
            "/teams" => admin.put(&target, body).await,
            _ => admin.post(&target, body).await,
        };
        assert_eq!(answer.expect(403).reason(), "organization-blocked", "{below}");
    }
    let of_team = admin.patch(&format!("{path}/teams/{team}"), json!({"title": "U"})).await.expect(403);
    assert_eq!(of_team.reason(), "organization-blocked");
    let joining = app.stranger().post_empty(&format!("/v1/invites/{invite}/accept")).await.expect(403);
    assert_eq!(joining.reason(), "organization-blocked");
    // Authorization precedes validation, and current values are readable.
    let reader = app.as_role(Role::Read);
    assert_eq!(reader.patch(&path, json!({"title": "Other"})).await.expect(403).reason(), "forbidden");
    reader.get(&format!("/v1/spaces/{space}")).await.expect(200);
    administrate(&app, app.organization, &blocked(None));
    let _ = admin.patch(&path, json!({"title": "Other"})).await.expect(200);
}

#[actix_web::test]
async fn what_an_organization_shows_first_is_one_of_its_sites_while_it_is_there() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let path = format!("/v1/orgs/{}", app.organization);
    let elsewhere = app.create_organization("Elsewhere");
    let other = app.member_of(elsewhere, Some(Role::Admin));
    let foreign = other.post(&format!("/v1/orgs/{elsewhere}/sites"), json!({})).await.expect(201).text("/id");
    let (mut sites, shows) =
        (Vec::new(), |site: &str| json!({"defaultContent": {"type": "site", "site": site}}));
    for _ in 0..2 {
        sites.push(admin.post(&format!("{path}/sites"), json!({})).await.expect(201).text("/id"));
    }
    for unknown in [foreign.as_str(), "0197f1d0-0000-7000-8000-000000000008"] {
        let mut body = shows(unknown);
        body["title"] = json!("Half");
        let refused = admin.patch(&path, body).await.expect(400);
        assert_eq!(refused.fields(), ["defaultContent.site"]);
    }
    assert_ne!(admin.get(&path).await.expect(200).text("/title"), "Half");
    admin.patch(&path, shows(&sites[0])).await.expect(200);
    admin.delete(&format!("{path}/sites/{}", sites[1])).await.expect(204);
    assert_eq!(admin.get(&path).await.expect(200).text("/defaultContent/site"), sites[0]);
    admin.delete(&format!("{path}/sites/{}", sites[0])).await.expect(204);
    assert_eq!(admin.get(&path).await.expect(200).json.get("defaultContent"), None);
    assert_eq!(admin.patch(&path, shows(&sites[0])).await.expect(400).fields(), ["defaultContent.site"]);
}

#[actix_web::test]
async fn a_site_that_is_deleted_while_it_is_chosen_is_not_chosen() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let path = format!("/v1/orgs/{}", app.organization);
    for _ in 0..8 {
        let site = admin.post(&format!("{path}/sites"), json!({})).await.expect(201).text("/id");
        let (chosen, one) =
            (json!({"defaultContent": {"type": "site", "site": site}}), format!("{path}/sites/{site}"));
        let (choice, deletion) =
            futures_util::future::join(admin.patch(&path, chosen), admin.delete(&one)).await;
        assert!(matches!(choice.status.as_u16(), 200 | 400), "{}", choice.json);
        let _ = deletion.expect(204);
        assert_eq!(admin.get(&path).await.expect(200).json.get("defaultContent"), None);
    }
}
