//! Titles and folders of the spaces of a site, which the site file determines.

use quire_domain::Role;
use quire_test_support::GitServer;
use serde_json::json;

use super::site::{ConnectedSite, SUMMARY, file};

const SPACES: &str = "    - {type: space, key: docs, title: Docs, path: docs, content: {directory: docs}}
    - {type: space, key: book, title: Handbook, path: book, content: {directory: book}}
";

const HOME: &[u8] = b"# Home\n\nFirst.\n\nMiddle.\n\nLast.\n";

/// Connects a site to a repository with [`SPACES`]. Returns it with the spaces in the order of the file.
async fn connected(server: &GitServer, name: &str) -> (ConnectedSite, [String; 2]) {
    let repository = server.create(name, true);
    repository.commit(&[
        ("docs/README.md", Some(HOME)),
        ("docs/SUMMARY.md", Some(SUMMARY)),
        ("book/README.md", Some(HOME)),
        ("book/SUMMARY.md", Some(SUMMARY)),
        ("docs.yaml", Some(&file(SPACES))),
    ]);
    let (site, _) = ConnectedSite::new(server, repository, 0).await;
    site.admin.patch(&site.path, site.setup("git")).await.expect(200);
    site.app.run_jobs().await;
    let children = site.children().await;
    let [(_, book), (_, docs)] = children.try_into().unwrap();
    (site, [docs, book])
}

impl ConnectedSite {
    async fn title(&self, space: &str) -> String {
        self.admin.get(&format!("/v1/spaces/{space}")).await.expect(200).text("/title")
    }

    async fn retitle(&self, space: &str, title: &str) {
        self.admin.patch(&format!("/v1/spaces/{space}"), json!({ "title": title })).await.expect(200);
    }

    async fn commit_file(&self, spaces: &str) {
        self.repository.commit(&[("docs.yaml", Some(&file(spaces)))]);
        self.sync().await;
    }

    /// Replaces the text of the first page of a space.
    async fn edit(&self, space: &str, text: &str) {
        let tree = self.app.content(space, &self.admin);
        let home = tree.pages_in_order().next().unwrap().id.to_string();
        let change = json!({"operation": "update_page", "page": home, "document": {"markdown": text}});
        let path = format!("/v1/spaces/{space}/content");
        self.admin.post(&path, json!({ "changes": [change] })).await.expect(200);
    }
}

#[actix_web::test]
async fn spaces_have_the_titles_of_the_file() {
    let Some(server) = GitServer::start() else { return };
    let (site, [docs, book]) = connected(&server, "titles").await;
    assert_eq!([site.title(&docs).await, site.title(&book).await], ["Docs", "Handbook"]);

    let renamed = SPACES.replace("title: Docs", "title: Manuals");
    site.commit_file(&renamed).await;
    assert_eq!([site.title(&docs).await, site.title(&book).await], ["Manuals", "Handbook"]);
    let (head, log) = (site.repository.head(), site.log().await);
    site.sync().await;
    assert_eq!((site.repository.head(), site.log().await), (head, log));

    // Both sides change, each another space.
    site.retitle(&book, "Guide").await;
    site.commit_file(&renamed.replace("title: Manuals", "title: Documents")).await;
    assert_eq!([site.title(&docs).await, site.title(&book).await], ["Documents", "Guide"]);
    let both =
        renamed.replace("title: Manuals", "title: Documents").replace("title: Handbook", "title: Guide");
    assert_eq!(site.repository.text("docs.yaml").as_bytes(), file(&both), "{:?}", site.log().await);

    // Both sides change the same space: the file wins, and the log has the other title.
    site.retitle(&docs, "Here").await;
    let there = both.replace("title: Documents", "title: There");
    site.commit_file(&there).await;
    assert_eq!(site.title(&docs).await, "There");
    assert_eq!(site.repository.text("docs.yaml").as_bytes(), file(&there));
    let log = site.log().await;
    assert!(log[0].contains("title: Here"), "{log:?}");

    // A title that a space cannot have changes nothing. A long one is cut.
    site.commit_file(&there.replace("title: There", "title: \"a\\u202eb\"")).await;
    assert!(site.log().await[0].contains("`site.structure[0].title`"), "{:?}", site.log().await);
    site.commit_file(&there.replace("title: There", &format!("title: {}", "t".repeat(60)))).await;
    assert_eq!(site.title(&docs).await, "t".repeat(50));
    let head = site.repository.head();
    site.sync().await;
    assert_eq!(site.repository.head(), head);
}

#[actix_web::test]
async fn a_space_that_the_user_may_not_change_keeps_its_title() {
    let Some(server) = GitServer::start() else { return };
    let (site, [docs, book]) = connected(&server, "rights").await;
    let titles = async || [site.title(&docs).await, site.title(&book).await];
    // The role allows sites and their spaces, but not the settings of a space.
    let member = site.app.as_role(Role::Create);
    member.patch(&site.path, site.setup("git")).await.expect(200);
    site.app.run_jobs().await;
    let renamed = SPACES.replace("title: Docs", "title: Manuals");
    site.commit_file(&renamed).await;
    assert_eq!(titles().await, ["Docs", "Handbook"]);
    let note = "The space “Docs” keeps its title, because the user who connected the site may not change it.";
    let log = site.log().await;
    assert!(log[0].contains(note), "{log:?}");
    // The file keeps its title, too, and nothing is repeated.
    site.sync().await;
    assert_eq!(site.repository.text("docs.yaml").as_bytes(), file(&renamed));
    assert_eq!(site.log().await, log);

    site.admin.patch(&site.path, site.setup("git")).await.expect(200);
    site.app.run_jobs().await;
    assert_eq!(titles().await, ["Manuals", "Handbook"], "{:?}", site.log().await);
}

#[actix_web::test]
async fn a_space_with_another_folder_keeps_the_changes_of_both_sides() {
    let Some(server) = GitServer::start() else { return };
    let (site, [docs, book]) = connected(&server, "folders").await;
    let moved = SPACES.replace("directory: docs", "directory: en/docs");
    let there = b"# Home\n\nFirst.\n\nMiddle.\n\nLast there.\n".as_slice();

    // The site changes the title and the path of the space and its text; the repository its folder and its text.
    site.retitle(&docs, "Manuals").await;
    let structure = site.admin.get(&format!("{}/structure", site.site)).await.expect(200);
    let at = format!("{}/site-spaces/{}", site.site, structure.text("/structure/0/id"));
    site.admin.patch(&at, json!({"path": "manuals"})).await.expect(200);
    site.edit(&docs, "First here.\n\nMiddle.\n\nLast.").await;
    site.edit(&book, "First here.\n\nMiddle.\n\nLast.").await;
    site.repository.commit(&[
        ("docs/README.md", None),
        ("docs/SUMMARY.md", None),
        ("en/docs/README.md", Some(there)),
        ("en/docs/SUMMARY.md", Some(SUMMARY)),
        ("docs.yaml", Some(&file(&moved))),
    ]);
    site.sync().await;
    let expected = [("book".to_owned(), book.clone()), ("en/docs".to_owned(), docs.clone())];
    assert_eq!(site.children().await, expected, "{:?}", site.log().await);
    let file_now = moved.replace("title: Docs", "title: Manuals").replace("path: docs", "path: manuals");
    assert_eq!(site.repository.text("docs.yaml").as_bytes(), file(&file_now), "{:?}", site.log().await);
    assert_eq!(site.structure().await[0], ["", "manuals", "Manuals"]);
    let merged = "# Home\n\nFirst here.\n\nMiddle.\n\nLast there.\n";
    assert_eq!(site.repository.text("en/docs/README.md"), merged);
    assert_eq!(site.repository.text("book/README.md"), "# Home\n\nFirst here.\n\nMiddle.\n\nLast.\n");
    assert!(!site.repository.files().contains_key("docs/README.md"));

    // Only the site file names another folder, with the files in both.
    site.edit(&docs, "Edited here.\n\nMiddle.\n\nLast there.").await;
    site.repository.commit(&[
        ("new/README.md", Some(b"# Home\n\nFirst here.\n\nMiddle.\n\nLast there.\n\nAdded.\n")),
        ("new/SUMMARY.md", Some(SUMMARY)),
        ("docs.yaml", Some(&file(&file_now.replace("en/docs", "new")))),
    ]);
    site.sync().await;
    let text = site.text(&docs).await;
    assert!(text.contains("Edited here.") && text.contains("Added."), "{text}");
    let merged = "# Home\n\nEdited here.\n\nMiddle.\n\nLast there.\n\nAdded.\n";
    assert_eq!(site.repository.text("new/README.md"), merged);

    // The space reads the commit before the site does.
    site.repository.commit(&[
        ("last/README.md", Some(b"# Home\n\nText of the last folder.\n")),
        ("last/SUMMARY.md", Some(SUMMARY)),
        ("docs.yaml", Some(&file(&file_now.replace("en/docs", "last")))),
    ]);
    let space = site.admin.get(&format!("/v1/spaces/{docs}")).await.expect(200);
    let child = format!("/v1/git/installations/{}/sync", space.text("/gitSync/installationId"));
    let _ = site.admin.post_empty(&child).await.expect(204);
    site.app.run_jobs().await;
    assert!(site.text(&docs).await.contains("Added."));
    site.sync().await;
    assert!(site.text(&docs).await.contains("Text of the last folder."), "{:?}", site.log().await);
}
