//! Anchors, addresses and labels by the conventions of products.

use super::repositories::{links_of, markdown, messages, outline};
use super::*;

fn planned_as(source: ImportSource, files: &[(&str, &str)]) -> ImportPlan {
    plan(source, tree(files), &mut GeneratedIds(&CountingIds::default())).unwrap()
}

fn link_title<'p>(plan: &'p ImportPlan, path: &str) -> Option<&'p str> {
    plan.pages.iter().find(|page| page.source_path.as_deref() == Some(path))?.link_title.as_deref()
}

#[test]
fn anchors_of_gitbook_have_its_words_for_signs_and_digits() {
    let links = ["12.-direct-reply", "a-and-b", "agent-vs.-llm", "v1.2", "id-2-and-3", "id-x"];
    let links: String = links.map(|anchor| format!("[x](b.md#{anchor}) ")).concat();
    let links = links.replace("#12", "#id-12");
    let headings = ["12. Direct reply", "A & B", "Agent vs. LLM", "v1.2", "2 & 3", "Id x"];
    let headings: String = headings.map(|heading| format!("## {heading}\n\n")).concat();
    let plan = planned(&[("a.md", &format!("# A\n\n{links}\n")), ("b.md", &format!("# B\n\n{headings}"))]);
    assert_eq!(
        links_of(&plan, "a.md"),
        [
            "anchor b.md#12-direct-reply",
            "anchor b.md#a--b",
            "anchor b.md#agent-vs-llm",
            "anchor b.md#v12",
            "anchor b.md#2--3",
            "anchor b.md#id-x",
        ]
    );
    assert_eq!(messages(&plan), Vec::<String>::new());
}

#[test]
fn the_top_of_a_page_is_no_broken_link() {
    let links = "<p><a href=\"#\">a</a> <a href=\"#top\">b</a> <a href=\"b.html#top\">c</a></p>";
    let plan = planned(&[
        ("a.html", &format!("<h1>A</h1>{links}<h2>Part</h2><p>Text.</p>")),
        ("b.html", "<h1>B</h1><p>Text.</p>"),
        ("c.md", "# C\n\n[a](#) [b](#Top) [c](d.md#top)\n"),
        ("d.md", "# D\n\n## Top\n\n[d](#top)\n"),
    ]);
    assert_eq!(links_of(&plan, "a.html"), ["url #", "page a.html", "page b.html"]);
    assert_eq!(links_of(&plan, "c.md"), ["url #", "page c.md", "anchor d.md#top"]);
    assert_eq!(links_of(&plan, "d.md"), ["anchor #top"]);
    assert_eq!(messages(&plan), Vec::<String>::new());
}

#[test]
fn targets_above_the_first_heading_are_the_page() {
    let page = "<title>Space : A</title><h1 id=\"title-heading\"><span id=\"title-text\">Space : A</span></h1>\
        <div id=\"main-content\" class=\"wiki-content\"><p><span class=\"confluence-anchor-link\" id=\"A-here\"></span>TBD \
        <a href=\"#A-here\">h</a> <a href=\"attachments/1/r%C3%A4ck%20a.png\">r</a></p><h2>Part</h2>\
        <p><span class=\"confluence-anchor-link\" id=\"A-there\"></span>Text. <a href=\"#A-there\">t</a></p></div>";
    let plan = planned_as(
        ImportSource::Confluence,
        &[
            ("index.html", "<ul><li><a href=\"A_1.html\">A</a></li></ul>"),
            ("A_1.html", page),
            ("attachments/1/räck a.png", "png"),
        ],
    );
    assert_eq!(outline(&plan), "A | a\n");
    assert_eq!(
        links_of(&plan, "A_1.html"),
        ["page A_1.html", "file attachments/1/räck a.png", "anchor #part"]
    );
    assert!(markdown(&plan, "A_1.html").starts_with("TBD "), "{}", markdown(&plan, "A_1.html"));
    let broken = messages(&plan).into_iter().find(|line| line.contains("broken"));
    assert_eq!(broken, None);
}

#[test]
fn pages_of_a_wiki_are_called_by_their_names_in_menus() {
    let files =
        [("Home.md", "# Welcome\n\n[[Set Up]]\n"), ("Set-Up.md", "# Install\n"), ("Old-notes.md", "Text.\n")];
    let plan = planned_as(ImportSource::GithubWiki, &files);
    assert_eq!(outline(&plan), "Welcome | welcome\nOld notes | old-notes\nInstall | set-up\n");
    assert_eq!(link_title(&plan, "Set-Up.md"), Some("Set Up"));
    assert_eq!((link_title(&plan, "Home.md"), link_title(&plan, "Old-notes.md")), (None, None));
    let sidebar = [&files[..], &[("_Sidebar.md", "* [[How to install|Set Up]]\n")]].concat();
    let plan = planned_as(ImportSource::GithubWiki, &sidebar);
    assert_eq!(link_title(&plan, "Set-Up.md"), Some("How to install"));
}

#[test]
fn languages_of_nextra_may_have_regions() {
    let plan = planned(&[
        ("next.config.js", "const withNextra = require('nextra')({})\nmodule.exports = withNextra()\n"),
        ("pages/index.en-US.mdx", "# Engine\n"),
        ("pages/docs/_meta.en-US.json", "{\"b\": \"Bee\", \"a\": \"API\"}"),
        ("pages/docs/_meta.zh-CN.json", "{\"a\": \"API\", \"b\": \"B\"}"),
        ("pages/docs/a.en-US.mdx", "# A\n\n[b](/docs/b)\n"),
        ("pages/docs/a.zh-CN.mdx", "# 甲\n"),
        ("pages/docs/b.en-US.mdx", "# B\n"),
        ("pages/docs/b.ja.mdx", "# ビー\n"),
    ]);
    assert_eq!(outline(&plan), "B | b\nA | a\nEngine | index\n");
    assert_eq!(link_title(&plan, "pages/docs/b.en-US.mdx"), Some("Bee"));
    assert_eq!(links_of(&plan, "pages/docs/a.en-US.mdx"), ["page pages/docs/b.en-US.mdx"]);
}

#[test]
fn databases_and_relations_of_notion_are_links() {
    let (home, tasks, one) = (
        "0000000000000000000000000000000a",
        "0000000000000000000000000000000b",
        "0000000000000000000000000000000c",
    );
    let paths = [
        format!("Home {home}.md"),
        format!("Home {home}/Tasks {tasks}.csv"),
        format!("Home {home}/Tasks {tasks}/One {one}.md"),
    ];
    let texts = [
        format!("# Home\n\n[Tasks](Home%20{home}/Tasks%20{tasks}.md) [again](Tasks%20{tasks}.md)\n"),
        "Name,Project\nOne,\n".to_owned(),
        format!("# One\n\nProject: Home (../../Home%20{home}.md)\nState: done\n\nText.\n"),
    ];
    let files: Vec<(&str, &str)> =
        paths.iter().zip(&texts).map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let plan = planned_as(ImportSource::Notion, &files);
    let links = links_of(&plan, &paths[0]);
    assert!(links.len() == 2 && links.iter().all(|link| link.starts_with("page ") && link.contains("Tasks")));
    assert_eq!(links_of(&plan, &paths[2]), [format!("page {}", paths[0])]);
    assert!(markdown(&plan, &paths[2]).contains("| Project  | [Home]("), "{}", markdown(&plan, &paths[2]));
}

#[test]
fn labels_of_docusaurus_belong_to_the_page_of_a_category() {
    let sidebars = "module.exports = { d: [{ type: 'category', label: 'Guides', link: { type: 'doc', id: 'start' }, items: ['a'] }] }";
    let plan = planned(&[
        ("docusaurus.config.js", "export default {}"),
        ("sidebars.js", sidebars),
        ("docs/start.md", "# Getting started\n\n[x](a.md#alert-ios)\n"),
        ("docs/a.md", "# A\n\n### alert() <div className=\"label ios\">iOS</div>\n\nText.\n"),
    ]);
    assert_eq!(link_title(&plan, "docs/start.md"), Some("Guides"));
    assert_eq!(links_of(&plan, "docs/start.md"), ["anchor docs/a.md#alert-ios"]);
    assert_eq!(markdown(&plan, "docs/a.md"), "### alert() iOS\n\nText.\n");
    let plan = planned(&[
        ("docusaurus.config.js", "export default {}"),
        ("docs/g/_category_.json", "{\"label\": \"In short\"}"),
        ("docs/g/index.md", "# A long title\n"),
        ("docs/g/a.md", "# A\n"),
    ]);
    assert_eq!(link_title(&plan, "docs/g/index.md"), Some("In short"));
}

#[test]
fn sidebars_of_vitepress_may_be_named_like_their_property() {
    let config = "const sidebar = [{ text: 'G', items: [{ text: 'B', link: '/b' }, { text: 'A', link: '/a' }] }]\nexport default { themeConfig: { sidebar } }\n";
    let plan = planned(&[
        (".vitepress/config.js", config),
        ("index.md", "# Home\n"),
        ("a.md", "# A\n\n::: details **More** `x`\nText.\n:::\n"),
        ("b.md", "# B\n"),
    ]);
    assert_eq!(outline(&plan), "Home | home\nG | g group\n  B | g/b\n  A | g/a\n");
    let summary = "<summary><strong>More</strong> <code>x</code></summary>";
    assert!(markdown(&plan, "a.md").contains(summary), "{}", markdown(&plan, "a.md"));
}

#[test]
fn templates_of_generators_are_no_pages_and_their_addresses_are_folders() {
    let plan = planned(&[
        ("mkdocs.yml", "site_name: x\nnav:\n  - Short: index.md\n  - b.md\n"),
        (
            "docs/index.md",
            "# A long title\n\n[b](b/)\n\n{* ../src/x.py hl[1] *}\n\n![A](i.png){ width=\"300\" }\n",
        ),
        ("docs/b.md", "# B\n\n[home](../)\n"),
        ("docs/i.png", "png"),
        ("src/x.py", "x = 1\n"),
        ("overrides/main.html", "<p>{% block x %}{% endblock %}</p>"),
    ]);
    assert_eq!(outline(&plan), "A long title | a-long-title\nB | b\n");
    assert_eq!(link_title(&plan, "docs/index.md"), Some("Short"));
    assert_eq!(links_of(&plan, "docs/index.md"), ["page docs/b.md", "file docs/i.png"]);
    assert_eq!(links_of(&plan, "docs/b.md"), ["page docs/index.md"]);
    let shown = markdown(&plan, "docs/index.md");
    assert!(shown.contains("x = 1") && !shown.contains("{*"), "{shown}");
    assert!(messages(&plan).iter().any(|line| line.contains("`{ width=… }`")), "{:?}", messages(&plan));
    let plan = planned(&[
        ("conf.py", "extensions = ['myst_parser']\n"),
        ("index.md", "# T\n\n```{toctree}\na\n```\n\n{ref}`part`, <project:#part> and {doc}`a`.\n"),
        ("a.md", "# A\n\n(part)=\n## The part\n"),
        ("_templates/page.html", "<p>{{ x }}</p>"),
    ]);
    assert_eq!(outline(&plan), "T | t\nA | a\n");
    assert_eq!(links_of(&plan, "index.md"), ["anchor a.md#part", "anchor a.md#part", "page a.md"]);
    assert_eq!(markdown(&plan, "index.md").matches("[The part](").count(), 2);
}

#[test]
fn former_addresses_and_tags_of_gitbook_are_read() {
    let plan = planned(&[
        (".gitbook.yaml", "root: ./\nredirects:\n  old/page: b.md\n"),
        ("SUMMARY.md", "* [A](a.md)\n* [B](b.md)\n"),
        (
            "a.md",
            "# A\n\n[b](old/page)\n\n{% image src=\"a.png\" caption=\"Some words\" %}\n\n> [!WARNING]- T\n> x\n",
        ),
        ("b.md", "# B\n"),
        ("a.png", "png"),
    ]);
    assert_eq!(links_of(&plan, "a.md"), ["page b.md", "file a.png"]);
    let shown = markdown(&plan, "a.md");
    for part in ["alt=\"Some words\"", "{% hint style=\"warning\" %}\nT\n"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!messages(&plan).iter().any(|line| line.starts_with("a.md")), "{:?}", messages(&plan));
}
