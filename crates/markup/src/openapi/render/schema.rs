//! Schemas, rendered as the text of their types and a table of their properties.

use crate::limits::openapi::{
    MAX_ALTERNATIVES, MAX_ENUM_VALUES, MAX_LITERAL_CHARS, MAX_PROPERTY_DEPTH, MAX_PROPERTY_ROWS,
};
use std::collections::HashSet;

use super::super::json::Json;
use super::blocks::{Grid, cell_markdown, code_text, joined, page_link, paragraph, text};
use super::direction::Direction;
use super::resolve::{Parts, name_of};
use super::style::scalar;
use crate::document::{Block, Inline};

/// Returns a schema in messages of a direction: its type, and its properties as a table.
pub(super) fn schema(schema: &Json, parts: &Parts<'_>, direction: Direction) -> Vec<Block> {
    let mut nodes = Vec::new();
    let mut line = vec![text("Type: ")];
    line.extend(type_of(schema, parts));
    nodes.push(paragraph(line));
    nodes.extend(constraints(parts.follow(schema), parts));
    let mut grid = Grid::new(&["Property", "Type", "Required", "Description"]);
    let mut walk = Walk { parts, direction, grid: &mut grid, above: Vec::new() };
    walk.properties(schema, "", 0);
    if grid.len() >= MAX_PROPERTY_ROWS {
        grid.row(vec![vec![paragraph(vec![text("…")])]]);
    }
    nodes.extend(grid.build());
    nodes
}

/// State of a traversal of a schema.
struct Walk<'a, 'g> {
    parts: &'a Parts<'a>,
    direction: Direction,
    grid: &'g mut Grid,
    /// References on the path to the current schema. A repeated one is a cycle.
    above: Vec<String>,
}

impl Walk<'_, '_> {
    fn properties(&mut self, schema: &Json, prefix: &str, depth: usize) {
        if depth > MAX_PROPERTY_DEPTH || self.grid.len() >= MAX_PROPERTY_ROWS || !self.parts.visit() {
            return;
        }
        let reference = schema.str("$ref").map(str::to_owned);
        if let Some(reference) = &reference {
            if self.above.contains(reference) {
                return;
            }
            self.above.push(reference.clone());
        }
        let target = self.parts.follow(schema);
        for part in target.items_of("allOf") {
            self.properties(part, prefix, depth.saturating_add(1));
        }
        for key in ["oneOf", "anyOf"] {
            for alternative in target.items_of(key).iter().take(MAX_ALTERNATIVES) {
                self.properties(alternative, prefix, depth.saturating_add(1));
            }
        }
        let required: HashSet<&str> = target.items_of("required").iter().filter_map(Json::as_str).collect();
        for (name, property) in target.entries_of("properties") {
            if self.grid.len() >= MAX_PROPERTY_ROWS || !self.parts.visit() {
                break;
            }
            if !self.direction.has(property, self.parts) {
                continue;
            }
            let is_required = required.contains(name.as_str());
            self.property(&format!("{prefix}{name}"), property, is_required, depth);
        }
        if let Some(items) = target.get("items") {
            self.properties(items, &format!("{prefix}[]."), depth.saturating_add(1));
        }
        if let Some(values @ Json::Object(_)) = target.get("additionalProperties") {
            self.properties(values, &format!("{prefix}*."), depth.saturating_add(1));
        }
        if reference.is_some() {
            self.above.pop();
        }
    }

    fn property(&mut self, name: &str, property: &Json, is_required: bool, depth: usize) {
        let target = self.parts.follow(property);
        let mut about =
            cell_markdown(self.parts.text(property.str("description").or_else(|| target.str("description"))));
        if target.flag("deprecated") {
            about.insert(0, paragraph(vec![text("Deprecated.")]));
        }
        about.extend(constraints(target, self.parts));
        self.grid.row(vec![
            vec![paragraph(vec![code_text(name)])],
            vec![paragraph(type_of(property, self.parts))],
            vec![paragraph(vec![text(if is_required { "yes" } else { "no" })])],
            joined(about),
        ]);
        self.properties(property, &format!("{name}."), depth.saturating_add(1));
    }
}

/// Returns a schema's type as text. Names of models link to their pages.
#[must_use]
pub fn type_of(schema: &Json, parts: &Parts<'_>) -> Vec<Inline> {
    let mut words = Vec::new();
    push_type(schema, parts, &mut words, 0);
    words
}

fn push_type(schema: &Json, parts: &Parts<'_>, words: &mut Vec<Inline>, depth: usize) {
    if let Some(reference) = schema.str("$ref") {
        let name = name_of(reference);
        words.push(
            parts.page_of(reference).map_or_else(|| text(name.as_str()), |page| page_link(&name, &page)),
        );
        return;
    }
    if depth > MAX_PROPERTY_DEPTH || !parts.visit() {
        words.push(text("…"));
        return;
    }
    let alternatives = ["oneOf", "anyOf", "allOf"].into_iter().find_map(|key| {
        let listed = schema.items_of(key);
        (!listed.is_empty()).then_some((if key == "allOf" { " and " } else { " or " }, listed))
    });
    if let Some((between, listed)) = alternatives.filter(|_| schema.get("properties").is_none()) {
        for (index, alternative) in listed.iter().take(MAX_ALTERNATIVES).enumerate() {
            if index > 0 {
                words.push(text(between));
            }
            push_type(alternative, parts, words, depth.saturating_add(1));
        }
        return;
    }
    let named = plain_type(schema);
    match schema.get("items").filter(|_| named.starts_with("array")) {
        Some(items) => {
            words.push(text("array of "));
            push_type(items, parts, words, depth.saturating_add(1));
            words.extend(named.strip_prefix("array").filter(|rest| !rest.is_empty()).map(text));
        }
        None => words.push(text(named)),
    }
}

/// Returns a type in words, such as `string (date-time) or null`.
fn plain_type(schema: &Json) -> String {
    let mut named = match schema.get("type") {
        Some(Json::Text(name)) => name.clone(),
        Some(Json::List(names)) => names.iter().filter_map(Json::as_str).collect::<Vec<_>>().join(" or "),
        _ if schema.get("properties").is_some() => "object".to_owned(),
        _ if schema.get("items").is_some() => "array".to_owned(),
        _ if schema.get("enum").is_some() || schema.get("const").is_some() => "enum".to_owned(),
        _ => "any".to_owned(),
    };
    if let Some(format) = schema.str("format") {
        named.push_str(&format!(" ({format})"));
    }
    if schema.flag("nullable") {
        named.push_str(" or null");
    }
    named
}

/// Returns the constraints on a value besides its type, as one paragraph. Constraints on the items of a list follow.
#[must_use]
pub fn constraints(schema: &Json, parts: &Parts<'_>) -> Option<Block> {
    let mut words = constraint_words(schema);
    let items = schema.get("items").map(|items| constraint_words(parts.follow(items))).unwrap_or_default();
    if !items.is_empty() {
        words.push(text("Each item: "));
        words.extend(items);
    }
    (!words.is_empty()).then(|| paragraph(trimmed(words)))
}

fn constraint_words(schema: &Json) -> Vec<Inline> {
    let mut words: Vec<Inline> = Vec::new();
    for (key, label) in [("readOnly", "Read-only. "), ("writeOnly", "Write-only. ")] {
        if schema.flag(key) {
            words.push(text(label));
        }
    }
    let values = schema.items_of("enum");
    if !values.is_empty() {
        words.push(text("One of: "));
        words.extend(enumeration(values, &descriptions_of(schema, values)));
        words.push(text(". "));
    }
    // Before OpenAPI 3.1, an exclusive bound is a flag of the inclusive one.
    let (above, below) = (schema.flag("exclusiveMinimum"), schema.flag("exclusiveMaximum"));
    for (key, label) in [
        ("const", "Always"),
        ("default", "Default"),
        ("minimum", if above { "Greater than" } else { "At least" }),
        ("exclusiveMinimum", "Greater than"),
        ("maximum", if below { "Less than" } else { "At most" }),
        ("exclusiveMaximum", "Less than"),
        ("multipleOf", "Multiple of"),
        ("minLength", "Shortest"),
        ("maxLength", "Longest"),
        ("minItems", "Fewest"),
        ("maxItems", "Most"),
        ("minProperties", "Fewest properties"),
        ("maxProperties", "Most properties"),
        ("pattern", "Pattern"),
        ("contentMediaType", "Content type"),
        ("contentEncoding", "Encoding"),
    ] {
        let is_flag = |value: &Json| key.starts_with("exclusive") && matches!(value, Json::Bool(_));
        if let Some(value) = schema.get(key).filter(|value| **value != Json::Null && !is_flag(value)) {
            words.extend([text(format!("{label}: ")), code_text(literal(value)), text(". ")]);
        }
    }
    if schema.flag("uniqueItems") {
        words.push(text("Items are unique. "));
    }
    words
}

/// Returns values with their descriptions in parentheses. An ellipsis replaces values beyond the bound.
pub(super) fn enumeration(values: &[Json], descriptions: &[Option<&str>]) -> Vec<Inline> {
    let mut words = Vec::new();
    for (index, value) in values.iter().take(MAX_ENUM_VALUES).enumerate() {
        if index > 0 {
            words.push(text(", "));
        }
        words.push(code_text(literal(value)));
        let described = descriptions.get(index).copied().flatten().map(str::trim).unwrap_or_default();
        if !described.is_empty() {
            let described: String = described.chars().take(MAX_LITERAL_CHARS).collect();
            let line = described.split_whitespace().collect::<Vec<_>>().join(" ");
            words.push(text(format!(" ({})", line.trim_end_matches('.'))));
        }
    }
    if values.len() > MAX_ENUM_VALUES {
        words.push(text(", …"));
    }
    words
}

/// Returns the descriptions of values. Extensions list them by value or in the order of the values.
fn descriptions_of<'j>(schema: &'j Json, values: &[Json]) -> Vec<Option<&'j str>> {
    let found = ["x-enumDescriptions", "x-enum-descriptions", "x-enumNames", "x-enum-varnames"];
    let Some(found) = found.into_iter().find_map(|key| schema.get(key)) else { return Vec::new() };
    let of = |(index, value): (usize, &Json)| match found {
        Json::List(texts) => texts.get(index).and_then(Json::as_str),
        texts => texts.str(&scalar(value)),
    };
    values.iter().take(MAX_ENUM_VALUES).enumerate().map(of).collect()
}

/// Returns a value on one line; a string without quotes.
pub(super) fn literal(value: &Json) -> String {
    let line = match value.as_str() {
        Some(text) => text.chars().take(MAX_LITERAL_CHARS).collect(),
        None => value.to_line_within(MAX_LITERAL_CHARS),
    };
    if line.is_empty() { "\"\"".to_owned() } else { line.replace(['\n', '\r'], " ") }
}

/// Removes the trailing space, which no notation keeps.
fn trimmed(mut words: Vec<Inline>) -> Vec<Inline> {
    if let Some(Inline::Text(last)) = words.last_mut()
        && let Some(leaf) = last.leaves.last_mut()
    {
        leaf.text.truncate(leaf.text.trim_end().len());
    }
    words
}
