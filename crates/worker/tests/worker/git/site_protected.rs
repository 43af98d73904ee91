//! Site files on branches that accept no pushes.

use std::time::Duration;

use quire_test_support::GitServer;
use serde_json::{Value, json};

use super::protected::{HOOK, closed, host};
use super::site::ConnectedSite;
use super::site_saved::{FILE, connected_at, rename, section};

impl ConnectedSite {
    fn other_branch(&self) -> String {
        format!("refs/heads/quire/{}", self.site.rsplit('/').next().unwrap())
    }

    /// Returns the site file on the branch of the site.
    fn proposed(&self) -> String {
        let file = self.repository.git(["cat-file", "blob", &format!("{}:docs.yaml", self.other_branch())]);
        format!("{}\n", file.trim_end())
    }

    /// Returns the newest entry of the log.
    async fn last_entry(&self) -> Value {
        self.admin.get(&format!("{}/operations", self.path)).await.expect(200).at("/items/0").clone()
    }
}

#[actix_web::test]
async fn changes_of_a_site_wait_in_a_pull_request_of_a_protected_branch() {
    let Some(server) = GitServer::start() else { return };
    for provider in ["github", "gitlab", "gitea"] {
        let asked = host(&server, provider, true);
        let site = connected_at(&server, &format!("acme/{provider}"), provider).await;
        site.repository.hook("update", HOOK);
        let (head, entries) = (site.repository.head(), site.log().await.len());
        rename(&site, "blog", "Stories").await;
        site.sync().await;
        let expected = FILE.replace("title: Blog", "title: Stories");
        assert_eq!((site.repository.head(), site.proposed()), (head, expected.clone()));
        let url = format!("http://{}/acme/{provider}/pull/1", server.address());
        let entry = site.last_entry().await;
        assert_eq!((&entry["state"], &entry["pullRequest"]), (&json!("success"), &json!(url)), "{entry}");
        assert!(entry["summary"].as_str().unwrap().contains("are in a pull request"), "{entry}");
        let state = site.admin.get(&site.site).await.expect(200);
        assert_eq!(state.text("/gitSync/operation/state"), "success");
        let title = asked.lock().unwrap()[0]["title"].clone();
        assert_eq!(title, "docs: Change the structure of the site");

        // Nothing changes while the pull request is open. Further changes replace its commit.
        let proposed = site.repository.git(["rev-parse", &site.other_branch()]);
        site.app.clock.advance(Duration::from_secs(60));
        site.sync().await;
        assert_eq!(site.repository.git(["rev-parse", &site.other_branch()]), proposed);
        assert_eq!(site.log().await.len(), entries + 1, "{:?}", site.log().await);
        rename(&site, "docs", "Documents").await;
        site.sync().await;
        let expected = expected.replace("title: Docs", "title: Documents");
        assert_eq!(site.proposed(), expected);
        assert_eq!(asked.lock().unwrap().len(), 1, "the open pull request shows the new commit");
        assert_eq!(site.log().await.len(), entries + 2, "{:?}", site.log().await);

        // After the merge both sides are equal.
        let _ = site.repository.git(["update-ref", "refs/heads/main", &site.other_branch()]);
        site.sync().await;
        let (merged, log) = (site.repository.head(), site.log().await);
        assert!(log[0].starts_with("The site file of commit"), "{log:?}");
        site.sync().await;
        assert_eq!((site.repository.head(), site.log().await), (merged, log));
        assert_eq!(site.repository.text("docs.yaml"), expected);
        assert_eq!(site.children().await.len(), 3);
    }
}

#[actix_web::test]
async fn without_an_interface_the_log_of_a_site_says_where_the_change_is() {
    let Some(server) = GitServer::start() else { return };
    let site = connected_at(&server, "plain-site", "git").await;
    site.repository.hook("update", HOOK);
    rename(&site, "blog", "Stories").await;
    site.sync().await;
    let log = site.log().await;
    let branch = site.other_branch().replace("refs/heads/", "");
    let sentence = format!("The edits are on the branch `{branch}`: merge it into `main`.");
    assert!(log[0].contains(&sentence) && log[0].contains("`docs.yaml` could not be"), "{log:?}");
    assert_eq!(site.proposed(), FILE.replace("title: Blog", "title: Stories"));

    let proposed = site.repository.git(["rev-parse", &site.other_branch()]);
    site.app.clock.advance(Duration::from_secs(60));
    site.sync().await;
    assert_eq!(site.repository.git(["rev-parse", &site.other_branch()]), proposed);
}

#[actix_web::test]
async fn another_commit_keeps_the_changes_of_a_site_that_wait() {
    let Some(server) = GitServer::start() else { return };
    let _asked = host(&server, "github", true);
    let site = connected_at(&server, "acme/github", "github").await;
    site.repository.hook("update", HOOK);
    rename(&site, "blog", "Stories").await;
    site.sync().await;
    let titles = async || {
        [section(&site, "docs").await, section(&site, "blog").await].map(|part| part["title"].clone())
    };

    let by_hand = FILE.replace("title: Docs", "title: Manuals");
    site.repository.commit(&[("docs.yaml", Some(by_hand.as_bytes()))]);
    site.sync().await;
    assert_eq!(titles().await, ["Manuals", "Stories"], "{:?}", site.log().await);
    let waiting = by_hand.replace("title: Blog", "title: Stories");
    assert_eq!((site.repository.text("docs.yaml"), site.proposed()), (by_hand.clone(), waiting));
    assert_eq!(site.last_entry().await["state"], "success");
    let (proposed, log) = (site.repository.git(["rev-parse", &site.other_branch()]), site.log().await);
    site.app.clock.advance(Duration::from_secs(60));
    site.sync().await;
    assert_eq!(site.repository.git(["rev-parse", &site.other_branch()]), proposed);
    assert_eq!(site.log().await, log);

    // A commit without the file changes nothing, and one with the same title as the site ends the wait.
    site.repository.commit(&[("en/README.md", Some(b"# Home\n\nOther text.\n"))]);
    site.sync().await;
    assert_eq!(titles().await, ["Manuals", "Stories"], "{:?}", site.log().await);
    let same = by_hand.replace("title: Blog", "title: Stories").replace("title: Manuals", "title: Guides");
    site.repository.commit(&[("docs.yaml", Some(same.as_bytes()))]);
    site.sync().await;
    assert_eq!(titles().await, ["Guides", "Stories"]);
    let (head, log) = (site.repository.head(), site.log().await);
    let is_clean = !log[0].contains("The site had");
    assert!(log[0].starts_with("The site file of commit") && is_clean, "{log:?}");
    site.sync().await;
    assert_eq!((site.repository.head(), site.log().await), (head, log));
    assert_eq!(site.children().await.len(), 3);
}

#[actix_web::test]
async fn a_pull_request_without_waiting_changes_of_a_site_is_closed() {
    let Some(server) = GitServer::start() else { return };
    for provider in ["github", "gitlab", "gitea"] {
        let asked = host(&server, provider, true);
        let site = connected_at(&server, &format!("acme/{provider}"), provider).await;
        site.repository.hook("update", HOOK);

        // The change is undone, and made again.
        rename(&site, "blog", "Stories").await;
        site.sync().await;
        rename(&site, "blog", "Blog").await;
        site.sync().await;
        assert_eq!(closed(&asked), [true], "{:?}", site.log().await);
        let sentence = format!("pull request http://{}/acme/{provider}/pull/1 any more", server.address());
        assert!(site.log().await[0].contains(&sentence), "{:?}", site.log().await);
        rename(&site, "blog", "Stories").await;
        site.sync().await;
        assert_eq!(closed(&asked), [true, false]);

        // A commit that changes the same title takes precedence.
        let by_hand = FILE.replace("title: Blog", "title: News");
        site.repository.commit(&[("docs.yaml", Some(by_hand.as_bytes()))]);
        site.sync().await;
        assert_eq!(section(&site, "blog").await["title"], "News");
        assert_eq!(closed(&asked), [true, true], "{:?}", site.log().await);
        let log = site.log().await;
        assert!(log[0].contains("The site had `title: Stories`. No change waits in"), "{log:?}");
        site.sync().await;
        assert_eq!(site.log().await, log);
        assert_eq!(site.repository.text("docs.yaml"), by_hand);
    }
}
