//! Bodies that arrive slowly or never.

use std::time::Duration;

use actix_web::error::PayloadError;
use actix_web::rt::time::interval;
use actix_web::test::TestRequest;
use actix_web::web::Bytes;
use futures_util::{Stream, StreamExt as _, stream};
use quire_importer::fetch::FetchConfig;
use quire_server::Settings;
use quire_test_support::{Caller, TestApp};
use serde_json::json;

type Piece = Result<Bytes, PayloadError>;

/// Starts an application with very short time limits for bodies.
async fn impatient() -> TestApp {
    let body_pause = Duration::from_millis(50);
    let settings = Settings { rate_limit: 0, body_pause, body_rate: u64::MAX, ..Settings::default() };
    TestApp::start_with(settings, FetchConfig::default()).await
}

/// Returns a body that stalls after `begin`.
fn stalled(begin: &'static str) -> impl Stream<Item = Piece> + 'static {
    stream::iter([Ok(Bytes::from_static(begin.as_bytes()))]).chain(stream::pending())
}

fn json_to(path: &str) -> TestRequest {
    TestRequest::patch().uri(path).insert_header(("Content-Type", "application/json"))
}

fn form_to(path: &str) -> TestRequest {
    TestRequest::post().uri(path).insert_header(("Content-Type", "multipart/form-data; boundary=b"))
}

const FORM: &str = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nHel";

#[actix_web::test]
async fn who_stalls_is_not_waited_for() {
    let app = impatient().await;
    let (space, admin) = app.space().await;
    let path = format!("/v1/spaces/{space}");
    let refused = admin.send_streamed(json_to(&path), stalled("{\"title\": ")).await.expect(408);
    assert_eq!(refused.reason(), "request-timeout");
    // A caller without a valid token learns nothing else.
    let stranger = admin.with_token(&format!("qr_{}", "0".repeat(43)));
    stranger.send_streamed(json_to(&path), stalled("{\"title\": ")).await.expect(401);
    for below in ["content/files", "content/import"] {
        let request = form_to(&format!("{path}/{below}"));
        let refused = admin.send_streamed(request, stalled(FORM)).await.expect(408);
        assert_eq!(refused.reason(), "request-timeout", "{below}");
    }
}

#[actix_web::test]
async fn who_sends_a_little_now_and_then_is_not_waited_for_without_end() {
    let app = impatient().await;
    let (space, admin) = app.space().await;
    let ticks = stream::unfold(interval(Duration::from_millis(10)), |mut clock| async {
        clock.tick().await;
        Some((Ok(Bytes::from_static(b" ")), clock))
    });
    let refused = admin.send_streamed(json_to(&format!("/v1/spaces/{space}")), ticks).await.expect(408);
    assert_eq!(refused.reason(), "request-timeout");
}

#[actix_web::test]
async fn what_arrives_in_pieces_is_taken() {
    let app = impatient().await;
    let (space, admin) = app.space().await;
    let pieces = ["{\"ti", "tle\": ", "\"Pieces\"}"].map(|piece| Ok(Bytes::from_static(piece.as_bytes())));
    let path = format!("/v1/spaces/{space}");
    let changed = admin.send_streamed(json_to(&path), stream::iter(pieces)).await.expect(200);
    assert_eq!(changed.text("/title"), "Pieces");
}

/// Asserts that uploads to a resource are refused for this reason before any byte arrives.
async fn refuses(admin: &Caller, resource: &str, reason: &str) {
    for below in ["files", "import"] {
        let request = form_to(&format!("{resource}/content/{below}"));
        let refused = admin.send_streamed(request, stream::pending()).await.expect(409);
        assert_eq!(refused.reason(), reason, "{resource} {below}");
    }
    let file = json!({"name": "a.txt", "url": "http://127.0.0.1:1/a.txt"});
    let changes = json!({"changes": [{"operation": "insert_files", "files": [file]}]});
    let refused = admin.post(&format!("{resource}/content"), changes).await.expect(409);
    assert_eq!(refused.reason(), reason, "{resource}");
}

#[actix_web::test]
async fn what_would_be_refused_in_the_end_is_not_taken_in() {
    let app = impatient().await;
    let (space, admin) = app.space().await;
    let path = format!("/v1/spaces/{space}");
    let requests = format!("{path}/change-requests");
    let archived = admin.post(&requests, json!({})).await.expect(201).text("/id");
    let archived = format!("{requests}/{archived}");
    let _ = admin.patch(&archived, json!({"status": "archived"})).await.expect(200);
    refuses(&admin, &archived, "change-request-archived").await;
    let merged = admin.post(&requests, json!({})).await.expect(201).text("/id");
    let merged = format!("{requests}/{merged}");
    let change = json!({"changes": [{"operation": "insert_group", "title": "Group"}]});
    let _ = admin.post(&format!("{merged}/content"), change).await.expect(200);
    let _ = admin.post_empty(&format!("{merged}/merge")).await.expect(200);
    refuses(&admin, &merged, "change-request-merged").await;
    let _ = admin.patch(&path, json!({"editMode": "locked"})).await.expect(200);
    refuses(&admin, &path, "space-locked").await;
}
