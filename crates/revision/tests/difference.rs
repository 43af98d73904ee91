//! Differences between two versions of a document.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "helpers of tests fail like tests")]

use proptest::prelude::*;
use quire_revision::{DifferenceSummary, DocumentDifference, NodeChange, WordChange};
use serde_json::{Value, json};

fn leaf(text: &str, marks: &[&str]) -> Value {
    let marks: Vec<Value> = marks.iter().map(|mark| json!({"object": "mark", "type": mark})).collect();
    json!({"object": "leaf", "text": text, "marks": marks})
}

fn text(leaves: Vec<Value>) -> Value {
    json!({"object": "text", "leaves": leaves})
}

fn words(line: &str) -> Value {
    text(vec![leaf(line, &[])])
}

fn link(to: &str, line: &str) -> Value {
    json!({"object": "inline", "type": "link", "data": {"ref": {"kind": "url", "url": to}}, "nodes": [words(line)]})
}

fn block(kind: &str, nodes: Vec<Value>) -> Value {
    json!({"object": "block", "type": kind, "data": {}, "nodes": nodes})
}

fn paragraph(line: &str) -> Value {
    block("paragraph", vec![words(line)])
}

fn styled(style: &str, lines: &[&str]) -> Value {
    let nodes: Vec<Value> = lines.iter().map(|line| paragraph(line)).collect();
    json!({"object": "block", "type": "hint", "data": {"style": style}, "nodes": nodes})
}

fn document(nodes: Vec<Value>) -> Value {
    json!({"object": "document", "data": {}, "nodes": nodes})
}

fn paragraphs(lines: &[&str]) -> Value {
    document(lines.iter().map(|line| paragraph(line)).collect())
}

fn changes(difference: &DocumentDifference) -> Vec<NodeChange> {
    difference.blocks.iter().map(|block| block.change).collect()
}

/// Returns the runs of an edited block, as text with a sign before removed and added ones.
fn runs(difference: &DocumentDifference, index: usize) -> Vec<String> {
    let runs = difference.blocks[index].words.as_ref().expect("words");
    let text = |nodes: &[Value]| {
        let leaves = |node: &Value| match node["object"].as_str() {
            Some("inline") => node["nodes"][0]["leaves"].clone(),
            _ => node["leaves"].clone(),
        };
        let all: Vec<Value> =
            nodes.iter().flat_map(|node| leaves(node).as_array().expect("leaves").clone()).collect();
        all.iter().map(|leaf| leaf["text"].as_str().expect("text").to_owned()).collect::<String>()
    };
    runs.iter()
        .map(|run| match run.change {
            WordChange::Unchanged => text(&run.nodes),
            WordChange::Added => format!("+{}", text(&run.nodes)),
            WordChange::Removed => format!("-{}", text(&run.nodes)),
        })
        .collect()
}

#[test]
fn words_are_compared_within_blocks() {
    let before = paragraphs(&["Above", "Ferry sends a folder to one host."]);
    let after = paragraphs(&["Above", "Ferry sends two folders to one host."]);
    let difference = DocumentDifference::between(&before, &after);
    assert_eq!(changes(&difference), [NodeChange::Unchanged, NodeChange::Edited]);
    assert_eq!(runs(&difference, 1), ["Ferry sends ", "-a folder", "+two folders", " to one host."]);
    let expected = DifferenceSummary {
        words_added: 2,
        words_removed: 2,
        blocks_edited: 1,
        ..DifferenceSummary::default()
    };
    assert_eq!(difference.summary, expected);
}

#[test]
fn marks_and_links_are_parts_of_words() {
    let plain = document(vec![block("paragraph", vec![words("Read the guide first.")])]);
    let bold = text(vec![leaf("Read the ", &[]), leaf("guide", &["bold"]), leaf(" first.", &[])]);
    let difference = DocumentDifference::between(&plain, &document(vec![block("paragraph", vec![bold])]));
    assert_eq!(runs(&difference, 0), ["Read the ", "-guide", "+guide", " first."]);
    let linked =
        |to: &str, line: &str| document(vec![block("paragraph", vec![words("Read the "), link(to, line)])]);
    let difference = DocumentDifference::between(&linked("a", "good guide"), &linked("a", "best guide"));
    assert_eq!(runs(&difference, 0), ["Read the ", "-good", "+best", " guide"]);
    let difference = DocumentDifference::between(&linked("a", "guide"), &linked("b", "guide"));
    assert_eq!(runs(&difference, 0), ["Read the ", "-guide", "+guide"]);
}

#[test]
fn blocks_are_added_removed_and_moved() {
    let before = paragraphs(&["One is first", "Two is next", "Three is third", "Four is last"]);
    let after = paragraphs(&["Two is next", "Three is third", "One is first", "Something else entirely"]);
    let difference = DocumentDifference::between(&before, &after);
    let counted = difference.summary;
    assert_eq!((counted.blocks_moved, counted.blocks_added, counted.blocks_removed), (1, 1, 1));
    assert_eq!((counted.words_added, counted.words_removed), (3, 3));
    let rewritten =
        DocumentDifference::between(&paragraphs(&["Red green blue"]), &paragraphs(&["One two three"]));
    assert_eq!(changes(&rewritten), [NodeChange::Removed, NodeChange::Added]);
}

#[test]
fn attributes_and_nested_blocks_are_compared() {
    let before = document(vec![styled("info", &["Mind the gap", "Stay here"])]);
    let after = document(vec![styled("warning", &["Mind the wide gap", "Stay here"])]);
    let difference = DocumentDifference::between(&before, &after);
    let [hint] = difference.blocks.as_slice() else { panic!("one block") };
    assert_eq!(hint.attributes[0].name, "style");
    assert_eq!(hint.attributes[0].after, Some(json!("warning")));
    let nested: Vec<NodeChange> =
        hint.nodes.as_ref().expect("nodes").iter().map(|node| node.change).collect();
    assert_eq!(nested, [NodeChange::Edited, NodeChange::Unchanged]);
    assert_eq!((difference.summary.words_added, difference.summary.blocks_edited), (1, 2));
}

fn table(columns: &[&str], rows: &[&[&str]]) -> Value {
    let (mut definition, mut records, mut fragments) = (json!({}), json!({}), Vec::new());
    for (at, title) in columns.iter().enumerate() {
        definition[format!("c{at}")] = json!({"id": format!("c{at}"), "title": title, "type": "text"});
    }
    for (row, cells) in rows.iter().enumerate() {
        let mut values = json!({});
        for (at, cell) in cells.iter().enumerate() {
            values[format!("c{at}")] = json!(format!("r{row}c{at}"));
            fragments.push(
                json!({"object": "fragment", "fragment": format!("r{row}c{at}"), "nodes": [paragraph(cell)]}),
            );
        }
        records[format!("r{row}")] = json!({"orderIndex": format!("{row:06}"), "values": values});
    }
    let ids: Vec<String> = (0..columns.len()).map(|at| format!("c{at}")).collect();
    let data =
        json!({"definition": definition, "records": records, "view": {"columns": ids, "type": "grid"}});
    json!({"object": "block", "type": "table", "isVoid": true, "data": data, "fragments": fragments})
}

#[test]
fn tables_are_compared_by_cell() {
    let before = document(vec![table(
        &["Option", "Meaning"],
        &[&["-a", "sends all files"], &["-z", "packs the files"]],
    )]);
    let after = document(vec![table(
        &["Option", "Default", "Meaning"],
        &[
            &["-n", "off", "does nothing"],
            &["-a", "on", "sends all the files"],
            &["-z", "on", "packs the files"],
        ],
    )]);
    let difference = DocumentDifference::between(&before, &after);
    let [table] = difference.blocks.as_slice() else { panic!("one block") };
    assert_eq!((&*table.attributes[0].name, &table.attributes[0].after), ("column", &Some(json!("Default"))));
    let rows = table.rows.as_ref().expect("rows");
    let kinds: Vec<NodeChange> = rows.iter().map(|row| row.change).collect();
    assert_eq!(kinds, [NodeChange::Added, NodeChange::Edited, NodeChange::Edited]);
    let cells: Vec<NodeChange> =
        rows[1].nodes.as_ref().expect("cells").iter().map(|cell| cell.change).collect();
    assert_eq!(cells, [NodeChange::Unchanged, NodeChange::Added, NodeChange::Edited]);
}

#[test]
fn listings_are_compared_by_line() {
    let code = |lines: &[&str]| {
        document(vec![block(
            "code",
            lines.iter().map(|line| block("code-line", vec![words(line)])).collect(),
        )])
    };
    let difference = DocumentDifference::between(
        &code(&["let a = 1;", "print(a)"]),
        &code(&["let a = 2;", "print(a)", "end"]),
    );
    let lines = difference.blocks[0].nodes.as_ref().expect("lines");
    let kinds: Vec<NodeChange> = lines.iter().map(|line| line.change).collect();
    assert_eq!(kinds, [NodeChange::Edited, NodeChange::Unchanged, NodeChange::Added]);
    assert_eq!((difference.summary.blocks_edited, difference.summary.blocks_added), (1, 0));
}

#[test]
fn the_work_is_bounded() {
    let long = |word: &str| (0..20_000).map(|at| format!("{word}{at} ")).collect::<String>();
    let shared: String = (0..20_000).map(|at| format!("common{at} ")).collect();
    let before = paragraphs(&[&format!("{shared}{}", long("old"))]);
    let after = paragraphs(&[&format!("{}{shared}", long("new"))]);
    let difference = DocumentDifference::between(&before, &after);
    assert!(difference.is_coarse);
    assert_eq!((difference.before(), difference.after()), (nodes_of(&before), nodes_of(&after)));
    let many = |word: &str| document((0..5_000).map(|at| paragraph(&format!("{word} {at}"))).collect());
    let difference = DocumentDifference::between(&many("old"), &many("new"));
    assert!(difference.is_coarse);
    assert_eq!(difference.summary.blocks_added, 5_000);
}

fn nodes_of(document: &Value) -> Vec<Value> {
    document["nodes"].as_array().expect("nodes").clone()
}

fn line() -> impl Strategy<Value = String> {
    proptest::collection::vec(
        prop_oneof!["[abc]{1,2}", Just("日本".to_owned()), Just("x-y,".to_owned())],
        1..6,
    )
    .prop_map(|words| words.join(" "))
}

/// Generates inline nodes of which no adjacent ones can be joined.
fn inlines() -> impl Strategy<Value = Vec<Value>> {
    let marked = (line(), line(), proptest::bool::ANY).prop_map(|(first, second, is_bold)| {
        text(vec![leaf(&first, if is_bold { &["bold"] } else { &["code"] }), leaf(&second, &[])])
    });
    let emoji =
        json!({"object": "inline", "type": "emoji", "isVoid": true, "data": {"code": "1f600"}, "nodes": []});
    (marked, proptest::option::of(("[ab]", line())), proptest::bool::ANY).prop_map(
        move |(first, linked, has_emoji)| {
            let mut nodes = vec![first];
            nodes.extend(linked.map(|(to, line)| link(&to, &line)));
            nodes.extend(has_emoji.then(|| emoji.clone()));
            nodes
        },
    )
}

fn blocks() -> impl Strategy<Value = Vec<Value>> {
    let text = inlines().prop_map(|nodes| block("paragraph", nodes));
    let keyed = (inlines(), "[a-d]").prop_map(|(nodes, key)| {
        json!({"object": "block", "type": "heading-1", "data": {}, "key": key, "nodes": nodes})
    });
    let grid = (proptest::collection::vec((line(), line()), 1..3), proptest::bool::ANY).prop_map(
        |(rows, is_wide)| {
            let rows: Vec<Vec<&str>> =
                rows.iter().map(|(left, right)| vec![left.as_str(), right.as_str()]).collect();
            let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
            table(if is_wide { &["A", "B"] } else { &["B", "A"] }, &rows)
        },
    );
    let leaf = prop_oneof![4 => text, 1 => keyed, 1 => grid];
    let nested = leaf.prop_recursive(3, 16, 4, |inner| {
        (proptest::collection::vec(inner, 1..4), "info|warning", proptest::bool::ANY).prop_map(
            |(nodes, style, is_expandable)| {
                if is_expandable {
                    let fragment = json!({"object": "fragment", "type": "expandable-body", "nodes": nodes});
                    json!({"object": "block", "type": "expandable", "data": {}, "fragments": [fragment]})
                } else {
                    json!({"object": "block", "type": "hint", "data": {"style": style}, "nodes": nodes})
                }
            },
        )
    });
    proptest::collection::vec(nested, 0..6)
}

proptest! {
    #[test]
    fn a_difference_leads_from_one_version_to_the_other(before in blocks(), after in blocks()) {
        let difference = DocumentDifference::between(&document(before.clone()), &document(after.clone()));
        prop_assert_eq!(difference.before(), before);
        prop_assert_eq!(difference.after(), after);
    }

    #[test]
    fn equal_documents_have_no_difference(blocks in blocks()) {
        let difference = DocumentDifference::between(&document(blocks.clone()), &document(blocks));
        prop_assert!(difference.is_empty());
        prop_assert_eq!(difference.summary, DifferenceSummary::default());
    }
}
