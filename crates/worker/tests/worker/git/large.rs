//! Files whose bytes are in Git LFS.

use quire_revision::BlobHash;
use quire_test_support::{GitRepository, GitServer, LARGE};
use serde_json::{Value, json};

use super::Connected;

const PICTURE: &str = "the bytes of a large picture";

/// Commits a page with a picture of which the repository has the pointer.
fn commit(repository: &GitRepository, name: &str, bytes: &str) -> String {
    let oid = BlobHash::of(bytes.as_bytes()).to_string();
    let pointer =
        format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize {}\n", bytes.len());
    let page = format!("# Home\n\n![]({name})\n");
    repository.commit(&[
        ("README.md", Some(page.as_bytes())),
        ("SUMMARY.md", Some(b"# Table of contents\n\n* [Home](README.md)\n")),
        (name, Some(pointer.as_bytes())),
    ]);
    oid
}

/// Has the server keep one large file.
fn keep(server: &GitServer, oid: String, bytes: &'static str) {
    let address = server.address();
    server.answer_api(move |method, target, body| {
        if method == "GET" {
            return (if target == format!("/large/{oid}") { 200 } else { 404 }, bytes.to_owned());
        }
        let asked: Value = serde_json::from_str(body).unwrap();
        assert_eq!(asked["operation"], "download");
        let objects = asked["objects"].as_array().unwrap().iter().map(|object| {
            let download = json!({"href": format!("http://{address}/large/{oid}"),
                "header": {"Authorization": LARGE}});
            match object["oid"] == oid {
                true => json!({"oid": oid, "size": bytes.len(), "actions": {"download": download}}),
                false => json!({"oid": object["oid"], "error": {"code": 404, "message": "absent"}}),
            }
        });
        (200, json!({"transfer": "basic", "objects": objects.collect::<Vec<_>>()}).to_string())
    });
}

impl Connected {
    /// Returns the sizes of the files of the content.
    fn sizes(&self) -> Vec<u64> {
        self.app.content(&self.space, &self.admin).files().map(|file| file.size).collect()
    }
}

#[actix_web::test]
async fn the_bytes_of_a_pointer_are_fetched_and_its_file_stays_a_pointer() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("large", true);
    let oid = commit(&repository, "images/a.png", PICTURE);
    keep(&server, oid, PICTURE);
    let connected = Connected::to(&server, repository).await;
    assert_eq!(connected.sizes(), [u64::try_from(PICTURE.len()).unwrap()]);
    let before = connected.repository.files();
    connected
        .write(&[json!({"operation": "insert_page", "title": "More", "document": {"markdown": "More."}})])
        .await;
    connected.sync().await;
    connected.no_failures().await;
    let after = connected.repository.files();
    assert_eq!((&after["images/a.png"], after.len()), (&before["images/a.png"], before.len() + 1));
}

#[actix_web::test]
async fn without_the_bytes_the_pointer_stays_and_the_log_says_so() {
    let Some(server) = GitServer::start() else { return };
    // The server has no large files at all, then not this one, then others than it says.
    let repository = server.create("pointers", true);
    let oid = commit(&repository, "images/a.png", PICTURE);
    let connected = Connected::to(&server, repository).await;
    let summary = async || connected.log().await[0]["summary"].as_str().unwrap().to_owned();
    assert!(summary().await.ends_with("(the server has no Git LFS): images/a.png."));
    assert!(connected.sizes()[0] > 100, "the pointer");
    keep(&server, oid, "these are some other bytes!!");
    for (name, bytes, reason) in [
        ("images/b.png", "absent", "the server does not have them"),
        ("images/c.png", PICTURE, "other bytes"),
    ] {
        commit(&connected.repository, name, bytes);
        connected.sync().await;
        let summary = summary().await;
        assert!(summary.contains(reason) && summary.ends_with(&format!("{name}.")), "{summary}");
    }
}
