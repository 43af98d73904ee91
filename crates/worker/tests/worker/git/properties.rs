//! Front matter properties without a counterpart in pages.

use quire_test_support::GitServer;

use super::Connected;

#[actix_web::test]
async fn properties_without_a_field_are_in_the_log_and_stay_in_the_repository() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("properties", true);
    let page = |text: &str| format!("---\ndescription: About\ntags:\n  - beta\n---\n\n# Page\n\n{text}\n");
    repository.commit(&[
        ("README.md", Some(page("One.").as_bytes())),
        (
            "other.md",
            Some(b"---\ntags:\n  - tag: new\n    primary: true\ncoverHeight: 300\n---\n\n# Other\n"),
        ),
        ("SUMMARY.md", Some(b"# Table of contents\n\n* [Page](README.md)\n* [Other](other.md)\n")),
    ]);
    let connected = Connected::to(&server, repository).await;
    let log = connected.log().await;
    let summary = log[0]["summary"].as_str().unwrap();
    let expected = "coverHeight (other.md), tags (2 files, such as README.md).";
    assert!(summary.ends_with(expected), "{summary}");
    connected.edit("Two.").await;
    connected.sync().await;
    connected.no_failures().await;
    assert_eq!(connected.repository.text("README.md"), page("Two."));
}
