//! Query parameters of reads, on every route that has them.

use quire_api::route::Route;
use quire_revision::GitBlob;
use quire_storage::content::store::ContentSelector;
use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};

use crate::routes::{Fixture, fill};

/// Returns the routes with this query parameter.
fn with(parameter: &str) -> impl Iterator<Item = Route> {
    let has = move |route: &Route| route.parameters().iter().any(|known| known.name == parameter);
    quire_api::routes().into_iter().filter(has).filter(|route| route.method == actix_web::http::Method::GET)
}

/// Creates content with Git locations and with a placeholder for pages of a specification, in a space and in its change
/// request.
async fn content(app: &TestApp) -> (Fixture, Caller) {
    let (space, admin) = app.space().await;
    let mut fixture = fill(app, app.organization, space, &admin).await;
    let [page, file, reusable] = ["pageId", "fileId", "reusableContentId"].map(|name| fixture.named(name));
    let path = format!("/v1/spaces/{}", fixture.space);
    let spec = json!({"ref": {"kind": "openapi", "spec": fixture.named("specSlug")}});
    let source =
        json!({"type": "builtin:openapi", "dependencies": {"spec": spec}, "props": {"models": true}});
    let placed = json!({"operation": "insert_computed", "title": "API", "source": source, "seed": "s"});
    let _ = admin.post(&format!("{path}/content"), json!({"changes": [placed]})).await.expect(200);
    let blob = || Some(GitBlob { oid: "0a".to_owned(), path: "README.md".to_owned() });
    let (revision, ()) =
        app.edit(&admin, fixture.space.parse().unwrap(), ContentSelector::Space, |content| {
            content.change_page(page.parse().unwrap(), |page| page.git = blob().map(Box::new));
            let mut node = content.tree.file(file.parse().unwrap()).unwrap().clone();
            node.git = blob();
            content.tree.update_file(node).unwrap();
            let mut note = content.tree.reusable_content(reusable.parse().unwrap()).unwrap().clone();
            note.git = blob();
            content.tree.update_reusable_content(note).unwrap();
        });
    let update = format!("{path}/change-requests/{}/update", fixture.named("changeRequestId"));
    let _ = admin.post_empty(&update).await.expect(200);
    fixture.set("revisionId", &revision.to_string());
    (fixture, admin)
}

fn has_key(answer: &Value, key: &str) -> bool {
    match answer {
        Value::Array(items) => items.iter().any(|item| has_key(item, key)),
        Value::Object(fields) => fields.contains_key(key) || fields.values().any(|field| has_key(field, key)),
        _ => false,
    }
}

#[actix_web::test]
async fn metadata_and_computed_do_what_they_say_wherever_they_are_taken() {
    let app = TestApp::start().await;
    let (fixture, admin) = content(&app).await;
    let mut without = Vec::new();
    for route in with("metadata") {
        let path = fixture.path(&route);
        let read = async |query: &str| admin.get(&format!("{path}?{query}")).await.expect(200).json;
        if !has_key(&read("").await, "git") {
            without.push(route.operation);
            continue;
        }
        assert!(has_key(&read("metadata=true").await, "git"), "{}", route.operation);
        assert!(!has_key(&read("metadata=false").await, "git"), "{}", route.operation);
    }
    assert_eq!(
        without,
        ["getRevisionSemanticChanges", "getChangeRequestChanges", "compareRevisions"],
        "changes tell of no records in Git"
    );
    let mut trees = 0;
    for route in with("computed") {
        let path = fixture.path(&route);
        let read = async |query: &str| admin.get(&format!("{path}?{query}")).await.expect(200).json;
        let (expanded, plain) = (read("").await, read("computed=false").await);
        assert_eq!(expanded, read("computed=true").await, "{}", route.operation);
        // In the tree, the pages of the specification replace the placeholder.
        if plain.get("pages").is_some_and(|pages| {
            pages.as_array().is_some_and(|pages| pages.iter().any(|page| page["type"] == "computed"))
        }) {
            trees += 1;
            assert!(
                has_key(&expanded, "computedSeed") && !has_key(&plain, "computedSeed"),
                "{}",
                route.operation
            );
        }
    }
    assert_eq!(trees, 6, "whole revisions and their pages: of a space, a change request and by id");
}

#[actix_web::test]
async fn bodies_come_in_the_format_that_is_asked_for() {
    let app = TestApp::start().await;
    let (fixture, admin) = content(&app).await;
    let mut bodies = 0;
    // Exports and differences have their own formats.
    let has_own = |route: &Route| {
        let of_difference = ["/diff/", "/compare/"].iter().any(|part| route.path.contains(part));
        of_difference || route.operation.starts_with("export")
    };
    for route in with("format").filter(|route| !has_own(route)) {
        let path = fixture.path(&route);
        if route.operation == "getChangeRequestById" {
            let description = serde_json::json!({"description": {"markdown": "Why."}});
            let _ = admin.patch(&path, description).await.expect(200);
        }
        let document = admin.get(&format!("{path}?format=document")).await.expect(200).json;
        let markdown = admin.get(&format!("{path}?format=markdown")).await.expect(200).json;
        assert!(has_key(&document, "nodes") && !has_key(&document, "markdown"), "{}", route.operation);
        assert!(has_key(&markdown, "markdown") && !has_key(&markdown, "nodes"), "{}", route.operation);
        let is_page = path.contains("/page/") || path.contains("/path/");
        let default = if is_page { &document } else { &markdown };
        assert_eq!(&admin.get(&path).await.expect(200).json, default, "{}", route.operation);
        bodies += 1;
    }
    assert!(bodies >= 16, "only {bodies} routes take a format");
}
