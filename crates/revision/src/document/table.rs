//! Three-way merge of fragments: a table's cells, an image's caption, the title and body of an
//! expandable.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::node::{FRAGMENTS, merge_item};
use super::sequence::merge_sequence;
use super::{Context, Versions};

/// Merges fragments by name if their names are unique in each version, otherwise as a sequence.
pub(super) fn merge_fragments(context: &mut Context<'_>, versions: Versions<&[Value]>) -> Vec<Value> {
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
            let mut merged = Vec::new();
            for name in names {
                merged.extend(merge_fragment(context, merged.len(), versions.member(name)));
            }
            merged
        }
        _ => merge_sequence(context, &FRAGMENTS, versions),
    }
}

/// Merges the versions of a fragment. `index` is its place in the outcome.
fn merge_fragment(context: &mut Context<'_>, index: usize, versions: Versions<Option<&Value>>) -> Vec<Value> {
    if let Some(agreed) = versions.agreed() {
        return agreed.into_iter().cloned().collect();
    }
    match versions {
        Versions { base: Some(base), into: Some(into), from: Some(from) } => {
            merge_item(context, format!("f{index}"), Versions { base, into, from })
        }
        Versions { into, from, .. } => context.settle(into, from).into_iter().cloned().collect(),
    }
}

/// Returns the fragments with their names; `None` unless each has a name of its own.
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
