//! The OpenAPI document, read for what answers can hold.

use std::collections::BTreeSet;

use quire_api::route::Route;
use serde_json::Value;

/// Types that are tested where they are at home.
const ELSEWHERE: [&str; 4] = ["Organization", "Member", "OpenAPISpec", "CustomFieldValue"];

/// Which fields of which types there are, each as `Type.field`.
pub type Fields = BTreeSet<String>;

/// The OpenAPI document as JSON.
pub struct Document(Value);

impl Document {
    /// That of the code.
    pub fn current() -> Self {
        Self(serde_json::from_str(&quire_api::openapi::document_json("").unwrap()).unwrap())
    }

    /// The schema of a route's answer.
    pub fn answer(&self, route: &Route) -> Option<&Value> {
        let operation = &self.0["paths"][route.path][route.method.as_str().to_lowercase()];
        operation["responses"][route.status.to_string()].pointer("/content/application~1json/schema")
    }

    /// The schema without references, and the name of the type that it belongs to.
    fn resolve<'a>(&'a self, schema: &'a Value, name: &str) -> (&'a Value, String) {
        match schema["$ref"].as_str() {
            Some(reference) => {
                let found = self.0.pointer(reference.trim_start_matches('#')).unwrap();
                self.resolve(found, reference.rsplit('/').next().unwrap())
            }
            None => (schema, name.to_owned()),
        }
    }

    /// The fields that answers of a schema can have.
    pub fn possible(&self, schema: &Value, name: &str, fields: &mut Fields) {
        let (schema, name) = self.resolve(schema, name);
        if ELSEWHERE.contains(&name.as_str()) {
            return;
        }
        for part in ["allOf", "oneOf", "anyOf"].into_iter().filter_map(|key| schema[key].as_array()).flatten()
        {
            self.possible(part, &variant(&name, part), fields);
        }
        for (key, field) in schema["properties"].as_object().into_iter().flatten() {
            if fields.insert(format!("{name}.{key}")) {
                self.possible(field, &format!("{name}.{key}"), fields);
            }
        }
        for items in ["items", "additionalProperties"]
            .map(|key| &schema[key])
            .into_iter()
            .filter(|items| items.is_object())
        {
            self.possible(items, &name, fields);
        }
    }

    /// The fields that an answer has, as far as their values say something.
    pub fn present(&self, schema: &Value, name: &str, value: &Value, fields: &mut Fields) {
        let (schema, name) = self.resolve(schema, name);
        if ELSEWHERE.contains(&name.as_str()) {
            return;
        }
        for part in schema["allOf"].as_array().into_iter().flatten() {
            self.present(part, &variant(&name, part), value, fields);
        }
        for part in ["oneOf", "anyOf"].into_iter().filter_map(|key| schema[key].as_array()).flatten() {
            if self.fits(part, value) {
                self.present(part, &variant(&name, part), value, fields);
            }
        }
        for (key, field) in schema["properties"].as_object().into_iter().flatten() {
            let Some(value) = value.get(key).filter(|value| says_something(value)) else { continue };
            fields.insert(format!("{name}.{key}"));
            self.present(field, &format!("{name}.{key}"), value, fields);
        }
        if schema["items"].is_object() {
            value
                .as_array()
                .into_iter()
                .flatten()
                .for_each(|item| self.present(&schema["items"], &name, item, fields));
        }
        if schema["additionalProperties"].is_object() {
            let values = value.as_object().into_iter().flat_map(|fields| fields.values());
            values.for_each(|value| self.present(&schema["additionalProperties"], &name, value, fields));
        }
    }

    /// Whether a value may be of this alternative.
    fn fits(&self, schema: &Value, value: &Value) -> bool {
        let (schema, _) = self.resolve(schema, "");
        let all = |key: &str| schema[key].as_array().cloned().unwrap_or_default();
        let is_one_of = |values: &[Value]| values.is_empty() || values.contains(value);
        let of_type = match &schema["type"] {
            Value::String(name) => is_type(value, name),
            Value::Array(names) => names.iter().any(|name| is_type(value, name.as_str().unwrap())),
            _ => true,
        };
        let required = all("required").iter().all(|key| value.get(key.as_str().unwrap()).is_some());
        let mut known = schema["properties"].as_object().into_iter().flatten();
        let fields = known.all(|(key, field)| {
            let named = value.get(key);
            named.is_none_or(|named| {
                self.resolve(field, "").0["enum"].as_array().is_none_or(|all| all.contains(named))
            })
        });
        let one_of = all("oneOf");
        of_type
            && required
            && fields
            && is_one_of(&all("enum"))
            && all("allOf").iter().all(|part| self.fits(part, value))
            && (one_of.is_empty() || one_of.iter().any(|part| self.fits(part, value)))
    }
}

/// The name of a part of a type: the part's own, if it has one, or what tells it from others.
fn variant(name: &str, part: &Value) -> String {
    let tag = |key: &str| part["properties"][key]["enum"][0].as_str();
    match tag("type").or_else(|| tag("kind")).or_else(|| tag("status")) {
        Some(tag) if !name.contains('[') => format!("{name}[{tag}]"),
        _ => name.to_owned(),
    }
}

fn is_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => value.is_number(),
    }
}

/// What a field that nobody fills would not have.
fn says_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Bool(true) => true,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    }
}
