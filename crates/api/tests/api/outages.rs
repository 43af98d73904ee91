//! Outages of components: independent requests still work, and the others get 503 with `Retry-After`.

use std::path::{Path, PathBuf};

use actix_web::http::Method;
use actix_web::test::TestRequest;
use diesel::PgConnection;
use diesel::connection::SimpleConnection as _;
use futures_util::future::{join, join_all};
use quire_domain::Role;
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::json;

const BASE: &str = "http://127.0.0.1:8080";

async fn upload(caller: &Caller, space: &str, text: &str) -> Answer {
    let body = format!(
        "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n{text}\r\n--b--\r\n"
    );
    let request = TestRequest::post().uri(&format!("/v1/spaces/{space}/content/files"));
    let request = request.insert_header(("Content-Type", "multipart/form-data; boundary=b"));
    caller.send(request.set_payload(body)).await
}

/// Returns the files below a folder.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files
}

fn assert_unavailable(answer: &Answer) {
    assert_eq!((answer.status.as_u16(), answer.header("retry-after")), (503, "2"));
}

/// Sends a read while writes wait for a lock, and then releases the lock.
async fn read_before_release(app: &TestApp, caller: &Caller, holder: &mut PgConnection) {
    app.store.until_waiting(3).await;
    for _ in 0..4 {
        caller.get("/v1/user").await.expect(200);
        app.anonymous().get("/readyz").await.expect(200);
    }
    holder.batch_execute("COMMIT").unwrap();
}

#[actix_web::test]
async fn a_file_whose_bytes_are_missing_is_unavailable() {
    let app = TestApp::start().await;
    let (space, _) = app.space().await;
    let editor = app.on_space(&space, Some(Role::Edit));
    for text in ["some text", ""] {
        let made = upload(&editor, &space, text).await.expect(201);
        let address = made.text("/items/0/downloadURL").strip_prefix(BASE).unwrap().to_owned();
        let anyone = app.anonymous();
        assert_eq!(anyone.get(&address).await.expect(200).bytes, text.as_bytes());
        let stored = files_below(app.store.folder.path());
        let moved: Vec<_> = stored.iter().map(|path| (path, path.with_extension("away"))).collect();
        moved.iter().for_each(|(path, away)| std::fs::rename(path, away).unwrap());
        for method in [Method::GET, Method::HEAD] {
            assert_unavailable(&anyone.call(method, &address).await);
        }
        moved.iter().for_each(|(path, away)| std::fs::rename(away, path).unwrap());
        anyone.get(&address).await.expect(200);
    }
}

#[actix_web::test]
async fn without_room_for_files_nothing_is_half_written() {
    let app = TestApp::start().await;
    let (space, _) = app.space().await;
    let editor = app.on_space(&space, Some(Role::Edit));
    let folder = app.store.folder.path().to_owned();
    // A file in place of the space's folder makes writes below it fail.
    std::fs::write(folder.join(&space), "").unwrap();
    let counts = || ["revisions", "blobs"].map(|table| app.count(table));
    let before = counts();
    assert_unavailable(&upload(&editor, &space, "some text").await);
    assert_eq!(counts(), before);
    editor.get(&format!("/v1/spaces/{space}/content")).await.expect(200);
    std::fs::remove_file(folder.join(&space)).unwrap();
    upload(&editor, &space, "some text").await.expect(201);
}

#[actix_web::test]
async fn writes_that_hang_leave_reads_their_share() {
    let app = TestApp::start().await;
    let admin = app.as_role(Role::Admin);
    let path = format!("/v1/orgs/{}/spaces", app.organization);
    let mut holder = app.connection();
    holder.batch_execute("BEGIN; LOCK TABLE spaces IN SHARE ROW EXCLUSIVE MODE").unwrap();
    let writes = join_all((0..8).map(|_| admin.post(&path, json!({}))));
    for written in join(writes, read_before_release(&app, &admin, &mut holder)).await.0 {
        written.expect(201);
    }
}

#[actix_web::test]
async fn documents_that_cannot_be_stored_leave_reads_their_share() {
    let app = TestApp::start().await;
    let (space, _) = app.space().await;
    let editor = app.on_space(&space, Some(Role::Edit));
    let requests = format!("/v1/spaces/{space}/change-requests");
    let mut contents = Vec::new();
    for _ in 0..8 {
        let request = editor.post(&requests, json!({})).await.expect(201).text("/id");
        contents.push(format!("{requests}/{request}/content"));
    }
    let mut holder = app.connection();
    holder.batch_execute("BEGIN; LOCK TABLE documents IN SHARE ROW EXCLUSIVE MODE").unwrap();
    let page = json!({"operation": "insert_page", "title": "Page", "document": {"markdown": "Some text."}});
    let changes = json!({"changes": [page]});
    let writes = join_all(contents.iter().map(|content| editor.post(content, changes.clone())));
    for written in join(writes, read_before_release(&app, &editor, &mut holder)).await.0 {
        written.expect(200);
    }
}

#[actix_web::test]
async fn a_node_without_its_schema_is_not_ready() {
    let app = TestApp::start().await;
    app.connection().batch_execute("DELETE FROM __diesel_schema_migrations").unwrap();
    assert_unavailable(&app.anonymous().get("/readyz").await);
}
