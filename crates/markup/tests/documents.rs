//! Round trips of arbitrary documents with every kind of node.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail as tests do"
)]

#[allow(unreachable_pub)]
#[path = "support/normal.rs"]
mod normal;

use normal::normal;
use proptest::prelude::*;
use quire_markup::{
    BlockKind, Document, InlineKind, StableRefs, links, node_keys, parse, plain_text, print, sections,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Generates words, characters with a meaning in Markdown, and other text.
fn words() -> impl Strategy<Value = String> {
    let signs = prop::sample::select(vec![
        "*", "_x_", "`", "# ", "1. ", "- ", "> ", "|", "<b>", "&amp;", "{% if %}", "[a](b)", "$$", "\\",
        "\n", "  ", "é", "日本", "\u{a0}", ":tada:", "~~", "^", "!", "\"", "'",
    ]);
    prop::collection::vec(
        prop_oneof![3 => "[a-z]{1,5}( [a-z]{1,3})?", 1 => signs.prop_map(str::to_owned)],
        1..4,
    )
    .prop_map(|pieces| pieces.concat())
}

fn mark() -> impl Strategy<Value = Value> {
    prop_oneof![
        prop::sample::select(vec![
            "bold",
            "italic",
            "code",
            "keyboard",
            "strikethrough",
            "superscript",
            "subscript"
        ])
        .prop_map(|kind| json!({"object": "mark", "type": kind})),
        prop::sample::select(vec!["default", "red", "$primary"]).prop_map(
            |text| json!({"object": "mark", "type": "color", "data": {"text": text, "background": "yellow"}})
        ),
    ]
}

fn text() -> impl Strategy<Value = Value> {
    let leaf = (prop_oneof![8 => words(), 1 => Just(String::new())], prop::collection::vec(mark(), 0..3))
        .prop_map(|(text, mut marks)| {
            // A text has each kind of mark at most once.
            let mut kinds = BTreeSet::new();
            marks.retain(|mark| kinds.insert(mark["type"].to_string()));
            json!({"object": "leaf", "text": text, "marks": marks})
        });
    prop::collection::vec(leaf, 0..3).prop_map(|leaves| json!({"object": "text", "leaves": leaves}))
}

/// Generates properties unknown to the schema, of every type, with characters that end comments, attributes and cells.
fn more() -> impl Strategy<Value = Value> {
    let value = prop_oneof![
        Just(json!(1.5)),
        Just(json!({"a": [null, true], "b": "-->"})),
        words().prop_map(Value::from)
    ];
    prop_oneof![3 => Just(json!({})), 1 => value.prop_map(|value| json!({"x-more": value}))]
}

/// Adds properties to a node that accepts additional ones.
fn enriched(mut node: Value, more: &Value) -> Value {
    for (name, value) in more.as_object().into_iter().flatten() {
        node["data"][name] = value.clone();
    }
    node
}

fn reference() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![
        json!({"kind": "page", "page": "p1"}),
        json!({"kind": "url", "url": "https://example.com/a b"}),
        json!({"kind": "anchor", "anchor": "a", "page": "p1"}),
        json!({"kind": "file", "file": "f1"}),
        json!({"kind": "space", "space": "s"}),
        json!({"kind": "user", "user": "u"}),
        json!({"kind": "tag", "tag": "t", "space": "s"}),
    ])
}

fn inline_of(kind: InlineKind) -> BoxedStrategy<Value> {
    use InlineKind as I;
    let node = move |data: Value| json!({"object": "inline", "type": kind.as_str(), "isVoid": !matches!(kind, I::Link | I::Annotation), "data": data});
    match kind {
        I::Link => (reference(), prop::collection::vec(text(), 0..2))
            .prop_map(move |(to, nodes)| with(node(json!({"ref": to})), "nodes", json!(nodes)))
            .boxed(),
        I::Emoji => Just(node(json!({"code": "1f389"}))).boxed(),
        I::Icon => Just(node(json!({"icon": "rocket"}))).boxed(),
        I::Expression => words().prop_map(move |words| node(json!({"expression": words}))).boxed(),
        I::InlineMath => words().prop_map(move |words| node(json!({"formula": words}))).boxed(),
        I::InlineImage => words()
            .prop_map(move |words| {
                node(json!({"ref": {"kind": "file", "file": "f"}, "alt": words, "size": "line"}))
            })
            .boxed(),
        I::Annotation => (prop::collection::vec(text(), 0..2), words())
            .prop_map(move |(nodes, words)| {
                let code = block_of(BlockKind::Code, words.clone(), json!([]), json!([]), true, &json!({}));
                let hint = block_of(BlockKind::Hint, words.clone(), json!([]), json!([code]), true, &json!({}));
                let body =
                    json!([{"object": "fragment", "type": "annotation-body", "nodes": if words.len() % 2 == 0 { json!([paragraph(&words), hint]) } else { json!([hint]) }}]);
                with(with(node(json!({})), "nodes", json!(nodes)), "fragments", body)
            })
            .boxed(),
        I::Mention => reference().prop_map(move |to| node(json!({"ref": to}))).boxed(),
        I::Button => (words(), reference())
            .prop_map(move |(label, to)| node(json!({"label": label, "kind": "secondary", "ref": to})))
            .boxed(),
    }
}

fn inlines() -> BoxedStrategy<Value> {
    let kinds = prop::sample::select(InlineKind::ALL);
    let node = (kinds.prop_flat_map(|kind| inline_of(kind).prop_map(move |node| (kind, node))), more());
    let node = node.prop_map(|((kind, node), more)| match kind {
        InlineKind::Annotation => node,
        _ => enriched(node, &more),
    });
    prop::collection::vec(prop_oneof![3 => text().boxed(), 1 => node.boxed()], 0..4)
        .prop_map(Value::from)
        .boxed()
}

fn paragraph(words: &str) -> Value {
    json!({"object": "block", "type": "paragraph", "nodes": [{"object": "text", "leaves": [{"object": "leaf", "text": words, "marks": []}]}]})
}

fn with(mut node: Value, name: &str, value: Value) -> Value {
    node[name] = value;
    node
}

fn fragment(role: &str, nodes: Value) -> Value {
    json!({"object": "fragment", "type": role, "nodes": nodes})
}

/// Returns a block of a kind around given content.
fn block_of(
    kind: BlockKind,
    words: String,
    inlines: Value,
    content: Value,
    flag: bool,
    more: &Value,
) -> Value {
    use BlockKind as B;
    let is_closed = matches!(
        kind,
        B::Paragraph
            | B::ListUnordered
            | B::ListTasks
            | B::Divider
            | B::Blockquote
            | B::Expandable
            | B::Tabs
            | B::Stepper
            | B::Column
    );
    let block = bare_block_of(kind, words, inlines, content, flag, more);
    if is_closed { block } else { enriched(block, more) }
}

fn bare_block_of(
    kind: BlockKind,
    words: String,
    inlines: Value,
    content: Value,
    flag: bool,
    more: &Value,
) -> Value {
    use BlockKind as B;
    let w = words.as_str();
    let nodes = |data: Value, nodes: Value| json!({"object": "block", "type": kind.as_str(), "isVoid": false, "data": data, "nodes": nodes});
    let void = |data: Value| json!({"object": "block", "type": kind.as_str(), "isVoid": true, "data": data});
    let child = |kind: BlockKind| {
        json!([
            block_of(kind, words.clone(), inlines.clone(), content.clone(), flag, more),
            block_of(kind, words.clone(), inlines.clone(), content.clone(), !flag, more)
        ])
    };
    let file = json!({"kind": "file", "file": "f1"});
    let spec = json!({"kind": "openapi", "spec": "s"});
    match kind {
        B::Paragraph => nodes(if flag { json!({"align": "center"}) } else { json!({}) }, inlines),
        B::Heading1 | B::Heading2 | B::Heading3 => {
            nodes(if flag { json!({"id": "an-id", "align": "end"}) } else { json!({}) }, inlines)
        }
        B::ListOrdered => nodes(if flag { json!({"start": 7}) } else { json!({}) }, child(B::ListItem)),
        B::ListUnordered => nodes(json!({}), child(B::ListItem)),
        B::ListTasks => nodes(
            json!({}),
            json!([with(
                block_of(B::ListItem, words, inlines, content, flag, more),
                "data",
                json!({"checked": flag})
            )]),
        ),
        B::ListItem if flag => nodes(json!({"checked": true}), content),
        B::ListItem | B::Blockquote | B::StepperStep => nodes(json!({}), content),
        B::Update => nodes(
            json!({"date": w, "tags": [{"kind": "tag", "tag": "a"}, {"kind": "tag", "tag": "b", "space": "s"}]}),
            content,
        ),
        B::Divider => void(json!({})),
        B::Hint => nodes(json!({"style": if flag { "danger" } else { "success" }, "icon": "star"}), content),
        B::Code => nodes(json!({"syntax": "rust", "title": w, "lineNumbers": flag}), child(B::CodeLine)),
        // Some lines contain more than plain text.
        B::CodeLine if flag && w.len() > 8 => nodes(
            json!({}),
            json!([
                {"object": "text", "leaves": [{"object": "leaf", "text": words.replace('\n', ""), "marks": [{"object": "mark", "type": "bold"}]}]},
                {"object": "inline", "type": "expression", "isVoid": true, "data": {"expression": w}}
            ]),
        ),
        B::CodeLine => nodes(
            json!({"highlighted": flag}),
            json!([{"object": "text", "leaves": [{"object": "leaf", "text": words.replace('\n', ""), "marks": []}]}]),
        ),
        B::Math => void(json!({"formula": w})),
        B::Images => nodes(json!({"align": "left", "fullWidth": flag}), child(B::Image)),
        B::Image => with(
            void(json!({"ref": file, "alt": w, "width": {"unit": "%", "value": 50}})),
            "fragments",
            json!([fragment("caption", content)]),
        ),
        B::File | B::Drawing => void(json!({"ref": file})),
        B::Embed => void(json!({"url": "https://e.example/a?b"})),
        B::Expandable => with(
            void(json!({"defaultExpanded": flag})),
            "fragments",
            json!([
                fragment("expandable-title", json!([paragraph(w)])),
                fragment(
                    "expandable-body",
                    if content == json!([]) { json!([paragraph("")]) } else { content }
                )
            ]),
        ),
        B::Tabs => nodes(json!({}), child(B::TabsItem)),
        B::TabsItem => nodes(json!({"title": w}), content),
        B::Table => with(
            void(
                json!({"view": {"type": "grid", "columns": if flag { json!(["b", "a"]) } else { json!(["b", "a", "c", "d", "e"]) }, "hideHeader": flag, "stickyHeader": flag},
                "definition": {
                    "a": {"id": "a", "title": w, "type": "text", "textAlignment": "left"},
                    "b": {"id": "b", "title": "", "type": "text", "textAlignment": "right", "verticalAlignment": "top"},
                    "c": {"id": "c", "title": "C", "type": "select", "multiple": flag, "options": [{"value": "v", "label": w, "color": "red"}]},
                    "d": {"id": "d", "title": "D", "type": "rating", "max": 3},
                    "e": {"id": "e", "title": "E", "type": "image"}},
                "records": {"r": {"orderIndex": "2", "values": {"a": "cell", "c": ["v"], "d": 2, "e": if flag { file.clone() } else { json!({"ref": file, "objectFit": "fill", "alt": w}) }}}, "s": {"orderIndex": "1", "values": {"b": "other"}}}}),
            ),
            "fragments",
            json!([
                {"object": "fragment", "fragment": "cell", "nodes": content},
                {"object": "fragment", "fragment": "other", "nodes": [block_of(B::Paragraph, words.clone(), inlines, json!([]), false, more)]}
            ]),
        ),
        B::ContentRef => void(json!({"ref": {"kind": "page", "page": "p"}})),
        B::Integration => void(json!({"integration": "i", "block": "b", "props": {"content": w, "n": 1}})),
        B::ReusableContent => void(json!({"ref": {"kind": "reusable-content", "reusableContent": "r"}})),
        B::Stepper => nodes(json!({}), child(B::StepperStep)),
        B::Columns => nodes(json!({}), child(B::Column)),
        B::Column => nodes(json!({"width": {"unit": "%", "value": 50}}), content),
        B::If => nodes(json!({"expression": "a.b == 1"}), content),
        B::Swagger => void(json!({"path": "/a", "method": "get", "ref": file, "expanded": flag})),
        B::OpenApiOperation => void(json!({"path": "/a", "method": "get", "ref": spec})),
        B::OpenApiSchemas => void(json!({"schemas": ["A", "B"], "grouped": flag, "ref": spec})),
        B::OpenApiWebhook => void(json!({"name": "n", "method": "post", "ref": spec})),
        B::Prompt => {
            nodes(json!({"description": w}), json!([block_of(B::Code, words, inlines, content, flag, more)]))
        }
        B::Updates => nodes(json!({"format": "full"}), child(B::Update)),
    }
}

fn content() -> BoxedStrategy<Value> {
    use BlockKind as B;
    let parts = [B::ListItem, B::CodeLine, B::Image, B::TabsItem, B::StepperStep, B::Column, B::Update];
    let kinds: Vec<BlockKind> = BlockKind::ALL.iter().copied().filter(|kind| !parts.contains(kind)).collect();
    let leaf = (words(), inlines())
        .prop_map(|(words, inlines)| block_of(B::Paragraph, words, inlines, json!([]), false, &json!({})));
    let block = leaf.prop_recursive(3, 16, 3, move |inner| {
        (
            prop::sample::select(kinds.clone()),
            words(),
            inlines(),
            prop::collection::vec(inner, 0..3),
            any::<bool>(),
            more(),
        )
            .prop_map(|(kind, words, inlines, content, flag, more)| {
                block_of(kind, words, inlines, Value::from(content), flag, &more)
            })
    });
    prop::collection::vec(block, 0..4).prop_map(Value::from).boxed()
}

/// Counts each letter. Markdown may change white space and other characters.
fn letters(text: &str) -> BTreeMap<char, usize> {
    let mut counts = BTreeMap::new();
    text.chars().filter(|c| c.is_alphanumeric()).for_each(|c| *counts.entry(c).or_insert(0) += 1);
    counts
}

/// Returns the lines of JSON around the first difference.
fn first_difference(read: &Document, wanted: &Document) -> String {
    let lines = |document: &Document| -> Vec<String> {
        serde_json::to_string_pretty(&document.to_json()).unwrap().lines().map(str::to_owned).collect()
    };
    let (read, wanted) = (lines(read), lines(wanted));
    let at = read.iter().zip(&wanted).position(|(a, b)| a != b).unwrap_or(read.len().min(wanted.len()));
    let around = |lines: &[String]| {
        lines.iter().skip(at.saturating_sub(9)).take(18).cloned().collect::<Vec<_>>().join("\n")
    };
    format!("--- read\n{}\n--- wanted\n{}", around(&read), around(&wanted))
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn any_document_is_carried_and_keeps_its_words_in_markdown(nodes in content()) {
        let json = json!({"object": "document", "data": {}, "nodes": nodes});
        let document = match Document::from_json(&json) {
            Ok(document) => document,
            Err(errors) => return Err(TestCaseError::fail(format!("{errors:?}\n{json:#}"))),
        };
        let carried = Document::from_json(&document.to_json());
        prop_assert_eq!(carried.as_ref(), Ok(&document));
        let stored = Document::from_stored_value(&json);
        prop_assert_eq!(stored.as_ref(), Ok(&document));
        let canonical = document.to_canonical_json();
        prop_assert_eq!(canonical.get().as_bytes(), quire_revision::canonical_json(&document.to_json()));
        let stored = Document::from_stored(canonical.get().as_bytes());
        prop_assert_eq!(stored.as_ref(), Ok(&document));
        let keys = node_keys(&document);
        prop_assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len());
        let _ = (sections(&document), links(&document));
        let printed = print(&document, &StableRefs);
        let read = parse(&printed, &StableRefs);
        prop_assert!(Document::from_json(&read.to_json()).is_ok());
        let again = print(&read, &StableRefs);
        prop_assert_eq!(&parse(&again, &StableRefs), &read, "{}", printed);
        let wanted = normal(&document);
        prop_assert!(read == wanted, "{}\n{}", printed, first_difference(&read, &wanted));
        let have = letters(&plain_text(&read));
        for (letter, times) in letters(&plain_text(&document)) {
            prop_assert!(have.get(&letter).copied().unwrap_or(0) >= times, "{:?} is lost:\n{}", letter, printed);
        }
    }
}
