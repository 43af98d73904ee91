//! Invariants of Markdown, checked on arbitrary text.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail as tests do"
)]

#[allow(unreachable_pub)]
#[path = "support/laws.rs"]
mod laws;

use proptest::prelude::*;

/// Generates Markdown syntax and other text.
fn piece() -> impl Strategy<Value = String> {
    let marks = prop::sample::select(vec![
        "*",
        "**",
        "_",
        "__",
        "~~",
        "`",
        "``",
        "\\",
        "[",
        "]",
        "(",
        ")",
        "<",
        ">",
        "&",
        "!",
        "|",
        "$",
        "$$",
        "\n",
        "\n\n",
        " ",
        "  ",
        "    ",
        "\t",
        "#",
        "##",
        "- ",
        "* ",
        "+ ",
        "1. ",
        "2) ",
        "> ",
        "---",
        "===",
        "```",
        "~~~",
        ":",
        "://",
        "www.",
        "http://a.b/c",
        "@",
        "a@b.co",
        "{%",
        "%}",
        "&amp;",
        "&#32;",
        "&#10;",
        "<br>",
        "[ ] ",
        "[x] ",
        "[^1]",
        "[^1]: ",
        "- [ ] ",
        "a",
        "b",
        "word",
        "é",
        "日本",
        "=",
        "-",
        "_a_",
        "{",
        "\u{a0}",
        ":tada:",
        "[a](b)",
        "![i](j \"t\")",
        "[c](</pages/p1> 'q')",
        "https://x.y",
        "\r\n",
        ".",
        "1",
        "9",
        "x",
        "\"",
        "'",
        "^",
        "⸮",
    ]);
    let blocks = prop::sample::select(vec![
        "{% hint style=\"info\" %}\n",
        "{% endhint %}\n",
        "\n{% tabs %}\n",
        "{% tab title=\"A\" %}\n",
        "{% endtab %}\n",
        "{% endtabs %}\n",
        "{% code title=\"x\" %}\n",
        "{% endcode %}\n",
        "{% embed url=\"https://e.x\" %}\n",
        "{% endembed %}\n",
        "{% content-ref url=\"/pages/p\" %}\n[p](/pages/p)\n{% endcontent-ref %}\n",
        "\n| a | b |\n| - | :-: |\n| c | d |\n",
        "\n<details>\n\n<summary>S</summary>\n\n",
        "\n</details>\n\n",
        "<figure><img src=\"a\" alt=\"b\"><figcaption><p>c</p></figcaption></figure>\n",
        "<strong>",
        "</strong>",
        "<em>",
        "</em>",
        "<mark style=\"color:red;\">",
        "</mark>",
        "<sup>",
        "</sup>",
        "<a href=\"#x\" id=\"x\"></a>",
        "<img src=\"q\" data-size=\"line\">",
        "<code>",
        "</code>",
        "<span class=\"math\">",
        "</span>",
        "<i class=\"fa-rocket\">",
        "</i>",
        "\n<table><thead><tr><th width=\"9\">h</th></tr></thead><tbody><tr><td>a <b>b</b></td></tr></tbody></table>\n",
        "\n<div>\n",
        "</div>\n",
        "<p align=\"center\">",
        "</p>\n",
        "<ul><li>",
        "</li></ul>",
        "<custom>",
        "<picture><source srcset=\"d\" media=\"(prefers-color-scheme: dark)\">",
        "</picture>",
        "<img src=\"q\">",
        "<button data-action=\"ask\" data-query=\"q\">",
        "</button>",
        "</br>",
        "\n| a |\n| - |\n| <p>b</p><ul><li>c",
        "\n<table>\n<tr>\n<td>\n\n",
        "\n\n</td>\n<td>\n\n",
        "\n\n</td>\n</tr>\n</table>\n\n",
        "\n<ul>\n<li>\n\n",
        "\n\n</li>\n</ul>\n\n",
        "\n<blockquote>\n\n",
        "\n\n</blockquote>\n\n",
        "\n\n    <td>x</td>\n",
        "\n## h {#i}\n",
        "{#i}",
        "\n```js title=\"a\" {1} showLineNumbers\nb\n```\n",
        "\n```rust,ignore\n",
        "\n<pre class=\"language-js\" data-title=\"a\" data-line-numbers><code>b\n<strong>c\n</strong></code></pre>\n",
        "{% page-ref page=\"x.md\" %}\n",
        "{% api-method method=\"get\" %}\n",
        "{% api-method-summary %}\n",
        "{% endapi-method-summary %}\n",
        "{% endapi-method %}\n",
        "\n<table><thead><tr><th>S<select multiple><option value=\"a\" label=\"A\" color=\"red\"></option></select></th><th data-type=\"image\"></th></tr></thead><tbody><tr><td><span data-option=\"a\">A</span></td><td data-object-fit=\"fill\"><a href=\"x\">x</a></td></tr></tbody></table>\n",
        "<!-- c -->",
        "\n> [!NOTE]\n> ",
        "{% stepper %}\n{% step %}\n",
        "{% endstep %}\n{% endstepper %}\n",
        "$$\na\n$$\n",
        "{% if a.b == \"c\" %}\n",
        "{% endif %}\n",
        "{% include \"/reusable-contents/r\" %}\n",
        "{% columns %}\n{% column width=\"50%\" %}\n",
        "{% endcolumn %}\n{% endcolumns %}\n",
        "<!-- properties {\"a\":1} -->",
        "\n<!-- properties {\"id\":\"b\",\"checked\":true,\"title\":\"t\"} -->\n",
        "<!-- properties of 1 {\"checked\":true,\"highlighted\":false} -->\n",
        "<div data-block=\"hint\" data-properties='{\"style\":\"info\"}'>",
        "<div data-block=\"tabs\"><div data-block=\"tabs-item\" data-properties='{\"title\":\"t\"}'>",
        "<div data-block=\"code\"><div data-block=\"code-line\">",
        "<div data-block=\"content-ref\" data-ref=\"/pages/p\"></div>",
        "<div data-fragment=\"caption\">",
        "<p></p>\n",
        "<span data-annotation>",
        "<aside>",
        "</aside>",
        "{% code highlight=\"1-2\" %}\n",
        "{% updates %}\n",
        "{% updates format=\"long\" %}\n",
        "{% update date=\"2026-01-02\" %}\n",
        "{% update %}\n",
        "{% endupdate %}\n",
        "{% endupdates %}\n",
        "{% prompt %}\n```\nask\n```\n{% endprompt %}\n",
        "<mark style=\"color:#123456;background-color:teal\">",
        "\n<details><summary>S</summary></details>\n",
        "\n<table><thead><tr><th data-type=\"rating\">R</th><th data-type=\"select\" data-properties='{\"options\":1}'>S</th></tr></thead><tbody><tr><td>3</td><td data-values='[\"v\"]'>v</td></tr></tbody></table>\n",
        "<div data-block=\"expandable\"><div data-fragment=\"expandable-title\"><p>t</p></div><div data-fragment=\"expandable-body\"></div></div>",
        "<div data-block=\"updates\" data-properties='{\"format\":\"short\"}'><div data-block=\"update\">",
    ]);
    prop_oneof![6 => marks.prop_map(str::to_owned), 2 => blocks.prop_map(str::to_owned), 1 => "[a-z]{1,4}", 1 => "\\PC{1,3}"]
}

fn markdown() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..40).prop_map(|pieces| pieces.concat())
}

#[test]
fn input_found_by_fuzzing_reads_back_unchanged() {
    for text in [
        "[^1]: <div data-block=\"hint\" data-properties='{\"style\":\"info\"}'>\n[^1]".to_owned(),
        "[^1]: > 1. <div data-block=\"hint\" data-properties='{\"style\":\"info\"}'>\n\n[^1]".to_owned(),
        "<div data-block=\"tabs\"><div data-block=\"tabs-item\">".repeat(60),
        "A~*a* ".to_owned(),
        "```{% code highlight=\"1-2\" %}\n*\n\n</td>\n<td>\n\n".to_owned(),
        "[^1]: </div>\n**</br>[^1]: ".to_owned(),
        "[^1]: Note.\n\n[^1]<span>: a</span>".to_owned(),
        format!(
            "<blockquote><ul><li>{}",
            "<div data-block=\"expandable\"><div data-fragment=\"expandable-body\">".repeat(40)
        ),
        format!(
            "> * {}",
            "<div data-block=\"stepper\"><div data-block=\"stepper-step\"><blockquote>".repeat(40)
        ),
    ] {
        if let Err(problem) = laws::check(&text) {
            panic!("{text:?}\n{problem}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn any_markdown_reads_back_as_it_was(text in markdown()) {
        if let Err(problem) = laws::check(&text) {
            prop_assert!(false, "{text:?}\n{problem}");
        }
    }

    #[test]
    fn any_page_reads_back_as_it_was(front in "([a-z]{1,5}: [a-z\"'>|: #-]{0,8}\n){0,3}", text in markdown()) {
        let text = format!("---\n{front}x: y\n---\n{text}");
        if let Err(problem) = laws::check_page(&text) {
            prop_assert!(false, "{text:?}\n{problem}");
        }
    }
}
