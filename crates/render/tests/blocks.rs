//! The HTML of each block and inline node.

mod support;

use quire_markup::{Document, StableRefs, parse};
use quire_render::{Highlighter, Options, Rendered, render};
use serde_json::{Value, json};
use std::sync::LazyLock;

/// Grammars shared by all tests, since they are slow to compile in a build without optimization.
static HIGHLIGHTER: LazyLock<Highlighter> = LazyLock::new(Highlighter::default);

fn page(document: &Document) -> Rendered {
    let resolved = support::resolved(document);
    let page = || render(document, &resolved, &Options::english(&HIGHLIGHTER));
    // Repeats until no time limit applies: grammars compile on first use, and only colors depend on them.
    (0..50).map(|_| page()).find(|page| !page.is_hurried).unwrap_or_default()
}

/// Compares a page with a golden file of its source and its HTML, one line per block element.
fn golden(name: &str, source: &str, document: &Document) {
    let mut html = page(document).html;
    let lines = [
        "p",
        "h2",
        "h3",
        "h4",
        "ul",
        "ol",
        "li",
        "div",
        "figure",
        "figcaption",
        "pre",
        "table",
        "thead",
        "tbody",
        "tr",
        "td",
        "th",
        "details",
        "summary",
        "section",
        "article",
        "blockquote",
        "img",
        "iframe",
        "math",
        "dl",
        "dt",
        "dd",
    ];
    for name in lines {
        for end in [' ', '>'] {
            html = html.replace(&format!("<{name}{end}"), &format!("\n<{name}{end}"));
        }
    }
    insta::assert_snapshot!(name, format!("{source}\n=====\n{}", html.trim_start()));
}

macro_rules! goldens {
    ($($name:ident: $markdown:expr;)*) => {
        $(#[test] fn $name() {
            golden(stringify!($name), $markdown, &parse($markdown, &StableRefs));
        })*
    };
}

goldens! {
    marks: "**bold** _italic_ ~~gone~~ `code` <kbd>Ctrl</kbd> x<sup>2</sup> H<sub>2</sub>O <mark style=\"color:red;\">red</mark> **a _b_ `c`**d <mark style=\"background-color:blue;\">x</mark>";
    headings: "## One\n\n#### Three\n\n## One\n\n### Two {#own}\n\n<h2 align=\"center\" id=\"mid\">Centered</h2>";
    lists: "* a\n  * b\n\n    more\n* c\n\n3. three\n4. four\n\n- [x] done\n- [ ] open";
    quotes: "> a\n> > b\n\n***\n\nAfter\\\na break";
    links: "[page](/pages/p1) [gone](/pages/gone) [here](#there) [file](/files/f3) <https://a.example> [mail](mailto:a@b.example) [user](/users/u1 \"mention\") [run](javascript:alert) [ftp](ftp://a.example)";
    images: "![alt](/files/f1)\n\n![a](/files/f2) ![b](/files/gone)\n\n<figure><img src=\"/files/f1\" alt=\"A\" width=\"300\"><figcaption><p>The <strong>caption</strong></p></figcaption></figure>\n\nIn a ![line](/files/f2) of text";
    dark_images: "<figure><picture><source srcset=\"/files/f4\" media=\"(prefers-color-scheme: dark)\"><img src=\"/files/f1\" alt=\"A harbor\"></picture></figure>";
    code: "```rust\nfn main() {}\n```\n\n{% code title=\"a.sh\" overflow=\"wrap\" lineNumbers=\"true\" highlight=\"2\" %}\n```sh\necho $HOME\nls\n```\n{% endcode %}\n\n```\n<plain> & \"text\"\n```";
    collapsed_code: "{% code expandable=\"true\" collapsedLineCount=\"2\" %}\n```\n1\n2\n3\n```\n{% endcode %}";
    diagrams: "```mermaid\ngraph TD\nA-->B\n```\n\n{% @mermaid/diagram content=\"graph TD\\nA-->B\" %}";
    math: "$$\na^2 + \\frac{b}{c}\n$$\n\nInline $$x_1 < y$$ and $$\\broken{$$.";
    hints: "{% hint style=\"danger\" %}\nMind the *gap*.\n{% endhint %}\n\n{% hint style=\"success\" icon=\"star\" %}\n**Done**\n\nAll.\n{% endhint %}";
    tabs: "{% tabs %}\n{% tab title=\"First <one>\" %}\na\n{% endtab %}\n\n{% tab title=\"Second\" %}\n```\nb\n```\n{% endtab %}\n{% endtabs %}";
    expandables: "<details>\n\n<summary>A <strong>title</strong></summary>\n\nThe *body*.\n\n</details>\n\n<details open><summary>Open</summary>Yes</details>";
    steppers: "{% stepper %}\n{% step %}\n### First\n\nDo it.\n{% endstep %}\n\n{% step %}\nDone.\n{% endstep %}\n{% endstepper %}";
    columns: "{% columns %}\n{% column width=\"33.3%\" %}\nleft\n{% endcolumn %}\n\n{% column %}\nright\n{% endcolumn %}\n{% endcolumns %}";
    grids: "| Left | Center | Right |\n| :--- | :----: | ----: |\n| a | **c**<br>d | `e` |\n| [f](/pages/p1) |  | ![h](/files/f2) |";
    cells: "<table data-full-width=\"true\"><thead><tr><th width=\"200\">Task</th><th data-type=\"checkbox\">Done</th><th data-type=\"number\">Files</th><th data-type=\"rating\" data-max=\"5\">Value</th><th data-type=\"select\">State<select><option value=\"a\" label=\"Open\" color=\"blue\"></option></select></th><th data-type=\"users\">Who</th><th data-type=\"files\">Log</th><th data-type=\"content-ref\">Page</th></tr></thead><tbody><tr><td>Copy<ul><li>all</li></ul></td><td>true</td><td>1200</td><td>4</td><td><span data-option=\"a\">Open</span></td><td><a href=\"/users/u1\">u1</a></td><td><a href=\"/files/f3\">f3</a></td><td><a href=\"/pages/p1\">/pages/p1</a></td></tr></tbody></table>";
    cards: "<table data-view=\"cards\"><thead><tr><th></th><th data-hidden data-card-target data-type=\"content-ref\"></th><th data-hidden data-card-cover data-type=\"files\"></th><th data-hidden data-card-cover-dark data-type=\"files\"></th></tr></thead><tbody><tr><td><strong>Start</strong></td><td><a href=\"/pages/p1\">/pages/p1</a></td><td><a href=\"/files/f1\">f1</a></td><td><a href=\"/files/f4\">f4</a></td></tr></tbody></table>";
    files: "{% file src=\"/files/f3\" %}\n\n{% file src=\"/files/gone\" %}\n\n{% drawing src=\"/files/f2\" %}";
    references: "{% content-ref url=\"/pages/p1\" %}\n[/pages/p1](/pages/p1)\n{% endcontent-ref %}\n\n{% content-ref url=\"/pages/gone\" %}\n[/pages/gone](/pages/gone)\n{% endcontent-ref %}\n\n{% content-ref url=\"https://a.example/x\" %}\n[x](https://a.example/x)\n{% endcontent-ref %}";
    embeds: "{% embed url=\"https://www.youtube.com/watch?v=abc\" %}\n\n{% embed url=\"https://example.com/video?a=1&b=2\" %}\nThe caption\n{% endembed %}";
    includes: "{% include \"/reusable-contents/r1\" %}";
    conditions: "{% if visitor.claims.plan == \"pro\" %}\nFor you.\n{% endif %}";
    updates: "{% updates format=\"short\" %}\n{% update date=\"2026-01-02\" tags=\"new,api\" %}\nSomething.\n{% endupdate %}\n{% endupdates %}";
    prompts: "{% prompt description=\"Ask\" icon=\"bolt\" %}\n```\nWrite a poem.\n```\n{% endprompt %}";
    integrations: "{% @acme/map place=\"Harbor\" zoom=\"4\" url=\"https://a.example\" %}";
    notes: "Some [words](#user-content-fn-1)[^1].\n\n[^1]: With **marks**\n\n    and a second paragraph.";
    inline_elements: "<a href=\"/pages/p1\" class=\"button secondary\" data-icon=\"rocket\">Go</a> <i class=\"fa-star\">:star:</i> :tada: <code class=\"expression\">space.vars.version</code> <code class=\"expression\">space.vars.other</code> <button type=\"button\" class=\"button primary\" data-action=\"ask\" data-query=\"a & b\">Ask</button>";
    operations: "{% openapi-operation spec=\"pets\" path=\"/pets/{petId}\" method=\"put\" %}\n[pets](pets)\n{% endopenapi-operation %}\n\n{% openapi-operation spec=\"gone\" path=\"/x\" method=\"get\" %}\n[gone](gone)\n{% endopenapi-operation %}";
    media_types: "{% openapi-operation spec=\"pets\" path=\"/shops/{region}/pets\" method=\"post\" %}\n[pets](pets)\n{% endopenapi-operation %}";
    models: "{% openapi-schemas spec=\"pets\" schemas=\"Pet,Error\" grouped=\"true\" %}\n[pets](pets)\n{% endopenapi-schemas %}";
    webhooks: "{% openapi-webhook spec=\"pets\" name=\"newPet\" method=\"post\" %}\n[pets](pets)\n{% endopenapi-webhook %}";
    swagger: "{% swagger src=\"https://a.example/spec.yaml\" path=\"/pets\" method=\"get\" %}\n[spec](https://a.example/spec.yaml)\n{% endswagger %}";
    directions: "مرحبا `code`\n\n日本語\n\n## عنوان";
}

/// Blocks that were stored before a rule existed, or that Markdown cannot express.
#[test]
fn stored_documents_lose_no_words() {
    let text =
        |words: &str| json!({"object": "text", "leaves": [{"object": "leaf", "text": words, "marks": []}]});
    let paragraph = |words: &str| json!({"object": "block", "type": "paragraph", "nodes": [text(words)]});
    let block = |kind: &str, data: Value, nodes: Vec<Value>| json!({"object": "block", "type": kind, "data": data, "nodes": nodes});
    let void =
        |kind: &str, data: Value| json!({"object": "block", "type": kind, "isVoid": true, "data": data});
    let document = json!({"object": "document", "data": {}, "nodes": [
        block("hint", json!({}), vec![paragraph("a hint without a style")]),
        void("math", json!({})),
        void("embed", json!({"url": "javascript:alert(1)"})),
        void("file", json!({})),
        void("content-ref", json!({"ref": {"kind": "unknown"}})),
        void("table", json!({})),
        void("openapi-operation", json!({"path": "/a", "method": "get"})),
        void("integration", json!({"integration": "x", "block": "y", "props": {"deep": [{"words": "kept"}, 1, null]}})),
        block("columns", json!({}), vec![block("column", json!({"width": {"unit": "%", "value": 50}}), vec![paragraph("in a column")])]),
        block("code", json!({"syntax": 5, "collapsedLineCount": "x"}), vec![block("code-line", json!({}), vec![text("a line")])]),
    ]});
    let document = Document::from_stored_value(&document).unwrap();
    golden("stored", "", &document);
}

#[test]
fn blocks_are_named_by_their_keys_on_request() {
    let mut document = parse("One.\n\n- Two\n\n## Three\n\nFour.", &StableRefs);
    for (block, key) in document.nodes.iter_mut().zip(["0", "a\"<b", "2"]) {
        block.key = Some(key.into());
    }
    let options = Options { names_blocks: true, ..Options::english(&HIGHLIGHTER) };
    let html = render(&document, &support::resolved(&document), &options).html;
    for expected in [
        "<p data-block=\"0\">One.</p>",
        "<ul data-block=\"a&quot;&lt;b\"",
        "<h2 data-block=\"2\" id=\"three\"",
        "<p>Four.</p>",
    ] {
        assert!(html.contains(expected), "{expected} in {html}");
    }
    assert!(!page(&document).html.contains("data-block"));
}
