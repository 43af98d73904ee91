//! Shape of adaptive schemas: objects of described claims, closed at every level.
//!
//! The shape is a small subset of JSON Schema draft-07, so a value of this shape is a valid schema. It is checked here
//! and not by a JSON Schema validator: one fixed shape needs a fraction of a validator's code, and errors can use the
//! terms of adaptive schemas.

use serde_json::{Map, Value};

use crate::adaptive::{Problem, UNSIGNED};

/// Maximum number of reported problems.
const MAX_PROBLEMS: usize = 20;

/// Maximum length of `$id`, in characters.
const MAX_ID: usize = 2_048;

const DRAFT: &str = "http://json-schema.org/draft-07/schema#";
const UNSIGNED_DESCRIPTION: &str = "Unsigned claims of the site visitor.";
const PRIMITIVES: [&str; 3] = ["boolean", "string", "number"];

/// Returns the problems of an adaptive schema, at most 20. An empty list means that the schema has the shape.
#[must_use]
pub fn schema_problems(schema: &Value) -> Vec<Problem> {
    let mut check = Check::default();
    check.root(schema);
    check.problems
}

/// The first problems found.
#[derive(Default)]
struct Check {
    problems: Vec<Problem>,
}

/// Allowed keys of an object of the shape.
struct Keys<'a> {
    required: &'a [&'a str],
    optional: &'a [&'a str],
}

impl Check {
    fn root(&mut self, schema: &Value) {
        let keys =
            Keys { required: &["type", "properties", "additionalProperties"], optional: &["$schema", "$id"] };
        let Some(schema) = self.object(schema, "", &keys) else { return };
        self.constant(schema, "", "$schema", &Value::from(DRAFT));
        self.constant(schema, "", "type", &Value::from("object"));
        self.constant(schema, "", "additionalProperties", &Value::Bool(false));
        let is_id = |id: &Value| id.as_str().is_some_and(|id| id.chars().count() <= MAX_ID);
        if schema.get("$id").is_some_and(|id| !is_id(id)) {
            self.add("$id", format!("must be a string of at most {MAX_ID} characters"));
        }
        let Some(claims) = schema.get("properties") else { return };
        let Some(claims) = self.map(claims, "properties") else { return };
        for (name, claim) in claims {
            let path = below("properties", name);
            if name == UNSIGNED { self.unsigned(claim, &path) } else { self.claim(claim, &path) }
        }
    }

    /// Checks the object of unsigned claims, which visitors choose.
    fn unsigned(&mut self, claims: &Value, path: &str) {
        let keys =
            Keys { required: &["type", "description", "properties", "additionalProperties"], optional: &[] };
        let Some(claims) = self.object(claims, path, &keys) else { return };
        self.constant(claims, path, "type", &Value::from("object"));
        self.constant(claims, path, "description", &Value::from(UNSIGNED_DESCRIPTION));
        self.claims_of(claims, path);
    }

    /// Checks the description of a claim of any type.
    fn claim(&mut self, claim: &Value, path: &str) {
        let keys = |required, optional| Keys { required, optional };
        match claim.get("type").and_then(Value::as_str) {
            Some("object") => {
                let keys = keys(&["type", "description", "properties", "additionalProperties"], &[]);
                let Some(claim) = self.object(claim, path, &keys) else { return };
                self.description(claim, path);
                self.claims_of(claim, path);
            }
            Some("array") => {
                let Some(claim) = self.object(claim, path, &keys(&["type", "description", "items"], &[]))
                else {
                    return;
                };
                self.description(claim, path);
                if let Some(items) = claim.get("items") {
                    self.primitive(items, &below(path, "items"), &keys(&["type"], &["description", "enum"]));
                }
            }
            _ => self.primitive(claim, path, &keys(&["type", "description"], &["enum"])),
        }
    }

    /// Checks the claims in an object.
    fn claims_of(&mut self, object: &Map<String, Value>, path: &str) {
        self.constant(object, path, "additionalProperties", &Value::Bool(false));
        let Some(claims) = object.get("properties") else { return };
        let path = below(path, "properties");
        let Some(claims) = self.map(claims, &path) else { return };
        for (name, claim) in claims {
            self.claim(claim, &below(&path, name));
        }
    }

    /// Checks the description of a claim with a primitive value.
    fn primitive(&mut self, claim: &Value, path: &str, keys: &Keys<'_>) {
        let Some(claim) = self.object(claim, path, keys) else { return };
        self.description(claim, path);
        let Some(kind) = claim.get("type") else { return };
        let kind = kind.as_str().filter(|kind| PRIMITIVES.contains(kind));
        if kind.is_none() {
            let others =
                if keys.required.contains(&"description") { ", \"array\" or \"object\"" } else { "" };
            self.add(&below(path, "type"), format!("must be \"boolean\", \"string\", \"number\"{others}"));
        }
        let Some(values) = claim.get("enum") else { return };
        let path = below(path, "enum");
        if kind.is_some_and(|kind| kind != "string") {
            self.add(&path, "is only allowed for claims of type string".to_owned());
        }
        if !is_list_of_values(values) {
            self.add(&path, "must be a list of different strings, at least one".to_owned());
        }
    }

    fn description(&mut self, claim: &Map<String, Value>, path: &str) {
        if claim.get("description").is_some_and(|description| !description.is_string()) {
            self.add(&below(path, "description"), "must be a string".to_owned());
        }
    }

    fn constant(&mut self, object: &Map<String, Value>, path: &str, key: &str, expected: &Value) {
        if object.get(key).is_some_and(|value| value != expected) {
            self.add(&below(path, key), format!("must be {expected}"));
        }
    }

    /// Checks the keys of an object and returns it.
    fn object<'v>(
        &mut self,
        value: &'v Value,
        path: &str,
        keys: &Keys<'_>,
    ) -> Option<&'v Map<String, Value>> {
        let object = self.map(value, path)?;
        for key in keys.required.iter().filter(|key| !object.contains_key(**key)) {
            self.add(&below(path, key), "is required".to_owned());
        }
        let is_known = |key: &str| keys.required.contains(&key) || keys.optional.contains(&key);
        for key in object.keys().filter(|key| !is_known(key)) {
            self.add(&below(path, key), "is not part of an adaptive schema".to_owned());
        }
        Some(object)
    }

    fn map<'v>(&mut self, value: &'v Value, path: &str) -> Option<&'v Map<String, Value>> {
        let map = value.as_object();
        if map.is_none() {
            self.add(path, "must be an object".to_owned());
        }
        map
    }

    fn add(&mut self, path: &str, message: String) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem { path: path.to_owned(), message });
        }
    }
}

/// Returns whether a value is a list of at least one string without duplicates.
fn is_list_of_values(values: &Value) -> bool {
    let Some(values) = values.as_array().filter(|values| !values.is_empty()) else { return false };
    let strings: Option<std::collections::BTreeSet<&str>> = values.iter().map(Value::as_str).collect();
    strings.is_some_and(|strings| strings.len() == values.len())
}

fn below(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}
