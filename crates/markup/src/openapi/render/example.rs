//! Examples generated from a schema.

use super::super::json::{Entries, Json};
use super::blocks::listing;
use super::resolve::Parts;
use crate::document::Block;
use crate::limits::openapi::{MAX_EXAMPLE_BYTES, MAX_EXAMPLE_DEPTH, MAX_EXAMPLE_VALUES};

/// Returns an example for a schema; `None` if the schema is too vague.
pub(super) fn of_schema(schema: &Json, parts: &Parts<'_>) -> Option<Block> {
    let example = example_of(schema, parts)?;
    Some(listing("json", &example.to_lines_within(MAX_EXAMPLE_BYTES)))
}

/// Returns an example value for a schema; `None` if the schema is too vague.
#[must_use]
pub fn example_of(schema: &Json, parts: &Parts<'_>) -> Option<Json> {
    let mut maker = Maker { parts, above: Vec::new(), left: MAX_EXAMPLE_VALUES, given: MAX_EXAMPLE_BYTES };
    let example = maker.value(schema, 0);
    (example != Json::Null && example != Json::object([])).then_some(example)
}

struct Maker<'a> {
    parts: &'a Parts<'a>,
    above: Vec<String>,
    left: usize,
    /// Number of bytes of given examples that may still be copied.
    given: usize,
}

impl Maker<'_> {
    fn value(&mut self, schema: &Json, depth: usize) -> Json {
        if depth > MAX_EXAMPLE_DEPTH || self.left == 0 || !self.parts.visit() {
            return Json::Null;
        }
        self.left = self.left.saturating_sub(1);
        let reference = schema.str("$ref").map(str::to_owned);
        if let Some(reference) = &reference {
            if self.above.contains(reference) {
                return Json::Null;
            }
            self.above.push(reference.clone());
        }
        let value = self.of_target(self.parts.follow(schema), depth);
        if reference.is_some() {
            self.above.pop();
        }
        value
    }

    fn of_target(&mut self, schema: &Json, depth: usize) -> Json {
        let given = ["example", "const", "default"].into_iter().find_map(|key| schema.get(key));
        let given =
            given.or_else(|| schema.items_of("examples").first()).or_else(|| schema.items_of("enum").first());
        if let Some(given) = given.filter(|given| **given != Json::Null) {
            return self.taken_over(given);
        }
        let all = schema.items_of("allOf");
        if !all.is_empty() || schema.get("properties").is_some() {
            return self.object(schema, all, depth);
        }
        if let Some(first) = ["oneOf", "anyOf"].into_iter().find_map(|key| schema.items_of(key).first()) {
            return self.value(first, depth.saturating_add(1));
        }
        let kind = match schema.get("type") {
            Some(Json::List(names)) => names.iter().filter_map(Json::as_str).find(|name| *name != "null"),
            kind => kind.and_then(Json::as_str),
        };
        match kind {
            Some("string") => Json::text(text_of(schema.str("format"))),
            Some("integer" | "number") => {
                schema.get("minimum").map_or(Json::Number(0.into()), |least| self.taken_over(least))
            }
            Some("boolean") => Json::Bool(true),
            Some("array") => self.list(schema, depth),
            Some("object") => match schema.get("additionalProperties") {
                Some(values @ Json::Object(_)) => {
                    let value = self.value(values, depth.saturating_add(1));
                    Json::object([("key", value)])
                }
                _ => Json::object([]),
            },
            _ if schema.get("items").is_some() => self.list(schema, depth),
            _ => Json::Null,
        }
    }

    /// Returns an example value given in the specification, unless it exceeds the remaining size.
    fn taken_over(&mut self, given: &Json) -> Json {
        let weight = given.weight(self.given);
        if weight > self.given {
            return Json::text("…");
        }
        self.given = self.given.saturating_sub(weight);
        given.clone()
    }

    fn list(&mut self, schema: &Json, depth: usize) -> Json {
        let item = schema.get("items").map(|items| self.value(items, depth.saturating_add(1)));
        Json::List(item.filter(|item| *item != Json::Null).into_iter().collect())
    }

    fn object(&mut self, schema: &Json, all: &[Json], depth: usize) -> Json {
        let mut entries = Entries::new();
        for part in all {
            if self.left == 0 {
                break;
            }
            if let Json::Object(values) = self.value(part, depth.saturating_add(1)) {
                values.into_iter().for_each(|(name, value)| entries.set(name, value));
            }
        }
        for (name, property) in schema.entries_of("properties") {
            if self.left == 0 {
                break;
            }
            let value = self.value(property, depth.saturating_add(1));
            entries.set(name.clone(), value);
        }
        Json::Object(entries.into_entries())
    }
}

fn text_of(format: Option<&str>) -> &'static str {
    match format {
        Some("date-time") => "2026-01-02T03:04:05Z",
        Some("date") => "2026-01-02",
        Some("uuid") => "0197f1d0-0000-7000-8000-000000000001",
        Some("email") => "ada@example.com",
        Some("uri" | "url") => "https://example.com",
        Some("hostname") => "example.com",
        Some("ipv4") => "192.0.2.1",
        _ => "text",
    }
}
