//! Merging documents: clean merges, conflicts, and algebraic laws.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests fail like tests"
)]

use proptest::prelude::*;
use proptest::strategy::Strategy as _;
use quire_revision::{BlockConflict, DocumentMerge, Resolution, Strategy, Take, merge_document};
use serde_json::{Value, json};

fn text(text: &str) -> Value {
    json!({"object": "text", "leaves": [{"object": "leaf", "text": text, "marks": []}]})
}

fn paragraph(line: &str) -> Value {
    json!({"object": "block", "type": "paragraph", "nodes": [text(line)]})
}

fn keyed(key: &str, mut node: Value) -> Value {
    node["key"] = key.into();
    node
}

fn block(kind: &str, data: Value, nodes: Vec<Value>) -> Value {
    json!({"object": "block", "type": kind, "data": data, "nodes": nodes})
}

fn document(nodes: Vec<Value>) -> Value {
    json!({"object": "document", "data": {"schemaVersion": 1}, "nodes": nodes})
}

fn paragraphs(lines: &[&str]) -> Value {
    document(lines.iter().map(|line| paragraph(line)).collect())
}

fn merged_by(resolution: &Resolution, base: &Value, into: &Value, from: &Value) -> DocumentMerge {
    merge_document([base, into, from], "scope", resolution)
}

fn merge_of(base: &Value, into: &Value, from: &Value) -> DocumentMerge {
    merged_by(&Resolution::default(), base, into, from)
}

/// Returns the merged document if there are no conflicts.
fn merged(base: &Value, into: &Value, from: &Value) -> Option<Value> {
    let merge = merge_of(base, into, from);
    merge.conflicts.is_empty().then_some(merge.document)
}

fn settled(base: &Value, into: &Value, from: &Value, strategy: Strategy) -> Value {
    let merge = merged_by(&Resolution::from(Some(strategy)), base, into, from);
    assert_eq!(merge.conflicts, []);
    merge.document
}

fn assert_merges(base: &Value, ours: &Value, theirs: &Value, expected: &Value) {
    assert_eq!(merged(base, ours, theirs).as_ref(), Some(expected));
    assert_eq!(merged(base, theirs, ours).as_ref(), Some(expected), "with swapped sides");
}

fn assert_conflicts(base: &Value, ours: &Value, theirs: &Value) {
    assert_eq!(merged(base, ours, theirs), None);
    assert_eq!(merged(base, theirs, ours), None, "with swapped sides");
}

#[test]
fn edits_of_different_blocks_come_together() {
    let base = paragraphs(&["one", "two", "three"]);
    assert_merges(
        &base,
        &paragraphs(&["ONE", "two", "three"]),
        &paragraphs(&["one", "TWO", "three", "four"]),
        &paragraphs(&["ONE", "TWO", "three", "four"]),
    );
    assert_merges(&base, &paragraphs(&["two", "three"]), &paragraphs(&["one", "two"]), &paragraphs(&["two"]));
    assert_merges(&base, &paragraphs(&["x"]), &paragraphs(&["x"]), &paragraphs(&["x"]));
}

#[test]
fn different_changes_of_one_block_conflict() {
    let base = paragraphs(&["one", "two", "three", "four", "five"]);
    let conflicting: [(&[&str], &[&str]); 6] = [
        // The same block.
        (&["one", "zwei", "three", "four", "five"], &["one", "deux", "three", "four", "five"]),
        // Changed and removed.
        (&["one", "three", "four", "five"], &["one", "two, too", "three", "four", "five"]),
        // Different blocks inserted at the same position.
        (&["one", "x", "two", "three", "four", "five"], &["one", "y", "two", "three", "four", "five"]),
        (&["one", "two", "three", "four", "five", "x"], &["one", "two", "three", "four", "five", "y"]),
        // Inserted into a stretch that the other side removed.
        (&["three", "four", "five"], &["one", "x", "two", "three", "four", "five"]),
        // Moved to different positions.
        (&["three", "one", "two", "four", "five"], &["one", "two", "four", "five", "three"]),
    ];
    for (ours, theirs) in conflicting {
        assert_conflicts(&base, &paragraphs(ours), &paragraphs(theirs));
    }
}

#[test]
fn a_strategy_settles_the_conflicts_only() {
    let base = paragraphs(&["one", "two", "three"]);
    let ours = paragraphs(&["ONE", "zwei", "three"]);
    let theirs = paragraphs(&["one", "deux", "THREE"]);
    assert_eq!(settled(&base, &theirs, &ours, Strategy::Ours), paragraphs(&["ONE", "zwei", "THREE"]));
    assert_eq!(settled(&base, &theirs, &ours, Strategy::Theirs), paragraphs(&["ONE", "deux", "THREE"]));
}

#[test]
fn blocks_moved_by_both_sides_are_kept_once() {
    let base = paragraphs(&["a", "b", "c", "d", "e"]);
    let ours = paragraphs(&["c", "a", "b", "d", "e"]);
    let theirs = paragraphs(&["a", "b", "d", "e", "c"]);
    assert_eq!(settled(&base, &theirs, &ours, Strategy::Ours), ours);
    assert_eq!(settled(&base, &theirs, &ours, Strategy::Theirs), theirs);
    // Moves to the same position are no conflict, nor is another copy of a block that one side moved.
    assert_merges(
        &base,
        &ours,
        &paragraphs(&["c", "a", "b", "d", "E"]),
        &paragraphs(&["c", "a", "b", "d", "E"]),
    );
    let copied = paragraphs(&["a", "b", "c", "d", "e", "c"]);
    assert_merges(&base, &ours, &copied, &paragraphs(&["c", "a", "b", "d", "e", "c"]));
}

/// Each line has another version. A recursive algorithm would nest one call per line.
#[test]
fn a_long_text_of_changed_lines_is_merged() {
    let lines = |word: &str| (0..1_200).map(|line| format!("{word} {line}")).collect::<Vec<_>>().join("\n");
    let (base, ours) = (paragraphs(&[&lines("old")]), paragraphs(&[&lines("new")]));
    let theirs = paragraphs(&[&lines("old"), "more"]);
    assert_merges(&base, &ours, &theirs, &paragraphs(&[&lines("new"), "more"]));
    let theirs = paragraphs(&[&lines("other")]);
    assert_conflicts(&base, &ours, &theirs);
}

#[test]
fn text_is_merged_line_by_line_with_its_marks() {
    let bold = |text: &str| json!({"object": "leaf", "text": text, "marks": [{"type": "bold"}]});
    let leaf = |text: &str| json!({"object": "leaf", "text": text, "marks": []});
    let lines = |leaves: Vec<Value>| {
        document(vec![block("paragraph", json!({}), vec![json!({"object": "text", "leaves": leaves})])])
    };
    assert_merges(
        &lines(vec![leaf("one\ntwo\nthree")]),
        &lines(vec![bold("one"), leaf("\ntwo\nthree")]),
        &lines(vec![leaf("one\ntwo\nthree\nfour")]),
        &lines(vec![bold("one\n"), leaf("two\nthree\nfour")]),
    );
    assert_conflicts(
        &lines(vec![leaf("one\ntwo")]),
        &lines(vec![leaf("one\ntwo words")]),
        &lines(vec![leaf("one\n"), bold("two")]),
    );
}

#[test]
fn inline_nodes_stay_in_their_lines() {
    let link = |label: &str| {
        json!({"object": "inline", "type": "link", "data": {"ref": {"kind": "url", "url": "https://example.com"}},
               "nodes": [text(label)]})
    };
    let line = |nodes: Vec<Value>| document(vec![block("paragraph", json!({}), nodes)]);
    assert_merges(
        &line(vec![text("see "), link("this"), text(".\nlast")]),
        &line(vec![text("see "), link("that"), text(".\nlast")]),
        &line(vec![text("see "), link("this"), text(".\nLAST")]),
        &line(vec![text("see "), link("that"), text(".\nLAST")]),
    );
}

#[test]
fn code_is_merged_line_by_line() {
    let code = |syntax: &str, lines: &[&str]| {
        let lines = lines.iter().map(|line| block("code-line", json!({}), vec![text(line)])).collect();
        document(vec![block("code", json!({"syntax": syntax}), lines)])
    };
    assert_merges(
        &code("c", &["a", "b", "c"]),
        &code("rust", &["a", "b", "c", "d"]),
        &code("c", &["A", "b", "c"]),
        &code("rust", &["A", "b", "c", "d"]),
    );
    assert_conflicts(&code("c", &["a"]), &code("rust", &["a"]), &code("go", &["a"]));
}

#[test]
fn lists_and_tabs_are_merged_inside() {
    let list = |items: &[&str]| {
        let item = |line: &&str| block("list-item", json!({}), vec![paragraph(line)]);
        document(vec![block("list-unordered", json!({}), items.iter().map(item).collect())])
    };
    assert_merges(
        &list(&["a", "b", "c"]),
        &list(&["a", "B", "c"]),
        &list(&["a", "b", "x", "c"]),
        &list(&["a", "B", "x", "c"]),
    );
    let tabs = |first: &str, title: &str| {
        let tab =
            |title: &str, line: &str| block("tabs-item", json!({"title": title}), vec![paragraph(line)]);
        document(vec![block("tabs", json!({}), vec![tab(title, first), tab("Two", "two")])])
    };
    assert_merges(&tabs("one", "One"), &tabs("1", "One"), &tabs("one", "I"), &tabs("1", "I"));
}

#[test]
fn table_records_and_cells_are_merged_one_by_one() {
    let table = |records: Value, cells: &[(&str, &str)]| {
        let fragment = |(name, line): &(&str, &str)| json!({"object": "fragment", "fragment": name, "nodes": [paragraph(line)]});
        let fragments: Vec<Value> = cells.iter().map(fragment).collect();
        document(vec![
            json!({"object": "block", "type": "table", "isVoid": true, "data": {"records": records}, "fragments": fragments}),
        ])
    };
    let row = |value: &str| json!({"orderIndex": "a", "values": {"c": value}});
    assert_merges(
        &table(json!({"r1": row("x"), "r2": row("y")}), &[("f1", "one"), ("f2", "two")]),
        &table(json!({"r1": row("X"), "r2": row("y"), "r3": row("z")}), &[("f1", "ONE"), ("f2", "two")]),
        &table(json!({"r1": row("x")}), &[("f1", "one"), ("f2", "TWO")]),
        &table(json!({"r1": row("X"), "r3": row("z")}), &[("f1", "ONE"), ("f2", "TWO")]),
    );
    assert_conflicts(
        &table(json!({"r": row("x")}), &[]),
        &table(json!({"r": row("y")}), &[]),
        &table(json!({}), &[]),
    );
}

#[test]
fn references_are_one_unit() {
    let embed = |reference: Value| {
        document(vec![
            json!({"object": "block", "type": "content-ref", "isVoid": true, "data": {"ref": reference}}),
        ])
    };
    assert_conflicts(
        &embed(json!({"kind": "page", "page": "a"})),
        &embed(json!({"kind": "anchor", "page": "a", "anchor": "x"})),
        &embed(json!({"kind": "page", "page": "b"})),
    );
}

#[test]
fn keys_dont_matter_and_stay_unique() {
    let base = document(vec![keyed("a", paragraph("one")), keyed("b", paragraph("two"))]);
    let ours = document(vec![
        keyed("a", paragraph("one")),
        keyed("b", paragraph("two")),
        keyed("c", paragraph("x")),
    ]);
    let theirs = document(vec![
        keyed("c", paragraph("y")),
        keyed("d", paragraph("one")),
        keyed("e", paragraph("two")),
    ]);
    let expected = document(vec![
        keyed("c", paragraph("y")),
        keyed("a", paragraph("one")),
        keyed("b", paragraph("two")),
        paragraph("x"),
    ]);
    assert_eq!(merged(&base, &ours, &theirs), Some(expected));
}

#[test]
fn a_block_that_both_sides_emptied_is_gone() {
    let list = |items: &[&str]| {
        let items = items.iter().map(|line| block("list-item", json!({}), vec![paragraph(line)])).collect();
        document(vec![paragraph("before"), block("list-ordered", json!({}), items)])
    };
    assert_merges(&list(&["a", "b"]), &list(&["a"]), &list(&["b"]), &paragraphs(&["before"]));
}

#[test]
fn invalid_documents_conflict_as_a_whole() {
    assert_conflicts(&json!(1), &json!(2), &json!(3));
    assert_conflicts(&json!({"nodes": 1}), &json!({"nodes": 2}), &json!({"nodes": 3}));
    assert_conflicts(
        &json!({"type": "a", "x": 1}),
        &json!({"type": "b", "x": 1}),
        &json!({"type": "a", "x": 2}),
    );
}

/// Generates a document of numbered blocks of two types, with keys.
fn any_document() -> impl proptest::strategy::Strategy<Value = Vec<(bool, u8)>> {
    prop::collection::vec((any::<bool>(), 0_u8..8), 0..12)
}

/// Changes, removes and inserts blocks of a document. Inserted ones are numbered from `first`.
fn edited(blocks: &[(bool, u8)], edits: &[(prop::sample::Index, u8)], first: u8) -> Vec<(bool, u8)> {
    let mut blocks = blocks.to_vec();
    for (number, (place, edit)) in (first..).zip(edits) {
        let at = place.index(blocks.len() + 1);
        match (edit % 3, blocks.get_mut(at)) {
            (0, Some(block)) => block.1 = number,
            (1, Some(_)) => drop(blocks.remove(at)),
            _ => blocks.insert(at, (edit % 2 == 0, number)),
        }
    }
    blocks
}

fn built(blocks: &[(bool, u8)], keys: &str) -> Value {
    let nodes = blocks.iter().enumerate().map(|(index, (code, number))| {
        let node = if *code {
            block(
                "code",
                json!({}),
                vec![block("code-line", json!({}), vec![text(&format!("let {number}"))])],
            )
        } else {
            paragraph(&format!("line {number}\nsecond"))
        };
        keyed(&format!("{keys}{index}"), node)
    });
    document(nodes.collect())
}

fn keys_of(node: &Value, keys: &mut Vec<String>) {
    keys.extend(node.get("key").and_then(Value::as_str).map(str::to_owned));
    node.get("nodes").and_then(Value::as_array).into_iter().flatten().for_each(|node| keys_of(node, keys));
}

fn edits() -> impl proptest::strategy::Strategy<Value = Vec<(prop::sample::Index, u8)>> {
    prop::collection::vec(any::<(prop::sample::Index, u8)>(), 0..4)
}

proptest! {
    #[test]
    fn one_sided_changes_win_exactly((base, ours) in (any_document(), edits()).prop_map(|(base, edits)| {
        let ours = edited(&base, &edits, 100);
        (built(&base, "k"), built(&ours, "k"))
    })) {
        for (into, from) in [(&ours, &base), (&base, &ours), (&ours, &ours)] {
            prop_assert_eq!(merged(&base, into, from), Some(ours.clone()));
        }
    }

    #[test]
    fn sides_can_be_swapped_and_conflicts_settled(base in any_document(), ours in edits(), theirs in edits()) {
        let (left, right) = (edited(&base, &ours, 100), edited(&base, &theirs, 200));
        let (base, left, right) = (built(&base, "k"), built(&left, "k"), built(&right, "m"));
        let (one, other) = (merged(&base, &left, &right), merged(&base, &right, &left));
        prop_assert_eq!(one.is_none(), other.is_none());
        for strategy in [Strategy::Ours, Strategy::Theirs] {
            let settled = settled(&base, &left, &right, strategy);
            if let Some(merged) = &one {
                prop_assert_eq!(merged, &settled);
            }
            let mut keys = Vec::new();
            keys_of(&settled, &mut keys);
            let count = keys.len();
            keys.sort();
            keys.dedup();
            prop_assert_eq!(keys.len(), count, "a key twice");
            // A resolved document merges cleanly with the side it was merged from.
            prop_assert_eq!(merged(&right, &right, &settled), Some(settled));
        }
    }

    /// Simulates two people who type: each side changes or inserts blocks. Each text of either side must be in the
    /// merged document or in a conflict, and conflicts must have the right paths.
    #[test]
    fn no_text_is_lost(base in any_document(), ours in edits(), theirs in edits()) {
        let (from, into) = (typed(&base, &ours, 100), typed(&base, &theirs, 150));
        let [base, into, from] = [base, into, from].map(|blocks| built(&blocks, "k"));
        let merge = merge_of(&base, &into, &from);
        let reported = merged_by(&Resolution::reported(Strategy::Theirs), &base, &into, &from);
        prop_assert_eq!(&reported, &merge);
        let mut kept = words_of(&merge.document);
        for conflict in &merge.conflicts {
            prop_assert_eq!(&contents(&at(&merge.document, conflict)), &contents(&conflict.theirs));
            conflict.ours.iter().for_each(|block| kept.extend(words_of(block)));
        }
        let (before, [of_into, of_from]) = (words_of(&base), [&into, &from].map(words_of));
        let times = |text: &String| before.iter().filter(|word| *word == text).count();
        for text in of_into.iter().chain(&of_from) {
            let untouched = times(text) == 1 && of_into.contains(text) && of_from.contains(text);
            prop_assert!(kept.contains(text) || (times(text) > 0 && !untouched), "{}", text);
        }
    }

    /// Choosing one side for each conflict equals the strategy of that side.
    #[test]
    fn choices_are_a_strategy_for_each_conflict(base in any_document(), ours in edits(), theirs in edits()) {
        let (into, from) = (edited(&base, &ours, 100), edited(&base, &theirs, 200));
        let [base, into, from] = [base, into, from].map(|blocks| built(&blocks, "k"));
        let conflicts = merge_of(&base, &into, &from).conflicts;
        for (take, strategy) in [(Take::Ours, Strategy::Ours), (Take::Theirs, Strategy::Theirs)] {
            let merge = merged_by(&choices(&conflicts, &take), &base, &into, &from);
            prop_assert_eq!(merge.document, settled(&base, &into, &from, strategy));
            prop_assert_eq!(merge.conflicts, vec![]);
            prop_assert_eq!(merge.resolved.len(), conflicts.len());
        }
        let both = merged_by(&choices(&conflicts, &Take::Both), &base, &into, &from);
        let words = words_of(&both.document);
        for text in conflicts.iter().flat_map(|conflict| conflict.ours.iter().chain(&conflict.theirs)).flat_map(words_of) {
            prop_assert!(words.contains(&text), "{}", text);
        }
    }
}

/// Changes some blocks of a document and inserts some.
fn typed(blocks: &[(bool, u8)], edits: &[(prop::sample::Index, u8)], first: u8) -> Vec<(bool, u8)> {
    let typing: Vec<_> =
        edits.iter().map(|(place, edit)| (*place, if edit % 3 == 1 { 0 } else { *edit })).collect();
    edited(blocks, &typing, first)
}

fn choices(conflicts: &[BlockConflict], take: &Take) -> Resolution {
    Resolution::by_choices(conflicts.iter().map(|conflict| (conflict.id.clone(), take.clone())).collect())
}

/// Returns the texts of the leaves of a node.
fn words_of(node: &Value) -> Vec<String> {
    let own = node.get("text").and_then(Value::as_str).map(str::to_owned).into_iter();
    let members = ["nodes", "leaves"].into_iter().flat_map(|name| node.get(name).and_then(Value::as_array));
    own.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .chain(members.flatten().flat_map(words_of))
        .collect()
}

/// Returns the blocks of a document that a conflict is about.
fn at(document: &Value, conflict: &BlockConflict) -> Vec<Value> {
    let mut steps: Vec<usize> = conflict.path.split('.').map(|step| step.parse().unwrap()).collect();
    let first = steps.pop().unwrap();
    let parent = steps.into_iter().fold(document, |node, step| &node["nodes"][step]);
    parent["nodes"].as_array().unwrap()[first..][..conflict.length].to_vec()
}

fn contents(blocks: &[Value]) -> Vec<Vec<String>> {
    blocks.iter().map(words_of).collect()
}

#[test]
fn conflicts_name_the_innermost_blocks() {
    let item = |line: &str| block("list-item", json!({}), vec![paragraph(line)]);
    let list =
        |items: &[&str]| block("list-unordered", json!({}), items.iter().map(|line| item(line)).collect());
    let base = document(vec![paragraph("first"), list(&["a", "b"]), paragraph("last\nline")]);
    let into =
        document(vec![paragraph("new"), paragraph("first"), list(&["a", "B", "y"]), paragraph("last\nLINE")]);
    let from = document(vec![paragraph("first"), list(&["a", "bb", "x"]), paragraph("LAST\nlines")]);
    let merge = merge_of(&base, &into, &from);
    let parts = |conflict: &BlockConflict| {
        let text = |blocks: &[Value]| blocks.iter().flat_map(words_of).collect::<Vec<_>>().join("|");
        let document = conflict.as_document(&conflict.ours);
        let parent = document.first().map_or("", |block| block["type"].as_str().unwrap());
        let [base, ours, theirs] =
            [&conflict.base, &conflict.ours, &conflict.theirs].map(|blocks| text(blocks));
        format!("{} {parent} {base} {ours} {theirs}", conflict.path)
    };
    assert_eq!(
        merge.conflicts.iter().map(parts).collect::<Vec<_>>(),
        [
            "2.1.0 list-unordered b bb B",
            "2.2 list-unordered  x y",
            // Lines without a conflict are merged in both versions.
            "3 paragraph last|line LAST|lines LAST|LINE",
        ]
    );
    let [one, two, three] = [0, 1, 2].map(|index| merge.conflicts[index].id.clone());
    let written = Take::Document(vec![list(&["written", "more"])]);
    let choices = [(one.clone(), Take::Ours), (two.clone(), written), (three.clone(), Take::Both)];
    let resolution = Resolution::by_choices(choices.into_iter().collect());
    let resolved = merged_by(&resolution, &base, &into, &from);
    let items = list(&["a", "bb", "written", "more"]);
    let both = [paragraph("LAST\nLINE"), paragraph("LAST\nlines")];
    let expected = [paragraph("new"), paragraph("first"), items].into_iter().chain(both).collect();
    assert_eq!(resolved.document, document(expected));
    assert_eq!((resolved.conflicts, resolved.resolved), (vec![], vec![one, two, three]));
}

#[test]
fn a_conflict_names_the_heading_above_it() {
    let heading = |words: &str| block("heading-2", json!({}), vec![text(words)]);
    let list = |line: &str| {
        block("list-unordered", json!({}), vec![block("list-item", json!({}), vec![paragraph(line)])])
    };
    let version = |[top, title, item]: [&str; 3], first: &[&str]| {
        let first = first.iter().map(|line| paragraph(line));
        let rest = [paragraph(top), heading(title), paragraph("between"), list(item)];
        document(first.chain(rest).collect())
    };
    let base = version(["a", "Title", "b"], &[]);
    let into = version(["A", "Title", "B"], &["new", "newer"]);
    let from = version(["aa", "Titles", "bb"], &[]);
    let headings: Vec<(String, Option<String>)> = merge_of(&base, &into, &from)
        .conflicts
        .into_iter()
        .map(|conflict| (conflict.path, conflict.heading))
        .collect();
    let expected = [("0", None), ("5.0.0", Some("Titles"))];
    assert_eq!(headings, expected.map(|(path, words)| (path.to_owned(), words.map(ToOwned::to_owned))));
}

#[test]
fn a_conflict_of_a_block_contains_those_of_its_children() {
    let hint = |style: &str, lines: &[&str]| {
        block("hint", json!({"style": style}), lines.iter().map(|line| paragraph(line)).collect())
    };
    let one = |node: Value| document(vec![node]);
    let (base, into, from) =
        (hint("info", &["one", "two"]), hint("danger", &["1", "two"]), hint("success", &["ONE", "zwei"]));
    let conflicts = merge_of(&one(base.clone()), &one(into), &one(from)).conflicts;
    let [conflict] = &conflicts[..] else { panic!("{conflicts:?}") };
    assert_eq!(conflict.path, "0");
    assert_eq!(conflict.base, [base]);
    assert_eq!(conflict.ours, [hint("success", &["ONE", "zwei"])]);
    assert_eq!(conflict.theirs, [hint("danger", &["1", "zwei"])]);
}

#[test]
fn a_document_for_a_conflict_has_the_blocks_around_it() {
    let item = |line: &str| block("list-item", json!({}), vec![paragraph(line)]);
    let list =
        |items: &[&str]| block("list-unordered", json!({}), items.iter().map(|line| item(line)).collect());
    let versions = ["a", "A", "aa"].map(|line| document(vec![list(&[line])]));
    let [base, into, from] = &versions;
    let conflict = &merge_of(base, into, from).conflicts[0];
    assert_eq!(conflict.as_document(&conflict.ours), [list(&["aa"])]);
    assert_eq!(conflict.as_document(&[]), Vec::<Value>::new());
    let with = |blocks: Vec<Value>| {
        let resolution = Resolution::by_choices([(conflict.id.clone(), Take::Document(blocks))].into());
        merged_by(&resolution, base, into, from)
    };
    assert_eq!(with(vec![list(&["written"])]).document, document(vec![list(&["written"])]));
    assert_eq!(with(vec![]).conflicts, []);
    for blocks in [vec![paragraph("written")], vec![list(&["a", "b"])], vec![list(&["a"]), list(&["b"])]] {
        let merge = with(blocks);
        assert_eq!((merge.conflicts, merge.resolved), (vec![conflict.clone()], vec![]));
    }
}

#[test]
fn equal_conflicts_are_different_ones() {
    let base = paragraphs(&["same", "x", "same"]);
    let (into, from) = (paragraphs(&["SAME", "x", "SAME"]), paragraphs(&["gleich", "x", "gleich"]));
    let conflicts = merge_of(&base, &into, &from).conflicts;
    assert_eq!(conflicts.len(), 2);
    let resolution = Resolution::by_choices([(conflicts[1].id.clone(), Take::Ours)].into());
    let merge = merged_by(&resolution, &base, &into, &from);
    assert_eq!(merge.document, paragraphs(&["SAME", "x", "gleich"]));
    assert_eq!(merge.conflicts, conflicts[..1]);
    // A choice for another document has no effect on this one.
    assert_eq!(merge_document([&base, &into, &from], "other", &resolution).resolved, []);
}
