//! Invalid JSON bodies.

use actix_web::test::TestRequest;
use quire_api::route::{Content, Route};
use quire_domain::error::Reason;
use serde_json::{Value, json};

use super::{Expected, Stage};

fn with_json_bodies() -> impl Iterator<Item = Route> {
    Stage::routes().filter(|route| route.bodies.iter().any(|body| matches!(body, Content::Json(_))))
}

fn request(stage: &Stage, route: &Route, body: impl Into<Vec<u8>>) -> TestRequest {
    TestRequest::with_uri(&stage.own.path(route))
        .insert_header(("Content-Type", "application/json"))
        .set_payload(body.into())
}

#[actix_web::test]
async fn what_is_no_json_is_refused_with_line_and_column() {
    let mut stage = Stage::set().await;
    for route in with_json_bodies() {
        let before = stage.stored();
        let broken: [&[u8]; 12] = [
            b"{",
            b"{\n\"a\": ",
            b"{}}",
            b"nul",
            b"  ",
            b"{\"a\": \"\\ud800\"}",
            b"{\"a\": \"\\udc00\\ud800\"}",
            b"{\"a\": \"\xff\xfe\"}",
            b"{\"a\": 1e999}",
            b"{\"a\": \"\0\"}",
            b"\xef\xbb\xbf{}",
            "🤷 {}".as_bytes(),
        ];
        for body in broken {
            let what = String::from_utf8_lossy(body).into_owned();
            let answer = stage.admin.send(request(&stage, &route, body).method(route.method.clone())).await;
            assert_eq!(answer.reason(), "invalid-json", "{}: {what}", route.operation);
            let message = answer.text("/error/message");
            assert!(message.contains(" line ") && message.contains(" column "), "{what}: {message}");
        }
        let deep = "[".repeat(1_000);
        stage
            .send(
                "1000 brackets",
                &route,
                request(&stage, &route, deep),
                Expected::Reason(Reason::InvalidJson),
            )
            .await;
        stage.nothing_stored_since(&before, &route);
    }
    stage.report();
}

#[actix_web::test]
async fn bodies_that_are_no_object_are_refused() {
    let mut stage = Stage::set().await;
    for route in with_json_bodies() {
        let before = stage.stored();
        for body in ["[]", "[{}]", "\"text\"", "7", "null", "true"] {
            let request = request(&stage, &route, body);
            stage.send(body, &route, request, Expected::Reason(Reason::InvalidBody)).await;
        }
        let schema = stage.document.body(&route).unwrap().clone();
        let is_needed = stage.document.sample(&schema) != json!({});
        if is_needed {
            let empty = request(&stage, &route, "");
            stage.send("an empty body", &route, empty, Expected::Reason(Reason::InvalidBody)).await;
            let absent = TestRequest::with_uri(&stage.own.path(&route));
            stage.send("no body", &route, absent, Expected::Status(400)).await;
        }
        stage.nothing_stored_since(&before, &route);
    }
    stage.report();
}

#[actix_web::test]
async fn other_media_types_and_large_bodies_are_refused() {
    let mut stage = Stage::set().await;
    for route in with_json_bodies() {
        let before = stage.stored();
        let good = stage.own.body(&route).to_string();
        for media in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "🤷", ""] {
            let request = TestRequest::with_uri(&stage.own.path(&route))
                .insert_header(("Content-Type", media))
                .set_payload(good.clone());
            stage.send(media, &route, request, Expected::Status(415)).await;
        }
        let untyped = TestRequest::with_uri(&stage.own.path(&route)).set_payload(good);
        stage.send("no media type", &route, untyped, Expected::Status(415)).await;
        let large = json!({"title": "a".repeat(5 << 20)}).to_string();
        let declared = request(&stage, &route, large.clone()).insert_header(("Content-Length", large.len()));
        stage.send("5 MiB", &route, declared, Expected::Status(413)).await;
        let streamed = request(&stage, &route, large);
        stage.send("5 MiB in chunks", &route, streamed, Expected::Status(413)).await;
        stage.nothing_stored_since(&before, &route);
    }
    stage.report();
}

#[actix_web::test]
async fn each_key_with_a_wrong_value_is_named() {
    let mut stage = Stage::set().await;
    for route in with_json_bodies() {
        let before = stage.stored();
        let schema = stage.document.body(&route).unwrap().clone();
        for wrong in stage.document.wrong(&schema) {
            let what: String = wrong.body.to_string().chars().take(200).collect();
            let request = request(&stage, &route, wrong.body.to_string());
            stage.send(&what, &route, request, Expected::Field(&wrong.field)).await;
        }
        stage.nothing_stored_since(&before, &route);
    }
    stage.report();
}

#[actix_web::test]
async fn nul_characters_and_deep_nesting_are_refused_anywhere() {
    let mut stage = Stage::set().await;
    let deep = (0..125)
        .fold(json!(1), |inner, level| if level % 2 == 0 { json!([inner]) } else { json!({"a": inner}) });
    for route in with_json_bodies() {
        let before = stage.stored();
        let schema = stage.document.body(&route).unwrap().clone();
        let mut keys: Vec<String> = stage
            .document
            .alternatives(&schema)
            .iter()
            .filter_map(|schema| schema.get("properties")?.as_object())
            .flat_map(|properties| properties.keys().cloned())
            .collect();
        keys.push("newer".to_owned());
        for key in &keys {
            let with = |value: Value| {
                let mut body = stage.own.body(&route);
                body[key] = value;
                request(&stage, &route, body.to_string())
            };
            let nul = with(json!("a\u{0}"));
            let deeper = with(deep.clone());
            stage.send(&format!("NUL in {key}"), &route, nul, Expected::Field(key)).await;
            stage
                .send(&format!("125 levels in {key}"), &route, deeper, Expected::Reason(Reason::InvalidBody))
                .await;
        }
        let mut named = stage.own.body(&route);
        named["a\u{0}b"] = json!(1);
        let request = request(&stage, &route, named.to_string());
        stage.send("NUL in a key", &route, request, Expected::Field("a\u{fffd}b")).await;
        stage.nothing_stored_since(&before, &route);
    }
    stage.report();
}
