//! Entries of the repository at the paths of new content: symbolic links, submodules, and files that are no content.

use quire_test_support::GitServer;
use serde_json::json;

use super::Connected;

const SUMMARY: &[u8] = b"# Table of contents\n\n* [Home](README.md)\n";

impl Connected {
    async fn add_page(&self, title: &str) {
        let document = json!({"markdown": "Written here."});
        self.write(&[json!({"operation": "insert_page", "title": title, "document": document})]).await;
    }
}

#[actix_web::test]
async fn new_content_takes_no_path_of_a_link() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("links", true);
    let commit = repository.commit(&[
        ("README.md", Some(b"# Home\n\nOne.\n")),
        ("SUMMARY.md", Some(SUMMARY)),
        ("code/notes.txt", Some(b"Not a page.\n")),
    ]);
    let target = repository.write_object("blob", b"../../etc/passwd");
    let links = format!(
        "120000 blob {target}\tguide.md\n120000 blob {target}\tteam\n120000 blob {target}\tAGENTS.md\n160000 commit {commit}\tmodule.md\n"
    );
    let _ = repository.commit_entries(&links);
    let links = repository.git(["ls-tree", "main", "guide.md", "team", "AGENTS.md", "module.md"]);
    let connected = Connected::to(&server, repository).await;
    let repository = &connected.repository;
    let instructions = json!({"agentInstructions": ["agents", "claude"]});
    connected.change_connection(instructions).await;
    for title in ["Guide", "Team", "Module"] {
        connected.add_page(title).await;
    }
    let tree = connected.app.content(&connected.space, &connected.admin);
    let team = tree.pages().find(|page| page.title == "Team").unwrap().id.to_string();
    let below = json!({"operation": "insert_page", "title": "Ada", "into": team, "document": {"markdown": "Written here."}});
    connected.write(&[below]).await;
    connected.sync().await;
    connected.no_failures().await;
    let files = repository.files();
    let written = |path: &str| files.contains_key(path) && repository.text(path).contains("Written here.");
    for path in ["guide-2.md", "team.md", "team-2/ada.md", "module-2.md"] {
        assert!(written(path), "{path}: {files:?}");
    }
    assert!(files.contains_key("CLAUDE.md"));
    let unchanged = repository.git(["ls-tree", "main", "guide.md", "team", "AGENTS.md", "module.md"]);
    assert_eq!(unchanged, links);
    let log = connected.log().await;
    let summary = log[0]["summary"].as_str().unwrap();
    assert!(summary.contains("`guide-2.md` for `guide.md`"), "{summary}");

    // The pages keep these paths.
    let head = repository.head();
    connected.sync().await;
    assert_eq!((repository.head(), connected.log().await), (head, log));
}

#[actix_web::test]
async fn a_table_of_contents_that_is_a_link_is_not_written() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("linked-summary", true);
    repository.commit(&[("README.md", Some(b"# Home\n\nOne.\n"))]);
    let target = repository.write_object("blob", b"README.md");
    let _ = repository.commit_entries(&format!("120000 blob {target}\tSUMMARY.md\n"));
    let connected = Connected::to(&server, repository).await;
    connected.edit("Two.").await;
    connected.add_page("Guide").await;
    connected.sync().await;
    connected.no_failures().await;
    assert_eq!(connected.repository.text("README.md"), "# Home\n\nTwo.\n");
    assert!(connected.repository.text("guide.md").contains("Written here."));
    let log = connected.log().await;
    let note =
        "The table of contents is not written, because `SUMMARY.md` is a symbolic link or a submodule.";
    assert!(log[0]["summary"].as_str().unwrap().contains(note), "{log:?}");
}

#[actix_web::test]
async fn files_that_are_no_content_stay() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("assets", true);
    repository.commit(&[
        ("README.md", Some(b"# Home\n\nOne.\n")),
        ("a.md", Some(b"# A\n\nOne.\n")),
        ("SUMMARY.md", Some(b"# Table of contents\n\n* [Home](README.md)\n* [A](a.md)\n")),
        (".gitbook/assets/logo.png", Some(b"used by no page")),
    ]);
    let connected = Connected::to(&server, repository).await;
    connected.add_file("logo.png", "of the content").await;
    let tree = connected.app.content(&connected.space, &connected.admin);
    let a = tree.pages().find(|page| page.title == "A").unwrap().id.to_string();
    // A page is replaced by another one with the same name.
    connected.write(&[json!({"operation": "delete_page", "page": a})]).await;
    connected.add_page("A").await;
    connected.sync().await;
    connected.no_failures().await;
    let repository = &connected.repository;
    assert_eq!(repository.text(".gitbook/assets/logo.png"), "used by no page");
    assert_eq!(repository.text(".gitbook/assets/logo-2.png"), "of the content");
    assert_eq!(repository.text("a.md"), "# A\n\nWritten here.\n");
    assert!(!repository.files().contains_key("a-2.md"));
}
