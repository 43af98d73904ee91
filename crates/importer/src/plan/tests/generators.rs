//! Generators of MDX, docs folders without settings, labels, and reports of syntax.

use std::collections::BTreeSet;

use super::repositories::{links_of, markdown, messages, outline};
use super::*;

fn planned_as(source: ImportSource, files: &[(&str, &str)]) -> ImportPlan {
    plan(source, tree(files), &mut GeneratedIds(&CountingIds::default())).unwrap()
}

fn link_title<'p>(plan: &'p ImportPlan, path: &str) -> Option<&'p str> {
    plan.pages.iter().find(|page| page.source_path.as_deref() == Some(path))?.link_title.as_deref()
}

#[test]
fn starlight_by_its_sidebar_in_another_file() {
    let config = "\
import { defineConfig } from 'astro/config';
import starlight from '@astrojs/starlight';
import { sidebar } from './sidebar.mjs';
export default defineConfig({
  integrations: [
    starlight({ title: 'Engine', locales: { root: { label: 'English' }, de: { label: 'Deutsch' } }, sidebar }),
  ],
});
";
    let sidebar = "\
const guides = [{ label: 'First steps', slug: 'guides/start' }, 'guides/more'];
export const sidebar = [
  { label: 'Guides', items: guides },
  { label: 'Reference', autogenerate: { directory: 'reference' } },
  { label: 'Made', autogenerate: { directory: 'made' } },
  { label: 'Site', link: 'https://engine.example/' },
];
";
    let plan = planned(&[
        ("web/astro.config.mjs", config),
        ("web/sidebar.mjs", sidebar),
        (
            "web/src/content/docs/index.mdx",
            "---\ntitle: Engine\ntemplate: splash\nhero:\n  tagline: It *runs*.\n  actions:\n    - text: Start\n      link: /guides/start/\n---\n",
        ),
        (
            "web/src/content/docs/guides/start.mdx",
            "---\ntitle: Start\n---\nimport { Steps } from '@astrojs/starlight/components';\n\n<Steps>\n\n1. See [more](/guides/more/).\n\n</Steps>\n\n![x](/x.png)\n",
        ),
        (
            "web/src/content/docs/guides/more.md",
            "---\ntitle: More\n---\n:::tip[T]\nText with { braces }.\n:::\n",
        ),
        (
            "web/src/content/docs/reference/b.md",
            "---\ntitle: B\nsidebar:\n  order: 1\n  label: The B\n---\nB.\n",
        ),
        ("web/src/content/docs/reference/a.md", "---\ntitle: A\n---\nA.\n"),
        ("web/src/content/docs/de/guides/start.mdx", "---\ntitle: Anfang\n---\nText.\n"),
        ("web/public/x.png", "png"),
        ("package.json", "{}"),
    ]);
    assert_eq!(
        outline(&plan),
        "\
Engine | engine
Guides | guides group
  Start | guides/start
  More | guides/more
Reference | reference group
  B | reference/b
  A | reference/a
Site | - link to url https://engine.example/
"
    );
    let left = "groups of its navigation without pages were left out: `Made`";
    assert!(messages(&plan).iter().any(|line| line.ends_with(left)), "{:?}", plan.report);
    assert_eq!(link_title(&plan, "web/src/content/docs/guides/start.mdx"), Some("First steps"));
    assert_eq!(link_title(&plan, "web/src/content/docs/reference/b.md"), Some("The B"));
    assert_eq!(
        links_of(&plan, "web/src/content/docs/guides/start.mdx"),
        ["page web/src/content/docs/guides/more.md", "file web/public/x.png"]
    );
    assert_eq!(markdown(&plan, "web/src/content/docs/index.mdx").lines().next(), Some("It \\*runs\\*."));
    let more = markdown(&plan, "web/src/content/docs/guides/more.md");
    assert!(more.contains("{% hint style=\"success\" %}") && more.contains("{ braces }"), "{more}");
    let messages = messages(&plan);
    assert!(messages.iter().any(|line| {
        line.starts_with("web/src/content/docs/de/guides/start.mdx: it belongs to a translation")
    }));
}

#[test]
fn nextra_and_fumadocs_by_their_meta_files() {
    let nextra = planned(&[
        ("next.config.mjs", "import nextra from 'nextra'\nexport default nextra({})({})\n"),
        (
            "content/_meta.ts",
            "export default { index: 'Home', about: { title: 'About us' }, '-': { type: 'separator', title: 'More' }, guides: 'Guides', x: { title: 'Site', href: 'https://e.com' }, hidden: { display: 'hidden' } }\n",
        ),
        ("content/index.mdx", "# Engine\n\n<Callout>Text</Callout>\n"),
        ("content/about.mdx", "# About\n"),
        ("content/guides/_meta.json", "{\"b\": \"\", \"a\": \"Letter A\"}"),
        ("content/guides/a.mdx", "# A\n\n[b](/guides/b)\n"),
        ("content/guides/b.mdx", "# B\n"),
        ("content/guides/b.de.mdx", "# B auf Deutsch\n"),
        ("content/hidden.mdx", "# Hidden\n"),
    ]);
    assert_eq!(
        outline(&nextra),
        "\
Engine | engine
About | about
More | more group
  Guides | more/guides
    B | more/guides/b
    A | more/guides/a
  Site | more/- link to url https://e.com
Hidden | hidden hidden
"
    );
    assert_eq!(link_title(&nextra, "content/index.mdx"), Some("Home"));
    assert_eq!(links_of(&nextra, "content/guides/a.mdx"), ["page content/guides/b.mdx"]);
    let fumadocs = planned(&[
        (
            "source.config.ts",
            "import { defineDocs } from 'fumadocs-mdx/config';\nexport const docs = defineDocs({ dir: 'content/docs' });\n",
        ),
        (
            "content/docs/meta.json",
            "{\"pages\": [\"---Start---\", \"index\", \"z\", \"---Rest---\", \"...\"]}",
        ),
        ("content/docs/index.mdx", "---\ntitle: Engine\n---\nText.\n"),
        ("content/docs/z.mdx", "---\ntitle: Z\n---\n## H [#own]\n\n[a](/docs/api/a#x)\n"),
        ("content/docs/api/meta.json", "{\"title\": \"The API\"}"),
        ("content/docs/api/a.mdx", "---\ntitle: A\n---\n## X\n"),
    ]);
    assert_eq!(
        outline(&fumadocs),
        "\
Start | start group
  Engine | start/docs
  Z | start/z
Rest | rest group
  The API | rest/the-api
    A | rest/the-api/a
"
    );
    assert_eq!(links_of(&fumadocs, "content/docs/z.mdx"), ["anchor content/docs/api/a.mdx#x"]);
}

#[test]
fn mintlify_by_its_navigation() {
    let settings = "{\"navigation\": {\"languages\": [{\"language\": \"en\", \"tabs\": [{\"tab\": \"Docs\", \"groups\": [{\"group\": \"Start\", \"pages\": [\"index\", {\"group\": \"CLI\", \"pages\": [\"cli/run\"]}]}]}, {\"tab\": \"API\", \"$ref\": \"./api.json\"}, {\"tab\": \"AI\", \"groups\": [{\"group\": \"Tools\", \"root\": \"cli/run\", \"pages\": [\"cli/run\", \"index\"]}]}]}, {\"$ref\": \"./es.json\"}]}, \"redirects\": [{\"source\": \"/old\", \"destination\": \"/cli/run\"}, {\"source\": \"/v1/:slug*\", \"destination\": \"/cli/:slug*\"}]}";
    let plan = planned(&[
        ("docs.json", settings),
        ("api.json", "{\"pages\": [\"api/one\"]}"),
        ("es.json", "{\"pages\": [\"es/index\"]}"),
        (
            "index.mdx",
            "---\ntitle: Welcome\nsidebarTitle: Home\n---\n<Note>See [run](/cli/run), [old](/old), [field](/api/one#param-name), [moved](/v1/run), [file](cli/run.md).</Note>\n\n<Snippet file=\"part.mdx\" />\n",
        ),
        ("cli/run.mdx", "---\ntitle: Run\n---\nimport Part from '/snippets/part.mdx';\n\n<Part />\n"),
        (
            "api/one.mdx",
            "---\ntitle: One\n---\n## Fields\n\n<ParamField body=\"name\" type=\"string\" required>\n  Its *name*.\n</ParamField>\n",
        ),
        ("es/index.mdx", "---\ntitle: Hola\n---\nTexto.\n"),
        ("snippets/part.mdx", "A *part*.\n"),
    ]);
    assert_eq!(
        outline(&plan),
        "\
Docs | docs group
  Start | docs/start
    Welcome | docs/start/welcome
    CLI | docs/start/cli
      Run | docs/start/cli/run
API | api group
  One | api/one
AI | ai group
  Tools | ai/tools
    Home | ai/tools/- link to page index.mdx
"
    );
    assert_eq!(link_title(&plan, "index.mdx"), Some("Home"));
    assert_eq!(
        links_of(&plan, "index.mdx"),
        [
            "page cli/run.mdx",
            "page cli/run.mdx",
            "anchor api/one.mdx#fields",
            "page cli/run.mdx",
            "page cli/run.mdx"
        ]
    );
    for page in ["index.mdx", "cli/run.mdx"] {
        assert!(markdown(&plan, page).contains("A _part_."), "{page}");
    }
}

#[test]
fn parts_that_a_navigation_hides_are_hidden_pages() {
    let settings = "{\"navigation\": {\"tabs\": [{\"tab\": \"Docs\", \"groups\": [{\"group\": \"Start\", \"pages\": [\"index\", {\"group\": \"Labs\", \"hidden\": true, \"pages\": [\"labs/one\", \"index\", {\"group\": \"Deep\", \"root\": \"labs/root\", \"pages\": [\"labs/two\"]}]}]}]}, {\"tab\": \"Old\", \"hidden\": true, \"$ref\": \"./old.json\"}, {\"tab\": \"Site\", \"hidden\": true, \"href\": \"https://example.com\"}]}}";
    let page = |title: &str| format!("---\ntitle: {title}\nsidebarTitle: In {title}\n---\nText.\n");
    let pages = ["index", "labs/one", "labs/root", "labs/two", "old/a", "loose"];
    let pages: Vec<(String, String)> =
        pages.iter().map(|name| (format!("{name}.mdx"), page(path::name(name)))).collect();
    let mut files = vec![
        ("docs.json", settings),
        // A part may refer to itself.
        ("old.json", "{\"pages\": [\"old/a\", {\"$ref\": \"./old.json\"}, {\"$ref\": \"./old.json\"}]}"),
    ];
    files.extend(pages.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    let plan = planned(&files);
    let shown: Vec<&str> =
        plan.pages.iter().filter(|page| !page.hidden).map(|page| page.title.as_str()).collect();
    assert_eq!(shown, ["Docs", "Start", "index"]);
    let hidden: BTreeSet<&str> =
        plan.pages.iter().filter(|page| page.hidden).filter_map(|page| page.source_path.as_deref()).collect();
    assert_eq!(
        hidden.into_iter().collect::<Vec<_>>(),
        ["labs/one.mdx", "labs/root.mdx", "labs/two.mdx", "loose.mdx", "old/a.mdx"]
    );
    assert_eq!(link_title(&plan, "labs/one.mdx"), Some("In one"));
    // Only the page that the navigation does not name is reported.
    let unlisted: Vec<String> =
        messages(&plan).into_iter().filter(|line| line.contains("does not list it")).collect();
    assert_eq!(unlisted, ["loose.mdx: `docs.json` does not list it: it was kept as a hidden page"]);
}

#[test]
fn a_docs_folder_is_known_by_its_pages_or_by_the_source() {
    let page = "---\nsidebar_position: 2\n---\nimport X from '@theme/X';\n\n:::note\nBody\n:::\n";
    let files = [("b.md", page), ("a.md", "---\nsidebar_position: 3\n---\nText.\n")];
    let plan = planned(&files);
    assert_eq!(outline(&plan), "B | b\nA | a\n");
    assert_eq!(markdown(&plan, "b.md"), "{% hint style=\"info\" %}\nBody\n{% endhint %}\n");
    assert!(
        messages(&plan).iter().any(|line| line.contains("`docusaurus`") && line.contains("@theme/")),
        "{:?}",
        messages(&plan)
    );
    for (text, source, expected) in [
        ("!!! note\n    x\n", ImportSource::Mkdocs, "{% hint style=\"info\" %}\nx\n{% endhint %}\n"),
        (
            "::: warning\nx\n:::\n",
            ImportSource::Vitepress,
            "{% hint style=\"warning\" %}\nx\n{% endhint %}\n",
        ),
        (":::{note}\nx\n:::\n", ImportSource::Myst, "{% hint style=\"info\" %}\nx\n{% endhint %}\n"),
    ] {
        let files = [("a.md", text), ("b.md", "# B\n\n[a](a.md)\n")];
        assert_eq!(markdown(&planned(&files), "a.md"), expected, "{text}");
        assert_eq!(markdown(&planned_as(source, &files), "a.md"), expected, "{text}");
    }
    let expected = "{% hint style=\"success\" %}\nx\n{% endhint %}\n";
    assert_eq!(markdown(&planned(&[("a.mdx", "<Tip>x</Tip>\n"), ("b.mdx", "# B\n")]), "a.mdx"), expected);
    // In Markdown such elements may belong to other programs; only the declared source distinguishes them.
    let files = [("a.md", "<Tip>x</Tip>\n"), ("b.md", "# B\n")];
    assert_eq!(markdown(&planned_as(ImportSource::Mintlify, &files), "a.md"), expected);
    assert!(markdown(&planned(&files), "a.md").contains("<Tip>"));
    // A plain folder is not detected as another product.
    assert_eq!(messages(&planned(&[("a.md", "# A\n\nUse `:::note`.\n")])), Vec::<String>::new());
}

#[test]
fn labels_of_the_navigation_are_titles_in_menus() {
    let page = "# A long title\n\nText.\n";
    for files in [
        [("SUMMARY.md", "* [Short](a.md)\n"), ("a.md", page)],
        [("SUMMARY.md", "* [A long title](a.md \"Short\")\n"), ("a.md", page)],
        [("mkdocs.yml", "docs_dir: .\nnav:\n  - Short: a.md\n"), ("a.md", page)],
    ] {
        assert_eq!(link_title(&planned(&files), "a.md"), Some("Short"), "{files:?}");
    }
    for same in ["A long title", "A *long*  title"] {
        let plan = planned(&[("SUMMARY.md", &format!("* [{same}](a.md)\n")), ("a.md", page)]);
        assert_eq!(link_title(&plan, "a.md"), None);
    }
}

#[test]
fn docusaurus_has_further_documentation_and_a_blog() {
    let config = "\
const more = { id: 'api', path: 'reference', routeBasePath: 'reference', sidebarPath: require.resolve('./sidebarsApi') };
const config = {
  baseUrl: '/',
  presets: [['classic', { docs: { sidebarPath: './sidebars.js' }, blog: { path: 'news', routeBasePath: 'news' } }]],
  plugins: [['@docusaurus/plugin-content-docs', { ...more }]],
  themeConfig: { navbar: { items: [{ docsPluginId: 'api', label: 'The API' }] } },
};
module.exports = config;
";
    let plan = planned(&[
        ("site/docusaurus.config.js", config),
        (
            "site/sidebars.js",
            "module.exports = { docs: ['intro', { type: 'category', label: 'Deep', items: [{ type: 'category', label: 'Deeper', items: ['b'] }] }] };",
        ),
        ("site/sidebarsApi.js", "module.exports = { api: [{ type: 'doc', id: 'one', label: 'First' }] };"),
        (
            "site/docs/intro.md",
            "# Intro\n\n[one](/reference/one) [post](/news/2021/10/01/hello) [b](/docs/next/b) [d](/docs/category/deep) [e](/docs/category/deeper)\n",
        ),
        ("site/docs/b.md", "# B\n"),
        ("site/reference/one.md", "# One\n"),
        ("site/reference/two.md", "# Two\n"),
        ("site/news/2021-10-01-hello.md", "---\ntitle: Hello\n---\n[intro](../docs/intro.md)\n"),
        ("site/news/2022-01-01-later.md", "# Later\n"),
        ("package.json", "{}"),
    ]);
    assert_eq!(
        outline(&plan),
        "\
Intro | intro
Deep | deep group
  Deeper | deep/deeper
    B | deep/deeper/b
The API | the-api group
  One | the-api/one
Blog | blog group
  Later | blog/2022-01-01-later
  Hello | blog/2021-10-01-hello
Two | two hidden
"
    );
    assert_eq!(
        links_of(&plan, "site/docs/intro.md"),
        [
            "page site/reference/one.md",
            "page site/news/2021-10-01-hello.md",
            "page site/docs/b.md",
            "page site/docs/b.md",
            "page site/docs/b.md"
        ]
    );
    assert_eq!(link_title(&plan, "site/reference/one.md"), Some("First"));
}

#[test]
fn vitepress_settings_are_followed_and_code_is_not_expanded() {
    let config = "\
import { defineConfig } from 'vitepress'
import { sidebar as s } from './nav'
export default defineConfig({ srcExclude: ['**/README.md'], rewrites: { 'en/:rest*': ':rest*' }, locales: { root: {}, zh: {} }, themeConfig: { sidebar: s }, markdown: { math: true } })
";
    let page = "---\n---\n# Start\n\n## `use` <Badge text=\"new\" />\n\nEnergy $e=mc^2$ ~5.\n\n```md\n<<< @/code.js\n```\n\n::: code-group\n<<< ../code.js\n<<< ../code.js [named]\n:::\n\n[use](#use) [home](/)\n";
    let plan = planned(&[
        (".vitepress/config.ts", config),
        (
            ".vitepress/nav.ts",
            "export const sidebar = [{ text: 'Guide', items: [{ text: 'Begin', link: '/start' }] }]\n",
        ),
        (
            "en/index.md",
            "---\nlayout: home\nhero:\n  name: Engine\n  tagline: Runs\nfeatures:\n  - title: Fast\n    details: Very\n---\n",
        ),
        ("en/start.md", page),
        ("zh/start.md", "# 开始\n"),
        ("code.js", "let a\n"),
        ("README.md", "# Code\n"),
        ("public/x.md", "# File\n"),
        ("examples/template.html", "<p>x</p>"),
    ]);
    assert_eq!(outline(&plan), "Engine | en\nGuide | guide group\n  Start | guide/start\n");
    assert_eq!(links_of(&plan, "en/start.md"), ["anchor #use", "page en/index.md"]);
    let text = markdown(&plan, "en/start.md");
    for part in [
        "```md\n<<< @/code.js\n```",
        "{% tab title=\"code.js\" %}",
        "{% tab title=\"named\" %}",
        "$$e=mc^2$$ \\~5",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(markdown(&plan, "en/index.md"), "Runs\n\n* **Fast**: Very\n");
}

#[test]
fn links_to_elements_lead_to_the_heading_above() {
    let plan = planned(&[
        (
            "a.md",
            "# A\n\n<a id=\"top\"></a>Text.\n\n## One\n\nA <span id=\"x\">word</span>.\n\n| a |\n| - |\n| <a name=\"cell\"></a>b |\n\n- <a id=\"item\"></a> c\n\n<details id=\"more\">\n\n<summary>S</summary>\n\nd\n\n</details>\n\n## Two\n",
        ),
        (
            "b.md",
            "# B\n\n[t](a.md#top) [x](a.md#x) [c](a.md#cell) [i](a.md#item) [m](a.md#more) [2](a.md#two)\n",
        ),
    ]);
    let one = "anchor a.md#one";
    assert_eq!(links_of(&plan, "b.md"), ["page a.md", one, one, one, one, "anchor a.md#two"]);
}

#[test]
fn stubs_of_an_archive_lead_to_their_targets() {
    let plan = planned(&[
        ("index.html", "<h1>A</h1><p><a href=\"old.html\">old</a></p>"),
        ("old.html", "<meta http-equiv=\"refresh\" content=\"0; url=new/\">"),
        ("new/index.html", "<h1>New</h1><p>Text.</p>"),
    ]);
    assert_eq!(outline(&plan), "A | a\nNew | new\n");
    assert_eq!(links_of(&plan, "index.html"), ["page new/index.html"]);
    assert_eq!(messages(&plan), [format!("old.html: {}", crate::stub::REASON)]);
}

#[test]
fn anchors_keep_marks_and_ignore_composition() {
    let plan = planned(&[
        ("a.md", "# A\n\n## हिन्दी\n\n## カ\u{3099}イド\n"),
        ("b.md", "# B\n\n[h](a.md#हिन्दी) [g](a.md#ガイド) [d](a.md#カ\u{3099}イド)\n"),
    ]);
    let guide = "anchor a.md#ガイド";
    assert_eq!(links_of(&plan, "b.md"), ["anchor a.md#हिन्दी", guide, guide]);
}

/// The report counts every page that shows syntax.
#[test]
fn the_report_names_all_syntax_that_pages_show() {
    let raw = [
        "{{< icon \"a\" >}} here.\n",
        "{% highlight js %}\n",
        ":::custom\nText.\n:::\n",
        "<custom-element>Text</custom-element>\n",
        "Text <blink>x</blink>.\n",
        "A formula $x^2$ here.\n",
        "Value {{ name }}.\n",
        "<style>\na { b: c }\n</style>\n",
        "{* ../a.py *}\n",
    ];
    for text in raw {
        let files: Vec<(String, String)> =
            (0..5).map(|at| (format!("{at}.md"), format!("# T\n\n{text}"))).collect();
        let mut files: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        files.push((
            "plain.md",
            "# P\n\nNothing of it: `{{ x }}`, 2 < 3, a ** b, $5 and $6.\n\n```html\n<blink>\n```\n",
        ));
        let plan = planned(&files);
        let lines: Vec<String> =
            messages(&plan).into_iter().filter(|line| line.contains(": markup of ")).collect();
        assert!(lines.iter().any(|line| line.contains("(also 4 others")), "{text}: {lines:?}");
        assert!(!lines.iter().any(|line| line.contains("plain.md")), "{text}: {lines:?}");
    }
}
