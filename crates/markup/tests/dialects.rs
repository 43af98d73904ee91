//! Syntax of hosted documentation, code hosts and generators, each with the resulting document.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail as tests do"
)]

#[allow(unreachable_pub)]
#[path = "support/laws.rs"]
mod laws;

use quire_markup::{
    ContentRef, Document, HrefKind, RefResolver, StableRefs, parse, parse_page, plain_text, print,
};
use serde_json::{Value, json};

/// Returns the document of a text after checking every law.
fn read(markdown: &str) -> Value {
    if let Err(problem) = laws::check(markdown) {
        panic!("{markdown}\n{problem}");
    }
    parse(markdown, &StableRefs).to_json()
}

/// Asserts the values at some JSON pointers.
fn assert_at(markdown: &str, pointers: &[(&str, Value)]) {
    let json = read(markdown);
    for (pointer, expected) in pointers {
        assert_eq!(json.pointer(pointer), Some(expected), "{pointer} of {markdown}\n{json:#}");
    }
}

fn words(markdown: &str) -> String {
    plain_text(&parse(markdown, &StableRefs))
}

/// Returns the kinds of the top-level blocks.
fn kinds(markdown: &str) -> Vec<String> {
    let json = read(markdown);
    json["nodes"].as_array().unwrap().iter().map(|block| block["type"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn headings_count_from_the_second_rank() {
    let text = "# One\n\n## Two\n\n### Three\n\n#### Four\n\n###### Six\n\n<h2>H</h2>\n\n<h3>I</h3>\n";
    assert_eq!(
        kinds(text),
        ["heading-1", "heading-1", "heading-2", "heading-3", "heading-3", "heading-1", "heading-2"]
    );
    let printed = print(&parse(text, &StableRefs), &StableRefs);
    assert_eq!(printed, "## One\n\n## Two\n\n### Three\n\n#### Four\n\n#### Six\n\n## H\n\n### I\n");
    let page = parse_page("# Title\n\n## A\n\n# B\n", &StableRefs);
    assert_eq!(page.title.as_deref(), Some("Title"));
    let ranks: Vec<_> = page.document.nodes.iter().map(quire_markup::Block::heading_rank).collect();
    assert_eq!(ranks, [Some(1), Some(1)]);
    // Only a first-rank heading in the first block is the title.
    for (text, title) in [
        ("## A\n", None),
        ("Words\n\n# A\n", None),
        ("<h1 align=\"center\">A</h1>\n", Some("A")),
        ("<div>\n<h1>A</h1>\n</div>\n", Some("A")),
        ("<h2>A</h2>\n", None),
        ("> # A\n", None),
        ("<!-- c -->\n\n# A\n", Some("A")),
    ] {
        assert_eq!(parse_page(text, &StableRefs).title.as_deref(), title, "{text}");
    }
}

#[test]
fn the_heading_of_a_title_keeps_its_marks_and_links() {
    let page = parse_page("# [Foo](https://e.com) *x*\n\nText\n", &StableRefs);
    let heading = Document::new(vec![page.heading.unwrap()]);
    assert_eq!(print(&heading, &StableRefs), "## [Foo](https://e.com) _x_\n");
}

#[test]
fn pictures_can_be_inline() {
    let picture = "<picture><source srcset=\"d.svg\" media=\"(prefers-color-scheme: dark)\"><img src=\"l.svg\" alt=\"Icon\" data-size=\"line\"></picture>";
    let image = json!({
        "ref": {"kind": "url", "url": "l.svg"}, "refDark": {"kind": "url", "url": "d.svg"}, "alt": "Icon", "size": "line"
    });
    for (text, pointer) in [
        (format!("Click {picture} here."), "/nodes/0/nodes/1/data"),
        (format!("## See {picture} there"), "/nodes/0/nodes/1/data"),
        (format!("[a {picture}](https://e.com)"), "/nodes/0/nodes/0/nodes/1/data"),
        (format!("| a |\n| - |\n| b {picture} |"), "/nodes/0/fragments/0/nodes/0/nodes/1/data"),
    ] {
        assert_at(&text, &[(pointer, image.clone())]);
    }
    assert_eq!(words(&format!("Click {picture} here.")), "Click  Icon  here.");
    // Alone on its line it is a block; a `<source>` outside a `<picture>` is text.
    assert_eq!(
        kinds(
            "<picture><source srcset=\"d.svg\" media=\"(prefers-color-scheme: dark)\"><img src=\"l.svg\"></picture>"
        ),
        ["images"]
    );
    assert!(words("a <source src=\"b.mp4\"> c").contains("b.mp4"));
}

#[test]
fn columns_of_choices_are_read() {
    let table = "<table data-view=\"cards\"><thead><tr><th></th><th>State<select multiple><option value=\"a1\" label=\"NEW\" color=\"blue\"></option><option value=\"b2\" label=\"OLD\" color=\"red\"></option></select></th></tr></thead><tbody><tr><td><strong>Card</strong></td><td><span data-option=\"a1\">NEW, </span><span data-option=\"b2\">OLD</span></td></tr><tr><td><a href=\"x.md\">x</a></td><td></td></tr></tbody></table>";
    let options = json!([
        {"value": "a1", "label": "NEW", "color": "blue"}, {"value": "b2", "label": "OLD", "color": "red"}
    ]);
    assert_at(
        table,
        &[
            ("/nodes/0/data/definition/c2/type", json!("select")),
            ("/nodes/0/data/definition/c2/title", json!("State")),
            ("/nodes/0/data/definition/c2/multiple", json!(true)),
            ("/nodes/0/data/definition/c2/options", options),
            ("/nodes/0/data/records/r1/values/c2", json!(["a1", "b2"])),
            ("/nodes/0/fragments/1/nodes/0/nodes/0/data/ref/url", json!("x.md")),
        ],
    );
    assert!(words(table).contains("NEW") && words(table).contains("OLD"));
    // Words other than the label are kept.
    let other = "<table><thead><tr><th><select><option value=\"a\" label=\"A\"></option></select></th></tr></thead><tbody><tr><td><span data-option=\"a\">A</span> mostly</td></tr></tbody></table>";
    assert!(words(other).contains("mostly"), "{}", read(other));
    assert!(words("<select><option>a</option></select>").contains("<option>"));
}

#[test]
fn cells_of_references_are_references() {
    let table = |head: &str, cell: &str| {
        format!("<table><thead><tr><th {head}>C</th></tr></thead><tbody><tr>{cell}</tr></tbody></table>")
    };
    let value = "/nodes/0/data/records/r1/values/c1";
    let file = json!({"kind": "file", "file": "f1"});
    let page = json!({"kind": "page", "page": "p1"});
    let url = json!({"kind": "url", "url": "https://e.com/a.png"});
    for (head, cell, expected) in [
        ("data-type=\"image\"", "<td><a href=\"/files/f1\">/files/f1</a></td>", file.clone()),
        ("data-type=\"image\"", "<td><img src=\"https://e.com/a.png\"></td>", url.clone()),
        (
            "data-type=\"image\"",
            "<td><img src=\"https://e.com/a.png\" alt=\"A\"></td>",
            json!({"ref": url, "alt": "A"}),
        ),
        (
            "data-type=\"image\" data-hidden data-card-cover",
            "<td data-object-fit=\"contain\"><a href=\"/files/f1\">cover.png</a></td>",
            json!({"ref": file, "objectFit": "contain"}),
        ),
        ("data-type=\"content-ref\"", "<td><a href=\"/pages/p1\">/pages/p1</a></td>", page.clone()),
        (
            "data-type=\"content-ref\"",
            "<td><a href=\"a/b.md\">b.md</a></td>",
            json!({"kind": "url", "url": "a/b.md"}),
        ),
    ] {
        assert_at(&table(head, cell), &[(value, expected)]);
    }
    // Different link text makes it a text column: the text and the link are kept.
    let own = table("data-type=\"content-ref\"", "<td><a href=\"/pages/p1\">Start <b>here</b></a></td>");
    assert_at(
        &own,
        &[
            ("/nodes/0/data/definition/c1/type", json!("text")),
            ("/nodes/0/fragments/0/nodes/0/nodes/0/data/ref", page),
        ],
    );
    assert!(words(&own).contains("Start here"));
    assert_at(
        &table("data-type=\"image\"", "<td>no image</td>"),
        &[("/nodes/0/data/definition/c1/type", json!("text"))],
    );
    assert!(read(&table("data-type=\"image\"", "<td></td>")).pointer(value).is_none());
}

#[test]
fn blocks_in_pipe_tables_are_blocks() {
    let cell = |cell: &str| {
        let json = read(&format!("| a |\n| - |\n| {cell} |\n"));
        let blocks = json["nodes"][0]["fragments"][0]["nodes"].as_array().cloned().unwrap_or_default();
        blocks.iter().map(|block| block["type"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    for (html, expected) in [
        ("<p>one</p><p>two</p>", "paragraph paragraph"),
        ("before <p>**one**</p> after", "paragraph paragraph paragraph"),
        ("<ul><li>one</li><li>[two](x.md)</li></ul>", "list-unordered"),
        ("words<ol><li>one</li></ol>", "paragraph list-ordered"),
        ("<div>one</div>", "paragraph"),
        ("<details><summary>S</summary>body <b>x</b></details>", "expandable"),
        ("<blockquote>q</blockquote>", "blockquote"),
        ("<pre><code class=\"lang-js\">let x</code></pre>", "code"),
        ("<p>a</p>![i](j.png)", "paragraph images"),
        ("<p>one `co  de` $$x^2$$ :tada: <custom></p>", "paragraph"),
        ("a</br>b", "paragraph"),
        ("plain", "paragraph"),
    ] {
        assert_eq!(cell(html), expected, "{html}");
    }
    let text = words("| a |\n| - |\n| <p>one</p><p>two &lt; \\| <x></p> |\n");
    assert!(!text.contains("<p>") && text.contains("two < | <x>"), "{text}");
    assert_eq!(words("| a |\n| - |\n| x</br>y |"), "a\nx\ny");
    // Notes are kept as notes.
    let note = read("| a |\n| - |\n| <p>one[^1]</p><p>two[^1]</p> |\n\n[^1]: note\n");
    for block in [0, 1] {
        let pointer = format!("/nodes/0/fragments/0/nodes/{block}/nodes/1/type");
        assert_eq!(note.pointer(&pointer), Some(&json!("annotation")), "{note:#}");
    }
}

#[test]
fn listings_keep_what_they_say_of_themselves() {
    let pre = "<pre class=\"language-js\" data-title=\"a.js\" data-overflow=\"wrap\" data-line-numbers data-full-width=\"true\"><code class=\"lang-js\">let x = 1;\n<strong>let y;\n</strong>\n<strong>let z;\nlet &#x3C;a>;\n</strong>part <strong>of</strong> a line\n</code></pre>";
    assert_at(
        pre,
        &[
            (
                "/nodes/0/data",
                json!({"syntax": "js", "title": "a.js", "overflow": "wrap", "lineNumbers": true, "fullWidth": true}),
            ),
            ("/nodes/0/nodes/0/data", json!({})),
            ("/nodes/0/nodes/1/data", json!({"highlighted": true})),
            ("/nodes/0/nodes/2/data", json!({})),
            ("/nodes/0/nodes/3/data", json!({"highlighted": true})),
            ("/nodes/0/nodes/4/data", json!({"highlighted": true})),
            ("/nodes/0/nodes/5/data", json!({})),
        ],
    );
    assert_eq!(words(pre), "a.js\nlet x = 1;\nlet y;\nlet z;\nlet <a>;\npart of a line");
    assert_at(
        "```js title=\"a.js\" {1,3} showLineNumbers\na\nb\nc\n```",
        &[
            ("/nodes/0/data", json!({"syntax": "js", "title": "a.js", "lineNumbers": true})),
            ("/nodes/0/nodes/0/data", json!({"highlighted": true})),
            ("/nodes/0/nodes/1/data", json!({})),
            ("/nodes/0/nodes/2/data", json!({"highlighted": true})),
        ],
    );
    for (info, data) in [
        ("rust,ignore", json!({"syntax": "rust"})),
        ("{.python .numberLines}", json!({"syntax": "python", "lineNumbers": true})),
        ("ts:line-numbers {2}", json!({"syntax": "ts", "lineNumbers": true})),
        ("c++", json!({"syntax": "c++"})),
    ] {
        assert_at(&format!("```{info}\na\n```"), &[("/nodes/0/data", data)]);
    }
    // A property that no fence can express is written in a comment.
    let odd = json!({"object": "document", "data": {}, "nodes": [{"object": "block", "type": "code", "isVoid": false,
        "data": {"syntax": "rust,ignore"}, "nodes": []}]});
    let odd = Document::from_json(&odd).unwrap();
    assert_eq!(parse(&print(&odd, &StableRefs), &StableRefs), odd);
}

#[test]
fn tables_continue_after_blank_lines() {
    let table =
        "<table>\n<tr>\n<td>\n\n**bold** md\n\n</td>\n<td>\n\n- l1\n\n</td>\n</tr>\n</table>\n\nAfter\n";
    assert_eq!(kinds(table), ["table", "paragraph"]);
    assert_at(
        table,
        &[
            ("/nodes/0/fragments/0/nodes/0/nodes/0/leaves/0/marks/0/type", json!("bold")),
            ("/nodes/0/fragments/1/nodes/0/type", json!("list-unordered")),
        ],
    );
    let indented = "<table>\n  <tr>\n    <td>A</td>\n\n    <td>B</td>\n  </tr>\n\n  <tr>\n    <td>\n\n```js\nC\n```\n\n    </td>\n  </tr>\n</table>\n";
    assert_eq!(kinds(indented), ["table"]);
    let json = read(indented);
    let cells: Vec<&Value> = json["nodes"][0]["fragments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cell| &cell["nodes"][0]["type"])
        .collect();
    assert_eq!(cells, ["paragraph", "paragraph", "code"]);
    for (text, expected) in [
        ("<ul>\n<li>\n\none **b**\n\n</li>\n<li>two</li>\n</ul>\n", vec!["list-unordered"]),
        ("<blockquote>\n\nquoted\n\n* x\n\n</blockquote>\n", vec!["blockquote"]),
        (
            "<table><tr><td><details><summary>S</summary>\n\nbody\n\n</details></td></tr></table>\n",
            vec!["table"],
        ),
        (
            "<table><tr><td>\n\n{% hint style=\"info\" %}\nx\n{% endhint %}\n\n</td></tr></table>\n",
            vec!["table"],
        ),
        (
            "<table><tr><td>\n\n<table><tr><td>\n\nin\n\n</td></tr></table>\n\n</td></tr></table>\n",
            vec!["table"],
        ),
        // The pieces of an unclosed element are read separately.
        ("<table><tr><td>a\n\n**b**\n\nc\n", vec!["table", "paragraph", "paragraph"]),
        ("<table><tr><td>a</td></tr></table>\n\nb\n", vec!["table", "paragraph"]),
        ("<div>\n\n**a**\n\n</div>\n", vec!["paragraph"]),
    ] {
        assert_eq!(kinds(text), expected, "{text}");
    }
}

#[test]
fn listings_in_tables_go_on_after_blank_lines() {
    let listing = |html: &str| {
        let (json, words) = (read(html), quire_markup::plain_text(&parse(html, &StableRefs)));
        let cells = json["nodes"][0]["fragments"].as_array().unwrap().len();
        (kinds(html).join(" "), cells, words)
    };
    let expected = |words: &str| ("table".to_owned(), 2, words.to_owned());
    let pre = "<pre>\nline one\n\nline two\n</pre>";
    let table = format!("<table><tr><td>\n{pre}\n</td><td>B</td></tr></table>\n");
    assert_eq!(listing(&table), expected("line one\nline two\nB"));
    let unclosed = "<table><tr><td>\n<pre>\nline one\n\nline two\n</td><td>B</td></tr></table>\n";
    assert_eq!(listing(unclosed), expected("line one\nline two\nB"));
}

#[test]
fn notes_are_said_again() {
    for text in
        ["a[^1] b[^1] c[^1]\n\n[^1]: note **x**", "a[^1]\n\n| h |\n| - |\n| b[^1] |\n\n[^1]: note **x**"]
    {
        let json = read(text);
        let notes = json.to_string().matches("annotation-body").count();
        assert_eq!(notes, text.matches("[^1]").count() - 1, "{json:#}");
        assert!(!words(text).contains("[^1]"));
    }
    // The expansion of footnotes is bounded if they are recursive, or very many.
    assert!(words("a[^1]\n\n[^1]: x[^2]\n[^2]: y[^1]").contains("[^1]"));
    let masses = format!("{}\n\n[^1]: {}", "a[^1] ".repeat(2_000), "word ".repeat(2_000));
    let read = parse(&masses, &StableRefs);
    assert!(plain_text(&read).len() < 4 * masses.len() + 200_000);
}

#[test]
fn ids_of_headings_are_read() {
    for (text, id, heading) in [
        ("## Words {#custom-id}", Some("custom-id"), "Words"),
        ("## Words **b** {: #Id .c}", Some("id"), "Words b"),
        ("Words {#id}\n-----", Some("id"), "Words"),
        ("## Words <a id=\"a\"></a> {#b}", Some("b"), "Words"),
        ("## Words {id}", None, "Words {id}"),
        ("## Words {#id} <!-- -->", None, "Words {#id} "),
        ("## {#id}", None, "{#id}"),
        ("## `{#id}`", None, "{#id}"),
    ] {
        let json = read(text);
        assert_eq!(json["nodes"][0]["data"]["id"].as_str(), id, "{text}");
        assert_eq!(words(text), heading.trim_end(), "{text}");
    }
}

#[test]
fn buttons_act() {
    for (html, data) in [
        (
            "<button type=\"button\" class=\"button primary\" data-action=\"ask\" data-query=\"How?\">Open guide</button>",
            json!({"label": "Open guide", "kind": "primary", "action": {"action": "ask", "query": "How?"}}),
        ),
        (
            "<button class=\"button secondary\" data-action=\"search\" data-icon=\"star\">Find</button>",
            json!({"label": "Find", "kind": "secondary", "icon": "star", "action": {"action": "search"}}),
        ),
    ] {
        assert_at(html, &[("/nodes/0/nodes/0/data", data.clone())]);
        assert_at(&format!("See {html} now"), &[("/nodes/0/nodes/1/data", data)]);
    }
    // A button without an action is replaced by its text.
    assert_eq!(words("a <button onclick=\"x()\">b</button> c"), "a b c");
}

#[test]
fn tags_of_former_versions_are_read() {
    assert_at(
        "{% page-ref page=\"/pages/p1\" %}\n\nAfter",
        &[
            ("/nodes/0/type", json!("content-ref")),
            ("/nodes/0/data", json!({"ref": {"kind": "page", "page": "p1"}})),
            ("/nodes/1/type", json!("paragraph")),
        ],
    );
    let method = "{% api-method method=\"get\" host=\"https://api.example\" path=\"/cakes/:id\" %}\n{% api-method-summary %}\nGet Cakes\n{% endapi-method-summary %}\n\n{% api-method-description %}\nThis gives cakes.\n{% endapi-method-description %}\n\n{% api-method-spec %}\n{% api-method-request %}\n{% api-method-path-parameters %}\n{% api-method-parameter name=\"id\" type=\"string\" required=true %}\nID of the cake.\n{% endapi-method-parameter %}\n\n{% api-method-parameter name=\"size\" type=\"number\" %}\nIts size.\n{% endapi-method-parameter %}\n{% endapi-method-path-parameters %}\n{% endapi-method-request %}\n\n{% api-method-response %}\n{% api-method-response-example httpCode=200 %}\n{% api-method-response-example-description %}\nCake found.\n{% endapi-method-response-example-description %}\n\n```javascript\n{}\n```\n{% endapi-method-response-example %}\n\n{% api-method-response-example httpCode=404 %}\n{% api-method-response-example-description %}\nNo cake.\n{% endapi-method-response-example-description %}\n\n```\n{}\n```\n{% endapi-method-response-example %}\n{% endapi-method-response %}\n{% endapi-method-spec %}\n{% endapi-method %}\n\nAfter\n";
    assert_eq!(
        kinds(method),
        ["heading-2", "paragraph", "paragraph", "paragraph", "list-unordered", "tabs", "paragraph"]
    );
    assert_at(
        method,
        &[
            ("/nodes/5/nodes/0/data/title", json!("200")),
            ("/nodes/5/nodes/1/data/title", json!("404")),
            ("/nodes/5/nodes/0/nodes/1/type", json!("code")),
        ],
    );
    for part in [
        "Get Cakes",
        "GET https://api.example/cakes/:id",
        "This gives cakes.",
        "id string, required",
        "ID of the cake.",
        "size number",
        "No cake.",
    ] {
        assert!(words(method).contains(part), "{part}");
    }
    // Without its end tag it is text.
    assert!(
        words("{% api-method-summary %}\nx\n{% endapi-method-summary %}")
            .contains("{% api-method-summary %}")
    );
}

#[test]
fn tags_of_updates_are_references() {
    assert_at(
        "{% updates %}\n{% update date=\"2026-01-02\" tags=\"new, api\" %}\nx\n{% endupdate %}\n{% endupdates %}",
        &[(
            "/nodes/0/nodes/0/data/tags",
            json!([{"kind": "tag", "tag": "new"}, {"kind": "tag", "tag": "api"}]),
        )],
    );
}

#[test]
fn descriptions_keep_the_escapes_of_yaml() {
    for (yaml, expected) in [
        (r#""a —\_or b""#, "a —\u{a0}or b"),
        (r#""\x41\u00e9\U0001F600\ud83d\ude00 \"q\" \\ \/ \N""#, "Aé😀😀 \"q\" \\ / \u{85}"),
        ("\"a\\tb\"", "a\tb"),
    ] {
        let page = parse_page(&format!("---\ndescription: {yaml}\n---\nx\n"), &StableRefs);
        assert_eq!(page.front_matter.description.as_deref(), Some(expected), "{yaml}");
        assert!(page.front_matter.extra.is_empty());
    }
    for wrong in [r#""\q""#, r#""\x4""#, r#""\ud83d""#, r#""a"b""#] {
        let page = parse_page(&format!("---\ndescription: {wrong}\n---\nx\n"), &StableRefs);
        assert_eq!(page.front_matter.description, None, "{wrong}");
    }
}

#[test]
fn addresses_of_programs_stay() {
    for href in [
        "vscode:extension/a.b",
        "vscode://file/x",
        "slack://channel?id=1",
        "obsidian://open?vault=v",
        "zoommtg://zoom.us/join",
        "urn:isbn:1",
        "localhost:3000/x",
        "example.com:8080",
    ] {
        assert_at(&format!("[a]({href})"), &[("/nodes/0/nodes/0/data/ref/url", json!(href))]);
    }
    /// Records refused addresses.
    struct Notes(std::cell::RefCell<Vec<String>>);
    impl RefResolver for Notes {
        fn resolve(&self, _: &str, _: HrefKind) -> Option<ContentRef> {
            None
        }
        fn refused(&self, href: &str) {
            self.0.borrow_mut().push(href.to_owned());
        }
    }
    let notes = Notes(std::cell::RefCell::default());
    let _ = parse("[a](https://e.com) [b](spell:x) ![c](javascript:y)", &notes);
    assert_eq!(notes.0.take(), ["spell:x", "javascript:y"]);
    for href in ["javascript:x()", "vbscript:x", "data:text/html,x", "ms-msdt:/id", "localhost:x"] {
        assert!(read(&format!("[a]({href})")).pointer("/nodes/0/nodes/0/data").is_none(), "{href}");
    }
}

#[test]
fn frames_and_films_are_embeds_and_styles_are_left_out() {
    for (text, kind) in [
        ("<iframe src=\"https://www.youtube.com/embed/ID\" width=\"560\"></iframe>\n", "embed"),
        ("<iframe src=\"https://codesandbox.io/embed/a\" style=\"width:100%\"></iframe>\n", "embed"),
        ("<video src=\"https://e.com/a.mp4\"></video>\n", "embed"),
        ("<video controls>\n<source src=\"https://e.com/a.mp4\">\n</video>\n", "embed"),
        ("<audio src=\"a.mp3\"></audio>\n", "file"),
    ] {
        assert_eq!(kinds(text), [kind], "{text}");
    }
    assert_eq!(kinds("<style>\na { b: c }\n\nd { e: f }\n</style>\n\nText\n"), ["paragraph"]);
    assert_eq!(kinds("<script>\nlet a = '<b>';\n</script>\n\nText\n"), ["paragraph"]);
    assert_eq!(kinds("<iframe src=\"javascript:x\"></iframe>\n\nText\n"), ["paragraph"]);
    // Within a line they are links.
    for (text, expected) in [
        (
            "A <video src=\"https://e.x/a/b.mp4?c\" controls></video> here.",
            "A [b.mp4](https://e.x/a/b.mp4?c) here.\n",
        ),
        ("A <audio><source src=\"https://e.x/b.mp3\"></audio> here.", "A [b.mp3](https://e.x/b.mp3) here.\n"),
        ("A <iframe src=\"https://e.x/\" title=\"Film\"></iframe> here.", "A [Film](https://e.x/) here.\n"),
        ("A </video> here.", "A \\</video> here.\n"),
    ] {
        assert_eq!(print(&parse(text, &StableRefs), &StableRefs), expected);
    }
}

#[test]
fn markdown_between_tags_in_a_line_is_read() {
    let text = "{% hint style=\"info\" %} `c` and [l](b.md) **b** {% endhint %}\n";
    let printed = print(&parse(text, &StableRefs), &StableRefs);
    assert_eq!(printed, "{% hint style=\"info\" %}\n`c` and [l](b.md) **b**\n{% endhint %}\n");
    let former = "{% code-tabs %}\n{% code-tabs-item title=\"a.js\" %}\n```js\nx\n```\n{% endcode-tabs-item %}\n{% endcode-tabs %}\n";
    assert_eq!(kinds(former), ["tabs"]);
}

#[test]
fn emphasis_next_to_cjk_punctuation_is_read() {
    assert_eq!(words("**集中管理。**DM 支持"), "集中管理。DM 支持");
    assert_eq!(words("**「引用」**は"), "「引用」は");
    assert_eq!(words("**（注意）**中文 **提示：**后面 ~~删除。~~后"), "（注意）中文 提示：后面 删除。后");
}
