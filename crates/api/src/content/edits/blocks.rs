//! Taking single blocks of a document back.

use serde_json::Value;

/// The document with these blocks as they are in `past`: changed back, put back where they were, or taken out when they were not
/// there. A block is named by its key, or by its place when it has none (`0.2`).
///
/// # Errors
/// The index of a name that neither document knows, or whose place is gone.
pub(super) fn revert(document: &Value, past: &Value, names: &[String]) -> Result<Value, usize> {
    let mut reverted = document.clone();
    // From the last to the first, so that taking a block out doesn't move those still to come.
    let mut places: Vec<(Option<Place>, Option<Place>, usize)> = Vec::new();
    for (index, name) in names.iter().enumerate() {
        places.push((find(document, name), find(past, name), index));
    }
    places.sort_by(|left, right| right.0.cmp(&left.0));
    let (present, gone): (Vec<_>, Vec<_>) = places.into_iter().partition(|(now, _, _)| now.is_some());
    for (now, then, index) in present {
        let block = then.and_then(|then| at(past, &then).cloned());
        set(&mut reverted, &now.unwrap_or_default(), block).ok_or(index)?;
    }
    let mut gone: Vec<_> = gone.into_iter().map(|(_, then, index)| (then, index)).collect();
    gone.sort();
    for (then, index) in gone {
        let then = then.ok_or(index)?;
        let block = at(past, &then).ok_or(index)?;
        insert(&mut reverted, &then, block.clone()).ok_or(index)?;
    }
    Ok(reverted)
}

/// The way from the document to a block: an index into `nodes` a level.
type Place = Vec<usize>;

fn find(document: &Value, name: &str) -> Option<Place> {
    let mut rest: Vec<(Place, &Value)> = children(document, &[]).collect();
    rest.reverse();
    while let Some((place, block)) = rest.pop() {
        let is_named = match block.get("key").and_then(Value::as_str) {
            Some(key) => key == name,
            None => shown(&place) == name,
        };
        if is_named {
            return Some(place);
        }
        let below: Vec<_> = children(block, &place).collect();
        rest.extend(below.into_iter().rev());
    }
    None
}

fn children<'v>(node: &'v Value, place: &[usize]) -> impl Iterator<Item = (Place, &'v Value)> {
    let nodes = node.get("nodes").and_then(Value::as_array).into_iter().flatten();
    let blocks =
        nodes.enumerate().filter(|(_, node)| node.get("object").is_some_and(|object| object == "block"));
    blocks.map(move |(index, node)| ([place, &[index]].concat(), node))
}

fn shown(place: &[usize]) -> String {
    let indexes: Vec<String> = place.iter().map(ToString::to_string).collect();
    indexes.join(".")
}

fn at<'v>(document: &'v Value, place: &[usize]) -> Option<&'v Value> {
    place.iter().try_fold(document, |node, index| node.get("nodes")?.get(index))
}

/// The nodes among which a place is, and its index there.
fn around<'v>(document: &'v mut Value, place: &[usize]) -> Option<(&'v mut Vec<Value>, usize)> {
    let (last, above) = place.split_last()?;
    let parent = above.iter().try_fold(document, |node, index| node.get_mut("nodes")?.get_mut(index))?;
    Some((parent.get_mut("nodes")?.as_array_mut()?, *last))
}

fn set(document: &mut Value, place: &[usize], block: Option<Value>) -> Option<()> {
    let (nodes, index) = around(document, place)?;
    match block {
        Some(block) => *nodes.get_mut(index)? = block,
        None if index < nodes.len() => drop(nodes.remove(index)),
        None => return None,
    }
    Some(())
}

fn insert(document: &mut Value, place: &[usize], block: Value) -> Option<()> {
    let (nodes, index) = around(document, place)?;
    nodes.insert(index.min(nodes.len()), block);
    Some(())
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
    fn a_block_without_a_key_is_named_by_its_place() {
        let (past, now) = (document(&[("", "1"), ("", "2")]), document(&[("", "one"), ("", "two")]));
        assert_eq!(revert(&now, &past, &names(&["1"])), Ok(document(&[("", "one"), ("", "2")])));
    }

    #[test]
    fn a_block_whose_parent_is_gone_has_no_place() {
        let past =
            json!({"nodes": [{"object": "block", "key": "p", "nodes": [{"object": "block", "key": "c"}]}]});
        assert_eq!(revert(&document(&[]), &past, &names(&["c"])), Err(0));
    }
}
