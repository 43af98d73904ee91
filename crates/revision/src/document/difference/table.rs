//! Rows and cells of tables, as nodes that are compared like blocks.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde_json::{Map, Value, json};

use super::super::node::members;
use super::attributes::{self, AttributeDifference};

/// Members of a table's `data` whose content the rows and cells already show.
const SHOWN: [&str; 3] = ["definition", "records", "view"];

/// Returns the rows of a table in their order. The `key` of a cell is the title of its column, so that cells are
/// compared with those of the same column.
pub(super) fn rows(table: &Value) -> Vec<Value> {
    let columns = columns(table);
    let fragments: HashMap<&str, &[Value]> = members(table, "fragments")
        .iter()
        .filter_map(|fragment| Some((fragment.get("fragment")?.as_str()?, members(fragment, "nodes"))))
        .collect();
    let mut records: Vec<&Value> = data(table, "records").into_iter().flat_map(Map::values).collect();
    records.sort_by_key(|record| record.get("orderIndex").map(plain));
    let row = |record: &Value| {
        let cells = columns.iter().map(|(id, title)| {
            let value = record.get("values").and_then(|values| values.get(*id));
            let nodes = value.and_then(Value::as_str).and_then(|name| fragments.get(name));
            let nodes = match (nodes, value) {
                (Some(nodes), _) => nodes.to_vec(),
                (None, None) => Vec::new(),
                (None, Some(value)) => vec![paragraph(&plain(value))],
            };
            json!({"object": "block", "type": "table-cell", "key": title, "data": {"column": title}, "nodes": nodes})
        });
        let cells: Vec<Value> = cells.collect();
        json!({"object": "block", "type": "table-row", "nodes": cells})
    };
    records.into_iter().map(row).collect()
}

/// Returns the differing attributes of a table, and the columns that only one version has.
pub(super) fn attributes(before: &Value, after: &Value) -> Vec<AttributeDifference> {
    let mut found = attributes::attributes(before, after);
    found.retain(|attribute| !SHOWN.contains(&attribute.name.as_str()));
    let [old, new] = [before, after]
        .map(|table| columns(table).into_iter().map(|(_, title)| title).collect::<BTreeSet<String>>());
    let column = |title: &String| Some(Value::String(title.clone()));
    let name = || "column".to_owned();
    found.extend(old.difference(&new).map(|title| AttributeDifference {
        name: name(),
        before: column(title),
        after: None,
    }));
    found.extend(new.difference(&old).map(|title| AttributeDifference {
        name: name(),
        before: None,
        after: column(title),
    }));
    found
}

/// Returns the ids and titles of the columns in their order. A title that another column has is followed by the id.
fn columns(table: &Value) -> Vec<(&str, String)> {
    let definition = data(table, "definition");
    let view = data(table, "view").and_then(|view| view.get("columns")).and_then(Value::as_array);
    let shown = view.into_iter().flatten().filter_map(Value::as_str);
    let mut ids: Vec<&str> = shown.collect();
    let all = definition.into_iter().flat_map(Map::keys).map(String::as_str);
    let known: HashSet<&str> = ids.iter().copied().collect();
    ids.extend(all.filter(|id| !known.contains(id)));
    let mut seen = HashSet::new();
    let titled = ids.into_iter().map(|id| {
        let title = definition.and_then(|columns| columns.get(id)?.get("title")?.as_str()).unwrap_or(id);
        let title = if seen.insert(title) { title.to_owned() } else { format!("{title} ({id})") };
        (id, title)
    });
    titled.collect()
}

fn data<'v>(table: &'v Value, name: &str) -> Option<&'v Map<String, Value>> {
    table.get("data")?.get(name)?.as_object()
}

/// Returns a value as text.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn paragraph(text: &str) -> Value {
    let leaf = json!({"object": "leaf", "text": text, "marks": []});
    json!({"object": "block", "type": "paragraph", "isVoid": false, "data": {},
        "nodes": [{"object": "text", "leaves": [leaf]}]})
}
