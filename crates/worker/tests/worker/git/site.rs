//! Sites connected to a repository. A site file names the spaces and their folders.

use quire_test_support::{Caller, GIT_CREDENTIALS, GitRepository, GitServer, TestApp};
use serde_json::{Value, json};

pub(super) const SUMMARY: &[u8] = b"# Table of contents\n\n* [Home](README.md)\n";

/// Site that is connected to a repository.
pub(super) struct ConnectedSite {
    pub(super) app: TestApp,
    pub(super) admin: Caller,
    pub(super) repository: GitRepository,
    /// Path of the site in the API.
    pub(super) site: String,
    /// Path of the connection in the API.
    pub(super) path: String,
}

impl ConnectedSite {
    /// Connects a new site with these spaces to a repository. The connection is not configured yet.
    pub(super) async fn new(
        server: &GitServer,
        repository: GitRepository,
        spaces: usize,
    ) -> (Self, Vec<String>) {
        Self::of_provider(server, repository, spaces, "git").await
    }

    /// Like [`ConnectedSite::new`], for a repository of a provider.
    pub(super) async fn of_provider(
        server: &GitServer,
        repository: GitRepository,
        spaces: usize,
        provider: &str,
    ) -> (Self, Vec<String>) {
        let app = super::app(server).await;
        let (first, admin) = app.space().await;
        let organization = admin.get(&format!("/v1/spaces/{first}")).await.expect(200).text("/organization");
        let mut ids = Vec::new();
        for _ in 0..spaces {
            ids.push(
                admin
                    .post(&format!("/v1/orgs/{organization}/spaces"), json!({}))
                    .await
                    .expect(201)
                    .text("/id"),
            );
        }
        let sites = format!("/v1/orgs/{organization}/sites");
        let mut body = json!({"title": "Acme"});
        if spaces > 0 {
            body["spaces"] = json!(ids);
        }
        let site = admin.post(&sites, body).await.expect(201).text("/id");
        let body = json!({"provider": provider, "target": {"type": "site", "siteId": site}});
        let made = admin.post("/v1/git/installations", body.clone()).await.expect(201);
        assert_eq!(made.at("/target"), &json!({"type": "site", "siteId": site}));
        assert_eq!(admin.post("/v1/git/installations", body).await.expect(409).reason(), "git-connected");
        let path = format!("/v1/git/installations/{}", made.text("/id"));
        (Self { app, admin, repository, site: format!("{sites}/{site}"), path }, ids)
    }

    /// Returns the body that configures the connection.
    pub(super) fn setup(&self, priority: &str) -> Value {
        let (username, token) = GIT_CREDENTIALS.split_once(':').unwrap();
        let configuration = json!({"url": self.repository.url, "username": username, "accessToken": token});
        json!({"providerConfiguration": configuration, "priority": priority})
    }

    pub(super) async fn sync(&self) {
        let _ = self.admin.post_empty(&format!("{}/sync", self.path)).await.expect(204);
        self.app.run_jobs().await;
    }

    /// Returns the sentences of the log, newest first.
    pub(super) async fn log(&self) -> Vec<String> {
        let listed = self.admin.get(&format!("{}/operations", self.path)).await.expect(200);
        let entries = listed.at("/items").as_array().unwrap();
        entries.iter().map(|entry| entry["summary"].as_str().unwrap().to_owned()).collect()
    }

    /// Returns folder and space of each connected space.
    pub(super) async fn children(&self) -> Vec<(String, String)> {
        let listed = self.admin.get(&format!("{}/spaces/git/installations", self.site)).await.expect(200);
        let id = self.path.rsplit('/').next().unwrap();
        let items = listed.at("/items").as_array().unwrap();
        let (own, children): (Vec<_>, Vec<_>) = items.iter().partition(|item| item["id"] == id);
        assert_eq!(own.len(), 1);
        let mut children: Vec<(String, String)> = children
            .into_iter()
            .map(|child| {
                assert_eq!(child["parentInstallationId"], id);
                let text =
                    |pointer| child.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
                (text("/projectDirectory"), text("/target/spaceId"))
            })
            .collect();
        children.sort();
        children
    }

    /// Returns the sides whose versions stay in conflicts, of the site and each connected space.
    async fn policies(&self) -> Vec<String> {
        let listed = self.admin.get(&format!("{}/spaces/git/installations", self.site)).await.expect(200);
        let items = listed.at("/items").as_array().unwrap();
        let policies = items.iter().map(|item| {
            let policy = &item["defaultMergeAuthorityPolicy"];
            assert_eq!(&item["syncRoot"]["defaultMergeAuthorityPolicy"], policy);
            policy.as_str().unwrap().to_owned()
        });
        policies.collect()
    }

    /// Returns section, path and title of the spaces of the site.
    pub(super) async fn structure(&self) -> Vec<[String; 3]> {
        let structure = self.admin.get(&format!("{}/structure", self.site)).await.expect(200);
        let mut found = Vec::new();
        collect(structure.at("/structure"), "", &mut found);
        found
    }

    pub(super) async fn text(&self, space: &str) -> String {
        let tree = self.app.content(space, &self.admin);
        let home = tree.pages_in_order().next().unwrap().id.to_string();
        let path = format!("/v1/spaces/{space}/content/page/{home}?format=markdown");
        self.admin.get(&path).await.expect(200).text("/markdown")
    }
}

fn collect(parts: &Value, section: &str, found: &mut Vec<[String; 3]>) {
    for part in parts.as_array().into_iter().flatten() {
        let text = |key: &str| part[key].as_str().unwrap_or_default().to_owned();
        if part["object"] == "site-space" {
            found.push([section.to_owned(), text("path"), text("title")]);
        }
        collect(&part["siteSpaces"], &text("path"), found);
        collect(&part["sections"], "", found);
    }
}

pub(super) fn file(spaces: &str) -> Vec<u8> {
    format!("site:\n  title: Acme\n  structure:\n{spaces}").into_bytes()
}

const TWO: &str = "    - {type: space, key: docs, title: Docs, path: docs, content: {directory: ./docs}}
    - {type: space, key: book, title: Handbook, path: book, draft: true, content: {directory: ./book}}
";

#[actix_web::test]
async fn a_site_file_makes_connects_and_disconnects_spaces() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("site", true);
    repository.commit(&[
        ("docs/README.md", Some(b"# Docs\n\nOne.\n")),
        ("docs/SUMMARY.md", Some(SUMMARY)),
        ("book/README.md", Some(b"# Handbook\n\nTwo.\n")),
        ("book/SUMMARY.md", Some(SUMMARY)),
    ]);
    let (site, _) = ConnectedSite::new(&server, repository, 0).await;

    // Without a site file, the configuration is refused.
    let missing = site.admin.patch(&site.path, site.setup("git")).await.expect(409);
    assert_eq!(missing.reason(), "git-site-file-missing");
    assert!(missing.text("/error/message").contains("gitbook-docs.yaml"), "{}", missing.json);
    assert!(site.admin.get(&site.path).await.json.pointer("/providerConfiguration/url").is_none());

    site.repository.commit(&[("gitbook-docs.yaml", Some(&file(TWO)))]);
    site.admin.patch(&site.path, site.setup("git")).await.expect(200);
    site.app.run_jobs().await;
    assert_eq!(
        site.structure().await,
        [["", "docs", "Docs"], ["", "book", "Handbook"]].map(|parts| parts.map(str::to_owned))
    );
    let children = site.children().await;
    let folders: Vec<&str> = children.iter().map(|(folder, _)| folder.as_str()).collect();
    assert_eq!(folders, ["book", "docs"]);
    let (book, docs) = (children[0].1.clone(), children[1].1.clone());
    assert!(site.text(&docs).await.contains("One."));
    assert!(site.text(&book).await.contains("Two."));
    let log = site.log().await;
    assert_eq!(log.len(), 1, "{log:?}");
    assert!(log[0].contains("The space “Docs” was created. The space “Handbook” was created."), "{log:?}");
    let state = site.admin.get(&site.site).await.expect(200);
    assert_eq!(state.text("/gitSync/operation/state"), "success");
    assert_eq!(state.text("/gitSync/installationStatus"), "active");
    let space = site.admin.get(&format!("/v1/spaces/{docs}")).await.expect(200);
    assert_eq!(space.text("/gitSync/parentInstallationId"), state.text("/gitSync/installationId"));

    // The connection of a space can only be changed through the site.
    let child = format!("/v1/git/installations/{}", space.text("/gitSync/installationId"));
    let refused = site.admin.patch(&child, json!({"projectDirectory": "other", "priority": "git"})).await;
    assert_eq!(refused.expect(409).reason(), "git-managed-by-site");
    assert_eq!(site.admin.delete(&child).await.expect(409).reason(), "git-managed-by-site");

    // The space of a known key gets another folder, a space is added, and one is removed.
    let moved = "    - {type: space, key: docs, title: Docs, path: docs, content: {directory: ./en}}
    - {type: space, key: api, title: API, path: api, content: {directory: ./api}}
";
    site.repository.commit(&[
        ("docs/README.md", None),
        ("docs/SUMMARY.md", None),
        ("en/README.md", Some(b"# Docs\n\nThree.\n")),
        ("en/SUMMARY.md", Some(SUMMARY)),
        ("api/README.md", Some(b"# API\n\nFour.\n")),
        ("api/SUMMARY.md", Some(SUMMARY)),
        ("gitbook-docs.yaml", Some(&file(moved))),
    ]);
    site.sync().await;
    let children = site.children().await;
    let folders: Vec<&str> = children.iter().map(|(folder, _)| folder.as_str()).collect();
    assert_eq!(folders, ["api", "en"]);
    assert_eq!(children[1].1, docs);
    assert!(site.text(&docs).await.contains("Three."));
    assert!(site.text(&children[0].1).await.contains("Four."));
    assert!(site.text(&book).await.contains("Two."));
    assert!(site.admin.get(&format!("/v1/spaces/{book}")).await.expect(200).json.get("gitSync").is_none());
    assert!(site.log().await[0].contains("The space “Handbook” was disconnected"), "{:?}", site.log().await);

    // A commit without changes of the site file reaches the spaces and adds nothing to the log of the site.
    let entries = site.log().await.len();
    site.repository.commit(&[("en/README.md", Some(b"# Docs\n\nFive.\n"))]);
    site.sync().await;
    assert!(site.text(&docs).await.contains("Five."));
    assert_eq!(site.log().await.len(), entries);

    // An invalid file changes nothing, and the log names the key.
    let bad = "    - {type: space, key: docs, title: Docs, path: docs, content: {directory: ./en}}
    - {type: space, key: new, title: New, path: New Path, content: {directory: ./new}}
";
    site.repository.commit(&[("gitbook-docs.yaml", Some(&file(bad)))]);
    site.sync().await;
    assert!(site.log().await[0].contains("`site.structure[1].path`"), "{:?}", site.log().await);
    assert_eq!(site.children().await, children);
    let state = site.admin.get(&site.site).await.expect(200);
    assert_eq!(state.text("/gitSync/operation/state"), "failure");

    // Spaces keep their content when the site is disconnected.
    let _ = site.admin.delete(&site.path).await.expect(205);
    site.app.run_jobs().await;
    site.admin.get(&site.path).await.expect(404);
    site.admin.get(&child).await.expect(404);
    assert!(site.text(&docs).await.contains("Five."));
    assert!(site.admin.get(&site.site).await.expect(200).json.get("gitSync").is_none());
    assert_eq!(site.app.count("api_tokens WHERE label LIKE 'Git synchronization%'"), 0);
}

#[actix_web::test]
async fn sections_and_groups_of_a_site_file_are_made_once() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("sections", true);
    let structure = "    - type: section
      key: docs
      title: Docs
      path: docs
      default: true
      children:
        - {type: space, key: en, title: English, path: en, content: {directory: en}}
        - {type: space, key: fr, title: French, path: fr, default: true, content: {directory: fr}}
    - type: section-group
      key: more
      title: More
      children:
        - type: section
          key: api
          title: API
          path: api
          description: Calls
          children:
            - {type: space, key: api, title: API, path: v1, hidden: true, content: {directory: api}}
";
    let page = b"# Home\n\nText.\n".as_slice();
    repository.commit(&[
        ("gitbook/docs.yaml", Some(&file(structure))),
        ("gitbook/en/README.md", Some(page)),
        ("gitbook/fr/README.md", Some(page)),
        ("gitbook/api/README.md", Some(page)),
    ]);
    let (site, _) = ConnectedSite::new(&server, repository, 0).await;
    let mut setup = site.setup("git");
    setup["projectDirectory"] = json!("gitbook");
    site.admin.patch(&site.path, setup).await.expect(200);
    site.app.run_jobs().await;
    let expected = [["docs", "en", "English"], ["docs", "fr", "French"], ["api", "v1", "API"]];
    let expected = expected.map(|parts| parts.map(str::to_owned));
    assert_eq!(site.structure().await, expected, "{:?}", site.log().await);
    let children = site.children().await;
    let folders: Vec<&str> = children.iter().map(|(folder, _)| folder.as_str()).collect();
    assert_eq!(folders, ["gitbook/api", "gitbook/en", "gitbook/fr"]);

    // Only the title of a section changes.
    let renamed = structure.replace("title: Docs", "title: Documents");
    site.repository.commit(&[("gitbook/docs.yaml", Some(&file(&renamed)))]);
    site.sync().await;
    assert_eq!(site.structure().await, expected);
    assert_eq!(site.children().await, children);
    let shown = site.admin.get(&format!("{}/structure", site.site)).await.expect(200).json.to_string();
    assert!(shown.contains("Documents") && shown.contains("\"Calls\""), "{shown}");
    assert_eq!(site.app.count("site_section_groups"), 1);
}

#[actix_web::test]
async fn a_site_that_has_priority_names_the_folders_itself() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("own", true);
    repository.commit(&[("README.md", Some(b"# Code\n"))]);
    let (site, spaces) = ConnectedSite::new(&server, repository, 2).await;
    let body =
        json!({"operation": "insert_page", "title": "Home", "document": {"markdown": "Written here."}});
    for space in &spaces {
        let path = format!("/v1/spaces/{space}/content");
        site.admin.post(&path, json!({ "changes": [body] })).await.expect(200);
    }
    let with = |directories: Value| {
        let mut setup = site.setup("gitbook");
        setup["childInstallationProjectDirectories"] = directories;
        setup["agentInstructions"] = json!(["agents"]);
        setup["defaultMergeAuthorityPolicy"] = json!("gitbook");
        setup
    };
    let (one, two) = (&spaces[0], &spaces[1]);
    let nested = with(json!({ one: "docs", two: "docs/two" }));
    let refused = site.admin.patch(&site.path, nested).await.expect(400);
    assert!(
        refused.text("/error/message").contains("childInstallationProjectDirectories"),
        "{}",
        refused.json
    );
    let unknown = with(json!({"00000000-0000-7000-8000-000000000009": "docs"}));
    site.admin.patch(&site.path, unknown).await.expect(400);
    let mut of_file = with(json!({ one: "docs" }));
    of_file["priority"] = json!("git");
    assert_eq!(site.admin.patch(&site.path, of_file).await.expect(409).reason(), "git-site-file-missing");

    site.admin.patch(&site.path, with(json!({ one: "docs", two: "book" }))).await.expect(200);
    site.app.run_jobs().await;
    assert!(site.repository.files().keys().any(|path| path.starts_with("docs/")), "{:?}", site.log().await);
    assert!(site.repository.files().keys().any(|path| path.starts_with("book/")));
    // Each folder also has instructions for AI agents.
    for folder in ["docs", "book"] {
        assert!(site.repository.text(&format!("{folder}/AGENTS.md")).contains("SUMMARY.md"));
    }
    assert_eq!(site.children().await, [("book".to_owned(), two.clone()), ("docs".to_owned(), one.clone())]);

    assert_eq!(site.policies().await, ["gitbook"; 3], "the site and its spaces");

    // A connection id selects a space. The other space has no folder then.
    let child = site.admin.get(&format!("/v1/spaces/{one}")).await.text("/gitSync/installationId");
    let mut body = json!({"childInstallationProjectDirectories": {child: "docs"}});
    body["defaultMergeAuthorityPolicy"] = json!("provider");
    site.admin.patch(&site.path, body).await.expect(200);
    site.app.run_jobs().await;
    assert_eq!(site.children().await, [("docs".to_owned(), one.clone())]);
    assert_eq!(site.policies().await, ["provider"; 2]);

    // Deleting a site disconnects its spaces.
    let _ = site.admin.delete(&site.site).await;
    site.app.run_jobs().await;
    assert!(site.admin.get(&format!("/v1/spaces/{one}")).await.expect(200).json.get("gitSync").is_none());
}
