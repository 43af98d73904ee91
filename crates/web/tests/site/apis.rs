//! API descriptions on the pages of a site.

use serde_json::json;

use super::{Stage, body, page};

const PETS: &str = "\
openapi: 3.1.0
info: {title: Pets}
servers: [{url: 'https://pets.example.com/v1'}]
paths:
  /pets/{id}:
    get:
      summary: Find a pet
      parameters: [{name: id, in: path, required: true, description: Number of the pet., schema: {type: integer}}]
      responses:
        '200':
          description: The pet.
          content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}
components:
  schemas:
    Pet: {type: object, properties: {name: {type: string, description: The name of the pet.}}}
";

#[actix_web::test]
async fn operations_are_shown_by_blocks_and_on_pages_of_their_own() {
    let stage = Stage::set().await;
    let specs = format!("/v1/orgs/{}/openapi", stage.app.organization);
    stage.admin.post(&specs, json!({"slug": "pets", "source": {"text": PETS}})).await.expect(201);
    stage.app.run_jobs().await;
    let block = "{% openapi-operation spec=\"pets\" path=\"/pets/{id}\" method=\"get\" %}\n[pets](pets)\n{% endopenapi-operation %}";
    let source = json!({"type": "builtin:openapi", "dependencies": {"spec": {"ref": {"kind": "openapi", "spec": "pets"}}},
        "props": {"models": true}});
    stage
        .write(&stage.guide, json!([page("Pets by hand", block), {"operation": "insert_computed", "source": source, "seed": "s"}]))
        .await;
    let shown = body(&stage.get("/pets-by-hand").await.expect(200));
    for part in [
        "class=\"api\"",
        "/pets/",
        "Number of the pet.",
        "The name of the pet.",
        "https://pets.example.com/v1",
    ] {
        assert!(shown.contains(part), "{part} of {shown}");
    }
    let computed = body(&stage.get("/default").await.expect(200));
    for part in ["class=\"api\"", "Find a pet", "Number of the pet.", "https://pets.example.com/v1"] {
        assert!(computed.contains(part), "{part} of {computed}");
    }
    let models = body(&stage.get("/models").await.expect(200));
    assert!(models.contains("The name of the pet."), "{models}");
    // Earlier versions had a page for each operation.
    let moved = stage.get("/default/find-a-pet").await.expect(307);
    assert_eq!(moved.header("location"), format!("{}/default", stage.root));
    stage.get("/default/find-a-dog").await.expect(404);
    // AI assistants and the search of the site find the content of specifications.
    stage.app.state.storage.keep_search_index();
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let found = loop {
        let found =
            stage.call("searchDocumentation", json!({"query": "number of the pet"})).await.to_string();
        if found.contains("/default") {
            break found;
        }
        assert!(std::time::Instant::now() < deadline, "{found}");
    };
    assert!(found.contains("[Default]"), "{found}");
    let read = stage.call("getPage", json!({"url": "/default"})).await.to_string();
    assert!(read.contains("Number of the pet."), "{read}");
    for path in ["/default.md", "/models.md"] {
        let markdown = body(&stage.get(path).await.expect(200));
        let words = if path == "/models.md" { "The name of the pet." } else { "Number of the pet." };
        assert!(markdown.contains(words) && !markdown.contains("{% openapi"), "{markdown}");
    }
}

#[actix_web::test]
async fn an_operation_with_a_page_has_its_title_once() {
    let stage = Stage::set().await;
    let specs = format!("/v1/orgs/{}/openapi", stage.app.organization);
    stage.admin.post(&specs, json!({"slug": "pets", "source": {"text": PETS}})).await.expect(201);
    stage.app.run_jobs().await;
    let source = json!({"type": "builtin:openapi", "dependencies": {"spec": {"ref": {"kind": "openapi", "spec": "pets"}}},
        "props": {"models": false, "grouping": "by-operation"}});
    stage.write(&stage.guide, json!([{"operation": "insert_computed", "source": source, "seed": "s"}])).await;
    let computed = body(&stage.get("/default/find-a-pet").await.expect(200));
    for part in ["class=\"api\"", "Number of the pet.", "https://pets.example.com/v1"] {
        assert!(computed.contains(part), "{part} of {computed}");
    }
    assert_eq!(computed.matches("Find a pet</h").count(), 1, "the title is that of the page");
    let markdown = body(&stage.get("/default/find-a-pet.md").await.expect(200));
    assert!(markdown.contains("Number of the pet.") && !markdown.contains("{% openapi"), "{markdown}");
}
