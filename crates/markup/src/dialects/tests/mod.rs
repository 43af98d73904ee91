mod mdx;
mod mkdocs;
mod myst;
mod vitepress;

use super::*;
use crate::{StableRefs, parse, plain_text, print};

type Translate = fn(&str) -> Translated;

fn text(translated: Translated) -> String {
    assert_eq!(translated.left, [""; 0]);
    translated.text
}

/// The Markdown of the document that a translation becomes.
fn shown(translated: &Translated) -> String {
    print(&parse(&translated.text, &StableRefs), &StableRefs)
}

#[test]
fn translated_markup_is_read_as_blocks() {
    let pages: [(&str, Translate); 4] = [
        ("!!! note\n    a\n", |text| mkdocs(text, MkDocsOptions::default())),
        (":::note\na\n:::\n", mdx),
        ("::: tip\na\n:::\n", |text| vitepress(text, false)),
        (":::{note}\na\n:::\n", |text| myst(text, MystOptions::default())),
    ];
    for (source, translate) in pages {
        let document = parse(&translate(source).text, &StableRefs);
        assert_eq!(document.nodes[0].kind, crate::BlockKind::Hint, "{source}");
        assert_eq!(plain_text(&document), "a");
    }
}

#[test]
fn definitions_and_fields_of_html_are_lists_and_listings() {
    for (markdown, expected) in [
        (
            "<dl>\n<dt>A <i>b</i></dt>\n<dt>C</dt>\n<dd>d</dd>\n\n<dt>E</dt>\n<dd>\n\n*f*\n\n</dd>\n</dl>\n",
            "*   **A _b_**\n\n    **C**\n\n    d\n*   **E**\n\n    _f_\n",
        ),
        (
            "<textarea class=\"x\">\na: 1\n- b\n</textarea>\n\n<textarea></textarea>\n",
            "```\na: 1\n- b\n```\n",
        ),
    ] {
        assert_eq!(print(&parse(markdown, &StableRefs), &StableRefs), expected, "{markdown}");
    }
}

#[test]
fn listings_of_jekyll_contain_fences_and_blocks_of_html_end() {
    let text = "<div class=\"x\" markdown=\"1\">\n[a](b){: .btn }\n</div>\n```markdown\n[a](b){: .btn }\n```\n\n{% highlight md %}\n```js\nc\n```\n{% endhighlight %}\n";
    let page = jekyll(text, &[]);
    assert_eq!(
        print(&parse(&page.text, &StableRefs), &StableRefs),
        "[a](b)\n\n```markdown\n[a](b){: .btn }\n```\n\n````md\n```js\nc\n```\n````\n"
    );
}

#[test]
fn listings_in_quotes_are_code() {
    let text = "> ```xml\n> <Type Name=\"x\">\n> </Type>\n> ```\n>\n> Text.\n";
    assert_eq!(book(text), Translated { text: text.to_owned(), left: Vec::new() });
}
