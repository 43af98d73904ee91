//! Builders of documents with a block that breaks a rule.

use quire_markup::Document;
use serde_json::{Value, json};

pub fn text(text: &str) -> Value {
    json!({"object": "text", "leaves": [{"object": "leaf", "text": text, "marks": []}]})
}

pub fn paragraph(words: &str) -> Value {
    json!({"object": "block", "type": "paragraph", "nodes": [text(words)]})
}

/// Returns a block with nodes.
pub fn block(kind: &str, data: Value, nodes: &[Value]) -> Value {
    json!({"object": "block", "type": kind, "isVoid": false, "data": data, "nodes": nodes})
}

pub fn void(kind: &str, data: Value) -> Value {
    json!({"object": "block", "type": kind, "isVoid": true, "data": data})
}

/// Returns a paragraph around an inline node.
pub fn line(node: Value) -> Value {
    block("paragraph", json!({}), &[text("before"), node])
}

pub fn inline(kind: &str, data: Value) -> Value {
    json!({"object": "inline", "type": kind, "isVoid": true, "data": data})
}

pub fn marked(mark: Value) -> Value {
    let leaf = json!({"object": "leaf", "text": "a", "marks": [mark]});
    block("paragraph", json!({}), &[json!({"object": "text", "leaves": [leaf]})])
}

pub fn fragment(role: &str, nodes: &[Value]) -> Value {
    json!({"object": "fragment", "type": role, "nodes": nodes})
}

pub fn with(mut node: Value, name: &str, value: Value) -> Value {
    node[name] = value;
    node
}

pub fn without(mut node: Value, name: &str) -> Value {
    node.as_object_mut().unwrap().remove(name).unwrap();
    node
}

pub fn expandable(fragments: &[Value]) -> Value {
    with(void("expandable", json!({})), "fragments", json!(fragments))
}

/// Returns a table of one record, whose one column has these properties and whose one cell has this value.
pub fn table(column: Value, value: Value) -> Value {
    let mut definition = json!({"id": "a", "title": "A"});
    definition.as_object_mut().unwrap().extend(column.as_object().unwrap().clone());
    let view = json!({"type": "grid", "columns": ["a"], "hideHeader": false});
    let records = json!({"r": {"orderIndex": "1", "values": {"a": value}}});
    let data = json!({"view": view, "definition": {"a": definition}, "records": records});
    with(void("table", data), "fragments", json!([]))
}

pub fn view(view: Value) -> Value {
    let data = json!({"view": view, "definition": {}, "records": {}});
    with(void("table", data), "fragments", json!([]))
}

pub fn document(nodes: &[Value]) -> Value {
    json!({"object": "document", "data": {"schemaVersion": 1}, "nodes": nodes})
}

/// Returns the errors of a document, one per line.
pub fn errors_of(json: &Value) -> String {
    let errors = Document::from_json(json).unwrap_err();
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Asserts that every block is refused with exactly one error, at a path below the block.
pub fn assert_refused(cases: &[(Value, &str)]) {
    for (block, expected) in cases {
        let errors = errors_of(&document(&[paragraph("fine"), block.clone()]));
        let separator = if expected.starts_with(':') { "" } else { "." };
        assert_eq!(errors, format!("document.nodes[1]{separator}{expected}"), "{block}");
        // Documents that break a rule added later stay readable.
        if let Ok(stored) = Document::from_stored_value(&document(&[paragraph("fine"), block.clone()])) {
            assert_eq!(Document::from_stored_value(&stored.to_json()).as_ref(), Ok(&stored), "{block}");
        }
    }
}
