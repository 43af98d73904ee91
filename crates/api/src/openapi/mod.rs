//! The OpenAPI document, generated from the route table.

mod descriptions;
mod operation;
mod refine;

use quire_domain::described::ContentRef;
use quire_domain::error::ErrorBody;
use utoipa::openapi::path::{HttpMethod, PathItem};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::tag::{Tag, TagBuilder};
use utoipa::openapi::{
    ComponentsBuilder, InfoBuilder, License, OpenApi, OpenApiBuilder, PathsBuilder, Server,
};

use crate::prelude::*;
use crate::route::{self, Content, Shape};
use crate::v1::routes;

/// Returns the document of the whole API, with the schemas as derived from the types.
fn document(base_path: &str) -> OpenApi {
    let routes = routes();
    let mut components = ComponentsBuilder::new()
        .security_scheme("token", SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
    let mut paths = PathsBuilder::new();
    let shared = [Shape::of::<ErrorBody>(), Shape::of::<ContentRef>()];
    for shape in routes.iter().flat_map(shapes).chain(shared) {
        components = components.schema(shape.name, shape.schema).schemas_from_iter(shape.others);
    }
    let descriptions = descriptions::descriptions();
    for route in &routes {
        let description = descriptions.get(route.operation).map(String::as_str);
        let operation = operation::operation(route, description.unwrap_or_default());
        paths = paths.path(route.path, PathItem::new(method(route), operation));
    }
    let mut license = License::new("Apache 2.0");
    license.identifier = Some("Apache-2.0".to_owned());
    OpenApiBuilder::new()
        .info(
            InfoBuilder::new()
                .title("Quire")
                .version(env!("CARGO_PKG_VERSION"))
                .description(Some(
                    "A self-hosted documentation workspace: spaces, change requests, comments, imports and search.",
                ))
                .license(Some(license)),
        )
        .servers(Some([Server::new(if base_path.is_empty() { "/" } else { base_path })]))
        .tags(Some(tags()))
        .paths(paths)
        .components(Some(components.build()))
        .build()
}

/// Returns the served and committed document: stable, indented JSON. The API is below `base_path`, such as `/quire`, on
/// the host that serves the document.
///
/// # Errors
/// An error if the document cannot be serialized.
pub fn document_json(base_path: &str) -> serde_json::Result<String> {
    // The conversion to a JSON value sorts the keys.
    let value = refined(base_path)?;
    Ok(format!("{}\n", serde_json::to_string_pretty(&value)?))
}

fn refined(base_path: &str) -> serde_json::Result<Value> {
    let mut value = serde_json::to_value(document(base_path))?;
    refine::refine(&mut value);
    Ok(value)
}

fn shapes(route: &Route) -> Vec<Shape> {
    let contents = route.bodies.iter().chain(&route.answer);
    contents
        .filter_map(|content| match content {
            Content::Json(shape) | Content::Form(shape) => Some(shape()),
            Content::Media(_) => None,
        })
        .chain(route.async_response.map(|shape| shape()))
        .collect()
}

fn method(route: &Route) -> HttpMethod {
    match route.method.as_str() {
        "POST" => HttpMethod::Post,
        "PUT" => HttpMethod::Put,
        "PATCH" => HttpMethod::Patch,
        "DELETE" => HttpMethod::Delete,
        _ => HttpMethod::Get,
    }
}

/// Returns each group with its description, in the order of the documentation.
fn tags() -> Vec<Tag> {
    let tag =
        |tag: &route::Tag| TagBuilder::new().name(tag.name()).description(Some(tag.description())).build();
    route::Tag::ALL.iter().map(tag).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::{document_json, refined};

    fn references(value: &Value, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(entries) => {
                if let Some(reference) = entries.get("$ref").and_then(Value::as_str) {
                    found.insert(reference.to_owned());
                }
                entries.values().for_each(|entry| references(entry, found));
            }
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            _ => {}
        }
    }

    #[test]
    fn every_reference_resolves() {
        let document = refined("").unwrap();
        let mut found = BTreeSet::new();
        references(&document, &mut found);
        let missing: Vec<_> = found
            .iter()
            .filter(|reference| document.pointer(reference.trim_start_matches('#')).is_none())
            .collect();
        assert!(!found.is_empty() && missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn the_committed_document_is_the_one_that_is_made_from_the_types() {
        let (committed, made) = (include_str!("../../../../docs/openapi.json"), document_json("").unwrap());
        let differs = committed.lines().zip(made.lines()).position(|(old, new)| old != new);
        assert!(committed == made, "run `make openapi`: the documents differ from line {differs:?}");
    }

    #[test]
    fn no_description_refers_to_the_code() {
        let document = document_json("").unwrap();
        let leaks: Vec<_> = document
            .lines()
            .filter(|line| line.contains("\"description\": ") && line.contains("[`"))
            .collect();
        assert!(leaks.is_empty(), "{leaks:#?}");
    }

    /// Returns the paths of the properties below a schema that have no description. Properties with a single value are
    /// tags and need none.
    fn undescribed(path: &str, schema: &Value, found: &mut Vec<String>) {
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let path = format!("{path}.{name}");
            let is_tag = property["enum"].as_array().is_some_and(|values| values.len() == 1);
            let mut refers = BTreeSet::new();
            references(property, &mut refers);
            if !property["description"].is_string() && refers.is_empty() && !is_tag {
                found.push(path.clone());
            }
            undescribed(&path, property, found);
        }
        let inner = ["items", "additionalProperties"].iter().filter_map(|key| schema.get(key));
        let parts = ["allOf", "oneOf", "anyOf"].iter().filter_map(|key| schema[key].as_array()).flatten();
        inner.chain(parts).for_each(|schema| undescribed(path, schema, found));
    }

    #[test]
    fn every_parameter_and_property_is_described() {
        let document = refined("").unwrap();
        let mut found = Vec::new();
        for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
            undescribed(name, schema, &mut found);
        }
        for (path, item) in document["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                let parameters = operation["parameters"].as_array().into_iter().flatten();
                let bare = parameters.filter(|parameter| !parameter["description"].is_string());
                found.extend(bare.map(|parameter| format!("{method} {path}: {}", parameter["name"])));
            }
        }
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn every_operation_is_named_once_and_says_what_it_is() {
        let routes = crate::v1::routes();
        let names: BTreeSet<_> = routes.iter().map(|route| route.operation).collect();
        assert_eq!(names.len(), routes.len());
        assert!(routes.iter().all(|route| !route.summary.is_empty() && route.path.starts_with('/')));
    }

    #[test]
    fn every_operation_has_a_described_tag_a_refusal_and_a_word_on_tokens() {
        let document = refined("").unwrap();
        let tags = document["tags"].as_array().unwrap();
        let described =
            |tag: &Value| tags.iter().any(|known| known["name"] == *tag && known["description"].is_string());
        for (path, item) in document["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                assert!(described(&operation["tags"][0]), "{method} {path}: {}", operation["tags"]);
                assert!(operation["security"].is_array(), "{method} {path}");
                let statuses = operation["responses"].as_object().unwrap().keys();
                assert!(
                    statuses.clone().any(|status| status.starts_with('4')),
                    "{method} {path}: {statuses:?}"
                );
            }
        }
        let used: BTreeSet<_> = crate::v1::routes().iter().map(|route| route.tag.name()).collect();
        assert_eq!(used.len(), tags.len(), "a tag that no operation has");
    }
}
