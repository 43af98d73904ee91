//! Repositories, branches and files of Git hosts that the stored tokens give access to.

use quire_domain::Role;
use quire_test_support::{Caller, GIT_CREDENTIALS, GitServer};
use serde_json::{Value, json};

use crate::git::{app, filled};

/// Makes the server respond as GitHub and GitLab do, each with one repository: `acme/docs`.
pub fn hosts(server: &GitServer) {
    let address = server.address();
    server.answer_api(move |method, target, _| {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let answer = match (method, path) {
            ("GET", "/api/v3/user/repos") => json!([{"id": 5, "name": "docs", "full_name": "acme/docs",
                "owner": {"login": "acme"}, "default_branch": "main", "private": true}]),
            ("GET", "/api/v4/projects") if query.contains("membership=true") => {
                json!([{"id": 7, "path_with_namespace": "acme/team/docs", "default_branch": null}])
            }
            ("GET", "/api/v3/repositories/5") => {
                json!({"id": 5, "clone_url": format!("http://{address}/acme/docs.git")})
            }
            ("GET", "/api/v4/projects/7") => {
                json!({"id": 7, "http_url_to_repo": format!("http://{address}/acme/docs.git")})
            }
            ("GET", "/api/v3/repositories/6") => json!({"clone_url": "http://10.0.0.1/acme/docs.git"}),
            ("GET", "/api/v3/repos/acme/docs/branches" | "/api/v4/projects/7/repository/branches") => {
                json!([{"name": "main"}, {"name": "next"}])
            }
            ("GET", "/api/v3/repos/acme/docs/contents/docs/README.md") if query == "ref=main" => json!({
                "type": "file", "name": "README.md", "path": "docs/README.md", "sha": "0a".repeat(20), "size": 12,
            }),
            ("GET", "/api/v3/repos/acme/docs/contents/docs") => json!([{"type": "file", "name": "README.md"}]),
            ("GET", "/api/v3/repos/acme/secret/branches") => return (403, "{}".to_owned()),
            ("GET", "/api/v3/repos/acme/broken/branches") => return (200, "<html>".to_owned()),
            ("GET", "/api/v3/repos/acme/many/branches") => {
                let page: usize = query.rsplit_once("page=").unwrap().1.parse().unwrap();
                Value::from((0..100).map(|number| json!({"name": format!("{page}-{number}")})).collect::<Vec<_>>())
            }
            ("HEAD", "/api/v4/projects/7/repository/files/docs%2FREADME.md") => {
                let headers = [("Blob-Id", "0a".repeat(20)), ("File-Name", "README.md".to_owned()),
                    ("File-Path", "docs/README.md".to_owned()), ("Size", "12".to_owned())];
                return (200, headers.map(|(name, value)| format!("X-Gitlab-{name}: {value}\r\n")).concat());
            }
            ("HEAD", _) => return (404, String::new()),
            _ => return (404, "{}".to_owned()),
        };
        (200, answer.to_string())
    });
}

async fn connect(caller: &Caller, space: &str, provider: &str) -> String {
    let body = json!({"provider": provider, "target": {"type": "space", "spaceId": space}});
    let made = caller.post("/v1/git/installations", body).await.expect(201);
    format!("/v1/git/installations/{}", made.text("/id"))
}

async fn set_up_by_url(caller: &Caller, path: &str, url: &str, token: &str) {
    let configuration = json!({"url": url, "username": "bot", "accessToken": token});
    let _ = caller.patch(path, json!({"providerConfiguration": configuration})).await.expect(200);
}

#[actix_web::test]
async fn the_token_of_a_connection_lists_what_it_gives_access_to() {
    let Some(server) = GitServer::start() else { return };
    let app = app(&server).await;
    hosts(&server);
    let repository = filled(&server, "acme/docs", true);
    repository.git(["branch", "next", "main"]);
    repository.git(["tag", "v1", "main"]);
    let token = GIT_CREDENTIALS.split_once(':').unwrap().1;
    let branches = json!({"items": [
        {"name": "main", "ref": "refs/heads/main"}, {"name": "next", "ref": "refs/heads/next"},
    ]});
    let file = json!({"name": "README.md", "path": "docs/README.md", "sha": "0a".repeat(20), "size": 12});
    for (provider, list, one, item) in [
        (
            "github",
            "github/repos",
            "github/repos/acme/docs",
            json!({"id": 5, "accountName": "acme",
            "repositoryName": "docs", "fullName": "acme/docs", "defaultBranch": "main"}),
        ),
        (
            "gitlab",
            "gitlab/projects",
            "gitlab/projects/7",
            json!({"id": 7, "accountName": "acme/team",
            "repositoryName": "docs", "fullName": "acme/team/docs", "defaultBranch": null}),
        ),
    ] {
        let (space, admin) = app.space().await;
        let path = connect(&admin, &space, provider).await;
        for list in [list, "branches"] {
            let refused = admin.get(&format!("{path}/{list}")).await.expect(409);
            assert_eq!(refused.reason(), "git-not-set-up");
        }
        set_up_by_url(&admin, &path, &repository.url, token).await;
        assert_eq!(admin.get(&format!("{path}/{list}")).await.expect(200).json, json!({"items": [item]}));
        assert_eq!(admin.get(&format!("{path}/{one}/branches")).await.expect(200).json, branches);
        assert_eq!(admin.get(&format!("{path}/branches")).await.expect(200).json, branches);
        let found = admin.get(&format!("{path}/{one}/file?path=docs/README.md&ref=main")).await.expect(200);
        assert_eq!(found.json, file);
        for absent in ["docs", "absent.md", "", "../README.md", "docs//README.md"] {
            admin.get(&format!("{path}/{one}/file?path={absent}&ref=main")).await.expect(404);
        }
        let missing = admin.get(&format!("{path}/{one}/file?path=README.md")).await.expect(400);
        assert_eq!(missing.fields(), ["ref"]);
        for list in [list.to_owned(), format!("{one}/branches"), "branches".to_owned()] {
            app.stranger().get(&format!("{path}/{list}")).await.expect(404);
            app.on_space(&space, Some(Role::Edit)).get(&format!("{path}/{list}")).await.expect(403);
        }
        let other = if provider == "github" { "gitlab/projects" } else { "github/repos" };
        admin.get(&format!("{path}/{other}")).await.expect(404);
    }
}

#[actix_web::test]
async fn a_repository_is_named_by_its_id_at_the_host() {
    let Some(server) = GitServer::start() else { return };
    let app = app(&server).await;
    hosts(&server);
    let repository = filled(&server, "acme/docs", true);
    let token = GIT_CREDENTIALS.split_once(':').unwrap().1;
    let instance = format!("http://{}", server.address());

    // A project of a GitLab instance, named with the URL of the instance.
    let (space, admin) = app.space().await;
    let path = connect(&admin, &space, "gitlab").await;
    let body = |configuration: Value| json!({ "providerConfiguration": configuration });
    let named = json!({"projectId": 7, "customInstanceURL": instance, "accessToken": token});
    let set_up = admin.patch(&path, body(named)).await.expect(200);
    let configuration = set_up.at("/providerConfiguration");
    assert_eq!(
        (&configuration["url"], &configuration["projectId"], &configuration["customInstanceURL"]),
        (&json!(repository.url), &json!(7), &json!(instance)),
        "{configuration}"
    );
    for (configuration, field) in [
        (json!({"projectId": 8}), "projectId"),
        (json!({"repositoryId": 5}), "repositoryId"),
        (json!({"projectId": 7, "repositoryId": 5}), "projectId"),
        (json!({"projectId": 0}), "projectId"),
        (json!({"customInstanceURL": instance}), "projectId"),
        (json!({"projectId": 7, "url": repository.url}), "url"),
        (json!({"projectId": 7, "customInstanceURL": "http://example.org"}), "customInstanceURL"),
    ] {
        let refused = admin.patch(&path, body(configuration)).await.expect(400);
        assert_eq!(refused.fields(), [format!("providerConfiguration.{field}")], "{}", refused.json);
    }
    // The stored token is not sent to another host.
    let other = json!({"projectId": 7, "customInstanceURL": "https://10.0.0.1"});
    assert_eq!(admin.patch(&path, body(other)).await.expect(400).reason(), "fetch-refused");
    app.stranger().patch(&path, body(json!({"projectId": 7}))).await.expect(404);
    app.on_space(&space, Some(Role::Edit)).patch(&path, body(json!({"projectId": 7}))).await.expect(403);

    // A repository on the host of the previous repository.
    let (space, admin) = app.space().await;
    let path = connect(&admin, &space, "github").await;
    set_up_by_url(&admin, &path, &repository.url, token).await;
    let set_up = admin.patch(&path, body(json!({"repositoryId": 5}))).await.expect(200);
    assert_eq!(set_up.at("/providerConfiguration/repositoryId"), &json!(5));
    let elsewhere = admin.patch(&path, body(json!({"repositoryId": 6}))).await.expect(400);
    assert_eq!(elsewhere.reason(), "fetch-failed", "a host names no other one");
    let by_url = admin.patch(&path, body(json!({"url": repository.url}))).await.expect(200);
    assert_eq!(by_url.json.pointer("/providerConfiguration/repositoryId"), None);
}

#[actix_web::test]
async fn errors_of_a_host_are_those_of_the_request() {
    let Some(server) = GitServer::start() else { return };
    let app = app(&server).await;
    hosts(&server);
    let repository = filled(&server, "acme/docs", true);
    let (space, admin) = app.space().await;
    let path = connect(&admin, &space, "github").await;
    set_up_by_url(&admin, &path, &repository.url, GIT_CREDENTIALS.split_once(':').unwrap().1).await;
    let repos = format!("{path}/github/repos");
    for (name, message) in [
        ("secret", "The host did not accept the token of the connection."),
        ("broken", "The list cannot be read: the answer is not JSON."),
    ] {
        let refused = admin.get(&format!("{repos}/acme/{name}/branches")).await.expect(400);
        assert_eq!(
            (refused.reason().as_str(), refused.text("/error/message").as_str()),
            ("fetch-failed", message)
        );
    }
    admin.get(&format!("{repos}/acme/absent/branches")).await.expect(404);
    admin.get(&format!("{repos}/acme/%2E%2E/branches")).await.expect(404);
    // At most ten pages of branches are read.
    let many = admin.get(&format!("{repos}/acme/many/branches")).await.expect(200);
    assert_eq!(many.at("/items").as_array().unwrap().len(), 1_000);
    assert_eq!(many.at("/items/999/name"), "10-99");

    set_up_by_url(&admin, &path, &repository.url, "wr0ng").await;
    let refused = admin.get(&format!("{path}/branches")).await.expect(400);
    assert_eq!(refused.text("/error/message"), "The server did not accept the credentials.");
    // Requests to addresses of internal networks are refused.
    set_up_by_url(&admin, &path, "https://10.0.0.1/acme/docs.git", "s3cret").await;
    for list in ["branches", "github/repos"] {
        let refused = admin.get(&format!("{path}/{list}")).await.expect(400);
        assert_eq!(refused.reason(), "fetch-refused", "{list}");
    }
}
