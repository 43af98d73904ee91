//! Example values as XML, with the names that schemas give to elements (`xml`).

use super::super::json::Json;
use super::resolve::{Parts, name_of};
use crate::limits::openapi::{MAX_EXAMPLE_BYTES, MAX_EXAMPLE_DEPTH};

/// Name of the root element if the schema has none.
const ROOT: &str = "root";

/// Returns a value as an XML document, truncated to the bound of examples.
pub(super) fn document(value: &Json, schema: &Json, parts: &Parts<'_>) -> String {
    let name = schema.str("$ref").map_or_else(|| ROOT.to_owned(), name_of);
    let mut writer =
        Writer { parts, out: String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"), cut: false };
    match value {
        Json::List(items) => {
            let schema = parts.follow(schema);
            let (start, end) = writer.names(schema, &name);
            let named = schema.get("items").and_then(|items| items.str("$ref")).map(name_of);
            let item = item_of(schema, parts);
            writer.line(0, &format!("<{start}>"));
            items.iter().for_each(|value| writer.element(value, item, named.as_deref().unwrap_or(&name), 1));
            writer.line(0, &format!("</{end}>"));
        }
        value => writer.element(value, schema, &name, 0),
    }
    if writer.cut {
        writer.out.push_str("\n…");
    }
    writer.out
}

struct Writer<'a> {
    parts: &'a Parts<'a>,
    out: String,
    /// The output was truncated.
    cut: bool,
}

impl Writer<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        if self.out.len().saturating_add(text.len()) > MAX_EXAMPLE_BYTES {
            self.cut = true;
            return;
        }
        self.out.push('\n');
        self.out.push_str(&"  ".repeat(depth));
        self.out.push_str(text);
    }

    /// Returns the content of the start tag of an element, and its name.
    fn names(&self, schema: &Json, name: &str) -> (String, String) {
        let xml = self.parts.follow(schema).get("xml").unwrap_or(&Json::Null);
        let prefix = xml.str("prefix").filter(|prefix| !prefix.is_empty());
        let name = valid(xml.str("name").unwrap_or(name));
        let name = prefix.map_or_else(|| name.clone(), |prefix| format!("{}:{name}", valid(prefix)));
        let start = match (xml.str("namespace"), prefix) {
            (Some(space), Some(prefix)) => format!("{name} xmlns:{}=\"{}\"", valid(prefix), escaped(space)),
            (Some(space), None) => format!("{name} xmlns=\"{}\"", escaped(space)),
            (None, _) => name.clone(),
        };
        (start, name)
    }

    fn element(&mut self, value: &Json, schema: &Json, name: &str, depth: usize) {
        if self.cut {
            return;
        }
        let (mut start, end) = self.names(schema, name);
        match value {
            Json::Object(entries) => {
                let mut children = Vec::new();
                for (key, value) in entries {
                    let property = property_of(schema, key, self.parts, 0).unwrap_or(&Json::Null);
                    let xml = self.parts.follow(property).get("xml").unwrap_or(&Json::Null);
                    if xml.flag("attribute") && !matches!(value, Json::Object(_) | Json::List(_)) {
                        let (_, name) = self.names(property, key);
                        start.push_str(&format!(" {name}=\"{}\"", escaped(&text_of(value))));
                    } else {
                        children.push((key, value, property));
                    }
                }
                if children.is_empty() {
                    return self.line(depth, &format!("<{start}/>"));
                }
                self.line(depth, &format!("<{start}>"));
                children.into_iter().for_each(|(key, value, property)| {
                    self.property(value, property, key, depth.saturating_add(1));
                });
                self.line(depth, &format!("</{end}>"));
            }
            Json::Null => self.line(depth, &format!("<{start}/>")),
            value => self.line(depth, &format!("<{start}>{}</{end}>", escaped(&text_of(value)))),
        }
    }

    /// Writes a property. A list is written as one element per item, inside an element of its own if it is `wrapped`.
    fn property(&mut self, value: &Json, schema: &Json, name: &str, depth: usize) {
        let Json::List(items) = value else { return self.element(value, schema, name, depth) };
        let target = self.parts.follow(schema);
        let item = item_of(target, self.parts);
        let xml = target.get("xml").unwrap_or(&Json::Null);
        if !xml.flag("wrapped") {
            return items.iter().for_each(|value| self.element(value, item, name, depth));
        }
        let (start, end) = self.names(target, name);
        let name = xml.str("name").unwrap_or(name);
        self.line(depth, &format!("<{start}>"));
        items.iter().for_each(|value| self.element(value, item, name, depth.saturating_add(1)));
        self.line(depth, &format!("</{end}>"));
    }
}

fn item_of<'j>(schema: &'j Json, parts: &'j Parts<'_>) -> &'j Json {
    schema.get("items").map_or(&Json::Null, |items| parts.follow(items))
}

/// Returns the schema of a property, which may be declared in a part of the schema.
pub(super) fn property_of<'j>(
    schema: &'j Json,
    name: &str,
    parts: &'j Parts<'_>,
    depth: usize,
) -> Option<&'j Json> {
    if depth > MAX_EXAMPLE_DEPTH || !parts.visit() {
        return None;
    }
    let schema = parts.follow(schema);
    let own = schema.get("properties").and_then(|properties| properties.get(name));
    own.or_else(|| {
        let combined = ["allOf", "oneOf", "anyOf"].into_iter().flat_map(|key| schema.items_of(key));
        combined.into_iter().find_map(|part| property_of(part, name, parts, depth.saturating_add(1)))
    })
}

fn text_of(value: &Json) -> String {
    match value {
        Json::Text(text) => text.chars().take(MAX_EXAMPLE_BYTES).collect(),
        Json::Null => String::new(),
        other => other.to_line_within(MAX_EXAMPLE_BYTES),
    }
}

/// Returns a valid XML name. Invalid characters become underscores.
fn valid(name: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let mut name: String = name.chars().map(|c| if is_part(c) { c } else { '_' }).collect();
    if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        name.insert(0, '_');
    }
    name
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn xml(schema: &str, value: &str) -> String {
        let (schema, value) = (Json::parse(schema).unwrap(), Json::parse(value).unwrap());
        let parts = HashMap::new();
        document(&value, &schema, &Parts::new(&parts, &|_| None))
    }

    #[test]
    fn elements_have_the_names_of_their_schemas() {
        let schema = r#"{"xml": {"name": "pet", "namespace": "urn:p", "prefix": "p"}, "allOf": [{"properties": {
            "id": {"xml": {"attribute": true}}, "tags": {"items": {"xml": {"name": "tag"}}, "xml": {"wrapped": true}},
            "photos": {"xml": {"name": "ignored"}}, "kinds": {"xml": {"name": "all", "wrapped": true}}}}]}"#;
        let value = r#"{"id": 5, "name": "a<b & \"c\"", "tags": ["x", {"n": null}], "photos": ["u", "v"], "kinds": [1],
            "2 bad": true}"#;
        insta::assert_snapshot!(xml(schema, value), @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <p:pet xmlns:p="urn:p" id="5">
          <name>a&lt;b &amp; &quot;c&quot;</name>
          <tags>
            <tag>x</tag>
            <tag>
              <n/>
            </tag>
          </tags>
          <photos>u</photos>
          <photos>v</photos>
          <all>
            <all>1</all>
          </all>
          <_2_bad>true</_2_bad>
        </p:pet>
        "#);
    }

    #[test]
    fn lists_and_plain_values_have_a_root() {
        let end = |text: &str| text.lines().skip(1).collect::<Vec<_>>().join("");
        assert_eq!(
            end(&xml(r#"{"xml": {"name": "a"}, "items": {"xml": {"name": "b"}}}"#, "[1]")),
            "<a>  <b>1</b></a>"
        );
        assert_eq!(end(&xml("{}", r#""x""#)), "<root>x</root>");
        assert_eq!(end(&xml("{}", "{}")), "<root/>");
    }

    #[test]
    fn long_values_are_cut() {
        let value = format!("[{}]", vec!["\"text\""; 20_000].join(","));
        let text = xml("{}", &value);
        assert!(text.len() < MAX_EXAMPLE_BYTES + 100 && text.ends_with('…'), "{}", text.len());
    }
}
