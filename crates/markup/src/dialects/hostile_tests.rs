//! Hostile input and arbitrary text.

use proptest::prelude::*;

use super::*;

type Translate = fn(&str) -> Translated;

fn all() -> [(&'static str, Translate); 6] {
    [
        ("mkdocs", |text| mkdocs(text, MkDocsOptions { has_math: true, has_templates: true })),
        ("mdx", mdx),
        ("vitepress", |text| vitepress(text, true)),
        ("myst", |text| {
            myst(text, MystOptions { has_substitutions: true, has_math: true, has_attributes: true })
        }),
        ("books", book),
        ("jekyll", |text| jekyll(text, &[])),
    ]
}

/// Deeply nested, unclosed and unmatched markup takes time in proportion to the text.
#[test]
fn hostile_texts_take_linear_time() {
    let nested =
        |line: &str| (0..1_000).map(|depth| format!("{}{line}\n", "    ".repeat(depth))).collect::<String>();
    let texts = [
        ":::note\n".repeat(50_000),
        "<Tabs>".repeat(50_000),
        "<A {".repeat(100_000),
        "<A b=\"".repeat(100_000),
        "{/*".repeat(100_000),
        "```{note}\n".repeat(25_000),
        "{a}`".repeat(100_000),
        "`".repeat(250_000),
        "` ``".repeat(50_000),
        "++a".repeat(100_000),
        "{ .a".repeat(100_000),
        "=== \"a\"\n    b\n".repeat(10_000),
        nested("!!! note"),
        "export const a = {\n".repeat(25_000),
        "{% a %}".repeat(50_000),
        "{% a\n".repeat(50_000),
        format!("{}{{% endfor %}}", "{% for %}\n".repeat(50_000)),
        "{{< a >}}".repeat(50_000),
        "{{< a ".repeat(50_000),
        "a {{".repeat(100_000),
        format!("{}}}}}", "{{".repeat(100_000)),
        "{% highlight x %}\n".repeat(10_000),
        "{% endhighlight %}\n{% highlight x %}\n".repeat(10_000),
        "<Card\n".repeat(25_000),
    ];
    let begun = std::time::Instant::now();
    for text in &texts {
        for (_, translate) in all() {
            assert!(translate(text).text.len() < text.len() * 20 + 100);
        }
    }
    assert!(begun.elapsed() < std::time::Duration::from_secs(60), "{:?}", begun.elapsed());
}

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "!!! note \"t\"\n",
        "??? x\n",
        "=== \"Tab\"\n",
        "    ",
        "  ",
        "- ",
        "1. ",
        "a",
        " ",
        "\n",
        "\n\n",
        "```\n",
        "```{note}\n",
        ":::\n",
        "::::\n",
        ":::tip\n",
        "::: details x\n",
        ":::{tab-set}\n",
        "<Tabs>",
        "</Tabs>",
        "<TabItem value=\"x\">",
        "</TabItem>",
        "{/* ",
        "*/}",
        "{ .a }",
        "{doc}`x <y>`",
        "`",
        "é",
        "import x from 'y'\n",
        "export const x = {\n",
        "}\n",
        "(x)=\n",
        "# h\n",
        "---\n",
        "[[toc]]\n",
        "<!--",
        "-->",
        "++",
        "==",
        ":material-x:",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_text_is_translated_without_panic_and_fenced_code_stays(source in pieces()) {
        for (name, translate) in all() {
            let translated = translate(&source).text;
            let fenced = format!("~~~~\n{}~~~~\n", source.replace("~~~~", ""));
            let kept = translate(&fenced).text;
            prop_assert!(kept.starts_with(&fenced) || !source.ends_with('\n'), "{name}: {kept}");
            prop_assert!(translated.len() <= source.len() * 20 + 200, "{name}");
        }
    }
}
