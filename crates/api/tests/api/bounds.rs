//! Bounds on the number of resources.

use diesel::connection::SimpleConnection as _;
use quire_domain::Role;
use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};

/// Asserts that the first request succeeds, and the second one exceeds the bound.
async fn one_more(caller: &Caller, path: &str, bodies: [Value; 2]) {
    let [first, second] = bodies;
    let _ = caller.post(path, first).await.expect(201);
    assert_eq!(caller.post(path, second).await.expect(409).reason(), "too-many", "{path}");
}

#[actix_web::test]
async fn a_user_has_two_hundred_tokens_and_an_organization_fifty_webhooks() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let tokens = format!(
        "INSERT INTO api_tokens (id, user_id, hash, label, read_only, created_at) \
         SELECT gen_random_uuid(), '{}', sha256(n::text::bytea), 'ci', false, now() FROM generate_series(1, 198) AS n",
        admin.user()
    );
    app.connection().batch_execute(&tokens).unwrap();
    let token = json!({"label": "ci"});
    one_more(&admin, "/v1/user/tokens", [token.clone(), token.clone()]).await;
    // Tokens of other users do not count, and a revoked token makes room.
    let _ = app.as_role(Role::Admin).post("/v1/user/tokens", token.clone()).await.expect(201);
    let newest = admin.get("/v1/user/tokens?limit=1").await.expect(200).text("/items/0/id");
    let _ = admin.delete(&format!("/v1/user/tokens/{newest}")).await.expect(204);
    let _ = admin.post("/v1/user/tokens", token).await.expect(201);

    let webhooks = format!("/v1/orgs/{}/webhooks", app.organization);
    let webhook = json!({"url": "https://example.com/hook", "events": ["space_created"]});
    for _ in 0..49 {
        let _ = admin.post(&webhooks, webhook.clone()).await.expect(201);
    }
    one_more(&admin, &webhooks, [webhook.clone(), webhook]).await;
}

#[actix_web::test]
async fn a_site_has_five_hundred_sections_and_groups_and_a_thousand_spaces() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let others: Vec<String> =
        (0..3).map(|n| app.create_space(&admin, &format!("S{n}")).to_string()).collect();
    let sites = format!("/v1/orgs/{}/sites", app.organization);
    let site = format!("{sites}/{}", admin.post(&sites, json!({})).await.expect(201).text("/id"));
    let section = json!({"spaceId": space, "title": "Guides"});
    let _ = admin.post(&format!("{site}/sections"), section.clone()).await.expect(201);
    let fill = |statement: &str| app.connection().batch_execute(statement).unwrap();
    fill(
        "INSERT INTO site_sections (organization_id, site_id, id, title, path, is_default, position) \
         SELECT organization_id, site_id, gen_random_uuid(), title, 'p' || n, false, position \
         FROM site_sections, generate_series(1, 498) AS n",
    );
    one_more(&admin, &format!("{site}/sections"), [section.clone(), section]).await;
    fill(
        "INSERT INTO site_section_groups (organization_id, site_id, id, title, position) \
         SELECT organization_id, site_id, gen_random_uuid(), 'More', position \
         FROM (SELECT * FROM site_sections LIMIT 1) AS s, generate_series(1, 499)",
    );
    let group = json!({"title": "More"});
    one_more(&admin, &format!("{site}/section-groups"), [group.clone(), group]).await;
    let resources = format!(
        "INSERT INTO site_spaces (organization_id, site_id, id, section_id, space_id, path, is_default, position) \
         SELECT s.organization_id, s.site_id, gen_random_uuid(), s.id, v.id, 'x' || v.id, false, s.position \
         FROM site_sections s, (VALUES ('{space}'::uuid), ('{}'::uuid)) AS v (id) \
         WHERE NOT EXISTS (SELECT 1 FROM site_spaces p WHERE p.section_id = s.id AND p.space_id = v.id) LIMIT 997",
        others[0]
    );
    fill(&resources);
    let bodies = [json!({"spaceId": others[1]}), json!({"spaceId": others[2]})];
    one_more(&admin, &format!("{site}/site-spaces"), bodies).await;
    let _ = admin.get(&format!("{site}/structure")).await.expect(200);
}
