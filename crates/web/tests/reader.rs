//! Page of a site with all parts of its frame.

use quire_markup::{StableRefs, parse};
use quire_render::{Highlighter, Options, Rendered, Resolved, Symbol, render};
use quire_web::reader::{
    Account, Action, Announcement, Asset, Cover, FooterGroup, HeaderLink, Link, Logo, Node, NodeKind,
    Preview, Section, Site, SocialImage, Variant, View, page,
};

fn link(title: &str, href: &str) -> Link {
    Link { title: title.to_owned(), href: href.to_owned() }
}

fn node(title: &str, href: &str) -> Node {
    Node { link: link(title, href), ..Node::default() }
}

fn site() -> Site {
    let section = |title: &str, is_current| Section {
        link: link(title, &format!("/{title}")),
        is_current,
        ..Section::default()
    };
    let language = |title: &str, tag: &str, is_current| Variant {
        link: link(title, &format!("/{tag}/")),
        language: Some(tag.to_owned()),
        is_current,
    };
    Site {
        title: "Ferry <docs>".to_owned(),
        home: "/".to_owned(),
        logo: Some(Logo { light: "/logo.svg".to_owned(), dark: Some("/logo-dark.svg".to_owned()) }),
        language: "en".to_owned(),
        can_choose_theme: true,
        links: vec![HeaderLink { link: link("Blog", "https://example.com/blog"), ..HeaderLink::default() }],
        search: "/~quire/search".to_owned(),
        sections: vec![
            Section { description: Some("First <steps>".to_owned()), ..section("Guides", true) },
            Section {
                sections: vec![
                    section("v1", false),
                    Section { description: Some("All of them".to_owned()), ..section("v2", false) },
                ],
                ..section("API", false)
            },
        ],
        variants: vec![language("English", "en", true), language("Deutsch", "de", false)],
        announcement: Some(Announcement {
            style: "info".to_owned(),
            message: "Version 2 is out.".to_owned(),
            link: Some(link("Read on", "/news")),
        }),
        footer: vec![FooterGroup { title: "Project".to_owned(), links: vec![link("Source", "/source")] }],
        copyright: Some("© Ferry".to_owned()),
        accounts: vec![Account {
            link: link("GitHub", "https://github.com/ferry"),
            icon: "github",
            in_header: true,
            in_footer: true,
        }],
        privacy: Some("/privacy".to_owned()),
        has_trademark: true,
        preview: Some(Preview {
            message: "Change request #1".to_owned(),
            change_request: Some("https://quire.example/s/1/~/changes/1".to_owned()),
            published: Some("/".to_owned()),
        }),
        assets: Asset {
            styles: vec!["/reader.css".to_owned()],
            font: Some("/font.woff2".to_owned()),
            theme: Some("/theme.js".to_owned()),
            scripts: vec!["/reader.js".to_owned()],
        },
        ..Site::default()
    }
}

fn tree() -> Vec<Node> {
    vec![
        Node { emoji: Some("1f680".to_owned()), ..node("Quick start", "/") },
        Node {
            kind: NodeKind::Group,
            children: vec![
                Node {
                    is_open: true,
                    has_more: false,
                    children: vec![Node { is_current: true, ..node("Install <it>", "/install") }],
                    ..node("Setup", "/setup")
                },
                Node { children: vec![node("Deep", "/deep")], ..node("Closed", "/closed") },
            ],
            ..node("Guide", "")
        },
        Node {
            kind: NodeKind::Link,
            icon: Some("star".to_owned()),
            ..node("Elsewhere", "https://example.com")
        },
    ]
}

#[test]
fn a_page_has_all_of_its_frame() {
    let document = parse("Text.\n\n## One\n\n### Two\n\n#### Three", &StableRefs);
    let highlighter = Highlighter::default();
    let document = render(&document, &Resolved::default(), &Options::english(&highlighter));
    let view = View {
        title: "Install <it>".to_owned(),
        shows_title: true,
        is_wide: false,
        description: Some("How to \"install\" it.".to_owned()),
        about: Some("How to \"install\" it.".to_owned()),
        emoji: Some("1f6e0".to_owned()),
        icon: None,
        cover: Some(Cover { address: "/cover.png".to_owned(), position: 50, ..Cover::default() }),
        image: Some(SocialImage {
            url: "https://docs.example/cover.png".to_owned(),
            size: Some((1200, 630)),
        }),
        canonical: Some("https://docs.example/install".to_owned()),
        is_indexed: false,
        document: &document,
        shape: &|_| None,
        tree: tree(),
        crumbs: vec![link("Guide", "/guide"), link("Setup", "/setup")],
        previous: Some(link("Quick start", "/")),
        next: Some(link("Deep", "/deep")),
        markdown: Some("/install.md".to_owned()),
        actions: vec![
            Action::CopyAnswer("Copy as Markdown".to_owned(), "/install.md".to_owned()),
            Action::Open("View as Markdown".to_owned(), "/install.md".to_owned()),
            Action::Print("Print".to_owned()),
        ],
        alternates: vec![
            ("en".to_owned(), "https://docs.example/install".to_owned()),
            ("de".to_owned(), "https://docs.example/de/install".to_owned()),
        ],
        updated: Some(("2026-01-02T03:04:05Z".to_owned(), "January 2, 2026".to_owned())),
        feed: Some("/guide/install/rss.xml".to_owned()),
        structured: Some(r#"{"name":"</script>"}"#.to_owned()),
    };
    let html = page(&site(), &view).into_string().replace("><", ">\n<");
    insta::assert_snapshot!(html);
    assert!(!html.contains(" style=") && !html.contains("<it>"));
}

#[test]
fn headings_do_not_take_the_ids_of_the_frame() {
    let words = ["Content", "Menu", "Search", "Hits", "Hit count", "Head", "i star"];
    let text: String = words.map(|heading| format!("# {heading}\n\n")).concat();
    let document = parse(&text, &StableRefs);
    let rendered = render(&document, &Resolved::default(), &Options::english(&Highlighter::default()));
    let shape = |_: &str| Some(Symbol { view_box: "0 0 1 1", path: "M0 0" });
    let view = View { tree: tree(), shape: &shape, ..plain(&rendered) };
    let html = page(&site(), &view).into_string();
    let mut ids: Vec<&str> = html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    for anchor in ["content", "menu", "search", "i-star", "frame:search", "i:star"] {
        assert!(ids.contains(&anchor), "{anchor}: {ids:?}");
    }
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "{ids:?}");
}

/// Returns a page with only a document.
fn plain(document: &Rendered) -> View<'_> {
    View {
        title: "A".to_owned(),
        shows_title: true,
        is_wide: false,
        description: None,
        about: None,
        emoji: None,
        icon: None,
        cover: None,
        image: None,
        canonical: None,
        is_indexed: true,
        document,
        shape: &|_| None,
        tree: Vec::new(),
        crumbs: Vec::new(),
        previous: None,
        next: None,
        markdown: None,
        actions: Vec::new(),
        alternates: Vec::new(),
        updated: None,
        feed: None,
        structured: None,
    }
}

#[test]
fn a_page_without_parts_is_plain() {
    let document = render(
        &parse("Text.", &StableRefs),
        &Resolved::default(),
        &Options::english(&Highlighter::default()),
    );
    let site =
        Site { title: "A".to_owned(), language: "he".to_owned(), is_right_to_left: true, ..Site::default() };
    insta::assert_snapshot!(page(&site, &plain(&document)).into_string().replace("><", ">\n<"));
}
