//! Claim rules of sign-in providers, which give roles and teams.

use quire_domain::Role;
use quire_test_support::{Answer, Caller, SamlPerson, TestApp};
use serde_json::{Value, json};

use crate::oidc::{Deployment, Visitor};
use crate::saml;

fn of(app: &TestApp, part: &str) -> String {
    format!("/v1/orgs/{}/{part}", app.organization)
}

async fn team(app: &TestApp, admin: &Caller, title: &str) -> String {
    admin.put(&of(app, "teams"), json!({"title": title})).await.expect(201).text("/id")
}

/// Returns the role of a member.
async fn role(app: &TestApp, admin: &Caller, user: &str) -> Value {
    admin.get(&of(app, &format!("members/{user}"))).await.expect(200).at("/role").clone()
}

async fn is_in(app: &TestApp, admin: &Caller, team: &str, user: &str) -> bool {
    let members = admin.get(&of(app, &format!("teams/{team}/members"))).await.expect(200);
    let members = members.at("/items").as_array().unwrap().clone();
    members.iter().any(|member| member["organization"]["user"]["id"] == user)
}

/// Returns the number of audit log entries for changes by rules.
async fn applied(app: &TestApp, admin: &Caller) -> usize {
    let entries = admin.get(&of(app, "audit-log?limit=100")).await.expect(200);
    let entries = entries.at("/items").as_array().unwrap().clone();
    entries.iter().filter(|entry| entry["operation"] == "applyClaimRules").count()
}

async fn set_rules(deployment: &Deployment, rules: Value) -> Answer {
    let path = of(&deployment.app, &format!("oidc/{}", deployment.id));
    deployment.admin.patch(&path, json!({"claimRules": rules})).await
}

/// Signs Grace in with these claims and returns her id.
async fn sign_in(deployment: &Deployment, claims: Value) -> String {
    let mut all = json!({"email": "grace@example.com", "email_verified": true, "name": "Grace Hopper"});
    all.as_object_mut().unwrap().extend(claims.as_object().unwrap().clone());
    deployment.provider.set_claims(&all);
    let mut visitor = Visitor::new();
    let _ = deployment.sign_in(&mut visitor).await;
    deployment.user(&mut visitor).await["id"].as_str().unwrap().to_owned()
}

#[actix_web::test]
async fn rules_are_kept_in_their_order_and_wrong_ones_are_named() {
    let deployment = Deployment::start().await;
    let Deployment { app, admin, id, .. } = &deployment;
    let team = team(app, admin, "Docs").await;
    let elsewhere = app.create_organization("Elsewhere");
    let stranger = app.member_of(elsewhere, Some(Role::Admin));
    let teams = format!("/v1/orgs/{elsewhere}/teams");
    let foreign = stranger.put(&teams, json!({"title": "Theirs"})).await.expect(201).text("/id");
    let saml = json!({"label": "Acme"});
    let saml = admin.post(&of(app, "saml"), saml).await.expect(201).text("/id");
    for path in [of(app, &format!("oidc/{id}")), of(app, &format!("saml/{saml}"))] {
        let rules = json!([
            {"claim": "groups", "value": "docs", "team": team},
            {"claim": "groups", "value": "docs", "role": "edit"},
            {"claim": "realm_access.roles", "value": "admin", "team": team, "role": "admin"},
        ]);
        let changed = admin.patch(&path, json!({"claimRules": rules})).await.expect(200);
        assert_eq!(changed.at("/claimRules"), &rules);
        let kept = admin.patch(&path, json!({"label": "Staff"})).await.expect(200);
        assert_eq!(kept.at("/claimRules"), &rules);
        let listed = admin.get(path.rsplit_once('/').unwrap().0).await.expect(200);
        assert_eq!(listed.at("/items/0/claimRules"), &rules);
        let rule = |team: &str| json!({"claim": "groups", "value": "docs", "team": team});
        for (rules, field) in [
            (json!([rule(&foreign)]), "claimRules[0].team"),
            (json!([{"claim": "a", "value": "b", "role": "read"}, rule(&foreign)]), "claimRules[1].team"),
            (json!([{"claim": "", "value": "b", "role": "read"}]), "claimRules[0].claim"),
            (json!([{"claim": "a", "value": "b".repeat(501), "role": "read"}]), "claimRules[0].value"),
            (json!([{"claim": "a", "value": "b"}]), "claimRules[0]"),
        ] {
            let refused = admin.patch(&path, json!({"claimRules": rules})).await.expect(400);
            assert_eq!(refused.fields(), [field], "{rules}");
        }
        let refused = admin.patch(&path, json!({"claimRules": vec![rule(&team); 51]})).await.expect(400);
        assert_eq!(refused.fields(), ["claimRules"]);
        assert_eq!(admin.get(&path).await.expect(200).at("/claimRules"), &rules);
        let creator = app.as_role(Role::Create);
        let _ = creator.patch(&path, json!({"claimRules": []})).await.expect(403);
        let _ = stranger.patch(&path, json!({"claimRules": []})).await.expect(404);
    }
    let created = json!({"label": "B", "claimRules": [{"claim": "a", "value": "b", "team": foreign}]});
    let refused = admin.post(&of(app, "saml"), created).await.expect(400);
    assert_eq!(refused.fields(), ["claimRules[0].team"]);
    // A rule is deleted with its team; the other rules stay.
    let _ = admin.delete(&of(app, &format!("teams/{team}"))).await.expect(204);
    let left = json!([{"claim": "groups", "value": "docs", "role": "edit"}]);
    let path = of(app, &format!("oidc/{id}"));
    assert_eq!(admin.get(&path).await.expect(200).at("/claimRules"), &left);
    let cleared = admin.patch(&path, json!({"claimRules": []})).await.expect(200);
    assert_eq!(cleared.at("/claimRules"), &json!([]));
}

#[actix_web::test]
async fn the_role_follows_the_claims_at_each_sign_in() {
    let deployment = Deployment::start().await;
    let Deployment { app, admin, .. } = &deployment;
    let hook = json!({"url": "https://hooks.example.com/a", "events": ["member_added", "member_updated"]});
    let hook = admin.post(&of(app, "webhooks"), hook).await.expect(201).text("/id");
    let deliveries = of(app, &format!("webhooks/{hook}/deliveries"));
    let rules = json!([
        {"claim": "groups", "value": "writers", "role": "comment"},
        {"claim": "realm_access.roles", "value": "docs-lead", "role": "create"},
    ]);
    let _ = set_rules(&deployment, rules).await.expect(200);
    // At the first sign-in the user joins with the role of the rule, in one event.
    let both = json!({"groups": ["a", "writers"], "realm_access": {"roles": ["docs-lead", "b"]}});
    let grace = sign_in(&deployment, both.clone()).await;
    assert_eq!(role(app, admin, &grace).await, "create");
    assert_eq!(admin.get(&deliveries).await.expect(200).at("/count"), &json!(1));
    // A second sign-in with the same claims changes nothing.
    let _ = sign_in(&deployment, both).await;
    assert_eq!(admin.get(&deliveries).await.expect(200).at("/count"), &json!(1));
    assert_eq!(applied(app, admin).await, 0);

    let _ = sign_in(&deployment, json!({"groups": "writers"})).await;
    assert_eq!(role(app, admin, &grace).await, "comment");
    assert_eq!(admin.get(&deliveries).await.expect(200).at("/count"), &json!(2));
    assert_eq!(applied(app, admin).await, 1);
    // Without a match, the default role replaces the role of a rule, once.
    let _ = sign_in(&deployment, json!({"groups": ["readers"]})).await;
    assert_eq!(role(app, admin, &grace).await, "edit");
    assert_eq!(applied(app, admin).await, 2);
    let path = of(app, &format!("members/{grace}"));
    let _ = admin.patch(&path, json!({"role": "read"})).await.expect(200);
    let _ = sign_in(&deployment, json!({})).await;
    assert_eq!(role(app, admin, &grace).await, "read");
    // A matching rule replaces a role that an administrator gave, except the role of administrators.
    let _ = sign_in(&deployment, json!({"groups": ["writers"]})).await;
    assert_eq!(role(app, admin, &grace).await, "comment");
    let _ = admin.patch(&path, json!({"role": "admin"})).await.expect(200);
    let _ = sign_in(&deployment, json!({"groups": ["writers"]})).await;
    assert_eq!(role(app, admin, &grace).await, "admin");
    let entries = admin.get(&of(app, "audit-log")).await.expect(200);
    let entries = entries.at("/items").as_array().unwrap().clone();
    let entry = entries.iter().find(|entry| entry["operation"] == "applyClaimRules").unwrap();
    assert_eq!((&entry["target"]["id"], &entry["actor"]["id"]), (&json!(grace), &json!(grace)), "{entry}");
}

#[actix_web::test]
async fn the_last_administrator_stays_one() {
    let deployment = Deployment::start().await;
    let Deployment { app, admin, .. } = &deployment;
    let _ = set_rules(&deployment, json!([{"claim": "admin", "value": "true", "role": "admin"}])).await;
    let grace = sign_in(&deployment, json!({"admin": true})).await;
    assert_eq!(role(app, admin, &grace).await, "admin");
    let own = of(app, &format!("members/{}", admin.user()));
    let _ = admin.patch(&own, json!({"role": "read"})).await.expect(200);
    let _ = sign_in(&deployment, json!({"admin": false})).await;
    assert_eq!(role(app, admin, &grace).await, "admin");
    // Once there is another administrator, the rule applies.
    let second = app.as_role(Role::Admin);
    let _ = sign_in(&deployment, json!({"admin": false})).await;
    assert_eq!(role(app, &second, &grace).await, "edit");
}

#[actix_web::test]
async fn teams_of_rules_follow_the_claims_and_others_stay() {
    let deployment = Deployment::start().await;
    let Deployment { app, admin, .. } = &deployment;
    let (docs, staff, own) =
        (team(app, admin, "Docs").await, team(app, admin, "Staff").await, team(app, admin, "Own").await);
    let rules = json!([
        {"claim": "groups", "value": "docs", "team": docs},
        {"claim": "groups", "value": "authors", "team": docs},
        {"claim": "groups", "value": "staff", "team": staff},
        {"claim": "https://example.com/level", "value": "3", "team": own},
    ]);
    let _ = set_rules(&deployment, rules).await.expect(200);
    let other = team(app, admin, "Other").await;
    let grace = sign_in(&deployment, json!({"groups": ["authors"]})).await;
    let member = json!({"memberships": {&grace: {"role": "owner"}}});
    let _ = admin.put(&of(app, &format!("teams/{own}/members")), member).await.expect(204);
    let _ = admin.put(&of(app, &format!("teams/{other}/members")), json!({"add": [grace]})).await.expect(204);
    let teams = async || {
        let mut found = Vec::new();
        for team in [&docs, &staff, &own, &other] {
            found.push(is_in(app, admin, team, &grace).await);
        }
        found
    };
    assert_eq!(teams().await, [true, false, true, true]);
    // These rules give no roles, and owners of a team stay in it.
    assert_eq!(role(app, admin, &grace).await, "edit");
    let before = applied(app, admin).await;
    let _ = sign_in(&deployment, json!({"groups": ["staff"], "https://example.com/level": 2})).await;
    assert_eq!(teams().await, [false, true, true, true]);
    assert_eq!(applied(app, admin).await, before + 1);
    let _ = sign_in(&deployment, json!({"groups": ["staff"], "https://example.com/level": 3})).await;
    assert_eq!(teams().await, [false, true, true, true]);
    assert_eq!(applied(app, admin).await, before + 1);
    let _ = sign_in(&deployment, json!({})).await;
    assert_eq!(teams().await, [false, false, true, true]);
    // Without rules, a sign-in changes no team.
    let _ = sign_in(&deployment, json!({"groups": ["docs"]})).await;
    let _ = set_rules(&deployment, json!([])).await.expect(200);
    let _ = sign_in(&deployment, json!({})).await;
    assert_eq!(teams().await, [true, false, true, true]);
}

#[actix_web::test]
async fn rules_match_claims_that_the_provider_keeps_for_the_answer_about_the_user() {
    let deployment = Deployment::start().await;
    let Deployment { app, admin, provider, .. } = &deployment;
    let _ = set_rules(&deployment, json!([{"claim": "groups", "value": "docs", "role": "review"}])).await;
    provider.set_claims(&json!({}));
    let answer = json!({"email": "grace@example.com", "email_verified": true, "groups": ["docs"]});
    let mut answer = answer.as_object().unwrap().clone();
    answer.insert("sub".to_owned(), json!("grace"));
    provider.set_user_info(&Value::Object(answer));
    let mut visitor = Visitor::new();
    let _ = deployment.sign_in(&mut visitor).await;
    let grace = deployment.user(&mut visitor).await["id"].as_str().unwrap().to_owned();
    assert_eq!(role(app, admin, &grace).await, "review");
}

#[actix_web::test]
async fn a_user_who_is_no_member_gets_nothing_by_rules() {
    let deployment = Deployment::start().await;
    let Deployment { app, admin, .. } = &deployment;
    let docs = team(app, admin, "Docs").await;
    let grace = sign_in(&deployment, json!({})).await;
    let _ = admin.delete(&of(app, &format!("members/{grace}"))).await.expect(204);
    let rules = json!([{"claim": "groups", "value": "docs", "team": docs, "role": "admin"}]);
    let _ = set_rules(&deployment, rules).await.expect(200);
    assert_eq!(sign_in(&deployment, json!({"groups": ["docs"]})).await, grace);
    let _ = admin.get(&of(app, &format!("members/{grace}"))).await.expect(404);
    assert!(!is_in(app, admin, &docs, &grace).await);
}

#[actix_web::test]
async fn attributes_of_saml_give_roles_and_teams_by_both_of_their_names() {
    let deployment = saml::Deployment::start().await;
    let saml::Deployment { app, admin, id } = &deployment;
    let docs = team(app, admin, "Docs").await;
    let rules = json!([
        {"claim": "Role", "value": "docs-lead", "role": "create"},
        {"claim": "groups", "value": "docs", "team": docs},
    ]);
    let path = of(app, &format!("saml/{id}"));
    let _ = admin.patch(&path, json!({"claimRules": rules})).await.expect(200);
    let person = |attributes: &[(&'static str, &str)]| SamlPerson {
        name_id: "grace".to_owned(),
        format: "persistent",
        attributes: std::iter::once(&("email", "grace@example.com"))
            .chain(attributes)
            .map(|(name, value)| (*name, (*value).to_owned()))
            .collect(),
    };
    let sign_in = async |person: SamlPerson| {
        let mut visitor = saml::Visitor::default();
        let _ = deployment.sign_in(&mut visitor, &person).await;
        deployment.user(&mut visitor).await["id"].as_str().unwrap().to_owned()
    };
    let lead = person(&[("Role", "uma_protection"), ("Role", "docs-lead"), ("urn:oid:1.3=groups", "docs")]);
    let grace = sign_in(lead).await;
    assert_eq!(role(app, admin, &grace).await, "create");
    assert!(is_in(app, admin, &docs, &grace).await);
    let _ = sign_in(person(&[("Role", "uma_protection"), ("urn:oid:1.3=groups", "staff")])).await;
    assert_eq!(role(app, admin, &grace).await, "edit");
    assert!(!is_in(app, admin, &docs, &grace).await);
    assert_eq!(applied(app, admin).await, 2);
}

#[actix_web::test]
async fn the_page_of_a_provider_shows_the_rules_that_the_last_test_matches() {
    let deployment = Deployment::start().await;
    let Deployment { app, admin, provider, .. } = &deployment;
    let rules = json!([
        {"claim": "groups", "value": "docs", "role": "edit"},
        {"claim": "groups", "value": "staff", "role": "read"},
    ]);
    let _ = set_rules(&deployment, rules).await.expect(200);
    provider.set_claims(&json!({"email": "ada@example.com", "groups": ["docs"]}));
    let mut browser = Visitor::signed_in(app, admin);
    let query = deployment.visit(&mut browser, "?purpose=test").await;
    let _ = deployment.get(&mut browser, &format!("{}?{query}", deployment.path("callback"))).await;
    let shown = admin.get(&format!("/o/{}/sign-in/{}", app.organization, deployment.id)).await.expect(200);
    let shown = String::from_utf8_lossy(&shown.bytes).into_owned();
    assert_eq!((shown.matches("Matches").count(), shown.matches("No match").count()), (1, 1));
}
