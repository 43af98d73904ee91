//! Node keys: ignored by comparisons, unique within a document.

use std::collections::HashSet;

use serde_json::{Map, Value};

/// Members of a node that hold other nodes.
const NESTED: [&str; 3] = ["nodes", "fragments", "leaves"];

/// Returns a node without the `key`s of itself and all nodes inside it. A `key` in `data` belongs to the author and is
/// kept.
pub(super) fn without_keys(node: &Value) -> Value {
    match node {
        Value::Object(members) => {
            let members = members.iter().filter(|(name, _)| *name != "key");
            Value::Object(
                members.map(|(name, value)| (name.clone(), nested(name, value, without_keys))).collect(),
            )
        }
        other => other.clone(),
    }
}

/// Returns whether two nodes are equal except for their `key`s.
pub(super) fn same_content(left: &Value, right: &Value) -> bool {
    left == right || without_keys(left) == without_keys(right)
}

/// Removes duplicate `key`s: the first node with a key keeps it. A key must name one node, and it is unknown which of
/// two a comment or link means.
pub(super) fn without_repeated_keys(document: Value) -> Value {
    strip_repeated(document, &mut HashSet::new())
}

fn strip_repeated(node: Value, seen: &mut HashSet<String>) -> Value {
    let Value::Object(mut members) = node else { return node };
    let repeated = members.get("key").and_then(Value::as_str).is_some_and(|key| !seen.insert(key.to_owned()));
    if repeated {
        members.remove("key");
    }
    for name in NESTED {
        strip_members(&mut members, name, seen);
    }
    Value::Object(members)
}

fn strip_members(members: &mut Map<String, Value>, name: &str, seen: &mut HashSet<String>) {
    if let Some(Value::Array(nodes)) = members.get_mut(name) {
        for node in nodes {
            *node = strip_repeated(node.take(), seen);
        }
    }
}

fn nested(name: &str, value: &Value, each: fn(&Value) -> Value) -> Value {
    match value {
        Value::Array(nodes) if NESTED.contains(&name) => Value::Array(nodes.iter().map(each).collect()),
        other => other.clone(),
    }
}
