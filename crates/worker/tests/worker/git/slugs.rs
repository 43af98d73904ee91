//! Files of pages whose slug or parent changed in the content.

use std::collections::BTreeMap;

use quire_test_support::{GitRepository, GitServer};
use serde_json::{Value, json};

use super::Connected;
use super::protected::{HOOK, host};

const HOME: &[u8] = b"# Home\n\nSee [the guide](./guide.md).\n";

/// In another style than Quire prints.
const GUIDE: &[u8] = b"# Guide\r\n\r\n- one\r\n- two\r\n\r\n[Api](api.md)\r\n";

const SETUP: &[u8] = b"# Set up\n\nUp to [the guide](../guide.md) or [home](../).\n";

const API: &[u8] = b"# API\n\n- a\n- b\n";

const SUMMARY: &[u8] = b"# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n  \
    * [Set up](guide/setup.md)\n* [API](api.md)\n";

fn filled(server: &GitServer, name: &str) -> GitRepository {
    let repository = server.create(name, true);
    repository.commit(&[
        ("README.md", Some(HOME)),
        ("guide.md", Some(GUIDE)),
        ("guide/setup.md", Some(SETUP)),
        ("api.md", Some(API)),
        ("SUMMARY.md", Some(SUMMARY)),
    ]);
    repository
}

impl Connected {
    /// Returns the ids, paths and slugs of the pages by title.
    fn places(&self) -> BTreeMap<String, (String, String, String)> {
        let tree = self.app.content(&self.space, &self.admin);
        let place = |page: &quire_revision::PageNode| {
            let path = page.git.as_ref().map(|git| git.path.clone()).unwrap_or_default();
            (page.title.clone(), (page.id.to_string(), path, page.slug.clone()))
        };
        tree.pages().map(place).collect()
    }

    fn id(&self, title: &str) -> String {
        self.places()[title].0.clone()
    }

    /// Returns the change of the slug of a page.
    fn slug(&self, title: &str, slug: &str) -> Value {
        json!({"operation": "update_page", "page": self.id(title), "slug": slug})
    }

    /// Exchanges the slugs of two pages.
    async fn exchange(&self, [one, other]: [&str; 2]) {
        let places = self.places();
        let (first, second) = (&places[one].2, &places[other].2);
        let changes = [self.slug(one, "exchanged"), self.slug(other, first), self.slug(one, second)];
        self.write(&changes).await;
    }

    /// Asserts that another synchronization changes neither side.
    async fn is_settled(&self) {
        let (head, places) = (self.repository.head(), self.places());
        self.sync().await;
        self.no_failures().await;
        assert_eq!((self.repository.head(), self.places()), (head, places));
    }
}

#[actix_web::test]
async fn a_file_follows_the_slug_and_parent_of_its_page() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server, "slugs")).await;
    let repository = &connected.repository;
    let (before, places) = (repository.files(), connected.places());
    connected.write(&[connected.slug("API", "http")]).await;
    let _ = server.take_requests();
    connected.sync().await;
    let after = repository.files();
    assert_eq!((after["http.md"].clone(), after.contains_key("api.md")), (before["api.md"].clone(), false));
    // Only the line of the link changes.
    let guide = String::from_utf8(GUIDE.to_vec()).unwrap().replace("(api.md)", "(http.md)");
    assert_eq!(repository.text("guide.md"), guide);
    assert_eq!(
        repository.text("SUMMARY.md").as_bytes(),
        String::from_utf8(SUMMARY.to_vec()).unwrap().replace("api.md", "http.md").as_bytes()
    );
    assert_eq!(
        [&after["README.md"], &after["guide/setup.md"]],
        [&before["README.md"], &before["guide/setup.md"]]
    );
    connected.is_settled().await;

    // The folder of a page follows it. Links between both keep their bytes.
    let mut above = connected.slug("Guide", "manual");
    above["into"] = connected.id("API").into();
    connected.write(&[above]).await;
    connected.sync().await;
    let mut paths: Vec<String> = repository.files().into_keys().collect();
    paths.sort_unstable();
    assert_eq!(paths, ["README.md", "SUMMARY.md", "http.md", "http/manual.md", "http/manual/setup.md"]);
    assert_eq!(repository.text("README.md"), "# Home\n\nSee [the guide](http/manual.md).\n");
    assert_eq!(
        repository.text("http/manual/setup.md"),
        "# Set up\n\nUp to [the guide](../manual.md) or [home](../../).\n"
    );
    assert!(repository.text("http/manual.md").contains("- one\r\n- two\r\n\r\n[Api](../http.md)\r\n"));
    connected.is_settled().await;

    // A commit that has other changes keeps the pages with their slugs.
    repository.commit(&[("http.md", Some(b"# API\n\n- a\n- b\n- c\n"))]);
    connected.sync().await;
    connected.no_failures().await;
    let now = connected.places();
    for (title, slug) in [("API", "http"), ("Guide", "manual"), ("Set up", "setup")] {
        assert_eq!((&now[title].0, now[title].2.as_str()), (&places[title].0, slug));
    }
    connected.is_settled().await;
}

#[actix_web::test]
async fn a_folder_with_other_files_stays() {
    let Some(server) = GitServer::start() else { return };
    let repository = filled(&server, "foreign");
    repository.commit(&[("guide/notes.txt", Some(b"Not a page.\n")), ("manual.md/a.txt", Some(b"Taken.\n"))]);
    let connected = Connected::to(&server, repository).await;
    let repository = &connected.repository;
    connected.write(&[connected.slug("Guide", "manual")]).await;
    connected.sync().await;
    connected.no_failures().await;
    let files = repository.files();
    for path in ["guide/notes.txt", "guide/setup.md", "manual-2.md", "manual.md/a.txt"] {
        assert!(files.contains_key(path), "{path}: {files:?}");
    }
    assert!(!files.contains_key("guide.md"));
    assert!(repository.text("guide/setup.md").contains("[the guide](../manual-2.md)"));
    let summary = connected.log().await[0]["summary"].as_str().unwrap().to_owned();
    assert!(summary.contains("`manual-2.md` for `manual.md`"), "{summary}");
    connected.is_settled().await;
}

#[actix_web::test]
async fn files_change_places_in_one_commit() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server, "exchanged")).await;
    let repository = &connected.repository;
    let (before, base, places) = (repository.files(), repository.head().unwrap(), connected.places());
    connected.exchange(["Set up", "API"]).await;
    connected.exchange(["Guide", "API"]).await;
    connected.sync().await;
    connected.no_failures().await;
    let commits = repository.git(["rev-list", &format!("{base}..main")]);
    assert!(!commits.is_empty());
    let now = connected.places();
    for (title, path) in [("Guide", "setup.md"), ("API", "guide.md"), ("Set up", "setup/api.md")] {
        assert_eq!((&now[title].0, now[title].1.as_str()), (&places[title].0, path), "{title}");
    }
    assert_eq!(repository.files()["guide.md"], before["api.md"]);
    assert!(repository.text("setup.md").contains("[Api](guide.md)"));
    connected.is_settled().await;
}

#[actix_web::test]
async fn each_revision_renames_files_in_its_commit() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server, "steps")).await;
    let repository = &connected.repository;
    let (base, before) = (repository.head().unwrap(), repository.files());
    // Merged change requests are revisions of their own.
    for slug in ["one", "two"] {
        let requests = format!("/v1/spaces/{}/change-requests", connected.space);
        let id = connected.admin.post(&requests, json!({"subject": slug})).await.expect(201).text("/id");
        let body = json!({"changes": [connected.slug("API", slug)]});
        connected.admin.post(&format!("{requests}/{id}/content"), body).await.expect(200);
        let _ = connected.admin.post_empty(&format!("{requests}/{id}/merge")).await.expect(200);
    }
    connected.sync().await;
    connected.no_failures().await;
    let listed = repository.git([
        "log",
        "--reverse",
        "--format=%s",
        "--name-status",
        "--no-renames",
        &format!("{base}..main"),
    ]);
    let expected = [
        "one",
        "",
        "M\tSUMMARY.md",
        "D\tapi.md",
        "M\tguide.md",
        "A\tone.md",
        "two",
        "",
        "M\tSUMMARY.md",
        "M\tguide.md",
        "D\tone.md",
        "A\ttwo.md",
    ];
    assert_eq!(listed.lines().collect::<Vec<_>>(), expected);
    assert_eq!(repository.files()["two.md"], before["api.md"]);
    connected.is_settled().await;
}

#[actix_web::test]
async fn pages_keep_their_ids_after_a_worker_was_killed() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server, "killed")).await;
    let repository = &connected.repository;
    let ids = |connected: &Connected| -> BTreeMap<String, (String, String)> {
        connected.places().into_iter().map(|(title, (id, _, slug))| (title, (id, slug))).collect()
    };
    let mut stages = 0;
    loop {
        let before = repository.head();
        connected.exchange(["Guide", "API"]).await;
        connected.write(&[connected.slug("Set up", &format!("stage-{stages}"))]).await;
        let expected = ids(&connected);
        connected.ask().await;
        let was_killed = connected.kill_after(&server, stages).await;
        let pushed = repository.head().filter(|head| Some(head) != before.as_ref());
        connected.app.run_jobs().await;
        connected.no_failures().await;
        if pushed.is_some() {
            assert_eq!(repository.head(), pushed, "stage {stages}: another commit");
        }
        assert_ne!(repository.head(), before, "stage {stages}");
        assert_eq!(ids(&connected), expected, "stage {stages}");
        let places = connected.places();
        assert_eq!(places["Guide"].1, format!("{}.md", places["Guide"].2), "stage {stages}");
        connected.is_settled().await;
        if !was_killed {
            break;
        }
        stages += 1;
    }
    assert!(stages > 4, "{stages} requests");
}

#[actix_web::test]
async fn pages_keep_their_ids_with_a_pull_request() {
    let Some(server) = GitServer::start() else { return };
    let _asked = host(&server, "gitea", true);
    let repository = filled(&server, "acme/gitea");
    let connected = Connected::connect(&server, repository, "gitea", None).await;
    let repository = &connected.repository;
    repository.hook("update", HOOK);
    let base = repository.head();
    connected.write(&[connected.slug("API", "http"), connected.slug("Set up", "start")]).await;
    let expected = connected.places();
    connected.sync().await;
    assert_eq!(repository.head(), base);
    let branch = format!("refs/heads/quire/{}", connected.space);
    let proposed = repository.git(["rev-parse", &branch]);
    connected.sync().await;
    assert_eq!(repository.git(["rev-parse", &branch]), proposed);
    let _ = repository.git(["update-ref", "refs/heads/main", &branch]);
    connected.sync().await;
    assert_eq!(repository.head(), Some(proposed));
    let now = connected.places();
    for (title, path) in [("API", "http.md"), ("Set up", "guide/start.md"), ("Guide", "guide.md")] {
        let (id, _, slug) = &expected[title];
        assert_eq!(now[title], (id.clone(), path.to_owned(), slug.clone()));
    }
    connected.is_settled().await;
}
