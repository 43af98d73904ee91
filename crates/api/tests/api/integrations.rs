//! Integrations: publication, lookup, and installation.

use diesel::connection::SimpleConnection as _;
use diesel::{QueryableByName, RunQueryDsl as _, sql_query};
use quire_domain::Role;
use quire_domain::ids::OrganizationId;
use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};

const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// Returns the smallest valid body to publish an integration.
fn least(organization: OrganizationId) -> Value {
    json!({"title": "Chat", "description": "Talks", "scopes": [], "script": "run()", "organization": organization})
}

pub async fn publish(admin: &Caller, name: &str, organization: OrganizationId, more: Value) -> Value {
    let mut body = least(organization);
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let path = format!("/v1/integrations/{name}");
    let answer = admin.post(&path, body).await;
    assert!(matches!(answer.status.as_u16(), 200 | 201), "{}", answer.json);
    answer.json
}

async fn names(caller: &Caller, query: &str) -> Vec<String> {
    let list = caller.get(&format!("/v1/integrations{query}")).await.expect(200);
    let items = list.at("/items").as_array().unwrap();
    items.iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect()
}

#[actix_web::test]
async fn an_integration_is_published_with_all_that_it_has() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let body = json!({
        "title": "Chat", "description": "Talks", "scopes": ["space:content:read", "site:views:read"], "script": "run()",
        "organization": app.organization, "icon": PNG, "summary": "# More", "previewImages": [PNG, PNG],
        "visibility": "public", "target": "space", "categories": ["collaboration", "other"],
        "blocks": [{
            "id": "talk", "title": "Talk", "description": "A talk", "icon": "https://example.com/i.svg",
            "urlUnfurl": ["https://talk.example.com/**"], "markdown": {"codeblock": "talk", "body": "content"},
        }],
        "contentSources": [{"id": "log", "title": "Log", "configuration": {"componentId": "log-config"}}],
        "externalLinks": [{"url": "https://example.com", "label": "Website"}],
        "configurations": {
            "account": {"properties": {"key": {"type": "string", "title": "Key"}, "mode": {"type": "string", "enum": ["a", "b"], "default": "a"}},
                        "required": ["key", "mode"]},
            "space": {"componentId": "space-config"},
        },
        "secrets": {"API_KEY": "s3cret"}, "contentSecurityPolicy": {"default-src": "'self'"},
    });
    let made = admin.post("/v1/integrations/chat", body.clone()).await.expect(201);
    assert_eq!(made.header("location"), made.text("/urls/location"));
    for key in [
        "title",
        "description",
        "summary",
        "visibility",
        "target",
        "categories",
        "blocks",
        "contentSources",
        "externalLinks",
        "configurations",
        "contentSecurityPolicy",
    ] {
        assert_eq!(made.at(&format!("/{key}")), &body[key], "{key}");
    }
    assert_eq!(made.at("/scopes"), &json!(["site:views:read", "space:content:read"]));
    assert_eq!(
        (made.text("/object"), made.text("/name"), made.at("/version")),
        ("integration".into(), "chat".into(), &json!(1))
    );
    assert_eq!(
        (made.at("/verified"), made.at("/permissions")),
        (&json!(false), &json!({"admin": true, "install": true}))
    );
    assert_eq!(
        made.at("/owner"),
        &admin.get(&format!("/v1/orgs/{}", app.organization)).await.expect(200).json
    );
    assert!(!String::from_utf8_lossy(&made.bytes).contains("s3cret"));
    assert!(made.json.get("script").is_none() && made.json.get("secrets").is_none());
    for address in [made.text("/urls/icon"), made.text("/previewImages/1")] {
        let path = address.strip_prefix(app.state.urls.base()).unwrap().to_owned();
        let picture = app.anonymous().get(&path).await.expect(200);
        assert_eq!(
            (picture.header("content-type"), picture.header("x-content-type-options")),
            ("image/png", "nosniff")
        );
        assert!(picture.bytes.starts_with(b"\x89PNG"));
    }
    app.anonymous().get("/v1/integrations/chat/images/0000").await.expect(404);
    assert_eq!(admin.get("/v1/integrations/chat").await.expect(200).json, made.json);
    let again = admin.post("/v1/integrations/chat", least(app.organization)).await.expect(200);
    assert_eq!(
        (again.at("/version"), again.json.get("blocks"), again.json.pointer("/urls/icon")),
        (&json!(2), None, None)
    );
    assert_eq!(again.text("/visibility"), "private");
}

#[actix_web::test]
async fn script_and_secrets_are_not_to_be_read_from_the_table() {
    #[derive(QueryableByName)]
    struct Sealed {
        #[diesel(sql_type = diesel::sql_types::Binary)]
        sealed: Vec<u8>,
    }
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    publish(
        &admin,
        "chat",
        app.organization,
        json!({"script": "the script", "secrets": {"a": "the secret"}}),
    )
    .await;
    let query = "SELECT script || secrets AS sealed FROM integrations";
    let row: Sealed = sql_query(query).get_result(&mut app.connection()).unwrap();
    for plain in [&b"the script"[..], b"the secret"] {
        assert!(!row.sealed.windows(plain.len()).any(|part| part == plain));
    }
    let credentials = quire_storage::lookup::Credentials::from_token(admin.token()).unwrap();
    let program = app.state.storage.transact(&credentials, |tx| {
        let found = tx.integration("chat")?.authorize(quire_domain::policy::Action::ViewOrganization)?;
        tx.integration_program(&found)
    });
    let program = program.unwrap();
    assert_eq!((program.script.as_str(), program.secrets["a"].as_str()), ("the script", "the secret"));
}

#[actix_web::test]
async fn only_the_owner_publishes_again_and_only_its_admins() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let elsewhere = app.create_organization("Elsewhere");
    let other = app.member_of(elsewhere, Some(Role::Admin));
    publish(&admin, "chat", app.organization, json!({})).await;
    let taken = other.post("/v1/integrations/chat", least(elsewhere)).await.expect(409);
    assert_eq!(taken.reason(), "name-taken");
    other.delete("/v1/integrations/chat").await.expect(404);
    let creator = app.as_role(Role::Create);
    creator.post("/v1/integrations/other", least(app.organization)).await.expect(403);
    creator.delete("/v1/integrations/chat").await.expect(403);
    let refused = other.post("/v1/integrations/mine", least(app.organization)).await.expect(400);
    assert_eq!(refused.fields(), ["organization"]);
    app.anonymous().post("/v1/integrations/mine", least(app.organization)).await.expect(401);
    app.connection()
        .batch_execute(&format!(
            "UPDATE organizations SET hostname = 'acme' WHERE id = '{}'",
            app.organization
        ))
        .unwrap();
    let mut body = least(app.organization);
    body["organization"] = json!("acme");
    let by_subdomain = admin.post("/v1/integrations/second", body).await.expect(201);
    assert_eq!(by_subdomain.text("/owner/id"), app.organization.to_string());
    admin.delete("/v1/integrations/chat").await.expect(204);
    admin.get("/v1/integrations/chat").await.expect(404);
    other.post("/v1/integrations/chat", least(elsewhere)).await.expect(201);
}

#[actix_web::test]
async fn wrong_parts_are_named() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let property = |property: Value| json!({"configurations": {"account": {"properties": {"a": property}}}});
    let wrong = [
        (json!({"title": "x"}), "title"),
        (json!({"scopes": ["space:everything"]}), "scopes[0]"),
        (json!({"script": ""}), "script"),
        (json!({"organization": "nonsense"}), "organization"),
        (json!({"icon": "AAAA"}), "icon"),
        (json!({"icon": "no base64"}), "icon"),
        (json!({"previewImages": [PNG, "PHN2Zy8+"]}), "previewImages[1]"),
        (json!({"previewImages": [PNG, PNG, PNG, PNG]}), "previewImages"),
        (json!({"categories": ["fun"]}), "categories[0]"),
        (json!({"blocks": [{"id": "a", "title": "x"}]}), "blocks[0].title"),
        (json!({"contentSources": [{"id": "a", "title": "xx"}]}), "contentSources[0].configuration"),
        (json!({"externalLinks": [{"url": "ftp://x", "label": "xx"}]}), "externalLinks[0].url"),
        (json!({"secrets": {"a": 1}}), "secrets.a"),
        (json!({"contentSecurityPolicy": {"default-src": "'self'; script-src *"}}), "contentSecurityPolicy"),
        (json!({"contentSecurityPolicy": 1}), "contentSecurityPolicy"),
        (json!({"configurations": {"account": {}}}), "configurations.account"),
        (json!({"configurations": {"site": {"properties": {}, "required": ["a"]}}}), "configurations.site"),
        (property(json!({"type": "date"})), "configurations.account.properties.a.type"),
        (property(json!({"type": "number", "default": "x"})), "configurations.account"),
        (property(json!({"type": "button"})), "configurations.account"),
    ];
    for (more, field) in wrong {
        let mut body = least(app.organization);
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let refused = admin.post("/v1/integrations/chat", body).await.expect(400);
        assert_eq!(refused.fields(), [field], "{more}: {}", refused.json);
    }
    for name in ["a%20b", "%C3%A4", "a%2Fb", &"a".repeat(101)] {
        let refused =
            admin.post(&format!("/v1/integrations/{name}"), least(app.organization)).await.expect(400);
        assert_eq!(refused.reason(), "invalid-path", "{name}");
    }
    assert!(names(&admin, "").await.is_empty());
}

#[actix_web::test]
async fn lists_show_what_the_caller_may_find_and_the_filters_pass() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let elsewhere = app.create_organization("Elsewhere");
    let other = app.member_of(elsewhere, Some(Role::Admin));
    let block =
        json!([{"id": "a", "title": "aa", "urlUnfurl": ["https://*.figma.com/file/**", "codepen.io/x"]}]);
    let source = json!([{"id": "a", "title": "aa", "configuration": {"componentId": "c"}}]);
    publish(
        &admin,
        "blocks",
        app.organization,
        json!({"visibility": "public", "blocks": block, "title": "Drawing"}),
    )
    .await;
    publish(
        &admin,
        "sources",
        app.organization,
        json!({"visibility": "public", "contentSources": source, "categories": ["content"]}),
    )
    .await;
    publish(&admin, "hidden", app.organization, json!({"visibility": "unlisted"})).await;
    publish(&admin, "ours", app.organization, json!({"visibility": "private"})).await;
    publish(&other, "theirs", elsewhere, json!({"visibility": "public"})).await;
    assert_eq!(names(&admin, "").await, ["theirs", "sources", "blocks"]);
    let stranger = app.stranger();
    assert_eq!(names(&stranger, "").await, ["theirs", "sources", "blocks"]);
    // A private integration is found by its name, and is in the list of its organization.
    admin.get("/v1/integrations/ours").await.expect(200);
    let of = |organization| format!("/v1/orgs/{organization}/integrations");
    let of_organization = async |caller: &Caller, path: &str| {
        let list = caller.get(path).await.expect(200);
        let items = list.at("/items").as_array().unwrap();
        assert_eq!(list.at("/count"), items.len());
        items.iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let own = of(app.organization);
    let reader = app.as_role(Role::Read);
    assert_eq!(of_organization(&reader, &own).await, ["theirs", "ours", "hidden", "sources", "blocks"]);
    assert_eq!(of_organization(&reader, &format!("{own}?search=our")).await, ["ours", "sources"]);
    assert_eq!(of_organization(&other, &of(elsewhere)).await, ["theirs", "sources", "blocks"]);
    let published = format!("{own}?owner={}", app.organization);
    assert_eq!(of_organization(&reader, &published).await, ["ours", "hidden", "sources", "blocks"]);
    app.member_of(app.organization, None).get(&own).await.expect(403);
    stranger.get(&own).await.expect(404);
    let owner = format!("?owner={elsewhere}");
    let table: [(&str, &[&str]); 13] = [
        ("?search=DRAW", &["blocks"]),
        ("?search=our", &["sources"]),
        ("?search=%25", &[]),
        ("?category=content", &["sources"]),
        ("?blockDomain=codepen.io", &["blocks"]),
        ("?blockDomain=WWW.figma.com", &["blocks"]),
        ("?blockDomain=figma.com", &[]),
        ("?blockDomain=notfigma.com", &[]),
        ("?blocks=true", &["blocks"]),
        ("?blocks=false&contentSources=false", &["theirs"]),
        ("?contentSources=true", &["sources"]),
        (&owner, &["theirs"]),
        ("?owner=x", &[]),
    ];
    for (query, expected) in table {
        assert_eq!(names(&stranger, query).await, expected, "{query}");
    }
    for (query, field) in
        [("?category=fun", "category"), ("?blockDomain=a%20b", "blockDomain"), ("?blocks=maybe", "blocks")]
    {
        assert_eq!(stranger.get(&format!("/v1/integrations{query}")).await.expect(400).fields(), [field]);
    }
    stranger.get("/v1/integrations/hidden").await.expect(200);
    stranger.get("/v1/integrations/ours").await.expect(404);
    let seen = stranger.get("/v1/integrations/blocks").await.expect(200);
    assert_eq!(seen.at("/permissions"), &json!({"admin": false, "install": true}));
    assert_eq!(seen.at("/owner/permissions/view"), &json!(false));
    app.anonymous().get("/v1/integrations").await.expect(401);
    let (mut walked, mut next) = (Vec::new(), String::new());
    loop {
        let page = admin.get(&format!("/v1/integrations?limit=1{next}")).await.expect(200);
        assert_eq!(page.at("/count"), &json!(3));
        walked.push(page.text("/items/0/name"));
        let Some(cursor) = page.json.pointer("/next/page") else { break };
        next = format!("&page={}", cursor.as_str().unwrap());
    }
    assert_eq!(walked, ["theirs", "sources", "blocks"]);
    let cost = async |query| {
        let before = app.statements();
        admin.get(query).await.expect(200);
        app.statements() - before
    };
    assert_eq!(cost("/v1/integrations?limit=1").await, cost("/v1/integrations").await);
}

#[actix_web::test]
async fn an_integration_is_installed_configured_and_uninstalled() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let elsewhere = app.create_organization("Elsewhere");
    let owner = app.member_of(elsewhere, Some(Role::Admin));
    let configurations = json!({
        "account": {"properties": {"key": {"type": "string"}, "size": {"type": "number"}, "mode": {"type": "string", "enum": ["a"]}}, "required": ["key"]},
        "space": {"properties": {"room": {"type": "string"}}, "required": ["room"]},
    });
    publish(&owner, "chat", elsewhere, json!({"visibility": "public", "configurations": configurations}))
        .await;
    let kinds = [
        "installation_setup",
        "installation_deleted",
        "space_installation_setup",
        "space_installation_deleted",
    ];
    let body = json!({"url": "https://example.com/hook", "events": kinds});
    let webhook = admin
        .post(&format!("/v1/orgs/{}/webhooks", app.organization), body)
        .await
        .expect(201)
        .text("/urls/location");
    let path = "/v1/integrations/chat/installations";
    let made = admin.post(path, json!({"organization": app.organization})).await.expect(201);
    let id = made.text("/id");
    let one = format!("{path}/{id}");
    let base = app.state.urls.base().to_owned();
    let now = app.state.storage.clock().now().to_string();
    let expected = json!({
        "id": id, "integration": "chat", "status": "pending", "space_selection": "selected", "site_selection": "selected",
        "spaces": 0, "configuration": {}, "createdAt": now, "updatedAt": now, "externalIds": [],
        "urls": {"location": format!("{base}{one}"), "app": made.text("/urls/app"), "publicEndpoint": made.text("/urls/publicEndpoint"), "publicContentEndpoint": made.text("/urls/publicEndpoint")},
        "target": {"organization": app.organization},
    });
    assert_eq!(made.json, expected);
    assert_eq!(made.header("location"), format!("{base}{one}"));
    assert_eq!(
        admin.post(path, json!({"organization": app.organization})).await.expect(409).reason(),
        "conflict"
    );
    let wrong = json!({"configuration": {"size": "big", "mode": "z", "other": 1}});
    let refused = admin.patch(&one, wrong).await.expect(400);
    assert_eq!(refused.fields(), ["configuration.mode", "configuration.other", "configuration.size"]);
    let change = json!({"configuration": {"key": "k", "size": 2}, "externalIds": ["x"], "space_selection": "selected"});
    let changed = admin.patch(&one, change).await.expect(200);
    assert_eq!((changed.text("/status"), changed.at("/configuration/size")), ("active".into(), &json!(2)));
    let spaces = format!("{one}/spaces");
    let on_space = admin.post(&spaces, json!({"space": space})).await.expect(201);
    assert_eq!(
        (on_space.text("/status"), on_space.text("/space"), on_space.text("/installation")),
        ("pending".into(), space.clone(), id.clone())
    );
    assert_eq!(admin.post(&spaces, json!({"space": space})).await.expect(409).reason(), "conflict");
    let on = format!("{spaces}/{space}");
    assert_eq!(
        admin.patch(&on, json!({"configuration": {"key": 1}})).await.expect(400).fields(),
        ["configuration.key"]
    );
    let configured =
        admin.patch(&on, json!({"configuration": {"room": "lobby"}, "externalIds": ["r"]})).await.expect(200);
    assert_eq!((configured.text("/status"), configured.at("/externalIds")), ("active".into(), &json!(["r"])));
    assert_eq!(app.on_space(&space, Some(Role::Read)).get(&on).await.expect(200).json, configured.json);
    assert_eq!(admin.get(&spaces).await.expect(200).at("/items/0"), &configured.json);
    assert_eq!(admin.get(&one).await.expect(200).at("/spaces"), &json!(1));
    assert_eq!(
        admin.patch(&one, json!({"space_selection": "all"})).await.expect(200).at("/spaces"),
        &json!(1)
    );
    let list = app
        .as_role(Role::Read)
        .get(&format!("/v1/orgs/{}/installations", app.organization))
        .await
        .expect(200);
    assert_eq!((list.at("/count"), list.text("/items/0/installation/id")), (&json!(1), id));
    let integration = list.at("/items/0/integration");
    assert_eq!((&integration["name"], &integration["owner"]["id"]), (&json!("chat"), &json!(elsewhere)));
    // The publisher does not see the organizations that installed the integration.
    owner.get(&one).await.expect(404);
    admin.delete(&on).await.expect(204);
    admin.delete(&on).await.expect(404);
    admin.delete(&one).await.expect(204);
    admin.get(&one).await.expect(404);
    let deliveries = format!("{}/deliveries", webhook.strip_prefix(&base).unwrap());
    let listed = admin.get(&deliveries).await.expect(200);
    let mut kinds: Vec<_> =
        listed.at("/items").as_array().unwrap().iter().map(|item| item["kind"].clone()).collect();
    kinds.reverse();
    let expected = [
        "installation_setup",
        "installation_setup",
        "space_installation_setup",
        "space_installation_setup",
        "installation_setup",
        "space_installation_deleted",
        "installation_deleted",
    ];
    assert_eq!(kinds, expected);
}

#[actix_web::test]
async fn what_may_be_installed_where() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let elsewhere = app.create_organization("Elsewhere");
    let other = app.member_of(elsewhere, Some(Role::Admin));
    publish(&admin, "ours", app.organization, json!({"target": "organization"})).await;
    let path = "/v1/integrations/ours/installations";
    other.post(path, json!({"organization": elsewhere})).await.expect(404);
    let refused = admin.post(path, json!({"organization": elsewhere})).await.expect(400);
    assert_eq!(refused.fields(), ["organization"]);
    app.as_role(Role::Create).post(path, json!({"organization": app.organization})).await.expect(403);
    let id = admin.post(path, json!({"organization": app.organization})).await.expect(201).text("/id");
    let spaces = format!("{path}/{id}/spaces");
    admin.post(&spaces, json!({"space": space})).await.expect(409);
    publish(&admin, "ours", app.organization, json!({"target": "space"})).await;
    let foreign =
        other.post(&format!("/v1/orgs/{elsewhere}/spaces"), json!({})).await.expect(201).text("/id");
    assert_eq!(admin.post(&spaces, json!({"space": foreign})).await.expect(400).fields(), ["space"]);
    app.on_space(&space, Some(Role::Create)).post(&spaces, json!({"space": space})).await.expect(403);
    app.on_space(&space, Some(Role::Admin)).post(&spaces, json!({"space": space})).await.expect(201);
    admin.delete("/v1/integrations/ours").await.expect(204);
    admin.get(&format!("{path}/{id}")).await.expect(404);
}

#[actix_web::test]
async fn an_installation_on_a_site_is_deleted_with_the_site() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let configurations = json!({"site": {"properties": {"room": {"type": "string"}}, "required": ["room"]}});
    publish(&admin, "chat", app.organization, json!({"target": "site", "configurations": configurations}))
        .await;
    let (orgs, base) = (format!("/v1/orgs/{}", app.organization), app.state.urls.base().to_owned());
    let events = json!(["site_installation_setup", "site_installation_deleted"]);
    let webhook = json!({"url": "https://example.com/hook", "events": events});
    let webhook = admin.post(&format!("{orgs}/webhooks"), webhook).await.expect(201).text("/id");
    let path = "/v1/integrations/chat/installations";
    let id = admin.post(path, json!({"organization": app.organization})).await.expect(201).text("/id");
    let mut sites = Vec::new();
    for title in ["First", "Second", "Third"] {
        let made = admin.post(&format!("{orgs}/sites"), json!({"title": title})).await.expect(201);
        sites.push(made.text("/id"));
    }
    let all = format!("{path}/{id}/sites");
    let (site, one) = (&sites[0], format!("{all}/{}", sites[0]));
    let made = admin.post(&all, json!({"siteId": site})).await.expect(201);
    let now = app.state.storage.clock().now().to_string();
    let expected = json!({
        "integration": "chat", "installation": id, "site": site, "status": "pending", "configuration": {}, "externalIds": [],
        "createdAt": now, "updatedAt": now,
        "urls": {"location": format!("{base}{one}"), "publicEndpoint": made.text("/urls/publicEndpoint"), "publicContentEndpoint": made.text("/urls/publicEndpoint")},
    });
    assert_eq!(
        (&made.json, made.header("location")),
        (&expected, expected["urls"]["location"].as_str().unwrap())
    );
    assert!(made.text("/urls/publicEndpoint").ends_with(&format!("/run/{id}/sites/{site}")));
    assert_eq!(admin.post(&all, json!({"siteId": site})).await.expect(409).reason(), "conflict");
    assert_eq!(
        admin.patch(&one, json!({"configuration": {"key": 1}})).await.expect(400).fields(),
        ["configuration.key"]
    );
    let body = json!({"configuration": {"room": "lobby"}, "externalIds": ["r"]});
    let configured = admin.patch(&one, body).await.expect(200);
    assert_eq!((configured.text("/status"), configured.at("/externalIds")), ("active".into(), &json!(["r"])));
    let reader = app.as_role(Role::Read);
    assert_eq!(reader.get(&one).await.expect(200).json, configured.json);
    reader.patch(&one, json!({})).await.expect(403);
    app.as_role(Role::Edit).post(&all, json!({"siteId": sites[1]})).await.expect(403);
    app.as_role(Role::Create).post(&all, json!({"siteId": sites[1]})).await.expect(201);
    admin.post(&all, json!({"siteId": sites[2]})).await.expect(201);
    let elsewhere = app.create_organization("Elsewhere");
    let other = app.member_of(elsewhere, Some(Role::Admin));
    let foreign = other.post(&format!("/v1/orgs/{elsewhere}/sites"), json!({})).await.expect(201).text("/id");
    assert_eq!(admin.post(&all, json!({"siteId": foreign})).await.expect(400).fields(), ["siteId"]);
    other.get(&one).await.expect(404);
    admin.get(&format!("{all}/{foreign}")).await.expect(404);
    let (mut walked, mut next) = (Vec::new(), String::new());
    loop {
        let page = reader.get(&format!("{all}?limit=1{next}")).await.expect(200);
        assert_eq!(page.at("/count"), &json!(3));
        walked.push(page.text("/items/0/site"));
        let Some(cursor) = page.json.pointer("/next/page") else { break };
        next = format!("&page={}", cursor.as_str().unwrap());
    }
    assert_eq!(walked, [sites[2].clone(), sites[1].clone(), sites[0].clone()]);
    // Deleting a site deletes its installation.
    admin.delete(&format!("{orgs}/sites/{}", sites[1])).await.expect(204);
    assert_eq!(admin.get(&all).await.expect(200).at("/count"), &json!(2));
    admin.delete(&one).await.expect(204);
    admin.delete(&one).await.expect(404);
    let listed = admin.get(&format!("{orgs}/webhooks/{webhook}/deliveries")).await.expect(200);
    let listed = listed.at("/items").as_array().unwrap().iter().rev().map(|item| {
        let event = &item["event"];
        assert_eq!((&event["installationId"], &event["integration"]), (&json!(id), &json!("chat")));
        (
            item["kind"].as_str().unwrap().trim_start_matches("site_installation_").to_owned(),
            event["siteId"].clone(),
        )
    });
    let expected = [("setup", 0), ("setup", 0), ("setup", 1), ("setup", 2), ("deleted", 1), ("deleted", 0)];
    assert_eq!(listed.collect::<Vec<_>>(), expected.map(|(kind, at)| (kind.to_owned(), json!(sites[at]))));
    admin.delete(&format!("{path}/{id}")).await.expect(204);
    admin.get(&all).await.expect(404);
    // An integration that is not for sites.
    publish(&admin, "space-chat", app.organization, json!({"target": "space"})).await;
    let path = "/v1/integrations/space-chat/installations";
    let id = admin.post(path, json!({"organization": app.organization})).await.expect(201).text("/id");
    admin.post(&format!("{path}/{id}/sites"), json!({"siteId": sites[0]})).await.expect(409);
}

#[actix_web::test]
async fn an_integration_is_verified_by_the_operators_through_its_versions() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    publish(&admin, "chat", app.organization, json!({"visibility": "public", "verified": true})).await;
    let verified = async || admin.get("/v1/integrations/chat").await.expect(200).at("/verified").clone();
    assert_eq!(verified().await, json!(false), "owners cannot verify their own");
    let verify = |name: &str, is| app.system.transact(|tx| tx.verify_integration(name, is)).unwrap();
    assert!(verify("chat", true) && !verify("other", true));
    publish(&admin, "chat", app.organization, json!({"visibility": "public"})).await;
    assert_eq!(verified().await, json!(true));
    assert!(verify("chat", false));
    assert_eq!(verified().await, json!(false));
}
