//! Connections that get another branch, folder or repository while the content has edits that no commit has.

use quire_test_support::{GIT_CREDENTIALS, GitRepository, GitServer};
use serde_json::json;

use super::Connected;

const SUMMARY: &[u8] = b"# Table of contents\n\n* [Home](README.md)\n* [A](a.md)\n* [B](b.md)\n";

const HOME: &[u8] = b"# Home\n\nFirst.\n\nMiddle.\n\nLast.\n";

fn filled(server: &GitServer, name: &str) -> GitRepository {
    let repository = server.create(name, true);
    repository.commit(&[
        ("README.md", Some(HOME)),
        ("a.md", Some(b"# A\n\nThe text of it.\n")),
        ("b.md", Some(b"# B\n\nThe text of it.\n")),
        ("SUMMARY.md", Some(SUMMARY)),
    ]);
    repository
}

impl Connected {
    /// Edits the first page and adds one.
    async fn edit_and_add(&self) {
        self.edit("First here.\n\nMiddle.\n\nLast.").await;
        let document = json!({"markdown": "Added here."});
        self.write(&[json!({"operation": "insert_page", "title": "New", "document": document})]).await;
    }

    /// Returns the titles of the pages, in order.
    fn titles(&self) -> Vec<String> {
        let tree = self.app.content(&self.space, &self.admin);
        tree.pages_in_order().map(|page| page.title.clone()).collect()
    }

    /// Returns a file of a branch.
    fn file(&self, branch: &str, path: &str) -> String {
        self.repository.git(["cat-file", "blob", &format!("refs/heads/{branch}:{path}")])
    }
}

#[actix_web::test]
async fn another_branch_is_merged_with_the_edits_of_the_content() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server, "branches")).await;
    let repository = &connected.repository;
    let main = repository.head().unwrap();
    // The other branch changed the last paragraph of the first page, and page A, and removed page B.
    let next = repository.commit(&[
        ("README.md", Some(b"# Home\n\nFirst.\n\nMiddle.\n\nLast there.\n")),
        ("a.md", Some(b"# A\n\nWritten there.\n")),
        ("b.md", None),
        ("SUMMARY.md", Some(b"# Table of contents\n\n* [Home](README.md)\n* [A](a.md)\n")),
    ]);
    let _ = repository.git(["update-ref", "refs/heads/next", &next]);
    let _ = repository.git(["update-ref", "refs/heads/main", &main]);

    connected.edit_and_add().await;
    // Neither direction works with a branch that does not exist, and neither forgets the edits.
    for priority in ["git", "gitbook"] {
        let branch = json!({"branch": "refs/heads/gone"});
        connected.change_connection(json!({"providerConfiguration": branch, "priority": priority})).await;
        assert_eq!(connected.log().await[0]["state"], "failure", "{priority}");
    }
    let branch = json!({"branch": "refs/heads/next"});
    connected.change_connection(json!({"providerConfiguration": branch, "priority": "git"})).await;

    let log = connected.log().await;
    assert_eq!(log[0]["state"], "success", "{log:?}");
    assert_eq!(connected.titles(), ["Home", "A", "New"]);
    let home = "# Home\n\nFirst here.\n\nMiddle.\n\nLast there.";
    assert_eq!(connected.file("next", "README.md"), home);
    assert_eq!(connected.file("next", "a.md"), "# A\n\nWritten there.");
    assert!(connected.file("next", "new.md").contains("Added here."));
    assert_eq!(connected.pages_set_aside().await, "");
    assert_eq!(repository.head(), Some(main), "the former branch stays as it was");
    // Both sides are the same.
    let commit = repository.git(["rev-parse", "refs/heads/next"]);
    connected.sync().await;
    assert_eq!(repository.git(["rev-parse", "refs/heads/next"]), commit);
}

#[actix_web::test]
async fn another_folder_of_the_same_commit_is_merged_with_the_edits() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("folders", true);
    let summary = b"# Table of contents\n\n* [Home](README.md)\n".as_slice();
    repository.commit(&[
        ("en/README.md", Some(HOME)),
        ("en/SUMMARY.md", Some(summary)),
        ("fr/README.md", Some(b"# Home\n\nFirst.\n\nMiddle.\n\nLast there.\n")),
        ("fr/SUMMARY.md", Some(summary)),
    ]);
    let connected = Connected::connect(&server, repository, "git", Some("en")).await;
    connected.edit("First here.\n\nMiddle.\n\nLast.").await;
    connected.change_connection(json!({"projectDirectory": "fr", "priority": "git"})).await;
    connected.no_failures().await;
    assert_eq!(connected.titles(), ["Home"]);
    let home = "# Home\n\nFirst here.\n\nMiddle.\n\nLast there.\n";
    assert_eq!(connected.repository.text("fr/README.md"), home);
    assert_eq!(connected.repository.text("en/README.md").as_bytes(), HOME);
}

#[actix_web::test]
async fn another_repository_sets_conflicting_edits_aside() {
    let Some(server) = GitServer::start() else { return };
    let other = server.create("other", true);
    other.commit(&[
        ("README.md", Some(b"# Other\n\nAnother text.\n")),
        ("SUMMARY.md", Some(b"# Table of contents\n\n* [Other](README.md)\n")),
    ]);
    let connected = Connected::to(&server, filled(&server, "first")).await;
    connected.edit_and_add().await;
    let (username, token) = GIT_CREDENTIALS.split_once(':').unwrap();
    let configuration = json!({"url": other.url, "username": username, "accessToken": token});
    connected.change_connection(json!({"providerConfiguration": configuration, "priority": "git"})).await;
    connected.no_failures().await;
    // Pages of the former repository are gone, those of the content itself stay.
    assert_eq!(connected.titles(), ["Other", "New"]);
    assert_eq!(other.text("README.md"), "# Other\n\nAnother text.\n");
    assert!(other.text("new.md").contains("Added here."));
    let set_aside = connected.pages_set_aside().await;
    assert!(set_aside.contains("First here."), "{set_aside}");
}
