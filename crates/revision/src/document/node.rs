//! Three-way merge of one node that both sides changed.

use serde_json::{Map, Value};

use super::conflict::{Sides, shell};
use super::edit_script::Likeness;
use super::keys::{same_content, without_keys};
use super::map::merge_values;
use super::sequence::{Rules, merge_sequence};
use super::{Context, Versions, inline, table};
use crate::canonical::canonical_json;

/// Rules for merging sequences of blocks.
pub(super) const NODES: Rules<Value> = Rules {
    content: |node| canonical_json(&without_keys(node)),
    likeness: Likeness { kind: node_likeness, text: text_of },
    merge: |context, index, versions| merge_item(context, index.to_string(), versions),
    conflict: |context, index, versions| {
        let Versions { base, into, from } = &versions;
        if base.iter().chain(into).chain(from).all(is_block) {
            context.resolve(Some(index.to_string()), versions)
        } else {
            context.settle(versions.into, versions.from)
        }
    },
    merged: |context, items| context.merged_blocks += items.iter().filter(|item| is_block(item)).count(),
};

/// Rules for merging sequences of fragments. A conflict of fragments is reported as a conflict of their block.
pub(super) const FRAGMENTS: Rules<Value> = Rules {
    merge: |context, index, versions| merge_item(context, format!("f{index}"), versions),
    conflict: |context, _, versions| context.settle(versions.into, versions.from),
    merged: |_, _| {},
    ..NODES
};

/// Merges a block or fragment that both sides changed. `step` is its path from its parent. The result is empty if the
/// sides together removed all its content.
pub(super) fn merge_item(context: &mut Context<'_>, step: String, versions: Versions<&Value>) -> Vec<Value> {
    let Versions { base, into, from } = versions;
    let block = into.as_object().filter(|_| is_block(into)).map(shell);
    let merge = |context: &mut Context<'_>| {
        context.inside(step.clone(), block.clone(), |context| merge_nodes(context, base, into, from))
    };
    if block.is_none() {
        return merge(context).into_iter().collect();
    }
    let before = (context.conflicts.len(), context.resolved.len(), context.merged_blocks);
    match context.unit(merge) {
        Ok(merged) => {
            if before.0 == context.conflicts.len() && before.1 == context.resolved.len() {
                context.merged_blocks = before.2 + 1;
            }
            merged.into_iter().collect()
        }
        Err(Sides { into, from }) => {
            let [into, from] = [into, from].map(|side| side.into_iter().collect());
            context.resolve(Some(step), Versions { base: vec![base.clone()], into, from })
        }
    }
}

fn is_block(node: &Value) -> bool {
    node.get("object").and_then(Value::as_str) == Some("block")
}

/// Merges a node. Returns `None` if the sides together removed all its content.
pub(super) fn merge_nodes(
    context: &mut Context<'_>,
    base: &Value,
    into: &Value,
    from: &Value,
) -> Option<Value> {
    if same_content(from, base) || same_content(into, from) {
        return Some(into.clone());
    }
    if same_content(into, base) {
        return Some(from.clone());
    }
    let (Value::Object(base), Value::Object(ours_members), Value::Object(theirs_members)) =
        (base, into, from)
    else {
        return Some(context.settle(into, from).clone());
    };
    let versions = Versions { base, into: ours_members, from: theirs_members };
    if ["object", "type"].iter().any(|name| !unchanged(versions.member(name))) {
        return Some(context.settle(into, from).clone());
    }
    let mut merged = Map::new();
    for name in versions.names() {
        if let Some(value) = merge_member(context, name, versions) {
            merged.insert(name.clone(), value);
        }
    }
    let emptied = is_empty_block(&merged) && !is_empty_block(ours_members) && !is_empty_block(theirs_members);
    (!emptied).then_some(Value::Object(merged))
}

fn merge_member(
    context: &mut Context<'_>,
    name: &str,
    versions: Versions<&Map<String, Value>>,
) -> Option<Value> {
    let member = versions.member(name);
    if name == "key" {
        return member.into.or(member.from).cloned();
    }
    if let Versions {
        base: Some(Value::Array(base)),
        into: Some(Value::Array(into)),
        from: Some(Value::Array(from)),
    } = member
    {
        let arrays = Versions { base: base.as_slice(), into: into.as_slice(), from: from.as_slice() };
        let all = || base.iter().chain(into).chain(from);
        match name {
            "nodes" if all().any(inline::is_inline) => return Some(inline::merge_lines(context, arrays)),
            "nodes" => return Some(Value::Array(merge_sequence(context, &NODES, arrays))),
            "fragments" => return Some(Value::Array(table::merge_fragments(context, arrays))),
            _ => {}
        }
    }
    merge_values(context, member)
}

fn unchanged(versions: Versions<Option<&Value>>) -> bool {
    versions.base == versions.into && versions.base == versions.from
}

fn is_empty_block(members: &Map<String, Value>) -> bool {
    members.get("object").and_then(Value::as_str) == Some("block")
        && members.get("nodes").and_then(Value::as_array).is_some_and(Vec::is_empty)
}

/// Returns the similarity of two nodes. Only nodes of the same type can be versions of each other, and an equal key
/// makes it more likely.
pub(super) fn node_likeness(left: &Value, right: &Value) -> Option<u32> {
    const SAME_KEY: u32 = 1000;
    if ["object", "type", "fragment"].iter().any(|name| left.get(name) != right.get(name)) {
        return None;
    }
    let same_key = left.get("key").is_some_and(|key| right.get("key") == Some(key));
    Some(if same_key { SAME_KEY } else { 1 })
}

/// Returns the items of a list of a node; empty if it has no such list.
pub(super) fn members<'v>(node: &'v Value, name: &str) -> &'v [Value] {
    node.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns all text in a node. Leaves are joined directly, blocks with a line break.
pub(super) fn text_of(node: &Value) -> String {
    let mut text = String::new();
    collect_text(node, &mut text);
    text
}

fn collect_text(node: &Value, text: &mut String) {
    if let Some(own) = node.get("text").and_then(Value::as_str) {
        text.push_str(own);
    }
    for name in ["leaves", "nodes", "fragments"] {
        node.get(name)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .for_each(|node| collect_text(node, text));
    }
    if node.get("object").and_then(Value::as_str) == Some("block") {
        text.push('\n');
    }
}
