//! Targets of links in documents.

use super::*;

/// Returns the target of each link of a document at `source`, in a repository of a few files.
fn resolved(source: &str, hrefs: &[&str]) -> Vec<String> {
    let text: String = hrefs.iter().map(|href| format!("[x](<{href}>)\n\n")).collect();
    let mut files = vec![
        (".gitbook/assets/a b (1).png", "png"),
        (".gitbook/assets/100%25.png", "png"),
        ("SUMMARY.md", "* [Top](README.md)\n"),
        ("README.md", "# Top\n"),
        ("buffer/README.md", "# Buffer\n"),
        ("buffer/file.md", "# File\n"),
        ("buffer/über uns.md", "# Us\n"),
        ("storage.md", "# Storage\n"),
        ("storage/local.md", "# Local\n"),
        ("output/index.md", "# Output\n"),
        ("c#.md", "# C sharp\n"),
        ("conf/app.conf", ""),
    ];
    files.retain(|(path, _)| *path != source);
    files.push((source, &text));
    let plan = planned(&files);
    let page = plan.pages.iter().find(|page| page.source_path.as_deref() == Some(source)).unwrap();
    let links = quire_markup::links(&page.read_document().unwrap());
    assert_eq!(links.len(), hrefs.len(), "{links:?}");
    links.iter().map(|link| shown(&plan, &link.reference)).collect()
}

fn check(source: &str, expected: &[(&str, &str)]) {
    let (hrefs, leads_to): (Vec<&str>, Vec<&str>) = expected.iter().copied().unzip();
    let found = resolved(source, &hrefs);
    for ((href, expected), found) in expected.iter().zip(&found) {
        assert_eq!(found, expected, "`{href}` in {source}");
    }
    assert_eq!(found.len(), leads_to.len());
}

#[test]
fn relative_links() {
    check(
        "buffer/memory.md",
        &[
            ("file.md", "page buffer/file.md"),
            ("./file.md", "page buffer/file.md"),
            ("file", "page buffer/file.md"),
            ("file.html", "page buffer/file.md"),
            ("file.md#config", "anchor buffer/file.md#config"),
            ("file#caf%C3%A9", "anchor buffer/file.md#café"),
            ("file.md?raw=true", "page buffer/file.md"),
            ("file.md?x=1#y", "anchor buffer/file.md#y"),
            ("%C3%BCber%20uns.md", "page buffer/über uns.md"),
            ("über uns.md", "page buffer/über uns.md"),
            ("memory.md#x", "anchor buffer/memory.md#x"),
            ("#here", "anchor #here"),
            ("../c%23.md", "page c#.md"),
        ],
    );
}

#[test]
fn folders_lead_to_their_page() {
    check(
        "buffer/memory.md",
        &[
            ("./", "page buffer/README.md"),
            (".", "page buffer/README.md"),
            ("../", "page README.md"),
            ("../buffer", "page buffer/README.md"),
            ("../buffer/#parameters", "anchor buffer/README.md#parameters"),
            ("../output", "page output/index.md"),
            ("../output/index.html", "page output/index.md"),
            ("../storage", "page storage.md"),
            ("../storage/local", "page storage/local.md"),
        ],
    );
}

#[test]
fn absolute_links_start_at_the_root() {
    check(
        "buffer/memory.md",
        &[
            ("/README.md", "page README.md"),
            ("/buffer/file", "page buffer/file.md"),
            ("/conf/app.conf", "file conf/app.conf"),
            ("/nowhere.md", "url /nowhere.md"),
        ],
    );
}

#[test]
fn files_are_found_under_their_decoded_and_written_names() {
    check(
        "buffer/memory.md",
        &[
            ("../.gitbook/assets/a%20b%20%281%29.png", "file .gitbook/assets/a b (1).png"),
            ("../.gitbook/assets/a b (1).png", "file .gitbook/assets/a b (1).png"),
            ("../.gitbook/assets/100%2525.png", "file .gitbook/assets/100%25.png"),
            ("../.gitbook/assets/100%25.png", "file .gitbook/assets/100%25.png"),
            ("../conf/app.conf#L3", "file conf/app.conf"),
        ],
    );
}

#[test]
fn broken_links_are_kept_as_written() {
    let kept = [
        "gone.md#x",
        "../../outside.md",
        "https://example.com/file.md",
        "mailto:a@example.com",
        "//cdn.example.com/x",
        "../SUMMARY.md",
        "../conf",
    ];
    let expected: Vec<(String, String)> =
        kept.iter().map(|href| ((*href).to_owned(), format!("url {href}"))).collect();
    let expected: Vec<(&str, &str)> =
        expected.iter().map(|(href, shown)| (href.as_str(), shown.as_str())).collect();
    check("buffer/memory.md", &expected);
}

#[test]
fn anchors_are_brought_to_the_spelling_of_the_page() {
    let text = "\
[1](b.md#tls-ssl) [2](b.md#tlsssl) [3](b.md#less-than-buffer-greater-than-section) [4](b.md#1.-start)
[5](b.md#worded) [6](b.md#by-its-words) [7](b.md#gone) [8](b.md#twice) [9](#h-e-r-e)

## Here
";
    let target = "\
# B

## TLS/SSL

## `<buffer>` Section

## 1. Start

## By its words <a href=\"#worded\" id=\"worded\"></a>

## Twice!

## Twi/ce
";
    let plan = planned(&[("a.md", text), ("b.md", target)]);
    let links = quire_markup::links(&plan.pages[0].read_document().unwrap());
    let shown: Vec<String> = links.iter().map(|link| shown(&plan, &link.reference)).collect();
    assert_eq!(
        shown,
        [
            "anchor b.md#tlsssl",
            "anchor b.md#tlsssl",
            "anchor b.md#buffer-section",
            "anchor b.md#1-start",
            "anchor b.md#worded",
            "anchor b.md#worded",
            "anchor b.md#gone",
            "anchor b.md#twice",
            "anchor #here",
        ]
    );
}

#[test]
fn images_embeds_and_references_resolve_like_links() {
    let text = "\
![i](images/a%20b.png)

<figure><img src=\"images/a b.png\" alt=\"\"><figcaption></figcaption></figure>

{% file src=\"images/a b.png\" %}

{% content-ref url=\"other.md\" %}
[other.md](other.md)
{% endcontent-ref %}

[reference][r]

[r]: other.md#x
";
    let plan = planned(&[("a.md", text), ("other.md", "# Other\n"), ("images/a b.png", "png")]);
    let links = quire_markup::links(&plan.pages[0].read_document().unwrap());
    let shown: Vec<String> = links.iter().map(|link| shown(&plan, &link.reference)).collect();
    assert_eq!(
        shown,
        [
            "file images/a b.png",
            "file images/a b.png",
            "file images/a b.png",
            "page other.md",
            "anchor other.md#x"
        ]
    );
}

#[test]
fn a_link_to_the_heading_that_became_the_title_means_the_page() {
    let plan = planned(&[
        (
            "a.md",
            "# A\n\n[There](b.md#title-of-b), [here](#a), [a heading](b.md#steps), [nowhere](b.md#nothing).\n",
        ),
        ("b.md", "# Title of B\n\n## Steps\n\nText.\n"),
    ]);
    let shown: Vec<String> = quire_markup::links(&plan.pages[0].read_document().unwrap())
        .into_iter()
        .map(|link| shown(&plan, &link.reference))
        .collect();
    assert_eq!(shown.len(), 4);
    let page = |at: usize| ContentRef::Page { page: plan.pages[at].id.to_string(), space: None };
    assert_eq!(shown[..2], [super::shown(&plan, &page(1)), super::shown(&plan, &page(0))]);
    assert_eq!(report_of(&plan), [("a.md", ImportStatus::BrokenLinks)]);
    assert_eq!(plan.report[0].message, "broken links: `#nothing`");
}

#[test]
fn a_link_that_no_document_may_hold_keeps_its_text_and_is_reported() {
    let plan = planned(&[
        ("SUMMARY.md", "* [Share](file://host/share)\n* [A](a.md)\n* [B](b.html)\n"),
        (
            "a.md",
            "---\ncover: file:///tmp/x.png\n---\n# A\n\nSee [the share](file://host/share) and [it](javascript:x).\n",
        ),
        (
            "b.html",
            "<h1>B</h1><p>On <a href=\"FILE:///etc/passwd\">disk</a>, <a href=\"https://a.example/\">web</a>.</p>",
        ),
    ]);
    let page = |path: &str| plan.pages.iter().find(|page| page.source_path.as_deref() == Some(path)).unwrap();
    let text = |path: &str| plain_text(&page(path).read_document().unwrap());
    assert_eq!(text("a.md").trim(), "See the share and it.");
    assert_eq!(text("b.html").trim(), "On disk, web.");
    assert_eq!(quire_markup::links(&page("b.html").read_document().unwrap()).len(), 1);
    assert_eq!(page("a.md").cover, None);
    let shared = plan.pages.iter().find(|page| page.title == "Share").unwrap();
    assert!(matches!(shared.kind, PageKind::Document), "{:?}", shared.kind);
    let reported = |path: &str| {
        let of_path = plan.report.iter().filter(|entry| entry.path == path);
        of_path.map(|entry| entry.message.clone()).collect::<Vec<_>>()
    };
    let kept = "links were removed and their text kept: ";
    assert_eq!(reported("a.md"), [format!("{kept}`file:///tmp/x.png`, `file://host/share`, `javascript:x`")]);
    assert_eq!(reported("b.html"), [format!("{kept}`FILE:///etc/passwd`")]);
    assert_eq!(reported("SUMMARY.md"), [format!("{kept}`file://host/share`")]);
}

#[test]
fn lines_of_the_report_name_the_pages() {
    let plan = planned(&[
        ("SUMMARY.md", "* [Welcome](README.md)\n"),
        ("README.md", "# Home\n\n[gone](gone.md) ![](a.svg)\n"),
        ("a.svg", "<svg"),
    ]);
    let home = plan.pages[0].id;
    let pages: Vec<_> = plan.report.iter().map(|entry| (entry.path.as_str(), entry.page)).collect();
    assert_eq!(pages, [("README.md", Some(home)), ("a.svg", None)]);
}

#[test]
fn direction_characters_are_removed_from_names_and_reported() {
    let plan = planned(&[
        ("SUMMARY.md", "## Gr\u{202E}oup\n\n* [A](a.md)\n"),
        ("a.md", "# Ti\u{202E}tle\n\n![x](im\u{2066}age.png) and נ\u{200F}.\n"),
        ("im\u{2066}age.png", "png"),
    ]);
    let titles: Vec<&str> = plan.pages.iter().map(|page| page.title.as_str()).collect();
    assert_eq!(titles, ["Group", "Title"]);
    assert_eq!(plan.files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(), ["image.png"]);
    let text = plain_text(&plan.pages[1].read_document().unwrap());
    assert!(text.contains('\u{200F}') && !text.contains("tle"), "{text:?}");
    let reported: Vec<(&str, &str)> =
        plan.report.iter().map(|entry| (entry.path.as_str(), entry.message.as_str())).collect();
    let (title, name) = (
        "characters that change the text direction were removed from its title",
        "characters that change the text direction were removed from its name",
    );
    assert_eq!(reported, [("SUMMARY.md", title), ("a.md", title), ("im\u{FFFD}age.png", name)]);
}

#[test]
fn a_title_of_direction_characters_alone_is_not_used() {
    let plan = planned(&[
        ("SUMMARY.md", "## \u{202E}\n\n* [\u{2066}](set-up.md)\n* [\u{202E}](https://example.com)\n"),
        ("set-up.md", "# \u{202E}\n\nText.\n"),
    ]);
    let titles: Vec<&str> = plan.pages.iter().map(|page| page.title.as_str()).collect();
    assert_eq!(titles, ["Untitled", "Set up", "https://example.com"]);
}

#[test]
fn a_title_in_navigation_without_words_is_absent() {
    let of = |link_title: &str| {
        let page = format!("---\ntitle: A\nlinkTitle: {link_title}\n---\nText.\n");
        planned(&[("a.md", page.as_str())])
    };
    let (short, empty) = (of("Sh\u{202E}ort"), of("\u{202E}"));
    assert_eq!(short.pages[0].link_title.as_deref(), Some("Short"));
    assert_eq!(empty.pages[0].link_title, None);
    for plan in [short, empty] {
        let messages: Vec<&str> = plan.report.iter().map(|entry| entry.message.as_str()).collect();
        let expected = "characters that change the text direction were removed from its title in navigation";
        assert_eq!(messages, [expected]);
    }
}

#[test]
fn absolute_links_of_a_repository_start_at_the_folder_of_its_pages() {
    let text = "[a](/deploy/kubernetes) ![b](/images/a.png) ![c](/logo.png) [d](/index.md) [e](/nowhere)\n";
    let plan = planned(&[
        ("README.md", "# Code\n"),
        ("docs/index.md", "# Docs\n"),
        ("docs/deploy/index.md", "# Deploy\n"),
        ("docs/deploy/kubernetes.md", text),
        ("docs/images/a.png", "png"),
        ("static/logo.png", "png"),
        ("main.c", ""),
    ]);
    let page = plan.pages.iter().find(|page| page.title == "Kubernetes").unwrap();
    let links = quire_markup::links(&page.read_document().unwrap());
    let shown: Vec<String> = links.iter().map(|link| shown(&plan, &link.reference)).collect();
    let expected = [
        "page docs/deploy/kubernetes.md",
        "file docs/images/a.png",
        "file static/logo.png",
        "page docs/index.md",
        "url /nowhere",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn links_are_found_in_any_case_and_assets_from_any_folder() {
    check(
        "buffer/memory.md",
        &[
            ("File.md", "page buffer/file.md"),
            ("FILE#config", "anchor buffer/file.md#config"),
            (".gitbook/assets/a b (1).png", "file .gitbook/assets/a b (1).png"),
            ("../../.gitbook/assets/a b (1).png", "file .gitbook/assets/a b (1).png"),
            ("x/.gitbook/assets/a b (1).png", "url x/.gitbook/assets/a b (1).png"),
        ],
    );
}

/// Documents made by an import must pass the same checks as documents in requests.
#[test]
fn readers_and_requests_take_the_same_schemes() {
    assert_eq!(quire_markup::html::LINK_SCHEMES, quire_domain::urls::SCHEMES);
}

#[test]
fn relative_links_of_html_begin_at_its_base() {
    let page = |base: &str| {
        format!(
            "<html><head><base href=\"{base}\"></head><h1>A</h1><p><a href=\"b.html\">b</a> <a href=\"#x\">x</a> <a href=\"/docs/b.html\">c</a></p></html>"
        )
    };
    for (base, first) in [
        ("../", "page b.html"),
        ("/", "page b.html"),
        ("sub/deep/", "url b.html"),
        ("https://e.x/y/", "page docs/b.html"),
    ] {
        let plan = planned(&[
            ("docs/a.html", &page(base)),
            ("docs/b.html", "<h1>Near</h1><p>Text.</p>"),
            ("b.html", "<h1>Far</h1><p>Text.</p>"),
        ]);
        let links = repositories::links_of(&plan, "docs/a.html");
        assert_eq!(links.first().map(String::as_str), Some(first), "{base}: {links:?}");
    }
}
