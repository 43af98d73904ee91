//! Document → wire JSON.

use super::{
    Block, Children, Document, Fragment, Inline, InlineNode, Leaf, Mark, SCHEMA_VERSION, Text, schema,
};
use serde_json::{Map, Value, json};

pub(super) fn document(document: &Document) -> Value {
    let mut data = document.data.extra.clone();
    data.insert("schemaVersion".to_owned(), SCHEMA_VERSION.into());
    json!({"object": "document", "data": data, "nodes": blocks(&document.nodes)})
}

fn blocks(nodes: &[Block]) -> Vec<Value> {
    nodes.iter().map(block).collect()
}

fn block(block: &Block) -> Value {
    let mut out = head("block", block.key.as_ref(), block.meta.as_ref());
    out.insert("type".to_owned(), block.kind.as_str().into());
    out.insert("data".to_owned(), Value::Object(block.data.clone()));
    out.insert("isVoid".to_owned(), matches!(block.children, Children::Void).into());
    match &block.children {
        Children::Void => {}
        Children::Inlines(nodes) => insert_nodes(&mut out, nodes.iter().map(inline).collect()),
        Children::Blocks(nodes) => insert_nodes(&mut out, blocks(nodes)),
    }
    if schema::of_block(block.kind).has_fragments() {
        out.insert("fragments".to_owned(), block.fragments.iter().map(fragment).collect());
    }
    Value::Object(out)
}

fn inline(inline: &Inline) -> Value {
    match inline {
        Inline::Text(node) => text(node),
        Inline::Node(node) => inline_node(node),
    }
}

fn inline_node(node: &InlineNode) -> Value {
    let schema = schema::of_inline(node.kind);
    let mut out = head("inline", node.key.as_ref(), node.meta.as_ref());
    out.insert("type".to_owned(), node.kind.as_str().into());
    out.insert("data".to_owned(), Value::Object(node.data.clone()));
    out.insert("isVoid".to_owned(), schema.is_void().into());
    if !schema.is_void() {
        insert_nodes(&mut out, node.nodes.iter().map(inline).collect());
    }
    if schema.has_fragments() {
        out.insert("fragments".to_owned(), node.fragments.iter().map(fragment).collect());
    }
    Value::Object(out)
}

fn text(text: &Text) -> Value {
    let mut out = head("text", text.key.as_ref(), None);
    out.insert("leaves".to_owned(), text.leaves.iter().map(leaf).collect());
    Value::Object(out)
}

fn leaf(leaf: &Leaf) -> Value {
    let marks: Vec<Value> = leaf.marks.iter().map(mark).collect();
    json!({"object": "leaf", "text": leaf.text, "marks": marks})
}

fn mark(mark: &Mark) -> Value {
    match mark {
        Mark::Color { text, background } => {
            json!({"object": "mark", "type": "color", "data": {"text": text, "background": background}})
        }
        plain => json!({"object": "mark", "type": plain.name()}),
    }
}

fn fragment(fragment: &Fragment) -> Value {
    let mut out = head("fragment", fragment.key.as_ref(), None);
    if let Some(name) = &fragment.fragment {
        out.insert("fragment".to_owned(), name.as_str().into());
    }
    if let Some(role) = &fragment.role {
        out.insert("type".to_owned(), role.as_str().into());
    }
    insert_nodes(&mut out, blocks(&fragment.nodes));
    Value::Object(out)
}

fn head(object: &str, key: Option<&String>, meta: Option<&Map<String, Value>>) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("object".to_owned(), object.into());
    if let Some(key) = key {
        out.insert("key".to_owned(), key.as_str().into());
    }
    if let Some(meta) = meta {
        out.insert("meta".to_owned(), Value::Object(meta.clone()));
    }
    out
}

fn insert_nodes(out: &mut Map<String, Value>, nodes: Vec<Value>) {
    out.insert("nodes".to_owned(), Value::Array(nodes));
}
