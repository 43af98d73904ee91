//! Changes of a connected site, which are saved to its site file.

use std::time::Duration;

use quire_test_support::GitServer;
use serde_json::{Value, json};

use super::site::ConnectedSite;

pub(super) const FILE: &str = "# Read by Quire.
site:
  title: Acme
  structure:
    # For users.
    - type: section
      title: Docs
      path: docs
      children:
        - {type: space, key: en, title: English, path: en, content: {directory: en}} # first
        - {type: space, key: fr, title: French, path: fr, content: {directory: fr}}
    - type: section
      title: Blog
      path: blog
      children:
        - {type: space, title: News, path: news, content: {directory: news}}
    - {type: external-link, title: Status, url: https://status.example.org}
";

async fn connected(server: &GitServer, name: &str) -> ConnectedSite {
    connected_at(server, name, "git").await
}

/// Connects a site to a repository of a provider.
pub(super) async fn connected_at(server: &GitServer, name: &str, provider: &str) -> ConnectedSite {
    let repository = server.create(name, true);
    let page = b"# Home\n\nText.\n".as_slice();
    repository.commit(&[
        ("docs.yaml", Some(FILE.as_bytes())),
        ("en/README.md", Some(page)),
        ("fr/README.md", Some(page)),
        ("news/README.md", Some(page)),
    ]);
    let (site, _) = ConnectedSite::of_provider(server, repository, 0, provider).await;
    let mut setup = site.setup("git");
    setup["commitMessageTemplate"] = json!("docs: {change_request_subject}");
    site.admin.patch(&site.path, setup).await.expect(200);
    site.app.run_jobs().await;
    assert_eq!(site.children().await.len(), 3, "{:?}", site.log().await);
    assert_eq!(site.repository.text("docs.yaml"), FILE);
    site
}

/// Returns the sections of a site by path, with their ids and site spaces.
pub(super) async fn section(site: &ConnectedSite, path: &str) -> Value {
    let structure = site.admin.get(&format!("{}/structure", site.site)).await.expect(200);
    let sections = structure.at("/structure").as_array().unwrap();
    sections.iter().find(|section| section["path"] == path).unwrap().clone()
}

/// Renames a section.
pub(super) async fn rename(site: &ConnectedSite, path: &str, title: &str) {
    let at = format!("{}/sections/{}", site.site, section(site, path).await["id"].as_str().unwrap());
    site.admin.patch(&at, json!({ "title": title })).await.expect(200);
}

/// Returns the time of the next synchronization.
async fn next_run(site: &ConnectedSite) -> String {
    site.admin.get(&site.path).await.expect(200).text("/nextRunAt")
}

#[actix_web::test]
async fn changes_of_a_site_soon_become_one_commit() {
    let Some(server) = GitServer::start() else { return };
    let site = connected(&server, "soon").await;
    site.app.schedule_jobs();
    let (head, polled) = (site.repository.head().unwrap(), next_run(&site).await);
    rename(&site, "blog", "Stories").await;
    let soon = next_run(&site).await;
    assert!(soon < polled, "{soon} {polled}");
    site.app.clock.advance(Duration::from_secs(20));
    rename(&site, "docs", "Documents").await;
    assert_eq!(next_run(&site).await, soon);
    site.app.clock.advance(Duration::from_secs(11));
    site.app.run_jobs().await;
    let expected = FILE.replace("title: Blog", "title: Stories").replace("title: Docs", "title: Documents");
    assert_eq!(site.repository.text("docs.yaml"), expected, "{:?}", site.log().await);
    assert_eq!(site.repository.git(["rev-parse", "main~1"]).trim(), head);

    // Only changes that the site file contains bring the next run forward.
    let polled = next_run(&site).await;
    site.app.clock.advance(Duration::from_secs(60));
    let french = site.children().await.into_iter().find(|(folder, _)| folder == "fr").unwrap().1;
    let space = format!("/v1/spaces/{french}");
    site.admin.patch(&space, json!({"emoji": "1f600"})).await.expect(200);
    assert_eq!(next_run(&site).await, polled);
    site.admin.patch(&space, json!({"title": "Français"})).await.expect(200);
    assert!(next_run(&site).await < polled);
}

#[actix_web::test]
async fn changes_of_a_site_are_written_to_its_file() {
    let Some(server) = GitServer::start() else { return };
    let site = connected(&server, "saved").await;
    let head = site.repository.head();
    site.sync().await;
    assert_eq!(site.repository.head(), head, "{:?}", site.log().await);

    // The title of a section, and a new space of the site.
    let docs = section(&site, "docs").await;
    let at = format!("{}/sections/{}", site.site, docs["id"].as_str().unwrap());
    site.admin.patch(&at, json!({"title": "Documents"})).await.expect(200);
    let organization = site.site.split("/sites/").next().unwrap().to_owned();
    let body = json!({"title": "Own"});
    let own = site.admin.post(&format!("{organization}/spaces"), body).await.expect(201).text("/id");
    let body = json!({"spaceId": own, "sectionId": docs["id"]});
    let shown = site.admin.post(&format!("{}/site-spaces", site.site), body).await.expect(201);
    let path = shown.text("/path");
    site.sync().await;
    let new = format!("        - {{type: space, title: Own, path: {path}, content: {{directory: null}}}}\n");
    let expected = FILE.replace("title: Docs", "title: Documents").replace(
        "    - type: section\n      title: Blog",
        &format!("{new}    - type: section\n      title: Blog"),
    );
    assert_eq!(site.repository.text("docs.yaml"), expected, "{:?}", site.log().await);
    let log = site.log().await;
    assert!(log[0].starts_with("The site file was changed by commit"), "{log:?}");
    let state = site.admin.get(&site.site).await.expect(200);
    assert_eq!(state.text("/gitSync/operation/state"), "success");

    // Nothing more is saved, and the spaces continue to synchronize.
    let (head, entries) = (site.repository.head(), log.len());
    site.sync().await;
    assert_eq!(site.repository.head(), head);
    assert_eq!(site.log().await.len(), entries, "{:?}", site.log().await);
    assert_eq!(site.children().await.len(), 3);

    // A space that is removed from the site is disconnected, and keeps its content.
    let french = site.children().await.into_iter().find(|(folder, _)| folder == "fr").unwrap().1;
    let shown = docs["siteSpaces"].as_array().unwrap().iter().find(|shown| shown["path"] == "fr").unwrap();
    let at = format!("{}/site-spaces/{}", site.site, shown["id"].as_str().unwrap());
    let _ = site.admin.delete(&at).await.expect(204);
    site.sync().await;
    let expected = expected.lines().filter(|line| !line.contains("French"));
    let expected = expected.collect::<Vec<_>>().join("\n") + "\n";
    assert_eq!(site.repository.text("docs.yaml"), expected, "{:?}", site.log().await);
    assert_eq!(site.children().await.len(), 2, "{:?}", site.log().await);
    assert!(site.text(&french).await.contains("Text."));

    // Both sides change: both changes are kept.
    let by_hand = expected.replace("title: Documents", "title: Manuals");
    site.repository.commit(&[("docs.yaml", Some(by_hand.as_bytes()))]);
    rename(&site, "blog", "Stories").await;
    site.sync().await;
    let both = by_hand.replace("title: Blog", "title: Stories");
    assert_eq!(site.repository.text("docs.yaml"), both, "{:?}", site.log().await);
    assert_eq!(section(&site, "docs").await["title"], "Manuals");
    assert_eq!(section(&site, "blog").await["title"], "Stories");

    // The same title: that of the file is kept, and the log has the other one.
    let by_hand = both.replace("title: Stories", "title: Tales");
    site.repository.commit(&[("docs.yaml", Some(by_hand.as_bytes()))]);
    rename(&site, "blog", "Fables").await;
    site.sync().await;
    assert_eq!(site.repository.text("docs.yaml"), by_hand);
    assert_eq!(section(&site, "blog").await["title"], "Tales");
    let log = site.log().await;
    assert!(log[0].ends_with("The site had `title: Fables`."), "{log:?}");
}

#[actix_web::test]
async fn a_file_that_cannot_be_pushed_is_a_failure_until_both_are_the_same() {
    let Some(server) = GitServer::start() else { return };
    let site = connected(&server, "refused").await;
    site.repository.hook("pre-receive", "#!/bin/sh\nexit 1\n");
    let blog = section(&site, "blog").await;
    let at = format!("{}/sections/{}", site.site, blog["id"].as_str().unwrap());
    site.admin.patch(&at, json!({"title": "Stories"})).await.expect(200);
    site.sync().await;
    let log = site.log().await;
    assert!(log[0].contains("`docs.yaml` could not be"), "{log:?}");
    assert_eq!(site.repository.text("docs.yaml"), FILE);
    let shown = site.admin.get(&site.path).await.expect(200);
    assert_eq!((shown.text("/operation/state"), shown.text("/status")), ("failure".into(), "active".into()));
    assert!(shown.at("/nextRunAt").is_string());

    // The same change is made in the repository.
    let by_hand = FILE.replace("title: Blog", "title: Stories");
    site.repository.commit(&[("docs.yaml", Some(by_hand.as_bytes()))]);
    site.sync().await;
    let shown = site.admin.get(&site.path).await.expect(200);
    assert_eq!(shown.text("/operation/state"), "success", "{:?}", site.log().await);
    assert_eq!(section(&site, "blog").await["title"], "Stories");
}
