//! Validation of JSON against OpenAPI schemas, with the keywords that Quire's schemas use.

use std::collections::BTreeMap;

use serde_json::Value;
use utoipa::ToSchema;

/// A schema with the schemas that it refers to.
pub(crate) struct Schemas {
    root: Value,
    named: BTreeMap<String, Value>,
}

impl Schemas {
    pub(crate) fn of<T: ToSchema>() -> Self {
        let mut named = Vec::new();
        T::schemas(&mut named);
        let json = |schema| serde_json::to_value(schema).unwrap_or_default();
        Self {
            root: json(T::schema()),
            named: named.into_iter().map(|(name, schema)| (name, json(schema))).collect(),
        }
    }

    /// Adds the schema of another type under its name.
    pub(crate) fn and<T: ToSchema>(mut self) -> Self {
        let part = Self::of::<T>();
        self.named.extend(part.named);
        self.named.insert(T::name().into_owned(), part.root);
        self
    }

    /// Returns the first mismatch, with its path.
    pub(crate) fn check(&self, value: &Value) -> Result<(), String> {
        let mut known = Vec::new();
        self.fits(&self.root, value, "$", &mut known)?;
        unknown_keys(value, &known, "$")
    }

    /// Returns the schema of a property of the root.
    pub(crate) fn property(&self, name: &str) -> Option<&Value> {
        self.root.get("properties")?.get(name)
    }

    /// Returns a schema that the root refers to.
    pub(crate) fn named(&self, name: &str) -> Option<&Value> {
        self.named.get(name)
    }

    /// Returns the named schemas and the root.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Value> {
        self.named.values().chain([&self.root])
    }

    /// Checks a value. Collects the keys that the schema declares in `known`.
    fn fits(&self, schema: &Value, value: &Value, at: &str, known: &mut Vec<String>) -> Result<(), String> {
        if let Some(reference) = schema["$ref"].as_str() {
            let name = reference.trim_start_matches("#/components/schemas/");
            let named = self.named.get(name).ok_or(format!("{at}: no schema {name}"))?;
            return self.fits(named, value, at, known);
        }
        for part in schema["allOf"].as_array().into_iter().flatten() {
            self.fits(part, value, at, known)?;
        }
        if let Some(variants) = schema["oneOf"].as_array() {
            self.fits_one(variants, value, at, known)?;
        }
        let types = &schema["type"];
        let named =
            |name: &str| types == name || types.as_array().is_some_and(|all| all.contains(&name.into()));
        if !types.is_null() && !type_names(value).iter().any(|name| named(name)) {
            return Err(format!("{at}: {value} is no {types}"));
        }
        if schema["enum"].as_array().is_some_and(|values| !values.contains(value)) {
            return Err(format!("{at}: {value} is not one of {}", schema["enum"]));
        }
        if let Value::Array(items) = value {
            for (index, item) in items.iter().enumerate() {
                self.fits_whole(&schema["items"], item, &format!("{at}[{index}]"))?;
            }
        }
        self.fits_object(schema, value, at, known)
    }

    fn fits_object(
        &self,
        schema: &Value,
        value: &Value,
        at: &str,
        known: &mut Vec<String>,
    ) -> Result<(), String> {
        let Value::Object(entries) = value else { return Ok(()) };
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !entries.contains_key(name) {
                return Err(format!("{at}: {name} is missing"));
            }
        }
        let properties = schema["properties"].as_object();
        let free = properties.is_none() && schema["allOf"].is_null() && schema["oneOf"].is_null();
        for (name, entry) in entries {
            if let Some(property) = properties.and_then(|all| all.get(name)) {
                self.fits_whole(property, entry, &format!("{at}.{name}"))?;
                known.push(name.clone());
            } else if free {
                known.push(name.clone());
            }
        }
        Ok(())
    }

    fn fits_one(
        &self,
        variants: &[Value],
        value: &Value,
        at: &str,
        known: &mut Vec<String>,
    ) -> Result<(), String> {
        let mut misfits = Vec::new();
        for variant in variants {
            let mut keys = Vec::new();
            match self.fits(variant, value, at, &mut keys) {
                Ok(()) => {
                    known.append(&mut keys);
                    return Ok(());
                }
                Err(misfit) => misfits.push(misfit),
            }
        }
        Err(format!("{at}: fits no variant: {}", misfits.join("; ")))
    }

    fn fits_whole(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let mut known = Vec::new();
        self.fits(schema, value, at, &mut known)?;
        unknown_keys(value, &known, at)
    }
}

fn unknown_keys(value: &Value, known: &[String], at: &str) -> Result<(), String> {
    let unknown = value.as_object().into_iter().flatten().find(|(name, _)| !known.contains(name));
    unknown.map_or(Ok(()), |(name, _)| Err(format!("{at}: the schema knows no {name}")))
}

fn type_names(value: &Value) -> &'static [&'static str] {
    match value {
        Value::Null => &["null"],
        Value::Bool(_) => &["boolean"],
        Value::Number(number) if number.is_f64() => &["number"],
        Value::Number(_) => &["integer", "number"],
        Value::String(_) => &["string"],
        Value::Array(_) => &["array"],
        Value::Object(_) => &["object"],
    }
}
