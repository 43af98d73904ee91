//! Imports from and exports to a real `git http-backend`.

use actix_web::test::TestRequest;
use quire_importer::fetch::FetchConfig;
use quire_server::Settings;
use quire_test_support::{Caller, GIT_CREDENTIALS, GitRepository, GitServer, TestApp};
use serde_json::{Value, json};
use tokio::task::yield_now;

const SUMMARY: &str = "# Table of contents\n\n* [Welcome](README.md)\n* [Guide](guide/README.md)\n  * [Set up](guide/setup.md)\n";

const HOME: &str =
    "# Welcome\n\n- one\n- two\n\nSee [the guide](guide/README.md).\n\n![Logo](.gitbook/assets/logo.png)\n";

pub async fn app(server: &GitServer) -> TestApp {
    let allow = vec![server.address().to_string().parse().unwrap()];
    let fetch = FetchConfig { allow, ..FetchConfig::default() };
    TestApp::start_with(Settings { rate_limit: 0, ..Settings::default() }, fetch).await
}

pub fn filled(server: &GitServer, name: &str, has_filters: bool) -> GitRepository {
    let repository = server.create(name, has_filters);
    repository.commit(&[
        ("README.md", Some(HOME.as_bytes())),
        ("SUMMARY.md", Some(SUMMARY.as_bytes())),
        ("guide/README.md", Some(b"# Guide\n\nAll about it!\n")),
        ("guide/setup.md", Some(b"# Set up\r\n\r\nRun it.\r\n\r\n* fast\r\n")),
        (".gitbook/assets/logo.png", Some(b"not really a picture")),
        ("src/main.rs", Some(b"fn main() {}\n")),
    ]);
    repository
}

/// Waits until the run of a space has ended.
async fn ended(caller: &Caller, space: &str) -> Value {
    loop {
        let info = caller.get(&format!("/v1/spaces/{space}/git/info")).await.expect(200).json;
        if info["operation"]["state"] != "running" {
            return info;
        }
        yield_now().await;
    }
}

/// Runs an import or export to its end. It must succeed unless `error` is given.
async fn run(caller: &Caller, space: &str, direction: &str, body: Value, error: Option<&str>) {
    let started = caller.post(&format!("/v1/spaces/{space}/git/{direction}"), body).await.expect(204);
    assert!(started.header("location").ends_with(&format!("/v1/spaces/{space}/git/info")));
    let operation = ended(caller, space).await["operation"].clone();
    assert_eq!(operation["direction"], direction);
    match error {
        None => {
            assert_eq!(
                (&operation["state"], operation.get("errorAction")),
                (&json!("success"), None),
                "{operation}"
            );
        }
        Some(error) => {
            let page = operation["errorAction"]["url"].as_str().unwrap();
            assert!(page.ends_with(&format!("/s/{space}/~/git")), "{operation}");
            assert_eq!(operation["state"], "failure", "{operation}");
            assert!(operation["error"].as_str().unwrap().contains(error), "{operation}");
        }
    }
}

async fn import(caller: &Caller, space: &str, repository: &GitRepository) {
    run(caller, space, "import", json!({"url": repository.url_with_credentials}), None).await;
}

async fn export(caller: &Caller, space: &str, repository: &GitRepository) {
    let body = json!({"url": repository.url_with_credentials, "commitMessage": "Edit the docs"});
    run(caller, space, "export", body, None).await;
}

pub async fn page(caller: &Caller, space: &str, path: &str) -> Value {
    let path = format!("/v1/spaces/{space}/content/path/{path}?format=markdown");
    caller.get(&path).await.expect(200).json
}

pub async fn edit(caller: &Caller, space: &str, page: &Value, markdown: &str) {
    let change = json!({"operation": "update_page", "page": page["id"], "document": {"markdown": markdown}});
    write(caller, space, json!([change])).await;
}

pub async fn write(caller: &Caller, space: &str, changes: Value) {
    let request = TestRequest::post().uri(&format!("/v1/spaces/{space}/content"));
    let request = request.insert_header(("Prefer", "return=representation"));
    caller.send(request.set_json(json!({ "changes": changes }))).await.expect(200);
}

pub async fn head(caller: &Caller, space: &str) -> String {
    caller.get(&format!("/v1/spaces/{space}")).await.expect(200).text("/revision")
}

#[actix_web::test]
async fn a_standalone_import_is_a_revision_that_leaves_the_content_as_it_is() {
    let Some(server) = GitServer::start() else { return };
    let app = app(&server).await;
    let (space, admin) = app.space().await;
    let repository = filled(&server, "docs", true);
    import(&admin, &space, &repository).await;
    let before = head(&admin, &space).await;
    let main = repository.head().unwrap();
    let next = repository.commit(&[("guide/README.md", Some(b"# Guide\n\nMore about it!\n"))]);
    let _ = repository.git(["update-ref", "refs/heads/next", &next]);
    let _ = repository.git(["update-ref", "refs/heads/main", &main]);
    let body = json!({"url": repository.url_with_credentials, "ref": "refs/heads/next", "standalone": true});
    let started = admin.post(&format!("/v1/spaces/{space}/git/import"), body).await.expect(204);
    let location = started.header("location");
    let (_, revision) = location.rsplit_once("/revisions/").unwrap();
    assert_eq!(ended(&admin, &space).await["operation"]["state"], "success");
    let made = format!("/v1/spaces/{space}/revisions/{revision}");
    assert_eq!(admin.get(&made).await.expect(200).text("/id"), revision);
    let there = admin.get(&format!("{made}/path/guide?format=markdown")).await.expect(200);
    assert_eq!(there.text("/markdown"), "# Guide\n\nMore about it!\n");
    assert_eq!(head(&admin, &space).await, before);
    let history = admin.get(&format!("/v1/spaces/{space}/revisions")).await.expect(200);
    assert!(!history.json.to_string().contains(revision));
    // The last common state is still the state of the default branch.
    let info = admin.get(&format!("/v1/spaces/{space}/git/info")).await.expect(200);
    assert_eq!(info.text("/repoName"), "docs");
    let kept = format!("git_syncs WHERE commit_id = '{main}' AND reference IS NULL");
    assert_eq!(app.count(&kept), 1);
    let body = json!({"url": repository.url_with_credentials, "commitMessage": "Edit", "standalone": true});
    let refused = admin.post(&format!("/v1/spaces/{space}/git/export"), body).await.expect(400);
    assert_eq!(refused.fields(), ["standalone"]);
}

#[actix_web::test]
async fn a_repository_becomes_the_content_and_pages_keep_their_ids() {
    let Some(server) = GitServer::start() else { return };
    let app = app(&server).await;
    for (name, has_filters) in [("with", true), ("without", false)] {
        let (space, admin) = app.space().await;
        admin.get(&format!("/v1/spaces/{space}/git/info")).await.expect(404);
        let repository = filled(&server, name, has_filters);
        import(&admin, &space, &repository).await;
        let files = repository.files();
        let home = page(&admin, &space, "welcome").await;
        assert_eq!(home["git"], json!({"oid": files["README.md"], "path": "README.md"}));
        let setup = page(&admin, &space, "guide/setup").await;
        assert!(setup["markdown"].as_str().unwrap().contains("Run it."), "{setup}");
        let listed = admin.get(&format!("/v1/spaces/{space}/content/files")).await.expect(200);
        assert_eq!(listed.at("/count"), &json!(1));
        assert_eq!(listed.at("/items/0/git/path"), ".gitbook/assets/logo.png");
        let first = head(&admin, &space).await;

        // Importing the same commit changes nothing. Responses show neither the credentials nor the response of the
        // server.
        import(&admin, &space, &repository).await;
        assert_eq!(head(&admin, &space).await, first);
        let info = ended(&admin, &space).await;
        assert_eq!((&info["repoName"], &info["installationProvider"]), (&json!(name), &json!("git")));
        assert_eq!(info["installationStatus"], "active");
        let secret = GIT_CREDENTIALS.split(':').next_back().unwrap();
        assert!(!info.to_string().contains(secret));
        let organization = app.organization;
        let audit = admin.get(&format!("/v1/orgs/{organization}/audit-log")).await;
        assert!(!audit.json.to_string().contains(secret), "{}", audit.json);

        repository.commit(&[
            ("guide/setup.md", None),
            ("guide/start.md", Some(b"# Set up\r\n\r\nRun it.\r\n\r\n* fast\r\n")),
            ("guide/README.md", Some(b"# Guide\n\nAll about it, and [more](more.md).\n")),
            ("guide/more.md", Some(b"# More\n")),
            ("SUMMARY.md", Some(b"# Table of contents\n\n* [Welcome](README.md)\n* [Guide](guide/README.md)\n  * [More](guide/more.md)\n  * [Set up](guide/start.md)\n")),
        ]);
        let guide = page(&admin, &space, "guide").await;
        import(&admin, &space, &repository).await;
        let moved = page(&admin, &space, "guide/start").await;
        assert_eq!((&moved["id"], &moved["documentId"]), (&setup["id"], &setup["documentId"]));
        let changed = page(&admin, &space, "guide").await;
        assert_eq!(changed["id"], guide["id"]);
        assert!(changed["markdown"].as_str().unwrap().contains("and [more]"), "{changed}");
        let same = page(&admin, &space, "welcome").await;
        assert_eq!((&same["id"], &same["updatedAt"]), (&home["id"], &home["updatedAt"]));
    }
}

#[actix_web::test]
async fn an_export_changes_the_lines_that_were_edited_and_nothing_else() {
    let Some(server) = GitServer::start() else { return };
    let app = app(&server).await;
    let (space, admin) = app.space().await;
    let repository = filled(&server, "docs", true);
    import(&admin, &space, &repository).await;
    let (before, commit) = (repository.files(), repository.head());
    // Without changes, no commit is created.
    export(&admin, &space, &repository).await;
    assert_eq!(repository.head(), commit);

    let home = page(&admin, &space, "welcome").await;
    let text = home["markdown"].as_str().unwrap().replace("two", "two and a half");
    edit(&admin, &space, &home, &text).await;
    let setup = page(&admin, &space, "guide/setup").await;
    edit(&admin, &space, &setup, &setup["markdown"].as_str().unwrap().replace("Run it.", "Run it now."))
        .await;
    export(&admin, &space, &repository).await;
    assert_eq!(repository.text("README.md"), HOME.replace("two", "two and a half"));
    assert_eq!(repository.text("guide/setup.md"), "# Set up\r\n\r\nRun it now.\r\n\r\n* fast\r\n");
    let after = repository.files();
    let changed = after.iter().filter(|(path, id)| before.get(*path) != Some(id));
    assert_eq!(changed.count(), 2);
    assert_eq!(before.len(), after.len());
    assert_eq!(repository.git(["log", "-1", "--format=%s", "main"]), "Edit the docs");
    let home = page(&admin, &space, "welcome").await;
    assert_eq!(home["git"]["oid"], after["README.md"]);
    let commit = repository.head();
    export(&admin, &space, &repository).await;
    assert_eq!(repository.head(), commit);
    // Exported content is not imported again.
    let revision = head(&admin, &space).await;
    import(&admin, &space, &repository).await;
    assert_eq!(head(&admin, &space).await, revision);

    let added = json!({"operation": "insert_page", "into": page(&admin, &space, "guide").await["id"],
        "title": "Tips", "document": {"markdown": "Be quick."}});
    let removed = json!({"operation": "delete_page", "page": setup["id"]});
    write(&admin, &space, json!([added, removed])).await;
    export(&admin, &space, &repository).await;
    let files = repository.files();
    assert!(!files.contains_key("guide/setup.md") && files.contains_key("src/main.rs"));
    assert!(repository.text("guide/tips.md").contains("Be quick."));
    let summary = repository.text("SUMMARY.md");
    assert!(summary.contains("guide/tips.md") && !summary.contains("setup.md"), "{summary}");
    assert_eq!(
        (&files["README.md"], &files["guide/README.md"]),
        (&after["README.md"], &after["guide/README.md"])
    );
}

#[actix_web::test]
async fn the_file_of_a_renamed_page_is_moved_unless_it_changed_in_the_repository() {
    let Some(server) = GitServer::start() else { return };
    let app = app(&server).await;
    let (space, admin) = app.space().await;
    let repository = filled(&server, "docs", true);
    import(&admin, &space, &repository).await;
    let before = repository.files();
    let guide = page(&admin, &space, "guide").await["id"].clone();
    let rename = |slug: &str| json!([{"operation": "update_page", "page": guide, "slug": slug}]);
    write(&admin, &space, rename("manual")).await;
    export(&admin, &space, &repository).await;
    let files = repository.files();
    for name in ["README.md", "setup.md"] {
        assert_eq!(files.get(&format!("manual/{name}")), before.get(&format!("guide/{name}")), "{name}");
        assert!(!files.contains_key(&format!("guide/{name}")), "{name}");
    }
    let renamed = page(&admin, &space, "manual").await;
    assert_eq!((&renamed["id"], renamed["git"]["path"].as_str()), (&guide, Some("manual/README.md")));
    let (commit, revision) = (repository.head(), head(&admin, &space).await);
    export(&admin, &space, &repository).await;
    import(&admin, &space, &repository).await;
    assert_eq!((repository.head(), head(&admin, &space).await), (commit, revision));

    // The repository changed the page, and has a new file next to the other one.
    write(&admin, &space, rename("handbook")).await;
    let text = b"# Guide\n\nAll about it there.\n".as_slice();
    repository.commit(&[("manual/README.md", Some(text)), ("manual/notes.txt", Some(b"Notes.\n"))]);
    let body = json!({"url": repository.url_with_credentials, "commitMessage": "Edit"});
    let error = "`manual/README.md` changed in the repository, too";
    run(&admin, &space, "export", body, Some(error)).await;
    import(&admin, &space, &repository).await;
    export(&admin, &space, &repository).await;
    assert_eq!(repository.text("handbook/README.md").as_bytes(), text);
    let files = repository.files();
    assert!(!files.contains_key("manual/README.md") && files.contains_key("manual/notes.txt"));
    assert_eq!(files.get("manual/setup.md"), before.get("guide/setup.md"));
    let renamed = page(&admin, &space, "handbook").await;
    assert_eq!((&renamed["id"], renamed["git"]["path"].as_str()), (&guide, Some("handbook/README.md")));
}

#[actix_web::test]
async fn an_edit_that_the_repository_has_already_is_no_conflict() {
    let Some(server) = GitServer::start() else { return };
    let app = app(&server).await;
    let (space, admin) = app.space().await;
    let repository = filled(&server, "docs", true);
    import(&admin, &space, &repository).await;
    let home = page(&admin, &space, "welcome").await;
    edit(&admin, &space, &home, &home["markdown"].as_str().unwrap().replace("two", "three")).await;
    // Simulates an export whose node was lost between the push and its record.
    let text = HOME.replace("two", "three");
    repository.commit(&[("README.md", Some(text.as_bytes()))]);
    let commit = repository.head();
    export(&admin, &space, &repository).await;
    assert_eq!(repository.head(), commit);
    let oid = repository.files()["README.md"].clone();
    assert_eq!(page(&admin, &space, "welcome").await["git"]["oid"], oid);
}

#[actix_web::test]
async fn an_empty_repository_is_filled_and_read_back() {
    let Some(server) = GitServer::start() else { return };
    let app = app(&server).await;
    let (space, admin) = app.space().await;
    let (source, target) = (filled(&server, "source", true), server.create("target", true));
    // Importing an empty repository does not empty the space.
    let body = json!({"url": target.url_with_credentials});
    run(&admin, &space, "import", body, Some("repository has no commits yet")).await;
    import(&admin, &space, &source).await;
    let body = json!({
        "url": target.url_with_credentials, "ref": "refs/heads/main", "repoProjectDirectory": "docs",
        "commitMessage": "Begin", "timestamp": "2026-11-28T00:00:00Z",
    });
    run(&admin, &space, "export", body, None).await;
    let files = target.files();
    assert!(files.keys().all(|path| path.starts_with("docs/")), "{files:?}");
    assert_eq!(files["docs/.gitbook/assets/logo.png"], source.files()[".gitbook/assets/logo.png"]);
    let (other, admin) = app.space().await;
    let body = json!({"url": target.url_with_credentials, "repoProjectDirectory": "/docs/"});
    run(&admin, &other, "import", body, None).await;
    let setup = page(&admin, &other, "guide/setup").await;
    assert!(setup["markdown"].as_str().unwrap().contains("Run it."));
    assert_eq!(setup["git"]["path"], "docs/guide/setup.md");
}

#[actix_web::test]
async fn changes_on_both_sides_are_not_lost() {
    let Some(server) = GitServer::start() else { return };
    let app = app(&server).await;
    let (space, admin) = app.space().await;
    let repository = filled(&server, "docs", true);
    import(&admin, &space, &repository).await;
    let guide = page(&admin, &space, "guide").await;
    edit(&admin, &space, &guide, "All about it, from here.").await;
    repository.commit(&[("guide/README.md", Some(b"# Guide\n\nAll about it, from there.\n"))]);
    let body = json!({"url": repository.url_with_credentials, "commitMessage": "Edit"});
    run(&admin, &space, "export", body.clone(), Some("`guide/README.md` changed in the repository, too"))
        .await;

    // An edit of another page survives an import, and the next one.
    let home = page(&admin, &space, "welcome").await;
    edit(&admin, &space, &home, "Edited here.").await;
    for text in ["# Guide\n\nOne.\n", "# Guide\n\nTwo.\n"] {
        repository.commit(&[("guide/README.md", Some(text.as_bytes()))]);
        import(&admin, &space, &repository).await;
        let home = page(&admin, &space, "welcome").await;
        assert!(home["markdown"].as_str().unwrap().contains("Edited here."), "{home}");
    }
    assert!(page(&admin, &space, "guide").await["markdown"].as_str().unwrap().contains("Two."));
    run(&admin, &space, "export", body, None).await;
    assert!(repository.text("README.md").contains("Edited here."));
    assert_eq!(repository.text("guide/README.md"), "# Guide\n\nTwo.\n");
    // With `force`, the content equals the repository.
    let home = page(&admin, &space, "welcome").await;
    edit(&admin, &space, &home, "Edited again.").await;
    repository.commit(&[("guide/README.md", Some(b"# Guide\n\nThree.\n"))]);
    let forced = json!({"url": repository.url_with_credentials, "force": true});
    run(&admin, &space, "import", forced, None).await;
    let home = page(&admin, &space, "welcome").await;
    assert!(home["markdown"].as_str().unwrap().contains("Edited here."), "{home}");
}

#[actix_web::test]
async fn failures_name_their_reason_and_keep_the_content() {
    let Some(server) = GitServer::start() else { return };
    let app = app(&server).await;
    let (space, admin) = app.space().await;
    let repository = filled(&server, "docs", true);
    let before = head(&admin, &space).await;
    let url = &repository.url_with_credentials;
    for (body, reason) in [
        (json!({"url": url.replace("s3cret", "wr0ng")}), "The server did not accept the credentials."),
        (json!({"url": url, "ref": "refs/heads/absent"}), "no branch `absent`"),
        (json!({"url": url.replace("docs.git", "absent.git")}), "does not exist"),
        (json!({"url": url, "repoProjectDirectory": "absent"}), "nothing"),
        (json!({"url": "https://127.0.0.1:1/docs.git"}), "not a public address"),
    ] {
        run(&admin, &space, "import", body, Some(reason)).await;
    }
    assert_eq!(head(&admin, &space).await, before);
    let import = format!("/v1/spaces/{space}/git/import");
    for (body, field) in [
        (json!({}), "url"),
        (json!({"url": "ssh://git@example.org/docs.git"}), "url"),
        (json!({"url": "http://example.org/docs.git"}), "url"),
        (json!({"url": url, "ref": "main"}), "ref"),
        (json!({"url": url, "repoProjectDirectory": "../x"}), "repoProjectDirectory"),
    ] {
        assert_eq!(admin.post(&import, body).await.expect(400).fields(), [field]);
    }
    let body = json!({"url": url});
    let message = admin.post(&format!("/v1/spaces/{space}/git/export"), body).await.expect(400);
    assert_eq!(message.fields(), ["commitMessage"]);
}
