//! Sites of Hugo and Jekyll, values of settings, and files outside of a book.

use super::repositories::{links_of, markdown, messages, outline};
use super::*;

#[test]
fn hugo_by_its_settings_and_weights() {
    let settings = "\
baseURL = 'https://engine.example/'
defaultContentLanguage = 'en'
[languages.en]
label = 'English'
[languages.de]
label = 'Deutsch'
[permalinks]
blog = '/:year/:slug/'
[[menus.main]]
name = 'Documentation'
pageRef = '/docs'
weight = 1
[[menus.main]]
name = 'Blog'
pageRef = '/blog'
weight = 2
";
    let plan = planned(&[
        ("hugo.toml", settings),
        ("README.md", "# Repository\n"),
        ("archetypes/default.md", "---\ntitle: x\n---\n"),
        ("layouts/index.html", "<p>{{ .Title }}</p>"),
        ("content/en/_index.md", "+++\ntitle = 'Engine'\n+++\nStart.\n"),
        ("content/en/docs/_index.md", "---\ntitle: Docs\n---\n[setup](setup/) [b](/docs/b/)\n"),
        (
            "content/en/docs/a.md",
            "---\ntitle: A\nweight: 20\naliases: [/old/a/]\n---\n[b](../b/) [c](/docs/c)\n",
        ),
        (
            "content/en/docs/b.md",
            "---\ntitle: B\nweight: 10\nlinkTitle: Bee\n---\n[a](/old/a/) [post](/2026/first/)\n",
        ),
        ("content/en/docs/c/index.md", "---\ntitle: C\n---\n![x](x.png)\n"),
        ("content/en/docs/c/x.png", "png"),
        ("content/en/docs/setup/one.md", "---\ntitle: One\n---\nText.\n"),
        ("content/en/docs/draft.md", "---\ntitle: Draft\ndraft: true\n---\nText.\n"),
        ("content/en/blog/_index.md", "---\ntitle: Posts\n---\n"),
        ("content/en/blog/old.md", "---\ntitle: Old\ndate: 2025-01-02\n---\nText.\n"),
        ("content/en/blog/new.md", "---\ntitle: New\ndate: 2026-01-02\nslug: first\n---\nText.\n"),
        ("content/de/_index.md", "---\ntitle: Anfang\n---\nText.\n"),
    ]);
    assert_eq!(
        outline(&plan),
        "\
Engine | engine
Docs | docs
  B | docs/b
  A | docs/a
  C | docs/c
  Setup | docs/setup
    One | docs/setup/one
  Draft | docs/draft hidden
Posts | blog
  New | blog/first
  Old | blog/old
"
    );
    let docs = plan.pages.iter().find(|page| page.title == "Docs").unwrap();
    assert_eq!(docs.link_title.as_deref(), Some("Documentation"));
    assert_eq!(
        links_of(&plan, "content/en/docs/a.md"),
        ["page content/en/docs/b.md", "page content/en/docs/c/index.md"]
    );
    assert_eq!(
        links_of(&plan, "content/en/docs/b.md"),
        ["page content/en/docs/a.md", "page content/en/blog/new.md"]
    );
    let messages = messages(&plan);
    for file in ["README.md: it is outside", "content/de/_index.md: it belongs to a translation"] {
        assert!(messages.iter().any(|line| line.starts_with(file)), "{file}: {messages:#?}");
    }
    assert!(!messages.iter().any(|line| line.contains("weight")), "{messages:#?}");
}

#[test]
fn hugo_replaces_parameters_and_drops_attributes_of_blocks() {
    let plan = planned(&[
        ("config/_default/hugo.yaml", "baseURL: x\nparams:\n  links:\n    main: https://a.example/\n"),
        ("config/_default/params.yaml", "Version: 2\n"),
        (
            "content/_index.md",
            "---\ntitle: T\nowner: Own\nparams:\n  ownKey: K\n---\n[a][b] {{< param \"version\" >}} {{% param owner %}} **{{% param ownKey %}}** `{{% param x %}}`\n{.lead}\n\n[b]: <{{% param links.main %}}>\n",
        ),
    ]);
    assert_eq!(
        markdown(&plan, "content/_index.md"),
        "[a](https://a.example/) 2 Own **K** `{{% param x %}}`\n"
    );
    assert!(messages(&plan).iter().any(|line| line.contains("`{.lead}`")), "{:?}", messages(&plan));
}

#[test]
fn hugo_by_settings_in_a_folder() {
    let plan = planned(&[
        ("site/config/_default/hugo.yaml", "title: Engine\nlanguages:\n  en: {}\n  fr: {}\n"),
        ("site/content/b.md", "---\ntitle: B\nweight: 2\n---\nText.\n"),
        ("site/content/a.md", "---\ntitle: A\nweight: 3\n---\nText.\n"),
        ("site/content/a.fr.md", "---\ntitle: A en francais\n---\nTexte.\n"),
    ]);
    assert_eq!(outline(&plan), "B | b\nA | a\n");
}

#[test]
fn jekyll_by_its_settings() {
    let settings = "\
title: Engine
permalink: pretty
exclude: [README.md, vendor/]
collections:
  guides:
    permalink: /g/:path/
defaults:
  - scope: {path: internal}
    values: {nav_exclude: true}
";
    let plan = planned(&[
        ("_config.yml", settings),
        ("README.md", "# Repository\n"),
        ("_includes/nav.html", "{% for x in y %}{% endfor %}"),
        ("_includes/part.md", "Part.\n"),
        (
            "index.md",
            "---\ntitle: Home\nnav_order: 1\n---\nOn {{ site.title }}: [b]({{ site.baseurl }}/main/b/)\n",
        ),
        ("docs/main.md", "---\ntitle: Main\nnav_order: 2\n---\nText.\n"),
        ("docs/a.md", "---\ntitle: A\nparent: Main\nnav_order: 2\nredirect_from: /old/\n---\nText.\n"),
        (
            "docs/b.md",
            "---\ntitle: B\nparent: Main\nnav_order: 1\npermalink: /main/b/\n---\n[a](/old/) [g](/g/start/)\n",
        ),
        ("docs/deep.md", "---\ntitle: Deep\nparent: B\ngrand_parent: Main\n---\n[a](../a/)\n"),
        ("internal/x.md", "---\ntitle: Internal\n---\nText.\n"),
        ("_guides/start.md", "---\ntitle: Start\n---\nText.\n"),
    ]);
    assert_eq!(
        outline(&plan),
        "\
Home | home
Main | main
  B | main/b
    Deep | main/b/deep
  A | main/a
Guides | guides group
  Start | guides/start
Internal | x hidden
"
    );
    assert_eq!(markdown(&plan, "index.md").lines().next().unwrap().split(':').next(), Some("On Engine"));
    assert_eq!(links_of(&plan, "index.md"), ["page docs/b.md"]);
    assert_eq!(links_of(&plan, "docs/b.md"), ["page docs/a.md", "page _guides/start.md"]);
    assert_eq!(links_of(&plan, "docs/deep.md"), ["page docs/a.md"]);
}

#[test]
fn call_outs_of_jekyll_have_the_titles_of_the_settings() {
    let settings =
        "callouts:\n  new:\n    title: Brand new\n    color: green\n  highlight:\n    color: yellow\n";
    let page = "{: .new }\nA *b*.\n\n> c\n{: .highlight }\n";
    let plan = planned(&[("_config.yml", settings), ("index.md", page)]);
    assert_eq!(
        markdown(&plan, "index.md"),
        "{% hint style=\"success\" %}\n**Brand new**\n\nA _b_.\n{% endhint %}\n\n\
         {% hint style=\"warning\" %}\nc\n{% endhint %}\n"
    );
}

#[test]
fn jekyll_by_the_navigation_of_a_theme() {
    let navigation = "\
docs:
  - title: First steps
    children:
      - title: Install it
        url: /docs/install/
      - title: Source
        url: https://engine.example/
";
    let plan = planned(&[
        ("_config.yml", "title: Engine\n"),
        ("_data/navigation.yml", navigation),
        ("docs/install.md", "---\ntitle: Installation\n---\nText.\n"),
        ("docs/other.md", "---\ntitle: Other\n---\nText.\n"),
    ]);
    assert_eq!(
        outline(&plan),
        "\
First steps | first-steps group
  Installation | first-steps/install
  Source | first-steps/- link to url https://engine.example/
Other | other
"
    );
}

#[test]
fn settings_of_jekyll_for_github_give_way_to_a_generator() {
    let plan = planned(&[
        ("_config.yml", "theme: minimal\n"),
        ("mkdocs.yml", "nav:\n- Home: index.md\n"),
        ("docs/index.md", "# Engine\n\n!!! note\n    Text.\n"),
    ]);
    assert!(markdown(&plan, "docs/index.md").contains("{% hint"));
}

#[test]
fn values_replace_their_names_outside_of_code() {
    let plan = planned(&[
        ("variables.json", "{\"product\": \"Engine\"}"),
        ("a.md", "---\ntitle: About {{{ .product }}}\n---\nThe {{{ .product }}} and `{{{ .product }}}`.\n"),
    ]);
    assert_eq!(plan.pages[0].title, "About Engine");
    assert_eq!(markdown(&plan, "a.md").trim_end(), "The Engine and `{{{ .product }}}`.");
}

#[test]
fn markdown_outside_of_a_book_is_no_page() {
    for (settings, name) in [("root: ./docs/\n", ".gitbook.yaml"), ("[book]\nsrc = \"docs\"\n", "book.toml")]
    {
        let plan = planned(&[
            (name, settings),
            ("README.md", "# Repository\n"),
            ("docs/SUMMARY.md", "* [Start](README.md)\n"),
            ("docs/README.md", "# Start\n\nText.\n"),
        ]);
        assert_eq!(outline(&plan), "Start | start\n", "{name}");
        assert!(messages(&plan).iter().any(|line| line.starts_with("README.md: it is outside")), "{name}");
    }
}

#[test]
fn targets_of_myst_are_links_after_a_directive() {
    let plan = planned(&[
        ("conf.py", "extensions = ['myst_parser']\n"),
        (
            "index.md",
            "# Engine\n\n```{note}\nSee [](part).\n```\n\nAnd [more](part), [top](#a/b), [words](#c).\n\n```\n[](part)\n```\n",
        ),
        ("a.md", "(a/b)=\n# A\n\n(part)=\n\n## The part\n\n(c)=\nText.\n"),
    ]);
    assert_eq!(
        links_of(&plan, "index.md"),
        ["anchor a.md#part", "anchor a.md#part", "page a.md", "anchor a.md#part"]
    );
    assert!(markdown(&plan, "index.md").contains("```\n[](part)\n```"));
}

#[test]
fn a_folder_without_a_page_is_its_first_page_in_the_repository_of_a_generator() {
    let plan = planned(&[
        ("astro.config.mjs", "export default { integrations: [starlight({ sidebar: ['start'] })] };\n"),
        (
            "src/content/docs/start.md",
            "---\ntitle: Start\nsummary: How to start.\n---\n[a](/My%20Rules/) [b](/my-rules/one) ![c](@assets/c.png)\n",
        ),
        (
            "tsconfig.json",
            "{\n  // Names.\n  \"compilerOptions\": {\"baseUrl\": \".\", \"paths\": {\"@assets/*\": [\"src/assets/*\"]}}\n}\n",
        ),
        ("src/assets/c.png", "png"),
        ("src/content/docs/My Rules/One.md", "---\ntitle: One\n---\nText.\n"),
    ]);
    let one = "page src/content/docs/My Rules/One.md";
    assert_eq!(links_of(&plan, "src/content/docs/start.md"), [one, one, "file src/assets/c.png"]);
    assert_eq!(plan.pages[0].description.as_deref(), Some("How to start."));
}

#[test]
fn topics_of_a_sidebar_plugin_are_groups() {
    let config = "\
import starlight from '@astrojs/starlight';
import topics from 'starlight-sidebar-topics';
export default {
  integrations: [starlight({ plugins: [icons(), topics([
    { label: 'Docs', link: '/start/', items: [{ label: 'Begin', items: ['start'] }] },
    { label: { en: 'Demo', fr: 'Démo' }, link: '/demo/', items: ['more'] },
    { label: 'Site', link: 'https://example.com/' },
  ])] })],
};
";
    let plan = planned(&[
        ("astro.config.mjs", config),
        ("src/content/docs/start.md", "---\ntitle: Start\n---\nText.\n"),
        ("src/content/docs/more.md", "---\ntitle: More\n---\nText.\n"),
    ]);
    assert_eq!(
        outline(&plan),
        "\
Docs | docs group
  Begin | docs/begin
    Start | docs/begin/start
Demo | demo group
  More | demo/more
Site | - link to url https://example.com/
"
    );
}

#[test]
fn snippets_and_groups_of_vitepress_may_be_in_items() {
    let plan = planned(&[
        (".vitepress/config.js", "export default {}"),
        (
            "index.md",
            "# A\n\n1. One\n\n   <<< ./x.yaml#part [x]\n\n2. Two\n\n   ::: code-group\n\n   ```js [a.js]\n   a\n   ```\n\n   <<< ./x.yaml#part [b.yaml]\n\n   :::\n",
        ),
        ("x.yaml", "#region part\nb: 1\n#endregion part\n"),
    ]);
    let tab = |title: &str, code: &str| {
        format!("    {{% tab title=\"{title}\" %}}\n    ```{code}\n    ```\n    {{% endtab %}}\n")
    };
    let tabs = format!("{}\n{}", tab("a.js", "js\n    a"), tab("b.yaml", "yaml\n    b: 1"));
    let expected = format!(
        "1.  One\n\n    ```yaml\n    b: 1\n    ```\n2.  Two\n\n    {{% tabs %}}\n{tabs}    {{% endtabs %}}\n"
    );
    assert_eq!(markdown(&plan, "index.md"), expected);
}
