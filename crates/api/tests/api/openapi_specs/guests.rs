//! Guests see only specifications that the current content of a space uses.

use quire_domain::Role;
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::{Value, json};

use super::{PETS, app, no_models, operations, processed, source};

/// Space with a guest who may edit it, and an administrator. The organization has the specifications `pets` and
/// `calls`.
struct Shared {
    app: TestApp,
    admin: Caller,
    guest: Caller,
    space: String,
    /// Ids of both specifications.
    ids: [String; 2],
}

impl Shared {
    async fn new() -> Self {
        let app = app().await;
        let (space, admin) = app.space().await;
        let pets = processed(&app, &admin, "pets", json!({"text": PETS})).await;
        let calls = processed(&app, &admin, "calls", json!({"text": operations(2)})).await;
        let guest = app.member_of(app.organization, None);
        app.grant(&guest, &space, Role::Review);
        let ids = [pets, calls].map(|spec| spec["id"].as_str().unwrap().to_owned());
        Self { app, admin, guest, space: format!("/v1/spaces/{space}"), ids }
    }

    async fn write(&self, caller: &Caller, below: &str, changes: Value) -> Answer {
        caller.post(&format!("{}{below}/content", self.space), json!({"changes": changes})).await
    }

    async fn titles(&self, caller: &Caller, below: &str) -> Vec<String> {
        let read = caller.get(&format!("{}{below}/pages", self.space)).await.expect(200);
        let pages = read.at("/pages").as_array().unwrap();
        pages.iter().map(|page| page["title"].as_str().unwrap().to_owned()).collect()
    }

    /// Returns the responses of both operations on computed content of a specification.
    async fn compute(&self, caller: &Caller, spec: &str) -> [Answer; 2] {
        let ask = async |kind: &str, props: Value| {
            let body = json!({"seed": "s", "source": source(spec, props)});
            caller.post(&format!("{}/content/computed/{kind}", self.space), body).await
        };
        [
            ask("document", json!({"doc": "info", "page": 1})).await,
            ask("revision", json!({"models": true})).await,
        ]
    }

    async fn computes(&self, caller: &Caller, spec: &str, status: u16) {
        for answer in self.compute(caller, spec).await {
            answer.expect(status);
        }
    }
}

fn placed(spec: &str) -> Value {
    json!({"operation": "insert_computed", "title": "API", "source": source(spec, no_models()), "seed": spec})
}

fn block(spec: &str) -> String {
    format!(
        "{{% openapi-operation spec=\"{spec}\" path=\"/pets\" method=\"get\" %}}\n{{% endopenapi-operation %}}\n"
    )
}

#[actix_web::test]
async fn a_guest_computes_what_the_content_shows_and_nothing_else() {
    let shared = Shared::new().await;
    let (guest, admin) = (&shared.guest, &shared.admin);
    for spec in ["pets", "calls", &shared.ids[0], "none"] {
        for answer in shared.compute(guest, spec).await {
            let absent =
                format!("The OpenAPI specification `{spec}` does not exist or has no processed version.");
            assert_eq!(answer.expect(404).text("/error/message"), absent);
        }
    }
    shared.computes(admin, "pets", 200).await;
    // A link to a specification does not make it readable.
    let link =
        json!({"operation": "insert_link", "title": "API", "target": {"kind": "openapi", "spec": "calls"}});
    shared.write(admin, "", json!([link, placed("pets")])).await.expect(200);
    for spec in ["pets", &shared.ids[0]] {
        shared.computes(guest, spec, 200).await;
    }
    for spec in ["calls", &shared.ids[1]] {
        shared.computes(guest, spec, 404).await;
    }
    let reader = shared.app.as_role(Role::Read);
    shared.computes(&reader, "calls", 200).await;
}

#[actix_web::test]
async fn content_that_is_not_current_shows_a_guest_what_is() {
    let shared = Shared::new().await;
    let (guest, admin) = (&shared.guest, &shared.admin);
    shared.write(admin, "", json!([placed("calls")])).await.expect(200);
    let past = admin.get(&format!("{}/content", shared.space)).await.expect(200);
    let (revision, holder) = (past.text("/id"), format!("/revisions/{}", past.text("/id")));
    let change_request =
        admin.post(&format!("{}/change-requests", shared.space), json!({})).await.expect(201).text("/id");
    let draft = format!("/change-requests/{change_request}");
    shared.write(admin, &draft, json!([placed("pets")])).await.expect(200);
    assert_eq!(
        shared.titles(admin, &format!("{draft}/content")).await[3..],
        ["Pets & Co", "owners", "pets", "Default"]
    );
    assert_eq!(shared.titles(guest, &format!("{draft}/content")).await.last().unwrap(), "API");
    // In past content, a guest sees only specifications that the current content uses, too.
    assert_eq!(shared.titles(guest, &holder).await[0], "Calls");
    let stored = admin.get(&format!("{}/content/pages?computed=false", shared.space)).await.expect(200);
    let page = stored.text("/pages/0/id");
    shared.write(admin, "", json!([{"operation": "delete_page", "page": page}])).await.expect(200);
    assert_eq!(shared.titles(guest, &holder).await, ["API"]);
    assert_eq!(shared.titles(admin, &holder).await[0], "Calls");
    // A caller who may not read the specification cannot restore it either.
    let back = json!([{"operation": "revert_page", "page": page, "revision": revision}]);
    assert_eq!(shared.write(guest, "", back.clone()).await.expect(400).fields(), ["changes[0]"]);
    shared.write(admin, "", back).await.expect(200);
    assert_eq!(shared.titles(guest, "/content").await[0], "Calls");
    // The author of the change request may read the specification, so merging makes it readable.
    guest.post_empty(&format!("{}{draft}/merge", shared.space)).await.expect(200);
    assert!(shared.titles(guest, "/content").await.contains(&"Pets & Co".to_owned()));
}

/// Cached responses are shared only by readers who may read the same specifications.
#[actix_web::test]
async fn answers_are_shared_by_readers_of_the_same_specifications_only() {
    let shared = Shared::new().await;
    let (guest, admin) = (&shared.guest, &shared.admin);
    shared.write(admin, "", json!([placed("calls")])).await.expect(200);
    let past = admin.get(&format!("{}/content", shared.space)).await.expect(200).text("/id");
    let stored = admin.get(&format!("{}/content/pages?computed=false", shared.space)).await.expect(200);
    let page = stored.text("/pages/0/id");
    shared.write(admin, "", json!([{"operation": "delete_page", "page": page}])).await.expect(200);
    let read = async |caller: &Caller, path: &str| {
        let answer = caller.get(&format!("{}/revisions/{past}{path}", shared.space)).await.expect(200);
        (answer.header("etag").to_owned(), answer.bytes)
    };
    for [first, second] in [[guest, admin], [admin, guest]] {
        // Each order has its own URLs, so that no response is cached at first.
        let query = if std::ptr::eq(first, guest) { "?metadata=true" } else { "?metadata=false" };
        for path in ["", "/pages"] {
            let path = format!("{path}{query}");
            let made = [read(first, &path).await, read(second, &path).await];
            assert_ne!(made[0].0, made[1].0, "{path}");
            assert_ne!(made[0].1, made[1].1, "{path}");
            assert_eq!([read(first, &path).await, read(second, &path).await], made, "{path}");
        }
    }
}

#[actix_web::test]
async fn a_guest_writes_no_specification_that_the_content_does_not_show() {
    let shared = Shared::new().await;
    let (guest, admin) = (&shared.guest, &shared.admin);
    let page =
        |spec: &str| json!({"operation": "insert_page", "title": "x", "document": {"markdown": block(spec)}});
    let reusable = |spec: &str| json!({"operation": "insert_reusable_content", "title": "x", "document": {"markdown": block(spec)}});
    let document = |spec: &str| {
        let operation = json!({"object": "block", "type": "openapi-operation", "isVoid": true,
            "data": {"ref": {"kind": "openapi", "spec": spec}, "path": "/pets", "method": "get"}, "nodes": []});
        json!({"operation": "insert_page", "title": "x", "document": {"document": {"object": "document", "data": {}, "nodes": [operation]}}})
    };
    let body = |change: Value| json!([{"operation": "insert_page", "title": "y", "document": {"markdown": "Text."}}, change]);
    for spec in ["pets", &shared.ids[0], "none"] {
        for (change, field) in [
            (placed(spec), "changes[1].source.dependencies.spec.ref.spec"),
            (page(spec), "changes[1].document.markdown"),
            (document(spec), "changes[1].document.document"),
            (reusable(spec), "changes[1].document.markdown"),
        ] {
            let refused = shared.write(guest, "", body(change)).await.expect(400);
            assert_eq!(
                (refused.reason().as_str(), refused.fields()),
                ("invalid-content", vec![field.to_owned()])
            );
            let absent = format!("there is no OpenAPI specification `{spec}`");
            assert_eq!(refused.text("/error/details/0/message"), absent);
        }
    }
    assert_eq!(shared.titles(guest, "/content").await, [""; 0]);
    // Members may refer to specifications that do not exist yet.
    shared.write(admin, "", json!([placed("none"), page("pets")])).await.expect(200);
    let stored = admin.get(&format!("{}/content/pages?computed=false", shared.space)).await.expect(200);
    let holder = stored.text("/pages/0/id");
    shared.write(guest, "", json!([document("pets"), placed(&shared.ids[0])])).await.expect(200);
    let update =
        json!([{"operation": "update_page", "page": holder, "source": source("calls", no_models())}]);
    let refused = shared.write(guest, "", update).await.expect(400);
    assert_eq!(refused.fields(), ["changes[0].source.dependencies.spec.ref.spec"]);
    // A page keeps its reference, in a change request, too.
    let change_request =
        admin.post(&format!("{}/change-requests", shared.space), json!({})).await.expect(201).text("/id");
    let draft = format!("/change-requests/{change_request}");
    let named = shared.write(admin, &draft, json!([page("calls")])).await.expect(200);
    assert!(named.status.is_success());
    shared.write(guest, &draft, json!([page("pets")])).await.expect(200);
}

#[actix_web::test]
async fn a_guest_imports_no_specification_that_the_content_does_not_show() {
    let shared = Shared::new().await;
    let import = async |caller: &Caller, spec: &str| {
        let body = format!(
            "--b\r\ncontent-disposition: form-data; name=\"source\"\r\n\r\nmarkdown\r\n--b\r\n\
             content-disposition: form-data; name=\"file\"; filename=\"a.md\"\r\n\r\n# A\n\n{}\r\n--b--\r\n",
            block(spec)
        );
        let request = actix_web::test::TestRequest::post()
            .uri(&format!("{}/content/import", shared.space))
            .insert_header(("content-type", "multipart/form-data; boundary=b"))
            .set_payload(body);
        caller.send(request).await
    };
    for spec in ["pets", "none"] {
        let refused = import(&shared.guest, spec).await.expect(400);
        assert!(
            refused.text("/error/message").contains(&format!("specification `{spec}`")),
            "{}",
            refused.json
        );
    }
    import(&shared.admin, "pets").await.expect(201);
    import(&shared.guest, "pets").await.expect(201);
}

#[actix_web::test]
async fn a_link_to_a_specification_that_a_guest_may_not_see_is_broken_for_it() {
    let shared = Shared::new().await;
    let link = |spec: &str| json!({"operation": "insert_link", "title": spec, "target": {"kind": "openapi", "spec": spec}});
    shared
        .write(&shared.admin, "", json!([link("pets"), link("none"), placed("calls"), link("calls")]))
        .await
        .expect(200);
    let broken = async |caller: &Caller| {
        let links = caller.get(&format!("{}/links", shared.space)).await.expect(200);
        let items = links.at("/items").as_array().unwrap();
        let named = items.iter().filter(|link| link.get("targetReference").is_some()).count();
        (links.at("/stats/broken/total").clone(), named)
    };
    assert_eq!(broken(&shared.admin).await, (json!(1), 3));
    assert_eq!(broken(&shared.guest).await, (json!(2), 0));
}

#[actix_web::test]
async fn a_guest_costs_the_same_however_many_specifications_there_are() {
    let mut costs = Vec::new();
    for count in [1_usize, 6] {
        let shared = Shared::new().await;
        let names: Vec<String> = (0..count).map(|number| format!("more-{number}")).collect();
        for name in &names {
            processed(&shared.app, &shared.admin, name, json!({"text": PETS})).await;
        }
        let all: Value = names.iter().map(|name| placed(name)).collect();
        shared.write(&shared.admin, "", all).await.expect(200);
        let before = shared.app.statements();
        assert!(shared.titles(&shared.guest, "/content").await.len() > count);
        let read = shared.app.statements() - before;
        shared.computes(&shared.guest, "more-0", 200).await;
        costs.push((read, shared.app.statements() - before));
    }
    assert_eq!(costs[0], costs[1]);
}
