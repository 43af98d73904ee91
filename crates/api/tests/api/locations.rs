//! Every URL in a response leads to the resource that it belongs to.

use std::collections::BTreeMap;

use actix_web::http::Method;
use quire_api::route::Content;
use quire_test_support::TestApp;
use serde_json::Value;

use crate::routes::{crowd, fill};

const BASE: &str = "http://127.0.0.1:8080";

/// Collects every URL of an object in a response, with the object.
fn locations<'a>(answer: &'a Value, found: &mut BTreeMap<String, &'a Value>) {
    if let Some(location) = answer.pointer("/urls/location").and_then(Value::as_str) {
        found.insert(location.to_owned(), answer);
    }
    match answer {
        Value::Array(items) => items.iter().for_each(|item| locations(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| locations(field, found)),
        _ => {}
    }
}

#[actix_web::test]
async fn every_location_leads_the_same_caller_to_the_same_object() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let mut fixture = fill(&app, app.organization, space, &admin).await;
    crowd(&app, &mut fixture, &admin).await;
    let mut wrong = Vec::new();
    let mut kinds = BTreeMap::new();
    for route in quire_api::routes().into_iter().filter(|route| route.method == Method::GET) {
        // Routes that ask other servers are skipped, and so are lookups of published content: this space is not
        // published.
        if route.calls_other_server {
            continue;
        }
        if !matches!(route.answer, Some(Content::Json(_))) || route.path == "/v1/urls/published" {
            continue;
        }
        let answer = admin.send(fixture.request(&route, &fixture.path(&route))).await.expect(200);
        let mut found = BTreeMap::new();
        locations(&answer.json, &mut found);
        for (location, object) in found {
            let path =
                location.strip_prefix(BASE).unwrap_or_else(|| panic!("{location} is not below {BASE}"));
            let there = admin.get(path).await;
            let same = |key: &str| there.json.get(key) == object.get(key);
            if there.status != 200 || !same("id") || !same("object") {
                wrong.push(format!("{}: {location} answers {}", route.operation, there.status));
            }
            *kinds.entry(object["object"].to_string()).or_insert(0) += 1;
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(kinds.len() > 15, "the walk met {kinds:?} only");
}
