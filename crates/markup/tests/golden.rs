//! Golden files of each block syntax: the document it is read as, and the Markdown it is printed as.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail as tests do"
)]

use quire_markup::{StableRefs, parse, print};

/// Compares with a golden file of the input, the printed Markdown, and the document without constant parts.
fn golden(name: &str, markdown: &str) {
    let document = parse(markdown, &StableRefs);
    let printed = print(&document, &StableRefs);
    assert_eq!(parse(&printed, &StableRefs), document, "{name} reads back differently");
    let nodes = serde_json::to_string_pretty(&brief(&document.to_json()["nodes"])).unwrap();
    insta::assert_snapshot!(name, format!("{markdown}\n===== printed\n{printed}\n===== document\n{nodes}"));
}

/// Omits constant parts: `object`, `isVoid`, empty data and marks. Text without marks becomes a string.
fn brief(value: &serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::Array(values) => values.iter().map(brief).collect(),
        Value::Object(object) => {
            if let Some(leaves) = object.get("leaves") {
                return brief(leaves);
            }
            let is_plain =
                object.get("marks").is_some_and(|marks| marks.as_array().is_some_and(Vec::is_empty));
            if is_plain && object.contains_key("text") {
                return object["text"].clone();
            }
            let says_nothing = |name: &str, value: &Value| {
                matches!(name, "object" | "isVoid")
                    || (matches!(name, "data" | "fragments")
                        && (value == &Value::Object(Default::default()) || value == &Value::Array(vec![])))
            };
            let kept = object.iter().filter(|(name, value)| !says_nothing(name, value));
            Value::Object(kept.map(|(name, value)| (name.clone(), brief(value))).collect())
        }
        other => other.clone(),
    }
}

macro_rules! goldens {
    ($($name:ident: $markdown:expr;)*) => {
        $(#[test] fn $name() { golden(stringify!($name), $markdown); })*
    };
}

goldens! {
    marks: "**bold** _italic_ ~~gone~~ `code` <kbd>Ctrl</kbd> x<sup>2</sup> H<sub>2</sub>O <mark style=\"color:red;\">red</mark> **a _b_ `c`**d";
    headings: "# One\n\n## Two with `code` <a href=\"#two\" id=\"two\"></a>\n\n### Three\n\n#### Four\n\n<h2 align=\"center\" id=\"mid\">Centered</h2>\n\nUnder\n===";
    lists: "* a\n  * b\n\n    more\n* c\n\n3. three\n4. four\n\n- [x] done\n- [ ] open\n- neither";
    quotes: "> a\n> > b\n\n> [!WARNING]\n> Mind the gap.";
    links: "[page](/pages/p1) [anchor](/pages/p1#a) [here](#there) [file](/files/f1 \"Title\") <https://a.example> www.b.example [spaces](<a b.md>) [user](/users/u1 \"mention\")";
    images: "![alt](/files/f1)\n\n![a](x.png) ![b](y.png)\n\n<figure><img src=\"x.png\" alt=\"A\" width=\"300\"><figcaption><p>The <strong>caption</strong></p></figcaption></figure>\n\nIn a ![line](/files/f2) of <img src=\"z.png\" alt=\"z\" data-size=\"line\"> text";
    code: "```rust,ignore\nfn main() {\n    \"```\";\n}\n```\n\n{% code title=\"a.sh\" overflow=\"wrap\" lineNumbers=\"true\" %}\n```sh\necho $HOME $$\n```\n{% endcode %}\n\n    indented";
    math: "$$\na^2 + b^2\n$$\n\nInline $$x_1$$ and $5, $6.\n\n```math\n- x\n```";
    hint: "{% hint style=\"danger\" %}\nMind the *gap*.\n\n* one\n{% endhint %}";
    tabs: "{% tabs %}\n{% tab title=\"First \\\"one\\\"\" %}\na\n{% endtab %}\n\n{% tab title=\"Second\" %}\n```\nb\n```\n{% endtab %}\n{% endtabs %}";
    properties: "<!-- properties {\"x-color\":\"blue\"} -->\n# Title\n\n<!-- properties of 2 {\"checked\":true} -->\n* one\n* two\n\n{% code title=\"a.rs\" highlight=\"1,3-4\" %}\n```rust\na\nb\nc\nd\n```\n{% endcode %}\n\n<p></p>\n\nA [link](https://example.com)<!-- properties {\"target\":\"new\"} --> in words.\n\n![a](b.png)<!-- -->";
    elements: "<table><thead><tr><th>In a cell</th></tr></thead><tbody><tr><td><div data-block=\"hint\" data-properties='{\"style\":\"info\"}'><p>Mind the <span data-annotation>gap<aside><p>A note.</p></aside></span></p></div></td><td><div data-block=\"code\" data-properties='{\"title\":\"a.rs\"}'><div data-block=\"code-line\">x</div></div></td></tr></tbody></table>";
    embed: "{% embed url=\"https://example.com/video\" %}\nThe caption\n{% endembed %}\n\n{% embed url=\"https://example.com\" %}\n\nAfter";
    file: "{% file src=\"/files/f1\" %}\n\n{% file src=\"../.gitbook/assets/a b.pdf\" %}";
    content_ref: "{% content-ref url=\"/pages/p1\" %}\n[/pages/p1](/pages/p1)\n{% endcontent-ref %}\n\n{% content-ref url=\"x.md\" %}\n[Its title](x.md)\n{% endcontent-ref %}";
    stepper: "{% stepper %}\n{% step %}\n### First\n\nDo it.\n{% endstep %}\n\n{% step %}\nDone.\n{% endstep %}\n{% endstepper %}";
    columns: "{% columns %}\n{% column width=\"33.3%\" %}\nleft\n{% endcolumn %}\n\n{% column %}\nright\n{% endcolumn %}\n{% endcolumns %}";
    swagger: "{% swagger src=\"/files/f1\" path=\"/pets\" method=\"get\" expanded=\"true\" %}\n[spec](/files/f1)\n{% endswagger %}\n\n{% openapi src=\"https://a.example/spec.yaml\" path=\"/x\" method=\"post\" %}\n[https://a.example/spec.yaml](https://a.example/spec.yaml)\n{% endopenapi %}";
    openapi: "{% openapi-operation spec=\"petstore\" path=\"/pets\" method=\"get\" %}\n[petstore](petstore)\n{% endopenapi-operation %}\n\n{% openapi-schemas spec=\"petstore\" schemas=\"Pet,Error\" grouped=\"false\" %}\n[petstore](petstore)\n{% endopenapi-schemas %}\n\n{% openapi-webhook spec=\"petstore\" name=\"new\" method=\"post\" %}\n[petstore](petstore)\n{% endopenapi-webhook %}";
    include: "{% include \"/reusable-contents/r1\" %}\n\n{% include \"missing.md\" %}";
    expandable: "<details>\n\n<summary>A <strong>title</strong></summary>\n\nThe *body*.\n\n{% hint style=\"info\" %}\nin it\n{% endhint %}\n\n</details>\n\n<details open><summary>Short</summary>All on one line</details>";
    grid: "| Left | Center | Right |\n| :--- | :----: | ----: |\n| a \\| b | **c**<br>d | `e` |\n| [f](g) |  | ![h](i) |";
    wide_table: "<table data-full-width=\"true\"><thead><tr><th width=\"200\">A</th><th align=\"center\" data-type=\"checkbox\">B</th></tr></thead><tbody><tr><td><p>one</p><ul><li>two</li></ul></td><td>true</td></tr></tbody></table>";
    cards: "<table data-view=\"cards\"><thead><tr><th></th><th data-hidden data-card-target data-type=\"content-ref\"></th><th data-hidden data-card-cover data-type=\"files\"></th></tr></thead><tbody><tr><td><strong>Start</strong></td><td><a href=\"/pages/p1\">/pages/p1</a></td><td><a href=\"/files/f1\">f1.png</a></td></tr></tbody></table>";
    footnotes: "Some [words](#user-content-fn-1)[^1] and more[^note].\n\n[^1]: The note.\n[^note]: With **marks**\n\n    and a second paragraph.\n[^unused]: Kept.";
    inline_elements: "<a href=\"/pages/p1\" class=\"button secondary\" data-icon=\"rocket\">Go</a> <i class=\"fa-star\">:star:</i> :tada: <code class=\"expression\">space.vars.x</code>";
    integration: "{% @mermaid/diagram content=\"graph TD\\nA-->B\" fullWidth=\"false\" %}";
    condition: "{% if visitor.claims.plan == \"pro\" %}\nFor you.\n{% endif %}";
    updates: "{% updates format=\"full\" %}\n{% update date=\"2026-01-02\" tags=\"new,api\" %}\nSomething.\n{% endupdate %}\n{% endupdates %}";
    prompt: "{% prompt description=\"Ask\" icon=\"bolt\" %}\n```\nWrite a poem.\n```\n{% endprompt %}";
    drawing: "{% drawing src=\"/files/f1\" %}";
    aligned: "<p align=\"center\">In the <em>middle</em></p>\n\n<p>Plain</p>";
    nested: "1. one\n\n   {% hint style=\"info\" %}\n   in an item\n   {% endhint %}\n\n   > quoted\n2. two\n   ```sh\n   ls\n   ```";
    unknown_html: "<Listing number=\"1-1\" caption=\"Words\">\n\n```rust\nfn main() {}\n```\n\n</Listing>\n\n<video src=\"a.mp4\"></video>\n\nVec<T> and <b>bold</b> <!-- gone -->";
    unclosed: "{% hint style=\"info\" %}\nNever closed.\n\n{% endtabs %}\n\n{% unknown %}";
    escapes: "\\*no\\* \\[x] &amp;amp; &#x20;end a_b_c \\_d\\_ 1\\. http\\://x.y \\# &lt;b&gt;\n\\- line\\\nbreak";
}
