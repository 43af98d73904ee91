//! Branches that others move by force: the commits that Quire read and pushed are gone.

use quire_test_support::{GitRepository, GitServer};
use serde_json::json;

use super::Connected;

const SUMMARY: &[u8] = b"# Table of contents\n\n* [Home](README.md)\n* [A](a.md)\n* [B](b.md)\n";

const SET_ASIDE: &str = "Pages that were edited on both sides are in a change request.";

fn filled(server: &GitServer, name: &str) -> GitRepository {
    let repository = server.create(name, true);
    repository.commit(&[
        ("README.md", Some(b"# Home\n\nFirst.\n\nMiddle.\n\nLast.\n")),
        ("a.md", Some(b"# A\n\nThe text of it.\n")),
        ("b.md", Some(b"# B\n\nThe text of it.\n")),
        ("SUMMARY.md", Some(SUMMARY)),
    ]);
    repository
}

/// Replaces the branch by a commit without parents, and removes the former commits from the server.
fn replace(repository: &GitRepository, files: &[(&str, Option<&[u8]>)]) -> String {
    let former = repository.head().unwrap();
    let _ = repository.git(["update-ref", "-d", "refs/heads/main"]);
    let commit = repository.commit(files);
    prune(repository, &former);
    commit
}

fn prune(repository: &GitRepository, former: &str) {
    let _ = repository.git(["gc", "--quiet", "--prune=now"]);
    let is_known =
        |commit: &str| repository.git(["cat-file", "--batch-all-objects", "--batch-check"]).contains(commit);
    assert!(!is_known(former), "the former commit is gone");
}

impl Connected {
    /// Returns the titles and the texts of the pages, in order.
    async fn pages(&self) -> Vec<(String, String)> {
        let tree = self.app.content(&self.space, &self.admin);
        let mut pages = Vec::new();
        for page in tree.pages_in_order() {
            let text = self.page(&page.id.to_string(), "markdown").await;
            pages.push((page.title.clone(), body(text["markdown"].as_str().unwrap())));
        }
        pages
    }

    async fn summaries(&self) -> Vec<String> {
        let log = self.log().await;
        log.iter().map(|entry| entry["summary"].as_str().unwrap().to_owned()).collect()
    }
}

/// Returns the sentence of the log about a branch that lost a commit.
fn rewritten(former: &str) -> String {
    let former: String = former.chars().take(7).collect();
    format!("The history of the branch was rewritten and no longer has commit {former}.")
}

/// Returns the text of a page without its heading.
fn body(markdown: &str) -> String {
    markdown.split_once("\n\n").unwrap().1.trim().to_owned()
}

fn named(pages: &[(&str, &str)]) -> Vec<(String, String)> {
    pages.iter().map(|(title, text)| ((*title).to_owned(), (*text).to_owned())).collect()
}

#[actix_web::test]
async fn a_branch_with_another_history_is_merged_with_the_edits_that_wait() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server, "replaced")).await;
    let repository = &connected.repository;
    connected.edit("First here.\n\nMiddle.\n\nLast.").await;
    let document = json!({"markdown": "Added here."});
    connected.write(&[json!({"operation": "insert_page", "title": "New", "document": document})]).await;
    let former = repository.head().unwrap();
    // The new history changed the same page elsewhere, and page A, removed page B, and added page C.
    let there = replace(
        repository,
        &[
            ("README.md", Some(b"# Home\n\nFirst.\n\nMiddle.\n\nLast there.\n")),
            ("a.md", Some(b"# A\n\nWritten there.\n")),
            ("c.md", Some(b"# C\n\nAdded there.\n")),
            ("SUMMARY.md", Some(b"# Table of contents\n\n* [Home](README.md)\n* [A](a.md)\n* [C](c.md)\n")),
        ],
    );
    connected.sync().await;
    connected.no_failures().await;
    let pages = [
        ("Home", "First here.\n\nMiddle.\n\nLast there."),
        ("A", "Written there."),
        ("C", "Added there."),
        ("New", "Added here."),
    ];
    assert_eq!(connected.pages().await, named(&pages));
    assert_eq!(repository.text("README.md"), "# Home\n\nFirst here.\n\nMiddle.\n\nLast there.\n");
    assert_eq!(repository.text("a.md"), "# A\n\nWritten there.\n");
    assert_eq!(repository.text("c.md"), "# C\n\nAdded there.\n");
    assert!(repository.text("new.md").contains("Added here."));
    assert_eq!(connected.pages_set_aside().await, "");
    // The commits of Quire, the new page and the merge of the change request, follow the new history. The former one
    // does not come back.
    let head = repository.head().unwrap();
    let before = repository.git(["rev-parse", "main~1"]);
    assert_eq!(repository.git(["rev-list", "main"]), format!("{head}\n{before}\n{there}"));
    let short = |commit: &String| commit.chars().take(7).collect::<String>();
    let [imported, before, pushed] = [&there, &before, &head].map(short);
    assert_eq!(
        connected.summaries().await[..2],
        [
            format!("Edits were pushed as commit {pushed}. It is the last of 2 commits, after {before}."),
            // The change request was merged, because nothing conflicts.
            format!("Commit {imported} was imported. {SET_ASIDE} {}", rewritten(&former)),
        ]
    );
    connected.sync().await;
    assert_eq!(repository.head(), Some(head), "both sides are the same");
}

#[actix_web::test]
async fn edits_whose_commit_was_removed_by_force_are_set_aside_or_in_the_history() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server, "reset")).await;
    let repository = &connected.repository;
    let first = repository.head().unwrap();
    connected.edit("First here.\n\nMiddle.\n\nLast.").await;
    connected.sync().await;
    let former = repository.head().unwrap();
    assert_ne!(former, first);
    let revision = connected.admin.get(&format!("/v1/spaces/{}", connected.space)).await.text("/revision");

    // Others remove the commit of Quire. Meanwhile the same paragraph was edited again, and another page.
    let _ = repository.git(["update-ref", "refs/heads/main", &first]);
    prune(repository, &former);
    let there = repository.commit(&[("b.md", Some(b"# B\n\nWritten there.\n"))]);
    connected.edit("First again.\n\nMiddle.\n\nLast.").await;
    let tree = connected.app.content(&connected.space, &connected.admin);
    let a = tree.pages_in_order().nth(1).unwrap().id.to_string();
    let document = json!({"markdown": "Written here."});
    connected.write(&[json!({"operation": "update_page", "page": a, "document": document})]).await;
    connected.sync().await;
    connected.no_failures().await;

    let pages = [("Home", "First.\n\nMiddle.\n\nLast."), ("A", "Written here."), ("B", "Written there.")];
    assert_eq!(connected.pages().await, named(&pages));
    assert!(repository.text("a.md").contains("Written here."));
    assert_eq!(repository.git(["rev-list", &format!("{there}..main")]).lines().count(), 1);
    let set_aside = connected.pages_set_aside().await;
    assert!(set_aside.contains("First again."), "{set_aside}");
    let imported: String = there.chars().take(7).collect();
    let summary = format!("Commit {imported} was imported. {SET_ASIDE} {}", rewritten(&former));
    assert_eq!(connected.summaries().await[1], summary);
    // The text of the removed commit is in the history of the space.
    let home = tree.pages_in_order().next().unwrap().id.to_string();
    let path = format!("/v1/spaces/{}/revisions/{revision}/page/{home}?format=markdown", connected.space);
    let before = connected.admin.get(&path).await.expect(200);
    assert_eq!(body(&before.text("/markdown")), "First here.\n\nMiddle.\n\nLast.");
}

#[actix_web::test]
async fn several_commits_and_a_merge_rewrite_no_history() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server, "merged")).await;
    let repository = &connected.repository;
    let first = repository.head().unwrap();
    repository.commit(&[("a.md", Some(b"# A\n\nChanged.\n"))]);
    repository.commit(&[("b.md", Some(b"# B\n\nChanged.\n"))]);
    let (tree, head) = (repository.git(["rev-parse", "main^{tree}"]), repository.head().unwrap());
    // The other side of the merge begins before the commit that was synchronized.
    let other = repository.git(["commit-tree", &tree, "-m", "Other"]);
    let merge = repository.git(["commit-tree", &tree, "-m", "Merge", "-p", &other, "-p", &head]);
    let _ = repository.git(["update-ref", "refs/heads/main", &merge]);
    connected.sync().await;
    let imported: String = merge.chars().take(7).collect();
    assert_eq!(connected.summaries().await[0], format!("Commit {imported} was imported."));

    // A branch that moved back was rewritten, too.
    let _ = repository.git(["update-ref", "refs/heads/main", &first]);
    connected.sync().await;
    let imported: String = first.chars().take(7).collect();
    let summary = format!("Commit {imported} was imported. {}", rewritten(&merge));
    assert_eq!(connected.summaries().await[0], summary);
}

#[actix_web::test]
async fn a_moved_page_whose_former_text_the_server_removed_is_a_new_one() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server, "removed")).await;
    let repository = &connected.repository;
    // Only the repository has the text of this commit.
    connected.edit("First here.\n\nMiddle.\n\nLast.").await;
    connected.sync().await;
    let first = || {
        let tree = connected.app.content(&connected.space, &connected.admin);
        tree.pages_in_order().next().unwrap().id
    };
    let before = first();
    let summary = b"# Table of contents\n\n* [Home](start.md)\n".as_slice();
    let text = b"# Home\n\nFirst here.\n\nMiddle.\n\nEnd.\n".as_slice();
    replace(repository, &[("start.md", Some(text)), ("SUMMARY.md", Some(summary))]);
    connected.sync().await;
    connected.no_failures().await;
    let pages = [("Home", "First here.\n\nMiddle.\n\nEnd.")];
    assert_eq!(connected.pages().await, named(&pages));
    assert_ne!(first(), before);
}
