//! Connections to repositories through a GitHub App.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use quire_api::ApiSettings;
use quire_content::git::GithubApp;
use quire_domain::clock::{Clock as _, Timestamp};
use quire_importer::fetch::FetchConfig;
use quire_server::Settings;
use quire_storage::content::git_installations::GitAppInstallation;
use quire_test_support::{Caller, FakeClock, GITHUB_APP_KEY, GitRepository, GitServer, TestApp};
use serde_json::{Value, json};

use crate::git::{edit, filled, page};

/// Installation that the operator assigns to the organization of the tests.
const INSTALLATION: i64 = 70;

/// Token requests that the host has received: the claims of the app and the body.
type Asked = Arc<Mutex<Vec<(Value, Value)>>>;

async fn app(server: &GitServer) -> TestApp {
    let allow = vec![server.address().to_string().parse().unwrap()];
    let fetch = FetchConfig { allow, ..FetchConfig::default() };
    let api = format!("http://{}/api/v3", server.address());
    let limits = |organization| {
        let given = vec![GitAppInstallation { organization, id: INSTALLATION }];
        let app = GithubApp::new("Iv1.0a1b", GITHUB_APP_KEY, &api, given).unwrap();
        ApiSettings { github_app: Some(app), ..ApiSettings::default() }
    };
    TestApp::start_for(Settings { rate_limit: 0, ..Settings::default() }, limits, fetch).await
}

fn claims(authorization: &str) -> Value {
    let token = authorization.strip_prefix("Bearer ").unwrap();
    let parts: Vec<&str> = token.split('.').collect();
    assert_eq!(parts.len(), 3, "{token}");
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(parts[1]).unwrap()).unwrap()
}

/// Makes the server respond as GitHub does, with one repository, and with tokens while `status` is 201.
fn host(server: &GitServer, clock: &Arc<FakeClock>, status: &Arc<Mutex<u16>>) -> Asked {
    let asked = Asked::default();
    let (kept, address, clock, status) =
        (Arc::clone(&asked), server.address(), Arc::clone(clock), Arc::clone(status));
    server.answer_api(move |method, target, body| {
        let (path, _) = target.split_once('?').unwrap_or((target, ""));
        let answer = match (method, path) {
            ("POST", "/api/v3/app/installations/70/access_tokens") => {
                let (authorization, body) = body.split_once('\n').unwrap();
                kept.lock().unwrap().push((claims(authorization), serde_json::from_str(body).unwrap()));
                let ends_at = Timestamp::from_millis(clock.now().millis() + 3_600_000).unwrap();
                let status = *status.lock().unwrap();
                return (status, json!({"token": "s3cret", "expires_at": ends_at}).to_string());
            }
            ("GET", "/api/v3/installation/repositories") => json!({"total_count": 1, "repositories": [
                {"id": 5, "name": "docs", "full_name": "acme/docs", "owner": {"login": "acme"},
                    "default_branch": "main"},
            ]}),
            ("GET", "/api/v3/repositories/5") => {
                json!({"id": 5, "clone_url": format!("http://{address}/acme/docs.git")})
            }
            ("GET", "/api/v3/repos/acme/docs/branches") => json!([{"name": "main"}]),
            ("GET", "/api/v3/repos/acme/docs/pulls") => json!([]),
            _ => return (404, "{}".to_owned()),
        };
        (200, answer.to_string())
    });
    asked
}

async fn connect(caller: &Caller, space: &str) -> String {
    let body = json!({"provider": "github", "target": {"type": "space", "spaceId": space}});
    let made = caller.post("/v1/git/installations", body).await.expect(201);
    format!("/v1/git/installations/{}", made.text("/id"))
}

/// Space that is synchronized through the app.
struct Synchronized {
    app: TestApp,
    space: String,
    admin: Caller,
    path: String,
    repository: GitRepository,
    status: Arc<Mutex<u16>>,
    asked: Asked,
}

async fn synchronized(server: &GitServer) -> Synchronized {
    let app = app(server).await;
    let status = Arc::new(Mutex::new(201));
    let asked = host(server, &app.clock, &status);
    let repository = filled(server, "acme/docs", true);
    let (space, admin) = app.space().await;
    let path = connect(&admin, &space).await;
    let configuration = json!({"url": repository.url, "appInstallationId": INSTALLATION});
    let body = json!({"providerConfiguration": configuration, "priority": "git"});
    let set_up = admin.patch(&path, body).await.expect(200);
    let shown = set_up.at("/providerConfiguration");
    assert_eq!(
        (&shown["appInstallationId"], &shown["hasAccessToken"]),
        (&json!(INSTALLATION), &json!(false))
    );
    app.run_jobs().await;
    Synchronized { app, space, admin, path, repository, status, asked }
}

async fn sync(app: &TestApp, caller: &Caller, path: &str) -> Value {
    let _ = caller.post_empty(&format!("{path}/sync")).await.expect(204);
    app.run_jobs().await;
    caller.get(&format!("{path}/operations")).await.expect(200).at("/items/0").clone()
}

#[actix_web::test]
async fn an_installation_takes_the_place_of_a_token() {
    let Some(server) = GitServer::start() else { return };
    let Synchronized { app, space, admin, path, repository, status, asked } = synchronized(&server).await;
    let imported = page(&admin, &space, "guide/setup").await;
    let text = imported["markdown"].as_str().unwrap().replace("Run it.", "Run it now.");
    edit(&admin, &space, &imported, &text).await;
    let pushed = sync(&app, &admin, &path).await;
    assert_eq!((&pushed["direction"], &pushed["state"]), (&json!("export"), &json!("success")), "{pushed}");
    assert!(repository.text("guide/setup.md").contains("Run it now."));

    // All of this uses one token, which is limited to the repository.
    let (claimed, body) = {
        let mut asked = asked.lock().unwrap();
        assert_eq!(asked.len(), 1);
        asked.remove(0)
    };
    let seconds = app.clock.now().millis() / 1_000;
    assert_eq!(claimed, json!({"iss": "Iv1.0a1b", "iat": seconds - 60, "exp": seconds + 300}));
    assert_eq!(body, json!({"repositories": ["docs"]}));

    // Lists show the repositories of the installation, and use another token.
    let listed = admin.get(&format!("{path}/github/repos")).await.expect(200);
    assert_eq!(listed.at("/items/0/fullName"), "acme/docs");
    let branches = admin.get(&format!("{path}/github/repos/acme/docs/branches")).await.expect(200);
    assert_eq!(branches.at("/items/0/name"), "main");
    let _ = admin.get(&format!("{path}/branches")).await.expect(200);
    assert_eq!(*asked.lock().unwrap().drain(..).map(|(_, body)| body).collect::<Vec<_>>(), [json!({})]);

    // A token that would expire during a run is replaced.
    app.clock.advance(Duration::from_secs(28 * 60));
    sync(&app, &admin, &path).await;
    assert!(asked.lock().unwrap().is_empty());
    app.clock.advance(Duration::from_secs(2 * 60));
    sync(&app, &admin, &path).await;
    assert_eq!(asked.lock().unwrap().len(), 1);

    // Failures of the app are in the log, and are retried.
    app.clock.advance(Duration::from_secs(3_600));
    for (answer, words) in [(404, "has no access to the repository"), (401, "did not accept the App")] {
        *status.lock().unwrap() = answer;
        let failed = sync(&app, &admin, &path).await;
        assert!(failed["summary"].as_str().unwrap().contains(words), "{failed}");
        let shown = admin.get(&path).await.expect(200);
        assert!(shown.json["nextRunAt"].is_string(), "{}", shown.json);
        let refused = admin.get(&format!("{path}/branches")).await.expect(400);
        assert!(refused.text("/error/message").contains(words), "{}", refused.json);
    }
    *status.lock().unwrap() = 201;
    let _ = sync(&app, &admin, &path).await;
    assert_eq!(admin.get(&path).await.expect(200).at("/operation/state"), "success");
    assert_eq!(app.count("git_installations WHERE secret IS NOT NULL OR url LIKE '%s3cret%'"), 0);

    // A personal token replaces the app.
    let (username, token) = ("bot", "s3cret");
    let body = json!({"providerConfiguration": {"username": username, "accessToken": token}});
    let by_token = admin.patch(&path, body).await.expect(200);
    let configuration = by_token.at("/providerConfiguration");
    assert_eq!(
        (configuration.get("appInstallationId"), &configuration["hasAccessToken"]),
        (None, &json!(true))
    );
}

#[actix_web::test]
async fn an_installation_is_used_only_as_the_operator_says() {
    let Some(server) = GitServer::start() else { return };
    let app = app(&server).await;
    let asked = host(&server, &app.clock, &Arc::new(Mutex::new(201)));
    let repository = filled(&server, "acme/docs", true);
    let (space, admin) = app.space().await;
    let path = connect(&admin, &space).await;
    let set_up = |configuration: Value| json!({ "providerConfiguration": configuration });
    let id = "providerConfiguration.appInstallationId";
    for (configuration, field) in [
        (json!({"url": repository.url, "appInstallationId": 71}), id),
        (json!({"url": repository.url, "appInstallationId": 0}), id),
        (json!({"url": repository.url, "appInstallationId": INSTALLATION, "accessToken": "a"}), id),
        (json!({"repositoryId": 5, "appInstallationId": 71}), id),
        // No other host gets a token.
        (
            json!({"url": "https://git.example.org/acme/docs", "appInstallationId": INSTALLATION}),
            "providerConfiguration.url",
        ),
    ] {
        let refused = admin.patch(&path, set_up(configuration)).await.expect(400);
        assert_eq!(refused.fields(), [field], "{}", refused.json);
    }
    assert!(asked.lock().unwrap().is_empty());
    let named = json!({"repositoryId": 5, "appInstallationId": INSTALLATION});
    let by_id = admin.patch(&path, set_up(named)).await.expect(200);
    assert_eq!(by_id.at("/providerConfiguration/url"), &json!(repository.url));
    let moved =
        admin.patch(&path, set_up(json!({"url": "https://git.example.org/acme/docs"}))).await.expect(400);
    assert_eq!(moved.fields(), ["providerConfiguration.url"]);
    app.stranger().patch(&path, set_up(json!({"appInstallationId": INSTALLATION}))).await.expect(404);

    // The app is refused for another provider, and on a server without an app.
    let (space, admin) = app.space().await;
    let body = json!({"provider": "gitlab", "target": {"type": "space", "spaceId": space}});
    let made = admin.post("/v1/git/installations", body).await.expect(201);
    let path = format!("/v1/git/installations/{}", made.text("/id"));
    let configuration = json!({"url": repository.url, "appInstallationId": INSTALLATION});
    assert_eq!(admin.patch(&path, set_up(configuration.clone())).await.expect(400).fields(), [id]);
    let without = crate::git::app(&server).await;
    let (space, admin) = without.space().await;
    let path = connect(&admin, &space).await;
    assert_eq!(admin.patch(&path, set_up(configuration)).await.expect(400).fields(), [id]);
}

#[actix_web::test]
async fn an_installation_gives_access_for_a_site_and_its_spaces() {
    let Some(server) = GitServer::start() else { return };
    let app = app(&server).await;
    let asked = host(&server, &app.clock, &Arc::new(Mutex::new(201)));
    let repository = filled(&server, "acme/docs", true);
    let (space, admin) = app.space().await;
    let organization = admin.get(&format!("/v1/spaces/{space}")).await.expect(200).text("/organization");
    let sites = format!("/v1/orgs/{organization}/sites");
    let site = admin.post(&sites, json!({"title": "Acme"})).await.expect(201).text("/id");
    let body = json!({"provider": "github", "target": {"type": "site", "siteId": site}});
    let path = admin.post("/v1/git/installations", body).await.expect(201).text("/urls/location");
    let path = path[path.find("/v1/").unwrap()..].to_owned();
    let set_up = |installation: i64| {
        let configuration = json!({"url": repository.url, "appInstallationId": installation});
        json!({"providerConfiguration": configuration, "priority": "git", "agentInstructions": ["agents"]})
    };
    let refused = admin.patch(&path, set_up(71)).await.expect(400);
    assert_eq!(refused.fields(), ["providerConfiguration.appInstallationId"], "{}", refused.json);
    assert!(asked.lock().unwrap().is_empty());

    // The app reads the repository to find the site file.
    let missing = admin.patch(&path, set_up(INSTALLATION)).await.expect(409);
    assert_eq!(missing.reason(), "git-site-file-missing");
    let file =
        "site:\n  structure:\n    - {type: space, title: Guide, path: guide, content: {directory: guide}}\n";
    repository.commit(&[("docs.yaml", Some(file.as_bytes()))]);
    let shown = admin.patch(&path, set_up(INSTALLATION)).await.expect(200);
    let configuration = shown.at("/providerConfiguration");
    assert_eq!(configuration["appInstallationId"], INSTALLATION);
    assert_eq!(shown.at("/agentInstructions"), &json!(["agents"]));
    app.run_jobs().await;
    let listed = admin.get(&format!("{sites}/{site}/spaces/git/installations")).await.expect(200);
    let items = listed.at("/items").as_array().unwrap();
    assert_eq!(items.len(), 2, "{items:?}");
    for item in items {
        assert_eq!(item["providerConfiguration"]["appInstallationId"], INSTALLATION);
        assert_eq!(item["agentInstructions"], json!(["agents"]));
        assert_eq!(item["operation"]["state"], "success", "{item}");
    }
    // The site and its space share one token.
    assert_eq!(asked.lock().unwrap().len(), 1);

    // A personal token replaces the app, also for the space.
    let body = json!({"providerConfiguration": {"username": "bot", "accessToken": "s3cret"}});
    admin.patch(&path, body).await.expect(200);
    app.run_jobs().await;
    let listed = admin.get(&format!("{sites}/{site}/spaces/git/installations")).await.expect(200);
    for item in listed.at("/items").as_array().unwrap() {
        let configuration = &item["providerConfiguration"];
        assert_eq!(
            (configuration.get("appInstallationId"), &configuration["hasAccessToken"]),
            (None, &json!(true))
        );
    }
}

#[actix_web::test]
async fn instructions_for_programs_are_files_and_no_pages() {
    let Some(server) = GitServer::start() else { return };
    let Synchronized { app, space, admin, path, repository, .. } = synchronized(&server).await;
    repository.commit(&[("CLAUDE.md", Some(b"# Rules\n\nMine.\n"))]);
    let body = json!({"agentInstructions": ["claude", "agents", "claude"]});
    assert_eq!(admin.patch(&path, body).await.expect(400).fields(), ["agentInstructions"]);
    let body = json!({"agentInstructions": ["claude", "agents"]});
    let set_up = admin.patch(&path, body).await.expect(200);
    assert_eq!(set_up.at("/agentInstructions"), &json!(["agents", "claude"]));
    let home = page(&admin, &space, "welcome").await;
    edit(&admin, &space, &home, "Edited.").await;
    sync(&app, &admin, &path).await;
    assert!(repository.text("AGENTS.md").contains("SUMMARY.md"));
    assert_eq!(repository.text("CLAUDE.md"), "# Rules\n\nMine.\n");

    // Neither file becomes a page, and neither is written again.
    repository.commit(&[("AGENTS.md", Some(b"# Ours\n")), ("README.md", Some(b"# Welcome\n\nThere.\n"))]);
    sync(&app, &admin, &path).await;
    let home = page(&admin, &space, "welcome").await;
    edit(&admin, &space, &home, "Edited again.").await;
    let last = sync(&app, &admin, &path).await;
    assert_eq!((&last["direction"], &last["state"]), (&json!("export"), &json!("success")), "{last}");
    assert_eq!(repository.text("AGENTS.md"), "# Ours\n");
    let tree = app.content(&space, &admin);
    let paths = tree.pages().filter_map(|page| Some(page.git.as_ref()?.path.clone()));
    assert!(!paths.into_iter().any(|path| ["AGENTS.md", "CLAUDE.md"].contains(&path.as_str())));
    let one = admin.get(&format!("{path}/operations/{}", last["id"].as_str().unwrap())).await.expect(200);
    assert_eq!(one.json, last);
    let absent = "01975d1e-0000-7000-8000-000000000001";
    admin.get(&format!("{path}/operations/{absent}")).await.expect(404);
    app.stranger().get(&format!("{path}/operations/{absent}")).await.expect(404);

    // Settings of the repository, the branch and the folder.
    let body = json!({"providerConfiguration": {"branch": "refs/heads/main"}, "priority": "git"});
    let _ = admin.patch(&path, body).await.expect(200);
    app.run_jobs().await;
    let shown = admin.get(&path).await.expect(200);
    assert_eq!(
        (shown.text("/repositoryConnection/repositoryName"), shown.text("/repositoryConnection/authState")),
        ("acme/docs".to_owned(), "active".to_owned())
    );
    assert_eq!(shown.at("/repositoryRef/latestObservedCommitId"), &json!(repository.head().unwrap()));
    assert_eq!(
        (shown.text("/syncRoot/status"), shown.at("/syncRoot/target")),
        ("active".into(), shown.at("/target"))
    );
}
