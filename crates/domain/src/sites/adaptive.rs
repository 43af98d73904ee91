//! The schema of the claims that conditions may ask for.

use std::sync::LazyLock;

use jsonschema::Validator;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use validator::Validate;

use crate::bounds::ADAPTIVE_SCHEMA_MAX;
use crate::clock::Timestamp;
use crate::error::FieldError;
use crate::object::AdaptiveSchemaTag;

/// The most problems that one answer names.
const MAX_PROBLEMS: usize = 20;

/// What an adaptive schema may be, as a JSON schema of draft-07 itself.
static CLOSED_SHAPE: LazyLock<Option<Validator>> = LazyLock::new(|| {
    let shape = serde_json::from_str(include_str!("adaptive.schema.json")).ok()?;
    jsonschema::draft7::new(&shape).ok()
});

/// The schema of a site's claims.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdaptiveSchema {
    /// Always `site-adaptive-schema`.
    pub object: AdaptiveSchemaTag,
    /// A JSON schema of draft-07.
    #[schema(value_type = Object)]
    pub json_schema: Value,
    /// When it was last stored.
    pub updated_at: Timestamp,
}

/// The body that stores the schema of a site's claims.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdaptiveSchemaUpdate {
    /// A JSON schema of draft-07: an object of described claims, closed at every level.
    #[schema(value_type = Object)]
    pub json_schema: serde_json::Map<String, Value>,
}

/// What is wrong with an adaptive schema, by place: that it is none of draft-07, or leaves the closed shape.
#[must_use]
pub fn problems(schema: &Value) -> Vec<FieldError> {
    let at = |path: &str, message: String| FieldError { field: field_at(path), message };
    if schema.to_string().len() > ADAPTIVE_SCHEMA_MAX {
        return vec![at("", format!("must have at most {ADAPTIVE_SCHEMA_MAX} bytes"))];
    }
    if let Err(error) = jsonschema::draft7::meta::validate(schema) {
        return vec![at(error.instance_path().as_str(), error.to_string())];
    }
    let Some(shape) = CLOSED_SHAPE.as_ref() else { return Vec::new() };
    shape
        .iter_errors(schema)
        .take(MAX_PROBLEMS)
        .map(|error| at(error.instance_path().as_str(), error.masked().to_string()))
        .collect()
}

/// A JSON pointer below the key of the body, as fields are named elsewhere.
fn field_at(pointer: &str) -> String {
    let mut field = "jsonSchema".to_owned();
    for token in pointer.split('/').skip(1) {
        match token.parse::<usize>() {
            Ok(index) => field.push_str(&format!("[{index}]")),
            Err(_) => {
                field.push('.');
                field.push_str(&token.replace("~1", "/").replace("~0", "~"));
            }
        }
    }
    field
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn schema(properties: Value) -> Value {
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": properties, "additionalProperties": false})
    }

    fn fields(schema: &Value) -> Vec<String> {
        problems(schema).into_iter().map(|problem| problem.field).collect()
    }

    #[test]
    fn the_closed_shape_is_a_schema() {
        assert!(CLOSED_SHAPE.is_some());
    }

    #[test]
    fn every_kind_of_claim_passes() {
        let good = schema(json!({
            "beta": {"type": "boolean", "description": "Takes part"},
            "plan": {"type": "string", "description": "The plan", "enum": ["free", "pro"]},
            "age": {"type": "number", "description": "Years"},
            "roles": {"type": "array", "description": "Roles", "items": {"type": "string", "description": "A role"}},
            "org": {"type": "object", "description": "The organization", "properties": {
                "size": {"type": "number", "description": "How many"}}, "additionalProperties": false},
            "unsigned": {"type": "object", "description": "Unsigned claims of the site visitor.", "properties": {
                "lang": {"type": "string", "description": "Language"}}, "additionalProperties": false},
        }));
        assert_eq!(problems(&good), []);
        assert_eq!(
            problems(
                &json!({"$id": "https://example.com/a", "type": "object", "properties": {}, "additionalProperties": false})
            ),
            []
        );
    }

    #[test]
    fn what_leaves_the_shape_is_named_by_its_place() {
        assert!(
            fields(&schema(json!({"a": {"type": "string"}})))
                .iter()
                .all(|field| field.starts_with("jsonSchema.properties.a"))
        );
        for bad in [
            json!({}),
            json!({"type": "object", "properties": {}}),
            json!({"type": "object", "properties": {}, "additionalProperties": true}),
            json!({"type": "array", "properties": {}, "additionalProperties": false}),
            json!({"type": "object", "properties": {}, "additionalProperties": false, "required": []}),
            json!({"type": "object", "properties": {"a": {"type": "nothing", "description": "A"}}, "additionalProperties": false}),
            schema(json!({"a": {"type": "object", "description": "A", "properties": {}}})),
            schema(
                json!({"a": {"type": "array", "description": "A", "items": {"type": "array", "description": "B", "items": {"type": "string", "description": "C"}}}}),
            ),
            schema(json!({"unsigned": {"type": "string", "description": "A"}})),
            schema(json!({"a": {"type": "string", "description": "A", "enum": []}})),
            schema(json!({"a": {"type": "string", "description": "A", "pattern": "("}})),
        ] {
            assert!(!problems(&bad).is_empty(), "{bad}");
        }
    }
}
