//! OpenAPI document, as a source of valid and invalid values.

use std::collections::BTreeSet;

use quire_api::route::Route;
use serde_json::{Map, Value, json};

/// Text that is valid for every text key, as an id or a title.
pub const TEXT: &str = "0197f1d0-0000-7000-8000-00000000000f";
/// Nesting limit of generated values.
const DEPTH: usize = 12;

/// OpenAPI document as JSON.
pub struct Document(Value);

/// Body with a value that breaks the schema.
pub struct Wrong {
    /// Whole body.
    pub body: Value,
    /// Path of the invalid part.
    pub field: String,
}

impl Document {
    /// Returns the document that the code generates.
    pub fn current() -> Self {
        Self(serde_json::from_str(&quire_api::document_json("").unwrap()).unwrap())
    }

    fn operation(&self, route: &Route) -> &Value {
        &self.0["paths"][route.path][route.method.as_str().to_lowercase()]
    }

    /// Returns the schema of a route's JSON body.
    pub fn body(&self, route: &Route) -> Option<&Value> {
        self.operation(route).pointer("/requestBody/content/application~1json/schema")
    }

    /// Returns the names and schemas of a route's query parameters.
    pub fn query(&self, route: &Route) -> Vec<(String, Value)> {
        let parameters = self.operation(route)["parameters"].as_array().cloned().unwrap_or_default();
        let queries = parameters.into_iter().filter(|parameter| parameter["in"] == "query");
        queries.map(|p| (p["name"].as_str().unwrap().to_owned(), p["schema"].clone())).collect()
    }

    /// Returns the schema that a reference refers to, or the schema itself.
    pub fn resolve<'a>(&'a self, schema: &'a Value) -> &'a Value {
        match schema["$ref"].as_str() {
            Some(name) => {
                self.resolve(self.0.pointer(name.trim_start_matches('#')).unwrap_or_else(|| panic!("{name}")))
            }
            None => schema,
        }
    }

    /// Returns the alternatives of a schema without references. Each is an object of keywords; the parts of `allOf` are
    /// joined. Documents, content references and schemas of claims count as one object, because other tests cover them.
    pub fn alternatives(&self, schema: &Value) -> Vec<Map<String, Value>> {
        let named = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next());
        match named {
            Some("Document" | "ContentRef") => return vec![Map::new()],
            Some("AdaptiveJsonSchema") => {
                return vec![Map::from_iter([("type".to_owned(), json!("object"))])];
            }
            _ => {}
        }
        let schema = self.resolve(schema);
        let one_of = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array());
        if let Some(one_of) = one_of {
            return one_of.iter().flat_map(|schema| self.alternatives(schema)).collect();
        }
        if let Some(all_of) = schema["allOf"].as_array() {
            let parts = all_of.iter().flat_map(|schema| self.alternatives(schema));
            return vec![parts.fold(Map::new(), together)];
        }
        vec![schema.as_object().cloned().unwrap_or_default()]
    }

    /// Returns a minimal value of a schema: required keys only, and texts that are valid ids.
    pub fn sample(&self, schema: &Value) -> Value {
        let alternatives = self.alternatives(schema);
        self.sample_of(alternatives.first().unwrap())
    }

    fn sample_of(&self, schema: &Map<String, Value>) -> Value {
        if let Some(first) = schema.get("enum").and_then(|values| values.get(0)) {
            return first.clone();
        }
        match types(schema).first().map(String::as_str) {
            Some("object") | None => {
                let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
                let keys = required.iter().map(|key| key.as_str().unwrap().to_owned());
                keys.map(|key| (key.clone(), self.sample(&schema["properties"][&key]))).collect()
            }
            Some("array") => {
                let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
                Value::Array((0..least).map(|_| self.sample(&schema["items"])).collect())
            }
            Some("string") => json!(TEXT),
            Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or(json!(0)),
            Some("boolean") => json!(true),
            Some(_) => Value::Null,
        }
    }

    /// Returns bodies that break the schema at one position and are otherwise valid.
    pub fn wrong(&self, schema: &Value) -> Vec<Wrong> {
        let mut found = Vec::new();
        let alternatives = self.alternatives(schema);
        self.break_value(&alternatives, String::new(), &|part| part, &mut found, 0);
        found
    }

    fn break_value(
        &self,
        alternatives: &[Map<String, Value>],
        path: String,
        whole: &dyn Fn(Value) -> Value,
        found: &mut Vec<Wrong>,
        depth: usize,
    ) {
        if depth > DEPTH {
            return;
        }
        if depth > 0 {
            let wrong = wrong_values(alternatives).into_iter();
            found.extend(wrong.map(|value| Wrong { body: whole(value), field: path.clone() }));
        }
        for schema in alternatives {
            self.break_keys(schema, &path, whole, found, depth);
            if let Some(items) = schema.get("items") {
                let items = self.alternatives(items);
                let one = |item: Value| whole(json!([item]));
                self.break_value(&items, format!("{path}[0]"), &one, found, depth + 1);
                if let Some(most) = schema.get("maxItems").and_then(Value::as_u64) {
                    let many = (0..=most).map(|_| self.sample_of(&items[0])).collect();
                    found.push(Wrong { body: whole(Value::Array(many)), field: path.clone() });
                }
            }
        }
    }

    fn break_keys(
        &self,
        schema: &Map<String, Value>,
        path: &str,
        whole: &dyn Fn(Value) -> Value,
        found: &mut Vec<Wrong>,
        depth: usize,
    ) {
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
        let sample = self.sample_of(schema);
        for (key, property) in properties {
            let field = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            let with = |value: Value| {
                let mut sample = sample.clone();
                sample[key] = value;
                whole(sample)
            };
            let alternatives = self.alternatives(property);
            self.break_value(&alternatives, field.clone(), &with, found, depth + 1);
            // A body without the key may be valid, too: an empty object is a body without text.
            let is_needed =
                sample.get(key).is_some() && (depth == 0 || sample != json!({ key: sample[key] }));
            if is_needed {
                let mut without = sample.clone();
                without.as_object_mut().unwrap().remove(key);
                found.push(Wrong { body: whole(without), field });
            }
        }
    }
}

/// Joins two object schemas that must both hold.
fn together(mut left: Map<String, Value>, right: Map<String, Value>) -> Map<String, Value> {
    for (keyword, value) in right {
        match (left.get_mut(&keyword), value) {
            (Some(Value::Object(left)), Value::Object(right)) => left.extend(right),
            (Some(Value::Array(left)), Value::Array(right)) => left.extend(right),
            (_, value) => {
                left.insert(keyword, value);
            }
        }
    }
    left
}

/// Returns the JSON types that a schema without references accepts; empty for a schema without a type.
pub fn types(schema: &Map<String, Value>) -> Vec<String> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name.clone()],
        Some(Value::Array(names)) => {
            names.iter().filter_map(|name| Some(name.as_str()?.to_owned())).collect()
        }
        _ if schema.contains_key("properties") => vec!["object".to_owned()],
        _ => Vec::new(),
    }
}

/// Returns values that no alternative accepts.
fn wrong_values(alternatives: &[Map<String, Value>]) -> Vec<Value> {
    if alternatives.iter().any(|schema| types(schema).is_empty()) {
        return Vec::new();
    }
    let taken: BTreeSet<String> = alternatives.iter().flat_map(types).collect();
    let each_type = [
        ("null", json!(null)),
        ("boolean", json!(true)),
        ("number", json!(1.5)),
        ("string", json!("🤷 \u{202e}")),
        ("array", json!([])),
        ("array", json!([TEXT, 1])),
        ("object", json!({"🤷": 1})),
    ];
    let of_type = |name: &str| taken.contains(name) || (name == "number" && taken.contains("integer"));
    let mut wrong: Vec<Value> =
        each_type.into_iter().filter(|(name, _)| !of_type(name)).map(|(_, value)| value).collect();
    let others: Vec<_> = alternatives.iter().filter(|schema| types(schema) != ["null"]).collect();
    if let [schema] = others.as_slice() {
        // If null clears a value, an empty text may do so, too.
        let clears = |value: &Value| taken.contains("null") && *value == json!("");
        wrong.extend(out_of_bounds(schema).into_iter().filter(|value| !clears(value)));
    }
    wrong
}

/// Returns values of the right type that the schema does not accept.
fn out_of_bounds(schema: &Map<String, Value>) -> Vec<Value> {
    let mut wrong = Vec::new();
    let number = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
    if schema.contains_key("enum") {
        return vec![json!("no such thing"), json!(""), json!("a\u{0}")];
    }
    match types(schema).first().map(String::as_str) {
        Some("string") => {
            wrong.push(json!("a\u{0}b"));
            if let Some(most) = number("maxLength") {
                wrong.push(json!("ä".repeat(usize::try_from(most).unwrap() + 1)));
            }
            if number("minLength").is_some() {
                wrong.push(json!(""));
            }
            if schema.get("format") == Some(&json!("uuid")) {
                wrong.extend([json!(""), json!("nonsense"), json!("0197f1d0")]);
            }
        }
        Some("integer") => {
            wrong.extend([json!(-1), json!(1.5), json!(1e300), json!("1"), json!(u64::MAX)]);
        }
        Some("array") if number("minItems").is_some_and(|least| least > 0) => wrong.push(json!([])),
        _ => {}
    }
    wrong
}
