//! Previews of pull requests.

use std::sync::{Arc, Mutex};

use quire_test_support::{GitRepository, GitServer};
use serde_json::{Value, json};

use super::Connected;

/// API of a provider with pull requests.
#[derive(Clone)]
struct Host {
    provider: &'static str,
    /// Open pull requests: number, commit, and id of the source repository.
    open: Arc<Mutex<Vec<(u64, String, u64)>>>,
    /// Received commit statuses: commit and body.
    statuses: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Host {
    fn start(server: &GitServer, provider: &'static str) -> Self {
        let host = Self { provider, open: Arc::default(), statuses: Arc::default() };
        let (answering, address) = (host.clone(), server.address());
        server.answer_api(move |method, target, body| {
            let repository = match provider {
                "gitlab" => format!("/api/v4/projects/acme%2F{provider}"),
                "github" => format!("/api/v3/repos/acme/{provider}"),
                _ => format!("/api/v1/repos/acme/{provider}"),
            };
            let list = if provider == "gitlab" { "merge_requests" } else { "pulls" };
            let path = target.split('?').next().unwrap_or_default();
            let part = path.strip_prefix(&repository).unwrap_or_default();
            if (method, part) == ("GET", &format!("/{list}")) {
                let open = answering.open.lock().unwrap();
                let listed: Vec<Value> = open
                    .iter()
                    .map(|(number, commit, from)| {
                        let url = format!("http://{address}/acme/{provider}/pull/{number}");
                        json!({
                            "number": number, "iid": number, "title": "Add a page", "html_url": url,
                            "web_url": url, "state": if provider == "gitlab" { "opened" } else { "open" },
                            "sha": commit, "source_branch": "next", "target_branch": "main",
                            "source_project_id": from, "target_project_id": 1,
                            "base": {"ref": "main", "repo": {"id": 1}},
                            "head": {"ref": "next", "sha": commit, "repo": {"id": from}},
                        })
                    })
                    .collect();
                return (200, Value::from(listed).to_string());
            }
            match part.strip_prefix("/statuses/") {
                Some(commit) if method == "POST" => {
                    let body = serde_json::from_str(body).unwrap();
                    answering.statuses.lock().unwrap().push((commit.to_owned(), body));
                    (201, "{}".to_owned())
                }
                _ => (404, "{}".to_owned()),
            }
        });
        host
    }

    fn set(&self, open: &[(u64, &str, u64)]) {
        let open = open.iter().map(|(number, commit, from)| (*number, (*commit).to_owned(), *from));
        *self.open.lock().unwrap() = open.collect();
    }

    /// Takes the received statuses: commit, state and page.
    fn take(&self) -> Vec<(String, String, String)> {
        let taken = std::mem::take(&mut *self.statuses.lock().unwrap());
        let text = |body: &Value, key: &str| body[key].as_str().unwrap_or_default().to_owned();
        let of = |(commit, body): (String, Value)| (commit, text(&body, "state"), text(&body, "target_url"));
        taken.into_iter().map(of).collect()
    }

    /// Commits files to a pull request, whose branch is based on `main`.
    fn push(&self, repository: &GitRepository, number: u64, files: &[(&str, Option<&[u8]>)]) -> String {
        let main = repository.head().unwrap();
        let commit = repository.commit(files);
        let _ = repository.git(["update-ref", "refs/heads/main", &main]);
        let name = match self.provider {
            "gitlab" => format!("refs/merge-requests/{number}/head"),
            _ => format!("refs/pull/{number}/head"),
        };
        let _ = repository.git(["update-ref", &name, &commit]);
        commit
    }
}

fn filled(server: &GitServer, provider: &str) -> GitRepository {
    let repository = server.create(&format!("acme/{provider}"), provider != "gitea");
    repository.commit(&[
        ("README.md", Some(b"# Home\n\nOne.\n")),
        ("guide.md", Some(b"# Guide\n\nAll about it.\n")),
        ("SUMMARY.md", Some(b"# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n")),
    ]);
    repository
}

impl Connected {
    async fn previews(&self) -> Vec<Value> {
        let listed = self.admin.get(&format!("{}/previews", self.path)).await.expect(200);
        listed.at("/items").as_array().unwrap().clone()
    }

    /// Returns the last line of a page of a revision; `None` if there is no such revision or page.
    async fn text_at(&self, revision: &str, path: &str) -> Option<String> {
        let path = format!("/v1/spaces/{}/revisions/{revision}/path/{path}?format=markdown", self.space);
        let answer = self.admin.get(&path).await;
        (answer.status == 200).then(|| answer.text("/markdown").lines().last().unwrap().to_owned())
    }
}

#[actix_web::test]
async fn pull_requests_have_previews_until_they_are_closed() {
    let Some(server) = GitServer::start() else { return };
    for provider in ["github", "gitlab", "gitea"] {
        let host = Host::start(&server, provider);
        let connected = Connected::connect(&server, filled(&server, provider), provider, None).await;
        let Connected { app, space, admin, repository, .. } = &connected;
        let of_space = format!("/v1/spaces/{space}");
        let before = admin.get(&of_space).await.expect(200).text("/revision");
        let main = repository.head();
        let new: &[u8] = b"# New\n\nNew.\n";
        let summary: &[u8] =
            b"# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n* [New](new.md)\n";
        let first = host.push(
            repository,
            7,
            &[
                ("guide.md", Some(b"# Guide\n\nMore.\n")),
                ("new.md", Some(new)),
                ("SUMMARY.md", Some(summary)),
            ],
        );
        host.set(&[(7, &first, 1), (8, &first, 2)]);
        connected.sync().await;
        let previews = connected.previews().await;
        assert_eq!(previews.len(), 1, "those of other repositories have none: {previews:?}");
        let preview = &previews[0];
        assert_eq!(
            (&preview["number"], &preview["state"], &preview["commit"], &preview["title"]),
            (&json!(7), &json!("success"), &json!(first), &json!("Add a page")),
            "{preview}"
        );
        let url = format!("http://{}/acme/{provider}/pull/7", server.address());
        assert_eq!(preview["url"], url);
        let revision = preview["revision"].as_str().unwrap().to_owned();
        let page = preview["urls"]["app"].as_str().unwrap().to_owned();
        assert!(page.ends_with(&format!("/s/{space}/~/history/{revision}")), "{page}");
        assert_eq!(connected.text_at(&revision, "new").await.as_deref(), Some("New."));
        assert_eq!(connected.text_at(&revision, "guide").await.as_deref(), Some("More."));
        let states: Vec<_> = host.take().into_iter().map(|(commit, state, _)| (commit, state)).collect();
        assert_eq!(states, [(first.clone(), "pending".to_owned()), (first.clone(), "success".to_owned())]);

        // The main content and its history do not contain the preview.
        assert_eq!(admin.get(&of_space).await.expect(200).text("/revision"), before);
        let history = admin.get(&format!("{of_space}/revisions")).await.expect(200);
        let ids: Vec<&str> =
            history.at("/items").as_array().unwrap().iter().filter_map(|item| item["id"].as_str()).collect();
        assert!(ids.contains(&before.as_str()) && !ids.contains(&revision.as_str()), "{ids:?}");
        connected.sync().await;
        assert_eq!((repository.head(), host.take()), (main, Vec::new()), "nothing is made twice");
        assert_eq!(connected.log().await.len(), 1);
        let stranger = app.stranger();
        stranger.get(&format!("{of_space}/revisions/{revision}")).await.expect(404);
        stranger.get(&format!("{}/previews", connected.path)).await.expect(404);

        // A commit of one page, fetched alone, replaces the preview. A failure removes the preview.
        let second = host.push(repository, 7, &[("guide.md", Some(b"# Guide\n\nStill more.\n"))]);
        host.set(&[(7, &second, 1)]);
        connected.sync().await;
        let replaced = connected.previews().await[0]["revision"].as_str().unwrap().to_owned();
        assert_eq!(connected.text_at(&replaced, "guide").await.as_deref(), Some("Still more."));
        assert_eq!(connected.text_at(&replaced, "new").await, None);
        assert_eq!(connected.text_at(&revision, "guide").await, None, "the former one is deleted");
        assert_eq!(host.take().len(), 2);
        let gone = [("README.md", None), ("guide.md", None), ("SUMMARY.md", None), ("a.bin", Some(new))];
        let third = host.push(repository, 7, &gone);
        host.set(&[(7, &third, 1)]);
        connected.sync().await;
        let failed = connected.previews().await[0].clone();
        assert_eq!((&failed["state"], failed.get("revision")), (&json!("failure"), None), "{failed}");
        assert!(failed["error"].as_str().unwrap().contains("nothing to import"), "{failed}");
        let word = if provider == "gitlab" { "failed" } else { "failure" };
        let statuses = host.take();
        assert_eq!((statuses.len(), statuses[1].1.as_str()), (2, word));

        // Previews of pull requests from forks need a setting.
        host.set(&[(7, &third, 1), (8, &first, 2)]);
        let _ = repository.git([
            "update-ref",
            if provider == "gitlab" { "refs/merge-requests/8/head" } else { "refs/pull/8/head" },
            &first,
        ]);
        let body = json!({"previewExternalBranches": true});
        let changed = admin.patch(&connected.path, body).await.expect(200);
        assert_eq!(changed.at("/previewExternalBranches"), &json!(true));
        app.run_jobs().await;
        let numbers: Vec<_> = connected.previews().await.iter().map(|item| item["number"].clone()).collect();
        assert_eq!(numbers, [json!(8), json!(7)]);
        host.set(&[]);
        connected.sync().await;
        assert_eq!(connected.previews().await, Vec::<Value>::new());
        assert_eq!(app.count("revisions WHERE standalone"), 0);

        host.set(&[(8, &first, 1)]);
        connected.sync().await;
        assert_eq!(app.count("revisions WHERE standalone"), 1);
        let _ = admin.delete(&connected.path).await.expect(205);
        assert_eq!(app.count("revisions WHERE standalone"), 0);
    }
}

#[actix_web::test]
async fn a_token_that_may_not_see_pull_requests_synchronizes_all_the_same() {
    let Some(server) = GitServer::start() else { return };
    server.answer_api(|_, _, _| (403, "{}".to_owned()));
    let connected = Connected::connect(&server, filled(&server, "github"), "github", None).await;
    connected.edit("Two.").await;
    connected.sync().await;
    connected.no_failures().await;
    assert_eq!(connected.previews().await, Vec::<Value>::new());
    assert!(connected.repository.text("README.md").contains("Two."));
}
