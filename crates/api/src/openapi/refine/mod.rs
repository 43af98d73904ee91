//! Adjustments of derived schemas for client generators.

use std::collections::HashMap;

use quire_markup::{BlockKind, InlineKind};

use crate::prelude::*;

type Schemas = Map<String, Value>;

/// Makes all adjustments.
pub(super) fn refine(document: &mut Value) {
    join_facts(document);
    each_object(document, &mut |object: &mut Map<String, Value>| {
        // The derive takes defaults from the struct's `Default`, where an absent key is null, which the schema does not
        // allow.
        if object.get("default").is_some_and(Value::is_null) {
            object.remove("default");
        }
        open(object);
        raise_default(object);
        raise_description(object);
    });
    describe_deltas(document);
    name_kinds(document);
    name_variants(document);
    require_bodies(document);
    move_descriptions(document);
}

/// Moves the keys of each `…Facts` schema into the schema of its resource. Only the code keeps them in a struct of
/// their own.
fn join_facts(document: &mut Value) {
    let Some(Value::Object(schemas)) = document.pointer_mut("/components/schemas") else { return };
    let names: Vec<String> = schemas.keys().filter(|name| name.ends_with("Facts")).cloned().collect();
    for name in names {
        let Some(Value::Object(facts)) = schemas.remove(&name) else { continue };
        let target = reference(&name);
        let is_target = |part: &Value| part.get("$ref") == target.get("$ref");
        for schema in schemas.values_mut() {
            let Some(Value::Array(parts)) = schema.get_mut("allOf") else { continue };
            let Some(at) = parts.iter().position(is_target) else { continue };
            parts.remove(at);
            if let [single] = parts.as_mut_slice() {
                let single = single.take();
                if let (Value::Object(schema), Value::Object(single)) = (&mut *schema, single) {
                    schema.remove("allOf");
                    schema.extend(single);
                }
            }
            let own = schema.get("required").and_then(Value::as_array).map_or(0, Vec::len);
            add_properties(schema, facts.clone());
            // Required keys are in the order of the fields: `object`, facts, others.
            let required = schema.get_mut("required").and_then(Value::as_array_mut);
            if let Some(keys) = required {
                let tag = usize::from(keys.first().is_some_and(|key| key == "object"));
                if let Some(keys) = keys.get_mut(tag..) {
                    keys.rotate_left(own.saturating_sub(tag));
                }
            }
        }
    }
}

/// Moves the descriptions next to the references in unions. Some generators lose a variant that is not a bare
/// reference.
fn move_descriptions(document: &mut Value) {
    let mut of_targets: Vec<(String, Value)> = Vec::new();
    each_object(document, &mut |object: &mut Map<String, Value>| {
        for union in ["oneOf", "anyOf"] {
            let Some(Value::Array(variants)) = object.get_mut(union) else { continue };
            let is_named = |variant: &Value| variant.get("$ref").is_some();
            let is_single = variants.iter().filter(|variant| is_named(variant)).count() == 1;
            let mut single = None;
            for variant in variants.iter_mut().filter_map(Value::as_object_mut) {
                let Some(target) = variant.get("$ref").and_then(Value::as_str).map(str::to_owned) else {
                    continue;
                };
                match variant.remove("description") {
                    Some(description) if is_single => single = Some(description),
                    Some(description) => of_targets.push((target, description)),
                    None => {}
                }
            }
            if let Some(description) = single {
                object.entry("description").or_insert(description);
            }
        }
    });
    for (target, description) in of_targets {
        let target = target.strip_prefix('#').and_then(|pointer| document.pointer_mut(pointer));
        if let Some(Value::Object(schema)) = target {
            schema.entry("description").or_insert(description);
        }
    }
}

fn each_object(value: &mut Value, change: &mut impl FnMut(&mut Map<String, Value>)) {
    match value {
        Value::Object(object) => {
            object.values_mut().for_each(|value| each_object(value, change));
            change(object);
        }
        Value::Array(items) => items.iter_mut().for_each(|value| each_object(value, change)),
        _ => {}
    }
}

/// Allows any keys in an object without described keys, which some generators treat as an empty object.
fn open(object: &mut Map<String, Value>) {
    let says_more = ["properties", "additionalProperties", "allOf", "oneOf", "default", "enum"];
    if object.get("type").is_some_and(|kind| kind == "object")
        && !says_more.iter().any(|key| object.contains_key(*key))
    {
        object.insert("additionalProperties".to_owned(), Value::Bool(true));
    }
}

/// Converts a default in a second schema, an object that matches no text, to a keyword of the first schema: `allOf:
/// [schema, {type: object, default}]` becomes `schema` with `default`.
fn raise_default(object: &mut Map<String, Value>) {
    let Some(Value::Array(parts)) = object.get("allOf") else { return };
    let [Value::Object(schema), Value::Object(second)] = parts.as_slice() else { return };
    if second.len() != 2 || second.get("type").is_none_or(|kind| kind != "object") {
        return;
    }
    let Some(default) = second.get("default").cloned() else { return };
    let schema = schema.clone();
    object.remove("allOf");
    object.extend(schema);
    object.insert("default".to_owned(), default);
}

/// Moves the description of a parameter from its schema, where a derived parameter with a schema of its own has it.
fn raise_description(object: &mut Map<String, Value>) {
    if !object.contains_key("in") || object.contains_key("description") {
        return;
    }
    let schema = object.get_mut("schema").and_then(Value::as_object_mut);
    if let Some(description) = schema.and_then(|schema| schema.remove("description")) {
        object.insert("description".to_owned(), description);
    }
}

/// Describes the sides of changes. The derive leaves out descriptions of fields whose type is a parameter.
fn describe_deltas(document: &mut Value) {
    let Some(Value::Object(schemas)) = document.pointer_mut("/components/schemas") else { return };
    for (_, delta) in schemas.iter_mut().filter(|(name, _)| name.starts_with("Delta_")) {
        for (side, description) in
            [("before", "Value before the change."), ("after", "Value after the change.")]
        {
            if let Some(Value::Object(side)) = delta.pointer_mut(&format!("/properties/{side}")) {
                // A reference is described by its target.
                if !side.contains_key("$ref") {
                    side.insert("description".to_owned(), json!(description));
                }
            }
        }
    }
}

/// Lists the kinds of blocks and inlines, which `quire-markup` defines.
fn name_kinds(document: &mut Value) {
    let blocks: Vec<&str> = BlockKind::ALL.iter().map(|kind| kind.as_str()).collect();
    let inlines: Vec<&str> = InlineKind::ALL.iter().map(|kind| kind.as_str()).collect();
    for (schema, kinds) in [("DocumentBlock", blocks), ("DocumentInline", inlines)] {
        let pointer = format!("/components/schemas/{schema}/properties/type");
        if let Some(Value::Object(kind)) = document.pointer_mut(&pointer) {
            kind.insert("enum".to_owned(), json!(kinds));
        }
    }
}

/// Names each object that is a variant of a named union, and adds the discriminator of the union.
fn name_variants(document: &mut Value) {
    let mut uses = HashMap::new();
    count_references(document, &mut uses);
    let Some(Value::Object(schemas)) = document.pointer_mut("/components/schemas") else { return };
    let unions: Vec<String> = schemas
        .iter()
        .filter(|(_, schema)| schema.get("oneOf").is_some())
        .map(|(name, _)| name.clone())
        .collect();
    for union in unions {
        let Some(Value::Array(variants)) =
            schemas.get(&union).and_then(|schema| schema.get("oneOf")).cloned()
        else {
            continue;
        };
        let variants: Vec<Value> =
            variants.into_iter().map(|variant| named(&union, variant, schemas, &uses)).collect();
        let discriminator = discriminator(&variants, schemas);
        if let Some(Value::Object(schema)) = schemas.get_mut(&union) {
            schema.insert("oneOf".to_owned(), Value::Array(variants));
            if let Some(discriminator) = discriminator {
                schema.insert("discriminator".to_owned(), discriminator);
            }
        }
    }
}

/// Adds a variant to the schemas under its own name, and returns a reference to it.
fn named(union: &str, mut variant: Value, schemas: &mut Schemas, uses: &HashMap<String, usize>) -> Value {
    if let Some((name, tag)) = tagged_reference(&variant) {
        // The tag is added to a struct that is used only as this variant.
        if uses.get(&name) == Some(&1)
            && let Some(schema) = schemas.get_mut(&name)
        {
            add_properties(schema, tag);
            return reference(&name);
        }
    } else if variant.get("properties").is_none() && variant.get("additionalProperties").is_none() {
        return variant;
    }
    let mut name = format!("{union}{}", pascal_case(&distinction(&variant)));
    while schemas.contains_key(&name) {
        name.push_str("Variant");
    }
    schemas.insert(name.clone(), std::mem::take(&mut variant));
    reference(&name)
}

/// Returns the parts of `allOf: [{$ref}, {properties: {tag}}]`: a struct and its tag.
fn tagged_reference(variant: &Value) -> Option<(String, Map<String, Value>)> {
    let Some([Value::Object(target), Value::Object(tag)]) =
        variant.get("allOf")?.as_array().map(Vec::as_slice)
    else {
        return None;
    };
    let name = target.get("$ref")?.as_str()?.rsplit('/').next()?;
    Some((name.to_owned(), tag.clone()))
}

/// Adds the properties of one object to another, or to the last part of a composite one.
fn add_properties(schema: &mut Value, added: Map<String, Value>) {
    let parts = schema.get_mut("allOf").and_then(Value::as_array_mut);
    let own = match parts {
        Some(parts) => {
            return parts.iter_mut().rev().take(1).for_each(|part| add_properties(part, added.clone()));
        }
        None => schema.as_object_mut(),
    };
    let Some(own) = own else { return };
    for (keyword, value) in added {
        match (own.get_mut(&keyword), value) {
            (Some(Value::Object(own)), Value::Object(value)) => own.extend(value),
            (Some(Value::Array(own)), Value::Array(value)) => own.extend(value),
            (Some(_), _) => {}
            (None, value) => {
                own.insert(keyword, value);
            }
        }
    }
}

/// Returns the distinctive word of a variant: the value of its tag, else its first required key, else `Map`.
fn distinction(variant: &Value) -> String {
    let parts =
        variant.get("allOf").and_then(Value::as_array).map_or(std::slice::from_ref(variant), Vec::as_slice);
    let mut properties = parts.iter().filter_map(|part| part.get("properties")?.as_object()).flatten();
    let tag = properties.find_map(|(_, property)| single_value(property));
    let mut required = parts.iter().filter_map(|part| part.get("required")?.as_array()).flatten();
    let word = tag.or_else(|| required.next()?.as_str());
    word.unwrap_or("Map").to_owned()
}

fn single_value(property: &Value) -> Option<&str> {
    match property.get("enum")?.as_array()?.as_slice() {
        [value] => value.as_str(),
        _ => None,
    }
}

/// Returns the discriminator of a union of references, if one key has a distinct constant value in each.
fn discriminator(variants: &[Value], schemas: &Schemas) -> Option<Value> {
    let names: Vec<&str> =
        variants.iter().map(|variant| variant.get("$ref")?.as_str()).collect::<Option<_>>()?;
    let tags: Vec<HashMap<&str, &str>> = names.iter().map(|name| tags_of(name, schemas)).collect();
    let mut keys: Vec<&str> = tags.first()?.keys().copied().collect();
    keys.sort_unstable();
    keys.into_iter().find_map(|key| {
        let values: Vec<&str> = tags.iter().map(|tags| tags.get(key).copied()).collect::<Option<_>>()?;
        let mapping: Map<String, Value> =
            values.iter().zip(&names).map(|(value, name)| ((*value).to_owned(), json!(name))).collect();
        (mapping.len() == names.len()).then(|| json!({"propertyName": key, "mapping": mapping}))
    })
}

/// Returns the keys of an object with a constant value.
fn tags_of<'s>(reference: &str, schemas: &'s Schemas) -> HashMap<&'s str, &'s str> {
    let Some(schema) = target(reference, schemas) else { return HashMap::new() };
    let parts =
        schema.get("allOf").and_then(Value::as_array).map_or(std::slice::from_ref(schema), Vec::as_slice);
    let properties = parts.iter().filter_map(|part| part.get("properties")?.as_object()).flatten();
    properties
        .filter_map(|(key, property)| {
            let reference = property.get("$ref").and_then(Value::as_str);
            let property = reference.map_or(Some(property), |reference| target(reference, schemas))?;
            Some((key.as_str(), single_value(property)?))
        })
        .collect()
}

/// Marks a request body as required if it has a required key, or a choice of forms that each have one.
fn require_bodies(document: &mut Value) {
    let schemas =
        document.pointer("/components/schemas").and_then(Value::as_object).cloned().unwrap_or_default();
    let Some(Value::Object(paths)) = document.get_mut("paths") else { return };
    let operations = paths.values_mut().filter_map(Value::as_object_mut).flat_map(Map::values_mut);
    for body in operations.filter_map(|operation| operation.get_mut("requestBody")?.as_object_mut()) {
        let contents = body.get("content").and_then(Value::as_object).into_iter().flat_map(Map::values);
        let mut references = contents.filter_map(|content| content.pointer("/schema/$ref")?.as_str());
        if references
            .any(|reference| target(reference, &schemas).is_some_and(|schema| is_needed(schema, &schemas)))
        {
            body.insert("required".to_owned(), Value::Bool(true));
        }
    }
}

fn is_needed(schema: &Value, schemas: &Schemas) -> bool {
    let list = |key: &str| schema.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let part_is_needed = |part: &Value| {
        let named = part.get("$ref").and_then(Value::as_str).and_then(|reference| target(reference, schemas));
        is_needed(named.unwrap_or(part), schemas)
    };
    !list("required").is_empty()
        || list("allOf").iter().any(part_is_needed)
        || (!list("oneOf").is_empty() && list("oneOf").iter().all(part_is_needed))
}

fn count_references(value: &Value, uses: &mut HashMap<String, usize>) {
    match value {
        Value::Object(object) => {
            if let Some(name) =
                object.get("$ref").and_then(Value::as_str).and_then(|name| name.rsplit('/').next())
            {
                *uses.entry(name.to_owned()).or_default() += 1;
            }
            object.values().for_each(|value| count_references(value, uses));
        }
        Value::Array(items) => items.iter().for_each(|value| count_references(value, uses)),
        _ => {}
    }
}

fn target<'s>(reference: &str, schemas: &'s Schemas) -> Option<&'s Value> {
    schemas.get(reference.rsplit('/').next()?)
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// Converts `page_created` and `page-created` to `PageCreated`.
fn pascal_case(word: &str) -> String {
    let capitalized = |part: &str| {
        let mut letters = part.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    word.split(|c: char| !c.is_ascii_alphanumeric()).map(capitalized).collect()
}

#[cfg(test)]
mod tests;
