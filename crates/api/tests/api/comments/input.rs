//! Invalid input: the error names its field, and nothing is stored.

use actix_web::test::TestRequest;
use serde_json::{Value, json};

use super::fixture::{Fixture, markdown};

fn document(nodes: Value) -> Value {
    json!({"body": {"document": {"object": "document", "data": {}, "nodes": nodes}}})
}

/// Returns bodies that comments and replies refuse, each with the field that the error names.
fn wrong_bodies() -> Vec<(Value, &'static str)> {
    vec![
        (json!({"body": {}}), "body"),
        (json!({"body": null}), "body"),
        (json!({"body": "text"}), "body"),
        (json!({"body": {"markdown": ""}}), "body"),
        (json!({"body": {"markdown": 7}}), "body"),
        (json!({"body": {"markdown": "a".repeat(50_001)}}), "body"),
        (json!({"body": {"markdown": "a\0"}}), "body.markdown"),
        (json!({"body": {"markdown": "a", "document": {}}}), "body"),
        (json!({"body": {"markdwon": "a"}}), "body"),
        (json!({"body": {"document": []}}), "body"),
        (json!({"body": {"document": {"object": "page", "nodes": [{}]}}}), "body"),
        (document(json!([])), "body"),
        (document(json!([{"object": "block", "type": "nothing"}])), "body.document.nodes[0].type"),
        (document(json!([{"object": "text"}])), "body.document.nodes[0].object"),
        (
            document(json!([{"object": "block", "type": "divider", "data": {}}])),
            "body.document.nodes[0].isVoid",
        ),
    ]
}

#[actix_web::test]
async fn wrong_bodies_are_refused_by_field() {
    let fixture = Fixture::new().await;
    let admin = &fixture.admin;
    for resource in &fixture.resources {
        let comment =
            format!("{resource}/{}", admin.post(resource, markdown("?")).await.expect(201).text("/id"));
        let replies = format!("{comment}/replies");
        let reply =
            format!("{replies}/{}", admin.post(&replies, markdown("!")).await.expect(201).text("/id"));
        let before = (admin.get(&comment).await.json, admin.get(&reply).await.json);
        for (body, field) in wrong_bodies() {
            for answer in [
                admin.post(resource, body.clone()).await,
                admin.post(&replies, body.clone()).await,
                admin.put(&comment, body.clone()).await,
                admin.put(&reply, body.clone()).await,
            ] {
                let refused = answer.expect(400);
                assert_eq!(refused.reason(), "invalid-body", "{body}");
                assert!(
                    refused
                        .fields()
                        .iter()
                        .any(|named| named == field || named.starts_with(&format!("{field}."))),
                    "{body}: {:?}",
                    refused.fields()
                );
            }
        }
        for (body, field) in [
            (json!({"resolved": "yes"}), "resolved"),
            (json!({"resolved": null}), "resolved"),
            (json!({"addedReactions": "🚀"}), "addedReactions"),
            (json!({"addedReactions": [""]}), "addedReactions"),
            (json!({"addedReactions": ["a b"]}), "addedReactions"),
            (json!({"addedReactions": ["hello"]}), "addedReactions"),
            (json!({"addedReactions": ["a".repeat(51)]}), "addedReactions"),
            (json!({"addedReactions": [7]}), "addedReactions[0]"),
            (json!({"removedReactions": vec!["🚀"; 51]}), "removedReactions"),
            (json!({"removedReactions": ["\0"]}), "removedReactions[0]"),
        ] {
            for path in [&comment, &reply] {
                let refused = admin.put(path, body.clone()).await.expect(400);
                assert_eq!(refused.fields(), [field], "{body}");
            }
        }
        for (body, field) in [
            (json!({}), "body"),
            (json!({"body": {"markdown": "a"}, "page": "nonsense"}), "page"),
            (json!({"body": {"markdown": "a"}, "page": null}), "page"),
            (json!({"body": {"markdown": "a"}, "node": ""}), "node"),
            (json!({"body": {"markdown": "a"}, "node": "a".repeat(101)}), "node"),
            (json!({"body": {"markdown": "a"}, "node": 7}), "node"),
            (json!({"body": {"markdown": "a"}, "quote": {"text": "a"}}), "quote"),
            (json!({"body": {"markdown": "a"}, "node": "0", "quote": {"text": ""}}), "quote.text"),
            (
                json!({"body": {"markdown": "a"}, "node": "0", "quote": {"text": "a".repeat(1_001)}}),
                "quote.text",
            ),
            (
                json!({"body": {"markdown": "a"}, "node": "0", "quote": {"text": "a", "offset": -1}}),
                "quote.offset",
            ),
            (json!({"body": {"markdown": "a"}, "node": "0", "quote": {"offset": 1}}), "text"),
            (json!({"body": {"markdown": "a"}, "node": "0", "quote": null}), "quote"),
        ] {
            let refused = admin.post(resource, body.clone()).await.expect(400);
            let named =
                refused.text("/error/message") + &refused.fields().join(" ") + &refused.json.to_string();
            assert!(named.contains(field), "{body}: {named}");
        }
        assert_eq!((admin.get(&comment).await.json, admin.get(&reply).await.json), before);
        assert_eq!(admin.get(resource).await.expect(200).at("/count"), &json!(1));
        assert_eq!(admin.get(&replies).await.expect(200).at("/count"), &json!(1));
    }
    assert_eq!(fixture.open().await, (1, 1));
}

#[actix_web::test]
async fn wrong_queries_are_refused_by_parameter() {
    let fixture = Fixture::new().await;
    let admin = &fixture.admin;
    for resource in &fixture.resources {
        let comment =
            format!("{resource}/{}", admin.post(resource, markdown("?")).await.expect(201).text("/id"));
        for (query, field) in [
            ("limit=0", "limit"),
            ("limit=1001", "limit"),
            ("limit=many", "limit"),
            ("order=up", "order"),
            ("status=closed", "status"),
            ("format=html", "format"),
            ("page=nonsense", "page"),
        ] {
            let refused = admin.get(&format!("{resource}?{query}")).await.expect(400);
            assert!(refused.fields().iter().any(|named| named.starts_with(field)), "{:?}", refused.json);
        }
        for path in [comment.clone(), format!("{comment}/replies")] {
            assert_eq!(admin.get(&format!("{path}?format=")).await.expect(400).fields(), ["format"]);
        }
        let _ = admin.get(&format!("{comment}/replies?limit=0")).await.expect(400);
        let nothing = "0190a5d2-7c1e-7000-8000-000000000001";
        for query in [
            format!("targetPage={nothing}"),
            format!("authors={nothing}"),
            "targetPage=nonsense".to_owned(),
            "authors=nonsense&authors=x".to_owned(),
            "status=resolved".to_owned(),
        ] {
            let list = admin.get(&format!("{resource}?{query}&unknown=1")).await.expect(200);
            assert_eq!((list.at("/count"), list.at("/items")), (&json!(0), &json!([])));
        }
        let _ = admin.get(&format!("{resource}?status=%00")).await.expect(400);
    }
}

#[actix_web::test]
async fn hostile_markdown_is_kept_as_it_is() {
    let fixture = Fixture::new().await;
    for text in [
        " ".to_owned(),
        ">".repeat(5_000),
        "[".repeat(5_000),
        "{% hint %}".repeat(500),
        "\u{feff}\u{200b}é\u{301}🚀\r\n\\".to_owned(),
        "<script>alert(1)</script>".to_owned(),
        "- ".repeat(2_000),
    ] {
        let posted = fixture.admin.post(fixture.of_space(), markdown(&text)).await.expect(201);
        assert_eq!(posted.text("/body/markdown"), text);
        let path = format!("{}/{}?format=document", fixture.of_space(), posted.text("/id"));
        let document = fixture.admin.get(&path).await.expect(200);
        assert_eq!(document.at("/body/document/object"), &json!("document"));
    }
}

#[actix_web::test]
async fn bodies_must_be_json() {
    let fixture = Fixture::new().await;
    let request = || TestRequest::post().uri(fixture.of_space());
    let plain = request().insert_header(("Content-Type", "text/plain")).set_payload("hello");
    let _ = fixture.admin.send(plain).await.expect(415);
    let json = ("Content-Type", "application/json");
    let broken =
        fixture.admin.send(request().insert_header(json).set_payload("{\"body\":")).await.expect(400);
    assert_eq!(broken.reason(), "invalid-json");
    let _ = fixture.admin.send(request()).await.expect(400);
    let large = request().insert_header(json).set_payload(vec![b' '; 5 << 20]);
    let _ = fixture.admin.send(large).await.expect(413);
}
