//! Wire JSON of documents.
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

/// Returns a block of each kind with every required property, unique words, and an unknown property.
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
        B::Update => (
            json!({"date": "2026-01-02", "tags": [{"kind": "tag", "tag": "new"}]}),
            block["nodes"].clone(),
            Value::Null,
        ),
        B::ListItem | B::Blockquote | B::StepperStep => (json!({}), block["nodes"].clone(), Value::Null),
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

/// Returns the kinds allowed at the top level.
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

/// Returns a node with all optional members.
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
fn nesting_is_bounded() {
    let nested =
        |levels: usize| {
            let quote = |inner: Value| json!({"object": "block", "type": "blockquote", "nodes": [inner]});
            document(vec![(0..levels).fold(
                json!({"object": "block", "type": "divider", "isVoid": true, "data": {}}),
                |inner, _| quote(inner),
            )])
        };
    // Levels: the document, its array of blocks, two for each quotation, and three of the divider.
    assert!(Document::from_json(&nested(58)).is_ok());
    let errors = Document::from_json(&nested(59)).unwrap_err();
    assert!(errors[0].message.contains("120 levels"), "{errors:?}");
    // Stored documents may be a little deeper.
    assert!(Document::from_stored_value(&nested(59)).is_ok());
}

#[test]
fn serde_reads_and_writes_the_same_json() {
    let read: Document = serde_json::from_value(document(vec![paragraph("word")])).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), read.to_json());
    assert!(serde_json::from_value::<Document>(json!({})).is_err());
}
