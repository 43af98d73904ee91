//! The schema of the claims that conditions may ask for.

use std::sync::LazyLock;

use jsonschema::Validator;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use validator::Validate;

use crate::bounds::ADAPTIVE_SCHEMA_MAX;
use crate::clock::Timestamp;
use crate::described::AdaptiveJsonSchema;
use crate::error::FieldError;
use crate::object::AdaptiveSchemaTag;

/// The most problems that one answer names.
const MAX_PROBLEMS: usize = 20;

/// Where the claims stand that nobody vouches for.
const UNSIGNED: &str = "unsigned";

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
    #[schema(value_type = AdaptiveJsonSchema)]
    pub json_schema: Value,
    /// When it was last stored.
    pub updated_at: Timestamp,
}

/// The body that stores the schema of a site's claims.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdaptiveSchemaUpdate {
    /// A JSON schema of draft-07: an object of described claims, closed at every level.
    #[schema(value_type = AdaptiveJsonSchema)]
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

/// What conditions know of a visitor: the claims that a token `signed` at the top, and those that the visitor makes itself as `unsigned`.
///
/// Without a schema all of them count. With one, a claim that it doesn't describe is left out, as is one that is null.
///
/// # Errors
/// The claims that the schema describes as something else, each named by the query parameter that it came in.
pub fn visitor_claims(
    schema: Option<&Value>,
    signed: Map<String, Value>,
    unsigned: Map<String, Value>,
) -> Result<Value, Vec<FieldError>> {
    let mut claims = signed;
    // Nobody signs what is called unsigned.
    claims.remove(UNSIGNED);
    let mut wrong = Vec::new();
    let mut unsigned = Some(unsigned);
    if let Some(schema) = schema {
        let described = schema.get("properties").and_then(|properties| properties.get(UNSIGNED));
        unsigned = described.and_then(|described| described_only(described, unsigned?, "claims", &mut wrong));
        claims = described_only(schema, claims, "jwtToken", &mut wrong).unwrap_or_default();
    }
    if let Some(unsigned) = unsigned.filter(|unsigned| !unsigned.is_empty()) {
        claims.insert(UNSIGNED.to_owned(), Value::Object(unsigned));
    }
    if wrong.is_empty() { Ok(Value::Object(claims)) } else { Err(wrong) }
}

/// Those of an object's claims that its schema describes.
fn described_only(
    schema: &Value,
    claims: Map<String, Value>,
    field: &str,
    wrong: &mut Vec<FieldError>,
) -> Option<Map<String, Value>> {
    let properties = schema.get("properties")?.as_object()?;
    let described = claims.into_iter().filter_map(|(name, claim)| {
        let claim = fitting(properties.get(&name)?, claim, &format!("{field}.{name}"), wrong)?;
        Some((name, claim))
    });
    Some(described.collect())
}

/// A claim as far as its schema describes it. Schemas have the closed shape, so their types are all there is to compare.
fn fitting(schema: &Value, claim: Value, field: &str, wrong: &mut Vec<FieldError>) -> Option<Value> {
    let expected = schema.get("type").and_then(Value::as_str).unwrap_or_default();
    let allowed = schema.get("enum").and_then(Value::as_array);
    match (expected, claim) {
        (_, Value::Null) => None,
        ("object", Value::Object(claims)) => described_only(schema, claims, field, wrong).map(Value::Object),
        ("array", Value::Array(items)) => {
            let schema = schema.get("items")?;
            let items = items.into_iter().enumerate();
            let items =
                items.filter_map(|(at, item)| fitting(schema, item, &format!("{field}[{at}]"), wrong));
            Some(Value::Array(items.collect()))
        }
        ("string", claim @ Value::String(_)) if allowed.is_none_or(|allowed| allowed.contains(&claim)) => {
            Some(claim)
        }
        ("string", Value::String(_)) => {
            wrong.push(FieldError {
                field: field.to_owned(),
                message: "is none of the values that the site's adaptive schema lists".to_owned(),
            });
            None
        }
        ("number", claim @ Value::Number(_)) | ("boolean", claim @ Value::Bool(_)) => Some(claim),
        _ => {
            let message = format!("must be of type {expected}, as the site's adaptive schema says");
            wrong.push(FieldError { field: field.to_owned(), message });
            None
        }
    }
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

    fn claims(of: Value) -> Map<String, Value> {
        of.as_object().unwrap().clone()
    }

    #[test]
    fn claims_that_the_schema_describes_count() {
        let described = |kind: &str| json!({"type": kind, "description": "D"});
        let schema = schema(json!({
            "plan": {"type": "string", "description": "P", "enum": ["free", "pro"]},
            "roles": {"type": "array", "description": "R", "items": described("string")},
            "org": {"type": "object", "description": "O", "properties": {"size": described("number")}, "additionalProperties": false},
            "unsigned": {"type": "object", "description": "Unsigned claims of the site visitor.",
                "properties": {"beta": described("boolean")}, "additionalProperties": false},
        }));
        let signed = json!({"plan": "pro", "roles": ["a"], "org": {"size": 3, "x": 1}, "exp": 7, "unsigned": {"beta": true}});
        let unsigned = json!({"beta": false, "plan": "free"});
        let known = visitor_claims(Some(&schema), claims(signed.clone()), claims(unsigned.clone())).unwrap();
        let expected =
            json!({"plan": "pro", "roles": ["a"], "org": {"size": 3}, "unsigned": {"beta": false}});
        assert_eq!(known, expected);
        let all = visitor_claims(None, claims(signed), claims(unsigned.clone())).unwrap();
        assert_eq!((&all["exp"], &all["unsigned"]), (&json!(7), &unsigned));
        assert_eq!(visitor_claims(Some(&schema), Map::new(), claims(json!({"beta": null}))), Ok(json!({})));
        let signed = json!({"plan": "gold", "roles": ["a", 1], "org": {"size": "big"}});
        let wrong = visitor_claims(Some(&schema), claims(signed), claims(json!({"beta": 1}))).unwrap_err();
        let mut fields: Vec<String> = wrong.into_iter().map(|problem| problem.field).collect();
        fields.sort();
        assert_eq!(fields, ["claims.beta", "jwtToken.org.size", "jwtToken.plan", "jwtToken.roles[1]"]);
        let silent = super::tests::schema(json!({}));
        assert_eq!(visitor_claims(Some(&silent), Map::new(), claims(json!({"beta": true}))), Ok(json!({})));
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
