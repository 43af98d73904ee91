//! Differing properties of nodes.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// Member of `data` that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeDifference {
    /// Name of the member.
    pub name: String,
    /// Value in the earlier version; `None` if it is absent.
    pub before: Option<Value>,
    /// Value in the later version; `None` if it is absent.
    pub after: Option<Value>,
}

/// Returns the members of `data` that differ between two versions of a node.
pub(super) fn attributes(before: &Value, after: &Value) -> Vec<AttributeDifference> {
    let none = Map::new();
    let [old, new] = [before, after].map(|node| node.get("data").and_then(Value::as_object).unwrap_or(&none));
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let differing = names.into_iter().filter(|name| old.get(*name) != new.get(*name));
    let attribute = |name: &String| AttributeDifference {
        name: name.clone(),
        before: old.get(name).cloned(),
        after: new.get(name).cloned(),
    };
    differing.map(attribute).collect()
}
