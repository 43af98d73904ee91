//! Adaptive schemas: the claims of visitors that a site knows, as a JSON Schema of draft-07.

use serde_json::{Map, Value};

/// Name of the object with unsigned claims.
pub(crate) const UNSIGNED: &str = "unsigned";

/// Problem of a schema or of claims.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// Path below the checked value: `properties.a.items[0]`; empty for the value itself.
    pub path: String,
    /// Sentence without a subject: `must be of type string`.
    pub message: String,
}

/// Claims from one input. The paths of their problems start with the name of the input.
#[derive(Debug)]
pub struct ClaimSource<'a> {
    /// Name of the input.
    pub name: &'a str,
    /// Claims of the input.
    pub claims: Map<String, Value>,
}

/// Returns the claims that conditions see: claims signed by a token at the top level, and claims chosen by visitors
/// under `unsigned`.
///
/// Without a schema, all claims are visible. With a schema, claims that it does not describe and null claims are
/// dropped.
///
/// # Errors
/// The claims of both inputs whose type or value the schema does not allow.
pub fn visitor_claims(
    schema: Option<&Value>,
    signed: ClaimSource<'_>,
    unsigned: ClaimSource<'_>,
) -> Result<Value, Vec<Problem>> {
    let mut claims = signed.claims;
    // A signed claim of this name would shadow the object of unsigned claims.
    claims.remove(UNSIGNED);
    let mut wrong = Vec::new();
    let name = unsigned.name;
    let mut unsigned = Some(unsigned.claims);
    if let Some(schema) = schema {
        let described = schema.get("properties").and_then(|properties| properties.get(UNSIGNED));
        unsigned = described.and_then(|described| described_only(described, unsigned?, name, &mut wrong));
        claims = described_only(schema, claims, signed.name, &mut wrong).unwrap_or_default();
    }
    if let Some(unsigned) = unsigned.filter(|unsigned| !unsigned.is_empty()) {
        claims.insert(UNSIGNED.to_owned(), Value::Object(unsigned));
    }
    if wrong.is_empty() { Ok(Value::Object(claims)) } else { Err(wrong) }
}

/// Keeps the claims of an object that its schema describes.
fn described_only(
    schema: &Value,
    claims: Map<String, Value>,
    path: &str,
    wrong: &mut Vec<Problem>,
) -> Option<Map<String, Value>> {
    let properties = schema.get("properties")?.as_object()?;
    let described = claims.into_iter().filter_map(|(name, claim)| {
        let claim = fitting(properties.get(&name)?, claim, &format!("{path}.{name}"), wrong)?;
        Some((name, claim))
    });
    Some(described.collect())
}

/// Keeps the part of a claim that its schema describes. Schemas have the closed shape, so only types and `enum` matter.
fn fitting(schema: &Value, claim: Value, path: &str, wrong: &mut Vec<Problem>) -> Option<Value> {
    let expected = schema.get("type").and_then(Value::as_str).unwrap_or_default();
    let allowed = schema.get("enum").and_then(Value::as_array);
    match (expected, claim) {
        (_, Value::Null) => None,
        ("object", Value::Object(claims)) => described_only(schema, claims, path, wrong).map(Value::Object),
        ("array", Value::Array(items)) => {
            let schema = schema.get("items")?;
            let items = items.into_iter().enumerate();
            let items = items.filter_map(|(at, item)| fitting(schema, item, &format!("{path}[{at}]"), wrong));
            Some(Value::Array(items.collect()))
        }
        ("string", claim @ Value::String(_)) if allowed.is_none_or(|allowed| allowed.contains(&claim)) => {
            Some(claim)
        }
        ("string", Value::String(_)) => {
            wrong.push(Problem {
                path: path.to_owned(),
                message: "must be one of the values that the site's adaptive schema lists".to_owned(),
            });
            None
        }
        ("number", claim @ Value::Number(_)) | ("boolean", claim @ Value::Bool(_)) => Some(claim),
        _ => {
            let message = format!("must be of type {expected}, as the site's adaptive schema says");
            wrong.push(Problem { path: path.to_owned(), message });
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::shape::schema_problems as problems;

    fn schema(properties: Value) -> Value {
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": properties, "additionalProperties": false})
    }

    fn paths(schema: &Value) -> Vec<String> {
        problems(schema).into_iter().map(|problem| problem.path).collect()
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

    fn visitor_claims(schema: Option<&Value>, signed: Value, unsigned: Value) -> Result<Value, Vec<Problem>> {
        let source = |name, claims: Value| ClaimSource { name, claims: claims.as_object().unwrap().clone() };
        super::visitor_claims(schema, source("jwtToken", signed), source("claims", unsigned))
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
        let known = visitor_claims(Some(&schema), signed.clone(), unsigned.clone()).unwrap();
        let expected =
            json!({"plan": "pro", "roles": ["a"], "org": {"size": 3}, "unsigned": {"beta": false}});
        assert_eq!(known, expected);
        let all = visitor_claims(None, signed, unsigned.clone()).unwrap();
        assert_eq!((&all["exp"], &all["unsigned"]), (&json!(7), &unsigned));
        assert_eq!(visitor_claims(Some(&schema), json!({}), json!({"beta": null})), Ok(json!({})));
        let signed = json!({"plan": "gold", "roles": ["a", 1], "org": {"size": "big"}});
        let wrong = visitor_claims(Some(&schema), signed, json!({"beta": 1})).unwrap_err();
        let mut paths: Vec<String> = wrong.into_iter().map(|problem| problem.path).collect();
        paths.sort();
        assert_eq!(paths, ["claims.beta", "jwtToken.org.size", "jwtToken.plan", "jwtToken.roles[1]"]);
        let silent = super::tests::schema(json!({}));
        assert_eq!(visitor_claims(Some(&silent), json!({}), json!({"beta": true})), Ok(json!({})));
    }

    #[test]
    fn violations_of_the_shape_are_reported_with_their_path() {
        assert_eq!(paths(&schema(json!({"a": {"type": "string"}}))), ["properties.a.description"]);
        let nested = schema(
            json!({"a": {"type": "object", "description": "A", "additionalProperties": false, "properties": {
            "b": {"type": "array", "description": "B", "items": {"type": "number", "enum": ["1"], "pattern": "("}}}}}),
        );
        let items = "properties.a.properties.b.items";
        assert_eq!(paths(&nested), [format!("{items}.pattern"), format!("{items}.enum")]);
        let endless = schema((0..30).map(|n| (n.to_string(), json!(null))).collect());
        assert_eq!(problems(&endless).len(), 20);
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
            json!(null),
            json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {}, "additionalProperties": false}),
            json!({"$id": "a".repeat(2_049), "type": "object", "properties": {}, "additionalProperties": false}),
            json!({"type": "object", "properties": [], "additionalProperties": false}),
            schema(json!({"a": {"type": "string", "description": 1}})),
            schema(
                json!({"unsigned": {"type": "object", "description": "Other", "properties": {}, "additionalProperties": false}}),
            ),
            schema(json!({"a": {"type": "string", "description": "A", "enum": ["b", "b"]}})),
            schema(json!({"a": {"type": "string", "description": "A", "enum": [1]}})),
            schema(json!({"a": {"type": "string", "description": "A", "enum": []}})),
            schema(json!({"a": {"type": "string", "description": "A", "pattern": "("}})),
        ] {
            assert!(!problems(&bad).is_empty(), "{bad}");
        }
    }
}
