//! One valid request for each route of the table, on a space with every kind of resource that paths name.

mod bulk_fixture;

use std::collections::BTreeMap;

use actix_web::test::TestRequest;
use actix_web::web::Bytes;
use diesel::connection::SimpleConnection as _;
use quire_api::route::{Content, Route};
use quire_domain::Role;
use quire_domain::ids::{OrganizationId, SpaceId};
use quire_revision::BlobHash;
use quire_storage::content::store::ContentSelector;
use quire_test_support::{Caller, SamlProvider, TestApp};
use serde_json::{Value, json};

pub use bulk_fixture::crowd;

/// Password of the user who created a fixture.
const PASSWORD: &str = "ferry lantern quilt";
const NEW_PASSWORD: &str = "marble tundra whistle";
/// File upload as a form.
const UPLOAD: &str =
    "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nHello.\r\n--b--\r\n";

/// Resources that paths name. Calls that may change them get a new fixture.
pub struct Fixture {
    /// Id of the space; empty if no path of the fixture names a space.
    pub space: String,
    parameters: BTreeMap<&'static str, String>,
}

/// Creates every kind of resource that paths name.
pub async fn fixture(app: &TestApp) -> Fixture {
    let (space, admin) = app.space().await;
    fill(app, app.organization, space, &admin).await
}

/// Creates the resources that the path of this route names, and no others.
#[allow(dead_code, reason = "not every test that includes this module needs it")]
pub async fn fixture_for(app: &TestApp, route: &Route) -> Fixture {
    fixture_and_admin(app, route).await.0
}

/// Creates a fixture as [`fixture_for`] does. Returns its creator, too.
pub async fn fixture_and_admin(app: &TestApp, route: &Route) -> (Fixture, Caller) {
    let mut names: Vec<&str> = route.path.split('/').filter_map(parameter_name).collect();
    if route.operation.starts_with("inviteTo") {
        // The body names a user.
        names.push("userId");
    }
    let (space, admin) = app.space().await;
    let computes = route.path.contains("/computed/");
    let wanted = |name: &str| names.contains(&name) || (computes && name == "specSlug");
    let mut fixture = made(app, app.organization, space, &admin, &wanted).await;
    if route.operation == "signInWithPassword" {
        let hash = app.state.hash_password(PASSWORD.to_owned()).await.unwrap();
        app.system.transact(|tx| tx.set_password(admin.user(), &hash)).unwrap();
        let email = admin.get("/v1/user").await.expect(200).text("/email");
        fixture.parameters.insert("email", email);
    }
    if ["signInWithLink", "resetPassword"].contains(&route.operation) {
        let secret = app.system.transact(|tx| tx.create_sign_in_link(admin.user())).unwrap();
        fixture.parameters.insert("secret by mail", secret);
    }
    (fixture, admin)
}

/// Creates every kind of resource in this organization and this space, which the caller administers.
pub async fn fill(app: &TestApp, organization: OrganizationId, space: String, admin: &Caller) -> Fixture {
    made(app, organization, space, admin, &|_| true).await
}

/// Creates one resource for each wanted parameter.
async fn made(
    app: &TestApp,
    organization: OrganizationId,
    space: String,
    admin: &Caller,
    wanted: &dyn Fn(&str) -> bool,
) -> Fixture {
    let mut parameters =
        BTreeMap::from([("organizationId", organization.to_string()), ("spaceId", space.clone())]);
    if wanted("spaceId") {
        content(app, organization, &space, admin, &mut parameters).await;
    }
    if wanted("webhookId") {
        webhook(organization, admin, &mut parameters).await;
    }
    if wanted("collectionId") {
        collection(organization, admin, &mut parameters).await;
    }
    if wanted("pdfId") {
        pdf(&space, admin, &mut parameters).await;
    }
    if wanted("siteId") {
        site(organization, &space, admin, &mut parameters).await;
    }
    if wanted("specSlug") {
        specification(app, organization, &space, admin, &mut parameters).await;
    }
    if wanted("spaceId") {
        git(app, &space, admin).await;
    }
    if wanted("gitInstallationId") {
        let body = git_installation(&space);
        let made = admin.post("/v1/git/installations", body).await.expect(201);
        let log = format!(
            "INSERT INTO git_operations (space_id, id, direction, trigger, state, error, started_at, ended_at) \
             SELECT '{space}', id, 'import', 'poll', 'failure', 'No answer.', now(), now() \
             FROM (VALUES ('{space}'::uuid), (gen_random_uuid())) AS operations (id)"
        );
        app.connection().batch_execute(&log).unwrap();
        parameters.insert("gitOperationId", space.clone());
        parameters.insert("gitInstallationId", made.text("/id"));
        let named = [("accountName", "acme"), ("repositoryName", "docs"), ("projectId", "7")];
        parameters.extend(named.map(|(name, value)| (name, value.to_owned())));
    }
    if wanted("importId") {
        import(&space, admin, &mut parameters).await;
    }
    if wanted("userId") || wanted("teamId") || wanted("collectionId") {
        people(app, organization, &space, admin, wanted, &mut parameters).await;
    }
    if wanted("inviteId") {
        let invites = format!("/v1/orgs/{organization}/link-invites");
        let invite = admin.post(&invites, json!({"role": "read"})).await.expect(201);
        parameters.insert("inviteId", invite.text("/id"));
        let invites = format!("/v1/orgs/{organization}/invites");
        let body = json!({"emails": [format!("{space}@example.org")], "role": "read"});
        let invited = admin.post(&invites, body).await.expect(200);
        parameters.insert("inviteId by e-mail", invited.text("/invites/0/id"));
        parameters.insert("secret by e-mail", invited.text("/invites/0/secret"));
    }
    if wanted("tokenId") {
        let token = admin.post("/v1/user/tokens", json!({"label": "ci"})).await.expect(201);
        parameters.insert("tokenId", token.text("/id"));
    }
    if wanted("passkeyId") {
        let made = format!(
            "INSERT INTO passkeys (id, user_id, credential_id, name, public_key, created_at) \
             SELECT gen_random_uuid(), '{}', decode(md5(random()::text), 'hex'), 'Laptop', '{{}}', now() \
             FROM generate_series(1, 2)",
            admin.user()
        );
        app.connection().batch_execute(&made).unwrap();
        let passkeys = admin.get("/v1/user/passkeys").await.expect(200);
        parameters.insert("passkeyId", passkeys.text("/items/0/id"));
    }
    if wanted("sessionId") {
        let _ = app.in_browser(admin);
        let sessions = admin.get("/v1/user/sessions").await.expect(200);
        parameters.insert("sessionId", sessions.text("/items/0/id"));
    }
    if wanted("subdomain") || wanted("emailDomain") {
        let name = format!("a{}", &space.replace('-', "")[12..32]);
        let domain = format!("{name}.example");
        let settings = json!({"hostname": name, "emailDomains": [domain]});
        let _ = admin.patch(&format!("/v1/orgs/{organization}"), settings).await.expect(200);
        parameters.extend([("subdomain", name), ("emailDomain", domain)]);
    }
    settings(organization, &space, admin, wanted, &mut parameters).await;
    Fixture { space, parameters }
}

/// Creates an organization's resources other than content. Their names are unique in the organization, so they contain
/// the id of the space.
async fn settings(
    organization: OrganizationId,
    space: &str,
    admin: &Caller,
    wanted: &dyn Fn(&str) -> bool,
    parameters: &mut BTreeMap<&'static str, String>,
) {
    let of = |part: &str| format!("/v1/orgs/{organization}/{part}");
    if wanted("fieldName") {
        let name = format!("f-{space}");
        admin.post(&of("custom-fields"), json!({"name": name, "type": "text"})).await.expect(201);
        parameters.insert("fieldName", name);
    }
    if wanted("integrationName") {
        let name = format!("i-{space}");
        let body = json!({"title": "Chat", "description": "", "scopes": [], "script": "x", "organization": organization});
        admin.post(&format!("/v1/integrations/{name}"), body).await.expect(201);
        if wanted("installationId") {
            let installations = format!("/v1/integrations/{name}/installations");
            let made = admin.post(&installations, json!({"organization": organization})).await.expect(201);
            let id = made.text("/id");
            if wanted("spaceId") {
                admin
                    .post(&format!("{installations}/{id}/spaces"), json!({"space": space}))
                    .await
                    .expect(201);
            }
            if let Some(site) = parameters.get("siteId") {
                let sites = format!("{installations}/{id}/sites");
                admin.post(&sites, json!({"siteId": site})).await.expect(201);
            }
            parameters.insert("installationId", id);
        }
        parameters.insert("integrationName", name);
    }
    if wanted("oidcProviderId") {
        let made = admin.post(&of("oidc"), oidc_provider()).await.expect(201);
        parameters.insert("oidcProviderId", made.text("/id"));
    }
    if wanted("samlProviderId") {
        let provider = json!({
            "label": "Acme", "entityID": SamlProvider::ENTITY_ID, "ssoURL": SamlProvider::SSO_URL,
            "certificate": SamlProvider::CERTIFICATE,
        });
        let made = admin.post(&of("saml"), provider).await.expect(201);
        parameters.insert("samlProviderId", made.text("/id"));
    }
    if wanted("translationSettingsId") {
        let made = admin.post(&of("translations"), json!({"title": "Web"})).await.expect(201);
        parameters.insert("translationSettingsId", made.text("/id"));
    }
}

/// Returns a body that connects a space to a repository.
fn git_installation(space: &str) -> Value {
    json!({"provider": "git", "target": {"type": "space", "spaceId": space}})
}

/// Returns a body for an OpenID Connect provider that does not respond.
fn oidc_provider() -> Value {
    json!({"label": "Acme", "issuer": "https://id.example.com", "clientID": "quire", "clientSecret": "secret"})
}

/// Creates a site with two sections, one of them in a group, a share link and a schema of claims.
async fn site(
    organization: OrganizationId,
    space: &str,
    admin: &Caller,
    parameters: &mut BTreeMap<&'static str, String>,
) {
    let sites = format!("/v1/orgs/{organization}/sites");
    let id = admin.post(&sites, json!({"title": "Docs", "spaces": [space]})).await.expect(201).text("/id");
    let site = format!("{sites}/{id}");
    let section = json!({"spaceId": space, "title": "Guides"});
    let section = admin.post(&format!("{site}/sections"), section).await.expect(201);
    let group = json!({"title": "More", "sections": [section.text("/id")]});
    let group = admin.post(&format!("{site}/section-groups"), group).await.expect(201).text("/id");
    let link = admin.post(&format!("{site}/share-links"), json!({})).await.expect(201).text("/id");
    admin.put(&format!("{site}/adaptive-schema"), claims()).await.expect(200);
    let renderer = json!({"url": "https://renderer.example.com", "secret": "s"});
    admin.put(&format!("{site}/renderer"), renderer).await.expect(200);
    let destination = json!({"kind": "external", "url": "https://example.com/x"});
    let redirect = json!({"source": "/old", "destination": destination});
    let redirect = admin.post(&format!("{site}/redirects"), redirect).await.expect(201).text("/id");
    let site_space = section.text("/siteSpaces/0/id");
    let overrides = json!({"title": "Guides"});
    admin.patch(&format!("{site}/site-spaces/{site_space}/customization"), overrides).await.expect(200);
    parameters.extend([
        ("siteId", id),
        ("siteSectionId", section.text("/id")),
        ("siteSpaceId", site_space),
        ("siteSectionGroupId", group),
        ("siteRedirectId", redirect),
        ("shareLinkId", link),
    ]);
}

/// Returns a schema of claims.
fn claims() -> Value {
    json!({"jsonSchema": {"type": "object", "properties": {}, "additionalProperties": false}})
}

/// Creates a webhook with a pending delivery.
async fn webhook(
    organization: OrganizationId,
    admin: &Caller,
    parameters: &mut BTreeMap<&'static str, String>,
) {
    let path = format!("/v1/orgs/{organization}/webhooks");
    let body = json!({"url": "https://example.com/hook", "events": ["space_content_updated"]});
    let webhook = admin.post(&path, body).await.expect(201).text("/id");
    let delivery = admin.post(&format!("{path}/{webhook}/ping"), json!({})).await.expect(201).text("/id");
    parameters.extend([("webhookId", webhook), ("deliveryId", delivery)]);
}

/// Creates an empty collection.
async fn collection(
    organization: OrganizationId,
    admin: &Caller,
    parameters: &mut BTreeMap<&'static str, String>,
) {
    let made = admin.post(&format!("/v1/orgs/{organization}/collections"), json!({})).await.expect(201);
    parameters.insert("collectionId", made.text("/id"));
}

/// Requests a PDF.
async fn pdf(space: &str, admin: &Caller, parameters: &mut BTreeMap<&'static str, String>) {
    let url = admin.get(&format!("/v1/spaces/{space}/pdf")).await.expect(200).text("/url");
    let (path, _) = url.split_once('?').unwrap();
    parameters.insert("pdfId", path.rsplit('/').next().unwrap().to_owned());
}

/// Creates and processes an OpenAPI specification. Its slug is unique among spaces.
async fn specification(
    app: &TestApp,
    organization: OrganizationId,
    space: &str,
    admin: &Caller,
    parameters: &mut BTreeMap<&'static str, String>,
) {
    let slug = format!("pets-{space}");
    let path = format!("/v1/orgs/{organization}/openapi");
    let text =
        r#"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {"/pets": {"get": {}}}}"#;
    admin.post(&path, json!({"slug": slug, "source": {"text": text}})).await.expect(201);
    app.run_jobs().await;
    let version = admin.get(&format!("{path}/{slug}")).await.expect(200).text("/lastVersion");
    parameters.extend([("specSlug", slug), ("versionId", version)]);
}

/// Starts an import from and an export to Git. The fetch guard refuses both, so that their states can be read.
async fn git(app: &TestApp, space: &str, admin: &Caller) {
    for direction in ["export", "import"] {
        let mut body = json!({
            "url": "https://127.0.0.1/acme/docs.git",
            "ref": "refs/heads/main",
            "repoTreeURL": "https://example.org/acme/docs/tree/main",
            "repoCommitURL": "https://example.org/acme/docs/commit",
            "repoProjectDirectory": "docs",
            "repoCacheID": "cache",
            "gitInfo": {"provider": "github", "url": "https://github.com/acme/docs"},
            "timestamp": "2026-01-02T03:04:05Z",
            "force": true,
            "standalone": false,
        });
        if direction == "export" {
            body["commitMessage"] = json!("Publish");
        }
        admin.post(&format!("/v1/spaces/{space}/git/{direction}"), body).await.expect(204);
        // The state is not polled through the API, because the golden files would record the requests.
        while app.count("git_syncs WHERE state = 'running'") > 0 {
            tokio::task::yield_now().await;
        }
    }
}

/// Creates a pending import: no job runs after it.
async fn import(space: &str, admin: &Caller, parameters: &mut BTreeMap<&'static str, String>) {
    let request = TestRequest::post().uri(&format!("/v1/spaces/{space}/content/import"));
    let request = request.insert_header(("Prefer", "respond-async"));
    let body = json!({"url": "http://127.0.0.1/x.zip", "source": "zip"});
    let import = admin.send(request.set_json(body)).await.expect(202).text("/id");
    parameters.insert("importId", import);
}

/// Creates a member who is in a team, and grants to both on the space and on a collection.
async fn people(
    app: &TestApp,
    organization: OrganizationId,
    space: &str,
    admin: &Caller,
    wanted: &dyn Fn(&str) -> bool,
    parameters: &mut BTreeMap<&'static str, String>,
) {
    let user = app.member_of(organization, Some(quire_domain::Role::Read)).user().to_string();
    let teams = format!("/v1/orgs/{organization}/teams");
    let team = json!({"title": format!("Team of {user}"), "members": [user]});
    let team = admin.put(&teams, team).await.expect(201).text("/id");
    let grant = json!({"users": [user], "teams": [team], "role": "read"});
    if wanted("spaceId") {
        let _ = admin.post(&format!("/v1/spaces/{space}/permissions"), grant.clone()).await.expect(204);
    }
    if wanted("collectionId") {
        let collection = &parameters["collectionId"];
        let _ = admin.post(&format!("/v1/collections/{collection}/permissions"), grant).await.expect(204);
    }
    parameters.extend([("userId", user), ("teamId", team)]);
}

/// Creates content, a change request, and a comment with a reply on both.
async fn content(
    app: &TestApp,
    organization: OrganizationId,
    space: &str,
    admin: &Caller,
    parameters: &mut BTreeMap<&'static str, String>,
) {
    let id: SpaceId = space.parse().unwrap();
    let (revision, (page, file, reusable)) = app.edit(admin, id, ContentSelector::Space, |content| {
        let page = content.page(None, "Home", "Welcome.");
        (page, content.file("logo.png", "image/png", b"png"), content.reusable_content("Note", "Mind."))
    });
    // An export reads the bytes, so they must be stored, too.
    let bytes = Bytes::from_static(b"png");
    app.state.storage.files().put(id, BlobHash::of(&bytes), bytes).await.unwrap();
    let document = app.content(space, admin).page(page).and_then(|page| page.document).unwrap();
    let change_request = app.create_change_request(admin, id);
    let of_request = format!("/v1/spaces/{space}/change-requests/{change_request}");
    let (comment, reply) = discussed(admin, &format!("/v1/spaces/{space}")).await;
    let (comment_in_request, reply_in_request) = discussed(admin, &of_request).await;
    parameters.extend([
        ("changeRequestId", change_request.to_string()),
        ("revisionId", revision.to_string()),
        ("otherRevisionId", revision.to_string()),
        ("documentId", document.to_string()),
        ("pageId", page.to_string()),
        ("pagePath", "home".to_owned()),
        ("fileId", file.to_string()),
        ("reusableContentId", reusable.to_string()),
        ("commentId", comment),
        ("commentReplyId", reply),
        ("commentId in a change request", comment_in_request),
        ("commentReplyId in a change request", reply_in_request),
    ]);
    parameters.extend(reviewed(app, organization, admin, &of_request).await);
}

/// Creates a review of a change request by a requested reviewer.
async fn reviewed(
    app: &TestApp,
    organization: OrganizationId,
    admin: &Caller,
    change_request: &str,
) -> [(&'static str, String); 2] {
    let reviewer = app.member_of(organization, Some(Role::Admin));
    let user = reviewer.user().to_string();
    let asked = json!({"users": [user]});
    let _ = admin.post(&format!("{change_request}/requested-reviewers"), asked).await.expect(200);
    let review = json!({"status": "approved", "comment": {"markdown": "Good."}});
    let review = reviewer.post(&format!("{change_request}/reviews"), review).await.expect(201).text("/id");
    [("reviewId", review), ("userId in a change request", user)]
}

/// Creates a comment with a reply below `resource`.
async fn discussed(author: &Caller, resource: &str) -> (String, String) {
    let body = json!({"body": {"markdown": "Hello."}});
    let comments = format!("{resource}/comments");
    let comment = author.post(&comments, body.clone()).await.expect(201).text("/id");
    let reply = author.post(&format!("{comments}/{comment}/replies"), body).await.expect(201).text("/id");
    (comment, reply)
}

impl Fixture {
    /// Changes the value of a parameter.
    pub fn set(&mut self, parameter: &'static str, value: &str) {
        self.parameters.insert(parameter, value.to_owned());
    }

    /// Returns the parameters with their values.
    pub fn names(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.parameters.iter().map(|(name, value)| (*name, value.as_str()))
    }

    fn secret_by_mail(&self) -> &str {
        self.parameters.get("secret by mail").map_or("ql_unknown", String::as_str)
    }

    /// Returns the value of a parameter.
    pub fn named(&self, parameter: &str) -> String {
        self.parameters.get(parameter).unwrap_or_else(|| panic!("the fixture has no {parameter}")).clone()
    }

    /// Returns whether each parameter of the route's path has a value.
    pub fn knows(&self, route: &Route) -> bool {
        let mut names = route.path.split('/').filter_map(parameter_name);
        names.all(|name| self.parameters.contains_key(name))
    }

    /// Returns the route's path, with its required query.
    pub fn path(&self, route: &Route) -> String {
        self.path_with(route, |_, value| value)
    }

    /// Returns the path as [`Fixture::path`] does, with each parameter's value replaced by the result of `replace`.
    pub fn path_with(&self, route: &Route, replace: impl Fn(&str, String) -> String) -> String {
        let segments = route.path.split('/').map(|segment| match parameter_name(segment) {
            Some(name) => replace(name, self.parameter(route, name)),
            None => segment.to_owned(),
        });
        let mut path = segments.collect::<Vec<_>>().join("/");
        let has = |name: &str| route.parameters().iter().any(|parameter| parameter.name == name);
        if has("query") {
            path.push_str("?query=guide");
        } else if route.operation == "getContentByUrl" {
            path.push_str(&format!("?url=http://127.0.0.1:8080/s/{}", self.space));
        } else if has("url") {
            path.push_str("?url=https://example.com/x");
        } else if route.operation == "streamEvents" {
            path.push_str(&format!("?space={}", self.space));
        } else if has("source") {
            path.push_str("?source=/old");
        } else if has("path") && has("ref") {
            path.push_str("?path=README.md&ref=main");
        }
        path
    }

    /// Returns the value of a parameter. Ids of comments depend on the resource of the route.
    pub fn parameter(&self, route: &Route, name: &str) -> String {
        let in_request =
            route.path.contains("/change-requests/").then(|| format!("{name} in a change request"));
        let by_email = (route.path.contains("}/invites/") || route.path.ends_with("/register"))
            .then(|| format!("{name} by e-mail"));
        let value = in_request.or(by_email).and_then(|name| self.parameters.get(name.as_str()));
        value
            .or_else(|| self.parameters.get(name))
            .unwrap_or_else(|| panic!("the fixture has no {name}"))
            .clone()
    }

    /// Returns a body that the operation accepts.
    pub fn body(&self, route: &Route) -> Value {
        match route.operation {
            "updateSpaceById" | "createSpace" => json!({"title": "New"}),
            "createCollection" | "updateCollectionById" => json!({"title": "New"}),
            "moveSpace" | "moveCollection" => json!({"parent": null}),
            // The current owner: 409 for callers who may transfer.
            "transferSpace" | "transferCollection" => {
                json!({"organization": self.parameter(route, "organizationId")})
            }
            "createOpenAPISpec" => json!({"slug": "birds", "source": {"text": "openapi: 3.1.0"}}),
            "createOrUpdateOpenAPISpecBySlug" => json!({"source": {"text": "openapi: 3.1.0"}}),
            "getComputedDocument" | "getComputedRevision" => {
                let spec = json!({"ref": {"kind": "openapi", "spec": self.parameters["specSlug"]}});
                let props = match route.operation {
                    "getComputedDocument" => json!({"doc": "info", "page": 1}),
                    _ => json!({"models": true}),
                };
                let source =
                    json!({"type": "builtin:openapi", "dependencies": {"spec": spec}, "props": props});
                json!({"source": source, "seed": "seed"})
            }
            "convertPageContentInChangeRequest" => json!({"document": {"markdown": "Hello."}}),
            "createChangeRequest" | "updateChangeRequestById" => json!({"subject": "Typos"}),
            "updateChangeRequest" => json!({"strategy": "ours"}),
            "mergeChangeRequest" => json!({"resolutions": []}),
            "inviteToSpace" | "inviteToCollection" => {
                json!({"users": [self.parameters.get("userId").unwrap()], "role": "comment"})
            }
            operation if operation.starts_with("updateUserPermission") => json!({"role": "edit"}),
            operation if operation.starts_with("updateTeamPermission") => json!({"role": "edit"}),
            "createSiteRedirect" => {
                json!({"source": "/new", "destination": {"kind": "external", "url": "https://example.com/"}})
            }
            "updateSiteRedirectById" => json!({"permanent": true}),
            "searchSiteContent" => json!({"query": "welcome", "mode": "all"}),
            "trackEventsInSiteById" => json!({"events": []}),
            "resolvePublishedContentByUrl" => json!({"url": "https://docs.example.com"}),
            "renderDocument" | "renderDocumentInChangeRequest" => json!({"document": {"markdown": "Hello."}}),
            "createApiToken" => json!({"label": "ci"}),
            "signInWithPassword" => {
                let email = self.parameters.get("email").map_or("ada@example.com", String::as_str);
                json!({"email": email, "password": PASSWORD})
            }
            "mailSignInLink" => json!({"email": "ada@example.com"}),
            "signInWithLink" => json!({"secret": self.secret_by_mail()}),
            "resetPassword" => json!({"secret": self.secret_by_mail(), "password": NEW_PASSWORD}),
            "signInWithPasskey" => json!({"challenge": self.space, "credential": {}}),
            "createPasskey" => json!({"challenge": self.space, "name": "Laptop", "credential": {}}),
            "updatePasskey" => json!({"name": "Laptop"}),
            "signInWithCode" | "confirmTotp" | "confirmSession" => json!({"code": "000000"}),
            "updateNotifications" => json!({
                "reviewRequest": "daily", "mention": "at-once", "reply": "never", "conflict": "daily",
                "import": "never",
            }),
            "updateAuthenticatedUser" => json!({"displayName": "Ada"}),
            "createOrganization" | "updateOrganizationById" => json!({"title": "Acme"}),
            "updateMemberInOrganizationById" => json!({"role": "comment"}),
            "createOrganizationInvite" | "updateOrganizationInviteById" => json!({"role": "read"}),
            "joinOrganizationWithInvite" => json!({}),
            "registerWithInvite" => json!({"secret": self.parameters["secret by e-mail"]}),
            "inviteUsersToOrganization" => json!({"emails": ["eve@example.com"]}),
            "createOrganizationTeam" | "updateTeamInOrganizationById" => json!({"title": "Writers"}),
            "updateMembersInOrganizationTeam" => json!({}),
            "addMemberToOrganizationTeamById" => json!({"role": "owner"}),
            "updateSpaceCustomFields" => json!({"values": {(format!("f-{}", self.space)): {"value": "x"}}}),
            "createOrganizationCustomField" => json!({"name": "made", "type": "text"}),
            "updateOrganizationCustomField" => json!({"title": "Status"}),
            "createScimToken" => json!({"defaultRole": "read"}),
            "createOidcProvider" => oidc_provider(),
            "updateOidcProviderById" => json!({"label": "Acme"}),
            "createOrganizationSAMLProvider" | "updateOrganizationSAMLProvider" => json!({"label": "Acme"}),
            "publishIntegration" => json!({
                "title": "Chat", "description": "", "scopes": [], "script": "x", "organization": self.parameters["organizationId"],
            }),
            "installIntegration" => json!({"organization": self.parameters["organizationId"]}),
            "installIntegrationOnSpace" => json!({"space": self.space}),
            // A site that does not exist: 400 for callers who may install.
            "installIntegrationOnSite" => json!({"siteId": self.parameters["organizationId"]}),
            "updateIntegrationInstallation"
            | "updateIntegrationSpaceInstallation"
            | "updateIntegrationSiteInstallation" => json!({"externalIds": ["x"]}),
            "createTranslation" | "updateTranslation" => json!({"title": "Web", "languages": ["fr"]}),
            operation if operation.starts_with("importContent") => {
                json!({"url": "http://127.0.0.1/x.zip", "source": "zip"})
            }
            // The fetch guard refuses the URL after the response is sent.
            "importGitRepository" => json!({"url": "https://127.0.0.1/docs.git"}),
            "exportToGitRepository" => {
                json!({"url": "https://127.0.0.1/docs.git", "commitMessage": "Edit the docs"})
            }
            "installGitSyncProviderOnTarget" => git_installation(&self.space),
            "updateGitSyncInstallationById" => {
                json!({"providerConfiguration": {"url": "https://127.0.0.1/docs.git"}})
            }
            "updateSpaceContent" | "updateChangeRequestContent" => {
                json!({"changes": [{"operation": "insert_group", "title": "Group"}]})
            }
            "markInboxRead" => json!({}),
            "updatePresence" => json!({"space": self.space, "typing": true}),
            "createWebhook" => json!({"url": "https://example.com/hook", "events": ["space_created"]}),
            "updateWebhook" => json!({"active": false}),
            "setViewedPagesInChangeRequest" => json!({"pages": {}}),
            "submitChangeRequestReview" => json!({"status": "approved", "comment": {"markdown": "Good."}}),
            "requestReviewersInChangeRequest" => json!({"users": [self.parameter(route, "userId")]}),
            operation if operation.starts_with("postComment") => json!({"body": {"markdown": "Hello."}}),
            operation if operation.starts_with("updateComment") => json!({"addedReactions": ["👍"]}),
            "createSite"
            | "updateSiteById"
            | "updateSiteCustomizationById"
            | "overrideSiteSpaceCustomizationById"
            | "updateSiteSectionById"
            | "addSectionGroupToSite"
            | "updateSiteSectionGroupById" => json!({"title": "Docs"}),
            "createSiteShareLink" | "updateSiteShareLinkById" => json!({"name": "Press"}),
            "updateSiteAdaptiveSchema" => claims(),
            "bulkUpsertSiteRedirects" => json!({"redirects": [{"source": "/old", "permanent": true}]}),
            "updateSiteRenderer" => json!({"url": "https://renderer.example.com"}),
            "updateSitePublishingAuthById" => json!({"backend": "custom"}),
            "addSectionToSite" | "addSpaceToSite" => json!({"spaceId": self.space}),
            "updateSiteSpaceById" => json!({"path": "start"}),
            "addSectionToGroup" => json!({"sectionId": self.parameter(route, "siteSectionId")}),
            "moveSiteSection" | "moveSiteSpace" | "moveSiteSectionGroup" => json!({}),
            operation => panic!("there is no sample body for {operation}"),
        }
    }

    /// Returns the route's request to this path, with its required body.
    pub fn request(&self, route: &Route, path: &str) -> TestRequest {
        let request = TestRequest::with_uri(path).method(route.method.clone());
        match route.bodies.first() {
            Some(Content::Json(_)) => request.set_json(self.body(route)),
            Some(Content::Form(_)) => {
                request.insert_header(("Content-Type", "multipart/form-data; boundary=b")).set_payload(UPLOAD)
            }
            Some(Content::Media("application/json")) => request.set_json(json!({})),
            Some(Content::Media(media)) => panic!("there is no sample of {media}"),
            None => request,
        }
    }
}

/// Returns the parameter name in a segment such as `{pageId}`.
pub fn parameter_name(segment: &str) -> Option<&str> {
    segment.strip_prefix('{').and_then(|name| name.strip_suffix('}'))
}
