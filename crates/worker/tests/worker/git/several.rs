//! Several spaces of one repository, each with its own folder.

use quire_test_support::GitServer;

use super::Connected;

const SUMMARY: &[u8] = b"# Table of contents\n\n* [Home](README.md)\n";

#[actix_web::test]
async fn spaces_share_a_repository_by_folders() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("all", true);
    repository.commit(&[
        ("README.md", Some(b"# Code\n")),
        ("src/main.rs", Some(b"fn main() {}\n")),
        ("docs/README.md", Some(b"# Docs\n\nOne.\n")),
        ("docs/SUMMARY.md", Some(SUMMARY)),
        ("handbook/README.md", Some(b"# Handbook\n\n- one\n")),
        ("handbook/SUMMARY.md", Some(SUMMARY)),
    ]);
    let before = repository.files();
    let docs = Connected::connect(&server, repository, "git", Some("docs")).await;
    // Opens the same repository, which exists.
    let handbook = Connected::connect(&server, server.create("all", true), "git", Some("handbook")).await;
    for space in [&docs, &handbook] {
        assert_eq!(space.app.content(&space.space, &space.admin).pages().count(), 1);
    }

    // Both spaces changed. The second pushes onto the commit of the first.
    docs.edit("Two.").await;
    handbook.edit("* two").await;
    docs.sync().await;
    handbook.sync().await;
    docs.sync().await;
    let repository = &docs.repository;
    assert_eq!(repository.text("docs/README.md"), "# Docs\n\nTwo.\n");
    assert_eq!(repository.text("handbook/README.md"), "# Handbook\n\n- two\n");
    let after = repository.files();
    let changed = before.iter().filter(|(path, id)| after.get(*path) != Some(id));
    assert_eq!((changed.count(), before.len()), (2, after.len()));

    // A commit outside both folders changes neither space, and causes no further commit.
    let commit = repository.commit(&[("src/main.rs", Some(b"fn main() { run() }\n"))]);
    for space in [&docs, &handbook, &docs] {
        let revision = space.admin.get(&format!("/v1/spaces/{}", space.space)).await.text("/revision");
        space.sync().await;
        let same = space.admin.get(&format!("/v1/spaces/{}", space.space)).await.text("/revision");
        assert_eq!((repository.head().as_deref(), same), (Some(commit.as_str()), revision));
        space.no_failures().await;
    }
}
