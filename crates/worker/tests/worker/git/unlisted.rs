//! Pages that the table of contents does not list.

use quire_test_support::GitServer;

use super::Connected;

#[actix_web::test]
async fn the_log_names_pages_that_the_table_of_contents_does_not_list_once() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("unlisted", true);
    repository.commit(&[
        ("README.md", Some(b"# Home\n")),
        ("a.md", Some(b"# A\n")),
        ("draft.md", Some(b"---\nhidden: true\n---\n\n# Draft\n")),
        ("x/lost.md", Some(b"# Lost\n")),
        ("SUMMARY.md", Some(b"# Table of contents\n\n* [Home](README.md)\n* [A](a.md)\n")),
    ]);
    let connected = Connected::to(&server, repository).await;
    let summary = async || connected.log().await[0]["summary"].as_str().unwrap().to_owned();
    let sentence = "Hidden, because SUMMARY.md does not list them: x/lost.md.";
    let named = summary().await;
    assert!(named.ends_with(sentence), "{named}");
    let pages = (0..7).map(|number| format!("new/{number}.md")).collect::<Vec<_>>();
    let pages: Vec<(&str, Option<&[u8]>)> =
        pages.iter().map(|path| (path.as_str(), Some(b"# New\n".as_slice()))).collect();
    connected.repository.commit(&pages);
    connected.sync().await;
    let named = summary().await;
    let sentence = "Hidden, because SUMMARY.md does not list them: \
        new/0.md, new/1.md, new/2.md, new/3.md, new/4.md and 2 more.";
    assert!(named.ends_with(sentence), "{named}");
}
