//! Additional resources for a fixture, so that its lists have several pages.

use actix_web::test::TestRequest;
use actix_web::web::Bytes;
use quire_domain::Role;
use quire_revision::BlobHash;
use quire_storage::content::store::ContentSelector;
use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};

use super::Fixture;

/// Number of additional resources of each type.
const MORE: usize = 2;

/// Adds resources until every list of the table has at least two items. `admin` is the creator of the fixture.
pub async fn crowd(app: &TestApp, fixture: &mut Fixture, admin: &Caller) {
    let crowd = Crowd { organization: fixture.parameters["organizationId"].clone(), admin };
    let members: Vec<Caller> =
        (0..MORE).map(|_| app.member_of(app.organization, Some(Role::Admin))).collect();
    content(app, fixture, admin).await;
    let spaces = crowd.resources(fixture).await;
    crowd.discussions(fixture, &members).await;
    crowd.proposals(fixture, &members).await;
    crowd.people(fixture, &members).await;
    for _ in 0..MORE {
        let _ = app.in_browser(admin);
    }
    crowd.settings(fixture, &spaces).await;
    crowd.sites(fixture, &spaces).await;
    crowd.specification(app, fixture).await;
    crowd.imports(fixture).await;
}

/// Adds pages that link to a page and a file, in the space and, by an update, in its change request.
async fn content(app: &TestApp, fixture: &mut Fixture, admin: &Caller) {
    let home = fixture.parameters["pageId"].parse().unwrap();
    let file = fixture.parameters["fileId"].clone();
    let bytes = Bytes::from_static(b"other");
    let space = fixture.space.parse().unwrap();
    app.state.storage.files().put(space, BlobHash::of(&bytes), bytes).await.unwrap();
    let (_, gone) = app.edit(admin, space, ContentSelector::Space, |content| {
        (0..MORE).map(|number| content.page(None, &format!("Gone {number}"), "")).collect::<Vec<_>>()
    });
    let delete: Vec<Value> =
        gone.iter().map(|page| json!({"operation": "delete_page", "page": page})).collect();
    let changes = json!({ "changes": delete });
    admin.post(&format!("/v1/spaces/{}/content", fixture.space), changes).await.expect(200);
    let (revision, ()) = app.edit(admin, space, ContentSelector::Space, |content| {
        content.write(home, "[a](https://a.example/)\n\n[b](https://b.example/)\n\n[c](https://c.example/)");
        for number in 0..MORE {
            let text =
                format!("[home](/pages/{home})\n\n<figure><img src=\"/files/{file}\" alt=\"\"></figure>");
            content.page(None, &format!("Guide {number}"), &text);
            content.file(&format!("{number}.png"), "image/png", b"other");
        }
    });
    fixture.parameters.insert("revisionId", revision.to_string());
    let request = &fixture.parameters["changeRequestId"];
    let update = format!("/v1/spaces/{}/change-requests/{request}/update", fixture.space);
    assert_eq!(admin.post_empty(&update).await.expect(200).at("/result"), "update");
}

struct Crowd<'a> {
    organization: String,
    admin: &'a Caller,
}

impl Crowd<'_> {
    fn of(&self, things: &str) -> String {
        format!("/v1/orgs/{}/{things}", self.organization)
    }

    /// Creates resources below a path and returns their ids.
    async fn make(&self, path: &str, body: impl Fn(usize) -> Value) -> Vec<String> {
        let mut ids = Vec::new();
        for number in 0..MORE {
            let made = self.admin.post(path, body(number)).await;
            assert!(made.status.is_success(), "{path}: {}", made.json);
            ids.push(made.json["id"].as_str().unwrap_or_default().to_owned());
        }
        ids
    }

    /// Creates spaces with a page in the collection, and collections next to it. Returns the spaces.
    async fn resources(&self, fixture: &Fixture) -> Vec<String> {
        let parent = &fixture.parameters["collectionId"];
        self.make(&self.of("collections"), |_| json!({"parent": parent})).await;
        let spaces = self.make(&self.of("spaces"), |_| json!({"parent": parent})).await;
        for space in &spaces {
            let page = json!({"operation": "insert_page", "title": "Guide", "document": {"markdown": "x"}});
            let content = format!("/v1/spaces/{space}/content");
            let _ = self.admin.post(&content, json!({"changes": [page]})).await.expect(200);
        }
        self.make("/v1/orgs", |_| json!({"title": "Other"})).await;
        spaces
    }

    /// Adds comments and replies by several users, on the space and on the change request.
    async fn discussions(&self, fixture: &Fixture, members: &[Caller]) {
        let space = format!("/v1/spaces/{}", fixture.space);
        let request = format!("{space}/change-requests/{}", fixture.parameters["changeRequestId"]);
        for (resource, thread) in [(space, "commentId"), (request, "commentId in a change request")] {
            for member in members {
                // Replies to the caller create entries in the caller's inbox.
                let body = json!({"body": {"markdown": "Hello."}});
                let comments = format!("{resource}/comments");
                let _ = member.post(&comments, body.clone()).await.expect(201);
                let replies = format!("{comments}/{}/replies", fixture.parameters[thread]);
                let _ = member.post(&replies, body).await.expect(201);
            }
        }
    }

    /// Adds open change requests, and reviewers and contributors to the fixture's change request.
    async fn proposals(&self, fixture: &Fixture, members: &[Caller]) {
        let requests = format!("/v1/spaces/{}/change-requests", fixture.space);
        for id in self.make(&requests, |_| json!({})).await {
            let _ =
                self.admin.patch(&format!("{requests}/{id}"), json!({"status": "open"})).await.expect(200);
        }
        let request = format!("{requests}/{}", fixture.parameters["changeRequestId"]);
        for member in members {
            let group = json!({"changes": [{"operation": "insert_group", "title": "Group"}]});
            let _ = member.post(&format!("{request}/content"), group).await.expect(200);
            let _ =
                member.post(&format!("{request}/reviews"), json!({"status": "approved"})).await.expect(201);
            let asked = json!({"users": [member.user()]});
            let _ = self.admin.post(&format!("{request}/requested-reviewers"), asked).await.expect(200);
        }
    }

    /// Adds teams of the fixture's member, and grants to members and teams.
    async fn people(&self, fixture: &Fixture, members: &[Caller]) {
        let mut users: Vec<String> = members.iter().map(|member| member.user().to_string()).collect();
        let team = format!("{}/members", self.of(&format!("teams/{}", fixture.parameters["teamId"])));
        for user in &users {
            let _ = self.admin.put(&format!("{team}/{user}"), json!({})).await.expect(204);
        }
        users.push(fixture.parameters["userId"].clone());
        let mut teams = Vec::new();
        for number in 0..MORE {
            let body = json!({"title": format!("Team {number}"), "members": users});
            teams.push(self.admin.put(&self.of("teams"), body).await.expect(201).text("/id"));
        }
        let grant = json!({"users": users, "teams": teams, "role": "edit"});
        let collection = &fixture.parameters["collectionId"];
        for path in [format!("spaces/{}", fixture.space), format!("collections/{collection}")] {
            let path = format!("/v1/{path}/permissions");
            let _ = self.admin.post(&path, grant.clone()).await.expect(204);
        }
        self.make(&self.of("link-invites"), |_| json!({"role": "read"})).await;
        let invited = |number| json!({"emails": [format!("more-{number}@example.org")]});
        self.make(&self.of("invites"), invited).await;
        let own = self.admin.get("/v1/user").await.expect(200).text("/email");
        for member in members {
            let other = member.post("/v1/orgs", json!({"title": "Inviting"})).await.expect(201).text("/id");
            let invites = format!("/v1/orgs/{other}/invites");
            let _ = member.post(&invites, json!({"emails": [own]})).await.expect(200);
        }
        self.make("/v1/user/tokens", |_| json!({"label": "more"})).await;
    }

    async fn settings(&self, fixture: &Fixture, spaces: &[String]) {
        self.make(
            &self.of("custom-fields"),
            |number| json!({"name": format!("more-{number}"), "type": "text"}),
        )
        .await;
        self.make(&self.of("oidc"), |_| {
            json!({"label": "More", "issuer": "https://id.example.com", "clientID": "a", "clientSecret": "b"})
        })
        .await;
        self.make(&self.of("saml"), |_| json!({"label": "More"})).await;
        self.make(&self.of("translations"), |_| json!({"title": "More"})).await;
        let hook = json!({"url": "https://example.com/more", "events": ["space_created"]});
        self.make(&self.of("webhooks"), |_| hook.clone()).await;
        let ping = format!("{}/ping", self.of(&format!("webhooks/{}", fixture.parameters["webhookId"])));
        self.make(&ping, |_| json!({})).await;
        for number in 0..MORE {
            let integration = format!("/v1/integrations/more-{number}-{}", fixture.space);
            let body = json!({"title": "More", "description": "", "scopes": [], "script": "x", "organization": self.organization,
                "visibility": "public"});
            let _ = self.admin.post(&integration, body).await.expect(201);
            let installed = json!({"organization": self.organization});
            let _ = self.admin.post(&format!("{integration}/installations"), installed).await.expect(201);
        }
        let (name, id) = (&fixture.parameters["integrationName"], &fixture.parameters["installationId"]);
        let installed = format!("/v1/integrations/{name}/installations/{id}/spaces");
        self.make(&installed, |number| json!({"space": spaces[number]})).await;
    }

    /// Adds sites, and parts to the fixture's site.
    async fn sites(&self, fixture: &Fixture, spaces: &[String]) {
        let sites = self.make(&self.of("sites"), |_| json!({"title": "More"})).await;
        let (name, id) = (&fixture.parameters["integrationName"], &fixture.parameters["installationId"]);
        let installed = format!("/v1/integrations/{name}/installations/{id}/sites");
        self.make(&installed, |number| json!({"siteId": sites[number]})).await;
        let site = self.of(&format!("sites/{}", fixture.parameters["siteId"]));
        self.make(&format!("{site}/sections"), |number| json!({"spaceId": spaces[number], "title": "More"}))
            .await;
        self.make(&format!("{site}/section-groups"), |_| json!({"title": "More"})).await;
        self.make(&format!("{site}/share-links"), |_| json!({})).await;
        let redirect = |number| json!({"source": format!("/more/{number}"), "destination": {"kind": "external", "url": "https://a.example"}});
        self.make(&format!("{site}/redirects"), redirect).await;
    }

    /// Adds pending imports.
    async fn imports(&self, fixture: &Fixture) {
        for _ in 0..MORE {
            let request = TestRequest::post().uri(&format!("/v1/spaces/{}/content/import", fixture.space));
            let request = request.insert_header(("Prefer", "respond-async"));
            let body = json!({"url": "http://127.0.0.1/x.zip", "source": "zip"});
            let _ = self.admin.send(request.set_json(body)).await.expect(202);
        }
    }

    /// Adds specifications, and a version of the fixture's specification.
    async fn specification(&self, app: &TestApp, fixture: &Fixture) {
        let text = |title: &str| json!({"text": format!("openapi: 3.1.0\ninfo: {{title: {title}, version: '2'}}\npaths: {{}}")});
        let specs = self.of("openapi");
        self.make(&specs, |number| json!({"slug": format!("more-{number}"), "source": text("More")})).await;
        let path = format!("{specs}/{}", fixture.parameters["specSlug"]);
        let pets = r##"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "2"}, "tags": [{"name": "pets"}],
            "paths": {"/pets": {"get": {"tags": ["pets"], "summary": "All pets"}}},
            "components": {"schemas": {"Pet": {"type": "object", "properties": {"name": {"type": "string"}}}}}}"##;
        let _ = self.admin.put(&path, json!({"source": {"text": pets}})).await.expect(200);
        app.run_jobs().await;
    }
}
