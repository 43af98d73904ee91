//! Whole pages with front matter.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail as tests do"
)]

use quire_markup::{FrontMatter, StableRefs, parse, parse_page, print, print_page};
use serde_json::json;

const PAGE: &str = "---\ndescription: >-\n  A page about\n  things: all of them\nicon: rocket\ncover: ../.gitbook/assets/a b.png\ncoverY: -12.5\nhidden: true\nlayout:\n  width: wide\n  title:\n    visible: false\nif: visitor.x\ntags:\n  - a\n  - b\n---\n\n# The **Title**\n\nText.\n";

#[test]
fn front_matter_and_title_are_read() {
    let page = parse_page(PAGE, &StableRefs);
    let front_matter = FrontMatter {
        description: Some("A page about things: all of them".to_owned()),
        icon: Some("rocket".to_owned()),
        cover: Some("../.gitbook/assets/a b.png".to_owned()),
        cover_y: Some(-12.5),
        hidden: Some(true),
        layout: Some(json!({"width": "wide", "title": {"visible": false}})),
        extra: vec![("if".to_owned(), json!("visitor.x")), ("tags".to_owned(), json!(["a", "b"]))],
        ..FrontMatter::default()
    };
    assert_eq!(page.front_matter, front_matter);
    assert_eq!(page.title.as_deref(), Some("The Title"));
    let printed = print_page(&page.front_matter, "The Title", &page.document, &StableRefs);
    let again = parse_page(&printed, &StableRefs);
    assert_eq!(
        (again.front_matter, again.title, again.document),
        (page.front_matter, page.title, page.document)
    );
    assert!(printed.ends_with("---\n\n# The Title\n\nText.\n"), "{printed}");
}

#[test]
fn the_title_in_navigation_is_kept() {
    let page = parse_page("---\nlinkTitle: Short\n---\n\n# A long title\n", &StableRefs);
    assert_eq!(page.front_matter.link_title.as_deref(), Some("Short"));
    let printed = print_page(&page.front_matter, "A long title", &page.document, &StableRefs);
    assert!(printed.starts_with("---\nlinkTitle: Short\n---\n"), "{printed}");
}

#[test]
fn spaces_of_titles_stay() {
    for title in ["目　次", "a\u{a0}b c"] {
        let printed =
            print_page(&FrontMatter::default(), title, &quire_markup::Document::default(), &StableRefs);
        assert_eq!(parse_page(&printed, &StableRefs).title.as_deref(), Some(title), "{printed}");
    }
    assert_eq!(parse_page("# a\t b\n", &StableRefs).title.as_deref(), Some("a b"));
}

#[test]
fn invalid_front_matter_is_text() {
    for text in ["---\nnot a mapping\n---\n", "---\na: b\n", "----\na: b\n---\n", "a\n---\n"] {
        let page = parse_page(text, &StableRefs);
        assert!(page.front_matter.is_empty(), "{text}");
        assert!(!page.document.is_empty());
    }
}

#[test]
fn ambiguous_strings_are_quoted() {
    let odd = [
        "true", "12", "1.5", "null", "~", "a: b", "# x", " padded ", "", "\"q\"", "it's", "- x", "a\nb",
        "[x]", "a #b", "é: ", "x:",
    ];
    for value in odd {
        let front_matter = FrontMatter { description: Some(value.to_owned()), ..FrontMatter::default() };
        let printed = print_page(&front_matter, "T", &quire_markup::Document::default(), &StableRefs);
        assert_eq!(parse_page(&printed, &StableRefs).front_matter, front_matter, "{printed}");
    }
}

#[test]
fn a_page_without_title_keeps_its_first_heading() {
    let document = quire_markup::parse("# Not the title\n\nx", &StableRefs);
    let printed = print_page(&FrontMatter::default(), "", &document, &StableRefs);
    let page = parse_page(&printed, &StableRefs);
    assert_eq!((page.title, page.document), (None, document));
}

#[test]
fn nul_is_the_replacement_character() {
    let page = parse_page(
        "---\ndescription: a\0b\n---\n# T\0\n\na\0b `c\0` <b>\0</b>\n\n```\n\0\n```\n",
        &StableRefs,
    );
    assert_eq!(page.front_matter.description.as_deref(), Some("a\u{fffd}b"));
    assert!(quire_markup::Document::from_json(&page.document.to_json()).is_ok());
}

/// Reads the front matter of a page, and checks that it is printed and read back.
fn read(front: &str) -> FrontMatter {
    let text = format!("{front}# T\n\nText.\n");
    let page = parse_page(&text, &StableRefs);
    assert_eq!((page.title.as_deref(), page.unreadable), (Some("T"), None), "{front}");
    assert_eq!(quire_markup::plain_text(&page.document), "Text.", "{front}");
    let printed = print_page(&page.front_matter, "T", &page.document, &StableRefs);
    assert_eq!(parse_page(&printed, &StableRefs).front_matter, page.front_matter, "{printed}");
    page.front_matter
}

#[test]
fn pages_that_ask_to_be_hidden_are_hidden() {
    for front in [
        "---\nhidden: true # until launch\n---\n",
        "---\n\nhidden: true\n---\n",
        "\n---\nhidden: true\n---\n",
        "\u{feff}---\r\ntitle: T\r\nhidden: true\r\n---\r\n",
        "--- \nhidden : true\n--- \n",
        "---\n\"hidden\": True\n---\n",
        "---\n'hidden': TRUE\n---\n",
        "---\nhidden: yes\n---\n",
        "---\nhidden: 'On'\n---\n",
        "---\nhidden: 1\n---\n",
        "---\ncatégorie: x\nhidden: true\n---\n",
        "---\n説明: 何か\nhidden: true\n---\n",
        "---\n\"og:title\": x\nhidden: true\n---\n",
        "---\n$ref: x\n\"@type\": y\nhidden: true\n---\n",
        "---\na b c: x\n2026: y\nhidden: true\n---\n",
        "---\nbase: &base {hidden: true}\n<<: *base\n---\n",
        "---\n  title: T\n  hidden: true\n---\n",
        "---\n{title: T, \"hidden\": true}\n---\n",
        "---\n# A comment\nhidden: true\n\n# Another\n\n---\n",
        "---\nhidden: !!bool true\n---\n",
        "---\nhidden: true\n...\n",
        "+++\nhidden = true # until launch\ntags = [\"a\"]\n+++\n",
        "+++\n\"og:title\" = 'x'\nhidden = true\n[params]\nx = 1\ndate = 2026-11-28\n+++\n",
    ] {
        assert_eq!(read(front).hidden, Some(true), "{front}");
    }
}

#[test]
fn scalars_are_texts_as_they_are_written() {
    for (yaml, title) in [
        ("1.10", "1.10"),
        ("2026", "2026"),
        ("0x1F", "0x1F"),
        ("True", "True"),
        ("2026-11-28", "2026-11-28"),
        ("yes", "yes"),
        ("1e3", "1e3"),
        ("C# guide # a comment", "C# guide"),
        (".inf", ".inf"),
        ("'it''s'", "it's"),
        ("\"a: b # c\"", "a: b # c"),
        ("a\n  b", "a b"),
        ("\n  a", "a"),
        ("|-\n  a\n  b", "a\nb"),
        ("&x a", "a"),
        ("!!str 12", "12"),
    ] {
        let read = read(&format!("---\ntitle: {yaml}\nother: x\n---\n"));
        assert_eq!(read.title.as_deref(), Some(title), "{yaml}");
    }
    for empty in ["", "~", "null", "# a comment"] {
        let read = read(&format!("---\ntitle: {empty}\nhidden:\n---\n"));
        assert_eq!(read, FrontMatter::default(), "{empty}");
    }
}

#[test]
fn unreadable_front_matter_is_kept_as_a_listing() {
    let unfolding =
        (1..12).map(|at| format!("a{at}: &a{at} [{}]\n", vec![format!("*a{}", at - 1); 10].join(",")));
    let deep = format!("title: {}{}\n", "[".repeat(100), "]".repeat(100));
    for (source, syntax) in [
        ("title: a: b\nhidden: true\n", "yaml"),
        ("title: {{ page.title }}: x\n", "yaml"),
        ("hidden: true\n\ttabs: x\n", "yaml"),
        ("title: \"open\nhidden: true\n", "yaml"),
        (&format!("a0: &a0 [x]\n{}", unfolding.collect::<String>()), "yaml"),
        (&deep, "yaml"),
        (&format!("title: {}\n", "x".repeat(300_000)), "yaml"),
        ("title = open\nhidden = true\n", "toml"),
        ("title = 1\ntitle = 2\n", "toml"),
    ] {
        let fence = if syntax == "yaml" { "---" } else { "+++" };
        let page = parse_page(&format!("{fence}\n{source}{fence}\n# T\n\nText.\n"), &StableRefs);
        assert!(page.unreadable.is_some(), "{source}");
        assert_eq!(page.title.as_deref(), Some("T"));
        assert!(page.front_matter.is_empty());
        let text = quire_markup::plain_text(&page.document);
        assert!(text.starts_with(source.trim_end()) && text.ends_with("Text."), "{text}");
        assert_eq!(page.document.to_json()["nodes"][0]["data"]["syntax"], syntax);
    }
    let page = parse_page("---\nhidden: true\n\n# T\n", &StableRefs);
    assert!(page.unreadable.is_some() && page.front_matter.is_empty());
}

#[test]
fn text_between_thematic_breaks_stays_text() {
    for text in [
        "---\n\nNote: this is a text.\n\n---\n",
        "---\n\nA text\n\n---\n\nx\n",
        "---\n- a\n- b\n---\n",
        "---\nA line of text\n---\n",
        "+++ no fence\n\n+++\n",
    ] {
        let page = parse_page(text, &StableRefs);
        assert!(page.front_matter.is_empty() && page.unreadable.is_none(), "{text}");
        let printed = print_page(&page.front_matter, "", &page.document, &StableRefs);
        assert_eq!(parse_page(&printed, &StableRefs), page, "{printed}");
    }
}

#[test]
fn repeated_and_invalid_values_are_kept() {
    let read = read("---\nhidden: maybe\nnoIndex: [1]\ntitle: a\ntitle: b\ncoverY: high\n---\n");
    let extra = [
        ("hidden", json!("maybe")),
        ("noIndex", json!([1])),
        ("title", json!("b")),
        ("coverY", json!("high")),
    ];
    assert_eq!(read.extra, extra.map(|(name, value)| (name.to_owned(), value)));
    assert_eq!((read.title.as_deref(), read.hidden), (Some("a"), None));
}

/// Pages in the form of GitBook's Git Sync: exporting an imported page gives the same bytes.
#[test]
fn pages_of_gitbook_are_written_as_they_were() {
    let long = "---\ndescription: >-\n  How to install the program on each of the systems that it supports, and what\n  to do when that fails.\n---\n";
    for (front, body) in [
        ("", "One.\n\n***\n\nTwo.\n"),
        (
            "",
            "<figure><img src=\"../.gitbook/assets/image (1).png\" alt=\"\"><figcaption></figcaption></figure>\n",
        ),
        (
            "",
            "<figure><img src=\"https://e.x/image.png?alt=media&#x26;token=1\" alt=\"\" width=\"375\"><figcaption><p>The <strong>caption</strong></p></figcaption></figure>\n\nText.\n",
        ),
        (
            "",
            "<div><figure><img src=\"a.png\" alt=\"\"><figcaption></figcaption></figure> <figure><img src=\"b.png\" alt=\"B\"><figcaption></figcaption></figure></div>\n",
        ),
        ("", "Hello! Write to @someone, about #11835, in 1970~1999: {{ name }} & more; C:\\dir costs $5.\n"),
        ("", "See [#11835](https://e.x/11835) and [https://e.x/a](https://e.x/a), R\\&D, 2 < 3 <3.\n"),
        (
            "",
            "| Name  | A longer title | Count |\n| ----- | :------------: | ----: |\n| a     | b              | 1     |\n| `c d` | [e](f.md)      | 22    |\n",
        ),
        (
            "",
            "<table><thead><tr><th width=\"150\" valign=\"top\">A</th><th>B</th></tr></thead><tbody><tr><td valign=\"top\">1</td><td>2</td></tr></tbody></table>\n",
        ),
        ("", "Note[^1] and [words](#user-content-fn-2)[^2].\n\n[^1]: First.\n\n[^2]: Second.\n"),
        (
            "",
            "{% hint style=\"info\" %}\nMind the gap!\n{% endhint %}\n\n* one\n* two\n  * three\n\n1. first\n2. second\n",
        ),
        (
            "",
            "{% content-ref url=\"dir/\" %}\n[dir](dir/)\n{% endcontent-ref %}\n\n[here](./) [there](../dir/#a)\n",
        ),
        (
            "",
            "*   One:\n\n    ```\n    code\n    ```\n\n    * two\n* three\n\n1.  A line\\\n    and another.<br>\n\n    Next.\n",
        ),
        (
            "",
            "Use \\[x] and snake\\_case: **$5**, _**both**_, _<mark style=\"color:red;\">**all**</mark>_ and [ spaced ](a_b.md)s.\n",
        ),
        ("", "1.5 times, 12: no list, s3://bucket, me@home. **3. No list**, **end.** \\\nNext.\n"),
        ("", "| A | B |\n| - | - |\n| 1 |   |\n"),
        (
            "",
            "<table data-full-width=\"false\"><thead><tr><th width=\"150.5\">A > B | C</th><th data-type=\"content-ref\"></th></tr></thead><tbody><tr><td>\"x\" > &#x3C;y></td><td><a href=\"dir/page.md\">page.md</a></td></tr><tr><td></td><td><a href=\"dir/\">dir</a></td></tr></tbody></table>\n",
        ),
        (
            "",
            "<pre class=\"language-sh\" data-title=\"run.sh\"><code class=\"lang-sh\">a &#x26; \"b\" > c\n<strong>\n</strong><strong>d\n</strong>\ne\n</code></pre>\n\n<pre><code>a\n<strong>b\n</strong></code></pre>\n",
        ),
        (
            "",
            "{% columns %}\n{% column %}\n<figure><img src=\"a.png\" alt=\"It&#x27;s\"><figcaption></figcaption></figure>\n{% endcolumn %}\n\n{% column %}\n<details>\n\n<summary>a | b</summary>\n\nText.\n\n</details>\n{% endcolumn %}\n{% endcolumns %}\n",
        ),
        (
            "",
            "Press <picture><source srcset=\"b.svg\" media=\"(prefers-color-scheme: dark)\"><img src=\"a.svg\" alt=\"\"></picture>.\n",
        ),
        ("---\ndescription: \"With\\_a space that holds\"\n---\n", "Text.\n"),
        ("", ""),
        ("", "## Heading #5 is C# <a href=\"#x\" id=\"x\"></a>\n"),
        ("", "## About C\\#\n\nA \\[label]\\(is no link).\n"),
        ("", "* Ends with a backslash\\\n* two\n\n\\\nBegins with a break.\n"),
        ("", "Write to me@e.example or ask.\n"),
        (
            "",
            "{% embed url=\"https://e.x/film\" %}\nThe _caption_.\n{% endembed %}\n\n{% embed url=\"https://e.x/other\" %}\n\nNo caption.\n\n{% file src=\"a.pdf\" %}\nIts caption\n{% endfile %}\n",
        ),
        (
            "",
            "<img src=\"a.svg\" alt=\"A drawing\" class=\"gitbook-drawing\">\n\n1.  One\n\n    <img src=\"b.svg\" alt=\"\" class=\"gitbook-drawing\">\n",
        ),
        (
            "",
            "<table data-search=\"false\"><thead><tr><th>A</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>\n\n<table data-card-wrap=\"false\" data-view=\"cards\"><thead><tr><th>A</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>\n",
        ),
        (
            "",
            "{% prompt description=\"Ask\" openInAIProviders=\"true\" %}\n```\na\n```\n{% endprompt %}\n\n{% prompt description=\"Ask\" openInAIProviders=\"one,two\" %}\n```\na\n```\n{% endprompt %}\n",
        ),
        (
            "",
            "<a class=\"button primary\">Inactive</a> <button type=\"button\" class=\"button secondary\" data-action=\"ask\" data-query=\"What&#x27;s it?\">Ask</button>\n",
        ),
        (
            "---\ndescription: >-\n  This release includes many features on the ingestion and the connectors, \n  query capability and a console.\n---\n",
            "Text.\n",
        ),
        (long, "Text.\n"),
        ("---\ndescription: Short.\nicon: rocket\n---\n", "Text.\n"),
    ] {
        let text = format!("{front}{}# Title\n\n{body}", if front.is_empty() { "" } else { "\n" });
        let page = parse_page(&text, &StableRefs);
        let title = page.title.clone().unwrap_or_default();
        assert_eq!(print_page(&page.front_matter, &title, &page.document, &StableRefs), text);
    }
}

#[test]
fn tables_of_html_are_written_as_gitbook_does() {
    let titles = "<th width=\"90\">a</th><th align=\"center\">b</th>";
    let options = "<option value=\"x\" label=\"X\" color=\"red\"></option><option value=\"y\" label=\"Y\" color=\"blue\"></option>";
    let heads =
        format!("{titles}<th>c<select multiple>{options}</select></th><th data-type=\"content-ref\">d</th>");
    let cells = [
        "<td><a data-mention href=\"a/b.md\">b.md</a></td>",
        "<td align=\"center\">middle</td>",
        "<td><span data-option=\"x\">X, </span><span data-option=\"y\">Y</span></td>",
        "<td><a href=\"/broken/pages/p\">Broken link</a></td>",
    ];
    let body = format!("<tbody><tr>{}</tr></tbody>", cells.concat());
    let table = format!("<table><thead><tr>{heads}</tr></thead>{body}</table>\n");
    let document = parse(&table, &StableRefs);
    assert_eq!(print(&document, &StableRefs), table);
    let json = document.to_json().to_string();
    for part in ["\"type\":\"mention\"", "[\"x\",\"y\"]", "\"url\":\"/broken/pages/p\""] {
        assert!(json.contains(part), "{part} in {json}");
    }
}

#[test]
fn cells_beyond_the_header_are_columns() {
    for text in [
        "| A | B |\n| - | - |\n| 1 | `2` | [3](c.md) | | 4 \\| 5 |\n6 | 7 | $8 **b**\n| 9 |\n",
        "> a\n> | A | B |\n> | - | - |\n> | 1 | `2` | [3](c.md) | | 4 \\| 5 |\n> 6 | 7 | $8 **b**\n> | 9 |\n",
        "- a\n\n  | A | B |\n  | - | - |\n  | 1 | `2` | [3](c.md) | | 4 \\| 5 |\n  6 | 7 | $8 **b**\n  | 9 |\n",
    ] {
        let document = parse(text, &StableRefs);
        let printed = print(&document, &StableRefs);
        let words: Vec<&str> = printed.split_whitespace().filter(|word| *word != ">").collect();
        let rows = words.join(" ");
        for row in ["| 1 | `2` | [3](c.md) | | 4 \\| 5 |", "| 6 | 7 | $8 **b** | | |", "| 9 | | | | |"] {
            assert!(rows.contains(row), "{row} in {rows}");
        }
        assert_eq!(parse(&printed, &StableRefs), document, "{printed}");
    }
    let wide = format!("| A |\n| - |\n{}| last |\n", "| x ".repeat(1_000));
    let printed = print(&parse(&wide, &StableRefs), &StableRefs);
    assert_eq!(printed.matches(" x ").count() + printed.matches("last").count(), 1_001, "{printed}");
}

#[test]
fn hints_of_gitbook_in_items_are_hints() {
    let hint = |style: &str| {
        format!(
            "<div data-gb-custom-block data-tag=\"hint\" data-style=\"{style}\" class=\"hint hint-{style}\"><p><strong>Two</strong> &#x3C;words>.</p><p>More.</p></div>"
        )
    };
    let text = format!("*   One:\n\n    {}\n* three\n\n{}\n", hint("success"), hint("other"));
    let words = "**Two** \\<words>.\n\nMore.";
    let inside = format!("{{% hint style=\"success\" %}}\n{words}\n{{% endhint %}}").replace('\n', "\n    ");
    let inside = inside.replace("\n    \n", "\n\n");
    let expected = format!(
        "*   One:\n\n    {inside}\n* three\n\n{{% hint style=\"info\" %}}\n{words}\n{{% endhint %}}\n"
    );
    assert_eq!(print(&parse(&text, &StableRefs), &StableRefs), expected);
}
