//! The wire JSON of documents.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail as tests do"
)]

use quire_markup::{BlockKind, Document, InlineKind, StableRefs, parse, plain_text, print};
use serde_json::{Value, json};

fn paragraph(text: &str) -> Value {
    json!({"object": "block", "type": "paragraph", "nodes": [
        {"object": "text", "leaves": [{"object": "leaf", "text": text, "marks": []}]}]})
}

fn document(nodes: Vec<Value>) -> Value {
    json!({"object": "document", "data": {"schemaVersion": 7, "custom": [1]}, "nodes": nodes})
}

/// A block of each kind with every required property, words that are its own, and a property nobody knows.
fn sample(kind: BlockKind, word: &str) -> Value {
    let mut block = json!({"object": "block", "type": kind.as_str(), "key": "k", "meta": {"id": "m"}, "data": {}, "nodes": [paragraph(word)]});
    let text = paragraph(word)["nodes"].clone();
    let nested = |kind: BlockKind| json!([sample(kind, word)]);
    let file = json!({"kind": "file", "file": "f"});
    let spec = json!({"kind": "openapi", "spec": "s"});
    let fragment = |role: &str| json!({"object": "fragment", "type": role, "nodes": [paragraph(word)]});
    use BlockKind as B;
    let (data, nodes, fragments) = match kind {
        B::Paragraph => (json!({"align": "center"}), text, Value::Null),
        B::Heading1 | B::Heading2 | B::Heading3 => (json!({"id": "a-b", "x": 1}), text, Value::Null),
        B::ListOrdered => (json!({"start": 3}), nested(B::ListItem), Value::Null),
        B::ListUnordered | B::ListTasks => (json!({}), nested(B::ListItem), Value::Null),
        B::Hint => (json!({"style": "info", "x": 1}), block["nodes"].clone(), Value::Null),
        B::Code => (json!({"title": word, "x": 1}), nested(B::CodeLine), Value::Null),
        B::CodeLine => (json!({"highlighted": true}), text, Value::Null),
        B::Math => (json!({"formula": word}), Value::Null, Value::Null),
        B::Images => (json!({"align": "left"}), nested(B::Image), Value::Null),
        B::Image => (
            json!({"ref": file, "width": {"unit": "%", "value": 50}}),
            Value::Null,
            json!([fragment("caption")]),
        ),
        B::File | B::Drawing => (json!({"ref": file}), Value::Null, Value::Null),
        B::Embed => (json!({"url": format!("https://{word}.example")}), Value::Null, Value::Null),
        B::Expandable => {
            (json!({}), Value::Null, json!([fragment("expandable-title"), fragment("expandable-body")]))
        }
        B::Tabs => (json!({}), nested(B::TabsItem), Value::Null),
        B::TabsItem => (json!({"title": word}), block["nodes"].clone(), Value::Null),
        B::Table => (
            json!({"view": {"type": "grid", "columns": ["n"], "hideHeader": false},
                "definition": {"n": {"id": "n", "title": word, "type": "text", "textAlignment": "left"}},
                "records": {"r": {"orderIndex": "a", "values": {"n": "cell"}}}}),
            Value::Null,
            json!([{"object": "fragment", "fragment": "cell", "nodes": [paragraph(word)]}]),
        ),
        B::ContentRef => (json!({"ref": {"kind": "page", "page": "p"}}), Value::Null, Value::Null),
        B::ReusableContent => {
            (json!({"ref": {"kind": "reusable-content", "reusableContent": "r"}}), Value::Null, Value::Null)
        }
        B::Integration => {
            (json!({"integration": "i", "block": "b", "props": {"content": word}}), Value::Null, Value::Null)
        }
        B::Stepper => (json!({}), nested(B::StepperStep), Value::Null),
        B::Columns => (json!({}), nested(B::Column), Value::Null),
        B::Column => (json!({"width": 3}), block["nodes"].clone(), Value::Null),
        B::If => (json!({"expression": "a == 1"}), block["nodes"].clone(), Value::Null),
        B::Swagger => (json!({"path": word, "method": "get", "ref": file}), Value::Null, Value::Null),
        B::OpenApiOperation => {
            (json!({"path": word, "method": "get", "ref": spec}), Value::Null, Value::Null)
        }
        B::OpenApiSchemas => (json!({"schemas": [word], "ref": spec}), Value::Null, Value::Null),
        B::OpenApiWebhook => (json!({"name": word, "method": "get", "ref": spec}), Value::Null, Value::Null),
        B::Prompt => (json!({"description": word}), nested(B::Code), Value::Null),
        B::Updates => (json!({"format": "short"}), nested(B::Update), Value::Null),
        B::Divider => (json!({}), Value::Null, Value::Null),
        B::ListItem | B::Blockquote | B::StepperStep | B::Update => {
            (json!({}), block["nodes"].clone(), Value::Null)
        }
    };
    let object = block.as_object_mut().unwrap();
    object.insert("isVoid".to_owned(), nodes.is_null().into());
    object.insert("data".to_owned(), data);
    for (name, value) in [("nodes", nodes), ("fragments", fragments)] {
        match value {
            Value::Null => drop(object.remove(name)),
            value => drop(object.insert(name.to_owned(), value)),
        }
    }
    block
}

/// The kinds that may stand at the top.
fn content_kinds() -> impl Iterator<Item = BlockKind> {
    use BlockKind as B;
    let parts = [B::ListItem, B::CodeLine, B::Image, B::TabsItem, B::StepperStep, B::Column, B::Update];
    BlockKind::ALL.iter().copied().filter(move |kind| !parts.contains(kind))
}

#[test]
fn every_block_is_carried_without_loss() {
    for kind in content_kinds() {
        let json = document(vec![sample(kind, "word")]);
        let read =
            Document::from_json(&json).unwrap_or_else(|errors| panic!("{}: {errors:?}", kind.as_str()));
        let written = read.to_json();
        assert_eq!(Document::from_json(&written).as_ref(), Ok(&read), "{}", kind.as_str());
        assert_eq!(
            written["nodes"],
            document(vec![filled(sample(kind, "word"))])["nodes"],
            "{}",
            kind.as_str()
        );
        assert_eq!(written["data"], json!({"schemaVersion": 1, "custom": [1]}));
    }
}

/// Writes what may be left out.
fn filled(mut node: Value) -> Value {
    if let Some(object) = node.as_object_mut() {
        if object.get("object") == Some(&json!("block")) && object.contains_key("nodes") {
            object.entry("isVoid").or_insert(json!(false));
            object.entry("data").or_insert(json!({}));
        }
        object
            .iter_mut()
            .filter(|(name, _)| *name == "nodes" || *name == "fragments")
            .for_each(|(_, value)| *value = filled(value.take()));
    } else if let Some(values) = node.as_array_mut() {
        values.iter_mut().for_each(|value| *value = filled(value.take()));
    }
    node
}

#[test]
fn no_word_of_any_block_is_lost_in_markdown() {
    for kind in content_kinds() {
        let read = Document::from_json(&document(vec![sample(kind, "word")])).unwrap();
        let printed = print(&read, &StableRefs);
        let again = parse(&printed, &StableRefs);
        let count = |document: &Document| plain_text(document).matches("word").count();
        assert!(count(&again) >= count(&read), "{}: {printed}", kind.as_str());
        assert_eq!(again.nodes.len(), 1, "{}: {printed}", kind.as_str());
        assert_eq!(again.nodes[0].kind, kind, "{printed}");
    }
}

#[test]
fn every_inline_is_carried_without_loss() {
    let page = json!({"kind": "page", "page": "p"});
    let text = json!({"object": "text", "leaves": [{"object": "leaf", "text": "word", "marks": []}]});
    for kind in InlineKind::ALL {
        use InlineKind as I;
        let data = match kind {
            I::Link | I::Mention => json!({"ref": page}),
            I::Emoji => json!({"code": "1f389"}),
            I::Icon => json!({"icon": "rocket"}),
            I::Expression => json!({"expression": "a.b"}),
            I::InlineMath => json!({"formula": "x"}),
            I::InlineImage => json!({"ref": {"kind": "url", "url": "u"}, "alt": "word"}),
            I::Annotation => json!({}),
            I::Button => json!({"ref": page, "label": "word", "kind": "primary"}),
        };
        let mut node = json!({"object": "inline", "type": kind.as_str(), "data": data, "isVoid": true});
        if matches!(kind, I::Link | I::Annotation) {
            node["isVoid"] = json!(false);
            node["nodes"] = json!([text]);
        }
        if *kind == I::Annotation {
            node["fragments"] =
                json!([{"object": "fragment", "type": "annotation-body", "nodes": [paragraph("note")]}]);
        }
        let block = json!({"object": "block", "type": "paragraph", "nodes": [text, node, text]});
        let read = Document::from_json(&document(vec![block])).unwrap();
        assert_eq!(Document::from_json(&read.to_json()).as_ref(), Ok(&read));
        let again = parse(&print(&read, &StableRefs), &StableRefs);
        assert_eq!(again.nodes, read.nodes, "{}", kind.as_str());
    }
}

#[test]
fn broken_rules_are_told_with_their_place() {
    let cases = [
        (json!({"object": "doc", "data": {}, "nodes": []}), "document.object: must be `document`"),
        (json!({"object": "document", "nodes": []}), "document.data: must be an object"),
        (json!({"object": "document", "data": {}}), "document.nodes: must be an array"),
        (
            document(vec![json!({"object": "block", "type": "spoon"})]),
            "document.nodes[0].type: `spoon` is not a type of block",
        ),
        (
            document(vec![paragraph("ok"), paragraph("a\0")]),
            "document.nodes[1].nodes[0].leaves[0].text: must not contain NUL",
        ),
        (
            document(vec![
                json!({"object": "block", "type": "hint", "data": {"style": "loud"}, "nodes": []}),
            ]),
            "document.nodes[0].data.style: must be one of info, warning, danger, success",
        ),
        (
            document(vec![json!({"object": "block", "type": "math", "data": {}})]),
            "document.nodes[0].data.formula: is missing",
        ),
        (
            document(vec![json!({"object": "block", "type": "divider", "data": {"x": 1}})]),
            "document.nodes[0].data.x: is not a property of this node",
        ),
        (
            document(vec![
                json!({"object": "block", "type": "prompt", "data": {"description": "d"}, "nodes": []}),
            ]),
            "document.nodes[0].nodes: must hold exactly one `code`",
        ),
        (
            document(vec![
                json!({"object": "block", "type": "prompt", "data": {"openInAIProviders": "all"}, "nodes": [{"object": "block", "type": "code", "nodes": []}]}),
            ]),
            "document.nodes[0].data.openInAIProviders: must be a boolean or an array of strings",
        ),
        (
            document(vec![
                json!({"object": "block", "type": "updates", "data": {"format": "long"}, "nodes": []}),
            ]),
            "document.nodes[0].data.format: must be one of numeric, full, short",
        ),
        (
            document(vec![
                json!({"object": "block", "type": "updates", "data": {}, "nodes": [{"object": "block", "type": "update", "data": {"date": "2026-01-02", "tags": ["new", 1]}, "nodes": []}]}),
            ]),
            "document.nodes[0].nodes[0].data.tags: must be an array of names or of objects with a `tag`",
        ),
        (
            document(vec![
                json!({"object": "block", "type": "table", "data": {"view": {"type": "grid", "columns": ["a"]}, "definition": {"a": {"id": "a", "title": "A", "type": "spell"}}, "records": {}}}),
            ]),
            "document.nodes[0].data.definition.a.type: must be one of text, number, checkbox, files, content-ref, users, rating, select, image",
        ),
        (
            document(vec![
                json!({"object": "block", "type": "table", "data": {"view": {"type": "grid", "columns": ["a"]}, "definition": {"a": {"id": "a", "title": "A", "type": "number"}}, "records": {"r": {"orderIndex": "1", "values": {"a": {"kind": "spoon"}}}}}}),
            ]),
            "document.nodes[0].data.records.r.values.a: must be a number, a string, a boolean, an array of strings or a reference",
        ),
        (
            document(vec![
                json!({"object": "block", "type": "table", "data": {"view": {"type": "cards", "columns": [], "cardSize": "huge"}, "definition": {}, "records": {}}}),
            ]),
            "document.nodes[0].data.view.cardSize: must be one of medium, large",
        ),
        (
            document(vec![json!({"object": "block", "type": "divider", "isVoid": false})]),
            "document.nodes[0].isVoid: must be true",
        ),
        (
            document(vec![json!({"object": "block", "type": "divider", "nodes": [paragraph("x")]})]),
            "document.nodes[0].nodes: a void node has no nodes",
        ),
        (
            document(vec![
                json!({"object": "block", "type": "heading-1", "data": {"id": "A B"}, "nodes": []}),
            ]),
            "document.nodes[0].data.id: must be an anchor of small letters, digits and - . + _",
        ),
        (
            document(vec![json!({"object": "block", "type": "list-item", "nodes": []})]),
            "document.nodes[0]: `list-item` can't stand here",
        ),
        (
            document(vec![json!({"object": "block", "type": "tabs", "nodes": [paragraph("x")]})]),
            "document.nodes[0].nodes[0]: must be tabs-item",
        ),
        (
            document(vec![
                json!({"object": "block", "type": "file", "data": {"ref": {"kind": "page", "page": "p"}}}),
            ]),
            "document.nodes[0].data.ref: must be a reference of a file or url kind",
        ),
        (
            document(vec![json!({"object": "block", "type": "expandable", "fragments": []})]),
            "document.nodes[0].fragments: must hold one `expandable-title`",
        ),
    ];
    for (json, expected) in cases {
        let errors = Document::from_json(&json).unwrap_err();
        assert!(errors.iter().any(|error| error.to_string() == expected), "{expected}: {errors:?}");
    }
}

#[test]
fn nesting_is_bounded() {
    let nested = |levels: usize| {
        let quote = |inner: Value| json!({"object": "block", "type": "blockquote", "nodes": [inner]});
        document(vec![
            (0..levels).fold(json!({"object": "block", "type": "divider"}), |inner, _| quote(inner)),
        ])
    };
    assert!(Document::from_json(&nested(63)).is_ok());
    let errors = Document::from_json(&nested(64)).unwrap_err();
    assert!(errors[0].message.contains("64 levels"), "{errors:?}");
}

#[test]
fn serde_reads_and_writes_the_same_json() {
    let read: Document = serde_json::from_value(document(vec![paragraph("word")])).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), read.to_json());
    assert!(serde_json::from_value::<Document>(json!({})).is_err());
}
