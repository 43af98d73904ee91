//! OpenAPI document: possible fields of bodies and responses, and the fields of actual values.

use std::collections::BTreeSet;

use quire_api::route::Route;
use serde_json::Value;

/// Fields of types, as `Type.field`.
pub type Fields = BTreeSet<String>;

/// Objects whose parts other tests cover, such as the documents of `quire-markup`.
const OPAQUE: &[&str] = &["Document", "ContentRef", "AdaptiveJsonSchema"];

/// OpenAPI document as JSON.
pub struct Document(Value);

impl Document {
    /// Returns the document that the code generates.
    pub fn current() -> Self {
        Self(serde_json::from_str(&quire_api::document_json("").unwrap()).unwrap())
    }

    fn operation(&self, route: &Route) -> &Value {
        &self.0["paths"][route.path][route.method.as_str().to_lowercase()]
    }

    /// Returns the schema of a route's response with this status.
    pub fn answer(&self, route: &Route, status: u16) -> Option<&Value> {
        let responses = &self.operation(route)["responses"];
        responses[status.to_string()].pointer("/content/application~1json/schema")
    }

    /// Returns whether a route may answer with this status.
    pub fn allows_status(&self, route: &Route, status: u16) -> bool {
        self.operation(route)["responses"].get(status.to_string()).is_some()
    }

    /// Returns the schema of a route's JSON body.
    pub fn body(&self, route: &Route) -> Option<&Value> {
        self.operation(route).pointer("/requestBody/content/application~1json/schema")
    }

    /// Returns the names of a route's query parameters, each with its values if they are a fixed set.
    pub fn query(&self, route: &Route) -> Vec<(String, Vec<String>)> {
        let parameters = self.operation(route)["parameters"].as_array().cloned().unwrap_or_default();
        let queries = parameters.into_iter().filter(|parameter| parameter["in"] == "query");
        let named = queries.map(|query| {
            (query["name"].as_str().unwrap().to_owned(), self.choices(&query["schema"]).into_iter().collect())
        });
        named.collect()
    }

    /// Returns the values of an enumeration or boolean; empty for other schemas.
    fn choices(&self, schema: &Value) -> BTreeSet<String> {
        let (schema, _) = self.resolve(schema, "");
        let named = schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let mut choices: BTreeSet<String> = named.map(str::to_owned).collect();
        if types(schema).any(|name| name == "boolean") {
            choices.extend(["true".to_owned(), "false".to_owned()]);
        }
        let parts = parts(schema).flat_map(|part| self.choices(part));
        choices.extend(parts.chain(self.items(schema).map(|items| self.choices(items)).unwrap_or_default()));
        choices
    }

    fn items<'a>(&self, schema: &'a Value) -> Option<&'a Value> {
        Some(&schema["items"]).filter(|items| items.is_object())
    }

    /// Returns the schema after following references, and the name of its type.
    fn resolve<'a>(&'a self, schema: &'a Value, name: &str) -> (&'a Value, String) {
        match schema["$ref"].as_str() {
            Some(reference) => {
                let found = self.0.pointer(reference.trim_start_matches('#')).unwrap();
                self.resolve(found, reference.rsplit('/').next().unwrap())
            }
            None => (schema, name.to_owned()),
        }
    }

    /// Collects the fields that values of a schema can have, including the fields of referenced types.
    pub fn possible(&self, schema: &Value, name: &str, fields: &mut Fields) {
        let (schema, name) = self.resolve(schema, name);
        if OPAQUE.contains(&name.as_str()) {
            return;
        }
        for part in parts(schema) {
            self.possible(part, &part_name(&name, schema, part), fields);
        }
        for (key, field) in properties(schema) {
            if fields.insert(format!("{name}.{key}")) {
                self.possible(field, &format!("{name}.{key}"), fields);
            }
        }
        for items in contained(schema) {
            self.possible(items, &name, fields);
        }
    }

    /// Collects the fields of the schema itself, for a list also those of its items, without the fields of types that
    /// fields refer to.
    pub fn own(&self, schema: &Value, name: &str, fields: &mut Fields) {
        let (schema, name) = self.resolve(schema, name);
        if OPAQUE.contains(&name.as_str()) {
            return;
        }
        let is_list = name.ends_with("List");
        for part in parts(schema).chain(contained(schema)) {
            self.own(part, &part_name(&name, schema, part), fields);
        }
        for (key, field) in properties(schema) {
            fields.insert(format!("{name}.{key}"));
            match is_list && key == "items" {
                true => self.own(&field["items"], &format!("{name}.{key}"), fields),
                false => inline(field, &format!("{name}.{key}"), fields),
            }
        }
    }

    /// Visits each field of a value that is in the schema, as `Type.field`; each text, under the name of its type, or
    /// of its field if the type has none; and each enumeration value, as `Type=choice`.
    pub fn visit(&self, schema: &Value, name: &str, value: &Value, visitor: &mut dyn FnMut(&str, &Value)) {
        let (schema, name) = self.resolve(schema, name);
        if OPAQUE.contains(&name.as_str()) {
            return;
        }
        if let Some(text) = value.as_str() {
            visitor(&name, value);
            if schema["enum"].as_array().is_some_and(|all| all.len() > 1 && all.contains(value)) {
                visitor(&format!("{name}={text}"), value);
            }
        }
        let fitting = |part: &&Value| schema["allOf"].is_array() || self.fits(part, value);
        for part in parts(schema).filter(fitting) {
            self.visit(part, &part_name(&name, schema, part), value, visitor);
        }
        for (key, field) in properties(schema) {
            if let Some(value) = value.get(key) {
                // The type's name comes first, because it says more about a text than the name of the field.
                self.visit(field, &format!("{name}.{key}"), value, visitor);
                visitor(&format!("{name}.{key}"), value);
            }
        }
        if let Some(items) = self.items(schema) {
            value.as_array().into_iter().flatten().for_each(|item| self.visit(items, &name, item, visitor));
        }
        if schema["additionalProperties"].is_object() {
            let values = value.as_object().into_iter().flat_map(|fields| fields.values());
            values.for_each(|value| self.visit(&schema["additionalProperties"], &name, value, visitor));
        }
    }

    /// Returns whether a value may belong to this alternative.
    fn fits(&self, schema: &Value, value: &Value) -> bool {
        let (schema, _) = self.resolve(schema, "");
        let all = |key: &str| schema[key].as_array().cloned().unwrap_or_default();
        let is_one_of = |values: &[Value]| values.is_empty() || values.contains(value);
        let of_type = types(schema).next().is_none() || types(schema).any(|name| is_type(value, name));
        let required = all("required").iter().all(|key| value.get(key.as_str().unwrap()).is_some());
        let fields = properties(schema).all(|(key, field)| {
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

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().into_iter().flatten()
}

fn parts(schema: &Value) -> impl Iterator<Item = &Value> {
    ["allOf", "oneOf", "anyOf"].into_iter().filter_map(|key| schema[key].as_array()).flatten()
}

fn contained(schema: &Value) -> impl Iterator<Item = &Value> {
    ["items", "additionalProperties"].map(|key| &schema[key]).into_iter().filter(|items| items.is_object())
}

fn types(schema: &Value) -> impl Iterator<Item = &str> {
    let many = schema["type"].as_array().into_iter().flatten();
    many.chain([&schema["type"]]).filter_map(Value::as_str)
}

/// Collects the fields of a schema without references.
fn inline(schema: &Value, name: &str, fields: &mut Fields) {
    for (key, field) in properties(schema) {
        fields.insert(format!("{name}.{key}"));
        inline(field, &format!("{name}.{key}"), fields);
    }
    for part in parts(schema) {
        inline(part, &part_name(name, schema, part), fields);
    }
    contained(schema).for_each(|items| inline(items, name, fields));
}

/// Returns the name of a part of a schema: the name of the whole for a part of `allOf`, otherwise with the tag of the
/// variant.
fn part_name(name: &str, whole: &Value, part: &Value) -> String {
    if whole["allOf"].is_array() {
        return name.to_owned();
    }
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

/// Returns whether a value could not be a mere default: `null`, `false`, zero or empty.
pub fn says_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Bool(true) => true,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    }
}
