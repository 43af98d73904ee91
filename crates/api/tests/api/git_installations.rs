//! Spaces that are connected to a repository of a real `git http-backend`.

use actix_web::test::TestRequest;
use diesel::connection::SimpleConnection as _;
use quire_domain::Role;
use quire_test_support::{Caller, GIT_CREDENTIALS, GitRepository, GitServer, TestApp};
use serde_json::{Value, json};

use crate::git::{app, edit, filled, head, page, write};

const SETUP: &str = "# Set up\r\n\r\nRun it.\r\n\r\n* fast\r\n";

/// Connects a space to a repository and returns the path of the connection.
async fn connect(caller: &Caller, space: &str, repository: &GitRepository, priority: &str) -> String {
    let target = json!({"type": "space", "spaceId": space});
    let body = json!({"provider": "git", "target": target});
    let made = caller.post("/v1/git/installations", body.clone()).await.expect(201);
    assert_eq!(
        (made.text("/status"), made.text("/object")),
        ("pending".into(), "git-sync-installation".into())
    );
    assert_eq!(caller.post("/v1/git/installations", body).await.expect(409).reason(), "git-connected");
    let path = format!("/v1/git/installations/{}", made.text("/id"));
    let (username, token) = GIT_CREDENTIALS.split_once(':').unwrap();
    let configuration = json!({"url": repository.url, "username": username, "accessToken": token});
    let body = json!({"providerConfiguration": configuration, "priority": priority});
    let set_up = caller.patch(&path, body).await.expect(200);
    assert!(!set_up.json.to_string().contains(token), "{}", set_up.json);
    assert_eq!(set_up.at("/providerConfiguration/hasAccessToken"), &json!(true));
    path
}

/// Synchronizes, and returns the last entry of the log.
async fn sync(app: &TestApp, caller: &Caller, path: &str) -> Value {
    let _ = caller.post_empty(&format!("{path}/sync")).await.expect(204);
    app.run_jobs().await;
    log(caller, path).await[0].clone()
}

/// Space that was synchronized with its repository once.
struct Synchronized {
    app: TestApp,
    space: String,
    admin: Caller,
    repository: GitRepository,
    path: String,
}

async fn synchronized(server: &GitServer) -> Synchronized {
    let app = app(server).await;
    let (space, admin) = app.space().await;
    let repository = filled(server, "docs", true);
    let path = connect(&admin, &space, &repository, "git").await;
    sync(&app, &admin, &path).await;
    Synchronized { app, space, admin, repository, path }
}

fn execute(app: &TestApp, statement: &str) {
    app.connection().batch_execute(statement).unwrap();
}

async fn log(caller: &Caller, path: &str) -> Vec<Value> {
    let listed = caller.get(&format!("{path}/operations")).await.expect(200);
    listed.at("/items").as_array().unwrap().clone()
}

async fn markdown(caller: &Caller, space: &str, path: &str) -> String {
    page(caller, space, path).await["markdown"].as_str().unwrap().to_owned()
}

#[actix_web::test]
async fn commits_become_revisions_and_revisions_become_commits() {
    let Some(server) = GitServer::start() else { return };
    let app = app(&server).await;
    for (name, has_filters) in [("with", true), ("without", false)] {
        let (space, admin) = app.space().await;
        let repository = filled(&server, name, has_filters);
        let path = connect(&admin, &space, &repository, "git").await;
        let first = sync(&app, &admin, &path).await;
        let commit = repository.head().unwrap();
        assert_eq!((&first["direction"], &first["toCommit"]), (&json!("import"), &json!(commit)));
        assert_eq!(first["summary"], format!("Commit {} was imported.", &commit[..7]));
        assert_eq!(admin.get(&path).await.expect(200).text("/status"), "active");
        let revision = head(&admin, &space).await;
        // Neither side changed.
        sync(&app, &admin, &path).await;
        assert_eq!((repository.head().unwrap(), head(&admin, &space).await), (commit.clone(), revision));
        assert_eq!(log(&admin, &path).await.len(), 1);

        let setup = page(&admin, &space, "guide/setup").await;
        let text = setup["markdown"].as_str().unwrap().replace("Run it.", "Run it now.");
        edit(&admin, &space, &setup, &text).await;
        let pushed = sync(&app, &admin, &path).await;
        assert_eq!((&pushed["direction"], &pushed["fromCommit"]), (&json!("export"), &json!(commit)));
        assert_eq!(pushed["toCommit"], json!(repository.head().unwrap()));
        assert_eq!(repository.text("guide/setup.md"), SETUP.replace("Run it.", "Run it now."));
        assert_eq!(repository.git(["log", "-1", "--format=%s", "main"]), "Edit Set up");

        // Both sides change: an edited page in the repository, an edited and a deleted page in the space.
        repository.commit(&[("guide/README.md", Some(b"# Guide\n\nAll about it, from there.\n"))]);
        let home = page(&admin, &space, "welcome").await;
        edit(&admin, &space, &home, "Edited here.").await;
        write(&admin, &space, json!([{"operation": "delete_page", "page": setup["id"]}])).await;
        sync(&app, &admin, &path).await;
        assert!(markdown(&admin, &space, "guide").await.contains("from there"));
        assert!(repository.text("README.md").contains("Edited here."));
        assert!(!repository.files().contains_key("guide/setup.md"));
        assert!(repository.text("guide/README.md").contains("from there"));
        let entries = log(&admin, &path).await;
        let directions: Vec<&str> =
            entries.iter().map(|entry| entry["direction"].as_str().unwrap()).collect();
        assert_eq!(directions, ["export", "import", "export", "import"]);

        // A connected space cannot also be imported by request.
        let body = json!({"url": repository.url_with_credentials});
        let refused = admin.post(&format!("/v1/spaces/{space}/git/import"), body).await.expect(409);
        assert_eq!(refused.reason(), "git-connected");
        let _ = admin.delete(&path).await.expect(205);
        admin.get(&path).await.expect(404);
        admin.get(&format!("/v1/spaces/{space}/git/info")).await.expect(404);
        app.run_jobs().await;
        assert_eq!(app.count("api_tokens WHERE label LIKE 'Git synchronization%'"), 0);
    }
}

#[actix_web::test]
async fn edits_of_both_sides_are_merged_or_become_a_change_request() {
    let Some(server) = GitServer::start() else { return };
    let app = app(&server).await;
    let (space, admin) = app.space().await;
    let repository = filled(&server, "docs", true);
    repository.commit(&[("guide/README.md", Some(b"# Guide\n\nOne.\n\nTwo.\n\nThree.\n"))]);
    let path = connect(&admin, &space, &repository, "git").await;
    sync(&app, &admin, &path).await;

    // Both sides edit different paragraphs of one page.
    let guide = page(&admin, &space, "guide").await;
    edit(&admin, &space, &guide, "One, here.\n\nTwo.\n\nThree.").await;
    repository.commit(&[("guide/README.md", Some(b"# Guide\n\nOne.\n\nTwo.\n\nThree, there.\n"))]);
    sync(&app, &admin, &path).await;
    assert_eq!(repository.text("guide/README.md"), "# Guide\n\nOne, here.\n\nTwo.\n\nThree, there.\n");
    let merged = markdown(&admin, &space, "guide").await;
    assert!(merged.contains("One, here.") && merged.contains("Three, there."), "{merged}");

    // Both sides edit the same paragraph; the space also edits another page.
    let guide = page(&admin, &space, "guide").await;
    edit(&admin, &space, &guide, "One, ours.\n\nTwo.\n\nThree, there.").await;
    repository.commit(&[("guide/README.md", Some(b"# Guide\n\nOne, theirs.\n\nTwo.\n\nThree, there.\n"))]);
    let home = page(&admin, &space, "welcome").await;
    edit(&admin, &space, &home, "Edited here.").await;
    sync(&app, &admin, &path).await;
    assert!(repository.text("README.md").contains("Edited here."));
    assert!(repository.text("guide/README.md").contains("One, theirs."));
    assert!(markdown(&admin, &space, "guide").await.contains("One, theirs."));
    let entries = log(&admin, &path).await;
    let import = entries.iter().find(|entry| entry["direction"] == "import").unwrap();
    let id = import["changeRequest"].as_str().unwrap();
    let change_request = admin.get(&format!("/v1/spaces/{space}/change-requests/{id}")).await.expect(200);
    assert_eq!(change_request.text("/status"), "open");
    assert!(change_request.text("/subject").starts_with("Git main at "));
    let ours = format!("/v1/spaces/{space}/change-requests/{id}/content/path/guide?format=markdown");
    assert!(admin.get(&ours).await.expect(200).text("/markdown").contains("One, ours."));
    let merge = format!("/v1/spaces/{space}/change-requests/{id}/merge");
    let conflicts = admin.post(&merge, json!({})).await.expect(200);
    assert_eq!(
        (conflicts.text("/result"), conflicts.at("/conflicts/0/page/id")),
        ("conflicts".into(), &guide["id"])
    );

    // The open change request does not block the synchronization.
    let home = page(&admin, &space, "welcome").await;
    edit(&admin, &space, &home, "Edited again.").await;
    sync(&app, &admin, &path).await;
    assert!(repository.text("README.md").contains("Edited again."));
}

#[actix_web::test]
async fn a_lost_run_is_repeated_and_makes_the_same_commit() {
    let Some(server) = GitServer::start() else { return };
    let Synchronized { app, space, admin, repository, path } = synchronized(&server).await;
    let before = repository.head().unwrap();
    let home = page(&admin, &space, "welcome").await;
    edit(&admin, &space, &home, "Edited here.").await;
    // A run that was lost before the push leaves a row in the state `running`.
    let running =
        "UPDATE git_syncs SET state = 'running', ended_at = NULL, expires_at = now() + interval '1 day'";
    execute(&app, running);
    sync(&app, &admin, &path).await;
    let pushed = repository.head().unwrap();
    assert_ne!(pushed, before);
    // After a push without a record, the repository already has the commit.
    execute(&app, &format!("{running}, commit_id = '{before}'"));
    sync(&app, &admin, &path).await;
    assert_eq!(repository.head().unwrap(), pushed);
    assert!(markdown(&admin, &space, "welcome").await.contains("Edited here."));
    assert!(log(&admin, &path).await.iter().all(|entry| entry["state"] == "success"));
}

#[actix_web::test]
async fn an_empty_repository_is_filled_and_never_empties_a_space() {
    let Some(server) = GitServer::start() else { return };
    let app = app(&server).await;
    let (space, admin) = app.space().await;
    let added = json!({"operation": "insert_page", "title": "Start", "document": {"markdown": "Begin."}});
    write(&admin, &space, json!([added])).await;
    let repository = server.create("empty", true);
    let path = connect(&admin, &space, &repository, "git").await;
    let failed = sync(&app, &admin, &path).await;
    assert_eq!((&failed["state"], &failed["attempts"]), (&json!("failure"), &json!(1)));
    assert_eq!(sync(&app, &admin, &path).await["attempts"], 2, "one entry for the same failure");
    assert!(markdown(&admin, &space, "start").await.contains("Begin."));
    let other = filled(&server, "docs", true);
    let moved = json!({"providerConfiguration": {"url": other.url}});
    assert_eq!(
        admin.patch(&path, moved).await.expect(400).fields(),
        ["providerConfiguration.accessToken"],
        "a token is never sent to another server"
    );
    let _ = admin.patch(&path, json!({"priority": "gitbook"})).await.expect(200);
    app.run_jobs().await;
    assert!(repository.files().values().len() >= 2);
    assert_eq!(
        log(&admin, &path).await[0]["summary"],
        format!("Edits were pushed as commit {}.", &repository.head().unwrap()[..7])
    );
}

#[actix_web::test]
async fn failures_are_in_the_log_and_end_with_other_credentials() {
    let Some(server) = GitServer::start() else { return };
    let Synchronized { app, space, admin, repository, path } = synchronized(&server).await;
    let wrong = json!({"providerConfiguration": {"accessToken": "wr0ng"}});
    let _ = admin.patch(&path, wrong).await.expect(200);
    app.run_jobs().await;
    let state = admin.get(&path).await.expect(200);
    assert_eq!(state.text("/status"), "unauthenticated");
    assert_eq!(state.json.get("nextRunAt"), None, "it is not tried again by itself");
    let entry = log(&admin, &path).await[0].clone();
    assert_eq!(entry["summary"], "The import failed: The server did not accept the credentials.");
    execute(&app, "DELETE FROM api_tokens WHERE label LIKE 'Git synchronization%'");
    assert!(sync(&app, &admin, &path).await["summary"].as_str().unwrap().contains("was revoked"));
    let token = GIT_CREDENTIALS.split_once(':').unwrap().1;
    let right = json!({"providerConfiguration": {"accessToken": token}});
    let _ = admin.patch(&path, right).await.expect(200);
    app.run_jobs().await;
    assert_eq!(admin.get(&path).await.expect(200).text("/status"), "active");
    let comparison = admin.get(&format!("{path}/comparison")).await.expect(200).json;
    let numbers = (&comparison["pages"], &comparison["files"], &comparison["both"]);
    assert_eq!(numbers, (&json!(3), &json!(3), &json!(3)), "{comparison}");
    for (body, field) in [
        (
            json!({"providerConfiguration": {"url": repository.url_with_credentials}}),
            "providerConfiguration.url",
        ),
        (json!({"providerConfiguration": {"url": "http://example.org/a.git"}}), "providerConfiguration.url"),
        (json!({"providerConfiguration": {"branch": "main"}}), "providerConfiguration.branch"),
        (json!({"providerConfiguration": {"branch": "refs/heads/x"}}), "priority"),
        (json!({"projectDirectory": "../x"}), "projectDirectory"),
        (json!({"priority": "both"}), "priority"),
        (json!({"defaultMergeAuthorityPolicy": "both"}), "defaultMergeAuthorityPolicy"),
        (json!({"defaultMergeAuthorityPolicy": null}), "defaultMergeAuthorityPolicy"),
    ] {
        assert_eq!(admin.patch(&path, body).await.expect(400).fields(), [field]);
    }
    let stranger = app.stranger();
    stranger.get(&path).await.expect(404);
    app.on_space(&space, Some(Role::Comment)).get(&path).await.expect(403);
}

/// Returns the state of the connection in a space.
async fn shown(caller: &Caller, space: &str) -> Value {
    caller.get(&format!("/v1/spaces/{space}")).await.expect(200).json["gitSync"].clone()
}

#[actix_web::test]
async fn a_space_shows_its_connection_to_those_with_a_role() {
    let Some(server) = GitServer::start() else { return };
    let app = app(&server).await;
    let (space, admin) = app.space().await;
    let repository = filled(&server, "docs", true);
    assert_eq!(shown(&admin, &space).await, Value::Null);
    let webhooks = format!("/v1/orgs/{}/webhooks", app.organization);
    let events = ["space_gitsync_started", "space_gitsync_completed"];
    let webhook = json!({"url": "https://example.com/", "events": events});
    let webhook = admin.post(&webhooks, webhook).await.expect(201).text("/id");
    let path = connect(&admin, &space, &repository, "git").await;
    let id = path.rsplit('/').next().unwrap();
    let pending = shown(&admin, &space).await;
    assert_eq!(
        (&pending["installationId"], &pending["installationStatus"]),
        (&json!(id), &json!("pending")),
        "{pending}"
    );
    sync(&app, &admin, &path).await;
    let synced = shown(&admin, &space).await;
    assert_eq!((&synced["repoName"], &synced["installationStatus"]), (&json!("docs"), &json!("active")));
    assert_eq!(synced["operation"]["state"], "success");
    let info = admin.get(&format!("/v1/spaces/{space}/git/info")).await.expect(200);
    assert_eq!(info.text("/installationId"), id);
    let spaces = format!("/v1/orgs/{}/spaces", app.organization);
    let listed = admin.get(&spaces).await.expect(200);
    let tag = listed.header("etag").to_owned();
    assert!(listed.json.to_string().contains(id), "{}", listed.json);

    // Without changes on either side only times differ, and these are not written.
    app.clock.advance(std::time::Duration::from_secs(60));
    sync(&app, &admin, &path).await;
    assert_eq!(shown(&admin, &space).await, synced);
    assert_eq!(admin.get(&spaces).await.expect(200).header("etag"), tag);
    execute(&app, "DELETE FROM api_tokens WHERE label LIKE 'Git synchronization%'");
    sync(&app, &admin, &path).await;
    let failed = shown(&admin, &space).await;
    assert_eq!(failed["operation"]["state"], "failure");
    assert!(failed["operation"]["error"].as_str().unwrap().contains("was revoked"), "{failed}");
    assert_ne!(admin.get(&spaces).await.expect(200).header("etag"), tag);
    let sent = admin.get(&format!("{webhooks}/{webhook}/deliveries?limit=100")).await.expect(200).json;
    let sent: Vec<&Value> =
        sent["items"].as_array().unwrap().iter().rev().map(|item| &item["event"]).collect();
    let kinds: Vec<&str> = sent.iter().map(|event| event["type"].as_str().unwrap()).collect();
    // The second synchronization changed nothing and has no events. The third one failed, because its token was
    // revoked.
    let (started, completed) = (events[0], events[1]);
    assert_eq!(kinds, [started, completed, started, completed], "{sent:?}");
    assert_eq!(sent[1]["commitId"], json!(repository.head()));
    assert_eq!(sent[3]["state"], "failure");

    let site = json!({"title": "Docs", "spaces": [space]});
    let sites = format!("/v1/orgs/{}/sites", app.organization);
    let site = format!("{sites}/{}", admin.post(&sites, site).await.expect(201).text("/id"));
    let _ = admin.patch(&site, json!({"visibility": "share-link"})).await.expect(200);
    let _ = admin.post_empty(&format!("{site}/publish")).await.expect(200);
    let key =
        admin.post(&format!("{site}/share-links"), json!({"name": "Press"})).await.expect(201).text("/key");
    let visited = app.anonymous().get(&format!("/v1/spaces/{space}?shareKey={key}")).await.expect(200);
    assert_eq!((visited.text("/id"), visited.json.get("gitSync")), (space.clone(), None));
    let connections = admin.get(&format!("{site}/spaces/git/installations")).await.expect(200);
    assert_eq!(connections.text("/items/0/id"), id);
    assert_eq!(connections.at("/items/0/operation/state"), "failure");
    let member = app.member_of(app.organization, Some(Role::Read));
    let of_member = member.get(&format!("{site}/spaces/git/installations")).await.expect(200);
    assert_eq!(of_member.json, json!({"items": []}));
    let reader = app.on_space(&space, Some(Role::Read));
    assert_eq!(shown(&reader, &space).await["installationId"], json!(id));
    let _ = admin.delete(&path).await.expect(205);
    assert_eq!(shown(&admin, &space).await, Value::Null);
}

#[actix_web::test]
async fn a_signed_delivery_of_a_webhook_has_the_space_synchronize() {
    let Some(server) = GitServer::start() else { return };
    let app = app(&server).await;
    let (space, admin) = app.space().await;
    let repository = filled(&server, "docs", true);
    let path = connect(&admin, &space, &repository, "git").await;
    let branch = json!({"providerConfiguration": {"branch": "refs/heads/main"}, "priority": "git"});
    let _ = admin.patch(&path, branch).await.expect(200);
    sync(&app, &admin, &path).await;
    let installation = admin.get(&path).await.expect(200);
    let hook = installation.text("/urls/hook");
    let hook = &hook[hook.find("/v1/").unwrap()..];
    assert_eq!(installation.at("/hasHookSecret"), &json!(false));
    let send = async |token: &str, body: Value| {
        let request = TestRequest::post().uri(hook).insert_header(("X-Gitlab-Token", token));
        app.anonymous().send(request.set_json(body)).await
    };
    let deliver = async |token: &str, reference: &str| {
        send(token, json!({"ref": reference, "repository": {"name": "docs"}})).await
    };
    let refused = deliver("", "refs/heads/main").await.expect(404).json;
    let member = app.on_space(&space, Some(Role::Edit));
    member.post_empty(&format!("{path}/rotate-hook-secret")).await.expect(403);
    let made = admin.post_empty(&format!("{path}/rotate-hook-secret")).await.expect(200);
    let secret = made.text("/secret");
    assert!(made.text("/url").ends_with(hook) && secret.starts_with("whsec_"), "{}", made.json);
    let shown = admin.get(&path).await.expect(200);
    assert_eq!(shown.at("/hasHookSecret"), &json!(true));
    assert!(!shown.json.to_string().contains(&secret));
    assert_eq!(deliver("whsec_other", "refs/heads/main").await.expect(404).json, refused);

    // A push to another branch or repository causes no synchronization.
    let _ = deliver(&secret, "refs/heads/other").await.expect(202);
    let branch = "refs/heads/main";
    let _ = send(&secret, json!({"ref": branch, "repository": {"full_name": "other"}})).await.expect(202);
    let other = json!({"ref": branch, "project": {"path_with_namespace": "acme/docs"}});
    let _ = send(&secret, other).await.expect(202);
    repository.commit(&[("guide/README.md", Some(b"# Guide\n\nFrom a push.\n"))]);
    app.run_jobs().await;
    assert!(!markdown(&admin, &space, "guide").await.contains("From a push."));
    let _ = send(&secret, json!({"ref": branch, "repository": {"full_name": "Docs"}})).await.expect(202);
    app.run_jobs().await;
    assert!(markdown(&admin, &space, "guide").await.contains("From a push."));
    assert_eq!(log(&admin, &path).await[0]["trigger"], "hook");

    let large = TestRequest::post().uri(hook).set_payload(vec![b' '; (1 << 20) + 1]);
    app.anonymous().send(large).await.expect(413);
    // Ten deliveries per minute are accepted, and one more per six seconds.
    let mut accepted = 4;
    let refused_for_long = loop {
        let answer = deliver(&secret, "refs/heads/other").await;
        if answer.status == 429 {
            break answer;
        }
        accepted += 1;
        assert!(accepted < 100, "{}", answer.status);
    };
    assert!(accepted >= 10 && !refused_for_long.header("retry-after").is_empty());
    let other = admin.post_empty(&format!("{path}/rotate-hook-secret")).await.expect(200).text("/secret");
    assert_eq!(deliver(&secret, "refs/heads/main").await.expect(404).json, refused);
    assert_ne!(other, secret);
}
