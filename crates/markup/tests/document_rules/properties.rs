//! Rules for the properties of blocks and inlines.

use quire_markup::Document;
use serde_json::{Value, json};

use crate::build::*;

#[test]
fn properties_of_blocks_are_checked() {
    let file = || json!({"kind": "file", "file": "f"});
    let spec = || json!({"kind": "openapi", "spec": "s"});
    let page = || json!({"kind": "page", "page": "p"});
    assert_refused(&[
        (block("paragraph", json!({"align": "left"}), &[]), "data.align: must be one of start, center, end"),
        (block("paragraph", json!({"indent": 1}), &[]), "data.indent: is not a property of this node"),
        (
            block("heading-2", json!({"id": "A B"}), &[]),
            "data.id: must be an anchor of lower-case letters, digits and - . + _",
        ),
        (
            block("list-ordered", json!({"start": -1}), &[]),
            "data.start: must be a whole number that is at least 0",
        ),
        (block("list-tasks", json!({"x": 1}), &[]), "data.x: is not a property of this node"),
        (
            block("list-tasks", json!({}), &[block("list-item", json!({"checked": 1}), &[])]),
            "nodes[0].data.checked: must be a boolean",
        ),
        (void("divider", json!({"x": 1})), "data.x: is not a property of this node"),
        (block("hint", json!({}), &[]), "data.style: is missing"),
        (
            block("hint", json!({"style": "loud"}), &[]),
            "data.style: must be one of info, warning, danger, success",
        ),
        (block("code", json!({"overflow": "hide"}), &[]), "data.overflow: must be one of scroll, wrap"),
        (
            block("code", json!({"collapsedLineCount": 0}), &[]),
            "data.collapsedLineCount: must be a whole number that is at least 1",
        ),
        (
            block("code", json!({}), &[block("code-line", json!({"highlighted": 1}), &[])]),
            "nodes[0].data.highlighted: must be a boolean",
        ),
        (void("math", json!({})), "data.formula: is missing"),
        (block("images", json!({"align": "start"}), &[]), "data.align: must be one of center, left, right"),
        (
            block(
                "images",
                json!({}),
                &[with(void("image", json!({"ref": page()})), "fragments", json!([]))],
            ),
            "nodes[0].data.ref: must be a reference of a file or url kind",
        ),
        (
            block(
                "images",
                json!({}),
                &[with(void("image", json!({"ref": file(), "width": "1"})), "fragments", json!([]))],
            ),
            "nodes[0].data.width: must be a number or an object of unit and value",
        ),
        (
            block("images", json!({}), &[void("image", json!({"ref": file()}))]),
            "nodes[0].fragments: is missing",
        ),
        (void("file", json!({"ref": page()})), "data.ref: must be a reference of a file or url kind"),
        (void("embed", json!({})), "data.url: is missing"),
        (
            block("tabs", json!({}), &[block("tabs-item", json!({"title": 1}), &[])]),
            "nodes[0].data.title: must be a string",
        ),
        (
            void("content-ref", json!({"ref": {"kind": "spoon"}})),
            "data.ref: must be a reference of a known kind",
        ),
        (
            void("integration", json!({"integration": "i", "block": "b", "props": []})),
            "data.props: must be an object",
        ),
        (
            void("reusable-content", json!({"ref": page()})),
            "data.ref: must be a reference of a reusable-content kind",
        ),
        (
            block("columns", json!({}), &[block("column", json!({"gap": 1}), &[])]),
            "nodes[0].data.gap: is not a property of this node",
        ),
        (block("if", json!({}), &[]), "data.expression: is missing"),
        (void("swagger", json!({"path": "/", "ref": file()})), "data.method: is missing"),
        (
            void("openapi-operation", json!({"path": "/", "method": "get", "ref": file()})),
            "data.ref: must be a reference of a openapi kind",
        ),
        (
            void("openapi-operation", json!({"path": "/", "method": "get", "ref": spec(), "headless": 1})),
            "data.headless: must be a boolean",
        ),
        (
            void("openapi-schemas", json!({"schemas": "A", "ref": spec()})),
            "data.schemas: must be an array of strings",
        ),
        (void("openapi-webhook", json!({"method": "get", "ref": spec()})), "data.name: is missing"),
        (block("updates", json!({}), &[]), "data.format: is missing"),
        (
            block("updates", json!({"format": "long"}), &[]),
            "data.format: must be one of numeric, full, short",
        ),
        (
            block("updates", json!({"format": "full"}), &[block("update", json!({}), &[])]),
            "nodes[0].data.date: is missing",
        ),
        (
            block(
                "updates",
                json!({"format": "full"}),
                &[block("update", json!({"date": "2026-01-02", "tags": ["new", 1]}), &[])],
            ),
            "nodes[0].data.tags: must be an array of references of the tag kind",
        ),
        (block("prompt", json!({}), &[block("code", json!({}), &[])]), "data.description: is missing"),
        (
            block(
                "prompt",
                json!({"description": "d", "openInAIProviders": "all"}),
                &[block("code", json!({}), &[])],
            ),
            "data.openInAIProviders: must be a boolean or an array of strings",
        ),
    ]);
}

#[test]
fn properties_of_inlines_are_checked() {
    let url = || json!({"kind": "url", "url": "https://a.example"});
    let button = |more: Value| {
        let mut data = json!({"label": "Go", "kind": "primary"});
        data.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        line(inline("button", data))
    };
    let link = json!({"object": "inline", "type": "link", "isVoid": false, "data": {}, "nodes": [text("a")]});
    let action =
        "nodes[1].data.action: must be `search` or `ask` with an optional query, or `select` with a slug";
    assert_refused(&[
        (line(link), "nodes[1].data.ref: is missing"),
        (line(inline("emoji", json!({"code": 1}))), "nodes[1].data.code: must be a string"),
        (line(inline("icon", json!({"icon": "a", "color": 1}))), "nodes[1].data.color: must be a string"),
        (line(inline("expression", json!({}))), "nodes[1].data.expression: is missing"),
        (line(inline("inline-math", json!({}))), "nodes[1].data.formula: is missing"),
        (
            line(inline("inline-image", json!({"ref": url(), "size": "big"}))),
            "nodes[1].data.size: must be one of original, line",
        ),
        (line(inline("mention", json!({}))), "nodes[1].data.ref: is missing"),
        (button(json!({})), "nodes[1].data.ref: is missing"),
        (
            button(json!({"kind": "loud", "ref": url()})),
            "nodes[1].data.kind: must be one of primary, secondary",
        ),
        (button(json!({"action": {"action": "jump"}})), action),
        (button(json!({"action": {"action": "select"}})), action),
        (button(json!({"action": {"action": "ask", "query": 1}})), action),
        (line(inline("button", json!({"kind": "primary", "ref": url()}))), "nodes[1].data.label: is missing"),
    ]);
    for action in [json!({"action": "ask"}), json!({"action": "select", "slug": "s"})] {
        assert!(Document::from_json(&document(&[button(json!({"action": action}))])).is_ok());
    }
}

#[test]
fn addresses_have_allowed_schemes_only() {
    let script = || json!({"kind": "url", "url": " java\tScript:alert(1)"});
    let link =
        json!({"object": "inline", "type": "link", "isVoid": false, "data": {"ref": script()}, "nodes": []});
    assert_refused(&[
        (line(link), "nodes[1].data.ref: must not have a URL that runs code"),
        (void("content-ref", json!({"ref": script()})), "data.ref: must not have a URL that runs code"),
        (void("file", json!({"ref": script()})), "data.ref: must not have a URL that runs code"),
        (void("embed", json!({"url": "javascript:alert(1)"})), "data.url: must be a web address or a path"),
    ]);
    for url in [
        "https://a.example/",
        "/pricing",
        "#part",
        "mailto:ada@example.com",
        "",
        "data:image/png;base64,AAAA",
    ] {
        let block = void("content-ref", json!({"ref": {"kind": "url", "url": url}}));
        assert!(Document::from_json(&document(&[block])).is_ok(), "{url}");
    }
    let markdown = concat!(
        "[one](javascript:alert(1)) ![two](vbscript:x) <a href=\"JavaScript:x\">three</a> ",
        "<a class=\"button primary\" href=\"javascript:x\">four</a>\n\n",
        "{% embed url=\"javascript:five\" %}\n\n{% file src=\"javascript:six\" %}\n\n",
        "<figure><img src=\"javascript:x\" alt=\"seven\"><figcaption>eight</figcaption></figure>\n",
    );
    let read = quire_markup::parse(markdown, &quire_markup::StableRefs);
    assert!(quire_markup::links(&read).is_empty(), "{read:?}");
    let words = quire_markup::plain_text(&read);
    for word in ["one", "two", "three", "four", "five", "six", "seven", "eight"] {
        assert!(words.contains(word), "{word} is lost: {words}");
    }
}
