//! Tracing of blocks from one version of a document to another.

use proptest::prelude::*;
use quire_revision::{BlockAlignment, GainedBlocks};
use serde_json::{Value, json};

fn paragraph(line: &str) -> Value {
    let text = json!({"object": "text", "leaves": [{"object": "leaf", "text": line, "marks": []}]});
    json!({"object": "block", "type": "paragraph", "nodes": [text]})
}

fn block(kind: &str, nodes: Vec<Value>) -> Value {
    json!({"object": "block", "type": kind, "nodes": nodes})
}

fn document(nodes: Vec<Value>) -> Value {
    json!({"object": "document", "data": {}, "nodes": nodes})
}

fn paragraphs(lines: &[&str]) -> Value {
    document(lines.iter().map(|line| paragraph(line)).collect())
}

fn trace(before: &Value, after: &Value, path: &str) -> Option<String> {
    BlockAlignment::new(before, after).trace(path)
}

#[test]
fn blocks_are_followed_through_insertions_edits_and_removals() {
    let before = paragraphs(&["Install the tool first", "Run the tool with care", "Stop the tool again"]);
    let cases: [(&[&str], Option<&str>); 6] = [
        (&["New", "Install the tool first", "Run the tool with care", "Stop the tool again"], Some("2")),
        (&["Run the tool with care"], Some("0")),
        (&["Install the tool first", "Run the tool with great care", "Stop the tool again"], Some("1")),
        (&["Install the tool first", "Stop the tool again"], None),
        (&["Install the tool first", "Nothing in common", "Stop the tool again"], None),
        (&["Install the tool first", "Stop the tool again", "Run the tool with care"], Some("2")),
    ];
    for (after, expected) in cases {
        assert_eq!(trace(&before, &paragraphs(after), "1").as_deref(), expected, "{after:?}");
    }
}

#[test]
fn blocks_are_followed_into_other_blocks_and_out_of_them() {
    let before = document(vec![block("hint", vec![paragraph("Mind the gap"), paragraph("Run the tool")])]);
    let within = document(vec![
        paragraph("Above"),
        block("hint", vec![paragraph("Mind the gap"), paragraph("New"), paragraph("Run the tool")]),
    ]);
    assert_eq!(trace(&before, &within, "0.1").as_deref(), Some("1.2"));
    let outside = document(vec![paragraph("Run the tool"), block("hint", vec![paragraph("Mind the gap")])]);
    assert_eq!(trace(&before, &outside, "0.1").as_deref(), Some("0"));
    let heading =
        |text: &str| json!({"object": "block", "type": "heading-1", "nodes": paragraph(text)["nodes"]});
    let before = document(vec![paragraph("Above"), paragraph("Run the tool again")]);
    let after = document(vec![heading("Run the tool again"), paragraph("Above")]);
    assert_eq!(trace(&before, &after, "1").as_deref(), Some("0"), "a block of another type");
}

#[test]
fn cells_whose_names_follow_from_their_places_and_notes_are_followed() {
    let table = |rows: &[&str]| {
        let cell = |(index, text): (usize, &&str)| json!({"object": "fragment", "fragment": format!("cell-{index}"), "nodes": [paragraph(text)]});
        let cells: Vec<Value> = rows.iter().enumerate().map(cell).collect();
        document(vec![json!({"object": "block", "type": "table", "nodes": [], "fragments": cells})])
    };
    assert_eq!(
        trace(&table(&["one", "two"]), &table(&["zero", "one", "two"]), "0.f1.0").as_deref(),
        Some("0.f2.0")
    );
    let noted = |notes: &[&str]| {
        let note = |text: &&str| {
            let fragment = json!({"object": "fragment", "type": "note", "nodes": [paragraph(text)]});
            json!({"object": "inline", "type": "annotation", "nodes": [], "fragments": [fragment]})
        };
        document(vec![block("paragraph", notes.iter().map(note).collect())])
    };
    assert_eq!(
        trace(&noted(&["A note"]), &noted(&["Another", "A note"]), "0.n0.0").as_deref(),
        Some("0.n1.0")
    );
}

#[test]
fn a_block_that_nothing_tells_from_others_is_not_guessed() {
    let before = document(vec![paragraph("Same"), block("hint", vec![paragraph("Same")])]);
    let after = document(vec![block("tabs", vec![paragraph("Same")])]);
    assert_eq!(trace(&before, &after, "0"), None);
    for absent in ["", "7", "0.0.0", "x", "0.f1.0", "1.n0.0"] {
        assert_eq!(trace(&before, &before, absent), None, "{absent}");
    }
}

#[derive(Clone, Debug)]
enum Edit {
    Insert(usize, u32),
    Remove(usize),
    Rewrite(usize, u32),
    Amend(usize),
    Move(usize, usize),
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        (0..20_usize, any::<u32>()).prop_map(|(at, text)| Edit::Insert(at, text)),
        (0..20_usize).prop_map(Edit::Remove),
        (0..20_usize, any::<u32>()).prop_map(|(at, text)| Edit::Rewrite(at, text)),
        (0..20_usize).prop_map(Edit::Amend),
        (0..20_usize, 0..20_usize).prop_map(|(from, to)| Edit::Move(from, to)),
    ]
}

/// Returns a text of words that no other block has.
fn sentence(number: u64) -> String {
    format!("alpha{number} beta{number} gamma{number} delta{number}")
}

proptest! {
    /// Each block of the later version records the earlier block that it comes from. A block is traced to itself or not
    /// at all, and a block that was not removed or rewritten is traced, for all edits above, below and inside it.
    #[test]
    fn a_block_is_found_as_itself_or_not_at_all(count in 1..12_u64, edits in prop::collection::vec(edit(), 0..8)) {
        let before: Vec<(Option<u64>, String)> = (0..count).map(|number| (Some(number), sentence(number))).collect();
        let mut after = before.clone();
        for (step, edit) in (1_000..).zip(edits) {
            let len = after.len();
            match edit {
                Edit::Insert(at, text) => after.insert(at.min(len), (None, sentence(step * 10_000_000_000 + u64::from(text)))),
                _ if len == 0 => {}
                Edit::Remove(at) => drop(after.remove(at % len)),
                Edit::Rewrite(at, text) => {
                    after[at % len] = (None, sentence(step * 10_000_000_000 + u64::from(text)));
                }
                Edit::Amend(at) => after[at % len].1.push_str(" more"),
                Edit::Move(from, to) => {
                    let moved = after.remove(from % len);
                    after.insert(to % len, moved);
                }
            }
        }
        let value = |blocks: &[(Option<u64>, String)]| document(blocks.iter().map(|(_, text)| paragraph(text)).collect());
        let (old, new) = (value(&before), value(&after));
        let mut alignment = BlockAlignment::new(&old, &new);
        for number in 0..count {
            let expected = after.iter().position(|(was, _)| *was == Some(number));
            let found: Option<usize> = alignment.trace(&number.to_string()).map(|path| path.parse().unwrap());
            if let Some(found) = found {
                prop_assert_eq!(Some(found), expected);
            } else if let Some(expected) = expected {
                // A block that was moved and amended cannot be identified.
                prop_assert_ne!(&after[expected].1, &sentence(number), "block {} is at {}", number, expected);
            }
        }
    }
}

#[test]
fn blocks_that_left_a_document_are_found_among_those_that_another_one_gained() {
    let lost = "Run the tool with great care";
    let document = paragraphs(&["Install the tool first", lost]);
    let find = |before: Option<&[&str]>, after: &Value| {
        let gained = GainedBlocks::new(before.map(paragraphs).as_ref(), after);
        gained.find(&document, "1").map(|(path, likeness)| (path.to_owned(), likeness))
    };
    let at = |path: &str, likeness: u32| Some((path.to_owned(), likeness));
    let edited = "Run the tool without any care";
    assert_eq!(find(Some(&["Other"]), &paragraphs(&["Other", lost])), at("1", 100));
    assert_eq!(find(None, &paragraphs(&[edited, lost])), at("1", 100));
    assert_eq!(find(Some(&["Other"]), &paragraphs(&[edited, "Other"])), at("0", 66));
    assert_eq!(find(Some(&[lost, "Other"]), &paragraphs(&[edited, "Other"])), None);
    assert_eq!(find(Some(&["Other"]), &paragraphs(&["Other", "Run it"])), None);
    let nested = document_of(block("quote", vec![paragraph(lost)]));
    assert_eq!(find(Some(&["Other"]), &nested), at("0.0", 100));
    let heading = document_of(block(
        "heading-1",
        vec![json!({
            "object": "text", "leaves": [{"object": "leaf", "text": lost, "marks": []}],
        })],
    ));
    assert_eq!(find(None, &heading), None);
}

fn document_of(block: Value) -> Value {
    document(vec![block])
}
