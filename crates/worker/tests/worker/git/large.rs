//! Files stored in Git LFS.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use quire_revision::BlobHash;
use quire_test_support::{GitRepository, GitServer, LARGE};
use serde_json::{Value, json};

use super::Connected;

const PICTURE: &str = "the bytes of a large picture";

/// Returns the hash of bytes, and their LFS pointer.
fn pointer(bytes: &str) -> (String, String) {
    let oid = BlobHash::of(bytes.as_bytes()).to_string();
    let text =
        format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize {}\n", bytes.len());
    (oid, text)
}

/// Commits a page with a picture. The repository has only the pointer of the picture.
fn commit(repository: &GitRepository, name: &str, bytes: &str) -> String {
    let (oid, pointer) = pointer(bytes);
    let page = format!("# Home\n\n![]({name})\n");
    repository.commit(&[
        ("README.md", Some(page.as_bytes())),
        ("SUMMARY.md", Some(b"# Table of contents\n\n* [Home](README.md)\n")),
        (name, Some(pointer.as_bytes())),
    ]);
    oid
}

/// Makes the server serve one large file.
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
    // The server has no LFS store, then no such file, then other bytes than announced, and then more of them.
    let repository = server.create("pointers", true);
    let oid = commit(&repository, "images/a.png", PICTURE);
    let connected = Connected::to(&server, repository).await;
    let summary = async || connected.log().await[0]["summary"].as_str().unwrap().to_owned();
    assert!(summary().await.ends_with("(the server has no Git LFS): images/a.png."));
    assert!(connected.sizes()[0] > 100, "the pointer");
    let (other, longer) = ("these are some other bytes!!", "these are more bytes than the pointer says");
    for (sent, name, bytes, reason) in [
        (other, "images/b.png", "absent", "the server does not have them"),
        (other, "images/c.png", PICTURE, "the wrong content"),
        (longer, "images/d.png", PICTURE, "it sent too many bytes for a large file"),
    ] {
        keep(&server, oid.clone(), sent);
        commit(&connected.repository, name, bytes);
        connected.sync().await;
        let summary = summary().await;
        assert!(summary.contains(reason) && summary.ends_with(&format!("{name}.")), "{summary}");
    }
}

/// Files of an LFS store, by hash.
type Stored = Arc<Mutex<BTreeMap<String, String>>>;

/// Makes the server accept large files. It answers a second request about each upload.
fn store(server: &GitServer) -> Stored {
    let (stored, address) = (Stored::default(), server.address());
    let kept = Arc::clone(&stored);
    server.answer_api(move |method, target, body| {
        let mut kept = kept.lock().unwrap();
        if let Some(oid) = target.strip_prefix("/large/") {
            return match (method, kept.get(oid)) {
                ("GET", Some(bytes)) => (200, bytes.clone()),
                ("PUT", _) => {
                    kept.insert(oid.to_owned(), body.to_owned());
                    (201, String::new())
                }
                ("POST", Some(bytes)) => {
                    let asked: Value = serde_json::from_str(body).unwrap();
                    let is_whole = asked == json!({"oid": oid, "size": bytes.len()});
                    (if is_whole { 200 } else { 422 }, String::new())
                }
                _ => (404, String::new()),
            };
        }
        let asked: Value = serde_json::from_str(body).unwrap();
        let objects = asked["objects"].as_array().unwrap().iter().map(|object| {
            let oid = object["oid"].as_str().unwrap();
            let action = json!({"href": format!("http://{address}/large/{oid}"),
                "header": {"Authorization": LARGE, "Transfer-Encoding": "chunked"}});
            match (asked["operation"].as_str(), kept.contains_key(oid)) {
                (Some("download"), true) => json!({"oid": oid, "actions": {"download": action}}),
                (Some("upload"), true) => json!({"oid": oid}),
                (Some("upload"), false) if object["size"] == 7 => {
                    json!({"oid": oid, "error": {"code": 422, "message": "too short"}})
                }
                (Some("upload"), false) if object["size"] == 8 => {
                    json!({"oid": oid, "actions": {"upload": {"href": "https://10.0.0.1/store"}}})
                }
                (Some("upload"), false) => {
                    json!({"oid": oid, "actions": {"upload": action, "verify": action}})
                }
                _ => json!({"oid": oid, "error": {"code": 404, "message": "absent"}}),
            }
        });
        (200, json!({"transfer": "basic", "objects": objects.collect::<Vec<_>>()}).to_string())
    });
    stored
}

impl Connected {
    /// Adds a file to the main content.
    pub(super) async fn add_file(&self, name: &str, bytes: &str) {
        let file = json!({"name": name, "contentType": "image/png", "base64": BASE64_STANDARD.encode(bytes)});
        self.write(&[json!({"operation": "insert_files", "files": [file]})]).await;
    }
}

#[actix_web::test]
async fn new_files_that_the_attributes_give_to_lfs_are_uploaded() {
    let Some(server) = GitServer::start() else { return };
    let stored = store(&server);
    let repository = server.create("attributes", true);
    let oid = commit(&repository, "images/a.png", PICTURE);
    stored.lock().unwrap().insert(oid, PICTURE.to_owned());
    repository.commit(&[(".gitattributes", Some(b"*.png filter=lfs diff=lfs merge=lfs -text\n"))]);
    let connected = Connected::to(&server, repository).await;
    let before = connected.repository.files();
    connected.add_file("new.png", "the bytes of a new picture").await;
    connected.add_file("new.gif", "the bytes of another one").await;
    connected.sync().await;
    connected.no_failures().await;
    let (repository, files) = (&connected.repository, connected.repository.files());
    let (oid, text) = pointer("the bytes of a new picture");
    assert_eq!(repository.text(".gitbook/assets/new.png"), text);
    assert_eq!(repository.text(".gitbook/assets/new.gif"), "the bytes of another one");
    assert_eq!(files["images/a.png"], before["images/a.png"]);
    assert_eq!(stored.lock().unwrap().get(&oid).map(String::as_str), Some("the bytes of a new picture"));

    // Both sides are equal now, and a second space reads the uploaded files.
    let (head, sizes) = (repository.head(), connected.sizes());
    connected.sync().await;
    assert_eq!((repository.head(), connected.sizes()), (head, sizes));
    let uploaded = |lines: Vec<String>| lines.iter().filter(|line| line.starts_with("PUT ")).count();
    assert_eq!(uploaded(server.take_requests()), 1);

    // A file that the server refuses holds up the commit, and the log has the server's reason.
    connected.add_file("bad.png", "7 bytes").await;
    connected.sync().await;
    let summary = connected.log().await[0]["summary"].as_str().unwrap().to_owned();
    assert!(summary.ends_with("it refused a large file: too short."), "{summary}");

    // A store in the internal network receives no request.
    connected.add_file("a.png", "8 bytes.").await;
    connected.sync().await;
    let summary = connected.log().await[0]["summary"].as_str().unwrap().to_owned();
    assert!(summary.contains("not a public address"), "{summary}");

    // Once the files are deleted, their revisions hold up nothing.
    let tree = connected.app.content(&connected.space, &connected.admin);
    let refused = tree.files().filter(|file| ["bad.png", "a.png"].contains(&file.name.as_str()));
    let refused: Vec<String> =
        refused.filter(|file| file.git.is_none()).map(|file| file.id.to_string()).collect();
    assert_eq!(refused.len(), 2);
    connected.write(&[json!({"operation": "delete_files", "files": refused})]).await;
    connected.add_file("last.gif", "not a large file").await;
    connected.sync().await;
    let log = connected.log().await;
    assert_eq!(log[0]["state"], "success", "{log:?}");
    assert_eq!(connected.repository.text(".gitbook/assets/last.gif"), "not a large file");
}

#[actix_web::test]
async fn on_a_server_without_lfs_the_files_are_in_the_repository() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("without-lfs", true);
    repository.commit(&[
        ("README.md", Some(b"# Home\n")),
        (".gitattributes", Some(b"*.png filter=lfs diff=lfs merge=lfs -text\n")),
    ]);
    let connected = Connected::to(&server, repository).await;
    connected.add_file("new.png", PICTURE).await;
    connected.sync().await;
    assert_eq!(connected.repository.text(".gitbook/assets/new.png"), PICTURE);
    let summary = connected.log().await[0]["summary"].as_str().unwrap().to_owned();
    assert!(summary.ends_with("(the server has no Git LFS): .gitbook/assets/new.png."), "{summary}");
}
