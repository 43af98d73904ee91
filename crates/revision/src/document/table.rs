//! Three-way merge of fragments: a table's cells, an image's caption, the title and body of an
//! expandable.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::node::{NODES, merge_nodes};
use super::sequence::merge_sequence;
use super::{Context, Versions};

/// Merges fragments by name where each has its own, otherwise as a sequence.
pub(super) fn merge_fragments(context: &mut Context, versions: Versions<&[Value]>) -> Vec<Value> {
    let Versions { base, into, from } = versions;
    match (by_name(base), by_name(into), by_name(from)) {
        (Some(base), Some(into), Some(from)) => {
            let order = into.iter().chain(from.iter()).map(|(name, _)| *name);
            let mut seen = HashSet::new();
            let names: Vec<&str> = order.filter(|name| seen.insert(*name)).collect();
            let members = |fragments: &[(&str, &Value)]| -> Map<String, Value> {
                fragments.iter().map(|(name, fragment)| ((*name).to_owned(), (*fragment).clone())).collect()
            };
            let (base, into, from) = (members(&base), members(&into), members(&from));
            let versions = Versions { base: &base, into: &into, from: &from };
            names.into_iter().filter_map(|name| merge_fragment(context, versions.member(name))).collect()
        }
        _ => merge_sequence(context, &NODES, versions),
    }
}

fn merge_fragment(context: &mut Context, versions: Versions<Option<&Value>>) -> Option<Value> {
    if let Some(agreed) = versions.agreed() {
        return agreed.cloned();
    }
    match versions {
        Versions { base: Some(base), into: Some(into), from: Some(from) } => {
            merge_nodes(context, base, into, from)
        }
        Versions { into, from, .. } => context.settle(into, from).cloned(),
    }
}

/// The fragments with their names, if these are all different.
fn by_name(fragments: &[Value]) -> Option<Vec<(&str, &Value)>> {
    let mut seen = HashSet::new();
    fragments
        .iter()
        .map(|fragment| {
            let name = fragment.get("fragment").or_else(|| fragment.get("type"))?.as_str()?;
            seen.insert(name).then_some((name, fragment))
        })
        .collect()
}
