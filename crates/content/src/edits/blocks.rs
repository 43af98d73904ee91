//! Reverts single blocks of a document.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

/// Returns the document with these blocks reverted to `past`. A block is changed back, restored at its former position,
/// or removed if it did not exist. A block is identified by its key, or by its path if it has none (`0.2`). Its
/// descendants are reverted with it, so a descendant that is also listed is reverted once. Names must be unique.
///
/// # Errors
/// The index of a name that exists in neither document, or whose former parent no longer exists.
pub(super) fn revert(document: &Value, past: &Value, names: &[String]) -> Result<Value, usize> {
    let wanted: HashSet<&str> = names.iter().map(String::as_str).collect();
    let (now, then) = (places_of(document, &wanted), places_of(past, &wanted));
    let named_now: HashSet<&[usize]> = now.values().map(Vec::as_slice).collect();
    let named_then: HashSet<&[usize]> = then.values().map(Vec::as_slice).collect();
    let mut replaced: BTreeMap<&BlockPath, Option<&Value>> = BTreeMap::new();
    let mut missing: Vec<(&BlockPath, usize)> = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let (now, then) = (now.get(name.as_str()), then.get(name.as_str()));
        // A past block is restored together with its descendants, and a present one is removed with them.
        let returns = then.filter(|path| !is_below(path, &named_then));
        let stays = now.filter(|path| !is_below(path, &named_now));
        match (stays, returns) {
            (Some(path), returns) => {
                replaced.insert(path, returns.and_then(|then| at(past, then)));
            }
            (None, Some(then)) => missing.push((then, index)),
            (None, None) if now.or(then).is_some() => {}
            (None, None) => return Err(index),
        }
    }
    let mut reverted = document.clone();
    // From last to first, so that a removal does not shift the paths of the remaining blocks.
    for (path, block) in replaced.into_iter().rev() {
        set(&mut reverted, path, block);
    }
    restore_blocks(&mut reverted, past, missing)?;
    Ok(reverted)
}

/// Restores past blocks in their former parents, which may have other paths now.
fn restore_blocks(
    document: &mut Value,
    past: &Value,
    missing: Vec<(&BlockPath, usize)>,
) -> Result<(), usize> {
    let mut parents = Vec::new();
    for (path, index) in missing {
        let (last, above) = path.split_last().ok_or(index)?;
        let parent = if above.is_empty() { None } else { Some(at(past, above).ok_or(index)?) };
        parents.push((parent.map(|parent| name_of(parent, above)), *last, path, index));
    }
    let names = parents.iter().filter_map(|(name, ..)| name.as_deref()).collect();
    let found = places_of(document, &names);
    let mut moves = Vec::new();
    for (parent, last, path, index) in &parents {
        let parent = match parent {
            None => BlockPath::new(),
            Some(name) => found.get(name.as_str()).cloned().ok_or(*index)?,
        };
        moves.push((std::cmp::Reverse(parent), *last, *path, *index));
    }
    // The last parent comes first, so that insertions shift no other parent. Within a parent, the first block comes
    // first.
    moves.sort();
    for (std::cmp::Reverse(parent), last, path, index) in moves {
        let block = at(past, path).ok_or(index)?.clone();
        let nodes = at_mut(document, &parent).and_then(|parent| parent.get_mut("nodes")?.as_array_mut());
        let nodes = nodes.ok_or(index)?;
        nodes.insert(last.min(nodes.len()), block);
    }
    Ok(())
}

/// Path from the document to a block: an index into `nodes` per level.
type BlockPath = Vec<usize>;

/// Returns the paths of the blocks with these names that exist. Of equal names, the first in document order counts.
fn places_of<'n>(document: &Value, names: &HashSet<&'n str>) -> HashMap<&'n str, BlockPath> {
    let mut found = HashMap::new();
    let mut rest: Vec<(BlockPath, &Value)> = children(document, &[]).collect();
    rest.reverse();
    while let Some((path, block)) = rest.pop() {
        if found.len() == names.len() {
            break;
        }
        if let Some(name) = names.get(name_of(block, &path).as_str()) {
            found.entry(*name).or_insert_with(|| path.clone());
        }
        let below: Vec<_> = children(block, &path).collect();
        rest.extend(below.into_iter().rev());
    }
    found
}

/// Returns the key of a block, or its path if it has none.
fn name_of(block: &Value, path: &[usize]) -> String {
    block.get("key").and_then(Value::as_str).map_or_else(|| shown(path), str::to_owned)
}

/// Returns whether a path is strictly below one of these paths.
fn is_below(path: &[usize], paths: &HashSet<&[usize]>) -> bool {
    (1..path.len()).any(|depth| path.get(..depth).is_some_and(|above| paths.contains(above)))
}

fn children<'v>(node: &'v Value, path: &[usize]) -> impl Iterator<Item = (BlockPath, &'v Value)> {
    let nodes = node.get("nodes").and_then(Value::as_array).into_iter().flatten();
    let blocks =
        nodes.enumerate().filter(|(_, node)| node.get("object").is_some_and(|object| object == "block"));
    blocks.map(move |(index, node)| ([path, &[index]].concat(), node))
}

fn shown(path: &[usize]) -> String {
    let indexes: Vec<String> = path.iter().map(ToString::to_string).collect();
    indexes.join(".")
}

fn at<'v>(document: &'v Value, path: &[usize]) -> Option<&'v Value> {
    path.iter().try_fold(document, |node, index| node.get("nodes")?.get(index))
}

fn at_mut<'v>(document: &'v mut Value, path: &[usize]) -> Option<&'v mut Value> {
    path.iter().try_fold(document, |node, index| node.get_mut("nodes")?.get_mut(index))
}

/// Replaces the block at a path, or removes it.
fn set(document: &mut Value, path: &[usize], block: Option<&Value>) {
    let Some((last, above)) = path.split_last() else { return };
    let parent = at_mut(document, above);
    let Some(nodes) = parent.and_then(|parent| parent.get_mut("nodes")?.as_array_mut()) else { return };
    match (block, nodes.get_mut(*last)) {
        (Some(block), Some(node)) => *node = block.clone(),
        (None, Some(_)) => drop(nodes.remove(*last)),
        (_, None) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn document(blocks: &[(&str, &str)]) -> Value {
        let block = |(key, text): &(&str, &str)| match *key {
            "" => json!({"object": "block", "text": text, "nodes": []}),
            key => json!({"object": "block", "key": key, "text": text, "nodes": []}),
        };
        json!({"object": "document", "nodes": blocks.iter().map(block).collect::<Vec<_>>()})
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn blocks_are_changed_back_put_back_and_taken_out() {
        let past = document(&[("a", "1"), ("b", "2"), ("c", "3")]);
        let now = document(&[("new", "0"), ("a", "one"), ("c", "three")]);
        let back = |keys: &[&str]| revert(&now, &past, &names(keys));
        assert_eq!(back(&["a"]), Ok(document(&[("new", "0"), ("a", "1"), ("c", "three")])));
        assert_eq!(back(&["new"]), Ok(document(&[("a", "one"), ("c", "three")])));
        assert_eq!(back(&["c", "b", "new", "a"]), Ok(past.clone()));
        assert_eq!(back(&["a", "x"]), Err(1));
    }

    #[test]
    fn a_block_without_a_key_is_named_by_its_path() {
        let (past, now) = (document(&[("", "1"), ("", "2")]), document(&[("", "one"), ("", "two")]));
        assert_eq!(revert(&now, &past, &names(&["1"])), Ok(document(&[("", "one"), ("", "2")])));
    }

    #[test]
    fn a_block_whose_parent_is_gone_has_no_path() {
        let past =
            json!({"nodes": [{"object": "block", "key": "p", "nodes": [{"object": "block", "key": "c"}]}]});
        assert_eq!(revert(&document(&[]), &past, &names(&["c"])), Err(0));
    }

    /// Returns a block with child blocks.
    fn holding(key: &str, nodes: &[Value]) -> Value {
        json!({"object": "block", "key": key, "nodes": nodes})
    }

    fn document_of(nodes: &[Value]) -> Value {
        json!({"object": "document", "nodes": nodes})
    }

    #[test]
    fn content_of_a_reverted_block_is_restored_once() {
        let (item, other) = (holding("item", &[]), holding("other", &[]));
        let list = |nodes: &[Value]| holding("list", nodes);
        let past = document_of(&[list(&[item.clone(), other.clone()])]);
        let cases = [
            document_of(&[list(std::slice::from_ref(&other))]),
            document_of(&[list(std::slice::from_ref(&other)), item.clone()]),
            document_of(&[list(&[item.clone(), other])]),
            document_of(&[holding("item", &[list(&[])])]),
            document_of(&[]),
        ];
        for now in cases {
            for order in [["list", "item"], ["item", "list"]] {
                assert_eq!(revert(&now, &past, &names(&order)), Ok(past.clone()), "{now} {order:?}");
            }
        }
        // In reverse, blocks that were added since are removed.
        let (now, past) = (past, document_of(&[list(&[holding("other", &[])]), item]));
        assert_eq!(revert(&now, &past, &names(&["list", "item"])), Ok(past.clone()));
    }

    #[test]
    fn a_block_is_restored_in_its_moved_parent() {
        let past = document_of(&[holding("p", &[holding("a", &[]), holding("b", &[])])]);
        let now = document_of(&[holding("new", &[]), holding("p", &[holding("b", &[])])]);
        let reverted =
            document_of(&[holding("new", &[]), holding("p", &[holding("a", &[]), holding("b", &[])])]);
        assert_eq!(revert(&now, &past, &names(&["a"])), Ok(reverted));
        // A block is not restored in another block at the position of its former parent.
        let now = document_of(&[holding("new", &[])]);
        assert_eq!(revert(&now, &past, &names(&["b"])), Err(0));
    }
}
