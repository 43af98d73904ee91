//! `docs/endpoints.md`: every operation of the OpenAPI document, grouped by tag.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use serde_json::{Map, Value};

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

#[test]
fn the_list_of_endpoints_is_that_of_the_openapi_document() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let openapi = fs::read(docs.join("openapi.json")).unwrap();
    let (path, list) = (docs.join("endpoints.md"), list(&serde_json::from_slice(&openapi).unwrap()));
    if env::var_os("UPDATE_ENDPOINTS_DOCUMENT").is_some() {
        fs::write(&path, &list).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        written, list,
        "docs/endpoints.md differs from docs/openapi.json: set UPDATE_ENDPOINTS_DOCUMENT=1"
    );
}

fn list(openapi: &Value) -> String {
    let mut text = String::from(
        "# Endpoints\n\nMade from [`openapi.json`](openapi.json), which describes each operation. [Permissions](authorization.md) \
         explains roles\nand tokens, the [API guide](api.md) the conventions.\n",
    );
    for tag in openapi["tags"].as_array().unwrap() {
        write!(text, "\n## {}\n\n| Route | Operation | Requires |\n|---|---|---|\n", string(&tag["name"]))
            .unwrap();
        for (path, operations) in openapi["paths"].as_object().unwrap() {
            rows(&mut text, &tag["name"], path, operations.as_object().unwrap());
        }
    }
    text
}

fn rows(text: &mut String, tag: &Value, path: &str, operations: &Map<String, Value>) {
    for method in METHODS {
        let Some(operation) = operations.get(method).filter(|operation| operation["tags"][0] == *tag) else {
            continue;
        };
        let summary = string(&operation["summary"]);
        let requires = requirement(string(&operation["description"]));
        writeln!(text, "| `{} {path}` | {summary} | {requires} |", method.to_uppercase()).unwrap();
    }
}

/// Returns the requirement in the last paragraph of a description, which is generated from the route table.
fn requirement(description: &str) -> String {
    let access = description.rsplit("\n\n").next().unwrap();
    let Some(access) = access.strip_prefix("Requires ") else {
        assert!(access.starts_with("The keys of the body decide"), "{access}");
        return "depends on the keys of the body".to_owned();
    };
    match access.split_once(". ") {
        Some((role, visitors)) => {
            assert!(visitors.starts_with("Site tokens"), "{visitors}");
            format!("{role}, or a site token")
        }
        None => access.trim_end_matches('.').to_owned(),
    }
}

fn string(value: &Value) -> &str {
    value.as_str().unwrap()
}
