//! Files: added by upload, by URL and in a body, and downloaded from their URLs.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use actix_web::http::Method;
use actix_web::test::TestRequest;
use quire_domain::Role;
use quire_importer::fetch::FetchConfig;
use quire_server::Settings;
use quire_test_support::{Answer, Caller, TestApp};
use serde_json::{Value, json};

const BASE: &str = "http://127.0.0.1:8080";
/// Header of a PNG image of 3 × 2 pixels.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x06\0\0\0";

struct Fixture {
    app: TestApp,
    editor: Caller,
    space: String,
    content: String,
}

impl Fixture {
    async fn new() -> Self {
        Self::with(Settings::default()).await
    }

    async fn with(settings: Settings) -> Self {
        let fetch = FetchConfig { allow: vec!["127.0.0.1".parse().unwrap()], ..FetchConfig::default() };
        let app = TestApp::start_with(Settings { rate_limit: 0, ..settings }, fetch).await;
        let (space, _) = app.space().await;
        let (editor, content) =
            (app.on_space(&space, Some(Role::Edit)), format!("/v1/spaces/{space}/content"));
        Self { app, editor, space, content }
    }

    async fn upload(&self, parts: &[(&str, &[u8])]) -> Answer {
        upload(&self.editor, &format!("{}/files", self.content), parts).await
    }

    /// Uploads a file and returns its download URL.
    async fn address(&self, headers: &str, bytes: &[u8]) -> String {
        let made = self.upload(&[(headers, bytes)]).await.expect(201);
        made.text("/items/0/downloadURL").strip_prefix(BASE).unwrap().to_owned()
    }

    async fn files(&self) -> Value {
        self.editor.get(&format!("{}/files", self.content)).await.expect(200).at("/items").clone()
    }
}

fn form(parts: &[(&str, &[u8])]) -> TestRequest {
    let mut body = Vec::new();
    for (headers, bytes) in parts {
        body.extend_from_slice(
            format!("--b\r\nContent-Disposition: form-data; {headers}\r\n\r\n").as_bytes(),
        );
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--b--\r\n");
    TestRequest::post().set_payload(body).insert_header(("Content-Type", "multipart/form-data; boundary=b"))
}

async fn upload(caller: &Caller, path: &str, parts: &[(&str, &[u8])]) -> Answer {
    caller.send(form(parts).uri(path)).await
}

/// Serves one response on a port of its own.
fn serve(answer: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 4096]).unwrap();
        stream.write_all(&answer).unwrap();
    });
    format!("http://{address}/picture")
}

#[actix_web::test]
async fn uploaded_files_are_listed_and_downloaded() {
    let fixture = Fixture::new().await;
    let made = fixture
        .upload(&[
            ("name=\"file\"; filename=\"logo.png\"\r\nContent-Type: image/png", PNG),
            ("name=\"comment\"", b"ignored"),
            ("name=\"file\"; filename=\"/home/ada/größe.txt\"", b"text"),
        ])
        .await
        .expect(201);
    assert_eq!((made.at("/count"), made.json.get("next")), (&json!(2), None));
    let first = made.at("/items/0");
    assert_eq!(
        made.header("location"),
        format!("{BASE}{}/files/{}", fixture.content, made.text("/items/0/id"))
    );
    assert_eq!(
        (&first["name"], &first["contentType"], &first["size"], &first["dimensions"]),
        (&json!("logo.png"), &json!("image/png"), &json!(PNG.len()), &json!({"width": 3, "height": 2}))
    );
    assert_eq!(
        (made.text("/items/1/name"), made.text("/items/1/contentType")),
        ("größe.txt".into(), "text/plain".into())
    );
    assert_eq!(made.json.pointer("/items/1/dimensions"), None);
    let location = made.header("location").strip_prefix(BASE).unwrap().to_owned();
    assert_eq!(&fixture.editor.get(&location).await.expect(200).json, first);
    assert_eq!(fixture.files().await.as_array().unwrap().len(), 2);
    let got = fixture
        .app
        .anonymous()
        .get(made.text("/items/0/downloadURL").strip_prefix(BASE).unwrap())
        .await
        .expect(200);
    assert_eq!(&got.bytes[..], PNG);
    assert_eq!(got.header("content-type"), "image/png");
    assert_eq!(got.header("content-disposition"), "inline; filename=\"logo.png\"; filename*=UTF-8''logo.png");
    assert_eq!(got.header("x-content-type-options"), "nosniff");
    assert!(got.header("content-security-policy").contains("sandbox"));
    assert_eq!(got.header("accept-ranges"), "bytes");
}

#[actix_web::test]
async fn nothing_that_could_run_opens_in_place() {
    let fixture = Fixture::new().await;
    for (name, content_type, opens) in [
        ("a.html", "text/html", false),
        ("a.svg", "image/svg+xml", true),
        ("a.pdf", "application/pdf", true),
        ("a.mp4", "video/mp4", true),
        ("a.js", "text/javascript", false),
        ("a.zip", "application/zip", false),
    ] {
        let headers = format!("name=\"file\"; filename=\"{name}\"\r\nContent-Type: {content_type}");
        let bytes: &[u8] =
            if name == "a.svg" { br#"<svg xmlns="http://www.w3.org/2000/svg"/>"# } else { b"<script>" };
        let got = fixture.app.anonymous().get(&fixture.address(&headers, bytes).await).await.expect(200);
        assert_eq!(got.header("content-type"), content_type);
        assert_eq!(got.header("content-disposition").starts_with("inline"), opens, "{name}");
        let policy = got.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'"), "{name}: {policy}");
        assert_eq!(policy.contains("sandbox"), name != "a.pdf", "{name}: {policy}");
    }
}

#[actix_web::test]
async fn a_drawing_is_stored_without_what_runs() {
    let fixture = Fixture::new().await;
    let hostile =
        br#"<svg xmlns="http://www.w3.org/2000/svg" onload="x()"><script>x()</script><path d="M0 0"/></svg>"#;
    let safe = br#"<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>"#;
    let headers = "name=\"file\"; filename=\"a.svg\"";
    let uploaded = fixture.app.anonymous().get(&fixture.address(headers, hostile).await).await.expect(200);
    assert_eq!((&uploaded.bytes[..], uploaded.header("content-type")), (&safe[..], "image/svg+xml"));

    let insert = |base64: &str| {
        json!({"changes": [{"operation": "insert_files", "files": [
            {"name": "a.png", "contentType": "image/png", "base64": "AAAA"}, {"name": "b", "contentType": "image/svg+xml", "base64": base64}
        ]}]})
    };
    let content = format!("/v1/spaces/{}/content", fixture.space);
    let base64 = "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIG9ubG9hZD0ieCgpIi8+";
    let _ = fixture.editor.post(&content, insert(base64)).await.expect(200);
    let files = fixture.files().await;
    let file = files.as_array().unwrap().iter().find(|file| file["name"] == "b").unwrap();
    assert_eq!(file["size"], r#"<svg xmlns="http://www.w3.org/2000/svg"/>"#.len());

    let refused = fixture.editor.post(&content, insert("PHNjcmlwdD4=")).await.expect(400);
    assert_eq!(refused.fields(), ["changes[0].files[1]"]);
    let count = fixture.files().await.as_array().unwrap().len();
    assert_eq!(count, 3, "nothing of a refused write is kept");
}

#[actix_web::test]
async fn an_address_leads_to_nothing_but_what_it_was_made_for() {
    let fixture = Fixture::new().await;
    let headers = "name=\"file\"; filename=\"50% of a+b.txt\"\r\nContent-Type: text/plain";
    let (one, two) = (fixture.address(headers, b"one").await, fixture.address(headers, b"two").await);
    let anyone = fixture.app.anonymous();
    assert_eq!(&anyone.get(&one).await.expect(200).bytes[..], b"one");
    let token = |address: &str| address.rsplit_once("token=").unwrap().1.to_owned();
    let forged = [
        one.replace(&token(&one), &token(&two)),
        one.replace("text%2Fplain", "text%2Fhtml"),
        one.replace(".txt", ".html"),
        one.replace(&fixture.space, "0190a5d2-7c1e-7000-8000-000000000001"),
        one.replace("token=", "key="),
        one.split('?').next().unwrap().to_owned(),
        format!("/v1/spaces/{}/files/nonsense/a?type=a&token=b", fixture.space),
    ];
    for address in forged {
        let _ = anyone.get(&address).await.expect(404);
    }
    let _ = anyone.call(Method::POST, &one).await.expect(405);
}

#[actix_web::test]
async fn downloads_answer_ranges_heads_and_what_the_caller_has() {
    let fixture = Fixture::new().await;
    let bytes: Vec<u8> = (0..3_000_000_u32).map(|number| u8::try_from(number % 251).unwrap()).collect();
    let headers = "name=\"file\"; filename=\"a.bin\"";
    let address = fixture.address(headers, &bytes).await;
    let anyone = fixture.app.anonymous();
    let ask = async |headers: &[(&str, &str)]| {
        let request = TestRequest::get().uri(&address);
        let request = headers.iter().fold(request, |request, header| request.insert_header(*header));
        anyone.send(request.insert_header(("Accept-Encoding", "gzip"))).await
    };
    let whole = ask(&[]).await.expect(200);
    assert_eq!(whole.bytes, bytes);
    let tag = whole.header("etag");
    assert!(tag.starts_with('"'));
    let part = ask(&[("Range", "bytes=1000000-2500000")]).await.expect(206);
    assert_eq!(part.bytes, bytes[1_000_000..=2_500_000]);
    assert_eq!(part.header("content-range"), "bytes 1000000-2500000/3000000");
    let last = ask(&[("Range", "bytes=-10")]).await.expect(206);
    assert_eq!(last.bytes, bytes[2_999_990..]);
    let beyond = ask(&[("Range", "bytes=3000000-")]).await.expect(416);
    assert_eq!(beyond.header("content-range"), "bytes */3000000");
    let _ = ask(&[("Range", "bytes=0-1,4-5")]).await.expect(200);
    let _ = ask(&[("Range", "bytes=0-1"), ("If-Range", "\"other\"")]).await.expect(200);
    let _ = ask(&[("Range", "bytes=0-1"), ("If-Range", tag)]).await.expect(206);
    assert!(ask(&[("If-None-Match", tag)]).await.expect(304).bytes.is_empty());
    let head = anyone.call(Method::HEAD, &address).await.expect(200);
    assert!(head.bytes.is_empty());
    assert_eq!(head.header("etag"), tag);
}

#[actix_web::test]
async fn an_empty_file_is_a_file() {
    let fixture = Fixture::new().await;
    let address = fixture.address("name=\"file\"; filename=\"empty.txt\"", b"").await;
    let got = fixture.app.anonymous().get(&address).await.expect(200);
    assert!(got.bytes.is_empty());
}

#[actix_web::test]
async fn bad_uploads_are_refused() {
    let fixture = Fixture::with(Settings { max_upload: 1_000, ..Settings::default() }).await;
    let path = format!("{}/files", fixture.content);
    let file = "name=\"file\"; filename=\"a.txt\"";
    for parts in [
        &[][..],
        &[("name=\"other\"; filename=\"a.txt\"", &b"x"[..])],
        &[("name=\"file\"", b"x")],
        &[("name=\"file\"; filename=\"..\"", b"x")],
        &[("name=\"file\"; filename=\"\"", b"x")],
        &[(file, &b"x"[..]); 21],
    ] {
        assert_eq!(fixture.upload(parts).await.expect(400).fields(), ["file"], "{parts:?}");
    }
    let large = [b'x'; 600];
    assert_eq!(
        fixture.upload(&[(file, &large), (file, &large)]).await.expect(413).reason(),
        "payload-too-large"
    );
    let json = fixture.editor.post(&path, json!({})).await.expect(415);
    assert_eq!(json.reason(), "unsupported-media-type");
    let _ = fixture.editor.post_empty(&path).await.expect(415);
    let cut = TestRequest::post()
        .uri(&path)
        .set_payload("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nx");
    let _ = fixture
        .editor
        .send(cut.insert_header(("Content-Type", "multipart/form-data; boundary=b")))
        .await
        .expect(400);
    let unbound = TestRequest::post().uri(&path).set_payload("x");
    let _ =
        fixture.editor.send(unbound.insert_header(("Content-Type", "multipart/form-data"))).await.expect(400);
    assert_eq!(fixture.files().await, json!([]));
    let good = [(file, &b"x"[..]); 20];
    assert_eq!(fixture.upload(&good).await.expect(201).at("/count"), &json!(20));
}

#[actix_web::test]
async fn only_editors_upload_and_locked_spaces_take_none() {
    let fixture = Fixture::new().await;
    let path = format!("{}/files", fixture.content);
    let parts = [("name=\"file\"; filename=\"a.txt\"", &b"x"[..])];
    let reader = fixture.app.on_space(&fixture.space, Some(Role::Comment));
    let _ = upload(&reader, &path, &parts).await.expect(403);
    let _ = upload(&fixture.app.stranger(), &path, &parts).await.expect(404);
    let _ = upload(&fixture.app.anonymous(), &path, &parts).await.expect(401);
    let change_requests = format!("/v1/spaces/{}/change-requests", fixture.space);
    let id = fixture.editor.post(&change_requests, json!({})).await.expect(201).text("/id");
    let admin = fixture.app.as_role(Role::Admin);
    let space = format!("/v1/spaces/{}", fixture.space);
    let _ = admin.patch(&space, json!({"editMode": "locked"})).await.expect(200);
    assert_eq!(upload(&fixture.editor, &path, &parts).await.expect(409).reason(), "space-locked");
    let working_copy = format!("{change_requests}/{id}/content/files");
    let made = upload(&fixture.editor, &working_copy, &parts).await.expect(201);
    let location = made.header("location").strip_prefix(BASE).unwrap();
    let _ = fixture.editor.get(location).await.expect(200);
    assert_eq!(fixture.files().await, json!([]));
}

#[actix_web::test]
async fn files_come_from_bodies_and_urls_and_pages_show_them() {
    let fixture = Fixture::new().await;
    let mut answer = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nConnection: close\r\n\r\n".to_vec();
    answer.extend_from_slice(PNG);
    let write = async |changes: Value| {
        let request = TestRequest::post().uri(&fixture.content).set_json(json!({ "changes": changes }));
        fixture.editor.send(request.insert_header(("Prefer", "return=representation"))).await
    };
    let made = write(json!([
        {"operation": "insert_files", "files": [
            {"name": "note.txt", "contentType": "text/plain", "base64": "aGVsbG8"},
            {"name": "picture.png", "url": serve(answer), "ref": "picture"},
        ]},
        {"operation": "insert_page", "title": "A", "document": {"markdown": "![A picture](/files/picture)"}},
    ]))
    .await
    .expect(200);
    let files = made.at("/files").as_array().unwrap();
    let picture = files.iter().find(|file| file["name"] == "picture.png").unwrap();
    let note = files.iter().find(|file| file["name"] == "note.txt").unwrap();
    assert_eq!(
        (&picture["contentType"], &picture["dimensions"]),
        (&json!("image/png"), &json!({"width": 3, "height": 2}))
    );
    let address = note["downloadURL"].as_str().unwrap().strip_prefix(BASE).unwrap();
    assert_eq!(&fixture.app.anonymous().get(address).await.expect(200).bytes[..], b"hello");
    let page = fixture.editor.get(&format!("{}/path/a?format=markdown", fixture.content)).await.expect(200);
    assert!(page.text("/markdown").contains(&format!("/files/{}", picture["id"].as_str().unwrap())));
    let failing = serve(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_vec());
    let refused = write(json!([{"operation": "insert_files", "files": [{"name": "a", "url": failing}]}]))
        .await
        .expect(400);
    assert_eq!(
        (refused.reason(), refused.fields()),
        ("fetch-failed".to_owned(), vec!["changes[0].files[0].url".to_owned()])
    );
    let private = json!([{"operation": "insert_files", "files": [{"name": "a", "url": "http://10.0.0.1/"}]}]);
    assert_eq!(write(private).await.expect(400).reason(), "fetch-refused");
    let large = "AAAA".repeat(334_000);
    let large = json!([{"operation": "insert_files", "files": [{"name": "a", "contentType": "a/b", "base64": large}]}]);
    assert_eq!(write(large).await.expect(400).fields(), ["changes[0].files[0].base64"]);
}
