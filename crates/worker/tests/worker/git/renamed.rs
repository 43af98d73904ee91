//! Pages whose files were moved and changed in one commit.

use quire_test_support::GitServer;
use serde_json::json;

use super::Connected;

const SETUP: &str = "# A\n\nFirst.\n\nSecond.\n\nThird.\n\nFourth.\n";

/// Returns a table of contents with the page of the top and another page.
fn summary(title: &str, path: &str) -> Vec<u8> {
    format!("# Table of contents\n\n* [Home](README.md)\n* [{title}]({path})\n").into_bytes()
}

impl Connected {
    /// Replaces the text of the second page, and returns the id of the page.
    async fn edit_second(&self, text: &str) -> String {
        let tree = self.app.content(&self.space, &self.admin);
        let page = tree.pages_in_order().nth(1).unwrap().id.to_string();
        let document = json!({"markdown": text});
        self.write(&[json!({"operation": "update_page", "page": page, "document": document})]).await;
        page
    }
}

#[actix_web::test]
async fn a_page_that_was_moved_and_changed_keeps_its_id_and_its_edits() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("renamed", true);
    repository.commit(&[
        ("README.md", Some(b"# Home\n")),
        ("a.md", Some(SETUP.as_bytes())),
        ("SUMMARY.md", Some(&summary("A", "a.md"))),
    ]);
    let connected = Connected::to(&server, repository).await;
    let repository = &connected.repository;
    // The text of this commit was never fetched.
    let page = connected.edit_second("First.\n\nSecond.\n\nThird.\n\nFourth here.").await;
    connected.sync().await;
    assert!(repository.text("a.md").contains("Fourth here."));
    connected.edit_second("First again.\n\nSecond.\n\nThird.\n\nFourth here.").await;
    let moved = b"# Set up\n\nFirst.\n\nSecond.\n\nThird there.\n\nFourth here.\n".as_slice();
    repository.commit(&[
        ("a.md", None),
        ("guide/setup.md", Some(moved)),
        ("SUMMARY.md", Some(&summary("Set up", "guide/setup.md"))),
    ]);
    connected.sync().await;
    connected.no_failures().await;
    let tree = connected.app.content(&connected.space, &connected.admin);
    let pages: Vec<_> =
        tree.pages_in_order().map(|page| (page.id.to_string(), page.title.as_str())).collect();
    assert_eq!((pages.len(), &pages[1]), (2, &(page, "Set up")));
    let text = "# Set up\n\nFirst again.\n\nSecond.\n\nThird there.\n\nFourth here.\n";
    assert_eq!(repository.text("guide/setup.md"), text);
    assert!(!repository.files().contains_key("a.md"));
}

#[actix_web::test]
async fn a_page_with_another_text_at_another_path_is_a_new_one() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("replaced-page", true);
    repository.commit(&[
        ("README.md", Some(b"# Home\n")),
        ("a.md", Some(SETUP.as_bytes())),
        ("SUMMARY.md", Some(&summary("A", "a.md"))),
    ]);
    let connected = Connected::to(&server, repository).await;
    let second = || {
        let tree = connected.app.content(&connected.space, &connected.admin);
        tree.pages_in_order().nth(1).unwrap().id
    };
    let before = second();
    connected.repository.commit(&[
        ("a.md", None),
        ("b.md", Some(b"# B\n\nFirst.\n\nSecond.\n\nOther.\n\nLast.\n")),
        ("SUMMARY.md", Some(&summary("B", "b.md"))),
    ]);
    connected.sync().await;
    connected.no_failures().await;
    assert_ne!(second(), before);
}
