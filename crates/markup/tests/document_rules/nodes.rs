//! Rules for nodes, their keys and their positions.

use quire_markup::Document;
use serde_json::{Value, json};

use crate::build::*;

#[test]
fn invalid_documents_are_refused() {
    for (json, expected) in [
        (json!([]), "document: must be an object"),
        (json!({"object": "doc", "data": {}, "nodes": []}), "document.object: must be `document`"),
        (json!({"object": "document", "nodes": []}), "document.data: must be an object"),
        (
            json!({"object": "document", "data": {"schemaVersion": "1"}, "nodes": []}),
            "document.data.schemaVersion: must be a whole number",
        ),
        (json!({"object": "document", "data": {}}), "document.nodes: must be an array"),
        (json!({"object": "document", "data": {}, "nodes": [1]}), "document.nodes[0]: must be an object"),
    ] {
        assert_eq!(errors_of(&json), expected);
        assert!(Document::from_stored_value(&json).is_err(), "{expected}");
    }
}

#[test]
fn keys_of_nodes_are_checked() {
    let annotation = || {
        json!({"object": "inline", "type": "annotation", "isVoid": false, "nodes": [text("a")],
            "fragments": [fragment("annotation-body", &[paragraph("b")])]})
    };
    assert_refused(&[
        (json!({"object": "block"}), "type: must be a string"),
        (json!({"object": "block", "type": "spoon"}), "type: `spoon` is not a type of block"),
        (json!({"object": "leaf"}), "object: must be `block`"),
        (with(paragraph("a"), "key", json!(7)), "key: must be a string"),
        (with(paragraph("a"), "meta", json!("m")), "meta: must be an object"),
        (with(paragraph("a"), "data", json!("m")), "data: must be an object"),
        (without(paragraph("a"), "nodes"), "nodes: must be an array"),
        (paragraph("a\0"), "nodes[0].leaves[0].text: must not contain NUL"),
        (
            with(paragraph("a"), "fragments", json!([fragment("caption", &[])])),
            "fragments: this node has no fragments",
        ),
        (without(void("divider", json!({})), "isVoid"), "isVoid: is missing"),
        (without(void("divider", json!({})), "data"), "data: is missing"),
        (with(void("divider", json!({})), "isVoid", json!(false)), "isVoid: must be true"),
        (
            with(void("divider", json!({})), "nodes", json!([paragraph("x")])),
            "nodes: a void node must not have nodes",
        ),
        (without(block("images", json!({}), &[]), "isVoid"), "isVoid: is missing"),
        (without(block("columns", json!({}), &[]), "isVoid"), "isVoid: is missing"),
        (without(block("heading-1", json!({}), &[]), "data"), "data: is missing"),
        (without(block("code", json!({}), &[]), "data"), "data: is missing"),
        (without(block("updates", json!({}), &[]), "data"), "data: is missing"),
        (line(without(annotation(), "isVoid")), "nodes[1].isVoid: is missing"),
        (line(without(annotation(), "fragments")), "nodes[1].fragments: is missing"),
        (line(without(inline("emoji", json!({"code": "1f389"})), "data")), "nodes[1].data: is missing"),
        (line(inline("spoon", json!({}))), "nodes[1].type: `spoon` is not a type of inline"),
        (line(json!({"object": "text"})), "nodes[1].leaves: must be an array"),
        (
            line(json!({"object": "text", "leaves": [{"object": "leaf", "text": "a"}]})),
            "nodes[1].leaves[0].marks: is missing",
        ),
        (
            line(json!({"object": "text", "leaves": [{"object": "leaf", "marks": []}]})),
            "nodes[1].leaves[0].text: must be a string",
        ),
    ]);
}

#[test]
fn marks_are_checked() {
    let color = |text: &str, background: &str| json!({"object": "mark", "type": "color", "data": {"text": text, "background": background}});
    let colors = "must be one of default, red, orange, yellow, green, blue, purple, pink, violet, cyan, $primary, $tint, $info, $success, $warning, $danger";
    assert_refused(&[
        (
            marked(json!({"object": "mark", "type": "loud"})),
            "nodes[0].leaves[0].marks[0].type: `loud` is not a type of mark",
        ),
        (
            marked(json!({"object": "mark", "type": "color"})),
            "nodes[0].leaves[0].marks[0].data: must be an object",
        ),
        (marked(color("teal", "default")), &format!("nodes[0].leaves[0].marks[0].data.text: {colors}")),
        (marked(color("$tint", "#fff")), &format!("nodes[0].leaves[0].marks[0].data.background: {colors}")),
        (
            marked(json!({"object": "mark", "type": "color", "data": {"text": "red"}})),
            "nodes[0].leaves[0].marks[0].data.background: must be a string",
        ),
    ]);
}

#[test]
fn positions_of_nodes_are_checked() {
    let code_line = |node: Value| block("code", json!({}), &[block("code-line", json!({}), &[node])]);
    let title = || fragment("expandable-title", &[paragraph("t")]);
    let body = || fragment("expandable-body", &[paragraph("b")]);
    let annotation = |nodes: &[Value], body: &[Value]| {
        line(json!({"object": "inline", "type": "annotation", "isVoid": false, "nodes": nodes,
            "fragments": [fragment("annotation-body", body)]}))
    };
    let emoji = || inline("emoji", json!({"code": "1f389"}));
    let math = || inline("inline-math", json!({"formula": "x"}));
    assert_refused(&[
        (block("list-item", json!({}), &[]), ": `list-item` is not allowed here"),
        (
            block("blockquote", json!({}), &[block("update", json!({"date": "d"}), &[])]),
            "nodes[0]: `update` is not allowed here",
        ),
        (block("tabs", json!({}), &[paragraph("x")]), "nodes[0]: must be tabs-item"),
        (block("stepper", json!({}), &[paragraph("x")]), "nodes[0]: must be stepper-step"),
        (block("list-unordered", json!({}), &[text("x")]), "nodes[0].object: must be `block`"),
        (block("heading-1", json!({}), &[paragraph("x")]), "nodes[0].object: must be `inline`"),
        (code_line(math()), "nodes[0].nodes[0]: `inline-math` is not allowed here"),
        (annotation(&[emoji()], &[paragraph("b")]), "nodes[1].nodes[0]: `emoji` is not allowed here"),
        (annotation(&[text("a")], &[]), "nodes[1].fragments[0].nodes: must hold at least one block"),
        (block("prompt", json!({"description": "d"}), &[]), "nodes: must hold exactly one `code`"),
        (block("prompt", json!({"description": "d"}), &[paragraph("x")]), "nodes[0]: must be code"),
        (void("expandable", json!({})), "fragments: is missing"),
        (expandable(&[body()]), "fragments: must hold one `expandable-title`"),
        (expandable(&[title(), body(), body()]), "fragments: must hold one `expandable-body`"),
        (
            expandable(&[title(), fragment("expandable-body", &[])]),
            "fragments[1].nodes: must hold at least one block",
        ),
        (
            expandable(&[fragment("expandable-title", &[paragraph("a"), paragraph("b")]), body()]),
            "fragments[0].nodes: must hold exactly one paragraph",
        ),
        (
            expandable(&[fragment("expandable-title", &[block("code", json!({}), &[])]), body()]),
            "fragments[0].nodes: must hold exactly one paragraph",
        ),
        (
            expandable(&[title(), body(), fragment("caption", &[])]),
            "fragments[2].type: must be expandable-title or expandable-body",
        ),
    ]);
}

#[test]
fn a_mark_is_on_a_text_once() {
    let marked = |marks: Value| {
        let leaf = json!({"object": "leaf", "text": "a", "marks": marks});
        block("paragraph", json!({}), &[json!({"object": "text", "leaves": [leaf]})])
    };
    let bold = json!({"object": "mark", "type": "bold"});
    let color = |text: &str| json!({"object": "mark", "type": "color", "data": {"text": text, "background": "default"}});
    assert_refused(&[
        (
            marked(json!([bold, color("red"), bold])),
            "nodes[0].leaves[0].marks[2]: `bold` must occur once on a text",
        ),
        (
            marked(json!([color("red"), color("blue")])),
            "nodes[0].leaves[0].marks[1]: `color` must occur once on a text",
        ),
    ]);
    let stored = document(&[marked(json!([bold, color("red"), bold, color("blue")]))]);
    let once = document(&[marked(json!([bold, color("red")]))]);
    assert_eq!(Document::from_stored_value(&stored), Document::from_stored_value(&once));
}
