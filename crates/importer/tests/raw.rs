//! The report counts exactly the pages with raw markup.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests may fail as tests do")]

#[allow(unreachable_pub)]
#[path = "support/raw.rs"]
mod raw;

use std::collections::BTreeMap;
use std::path::Path;

use bytes::Bytes;
use quire_domain::CountingIds;
use quire_domain::imports::ImportSource;
use quire_importer::plan::{GeneratedIds, plan};
use quire_importer::tree::SourceTree;

/// Imports one page in a folder for each text. Returns the texts that show markup, and the number in the report.
fn imported<'t>(
    folder: &str,
    source: ImportSource,
    settings: &[(&str, &str)],
    texts: &[&'t str],
) -> (Vec<&'t str>, usize) {
    let pages =
        texts.iter().enumerate().map(|(at, text)| (format!("{folder}p{at}.md"), format!("# T\n\n{text}\n")));
    let settings = settings.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    let files = settings.chain(pages).map(|(path, text)| (path, Bytes::from(text)));
    let plan =
        plan(source, SourceTree::from_files(files), &mut GeneratedIds(&CountingIds::default())).unwrap();
    let shows = plan.pages.iter().filter_map(|page| {
        let path = page.source_path.as_deref()?;
        let text = *texts
            .get(path.strip_prefix(folder)?.strip_prefix('p')?.strip_suffix(".md")?.parse::<usize>().ok()?)?;
        let document = page.read_document().unwrap().to_json();
        (!raw::shown(&document, text).is_empty()).then_some(text)
    });
    let shows: Vec<&str> = shows.collect();
    (shows, raw::named(plan.report.iter().map(|entry| entry.message.as_str())))
}

/// Markup that any generator may leave, and text that only looks like it.
const COMMON: [&str; 19] = [
    "Text <blink>x</blink>.",
    "<custom-element>\nText.\n</custom-element>",
    "A {% widget a=1 %} here.",
    "Value {{ name }}.",
    "{{% unknown %}} {{< other >}}",
    "A formula $x^2$ here.",
    ":::custom\nText.\n:::",
    "Nothing: `{{ x }}`, \\{{ y }}, 2 < 3, a ** b, $5 and $6, Vec\\<T>, \\*\\*z\\*\\*, &lt;b&gt;.",
    "```html\n<blink>\n```\n\n    <div>\n\n~~~\n:::note\n{% x %}\n~~~",
    "{%\n  not \"closed\"\n%}\n\nEnd.",
    "</div> stray, <b>known</b>.",
    "> [!NOTE]\n> Read as a hint.",
    "* Change [#12](https://example.com/\n* Thanks to [@a](https://example.com/a in [#7](https://example.com/7).",
    "[a](https://example.com) and \\[c\\]\\(d), Lock\\<T> and Other<T>.",
    "| A | B |\n|---|---|\n| `Array<T> | null` | x |",
    "```\na\n```\n\n``` b ``` in a line.\n\nFlow {{ name }}.\n\n```\n{{ name }}\n```",
    "A `{{ code }}` and an escaped \\{{ name }}.",
    "* **a** b, **c**, d\\*\\* e\\*\\*",
    "Use [!INCLUDE [name](../missing.md)] and [!a-z].",
];

/// Asserts that the report counts the pages that show markup, and that none of the generator's `own` texts does, except
/// for the last `raw` ones.
fn check(source: ImportSource, settings: &[(&str, &str)], own: &[&str], raw: usize) {
    check_in("", source, settings, own, raw);
}

/// Like [`check`], for pages in a folder.
fn check_in(folder: &str, source: ImportSource, settings: &[(&str, &str)], own: &[&str], raw: usize) {
    let texts: Vec<&str> = COMMON.iter().chain(own).copied().collect();
    let (shows, named) = imported(folder, source, settings, &texts);
    assert_eq!(named, shows.len(), "{source:?}: {shows:#?}");
    let of_own: Vec<&str> = own.iter().copied().filter(|text| shows.contains(text)).collect();
    assert_eq!(of_own, own[own.len() - raw..], "{source:?}");
}

#[test]
fn pages_of_no_generator() {
    let own = [
        "{{< copyable \"sql\" >}}\n\n```sql\nSELECT 1;\n```",
        "{{% notice tip %}}\nText.\n{{% /notice %}}",
        "{% highlight ruby %}\nx = 1\n{% endhighlight %}",
        "<SimpleTab groupId=\"os\">\n<div label=\"macOS\">\n\n*Text*.\n\n</div>\n</SimpleTab>",
        "{% raw %}\nText.\n{% endraw %}\n\nMore.\n{: .note }",
        "{% link a.md %} and {{{ .variable }}}.",
    ];
    check(ImportSource::Zip, &[("SUMMARY.md", "* [Page](p0.md)\n")], &own, 1);
}

#[test]
fn pages_of_jekyll_and_of_hugo() {
    let settings = "title: x\ncallouts:\n  new:\n    title: New\n    color: green\n";
    let own = [
        "[a](p0.md){: .btn } and [b][c]{: .btn .btn-primary }\n\n[c]: p0.md",
        "{: .new }\nText *x*.\n\n> Text.\n{: .note }\n\n{: .warning-title }\n> Title\n>\n> Text.",
        "## Heading\n{: #id .no_toc }\n\nText.\n{: .fs-6 }",
        "> {: .opaque }\n> Text.",
    ];
    check(ImportSource::Zip, &[("_config.yml", settings)], &own, 0);
    let own = ["{{< alert color=\"warning\" >}}\nText.\n{{< /alert >}}", "Term\n: Text {{< param x >}}."];
    check_in("content/", ImportSource::Zip, &[("hugo.toml", "title = \"x\"\n")], &own, 0);
}

#[test]
fn pages_of_mdbook() {
    let own = ["```rust\n{{#include missing.rs}}\n```", "{{#include missing.rs}}\n\nText."];
    let settings = [("book.toml", "[book]\nsrc = \".\"\n"), ("SUMMARY.md", "* [Page](p0.md)\n")];
    check(ImportSource::Zip, &settings, &own, 1);
}

#[test]
fn pages_of_gitbook() {
    let own = [
        "{% method %}\nText.\n{% sample lang=\"js\" %}\nCode.\n{% endmethod %}",
        "{% hint style=\"info\" %}\n<img src=\"a.png\">\n{% endhint %}\n*Text* [b](p0.md)",
        "{% unknown %}\nText.\n{% endunknown %}",
    ];
    check(ImportSource::Gitbook, &[(".gitbook.yaml", "root: ./\n")], &own, 1);
}

#[test]
fn pages_of_mkdocs() {
    let settings = "site_name: x\ndocs_dir: .\nplugins:\n  - macros\n";
    let own = [
        "{% for a in b %}\n* {{ a }} <b>{{ a.c }}</b>\n{% endfor %}\n\n{{ macro(\"x\") }}",
        "::: package.Class\n    options:\n      members: no\n\nText.",
        "The HTML page.\n\n*[HTML]: Markup *language*",
        "{% include-markdown \"missing.md\" %}",
    ];
    check(ImportSource::Mkdocs, &[("mkdocs.yml", settings)], &own, 0);
}

#[test]
fn pages_of_myst() {
    let own = [
        "```{eval-rst}\n.. autoclass:: a.B\n   :members:\n```",
        "```{list-table}\n:header-rows: 1\n\n* - A\n  - B\n* - c\n  - d\n```",
        "```{literalinclude} missing.py\n```\n\n```{custom-list}\n```",
        "Since {{ version }}.",
        "```{unknown-directive}\nText.\n```",
    ];
    check(ImportSource::Myst, &[("conf.py", "myst_enable_extensions = ['substitution']\n")], &own, 0);
}

#[test]
fn pages_of_vitepress_and_of_mdx() {
    let own = ["Count: {{ count }}", "<Demo :a=\"b\" />", "::: tip\nText.\n:::"];
    check(ImportSource::Vitepress, &[], &own, 0);
    let own = [
        "<figure>\n  <>![A](/a.png)</>\n  <figcaption>C [d](p0.md)</figcaption>\n</figure>",
        "<Tabs>\n<Tab title=\"A\">\n\n<Frame>\n  <img src=\"/a.png\" />\n</Frame>\n\n</Tab>\n<Tab title=\"B\">\n\n[a](p0.md)\n\n</Tab>\n</Tabs>",
        "| A | B |\n|---|---|\n| <code>Array&lt;T&gt; &#124; null</code> | x |",
    ];
    for source in [ImportSource::Docusaurus, ImportSource::Mintlify, ImportSource::Nextra] {
        check(source, &[], &own, 0);
    }
    // Its `.md` files are not MDX.
    let own = ["<code>a &lt; b &#124; c</code>", own[0], own[1]];
    check(ImportSource::Starlight, &[], &own, 2);
}

#[test]
fn pages_of_docsify_and_of_docfx() {
    let own = ["!> Text *x*.", "[a](p0.md ':target=_blank')\n\n## B :id=c", "[x](missing.md ':include')"];
    check(
        ImportSource::Zip,
        &[("index.html", "<script>window.$docsify = {}</script>"), ("index.md", "x")],
        &own,
        0,
    );
    let own = [
        ":::row:::\n:::column:::\nText.\n:::column-end:::\n:::row-end:::",
        ":::image type=\"content\" source=\"a.png\" alt-text=\"A\":::",
        "# [A](#tab/a)\nText.\n***",
        ":::code language=\"cs\" source=\"missing.cs\":::",
    ];
    check(ImportSource::Zip, &[("docfx.json", "{\"build\": {}}")], &own, 1);
}

#[test]
fn pages_of_real_documentation() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../markup/tests/corpus");
    for folder in ["fluentd-docs", "rust-book"] {
        let entries = std::fs::read_dir(corpus.join(folder)).unwrap().map(Result::unwrap);
        let files = entries.map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, std::fs::read_to_string(entry.path()).unwrap())
        });
        let files: BTreeMap<String, String> = files.collect();
        let sources = files.iter().map(|(name, text)| (name.clone(), Bytes::from(text.clone())));
        let tree = SourceTree::from_files(sources);
        let plan = plan(ImportSource::Zip, tree, &mut GeneratedIds(&CountingIds::default())).unwrap();
        let shows = plan.pages.iter().filter(|page| {
            let source = page.source_path.as_ref().and_then(|path| files.get(path));
            source.is_some_and(|source| {
                !raw::shown(&page.read_document().unwrap().to_json(), source).is_empty()
            })
        });
        let named = raw::named(plan.report.iter().map(|entry| entry.message.as_str()));
        assert_eq!(shows.count(), named, "{folder}");
    }
}
