//! Docsify and DocFX, whose pages are ordered by a sidebar and by nested tables of contents.

use super::repositories::{links_of, markdown, outline};
use super::*;

#[test]
fn docsify_orders_by_its_sidebar_and_reads_its_markdown() {
    // A comment and a plugin are no settings.
    let index = "<p>homepage: 'guide/first.md'</p><script src=\"a.js\"></script>\n<script type=\"module\">\nconst start = 'start.md'\n\
        window.$docsify = { // homepage: 'guide/first.md'\n  loadSidebar: true, homepage: start,\n  plugins: [hook => { hook.loadSidebar = 'loose.md' }] }\n</script>";
    let sidebar = "* [Home](/)\n* Guide\n  * [First \"steps\"](guide/first.md \"First\")\n  * [Second](/guide/second)\n* [Other](https://example.com/)\n";
    let first = "# First\n\n!> Mind the *gap*.\n\n[code](../part.js ':include')\n\n[text](_part.md ':include')\n\nSee [two](guide/second.md?id=deep ':ignore') and [more](#/guide/second).\n";
    let plan = planned(&[
        ("docs/index.html", index),
        ("docs/_sidebar.md", sidebar),
        ("docs/_coverpage.md", "# Cover\n"),
        ("docs/start.md", "# Start\n"),
        ("docs/guide/first.md", first),
        ("docs/guide/_part.md", "Part.\n"),
        ("docs/guide/second.md", "# Second\n\n## Deep part :id=deep\n\n[one](first.md)\n"),
        ("docs/part.js", "f()\n"),
        ("docs/loose.md", "# Loose\n"),
        ("readme.txt", "x"),
    ]);
    assert_eq!(
        outline(&plan),
        "\
Start | start
Guide | guide
  First | guide/first
  Second | guide/second
Other | - link to url https://example.com/
Loose | loose hidden
"
    );
    let shown = markdown(&plan, "docs/guide/first.md");
    let hint = "{% hint style=\"warning\" %}\nMind the _gap_.\n{% endhint %}";
    for part in [hint, "```js\nf()\n```", "\n\nPart.\n\n"] {
        assert!(shown.contains(part), "{shown}");
    }
    assert_eq!(
        links_of(&plan, "docs/guide/first.md"),
        ["anchor docs/guide/second.md#deep", "page docs/guide/second.md"]
    );
    let skipped: Vec<&str> = plan
        .report
        .iter()
        .filter(|entry| entry.status == ImportStatus::Skipped && entry.path.starts_with("docs/_"))
        .map(|entry| entry.path.as_str())
        .collect();
    assert_eq!(skipped, ["docs/_coverpage.md", "docs/_sidebar.md"]);
}

#[test]
fn docfx_orders_by_nested_tables_of_contents_and_reads_its_markdown() {
    let settings = r#"{"build": {"content": [{"files": ["**/*.md"], "exclude": ["drafts/**"]}]}}"#;
    let guide = "- name: First\n  href: first.md\n- name: More\n  items:\n  - name: Second\n    href: ~/guide/second.md\n- name: Loop\n  href: ../guide/\n";
    let first = "---\nuid: a.first\n---\n\n# First\n\nUse [!INCLUDE [x](../includes/name.md)].\n\n[!INCLUDE [x](../includes/part.md)]\n\n[!code-csharp[Main](code.cs?name=body)]\n\n:::code language=\"cs\" source=\"~/guide/code.cs\" range=\"1\":::\n\n[two](xref:a.second) <xref:System.String>\n";
    let plan = planned(&[
        ("docs/docfx.json", settings),
        (
            "docs/toc.yml",
            "- name: Home\n  href: index.md\n- name: Guide\n  href: guide/\n- name: Gone\n  href: gone.md\n",
        ),
        ("docs/index.md", "# Home\n"),
        ("docs/guide/toc.yml", guide),
        ("docs/guide/first.md", first),
        ("docs/guide/code.cs", "// <body>\nf();\n// </body>\n"),
        ("docs/guide/second.md", "---\nuid: a.second\n---\n\n# Second\n\n![x](~/x.png)\n"),
        ("docs/includes/name.md", "the *product*\n"),
        ("docs/includes/part.md", "Part with [a link](../guide/second.md).\n"),
        ("docs/drafts/draft.md", "# Draft\n"),
        ("docs/x.png", "png"),
        ("readme.txt", "x"),
    ]);
    assert_eq!(
        outline(&plan),
        "\
Home | home
Guide | guide group
  First | guide/first
  More | guide/more
    Second | guide/more/second
"
    );
    let shown = markdown(&plan, "docs/guide/first.md");
    for part in [
        "Use the _product_.\n",
        "\nPart with ",
        "```csharp\nf();\n```",
        "```cs\n// <body>\n```",
        "`System.String`",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let second = "page docs/guide/second.md";
    assert_eq!(links_of(&plan, "docs/guide/first.md"), [second, second]);
    assert_eq!(links_of(&plan, "docs/guide/second.md"), ["file docs/x.png"]);
    assert!(plan.report.iter().any(|entry| entry.message.contains("`<xref:>`")), "{:?}", plan.report);
}

#[test]
fn absolute_links_of_an_unknown_program_start_at_a_folder_around() {
    let plan = planned(&[
        ("site/data/parts/a.md", "# A\n\n[b](/other/b#deep) and [c](/other/c)\n"),
        ("site/data/other/b.md", "# B\n\n## Deep\n"),
        ("readme.txt", "x"),
    ]);
    assert_eq!(links_of(&plan, "site/data/parts/a.md"), ["anchor site/data/other/b.md#deep", "url /other/c"]);
}

#[test]
fn included_listings_with_fences_stay_whole() {
    let page =
        "# A\n\n````{tab-set-code}\n```{literalinclude} b.txt\n:language: markdown\n```\n````\n\nEnd.\n";
    let files = [
        ("conf.py", "extensions = ['myst_parser']\n"),
        (
            "index.md",
            "# Home\n\n```{eval-rst}\n.. toctree::\n   :caption: Pages\n\n   a\n   Other <https://example.com/>\n```\n",
        ),
        ("a.md", page),
        ("b.txt", "```{note}\nText.\n```\n"),
    ];
    let plan = planned(&files);
    assert_eq!(
        outline(&plan),
        "Home | home\nPages | pages group\n  A | pages/a\n  Other | pages/- link to url https://example.com/\n"
    );
    let shown = markdown(&plan, "a.md");
    assert!(shown.contains("````markdown\n```{note}\nText.\n```\n````"), "{shown}");
    assert!(shown.contains("{% endtabs %}\n\nEnd."), "{shown}");
}
