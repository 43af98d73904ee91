//! Examples generated from a schema.

use super::super::json::{Entries, Json};
use super::blocks::listing;
use super::direction::Direction;
use super::resolve::Parts;
use crate::document::Block;
use crate::limits::openapi::{MAX_EXAMPLE_BYTES, MAX_EXAMPLE_DEPTH, MAX_EXAMPLE_VALUES};

/// Returns an example for a schema; `None` if the schema is too vague.
pub(super) fn of_schema(schema: &Json, parts: &Parts<'_>) -> Option<Block> {
    let example = example_of(schema, parts, Direction::Any)?;
    Some(listing("json", &example.to_lines_within(MAX_EXAMPLE_BYTES)))
}

/// Returns an example value for a schema in messages of a direction; `None` if the schema is too vague.
#[must_use]
pub fn example_of(schema: &Json, parts: &Parts<'_>, direction: Direction) -> Option<Json> {
    let (left, given) = (MAX_EXAMPLE_VALUES, MAX_EXAMPLE_BYTES);
    let mut maker = Maker { parts, direction, above: Vec::new(), left, given };
    let example = maker.value(schema, 0);
    (example != Json::Null && example != Json::object([])).then_some(example)
}

struct Maker<'a> {
    parts: &'a Parts<'a>,
    direction: Direction,
    above: Vec<String>,
    left: usize,
    /// Number of bytes of the specification's own examples that may still be copied.
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
            Some("integer" | "number") => number_of(schema).unwrap_or_else(|| Json::Number(0.into())),
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

    /// Returns an example value from the specification, unless it exceeds the remaining size.
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
            if self.direction.has(property, self.parts) {
                let value = self.value(property, depth.saturating_add(1));
                entries.set(name.clone(), value);
            }
        }
        Json::Object(entries.into_entries())
    }
}

/// Returns the number within the bounds of a schema that is nearest to 0, or to the lower bound.
fn number_of(schema: &Json) -> Option<Json> {
    let number = |key: &str| match schema.get(key) {
        Some(Json::Number(number)) => number.as_f64(),
        _ => None,
    };
    let step = number("multipleOf").filter(|step| *step > 0.0);
    // An exclusive bound is a number, or before OpenAPI 3.1 a flag that makes the inclusive bound exclusive.
    let bound = |inclusive: &str, exclusive: &str, inwards: f64| {
        let open = number(exclusive).or_else(|| number(inclusive).filter(|_| schema.flag(exclusive)));
        open.map(|open| open + inwards * step.unwrap_or(1.0)).or_else(|| number(inclusive))
    };
    let least = bound("minimum", "exclusiveMinimum", 1.0);
    let most = bound("maximum", "exclusiveMaximum", -1.0);
    let mut found = least.or_else(|| most.filter(|most| *most < 0.0)).unwrap_or(0.0);
    if let Some(step) = step {
        found = if least.is_some() { (found / step).ceil() } else { (found / step).floor() } * step;
    }
    // The range contains no whole number, such as between 0 and 1.
    if let (Some(low), Some(high)) = (number("minimum").or_else(|| number("exclusiveMinimum")), most)
        && found > high
    {
        found = f64::midpoint(low, number("maximum").or_else(|| number("exclusiveMaximum")).unwrap_or(high));
    }
    let whole = serde_json::from_str(&found.to_string()).ok().filter(|_| found.fract() == 0.0);
    whole.or_else(|| serde_json::Number::from_f64(found)).map(Json::Number)
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
        Some("ipv6") => "2001:db8::1",
        Some("time") => "03:04:05Z",
        Some("duration") => "P1D",
        Some("byte") => "dGV4dA==",
        Some("password") => "secret",
        _ => "text",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn example(schema: &str, direction: Direction) -> String {
        let parts = HashMap::new();
        let parts = Parts::new(&parts, &|_| None);
        example_of(&Json::parse(schema).unwrap(), &parts, direction).unwrap_or(Json::Null).to_line()
    }

    #[test]
    fn numbers_are_within_their_bounds() {
        for (schema, expected) in [
            ("{}", "0"),
            (r#"{"minimum": 5}"#, "5"),
            (r#"{"minimum": 1.5}"#, "1.5"),
            (r#"{"exclusiveMinimum": 5}"#, "6"),
            (r#"{"minimum": 5, "exclusiveMinimum": true}"#, "6"),
            (r#"{"minimum": 5, "multipleOf": 4}"#, "8"),
            (r#"{"maximum": -3}"#, "-3"),
            (r#"{"exclusiveMaximum": 0}"#, "-1"),
            (r#"{"maximum": 100}"#, "0"),
            (r#"{"exclusiveMinimum": 0, "maximum": 0.5}"#, "0.25"),
        ] {
            let typed = schema.replacen('{', r#"{"type": "number", "#, 1).replace(", }", "}");
            assert_eq!(example(&typed, Direction::Any), expected, "{schema}");
        }
    }

    #[test]
    fn properties_follow_the_direction() {
        let schema = r#"{"allOf": [{"properties": {"id": {"type": "integer", "readOnly": true}}}],
            "properties": {"name": {"example": "a"}, "secret": {"example": "b", "writeOnly": true}}}"#;
        assert_eq!(example(schema, Direction::Request), r#"{"name":"a","secret":"b"}"#);
        assert_eq!(example(schema, Direction::Response), r#"{"id":0,"name":"a"}"#);
        assert_eq!(example(schema, Direction::Any), r#"{"id":0,"name":"a","secret":"b"}"#);
    }
}
