//! Limits on large bodies, and on all bodies together.

use actix_web::error::PayloadError;
use actix_web::test::TestRequest;
use actix_web::web::Bytes;
use futures_util::future::{Either, select};
use futures_util::{Stream, StreamExt as _, stream};
use quire_importer::fetch::FetchConfig;
use quire_server::Settings;
use quire_test_support::{Caller, TestApp};
use tokio::sync::oneshot;

type Piece = Result<Bytes, PayloadError>;

/// Maximum number of bytes of a body that are read without a valid token.
const UNVOUCHED: usize = 64 << 10;

fn stranger(caller: &Caller) -> Caller {
    caller.with_token(&format!("qr_{}", "0".repeat(43)))
}

fn patch(space: &str) -> TestRequest {
    let request = TestRequest::patch().uri(&format!("/v1/spaces/{space}"));
    request.insert_header(("Content-Type", "application/json"))
}

fn upload(space: &str) -> TestRequest {
    let request = TestRequest::post().uri(&format!("/v1/spaces/{space}/content/files"));
    request.insert_header(("Content-Type", "multipart/form-data; boundary=b"))
}

/// Returns a JSON body of `length` bytes.
fn padded(length: usize) -> Piece {
    let text = r#"{"title": "Large"}"#;
    Ok(Bytes::from(format!("{text}{}", " ".repeat(length - text.len()))))
}

/// Returns the beginning of a form with a file of `length` bytes.
fn form(length: usize) -> Piece {
    let head = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n";
    Ok(Bytes::from(format!("{head}{}", "a".repeat(length))))
}

/// Returns a body that stalls after one chunk. The receiver resolves when the next chunk is awaited.
fn stalled(piece: Piece) -> (impl Stream<Item = Piece> + 'static, oneshot::Receiver<()>) {
    let (tell, asked) = oneshot::channel();
    let waits = stream::once(async move {
        let _ = tell.send(());
        std::future::pending::<Piece>().await
    });
    (stream::iter([piece]).chain(waits), asked)
}

#[actix_web::test]
async fn an_unknown_token_is_refused_before_a_large_body_is_read() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let stranger = stranger(&admin);
    // A body with a larger declared length is refused before any byte arrives.
    let declared = patch(&space).insert_header(("Content-Length", UNVOUCHED + 1));
    let _ = stranger.send_streamed(declared, stream::pending()).await.expect(401);
    // A chunked body is refused when it exceeds the bound.
    let pieces = stream::iter([padded(UNVOUCHED), Ok(Bytes::from_static(b" "))]).chain(stream::pending());
    let _ = stranger.send_streamed(patch(&space), pieces).await.expect(401);
    let _ = stranger.send_streamed(upload(&space), stream::pending()).await.expect(401);
}

#[actix_web::test]
async fn a_large_body_costs_one_statement_more() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let cost = async |length: usize| {
        let before = app.statements();
        let pieces = stream::iter([padded(length)]);
        let _ = admin.send_streamed(patch(&space), pieces).await.expect(200);
        app.statements() - before
    };
    let _ = cost(100).await;
    let small = cost(UNVOUCHED).await;
    assert_eq!(cost(100).await, small);
    assert_eq!(cost(UNVOUCHED + 1).await, small + 1);
    assert_eq!(cost(1 << 20).await, small + 1);
}

#[actix_web::test]
async fn all_bodies_together_are_bounded() {
    const ALL: usize = 100_000;
    let settings = Settings { rate_limit: 0, max_bodies: ALL, ..Settings::default() };
    let app = TestApp::start_with(settings, FetchConfig::default()).await;
    let (space, admin) = app.space().await;
    for (request, piece) in [(patch(&space), padded(90_000)), (upload(&space), form(90_000))] {
        let (body, waits) = stalled(piece);
        let held = Box::pin(admin.send_streamed(request, body));
        let Either::Right((_, held)) = select(held, waits).await else { panic!("it doesn't wait") };
        let refused = admin.send_streamed(patch(&space), stream::iter([padded(20_000)])).await.expect(503);
        assert_eq!((refused.reason().as_str(), refused.header("retry-after")), ("unavailable", "2"));
        let refused = admin.send_streamed(upload(&space), stream::iter([form(20_000)])).await.expect(503);
        assert_eq!(refused.reason(), "unavailable");
        let _ =
            stranger(&admin).send_streamed(patch(&space), stream::iter([padded(20_000)])).await.expect(401);
        // Cancelling or completing the request releases the memory.
        drop(held);
        for _ in 0..2 {
            let _ = admin.send_streamed(patch(&space), stream::iter([padded(ALL)])).await.expect(200);
        }
    }
}

#[actix_web::test]
async fn strangers_cannot_exhaust_the_memory_for_bodies() {
    let settings = Settings { rate_limit: 0, max_bodies: 100_000, ..Settings::default() };
    let app = TestApp::start_with(settings, FetchConfig::default()).await;
    let (space, admin) = app.space().await;
    let stranger = stranger(&admin);
    let (body, waits) = stalled(padded(20_000));
    let held = Box::pin(stranger.send_streamed(patch(&space), body));
    let Either::Right((_, held)) = select(held, waits).await else { panic!("it doesn't wait") };
    // The share for callers without a valid token is exhausted, so the token is checked.
    let pieces = || stream::iter([padded(20_000)]).chain(stream::pending());
    let _ = stranger.send_streamed(patch(&space), pieces()).await.expect(401);
    let _ = admin.send_streamed(patch(&space), stream::iter([padded(20_000)])).await.expect(200);
    drop(held);
}

#[actix_web::test]
async fn a_large_body_without_a_token_is_too_large_where_none_is_needed() {
    let app = TestApp::start().await;
    let lookup = || {
        let request = TestRequest::post().uri("/v1/urls/published");
        request.insert_header(("Content-Type", "application/json"))
    };
    let declared = lookup().insert_header(("Content-Length", UNVOUCHED + 1));
    assert_eq!(app.anonymous().send(declared).await.expect(413).reason(), "payload-too-large");
    let sent = lookup().set_payload(padded(UNVOUCHED + 1).unwrap());
    assert_eq!(app.anonymous().send(sent).await.expect(413).reason(), "payload-too-large");
    let fits = lookup().set_payload(padded(UNVOUCHED).unwrap());
    app.anonymous().send(fits).await.expect(400);
}
