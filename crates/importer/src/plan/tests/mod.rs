mod conventions;
mod generators;
mod links;
mod properties;
mod repositories;
mod scripts;
mod settings;
mod sites;
mod trees;
mod vuepress;

use std::collections::BTreeMap;

use bytes::Bytes;
use quire_domain::CountingIds;
use quire_domain::ids::PageId;
use quire_domain::imports::ImportSource;
use quire_markup::{ContentRef, plain_text};

use super::*;

fn tree(files: &[(&str, &str)]) -> SourceTree {
    let files = files.iter().map(|(path, text)| ((*path).to_owned(), Bytes::from((*text).to_owned())));
    SourceTree::from_files(files)
}

fn planned(files: &[(&str, &str)]) -> ImportPlan {
    plan(ImportSource::Zip, tree(files), &mut GeneratedIds(&CountingIds::default())).unwrap()
}

/// Returns the names of pages by id: their source path, or their title.
fn names(plan: &ImportPlan) -> BTreeMap<String, String> {
    let pages = plan.pages.iter().map(|page| {
        let name = page.source_path.clone().unwrap_or_else(|| page.title.clone());
        (page.id.to_string(), name)
    });
    let files = plan.files.iter().map(|file| (file.id.to_string(), file.source_path.clone()));
    let contents =
        plan.reusable_contents.iter().map(|content| (content.id.to_string(), content.source_path.clone()));
    pages.chain(files).chain(contents).collect()
}

/// Returns a reference in short form: kind, target, anchor.
fn shown(plan: &ImportPlan, reference: &ContentRef) -> String {
    let names = names(plan);
    let name = |id: &String| names.get(id).cloned().unwrap_or_else(|| format!("unknown {id}"));
    match reference {
        ContentRef::Url { url } => format!("url {url}"),
        ContentRef::Page { page, .. } => format!("page {}", name(page)),
        ContentRef::File { file, .. } => format!("file {}", name(file)),
        ContentRef::ReusableContent { reusable_content, .. } => format!("content {}", name(reusable_content)),
        ContentRef::Anchor { anchor, page: Some(page), .. } => format!("anchor {}#{anchor}", name(page)),
        ContentRef::Anchor { anchor, page: None, .. } => format!("anchor #{anchor}"),
        other => format!("{other:?}"),
    }
}

/// Returns the plan's tree, one page per line: title, path, and special properties.
fn outline_of(plan: &ImportPlan) -> String {
    let mut above: BTreeMap<PageId, (usize, String)> = BTreeMap::new();
    let mut out = String::new();
    for page in &plan.pages {
        let (depth, prefix) = page.parent.map(|parent| above[&parent].clone()).unwrap_or_default();
        let path = format!("{prefix}{}", page.slug.as_deref().unwrap_or("-"));
        let kind = match &page.kind {
            PageKind::Group => " group".to_owned(),
            PageKind::Computed { source, .. } => {
                format!(" computed {}", source["dependencies"]["spec"]["ref"]["spec"])
            }
            PageKind::Link { target } => format!(" link to {}", shown(plan, target)),
            PageKind::Document if page.document.is_none() => " empty".to_owned(),
            PageKind::Document => String::new(),
        };
        let hidden = if page.hidden { " hidden" } else { "" };
        out.push_str(&format!("{}{} | {path}{kind}{hidden}\n", "  ".repeat(depth), page.title));
        above.insert(page.id, (depth + 1, format!("{path}/")));
    }
    out
}

fn report_of(plan: &ImportPlan) -> Vec<(&str, ImportStatus)> {
    plan.report.iter().map(|entry| (entry.path.as_str(), entry.status)).collect()
}

#[test]
fn nothing_to_import_is_an_error() {
    for files in
        [&[][..], &[("SUMMARY.md", "# Summary\n")], &[("notes.rs", "x"), (".gitbook.yaml", "root: .\n")]]
    {
        let error =
            plan(ImportSource::Zip, tree(files), &mut GeneratedIds(&CountingIds::default())).unwrap_err();
        assert!(matches!(error, PlanError::Empty { source_kind: ImportSource::Zip, .. }), "{error:?}");
    }
}

#[test]
fn an_import_without_anything_says_why() {
    let error = |source, tree| plan(source, tree, &mut GeneratedIds(&CountingIds::default())).unwrap_err();
    let rust = error(ImportSource::Zip, tree(&[("a.rs", "x"), ("b.rs", "y")])).to_string();
    assert_eq!(
        rust,
        "it contains nothing that an import from `zip` accepts: `a.rs` and 1 more: it is not a page, and no page links to it"
    );
    let large = "x ".repeat(3 * 1024 * 1024);
    let error_of = error(ImportSource::Markdown, tree(&[("big.md", &large)]));
    assert_eq!(error_of, PlanError::PageTooLarge { path: "big.md".into(), limit: 4 * 1024 * 1024 });
    let mut encrypted = tree(&[]);
    encrypted.report.push(report::failed("a.md", "it is encrypted"));
    let message = error(ImportSource::Zip, encrypted).to_string();
    assert!(message.ends_with("accepts: `a.md`: it is encrypted"), "{message}");
}

#[test]
fn an_import_of_pages_that_say_nothing_is_an_error() {
    let error = |source, files: &[(&str, &str)]| {
        plan(source, tree(files), &mut GeneratedIds(&CountingIds::default())).err()
    };
    let broken = error(ImportSource::Docx, &[("a.docx", "PK")]);
    assert!(
        matches!(&broken, Some(PlanError::Unreadable { cause }) if cause.contains("`a.docx`")),
        "{broken:?}"
    );
    // If another file has text, the import succeeds and reports this file.
    assert_eq!(error(ImportSource::Zip, &[("a.docx", "PK"), ("b.md", "Text.\n")]), None);
    let drawn = error(ImportSource::Website, &[("index.html", "<title>App</title><div id=\"root\"></div>")]);
    assert!(matches!(drawn, Some(PlanError::Empty { .. })), "{drawn:?}");
    // A table of contents may list pages without files, and a title is content.
    assert_eq!(error(ImportSource::Zip, &[("SUMMARY.md", "* Draft\n")]), None);
    assert_eq!(error(ImportSource::Markdown, &[("a.md", "# Title\n")]), None);
}

#[test]
fn text_is_bounded_for_a_page_and_for_an_import() {
    let large = "x ".repeat(3 * 1024 * 1024);
    let plan_of = |files: &[(&str, &str)]| {
        plan(ImportSource::Zip, tree(files), &mut GeneratedIds(&CountingIds::default()))
    };
    let with_large = plan_of(&[("a.md", "# A\n"), ("large.md", &large)]).unwrap();
    assert_eq!(report_of(&with_large), [("large.md", ImportStatus::Skipped)]);

    let page = &large[..4 * 1024 * 1024];
    let names: Vec<String> = (0..9).map(|number| format!("{number}.md")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), page)).collect();
    assert!(matches!(plan_of(&files), Err(PlanError::TooMuchText { .. })));
    let small = SourceTree { max_text: 3, ..tree(&[("a.md", "Text"), ("b.png", "a large picture")]) };
    let error = plan(ImportSource::Zip, small, &mut GeneratedIds(&CountingIds::default())).unwrap_err();
    assert_eq!(error, PlanError::TooMuchText { limit: 3 });
}

#[test]
fn a_table_of_contents_without_end_is_refused() {
    let summary = "* x\n".repeat(MAX_PAGES + 1);
    let error = plan(
        ImportSource::Zip,
        tree(&[("SUMMARY.md", &summary)]),
        &mut GeneratedIds(&CountingIds::default()),
    )
    .unwrap_err();
    assert_eq!(error, PlanError::TooManyPages { limit: MAX_PAGES });
    let plan = planned(&[("SUMMARY.md", &"* x\n".repeat(2000))]);
    assert_eq!(plan.pages.last().unwrap().slug.as_deref(), Some("x-1999"));
}

#[test]
fn the_same_import_gives_the_same_plan() {
    let files = [
        ("SUMMARY.md", "* [A](a.md)\n* [B](b.md)\n"),
        ("a.md", "# A\n\n[b](b.md)"),
        ("b.md", "# B\n\nx"),
        ("c.png", ""),
    ];
    assert_eq!(planned(&files), planned(&files));
}

#[test]
fn front_matter_becomes_properties() {
    let text = "---\ndescription: About it\nicon: rocket\nemoji: 1f680\ncover: .gitbook/assets/c.png\ncoverY: -4\nhidden: true\nnoIndex: true\nauthor: Ada\n---\n\n# Start\n\nText.\n";
    let plan = planned(&[("start.md", text), (".gitbook/assets/c.png", "png")]);
    let page = &plan.pages[0];
    assert_eq!(page.title, "Start");
    assert_eq!(page.description.as_deref(), Some("About it"));
    assert_eq!(page.icon.as_deref(), Some("rocket"));
    assert_eq!(page.emoji.as_deref(), Some("1f680"));
    let cover = page.cover.as_ref().unwrap();
    assert_eq!((shown(&plan, &cover.image).as_str(), cover.y_pos), ("file .gitbook/assets/c.png", -4.0));
    assert!(page.hidden && page.no_index && !page.no_robots_index);
    assert_eq!(report_of(&plan), [("start.md", ImportStatus::Changed)]);
    assert!(plan.report[0].message.contains("author"));
}

#[test]
fn pages_that_ask_to_be_hidden_are_hidden() {
    let plan = planned(&[
        ("a.md", "---\nhidden: true # until launch\n---\n# A\n\nText.\n"),
        ("b.md", "---\nhidden: until launch\n---\n# B\n\nText.\n"),
        ("c.md", "---\ntitle: C: a sea\nhidden: true\n---\n# C\n\nText.\n"),
        ("d.md", "+++\nhidden = true\n+++\n# D\n\nText.\n"),
        ("e.md", "---\nhidden: false\n---\n# E\n\nText.\n"),
    ]);
    let hidden: Vec<(&str, bool)> =
        plan.pages.iter().map(|page| (page.title.as_str(), page.hidden)).collect();
    assert_eq!(hidden, [("A", true), ("B", true), ("C", true), ("D", true), ("E", false)]);
    assert_eq!(report_of(&plan), [("b.md", ImportStatus::Changed), ("c.md", ImportStatus::Changed)]);
    assert!(plan.report[0].message.contains("invalid values were dropped: hidden"));
    assert!(plan.report[1].message.contains("the page is hidden"));
    let text = plain_text(&plan.pages[2].read_document().unwrap());
    assert!(text.starts_with("title: C: a sea\nhidden: true"), "{text}");
}

#[test]
fn titles_come_from_the_file_before_its_listing() {
    let plan = planned(&[
        ("SUMMARY.md", "* [One](a.md)\n* [Two](b.md)\n* [Three](c.md)\n"),
        ("a.md", "---\ntitle: Front\n---\n# Heading\n\nText.\n"),
        ("b.md", "# Heading `code`\n"),
        ("c.md", "Only text.\n"),
    ]);
    let titles: Vec<&str> = plan.pages.iter().map(|page| page.title.as_str()).collect();
    assert_eq!(titles, ["Front", "Heading code", "Three"]);
    // A heading that is not the title is kept.
    assert_eq!(
        plain_text(&plan.pages[0].read_document().unwrap()).split_whitespace().collect::<Vec<_>>(),
        ["Heading", "Text."]
    );
    assert_eq!(plan.pages[1].document, None);
}

#[test]
fn a_heading_of_lower_rank_gives_the_title_before_the_file_name() {
    let plan = planned(&[
        ("a.md", "## Getting started\n\nText, [above](#getting-started).\n"),
        ("b.html", "<h2 id=\"_Toc1\">First steps</h2><p>Text.</p>"),
        ("c.md", "[Start](a.md#getting-started) and [steps](b.html#_Toc1).\n"),
    ]);
    let pages: Vec<_> = plan.pages.iter().map(|page| (page, page.read_document().unwrap())).collect();
    let [(a, start), (b, steps), (_, linking)] = pages.as_slice() else { panic!("{pages:?}") };
    assert_eq!((a.title.as_str(), plain_text(start).trim()), ("Getting started", "Text, above."));
    assert_eq!((b.title.as_str(), plain_text(steps).trim()), ("First steps", "Text."));
    let links = quire_markup::links(start).into_iter().chain(quire_markup::links(linking));
    let shown: Vec<String> = links.map(|link| shown(&plan, &link.reference)).collect();
    assert_eq!(shown, ["page a.md", "page a.md", "page b.html"]);
    assert!(plan.report.is_empty(), "{:?}", plan.report);
}

#[test]
fn a_heading_that_gave_the_title_stays_where_links_need_it() {
    for text in [
        "## Setup\n\nText.\n\n## Setup\n\n[Second](#setup-1)\n",
        "## Setup <a href=\"#own\" id=\"own\"></a>\n\n[Own](#own)\n",
        "## Setup\n",
    ] {
        let plan = planned(&[("a.md", text)]);
        assert_eq!(plan.pages[0].title, "Setup");
        let kept = plain_text(&plan.pages[0].read_document().unwrap());
        assert!(kept.starts_with("Setup"), "{kept}");
        assert!(plan.report.is_empty(), "{:?} of {text}", plan.report);
    }
}

#[test]
fn a_reusable_content_keeps_its_heading() {
    let plan = planned(&[
        ("a.md", "{% include \".gitbook/includes/note.md\" %}\n"),
        (".gitbook/includes/note.md", "# Note\n\nBeware.\n"),
    ]);
    let content = &plan.reusable_contents[0];
    assert_eq!(content.title, "Note");
    assert_eq!(
        plain_text(&content.document.read().unwrap()).split_whitespace().collect::<Vec<_>>(),
        ["Note", "Beware."]
    );
    let links = quire_markup::links(&plan.pages[0].read_document().unwrap());
    assert_eq!(shown(&plan, &links[0].reference), "content .gitbook/includes/note.md");
}

#[test]
fn images_are_kept_and_other_files_when_a_page_links_to_them() {
    let plan = planned(&[
        ("a.md", "[config](conf/app.conf) [page](old.html)\n"),
        ("conf/app.conf", "x = 1"),
        ("old.html", "<p>"),
        ("new.html", "<p>"),
        ("report.docx", "PK"),
        ("main.rs", "fn main() {}"),
        ("unused (1).png", "png"),
        (".bookignore", "*~"),
    ]);
    let files: Vec<&str> = plan.files.iter().map(|file| file.source_path.as_str()).collect();
    assert_eq!(files, ["conf/app.conf", "unused (1).png"]);
    let report = [
        ("report.docx", ImportStatus::Failed),
        (".bookignore", ImportStatus::Skipped),
        ("main.rs", ImportStatus::Skipped),
    ];
    assert_eq!(report_of(&plan), report);
    assert_eq!(plan.found, 4 + 2 + 2);
}

#[test]
fn texts_in_other_encodings_are_read_and_reported() {
    let utf16: Vec<u8> = "\u{FEFF}# Grüße\n\nText\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let files =
        [("a.md".to_owned(), Bytes::from(utf16)), ("b.md".to_owned(), Bytes::from_static(b"# Caf\xe9\n"))];
    let plan =
        plan(ImportSource::Zip, SourceTree::from_files(files), &mut GeneratedIds(&CountingIds::default()))
            .unwrap();
    let titles: Vec<&str> = plan.pages.iter().map(|page| page.title.as_str()).collect();
    assert_eq!(titles, ["Grüße", "Café"]);
    assert_eq!(report_of(&plan), [("a.md", ImportStatus::Changed), ("b.md", ImportStatus::Changed)]);
}

#[test]
fn groups_become_pages_for_an_import_below_a_page() {
    let plan = planned(&[("SUMMARY.md", "## Part\n\n* [A](a.md)\n"), ("a.md", "")]).without_groups();
    assert_eq!(outline_of(&plan), "Part | part empty\n  A | part/a empty\n");
}

#[test]
fn a_thousand_pages_with_a_thousand_images_are_planned() {
    let mut files = Vec::new();
    for number in 0..1000 {
        let next = (number + 1) % 1000;
        let text = format!(
            "# Page {number}\n\n![image](../images/{number}.png) and [next](page-{next}.md#here).\n\n## Here\n"
        );
        files.push((format!("docs/page-{number}.md"), Bytes::from(text)));
        files.push((format!("images/{number}.png"), Bytes::from_static(b"png")));
    }
    let plan =
        plan(ImportSource::Zip, SourceTree::from_files(files), &mut GeneratedIds(&CountingIds::default()))
            .unwrap();
    assert_eq!((plan.pages.len(), plan.files.len()), (1001, 1000));
    let titles: Vec<&str> = plan.pages.iter().map(|page| page.title.as_str()).take(4).collect();
    assert_eq!(titles, ["Docs", "Page 0", "Page 1", "Page 2"]);
    let links = plan.pages.iter().flat_map(|page| quire_markup::links(&page.read_document().unwrap()));
    assert_eq!(links.filter(|link| matches!(link.reference, ContentRef::Url { .. })).count(), 0);
}

#[test]
fn a_page_of_too_many_nodes_is_empty_and_reported_with_the_bound() {
    let list = "- alpha beta gamma delta\n".repeat(120_000);
    let message = "must have at most 50000 nodes (blocks, inline nodes and text leaves); its page is empty";
    let plan = planned(&[("list.md", &list), ("a.md", "# A\n\nText.\n")]);
    let page = plan.pages.iter().find(|page| page.title == "List").map(|page| page.id);
    assert_eq!(plan.report, [ImportReportEntry { page, ..report::failed("list.md", message) }]);
    let pages: Vec<_> = plan.pages.iter().map(|page| (&*page.title, page.document.is_some())).collect();
    assert_eq!(pages, [("A", true), ("List", false)]);
    let alone = tree(&[("list.md", &list)]);
    let error =
        super::plan(ImportSource::Zip, alone, &mut GeneratedIds(&CountingIds::default())).unwrap_err();
    assert_eq!(error.to_string(), format!("none of its files can be read: `list.md`: {message}"));
}

#[test]
fn a_table_of_values_has_room_in_a_document() {
    let rows = format!("{}\n", ["word"; 20].join(",")).repeat(2_000);
    let files = tree(&[("Tasks.csv", &rows), ("Read me.md", "# Read me\n")]);
    let plan = super::plan(ImportSource::Notion, files, &mut GeneratedIds(&CountingIds::default())).unwrap();
    let message = plan.report.first().map(|entry| entry.message.as_str()).unwrap_or_default();
    assert!(message.contains("first 1000 rows and 20 columns"), "{message}");
    assert!(plan.pages.iter().any(|page| page.title == "Tasks" && page.document.is_some()));
}

#[test]
fn a_database_that_no_table_holds_keeps_its_file() {
    let rows = "a,b\n".repeat(6_000);
    let notion = |text: &str| {
        let files = tree(&[("Tasks.csv", text), ("Read me.md", "# Read me\n")]);
        plan(ImportSource::Notion, files, &mut GeneratedIds(&CountingIds::default())).unwrap()
    };
    let whole = notion("a,b\nc,d\n");
    assert_eq!((whole.files.len(), report_of(&whole)), (0, vec![]));
    let cut = notion(&rows);
    assert_eq!(report_of(&cut), [("Tasks.csv", ImportStatus::Changed)]);
    assert!(cut.report[0].message.contains("first 5000 rows and 2 columns"), "{:?}", cut.report);
    let [file] = cut.files.as_slice() else { panic!("{:?}", cut.files) };
    assert_eq!((file.name.as_str(), file.content.read().unwrap()), ("Tasks.csv", Bytes::from(rows)));
    let page = cut.pages.iter().find(|page| page.source_path.as_deref() == Some("Tasks.csv")).unwrap();
    let links = quire_markup::links(&page.read_document().unwrap());
    let reference = ContentRef::File { file: file.id.to_string(), space: None };
    assert_eq!(links.last().map(|link| &link.reference), Some(&reference));
}

#[test]
fn a_table_of_contents_larger_than_a_page_is_left_and_html_files_are_those_that_one_lists() {
    let large = format!("* [A](a.md)\n{}", " ".repeat(4 * 1024 * 1024));
    let left = planned(&[("SUMMARY.md", &large), ("a.md", "# A\n"), ("b.html", "<p>b</p>")]);
    assert_eq!(report_of(&left), [("SUMMARY.md", ImportStatus::Skipped)]);
    assert_eq!(outline_of(&left), "A | a empty\nB | b\n");
    let summary = "* [A](a.md)\n  * [An old page](old%20page.html#top)\n\nThe theme is head.html.\n";
    let listed = planned(&[
        ("SUMMARY.md", summary),
        ("a.md", ""),
        ("old page.html", "<p>b</p>"),
        ("theme/head.html", "<p>x</p>"),
    ]);
    assert_eq!(report_of(&listed), [("theme/head.html", ImportStatus::Skipped)]);
}

#[test]
fn unreadable_properties_are_distinguished_from_unknown_ones() {
    let plan = planned(&[("a.md", "---\ndescription: [x]\nweight: 3\n---\n# A\n\nText.\n")]);
    let messages: Vec<&str> = plan.report.iter().map(|entry| entry.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "properties with invalid values were dropped: description",
            "properties that pages do not have were dropped: weight"
        ]
    );
}

#[test]
fn options_of_layouts_and_properties_of_reusable_contents_are_reported() {
    let front =
        "---\nlayout:\n  title:\n    visible: false\n  actions:\n    primary: true\ntags:\n  - beta\n---\n";
    let plan = planned(&[
        ("a.md", &format!("{front}# A\n\n{{% include \".gitbook/includes/note.md\" %}}\n")),
        (".gitbook/includes/note.md", "---\ntitle: Note\ndescription: Why\ntags: [beta]\n---\nBeware.\n"),
    ]);
    let messages: Vec<&str> = plan.report.iter().map(|entry| entry.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "properties that pages do not have were dropped: tags, layout.actions.primary",
            "properties that reusable contents do not have were dropped: description, tags"
        ]
    );
    let dropped: Vec<(&str, &str, usize)> = plan.properties.iter().collect();
    let note = ".gitbook/includes/note.md";
    assert_eq!(
        dropped,
        [("description", note, 1), ("layout.actions.primary", "a.md", 1), ("tags", "a.md", 2)]
    );
}

#[test]
fn a_heading_that_is_not_the_title_keeps_its_links() {
    let plan = planned(&[("a.md", "---\ntitle: Other\n---\n# [Foo](https://e.com) *x*\n\nText.\n")]);
    let document = &plan.pages[0].read_document().unwrap();
    assert_eq!(plan.pages[0].title, "Other");
    let printed = quire_markup::print(document, &quire_markup::StableRefs);
    assert_eq!(printed, "## [Foo](https://e.com) _x_\n\nText.\n");
}
